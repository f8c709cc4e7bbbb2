package postgres

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/singleflight"
)

// A server that has not answered for doubtAfter is asked, on a connection of its own, whether it answers anybody. When
// it does not for probeTime and another one takes changes, or however that may be for probeTime many times, all
// connections to it are given up:
// whoever waits on one learns that it is lost, and goes to the next server. Nobody else is sent there, until it answers
// again or askTime has passed.
const (
	doubtAfter = time.Second
	probeTime  = time.Second
	mostProbes = 5
	askEvery   = 500 * time.Millisecond
	askTime    = time.Minute
)

// dialer notices a network that is gone, in a connection that waits (keep-alive) and in one that sends (see patience).
var dialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3},
	Control:         patience,
}

// network are the servers that an engine has connections to, by their addresses.
type network struct{ servers sync.Map }

type server struct {
	cfg           *pgconn.Config
	network, addr string

	mu     sync.Mutex
	conns  map[*watched]struct{}
	silent bool
	probes singleflight.Group // one of a kind at a time, whoever doubts
}

var errSilent = errors.New("the server does not answer")

// dial connects to a server, unless it is known to be silent.
func (n *network) dial(ctx context.Context, cfg *pgconn.Config, network, addr string) (net.Conn, error) {
	known, _ := n.servers.LoadOrStore(network+" "+addr, &server{cfg: cfg, network: network, addr: addr,
		conns: map[*watched]struct{}{}})
	s := known.(*server)
	s.mu.Lock()
	silent := s.silent
	s.mu.Unlock()
	if silent {
		return nil, &net.OpError{Op: "dial", Net: network, Err: errSilent}
	}
	c, err := dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	h := &watched{Conn: c, server: s}
	s.mu.Lock()
	s.conns[h] = struct{}{}
	s.mu.Unlock()
	return h, nil
}

// giveUp ends all connections to a silent server, and asks it until it answers again.
func (s *server) giveUp() {
	s.mu.Lock()
	already := s.silent
	s.silent = true
	for h := range s.conns {
		h.Conn.Close()
	}
	s.mu.Unlock()
	if already {
		return
	}
	for since := time.Now(); time.Since(since) < askTime && !s.answers(); {
		time.Sleep(askEvery)
	}
	s.mu.Lock()
	s.silent = false
	s.mu.Unlock()
}

// watched is a connection that notices when the server owes it an answer for long: one that is slow is waited for, one
// that is silent is not.
type watched struct {
	net.Conn
	server *server

	mu    sync.Mutex
	timer *time.Timer
	owed  atomic.Bool
}

// Write asks; the answer is owed from now on.
func (h *watched) Write(b []byte) (int, error) {
	if !h.owed.Swap(true) {
		h.mu.Lock()
		if h.timer == nil {
			h.timer = time.AfterFunc(doubtAfter, h.doubt)
		} else {
			h.timer.Reset(doubtAfter)
		}
		h.mu.Unlock()
	}
	return h.Conn.Write(b)
}

// Read hears; nothing is owed any more.
func (h *watched) Read(b []byte) (int, error) {
	n, err := h.Conn.Read(b)
	if (n > 0 || err != nil) && h.owed.Swap(false) {
		h.mu.Lock()
		h.timer.Stop()
		h.mu.Unlock()
	}
	return n, err
}

// Close ends it.
func (h *watched) Close() error {
	h.owed.Store(false)
	h.mu.Lock()
	if h.timer != nil {
		h.timer.Stop()
	}
	h.mu.Unlock()
	h.server.mu.Lock()
	delete(h.server.conns, h)
	h.server.mu.Unlock()
	return h.Conn.Close()
}

func (h *watched) doubt() {
	for tries := 1; h.owed.Load(); tries++ {
		successor := make(chan bool, 1)
		go func() { successor <- h.server.hasSuccessor() }()
		if h.server.answers() {
			h.mu.Lock()
			if h.owed.Load() {
				h.timer.Reset(doubtAfter)
			}
			h.mu.Unlock()
			return
		}
		if tries == mostProbes || <-successor {
			h.server.giveUp()
			return
		}
	}
}

// answers reports whether the server answers a new connection with anything at all: a refusal, or that it speaks no
// TLS.
func (s *server) answers() bool {
	is, _, _ := s.probes.Do("answers", func() (any, error) {
		c := s.cfg.Copy()
		c.ValidateConnect = nil
		c.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"server"}, nil }
		var said atomic.Bool
		c.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := dialer.DialContext(ctx, s.network, s.addr)
			if err != nil {
				return nil, err
			}
			return noting{conn, &said}, nil
		}
		err := probe(c)
		return err == nil || said.Load(), nil
	})
	return is.(bool)
}

// noting is a connection that notes that something was said on it.
type noting struct {
	net.Conn
	said *atomic.Bool
}

func (c noting) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.said.Store(true)
	}
	return n, err
}

// hasSuccessor reports whether any server of the database takes changes; one that does not answer is none.
func (s *server) hasSuccessor() bool {
	is, _, _ := s.probes.Do("successor", func() (any, error) {
		hosts := append([]*pgconn.FallbackConfig{{Host: s.cfg.Host, Port: s.cfg.Port, TLSConfig: s.cfg.TLSConfig}},
			s.cfg.Fallbacks...)
		found := make(chan bool, len(hosts))
		for _, host := range hosts {
			c := s.cfg.Copy()
			c.Host, c.Port, c.TLSConfig, c.ValidateConnect = host.Host, host.Port, host.TLSConfig, validate
			go func() { found <- probe(c) == nil }()
		}
		for range hosts {
			if <-found {
				return true, nil
			}
		}
		return false, nil
	})
	return is.(bool)
}

// probe connects to the one server that c names, and nowhere else, and leaves again.
func probe(c *pgconn.Config) error {
	ctx, stop := context.WithTimeout(context.Background(), probeTime)
	defer stop()
	c.Fallbacks, c.ConnectTimeout = nil, probeTime
	conn, err := pgconn.ConnectConfig(ctx, c)
	if err == nil {
		err = conn.Close(ctx)
	}
	return err
}
