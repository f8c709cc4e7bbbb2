package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"kontor/internal/app/socket"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

func TestAMistakeNamesTheHelpOfItsCommand(t *testing.T) {
	at := site{dir: t.TempDir()}
	for line, want := range map[string]string{
		"company create --code=x":     "(see kontor company create --help)",
		"serve --log-format=xml":      "(see kontor serve --help)",
		"company delete":              "name the company",
		"company delete --confirm=ac": "name the company",
		"nonsense":                    "(see kontor --help)",
		"verify --company=\xff":       "--company: must be UTF-8 without control characters",
		"company delete ac\ame":       "must be UTF-8 without control characters",
		"payment-method set --company=a --code=A --setting=k=\x00": "--setting: invalid map value",
	} {
		if got := at.run(t, strings.Fields(line)...); got.code != usage || !strings.Contains(got.err, want) ||
			strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %+v", line, got)
		}
	}
}

func TestARefusalIsOneLineThatNamesItsField(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	got := at.run(t, "user", "create", "--company=acme", "--email=a@example.com", "--role=sales", "--password=short")
	if got.code != failure || !strings.HasPrefix(got.err, "kontor: password: has 5 characters") {
		t.Errorf("%+v", got)
	}
	several := fault.List{}
	several.Add(fault.ErrInvalid, "quantity", "is none")
	several.Add(fault.ErrInvalid, "lines[1].batchNumber", "item B-1 is tracked by batch")
	for want, f := range map[string]*fault.Fault{
		"there is not enough stock: item P-1":              fault.ErrInvalid.At("lines[0].quantity", "there is not enough stock: item P-1"),
		"quantity: is none. item B-1 is tracked by batch.": fault.As(several.Err())} {
		if got := spoken(f); got != want {
			t.Errorf("%q is said as %q", f.Detail, got)
		}
	}
	for text, want := range map[string]string{
		"cannot connect:\n\ta: refused\n\tb: refused": "cannot connect: a: refused; b: refused",
		"disk full\ndisk full\n":                      "disk full",
	} {
		if got := oneLine(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

func TestADamagedFileHasNoSchemaVersion(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	if err := os.WriteFile(filepath.Join(at.dir, "kontor-data", "control.db"),
		[]byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"migrate", "--status"}, {"company", "list"}} {
		if got := at.run(t, args...); got.code != failure || !strings.Contains(got.err, "not a database") {
			t.Errorf("%s: %+v", args, got)
		}
	}
}

func TestARestoreSaysWhatItWouldTakeAway(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	at.must(t, "backup", "all.tar.zst")
	if got := at.run(t, "restore", "all.tar.zst"); got.code != failure ||
		!strings.Contains(got.err, "acme is here already and would be replaced") {
		t.Errorf("%+v", got)
	}
	at.must(t, "company", "create", "--code=newer", "--name=Newer", "--country=SE", "--currency=SEK")
	if got := at.run(t, "restore", "all.tar.zst"); got.code != failure ||
		!strings.Contains(got.err, "newer is here and not in the backup") {
		t.Errorf("%+v", got)
	}
}

// A program that reads what a command prints finds keys as the APIs write them, however they were typed.
func TestAnswersWriteKeysAsTheAPIsDo(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	write(t, filepath.Join(at.dir, "customers.csv"), "number,name\nC-1,Nordic Tools\n")
	at.must(t, "import", "customers", "customers.csv", "--company=acme")
	got := at.must(t, "contact", "create", "--company=acme", "--customer=c-1", "--name=Ann", "--email=ann@example.com",
		"--password=long enough for it")
	if got["customerNumber"] != "C-1" {
		t.Errorf("%v", got)
	}
}

func TestABackupNamesAFile(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.createAcme(t)
	got := at.run(t, "backup", at.dir)
	if want := at.dir + " is a folder: name a file"; got.code != failure || !strings.Contains(got.err, want) {
		t.Errorf("%+v", got)
	}
}

// Who restores on another machine and has forgotten the key is told so, brings it, and goes on: the first attempt has
// begun no data, which would have a key of its own by then and refuse the one that was brought.
func TestARefusedRestoreBeginsNoData(t *testing.T) {
	from := site{dir: t.TempDir()}
	from.createAcme(t)
	from.must(t, "backup", "all.tar.zst")
	for _, to := range []site{{dir: t.TempDir()}, {dir: t.TempDir(), url: dbtest.DatabaseURL(t)}} {
		archive, key := filepath.Join(from.dir, "all.tar.zst"), filepath.Join(from.dir, "kontor-data.key")
		for _, c := range []struct{ file, key, said string }{
			{"missing.tar.zst", "new.key", "no such file"}, {archive, "new.key", "Restore.KeyMissing"}} {
			got := to.run(t, "restore", c.file, "--secret-key-file", filepath.Join(to.dir, c.key))
			if got.code != failure || !strings.Contains(got.err, c.said) {
				t.Errorf("%+v", got)
			}
		}
		if left, err := filepath.Glob(filepath.Join(to.dir, "*")); err != nil || len(left) > 0 {
			t.Errorf("%v are left, %v", left, err)
		}
		to.must(t, "restore", archive, "--secret-key-file", key)
	}
}

// heavy is a table of big rows that looks at the memory limit while its last rows are read, when the import is well
// under way.
type heavy struct {
	rows  int
	rest  string
	limit []int64
}

func (h *heavy) Read(b []byte) (int, error) {
	if h.rest == "" {
		if h.rows++; h.rows > 200 {
			return 0, io.EOF
		}
		h.rest = fmt.Sprintf("A-%d,%s\n", h.rows, strings.Repeat("x", 60_000))
		if h.rows == 1 {
			h.rest = "itemNumber,name\n"
		}
		if h.rows > 190 {
			h.limit = append(h.limit, debug.SetMemoryLimit(-1))
		}
	}
	n := copy(b, h.rest)
	h.rest = h.rest[n:]
	return n, nil
}

func TestAnImportLeavesTheServersMemoryAlone(t *testing.T) {
	at := site{dir: t.TempDir()}
	at.serve(t)
	at.createAcme(t)
	before := debug.SetMemoryLimit(-1)
	in := &heavy{}
	code := Main(context.Background(),
		socket.Call{Args: []string{"import", "items", "-", "--company=acme", "--dry-run"}, Dir: at.dir, Env: at.env(),
			Stdin: in, Stdout: io.Discard, Stderr: io.Discard})
	if code != failure || len(in.limit) == 0 {
		t.Fatalf("the import ended with %d after %d rows", code, in.rows)
	}
	for _, limit := range in.limit {
		if limit != before {
			t.Fatalf("an import limits the memory of the server it runs in to %d", limit)
		}
	}
}
