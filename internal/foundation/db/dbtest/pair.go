package dbtest

import (
	"database/sql"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/fault/faulttest"
)

// Pair is a server and the standby that every commit waits for, each at the end of a line that may be cut. It is looked
// after as Patroni would: only a standby that has everything takes over, and whoever failed comes back as the standby
// of its successor.
type Pair struct {
	primary, standby *Server
	lines            map[*Server]*line
}

// NewPair starts the two.
func NewPair(t testing.TB) *Pair {
	t.Helper()
	p := &Pair{primary: NewServer(t), lines: map[*Server]*line{}}
	p.standby = p.primary.Standby(t)
	for _, s := range []*Server{p.primary, p.standby} {
		p.lines[s] = newLine(t, s)
	}
	p.inStep(t)
	return p
}

// URL leads to whichever of the two takes changes, over their lines.
func (p *Pair) URL() string {
	return "postgres://kontor@/postgres?host=" + url.QueryEscape(p.lines[p.primary].dir+","+p.lines[p.standby].dir)
}

// Failures are the ways in which a primary goes, by name.
func Failures() map[string]func(t testing.TB, p *Pair) {
	return map[string]func(t testing.TB, p *Pair){
		"killed":      func(_ testing.TB, p *Pair) { p.primary.Kill() },
		"shut down":   func(_ testing.TB, p *Pair) { p.primary.stop("immediate") },
		"switch-over": func(_ testing.TB, p *Pair) { p.primary.stop("fast") },
		"frozen":      func(_ testing.TB, p *Pair) { p.primary.Freeze() },
		"cut off":     func(_ testing.TB, p *Pair) { p.lines[p.primary].cut() },
	}
}

// Promote makes the standby the primary, and says since when it takes changes.
func (p *Pair) Promote(t testing.TB) time.Time {
	t.Helper()
	p.standby.exec(t, "alter system reset synchronous_standby_names")
	p.standby.exec(t, "select pg_reload_conf()")
	p.standby.exec(t, "select pg_promote(false)")
	for p.standby.exec(t, "select pg_is_in_recovery()") != "false" {
		time.Sleep(2 * time.Millisecond)
	}
	p.primary, p.standby = p.standby, p.primary
	return time.Now()
}

// Mend makes whoever failed the standby of its successor, and waits until every commit waits for it.
func (p *Pair) Mend(t testing.TB) {
	t.Helper()
	p.standby.Kill()
	p.lines[p.standby].mend()
	p.standby.follow(t, p.primary)
	p.inStep(t)
}

func (p *Pair) inStep(t testing.TB) {
	t.Helper()
	p.primary.exec(t, "alter system set synchronous_standby_names = '*'")
	p.primary.exec(t, "select pg_reload_conf()")
	for p.primary.exec(t, "select count(*) from pg_stat_replication where sync_state = 'sync'") != "1" {
		time.Sleep(20 * time.Millisecond)
	}
}

// exec runs a statement over a connection of its own, and answers its first value.
func (s *Server) exec(t testing.TB, statement string) (first string) {
	t.Helper()
	return execAt(t, s.URL()+"&default_query_exec_mode=simple_protocol", statement)
}

func execAt(t testing.TB, url, statement string) (first string) {
	t.Helper()
	d, err := sql.Open("pgx", url)
	faulttest.None(t, err)
	defer d.Close()
	if err := d.QueryRow(statement).Scan(&first); err != nil && err != sql.ErrNoRows {
		t.Fatalf("%s: %v", statement, err)
	}
	return first
}

// line leads to a server, from a socket in a folder of its own.
type line struct {
	dir, to string
	mu      sync.Mutex
	held    []net.Conn
	isCut   chan struct{} // closed while nothing passes
}

func newLine(t testing.TB, s *Server) *line {
	t.Helper()
	dir, err := newFolder()
	faulttest.None(t, err)
	l := &line{dir: dir, to: filepath.Join(s.dir, ".s.PGSQL.5432"), isCut: make(chan struct{})}
	in, err := net.Listen("unix", filepath.Join(dir, ".s.PGSQL.5432"))
	faulttest.None(t, err)
	t.Cleanup(func() {
		in.Close()
		l.mend()
		os.RemoveAll(dir)
	})
	go func() {
		for {
			c, err := in.Accept()
			if err != nil {
				return
			}
			go l.carry(c)
		}
	}()
	return l
}

// cut lets nothing pass any more, in either direction: who is connected hears nothing, not even that the line is gone.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.isCut)
}

// mend ends what was connected, and carries what comes.
func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.held {
		c.Close()
	}
	l.held, l.isCut = nil, make(chan struct{})
}

func (l *line) carry(c net.Conn) {
	l.mu.Lock()
	isCut := l.isCut
	l.held = append(l.held, c)
	l.mu.Unlock()
	select {
	case <-isCut:
		return // held, and never answered
	default:
	}
	server, err := net.Dial("unix", l.to)
	if err != nil {
		c.Close()
		return
	}
	l.mu.Lock()
	l.held = append(l.held, server)
	l.mu.Unlock()
	go pass(server, c, isCut)
	pass(c, server, isCut)
}

// pass copies until one side ends, which ends the other, or the line is cut, which neither hears.
func pass(to, from net.Conn, isCut chan struct{}) {
	b := make([]byte, 1<<16)
	for {
		n, err := from.Read(b)
		select {
		case <-isCut:
			return
		default:
		}
		if n > 0 {
			_, err = to.Write(b[:n])
		}
		if err != nil {
			to.Close()
			from.Close()
			return
		}
	}
}
