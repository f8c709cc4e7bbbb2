package dbtest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// folders is the beginning of the names of the clusters' folders.
const folders = "kontor-pg-"

// guard is a shell that starts the server, waits until the test process is gone, however it ended (its end of the pipe
// is closed then), and takes server and folder away. The server is asked to stop at once, so that it gives back its
// shared memory.
const guard = `trap '' INT TERM HUP
"$@" </dev/null >/dev/null 2>&1 &
server=$!
read -r _
kill -QUIT $server
wait $server
rm -rf "$PWD"`

// keptEnv names a folder in which the first of many test processes keeps its cluster with the migrated template, so
// that the others need not make theirs.
const keptEnv = "KONTOR_TEST_CLUSTER"

// startServer starts a cluster of its own from the local binaries, reached over a socket in its folder. Both vanish
// with this process. PostgreSQL refuses to run as root, so it gets an unprivileged user there.
func startServer() (s *Server, err error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	clearStale(os.TempDir())
	s = &Server{bin: bin}
	if s.dir, err = newFolder(); err != nil {
		return nil, err
	}
	if s.attr, err = unprivileged(s.dir); err == nil {
		if kept := os.Getenv(keptEnv); kept != "" && exists(kept) {
			err = exec.Command("cp", "-a", kept, filepath.Join(s.dir, "data")).Run()
			s.isMigrated = true
		} else {
			err = initialize(bin, s.dir, s.attr)
		}
	}
	if err == nil {
		err = startGuarded(bin, s.dir, s.attr)
	}
	if err != nil {
		os.RemoveAll(s.dir)
		return nil, err
	}
	return s, waitFor(s.URL())
}

// keep leaves a copy of the cluster, whose template is migrated, for other test processes. The first copy stays.
func (s *Server) keep(kept string) error {
	stop := s.command("pg_ctl", "stop", "-w", "-m", "fast", "-D", filepath.Join(s.dir, "data"))
	if err := stop.Run(); err != nil {
		return err
	}
	own := kept + "." + strconv.Itoa(os.Getpid())
	if err := exec.Command("cp", "-a", filepath.Join(s.dir, "data"), own).Run(); err != nil {
		return err
	}
	if err := os.Rename(own, kept); err != nil {
		if !exists(kept) {
			return err
		}
		os.RemoveAll(own)
	}
	if err := startGuarded(s.bin, s.dir, s.attr); err != nil {
		return err
	}
	return waitFor(s.URL())
}

func initialize(bin, dir string, attr *syscall.SysProcAttr) error {
	cmd := exec.Command(filepath.Join(bin, "initdb"), "-D", filepath.Join(dir, "data"), "-U", "kontor", "-A", "trust",
		"-E", "UTF8", "--no-locale", "--no-sync")
	cmd.Dir, cmd.SysProcAttr = dir, attr
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

// startGuarded starts the server under its guard, in a process group of its own: what ends the tests must not end the
// guard.
func startGuarded(bin, dir string, attr *syscall.SysProcAttr, settings ...string) error {
	args := []string{"-c", guard, "guard", filepath.Join(bin, "postgres"), "-D", filepath.Join(dir, "data"), "-k", dir,
		"-h", "", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=400", "-c",
		"shared_buffers=64MB", "-c", "autovacuum=off", "-c", "log_min_messages=fatal"}
	cmd := exec.Command("/bin/sh", append(args, settings...)...)
	own := *attr
	own.Setpgid = true
	cmd.Dir, cmd.SysProcAttr = dir, &own
	alive, err := cmd.StdinPipe() // closed by the kernel when this process ends, and inherited by nobody
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		defer alive.Close()
		cmd.Wait()
	}()
	return nil
}

// ownerFile names, in a cluster's folder, the process whose tests it serves.
const ownerFile = "owner"

// newFolder is a folder that says whose it is: another test process clears away what is nobody's.
func newFolder() (string, error) {
	dir, err := os.MkdirTemp("", folders)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, ownerFile), []byte(strconv.Itoa(os.Getpid())), 0o644)
	}
	return dir, err
}

// clearStale removes the folders of clusters whose test process is gone and whose guard was killed too.
func clearStale(where string) {
	all, _ := filepath.Glob(filepath.Join(where, folders+"*"))
	for _, dir := range all {
		info, err := os.Stat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		owner := pidIn(filepath.Join(dir, ownerFile))
		if owner == 0 && time.Since(info.ModTime()) < time.Minute || running(owner) {
			continue // it may be about to say whose it is
		}
		if server := pidIn(filepath.Join(dir, "data", "postmaster.pid")); running(server) {
			if line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", server)); owner == 0 || err != nil ||
				!bytes.Contains(line, []byte(dir)) {
				continue // another's, or another process under its old number
			}
			syscall.Kill(server, syscall.SIGQUIT)
		}
		os.RemoveAll(dir)
	}
}

// pidIn is the number in the first line of a file; 0 where there is none.
func pidIn(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	line, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(strings.TrimSpace(line))
	return pid
}

// running reports whether there is a process with this number, of whatever user.
func running(pid int) bool {
	return pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
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
	attr := &syscall.SysProcAttr{}
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
