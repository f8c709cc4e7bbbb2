package dbtest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kontor/internal/foundation/fault/faulttest"
)

// Server is a PostgreSQL server of a test's own, which it may stop, freeze and replace by a standby.
type Server struct {
	bin, dir   string
	attr       *syscall.SysProcAttr
	isMigrated bool // it has the template already
}

// NewServer starts a server with an empty database that others may follow. The test is left out, saying so, where no
// PostgreSQL is installed.
func NewServer(t testing.TB) *Server {
	t.Helper()
	s := newServer(t)
	faulttest.None(t, initialize(s.bin, s.dir, s.attr))
	s.Start(t)
	return s
}

func newServer(t testing.TB) *Server {
	t.Helper()
	bin, err := binaries()
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("PostgreSQL is needed for this test: " + err.Error())
	}
	dir, err := newFolder()
	faulttest.None(t, err)
	s := &Server{bin: bin, dir: dir}
	t.Cleanup(func() {
		s.Thaw()
		s.stop("immediate")
		os.RemoveAll(dir)
	})
	if s.attr, err = unprivileged(dir); err != nil {
		t.Fatal(err)
	}
	return s
}

// Start starts the server, and waits until it answers.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	faulttest.None(t, startGuarded(s.bin, s.dir, s.attr, "-c", "hot_standby_feedback=on"))
	faulttest.None(t, waitFor(s.URL()))
}

// Standby starts a server that repeats what s writes, and may be promoted.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	other := newServer(t)
	other.follow(t, s)
	return other
}

// follow makes a server that does not run the standby of another, from a copy of the other's data.
func (s *Server) follow(t testing.TB, primary *Server) {
	t.Helper()
	for _, left := range []string{"data", ".s.PGSQL.5432", ".s.PGSQL.5432.lock"} { // by a server that was killed
		faulttest.None(t, os.RemoveAll(filepath.Join(s.dir, left)))
	}
	s.run(t, "pg_basebackup", "-D", filepath.Join(s.dir, "data"), "-R", "-X", "stream", "-c", "fast", "-d",
		"host="+primary.dir+" user=kontor")
	s.Start(t)
}

// Kill ends the server as its machine would that loses its power, and waits until it is gone.
func (s *Server) Kill() {
	server := pidIn(filepath.Join(s.dir, "data", "postmaster.pid"))
	s.signal(syscall.SIGKILL)
	// its guard does not look after the dead
	for state, _ := processOf(server); state != "" && state != "Z"; state, _ = processOf(server) {
		time.Sleep(5 * time.Millisecond)
	}
}

// Promote makes a standby the server that takes changes.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	s.run(t, "pg_ctl", "promote", "-w", "-D", filepath.Join(s.dir, "data"))
}

// Stop stops the server as its machine would: at once.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	faulttest.None(t, s.stop("immediate"))
}

func (s *Server) stop(mode string) error {
	return s.command("pg_ctl", "stop", "-w", "-m", mode, "-D", filepath.Join(s.dir, "data")).Run()
}

// Freeze lets none of the server's processes run: connections to it stay open, and silent.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw lets them run on.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

// signal sends a signal to the server and to all that it has started.
func (s *Server) signal(what syscall.Signal) {
	server := pidIn(filepath.Join(s.dir, "data", "postmaster.pid"))
	if server == 0 {
		return
	}
	them := []int{server}
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range all {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		if _, parent := processOf(pid); parent == server {
			them = append(them, pid)
		}
	}
	for _, pid := range them {
		syscall.Kill(pid, what)
	}
}

// processOf is the state of a process as the kernel writes it, and who started it; "" where there is none.
func processOf(pid int) (state string, parent int) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		fmt.Sscan(string(line[strings.LastIndexByte(string(line), ')')+1:]), &state, &parent)
	}
	return state, parent
}

// URL leads to the database of s and of others, whichever takes changes.
func (s *Server) URL(others ...*Server) string {
	hosts := s.dir
	for _, o := range others {
		hosts += "," + o.dir
	}
	return "postgres://kontor@/postgres?host=" + url.QueryEscape(hosts)
}

func (s *Server) run(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := s.command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.bin, name), args...)
	cmd.Dir, cmd.SysProcAttr = s.dir, s.attr
	return cmd
}
