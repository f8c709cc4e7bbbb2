package app_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// proxy stands between kontor and its database and can lose connections.
type proxy struct {
	net.Listener
	network, address string // of the database

	mu       sync.Mutex
	conns    map[net.Conn]bool
	refusing bool
	// loses is asked of each piece that is sent to the database, and may have the connection cut before or after it.
	loses func(sent []byte) loss
}

type loss int

const (
	nothingLost loss = iota
	lostBefore       // the database never sees it
	lostAfter        // it does, and its answer is lost
)

func newProxy(t *testing.T, database string) (*proxy, string) {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{network: "tcp", address: u.Host, conns: map[net.Conn]bool{}}
	if dir := u.Query().Get("host"); dir != "" {
		p.network, p.address = "unix", filepath.Join(dir, ".s.PGSQL.5432")
	}
	if p.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(); p.cut(true) })
	go p.accept()
	u.Host, u.RawQuery = p.Addr().String(), "sslmode=disable"
	return p, u.String()
}

func (p *proxy) accept() {
	for {
		c, err := p.Accept()
		if err != nil {
			return
		}
		go p.carry(c)
	}
}

func (p *proxy) carry(c net.Conn) {
	defer c.Close()
	p.mu.Lock()
	refusing := p.refusing
	p.mu.Unlock()
	if refusing {
		return
	}
	d, err := net.Dial(p.network, p.address)
	if err != nil {
		return
	}
	defer d.Close()
	p.mu.Lock()
	p.conns[c] = true
	p.mu.Unlock()
	go func() { io.Copy(c, d); c.Close() }()
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.Read(buffer)
		if err != nil {
			break
		}
		p.mu.Lock()
		what := nothingLost
		if p.loses != nil {
			what = p.loses(buffer[:n])
		}
		p.mu.Unlock()
		if what == lostBefore {
			break
		}
		if what == lostAfter {
			c.Close() // first, so that the answer cannot get through
		}
		if _, err := d.Write(buffer[:n]); err != nil {
			break
		}
		if what == lostAfter {
			d.(interface{ CloseWrite() error }).CloseWrite() // the database does what it was told, and then notices
			io.Copy(io.Discard, d)
			break
		}
	}
	p.mu.Lock()
	delete(p.conns, c)
	p.mu.Unlock()
}

// cut ends every connection, and refuses new ones until it is called with false.
func (p *proxy) cut(refuse bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusing = refuse
	for c := range p.conns {
		c.Close()
	}
}

// commitMessage is COMMIT as it goes over the wire: the driver prepares a statement once for each connection, under a
// name made of its text's digest, and binds it to the portal without a name whenever it is to be done.
func commitMessage() string {
	digest := sha256.Sum256([]byte("commit"))
	return fmt.Sprintf("\x00stmt_%x\x00", digest[:24])
}

// once loses one connection at the next piece that holds text, and tells whether it has.
func (p *proxy) once(text string, what loss) (lost *atomic.Bool) {
	lost = new(atomic.Bool)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loses = func(sent []byte) loss {
		if !bytes.Contains(sent, []byte(text)) {
			return nothingLost
		}
		p.loses = nil
		lost.Store(true)
		return what
	}
	return lost
}
