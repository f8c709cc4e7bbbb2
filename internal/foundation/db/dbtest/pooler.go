package dbtest

import (
	"bytes"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kontor/internal/foundation/fault/faulttest"
)

// Pooled is where PgBouncer lends the connections to the database at target, a URL of this package's, each for one
// transaction. It keeps few, so that whatever is expected of a connection beyond its transaction is met by another one
// soon.
func Pooled(t testing.TB, target string) string {
	t.Helper()
	bin, err := exec.LookPath("pgbouncer")
	if err != nil {
		if bin = "/usr/sbin/pgbouncer"; !exists(bin) {
			if os.Getenv("CI") != "" {
				t.Fatal("no pgbouncer found (Debian: apt-get install pgbouncer)")
			}
			t.Skip("PgBouncer is needed for this test (Debian: apt-get install pgbouncer)")
		}
	}
	dir, err := os.MkdirTemp("", "kontor-pool-")
	faulttest.None(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr, err := unprivileged(dir)
	faulttest.None(t, err)
	at, err := url.Parse(target)
	faulttest.None(t, err)
	config := filepath.Join(dir, "pgbouncer.ini")
	faulttest.None(t, os.WriteFile(config, []byte(fmt.Sprintf(`[databases]
* = host=%s user=kontor
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = %s
auth_type = any
pool_mode = transaction
default_pool_size = 12
max_client_conn = 500
server_idle_timeout = 5
`, at.Query().Get("host"), dir)), 0o644))
	// whatever the process keeps from others: the pooler runs as another user
	faulttest.None(t, os.Chmod(config, 0o644))
	cmd := exec.Command(bin, config)
	var said bytes.Buffer
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr, cmd.Stdout = dir, attr, &said, &said
	faulttest.None(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		if err := cmd.Wait(); t.Failed() {
			t.Logf("the pooler ended with %v and said: %s", err, said.String())
		}
	})
	socket := filepath.Join(dir, ".s.PGSQL.6432")
	for deadline := time.Now().Add(20 * time.Second); !listens(socket); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("pgbouncer did not start: %s", said.String())
		}
	}
	at.RawQuery = url.Values{"host": {dir}, "port": {"6432"}}.Encode()
	return at.String()
}

// listens tells whether somebody listens there: the file is made a moment before.
func listens(socket string) bool {
	c, err := net.Dial("unix", socket)
	if err == nil {
		c.Close()
	}
	return err == nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
