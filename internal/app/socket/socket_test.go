package socket

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// listen serves dir with run until the test ends.
func listen(t *testing.T, dir string, run Run) {
	t.Helper()
	l, err := Listen(dir)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- l.Serve(context.Background(), run) }()
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("the socket is still there: %v", err)
		}
	})
}

func TestACallIsDoneElsewhere(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 30)) // too long for the path of a socket
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	big := strings.Repeat("x", 3*chunk+1)
	for _, dir := range []string{t.TempDir(), long} {
		listen(t, dir, func(_ context.Context, c Call) int {
			in, err := io.ReadAll(c.Stdin)
			fmt.Fprintf(c.Stdout, "%s in %s with %s: ", strings.Join(c.Args, " "), c.Dir, c.Env["KONTOR_X"])
			c.Stdout.Write(in)
			fmt.Fprintf(c.Stderr, "%v", err)
			return 3
		})
		var out, errs bytes.Buffer
		code, answered, err := Do(context.Background(), dir,
			Call{Args: []string{"a", "b"}, Dir: "/d", Env: map[string]string{"KONTOR_X": "y"},
				Stdin: strings.NewReader(big), Stdout: &out, Stderr: &errs})
		if code != 3 || !answered || err != nil {
			t.Fatalf("Do = %d, %v, %v", code, answered, err)
		}
		if out.String() != "a b in /d with y: "+big || errs.String() != "<nil>" {
			t.Errorf("%d bytes, %q", out.Len(), errs.String())
		}
	}
}

func TestStandardInputIsNotReadUnasked(t *testing.T) {
	dir := t.TempDir()
	listen(t, dir, func(context.Context, Call) int { return 0 })
	in := &untouched{t: t}
	if code, answered, err := Do(context.Background(), dir,
		Call{Stdin: in, Stdout: io.Discard, Stderr: io.Discard}); code != 0 || !answered || err != nil {
		t.Errorf("Do = %d, %v, %v", code, answered, err)
	}
}

type untouched struct{ t *testing.T }

func (u *untouched) Read([]byte) (int, error) { u.t.Error("standard input was read"); return 0, io.EOF }

func TestNobodyListens(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if _, answered, err := Do(context.Background(), dir, Call{}); answered || err != nil {
			t.Errorf("Do = %v, %v", answered, err)
		}
	}
}

// Who interrupts a command learns how far it came.
func TestAClientThatInterruptsHearsTheEnd(t *testing.T) {
	dir := t.TempDir()
	started := make(chan struct{})
	listen(t, dir, func(ctx context.Context, c Call) int {
		close(started)
		<-ctx.Done()
		fmt.Fprint(c.Stdout, "3 of 5")
		return 1
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-started; cancel() }()
	var out bytes.Buffer
	code, answered, err := Do(ctx, dir, Call{Stdout: &out, Stderr: io.Discard})
	if code != 1 || !answered || err != nil || out.String() != "3 of 5" {
		t.Errorf("Do = %d, %v, %v and said %q", code, answered, err, out.String())
	}
}

func TestAClientThatGoesEndsItsCommand(t *testing.T) {
	dir, ended := t.TempDir(), make(chan struct{})
	started := make(chan struct{})
	listen(t, dir, func(ctx context.Context, c Call) int {
		close(started)
		<-ctx.Done()
		close(ended)
		return 0
	})
	path, done, err := address(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&frames{w: c}).send(frameCall, []byte("{}")); err != nil {
		t.Fatal(err)
	}
	<-started
	c.Close()
	<-ended
}

func TestASocketOfADeadServerIsReplaced(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listen(t, dir, func(context.Context, Call) int { return 7 })
	if code, _, err := Do(context.Background(), dir, Call{}); code != 7 || err != nil {
		t.Errorf("Do = %d, %v", code, err)
	}
}
