package datadir

import (
	"os"
	"path/filepath"
	"testing"
)

// folder makes a data folder whose files say what they are.
func folder(t *testing.T, what string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{ControlFile, "cells/1.db"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(what), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// holds is what the files of a data folder say, where they agree.
func holds(t *testing.T, dir string) string {
	t.Helper()
	a, err1 := os.ReadFile(filepath.Join(dir, ControlFile))
	b, err2 := os.ReadFile(filepath.Join(dir, "cells/1.db"))
	if err1 != nil || err2 != nil || string(a) != string(b) {
		t.Errorf("%s holds %q and %q (%v, %v)", dir, a, b, err1, err2)
	}
	return string(a)
}

func TestDataIsSwapped(t *testing.T) {
	p, fresh, old := Dir{Data: folder(t, "old")}, folder(t, "new"), t.TempDir()
	if err := p.Swap(fresh, old); err != nil {
		t.Fatal(err)
	}
	if holds(t, p.Data) != "new" || holds(t, old) != "old" {
		t.Error("not swapped")
	}
}

// A crash is a swap that stops after any of its moves.
func TestASwapThatWasCutOffIsFinished(t *testing.T) {
	move := func(from, to, name string) {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name     string
		out, in  []string // moved before the crash
		entering bool
		want     string
	}{
		{"nothing moved", nil, nil, false, "old"},
		{"half out", []string{ControlFile}, nil, false, "old"},
		{"all out", []string{ControlFile, "cells"}, nil, false, "old"},
		{"all out, noted", []string{ControlFile, "cells"}, nil, true, "new"},
		{"half in", []string{ControlFile, "cells"}, []string{ControlFile}, true, "new"},
		{"all in", []string{ControlFile, "cells"}, []string{ControlFile, "cells"}, true, "new"},
	} {
		p, fresh, old := Dir{Data: folder(t, "old")}, folder(t, "new"), t.TempDir()
		if err := p.noteSwap(swap{Entering: c.entering, Old: old, New: fresh}); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.out {
			move(p.Data, old, name)
		}
		for _, name := range c.in {
			move(fresh, p.Data, name)
		}
		if err := p.FinishSwap(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := holds(t, p.Data); got != c.want {
			t.Errorf("%s: the data is %s, want %s", c.name, got, c.want)
		}
		if _, err := os.Stat(filepath.Join(p.Data, swapFile)); !os.IsNotExist(err) {
			t.Errorf("%s: the note is still there", c.name)
		}
	}
}
