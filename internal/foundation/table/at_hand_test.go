package table

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// ending notes that who sent has sent all.
type ending struct {
	io.Reader
	ended bool
}

func (e *ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	e.ended = e.ended || errors.Is(err, io.EOF)
	return n, err
}

// Of a table in memory, as the office reads one, it is known how much of it was read.
func TestWhatLiesInMemoryHasALength(t *testing.T) {
	text := "number;name\n" + strings.Repeat("A-1;Saw\n", 100_000)
	r, err := Read(strings.NewReader(text), "items.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if done, total := r.Progress(); done >= total || total != int64(len(text)) {
		t.Errorf("at first %d of %d bytes are read", done, total)
	}
	for err = nil; err == nil; _, err = r.Next() {
	}
	if done, total := r.Progress(); !errors.Is(err, io.EOF) || done != total {
		t.Errorf("at the end %d of %d bytes are read (%v)", done, total, err)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// What is to be at hand has come as a whole before the first row is read, and nothing stays of it.
func TestWhatIsAtHandHasCome(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rows := strings.Repeat("A-1;Saw\n", 100_000)
	for _, atHand := range []bool{false, true} {
		in := &ending{Reader: strings.NewReader("number;name\n" + rows)}
		r, err := Read(in, "items.csv", ReadOptions{AtHand: atHand})
		if err != nil || in.ended != atHand {
			t.Fatalf("at hand %v: all has come: %v (%v)", atHand, in.ended, err)
		}
		n := 0
		for _, err = r.Next(); err == nil; _, err = r.Next() {
			n++
		}
		if !errors.Is(err, io.EOF) || n != 100_000 {
			t.Errorf("%d rows (%v)", n, err)
		}
		if done, total := r.Progress(); done != int64(n) || total != 0 {
			t.Errorf("of what nobody knows the size of, %d of %d is read", done, total)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Read(strings.NewReader("none"), "items.csv.gz", ReadOptions{AtHand: true}); err == nil {
		t.Error("no gzip file was read")
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d files are left (%v)", len(left), err)
	}
}
