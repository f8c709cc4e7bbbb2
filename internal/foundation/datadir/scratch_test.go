package datadir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// On a full disk a backup's folder goes again, and what is wrong is said.
func TestAFolderWithoutRoomGoes(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no /dev/full here, so no disk that is full:", err)
	}
	dir := filepath.Join(t.TempDir(), "work")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if s, err := ownScratch(dir, full); s != nil || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("%v, %v", s, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder stays: %v", err)
	}
}

// What a killed backup leaves goes with the next one, what a running one works in does not.
func TestLeftOversGo(t *testing.T) {
	dir := t.TempDir()
	running, err := NewScratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(dir, scratchBegin+"killed")
	elsewhere := filepath.Join(dir, scratchBegin+"elsewhere")
	unowned := filepath.Join(dir, scratchBegin+"unowned")
	for path, owner := range map[string]string{killed: HostName() + " 1", elsewhere: "other.example.com 1",
		unowned: ""} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if owner != "" {
			if err := os.WriteFile(filepath.Join(path, scratchOwner), []byte(owner), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	there := func(path string) bool { _, err := os.Stat(path); return err == nil }
	if err := clearScratch(dir); err != nil || there(killed) || !there(elsewhere) || !there(unowned) ||
		!there(running.Dir) {
		t.Errorf("%v %v %v %v %v", err, there(killed), there(elsewhere), there(unowned), there(running.Dir))
	}
	long := time.Now().Add(-2 * scratchLife)
	for _, path := range []string{filepath.Join(elsewhere, scratchOwner), elsewhere, unowned, running.Dir} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	if err := clearScratch(dir); err != nil || there(elsewhere) || there(unowned) || !there(running.Dir) {
		t.Errorf("%v %v %v %v", err, there(elsewhere), there(unowned), there(running.Dir))
	}
	if err := running.Remove(); err != nil || there(running.Dir) {
		t.Error(err)
	}
}
