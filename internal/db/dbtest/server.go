package dbtest

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// startServer starts a cluster of its own from the local binaries, reached over a socket in its folder. It dies with
// this process. PostgreSQL refuses to run as root, so it gets an unprivileged user there.
func startServer() (string, error) {
	bin, err := binaries()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "kontor-pg-")
	if err != nil {
		return "", err
	}
	attr, err := unprivileged(dir)
	if err != nil {
		return "", err
	}
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = dir, attr
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := run("initdb", "-D", data, "-U", "kontor", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync").CombinedOutput(); err != nil {
		return "", fmt.Errorf("initdb: %w: %s", err, out)
	}
	server := run("postgres", "-D", data, "-k", dir, "-h", "", "-c", "fsync=off", "-c", "full_page_writes=off",
		"-c", "max_connections=400", "-c", "shared_buffers=64MB", "-c", "log_min_messages=fatal")
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the death signal follows the thread that started the child
		defer os.RemoveAll(dir)
		err := server.Start()
		started <- err
		if err == nil {
			server.Wait()
		}
	}()
	if err := <-started; err != nil {
		return "", err
	}
	target := "postgres://kontor@/postgres?host=" + url.QueryEscape(dir)
	return target, waitFor(target)
}

func waitFor(target string) error {
	ctx, stop := context.WithTimeout(context.Background(), 30*time.Second)
	defer stop()
	d, err := sql.Open("pgx", target)
	if err != nil {
		return err
	}
	defer d.Close()
	for {
		err := d.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL did not start: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// binaries finds the newest installed PostgreSQL: on the path, or where Debian puts its versions.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) > 0 {
		slices.Sort(found)
		return filepath.Dir(found[len(found)-1]), nil
	}
	p, err := exec.LookPath("postgres")
	if err != nil {
		return "", fmt.Errorf("no postgres binary found (Debian: apt-get install postgresql): %w", err)
	}
	return filepath.Dir(p), nil
}

func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		return attr, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		if u, err = user.Lookup("nobody"); err != nil {
			return nil, err
		}
	}
	uid, _ := strconv.Atoi(u.Uid)
	gid, _ := strconv.Atoi(u.Gid)
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attr, os.Chown(dir, uid, gid)
}
