package app

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"sync"

	"kontor/internal/foundation/throttle"
)

// connections bounds how many callers may be connected at once: each costs memory and a file before anybody knows who
// it is. One more takes the place of the one that has asked for nothing the longest, be it a browser, which will
// connect anew when it asks again, or who began a request and does not go on; where all are being answered, it waits.
// A network that is no trusted proxy may have half of them: one more takes a place of its own, or none.
type connections struct {
	net.Listener
	most    int
	proxies []netip.Prefix

	mu      sync.Mutex
	room    sync.Cond // one has ended, or asks for nothing any more
	open    map[net.Conn]*caller
	of      map[string]int // by network
	waiting list.List      // net.Conn that ask for nothing, the longest first
}

// caller is who is connected.
type caller struct {
	network string
	place   *list.Element // among those that wait; nil: it is being answered, or ends
}

func bounded(l net.Listener, most int, proxies []netip.Prefix) *connections {
	c := &connections{Listener: l, most: most, proxies: proxies, open: map[net.Conn]*caller{}, of: map[string]int{}}
	c.room.L = &c.mu
	return c
}

// Accept answers the next connection once there is room for it.
func (c *connections) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	c.mu.Lock()
	defer c.mu.Unlock()
	for err == nil && len(c.open) >= c.most && c.waiting.Len() == 0 {
		c.room.Wait()
	}
	return conn, err
}

// note is told what becomes of a connection (http.Server.ConnState).
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.admit(conn)
	case http.StateActive:
		c.busy(conn)
	case http.StateIdle:
		c.open[conn].place = c.waiting.PushBack(conn)
		c.room.Signal()
	default:
		c.busy(conn)
		if network := c.open[conn].network; c.of[network] == 1 {
			delete(c.of, network)
		} else {
			c.of[network]--
		}
		delete(c.open, conn)
		c.room.Signal()
	}
}

func (c *connections) admit(conn net.Conn) {
	host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
	network := throttle.Network(host)
	c.open[conn] = &caller{network: network, place: c.waiting.PushBack(conn)}
	c.of[network]++
	switch {
	case c.of[network] > c.most/2 && !trusted(host, c.proxies):
		c.end(func(other *caller) bool { return other.network == network })
	case len(c.open) > c.most:
		c.end(func(*caller) bool { return true })
	}
}

// end closes the one that has waited the longest of those that it may be.
func (c *connections) end(may func(*caller) bool) {
	for e := c.waiting.Front(); e != nil; e = e.Next() {
		if conn := e.Value.(net.Conn); may(c.open[conn]) {
			c.busy(conn)
			conn.Close()
			return
		}
	}
}

// busy notes that a connection waits no longer.
func (c *connections) busy(conn net.Conn) {
	if caller := c.open[conn]; caller.place != nil {
		c.waiting.Remove(caller.place)
		caller.place = nil
	}
}
