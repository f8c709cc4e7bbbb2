package app

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/datadir"
)

// A client that sends all of a body before it reads anything is told what is wrong with it.
func TestWhoSendsTooMuchIsAnswered(t *testing.T) {
	s := &Server{kontor: openApp(t, datadir.Dir{Data: t.TempDir()})}
	l := httptest.NewUnstartedServer(nil)
	l.Config = s.server(t.Context(), s.kontor)
	l.Start()
	defer l.Close()
	const large = 24 << 20 // more than what lies in sockets' buffers
	for _, c := range []struct {
		path, media string
		chunked     bool
		want        int
	}{
		{"/sign-in", "application/x-www-form-urlencoded", false, http.StatusRequestEntityTooLarge},
		{"/sign-in", "application/x-www-form-urlencoded", true, http.StatusRequestEntityTooLarge},
		{"/preview/items", "application/json", false, http.StatusUnauthorized},
		{"/ecom/cart/items", "application/json", true, http.StatusUnauthorized},
	} {
		conn, err := net.Dial("tcp", l.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		body := strings.Repeat("a=b&", large/4)
		length := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", large, body)
		if c.chunked {
			length = fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", large, body)
		}
		if _, err := fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: kontor.test\r\nContent-Type: %s\r\n%s", c.path, c.media,
			length); err != nil {
			t.Errorf("%s, chunked %v: the body is not taken: %v", c.path, c.chunked, err)
			continue
		}
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%s, chunked %v: no answer: %v", c.path, c.chunked, err)
			continue
		}
		if r.Body.Close(); r.StatusCode != c.want {
			t.Errorf("%s, chunked %v: %s", c.path, c.chunked, r.Status)
		}
	}
}
