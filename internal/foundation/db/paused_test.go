package db_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/fault"
)

// holder and held name, for a process that the test starts, the database whose row it is to hold and the file that says
// it does.
const holder, held = "KONTOR_TEST_HOLDER", "KONTOR_TEST_HELD"

// holdRow takes a row of the company, which nobody else may change until the transaction ends.
const holdRow = "-- test\nupdate company_state set company = company where company = :company"

// TestHolder is the other node of TestAPausedNodeStopsNobody, in a process of its own. It works on until it is stopped
// or killed.
func TestHolder(t *testing.T) {
	url := os.Getenv(holder)
	if url == "" {
		t.Skip("runs for TestAPausedNodeStopsNobody")
	}
	s, err := db.Open(t.Context(), db.Options{Engine: postgres.Engine(), URL: url, Dir: t.TempDir(), Connections: 8,
		Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	err = s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
		for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
			if _, err := tx.Exec(holdRow, nil); err != nil {
				return err
			}
			if err := os.WriteFile(os.Getenv(held), nil, 0o600); err != nil {
				return err
			}
		}
		return errors.New("nobody has stopped the holder")
	})
	t.Error(err)
}

// A node that is paused in the midst of a change holds its rows for seconds, not longer: who wants them from the start
// is given them, or told to try again, and nobody waits for as long as the node sleeps. What it had changed is undone.
func TestAPausedNodeStopsNobody(t *testing.T) {
	if testing.Short() {
		t.Skip("makes a cluster of its own")
	}
	server := dbtest.NewServer(t)
	s, err := db.Open(t.Context(), db.Options{Engine: postgres.Engine(), URL: server.URL(), Dir: t.TempDir(),
		Connections: 8, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CreateCell(t.Context(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	want := func() error {
		return s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := tx.Exec(holdRow, nil)
			return err
		})
	}
	mark := filepath.Join(t.TempDir(), "held")
	node := exec.Command(os.Args[0], "-test.run=^TestHolder$")
	node.Env = append(os.Environ(), holder+"="+server.URL(), held+"="+mark)
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { node.Process.Kill(); node.Wait() }()
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(mark); err == nil {
			break
		} else if time.Now().After(until) {
			t.Fatal("the other node holds no row")
		}
	}

	// A transaction that works holds its row as long as it likes: who waits is told to try again, soon.
	start := time.Now()
	f := fault.As(want())
	if waited := time.Since(start); !fault.Is(f, fault.ErrUnavailable) || f.RetryAfterSeconds == 0 ||
		waited > 8*time.Second {
		t.Errorf("a row that is held: %v after %s, want a refusal with Retry-After within seconds", f, waited)
	}

	// One whose node is paused is ended.
	if err := node.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	start = time.Now()
	for err = want(); err != nil && time.Since(start) < 15*time.Second; err = want() {
		if !fault.Is(err, fault.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	if err != nil {
		t.Fatalf("the paused node holds its row after %s: %v", time.Since(start), err)
	}
	t.Logf("the row of the paused node was given after %s", time.Since(start).Round(time.Millisecond))
}
