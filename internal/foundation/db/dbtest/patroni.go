package dbtest

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kontor/internal/foundation/fault/faulttest"
)

// Patroni is three servers of which Patroni keeps one the primary, by votes in etcd, with a standby that every commit
// waits for. They are reached by naming all of them, or through HAProxy, which asks Patroni who the primary is.
type Patroni struct {
	members  []*member
	balancer int // HAProxy's port
}

// member is a server and the Patroni that looks after it.
type member struct {
	*Server
	name         string
	config       string
	port, asking int
	keeper       *exec.Cmd
}

// NewPatroni starts them. The test is left out, saying so, where Patroni, etcd or HAProxy is not installed.
func NewPatroni(t testing.TB) *Patroni {
	t.Helper()
	for _, needed := range []string{"patroni", "etcd", "haproxy"} {
		if _, err := exec.LookPath(needed); err != nil {
			t.Skipf("%v (Debian: apt-get install patroni etcd-server haproxy)", err)
		}
	}
	p := &Patroni{balancer: freePort(t)}
	votes := startVotes(t)
	for i := range 3 {
		m := &member{Server: newServer(t), name: fmt.Sprintf("member%d", i+1), port: freePort(t), asking: freePort(t)}
		m.config = filepath.Join(m.dir, "patroni.yml")
		m.write(t, m.config, fmt.Sprintf(patroniConfig, m.name, m.asking, votes, m.port, m.dir, m.bin))
		m.keep(t)
		p.members = append(p.members, m)
		if i == 0 {
			p.wait(t, "a primary", func() bool { return m.isPrimary() })
		}
	}
	p.balance(t)
	p.Mended(t)
	return p
}

// The shortest times that Patroni 3 takes.
const patroniConfig = `scope: kontor
name: %[1]s
restapi: {listen: "127.0.0.1:%[2]d", connect_address: "127.0.0.1:%[2]d"}
etcd3: {host: "127.0.0.1:%[3]d"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 200, shared_buffers: 32MB, log_min_messages: fatal, fsync: "off"}
  initdb: [{encoding: UTF8}, no-locale, no-sync, {auth: trust}]
postgresql:
  listen: "127.0.0.1:%[4]d"
  connect_address: "127.0.0.1:%[4]d"
  data_dir: %[5]s/data
  bin_dir: %[6]s
  pgpass: %[5]s/pgpass
  pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
  authentication:
    superuser: {username: kontor, password: kontor}
    replication: {username: standby, password: standby}
  parameters: {unix_socket_directories: "%[5]s"}
`

// startVotes starts an etcd of one, and answers its port.
func startVotes(t testing.TB) int {
	t.Helper()
	mine, peers := freePort(t), freePort(t)
	at, among := fmt.Sprintf("http://127.0.0.1:%d", mine), fmt.Sprintf("http://127.0.0.1:%d", peers)
	background(t, exec.Command("etcd", "--data-dir", t.TempDir(), "--listen-client-urls", at, "--advertise-client-urls",
		at, "--listen-peer-urls", among, "--initial-advertise-peer-urls", among, "--initial-cluster", "default="+among))
	for !answers(at+"/health", http.MethodGet) {
		time.Sleep(50 * time.Millisecond)
	}
	return mine
}

