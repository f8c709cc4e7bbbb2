//go:build unix

package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// asOther names the command that TestAsAnotherUser runs.
const asOther = "AS_ANOTHER_USER"

// TestAsAnotherUser runs a command for TestWhatReadsWorksOnAFolderThatCannotBeWritten.
func TestAsAnotherUser(t *testing.T) {
	args := os.Getenv(asOther)
	if args == "" {
		t.Skip("runs for TestWhatReadsWorksOnAFolderThatCannotBeWritten")
	}
	call := Here()
	call.Args = strings.Fields(args)
	os.Exit(Main(context.Background(), call))
}

// An auditor with a snapshot of the data, which nobody can write, proves, copies and exports it; what would change it
// is refused in words. The last commits of the snapshot still lie in the log beside its file.
func TestWhatReadsWorksOnAFolderThatCannotBeWritten(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	write(t, filepath.Join(at.dir, "customers.csv"), "number,name\nC-1,Nordic Tools\n")
	at.serve(t)
	at.must(t, "import", "customers", "customers.csv", "--company=acme")
	dir := t.TempDir()
	run := asAnotherUser(t, dir, filepath.Join(at.dir, "kontor-data"))
	for args, want := range map[string]string{"verify": "acme: no differences", "company list": "Acme AB",
		"export customers --company=acme": "Nordic Tools", "api-key list --company=acme": "*",
		"migrate --status": "control.db",
		"backup " + filepath.Join(dir, "kontor.tar.zst"): "kontor.tar.zst"} {
		code, out, said := run(args)
		if code != success || !strings.Contains(out, want) || !strings.Contains(said, "a copy of its records is read") {
			t.Errorf("kontor %s: exit %d, %q, %q", args, code, out, said)
		}
	}
	for _, args := range []string{"import customers customers.csv --company=acme", "serve", "migrate"} {
		if code, out, said := run(args); code != failure || !strings.Contains(said, "the data folder cannot be written") {
			t.Errorf("kontor %s: exit %d, %q, %q", args, code, out, said)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "kontor-copy-*")); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// A control.db that belongs to somebody else, in a folder that does not, is named, with what to do about it.
func TestAFileOfSomebodyElseIsNamed(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	dir := t.TempDir()
	run := asAnotherUser(t, dir, filepath.Join(at.dir, "kontor-data"))
	data := filepath.Join(dir, "kontor-data")
	if err := errors.Join(os.Chmod(data, 0o777), os.Chmod(filepath.Join(data, "lock"), 0o666),
		os.Chmod(filepath.Join(data, "control.db"), 0o400)); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"serve --listen=127.0.0.1:0", "migrate",
		"company create --code=b --name=B --country=SE --currency=SEK"} {
		code, out, said := run(args)
		if code != failure || !strings.Contains(said, "control.db: permission denied") ||
			!strings.Contains(said, "run this as the user whose it is") {
			t.Errorf("kontor %s: exit %d, %q, %q", args, code, out, said)
		}
	}
}

// asAnotherUser runs commands on a copy of the data that can only be read, as whoever runs the tests or, where that is
// root, who may write everything, as nobody.
func asAnotherUser(t *testing.T, dir, data string) func(args string) (code int, out, said string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "*"))
	if err != nil {
		t.Fatal(err)
	}
	snapshot, program := filepath.Join(dir, "kontor-data"), filepath.Join(dir, "program")
	self, err := os.Executable()
	for _, step := range [][]string{{"mkdir", snapshot}, append(append([]string{"cp", "-R"}, files...), snapshot),
		{"cp", data + ".key", dir}, {"cp", self, program}, {"chmod", "-R", "a-w,a+rX", snapshot, snapshot + ".key"},
		{"chmod", "a+rx", program, filepath.Dir(dir)}, {"chmod", "a+rwx", dir}} {
		if said, failed := exec.Command(step[0], step[1:]...).CombinedOutput(); err != nil || failed != nil {
			t.Fatalf("%v: %v, %s, %v", step[0], failed, said, err)
		}
	}
	t.Cleanup(func() { exec.Command("chmod", "-R", "u+w", snapshot).Run() })
	return func(args string) (int, string, string) {
		c := exec.Command(program, "-test.run=^TestAsAnotherUser$")
		c.Dir, c.Env = dir, []string{asOther + "=" + args, "TMPDIR=" + dir, "HOME=" + dir}
		if os.Geteuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var out, said bytes.Buffer
		c.Stdout, c.Stderr = &out, &said
		if err := c.Run(); err != nil && c.ProcessState == nil {
			t.Fatal(err)
		}
		return c.ProcessState.ExitCode(), out.String(), said.String()
	}
}
