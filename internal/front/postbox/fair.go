package postbox

import (
	"io"
	"net"
	"sync"

	"kontor/internal/foundation/throttle"
)

// fair is a listener of which one network has a part of the connections at most, so that nobody keeps all others out.
type fair struct {
	net.Listener
	mu   sync.Mutex
	open map[string]int // by network
}

// Accept waits for the next connection of a network that has not too many.
func (f *fair) Accept() (net.Conn, error) {
	for {
		c, err := f.Listener.Accept()
		if err != nil {
			return nil, err
		}
		host, _, _ := net.SplitHostPort(c.RemoteAddr().String())
		network := throttle.Network(host)
		if f.enter(network) {
			return &counted{Conn: c, leave: sync.OnceFunc(func() { f.leave(network) })}, nil
		}
		io.WriteString(c, "421 4.7.0 too many connections; try again later\r\n")
		c.Close()
	}
}

func (f *fair) enter(network string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[network] >= maxOfPeer {
		return false
	}
	f.open[network]++
	return true
}

func (f *fair) leave(network string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open[network]--; f.open[network] == 0 {
		delete(f.open, network)
	}
}

// counted is a connection that is counted until it closes.
type counted struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *counted) Close() error {
	c.leave()
	return c.Conn.Close()
}
