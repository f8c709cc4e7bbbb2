package app_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kontor/internal/app"
)

// Whenever a backup is killed, the last good one is there and can be proved, and what the killed one left goes with the
// next.
func TestAKilledBackupLeavesTheLastGoodOne(t *testing.T) {
	s := newSite(t, "sqlite")
	s.makeCompany("acme")
	to := filepath.Join(s.dir, "backups")
	ways := [][]string{{"backup", filepath.Join(to, "all.tar.zst")}, {"backup", "--to=" + filepath.Join(to, "many"),
		"--keep=2"}}
	at := []string{filepath.Join(to, "all.tar.zst"), filepath.Join(to, "many")}
	long := time.Duration(0)
	for _, args := range ways {
		begun := time.Now()
		s.kontor(args...)
		long = max(long, time.Since(begun))
	}
	kills := 12
	if testing.Short() {
		kills = 4
	}
	for i := range kills {
		cmd := s.command(ways[i%2]...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(rand.N(long + long/4))
		cmd.Process.Kill()
		_ = cmd.Wait()
		if _, err := app.CheckBackup(context.Background(), at[i%2]); err != nil {
			t.Errorf("killed %d: %v", i, err)
		}
	}
	for _, args := range ways {
		s.kontor(args...)
	}
	for _, dir := range []string{to, at[1]} {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if f.Name()[0] == '.' {
				t.Errorf("%s is left in %s", f.Name(), dir)
			}
		}
	}
}
