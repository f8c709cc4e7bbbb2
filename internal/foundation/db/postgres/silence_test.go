package postgres

import (
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A server that speaks no TLS says so in one byte, and that is an answer: only one that says nothing is silent.
func TestWhoeverSaysAnythingIsNotSilent(t *testing.T) {
	for name, c := range map[string]struct {
		says    string
		answers bool
	}{"no TLS": {"N", true}, "nothing": {"", false}} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					io.ReadFull(conn, make([]byte, 8)) // the request for TLS
					io.WriteString(conn, c.says)
					conn.Close()
				}
			}()
			cfg, err := pgconn.ParseConfig("postgres://kontor@" + l.Addr().String() + "/postgres") // prefers TLS
			if err != nil {
				t.Fatal(err)
			}
			s := &server{cfg: cfg, network: "tcp", addr: l.Addr().String(), conns: map[*watched]struct{}{}}
			if got := s.answers(); got != c.answers {
				t.Errorf("a server that says %q answers: %t", c.says, got)
			}
		})
	}
}
