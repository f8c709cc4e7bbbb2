package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kontor/internal/app/socket"
	"kontor/internal/demo"
	"kontor/internal/foundation/db/dbtest"
)

func TestDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("makes the sample company")
	}
	onEach(t, sampleIsServed)
}

func sampleIsServed(t *testing.T, at site) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("the lines are for curl, which is not installed here")
	}
	var busy [2]string // the usual ports may be taken, and then others do
	for n := range busy {
		l, err := net.Listen("tcp", anyPort)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		busy[n] = l.Addr().String()
	}
	var said dbtest.Log
	first, stop := at.demo(t, &said, "--listen="+busy[0], "--shop-listen="+busy[1])
	for _, want := range []string{busy[0] + " is taken, so this is served on 127.0.0.1:",
		busy[1] + " is taken, so the shop is served on 127.0.0.1:", fmt.Sprintf("1 of %d: ", demo.Steps),
		fmt.Sprintf("%[1]d of %[1]d: ", demo.Steps)} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("demo does not say %q: %s", want, said.String())
		}
	}
	for n, want := range []string{`"itemNumber":"TNT-101"`, `"customerNumber":"10001"`, `"orderNumber":"SO-`} {
		if got := curl(t, first[n]); !strings.Contains(got, want) {
			t.Errorf("%s\nanswered %s", first[n], got)
		}
	}
	ordered := curl(t, first[2])
	info, err := os.Stat(filepath.Join(at.dir, "kontor-demo", ticketFile))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the ticket: %v %v", info, err)
	}
	stop()
	second, stop := at.demo(t, &said)
	if keyIn(second[0]) != keyIn(first[0]) {
		t.Error("the key did not stay valid")
	}
	if got := curl(t, second[2]); got != ordered {
		t.Errorf("the order, sent again after a restart: %s\nwas %s", got, ordered)
	}
	stop()
	if err := os.Remove(filepath.Join(at.dir, "kontor-demo", ticketFile)); err != nil {
		t.Fatal(err)
	}
	third, stop := at.demo(t, &said)
	if got := curl(t, third[0]); keyIn(third[0]) == keyIn(first[0]) || !strings.Contains(got, "TNT-101") {
		t.Errorf("a new key: %s", got)
	}
	if got := curl(t, strings.Replace(third[0], keyIn(third[0]), keyIn(first[0]), 1)); !strings.Contains(got,
		"Auth.InvalidCredential") {
		t.Errorf("the key that was lost still opens: %s", got)
	}
	stop()
}

const anyPort = "127.0.0.1:0"

// demo starts `kontor demo` and answers the lines it prints for a shell.
func (at site) demo(t *testing.T, into *dbtest.Log, args ...string) (lines []string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, out := io.Pipe()
	exit := make(chan int, 1)
	go func() {
		args := append([]string{"demo", "--listen=" + anyPort, "--shop-listen=" + anyPort}, args...)
		exit <- Main(ctx, socket.Call{Args: args, Dir: at.dir, Env: at.env(), Stdout: out, Stderr: into})
		out.Close()
	}()
	stop = func() {
		cancel()
		if code := <-exit; code != success {
			t.Errorf("demo ended with %d: %s", code, into.String())
		}
		exit <- success
	}
	t.Cleanup(stop)
	scan := bufio.NewScanner(read)
	for scan.Scan() {
		if strings.HasPrefix(scan.Text(), "curl ") {
			lines = append(lines, scan.Text())
		}
		if strings.HasPrefix(scan.Text(), "listening on ") {
			break
		}
	}
	if len(lines) != 3 {
		t.Fatalf("demo printed %d lines for a shell: %s", len(lines), into.String())
	}
	return lines, stop
}

func keyIn(line string) string {
	_, rest, _ := strings.Cut(line, "X-Api-Key: ")
	key, _, _ := strings.Cut(rest, "'")
	return key
}

// curl runs a line as it was printed.
func curl(t *testing.T, line string) string {
	t.Helper()
	out, err := exec.Command("sh", "-c", strings.Replace(line, "curl ", "curl -sS ", 1)).CombinedOutput()
	if err != nil {
		t.Errorf("%s\n%v: %s", line, err, out)
	}
	return string(out)
}
