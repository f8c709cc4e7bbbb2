package app

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// guest is somebody at an address of this machine who opens many connections.
type guest struct {
	testing.TB
	to   string
	from net.Dialer
	has  []net.Conn
}

func newGuest(t *testing.T, to, address string) *guest {
	g := &guest{TB: t, to: to, from: net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}}
	t.Cleanup(func() {
		for _, c := range g.has {
			c.Close()
		}
	})
	return g
}

// opens connects so many times and says the text each time.
func (g *guest) opens(n int, text string) {
	g.Helper()
	for range n {
		c, err := g.from.DialContext(g.Context(), "tcp", g.to)
		if err != nil {
			g.Skipf("this machine has no such address: %v", err)
		}
		c.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(c, text) // who was turned away already cannot
		g.has = append(g.has, c)
	}
}

// asks is the answer to a request on one of his connections, counted from the last.
func (g *guest) asks(back int) string {
	c := g.has[len(g.has)-back]
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: kontor.test\r\n\r\n")
	b := make([]byte, 4096)
	n, err := c.Read(b)
	if err != nil {
		return err.Error()
	}
	first, _, _ := strings.Cut(string(b[:n]), "\r\n")
	return first
}

func TestWhoHoldsConnectionsKeepsNobodyOut(t *testing.T) {
	const most = 8
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		fmt.Fprint(w, "hello")
	}))
	l := bounded(srv.Listener, most, nil)
	srv.Listener, srv.Config.ConnState = l, l.note
	srv.Start()
	defer srv.Close()
	to := srv.Listener.Addr().String()
	visitor, flood := newGuest(t, to, "127.0.0.2"), newGuest(t, to, "127.0.0.1")
	visitor.opens(2, "")
	if a := visitor.asks(1); a != "HTTP/1.1 200 OK" {
		t.Fatal(a)
	}
	for _, begun := range []string{"", "GET / HTTP/1.1\r\nHost: kontor", // nothing, half a head, half a body
		"POST / HTTP/1.1\r\nHost: kontor.test\r\nContent-Length: 9\r\n\r\n1"} {
		flood.opens(5*most, begun)
		settle(t, l, "too many are open", func() bool { return l.of["127.0.0.1"] <= most/2 })
		for back := 1; back <= 2; back++ {
			if a := visitor.asks(back); a != "HTTP/1.1 200 OK" {
				t.Errorf("beside connections that say %q: %s", begun, a)
			}
		}
		visitor.opens(2, "")
		if a := visitor.asks(1); a != "HTTP/1.1 200 OK" {
			t.Errorf("a new one beside connections that say %q: %s", begun, a)
		}
	}
	for _, c := range flood.has {
		c.Close()
	}
	settle(t, l, "who left is counted", func() bool {
		return l.of["127.0.0.1"] == 0 && len(l.open) == l.of["127.0.0.2"] && l.waiting.Len() == len(l.open)
	})
}

// Where all that may be connected are being answered, one more waits for the first that asks for nothing any more, and
// not until one of them leaves.
func TestOneMoreIsLetInOnceSomebodyAsksForNothing(t *testing.T) {
	const most = 4
	asked, let := make(chan struct{}), make(chan struct{})
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/held" {
			asked <- struct{}{}
			<-let
		}
	}))
	l := bounded(srv.Listener, most, prefixes([]string{"127.0.0.1"}))
	srv.Listener, srv.Config.ConnState = l, l.note
	srv.Start()
	defer srv.Close()
	proxy := newGuest(t, srv.Listener.Addr().String(), "127.0.0.1")
	proxy.opens(most, "GET /held HTTP/1.1\r\nHost: kontor.test\r\n\r\n")
	for range most {
		<-asked
	}
	proxy.opens(1, "")
	time.Sleep(time.Second / 10) // it waits
	close(let)
	if a := proxy.asks(1); a != "HTTP/1.1 200 OK" {
		t.Errorf("one more: %s", a)
	}
}

// settle waits until something is so.
func settle(t *testing.T, l *connections, otherwise string, isSo func() bool) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		l.mu.Lock()
		so := isSo()
		l.mu.Unlock()
		if so {
			return
		}
		if time.Since(begun) > 10*time.Second {
			t.Fatal(otherwise)
		}
	}
}
