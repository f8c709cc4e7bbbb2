package datadir

import (
	"os"
	"testing"
)

func TestOneProcessHasTheLock(t *testing.T) {
	dir := t.TempDir()
	first, err := TakeLock(dir)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	if second, err := TakeLock(dir); second != nil || err != nil {
		t.Errorf("taken twice: %v, %v", second, err)
	}
	if got := Holder(dir); got != os.Getpid() {
		t.Errorf("held by %d", got)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	third, err := TakeLock(dir)
	if third == nil || err != nil {
		t.Fatalf("not given back: %v", err)
	}
	third.Release()
}
