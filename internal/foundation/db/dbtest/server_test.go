package dbtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// servingEnv makes the test binary a process that starts a cluster, says where it lies, and waits to be killed.
const servingEnv = "KONTOR_TEST_SERVING"

func TestServing(t *testing.T) {
	if os.Getenv(servingEnv) == "" {
		t.Skip("part of TestAClusterGoesWithItsProcess")
	}
	s, err := startServer()
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("serving", s.URL())
	select {}
}

// However its process ends, nothing is left of a cluster.
func TestAClusterGoesWithItsProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a cluster of its own")
	}
	if _, err := binaries(); err != nil {
		t.Skip(err)
	}
	place := t.TempDir()
	if err := os.Chmod(place, 0o777); err != nil {
		t.Fatal(err)
	}
	// an unprivileged user runs the cluster
	for parent := place; strings.HasPrefix(parent, os.TempDir()+"/"); parent = filepath.Dir(parent) {
		if err := os.Chmod(parent, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestServing$")
	cmd.Env = append(os.Environ(), servingEnv+"=1", "TMPDIR="+place)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, serving := bufio.NewScanner(out), false
	for !serving && lines.Scan() {
		serving = strings.HasPrefix(lines.Text(), "serving ")
	}
	found, _ := filepath.Glob(filepath.Join(place, folders+"*"))
	if !serving || len(found) != 1 {
		t.Fatalf("serving %v from %v", serving, found)
	}
	server := pidIn(filepath.Join(found[0], "data", "postmaster.pid"))
	if !running(server) {
		t.Fatalf("no server with the number %d", server)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		_, err := os.Stat(found[0])
		if os.IsNotExist(err) && !running(server) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left behind: the folder %v, the server %v", err == nil, running(server))
		}
	}
}

func TestFoldersOfTheDeadAreCleared(t *testing.T) {
	place := t.TempDir()
	gone := exec.Command("true")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	folder := func(name, owner string) string {
		dir := filepath.Join(place, folders+name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if owner != "" {
			if err := os.WriteFile(filepath.Join(dir, ownerFile), []byte(owner), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	dead := folder("dead", fmt.Sprint(gone.Process.Pid))
	living := folder("living", fmt.Sprint(os.Getpid()))
	beginning := folder("beginning", "")
	abandoned := folder("abandoned", "")
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(abandoned, long, long); err != nil {
		t.Fatal(err)
	}
	clearStale(place)
	for dir, stays := range map[string]bool{dead: false, living: true, beginning: true, abandoned: false} {
		if _, err := os.Stat(dir); (err == nil) != stays {
			t.Errorf("%s: %v", filepath.Base(dir), err)
		}
	}
}