func (p *Patroni) balance(t testing.TB) {
	t.Helper()
	config := fmt.Sprintf(`defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:%d
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
`, p.balancer)
	for _, m := range p.members {
		config += fmt.Sprintf("  server %s 127.0.0.1:%d check port %d\n", m.name, m.port, m.asking)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	faulttest.None(t, os.WriteFile(file, []byte(config), 0o644))
	background(t, exec.Command("haproxy", "-db", "-f", file))
}

// URL names all servers: whichever takes changes is meant.
func (p *Patroni) URL() string {
	hosts := make([]string, len(p.members))
	for i, m := range p.members {
		hosts[i] = fmt.Sprintf("127.0.0.1:%d", m.port)
	}
	return "postgres://kontor:kontor@" + strings.Join(hosts, ",") + "/postgres?target_session_attrs=read-write"
}

// BalancedURL is HAProxy's.
func (p *Patroni) BalancedURL() string {
	return fmt.Sprintf("postgres://kontor:kontor@127.0.0.1:%d/postgres", p.balancer)
}

// PatroniFailures are the ways in which a primary goes, by name. Each answers how it comes back.
func PatroniFailures() map[string]func(t testing.TB, p *Patroni) (mend func()) {
	return map[string]func(t testing.TB, p *Patroni) func(){
		"killed": func(t testing.TB, p *Patroni) func() {
			m := p.primary(t)
			m.reset()
			return func() { m.keep(t) }
		},
		"frozen": func(t testing.TB, p *Patroni) func() {
			m := p.primary(t)
			m.keeper.Process.Signal(syscall.SIGSTOP)
			m.Freeze()
			return func() { // as a watchdog does with a machine that has stood still
				m.reset()
				m.keep(t)
			}
		},
		"switch-over": func(t testing.TB, p *Patroni) func() {
			m := p.primary(t)
			body := bytes.NewBufferString(fmt.Sprintf(`{"leader": %q}`, m.name))
			go func() { // it is answered when it is done
				if r, err := http.Post(m.ask("switchover"), "application/json", body); err == nil {
					r.Body.Close()
				}
			}()
			return func() {}
		},
	}
}

// Primary is the name of the server that takes changes; "" while there is none. One that is not asked cannot hold up
// the answer.
func (p *Patroni) Primary(besides string) string {
	for _, m := range p.members {
		if m.name != besides && m.isPrimary() {
			return m.name
		}
	}
	return ""
}

func (p *Patroni) primary(t testing.TB) (found *member) {
	t.Helper()
	p.wait(t, "a primary", func() bool {
		at := slices.IndexFunc(p.members, (*member).isPrimary)
		if at >= 0 {
			found = p.members[at]
		}
		return at >= 0
	})
	return found
}

// Mended waits until all three are there again, and every commit waits for a standby.
func (p *Patroni) Mended(t testing.TB) {
	t.Helper()
	p.wait(t, "a standby in step", func() bool {
		in, mayFollow := 0, false // who is in step says the server; who may take over is what Patroni has written down
		for _, m := range p.members {
			if answers(m.ask("health"), http.MethodGet) {
				in++
			}
			mayFollow = mayFollow || answers(m.ask("synchronous"), http.MethodGet)
		}
		return in == len(p.members) && mayFollow && execAt(t, p.BalancedURL(), `select count(*) filter (where sync_state = 'sync') || ' of ' ||
			count(*) from pg_stat_replication`) == "1 of 2"
	})
}

func (p *Patroni) wait(t testing.TB, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("Patroni has not come to %s", what)
		}
	}
}

// keep starts the member's Patroni.
func (m *member) keep(t testing.TB) {
	t.Helper()
	m.keeper = exec.Command("patroni", m.config)
	m.keeper.Dir, m.keeper.SysProcAttr = m.dir, m.attr
	background(t, m.keeper)
}

// reset ends the member as its machine would that loses its power.
func (m *member) reset() {
	m.keeper.Process.Kill()
	m.keeper.Wait()
	m.Kill()
}

func (m *member) write(t testing.TB, file, text string) {
	t.Helper()
	faulttest.None(t, os.WriteFile(file, []byte(text), 0o644))
}

func (m *member) ask(what string) string {
	return fmt.Sprintf("http://127.0.0.1:%d/%s", m.asking, what)
}

func (m *member) isPrimary() bool { return answers(m.ask("primary"), http.MethodOptions) }

// answers reports whether an address answers 200, soon.
func answers(address, method string) bool {
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	r, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// background runs a program until the test ends.
func background(t testing.TB, cmd *exec.Cmd) {
	t.Helper()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = time.Second // what it has started may outlive it
	faulttest.None(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGCONT)
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("%s ended with: %s", cmd.Path, said.String()[max(0, said.Len()-3000):])
		}
	})
}

// freePort is a port that nobody listens on now.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	faulttest.None(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
