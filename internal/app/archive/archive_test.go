package archive_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor/internal/app/archive"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/sqlite"
)

const companyRow = `{"table":"company","columns":["id","code","status"]}
["c1","acme","Active"]
`

// books are the files of an installation with one company. Runs of one byte unpack to the same data under many changes
// of an archive, as pages of a database do.
func books() map[string][]byte {
	return map[string][]byte{"control/001_company.ndjson": []byte(companyRow), "cells/c1.db": make([]byte, 8192),
		"media/c1/ab": bytes.Repeat([]byte("{\"quantity\":1}\n"), 100)}
}

var acme = archive.Manifest{Kontor: "test", Installation: "here",
	Companies: []archive.Company{{ID: "c1", Code: "acme"}}}

func write(t *testing.T, to archive.Target, files map[string][]byte) (archive.Written, error) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if to.Has(name) {
			continue
		}
		if err := to.Stream(t.Context(), name, bytes.NewReader(files[name])); err != nil {
			t.Fatal(err)
		}
	}
	return to.Finish(t.Context(), acme)
}

func packed(t *testing.T) (path string, whole []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "all.tar.zst")
	if _, err := write(t, archive.NewFile(path, t.TempDir()), books()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, whole
}

func unpackAt(ctx context.Context, address, dir string) error {
	s, err := archive.Open(ctx, address)
	if err != nil {
		return err
	}
	return errors.Join(archive.Unpack(ctx, s, dir), s.Close())
}

func unpack(t *testing.T, path string, b []byte) error {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return unpackAt(t.Context(), path, t.TempDir())
}

func holds(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
		}
	}
}

func TestAnArchiveComesBackAsItWas(t *testing.T) {
	path, whole := packed(t)
	dir := t.TempDir()
	if err := unpackAt(t.Context(), path, dir); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, books())
	if err := unpack(t, path, whole); err != nil {
		t.Errorf("a copy is refused: %v", err)
	}
	if err := unpack(t, filepath.Join(t.TempDir(), "all.backup"), whole); err != nil {
		t.Errorf("a copy that is named as backups of a vault are is refused: %v", err)
	}
}

func TestAnArchiveWithOneBitChangedIsRefused(t *testing.T) {
	path, whole := packed(t)
	for i := range whole {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 1
		if unpack(t, path, damaged) == nil {
			t.Fatalf("byte %d of %d changed, and it was taken", i, len(whole))
		}
	}
}

// An archive is not said to be damaged where its files find no place.
func TestAnArchiveThatFindsNoPlaceIsNotDamaged(t *testing.T) {
	path, _ := packed(t)
	dir := t.TempDir()
	for name := range books() { // in whose place a folder lies
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	err := unpackAt(t.Context(), path, dir)
	if err == nil || strings.Contains(err.Error(), "damaged") || !strings.Contains(err.Error(), "cannot be unpacked") {
		t.Errorf("%v", err)
	}
}

func TestAnArchiveWithoutItsEndIsRefused(t *testing.T) {
	path, whole := packed(t)
	for n := range whole {
		if unpack(t, path, whole[:n]) == nil {
			t.Fatalf("cut after %d of %d bytes, and it was taken", n, len(whole))
		}
	}
	if unpack(t, path, append(bytes.Clone(whole), 0)) == nil {
		t.Error("a byte more, and it was taken")
	}
}

// What the control data knows of must be there, in either form.
func TestABackupWithoutACompanyOfItsControlDataIsNone(t *testing.T) {
	for name, lacks := range map[string]string{"the books": "cells/c1.db",
		"the control data": "control/001_company.ndjson"} {
		files := books()
		delete(files, lacks)
		path := filepath.Join(t.TempDir(), "all")
		if _, err := write(t, archive.NewFile(path, t.TempDir()), files); err == nil {
			t.Errorf("an archive without %s was taken", name)
		}
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an archive without %s has its name", name)
		}
		v := vault(t, t.TempDir())
		if _, err := write(t, begin(t, v), files); err == nil {
			t.Errorf("a backup without %s was taken", name)
		}
		if names, err := v.Names(t.Context()); len(names) > 0 || err != nil {
			t.Errorf("a backup without %s has its name: %v %v", name, names, err)
		}
	}
}

func vault(t *testing.T, dir string) *archive.Vault {
	t.Helper()
	v, err := archive.OpenVault(dir)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

var moment = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func begin(t *testing.T, v *archive.Vault) archive.Target {
	t.Helper()
	moment = moment.Add(time.Hour)
	to, err := v.Begin(t.Context(), archive.NameAt("kontor", moment), acme.Installation)
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// large is a database of so many pages, of noise that does not compress.
func large(pages int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, pages*4096)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func TestASecondBackupWritesWhatChanged(t *testing.T) {
	dir := t.TempDir()
	v := vault(t, dir)
	files := books()
	files["cells/c1.db"] = large(2000)
	first, err := write(t, begin(t, v), files)
	if err != nil {
		t.Fatal(err)
	}
	before := bytes.Clone(files["cells/c1.db"])
	// a page changes
	files["cells/c1.db"][1000*4096+5] ^= 1
	// one is new
	files["cells/c1.db"] = append(files["cells/c1.db"], large(1)...)
	files["control/001_company.ndjson"] = append([]byte(companyRow), []byte(`["c2","other","Closing"]`)...) // and a row
	second, err := write(t, begin(t, v), files)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes at first, %d of %d then", first.New, second.New, second.Bytes)
	if first.New < 8_000_000 || second.Bytes < 8_000_000 || second.New > 1_500_000 {
		t.Errorf("%d bytes at first, %d of %d then", first.New, second.New, second.Bytes)
	}
	into := t.TempDir()
	if err := unpackAt(t.Context(), dir, into); err != nil { // the newest
		t.Fatal(err)
	}
	holds(t, into, files)
	into = t.TempDir()
	if err := unpackAt(t.Context(), filepath.Join(dir, "backups", first.Name+".backup"), into); err != nil {
		t.Fatal(err)
	}
	holds(t, into, map[string][]byte{"cells/c1.db": before})
}

// pieces are the files of a vault that hold what backups share.
func pieces(t *testing.T, dir string) (all []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "pieces", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Whatever of a vault is changed or gone is noticed by who reads it, and written again by the next backup.
func TestADamagedVaultIsNoticedAndMended(t *testing.T) {
	for _, damage := range []func(path string) error{
		os.Remove,
		func(path string) error { return os.Truncate(path, 5) },
		func(path string) error {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			b[len(b)/2] ^= 1
			return os.WriteFile(path, b, 0o600)
		},
	} {
		dir := t.TempDir()
		v := vault(t, dir)
		if _, err := write(t, begin(t, v), books()); err != nil {
			t.Fatal(err)
		}
		all := pieces(t, dir)
		if len(all) != 3 {
			t.Fatalf("%v", all)
		}
		if err := damage(all[1]); err != nil {
			t.Fatal(err)
		}
		if err := unpackAt(t.Context(), dir, t.TempDir()); err == nil {
			t.Error("a damaged piece was taken")
		}
		_, err := write(t, begin(t, v), books())
		if errors.Is(err, archive.ErrBroken) {
			_, err = write(t, begin(t, v), books())
		}
		if err != nil {
			t.Errorf("the next backup: %v", err)
		}
		names, err := v.Names(t.Context())
		if err != nil || len(names) != 2 {
			t.Fatalf("%v, %v", names, err)
		}
		for _, name := range names {
			if err := unpackAt(t.Context(), filepath.Join(dir, "backups", name+".backup"), t.TempDir()); err != nil {
				t.Errorf("%s was not mended: %v", name, err)
			}
		}
		if err := damage(filepath.Join(dir, "backups", names[1]+".backup")); err != nil {
			t.Fatal(err)
		}
		if s, err := v.Open(t.Context(), names[1]); err == nil {
			t.Errorf("a damaged manifest was taken: %+v", s.Manifest())
		}
	}
}

// Of many backups the newest stay, those of other installations too, and pieces go only when nothing names them and
// nobody may be writing a backup of them.
func TestOldBackupsGo(t *testing.T) {
	dir := t.TempDir()
	v := vault(t, dir)
	others, err := v.Begin(t.Context(), archive.NameAt("kontor", moment.Add(-time.Hour)), "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := others.Stream(t.Context(), "control/001_company.ndjson", strings.NewReader(companyRow)); err != nil {
		t.Fatal(err)
	}
	if err := others.Stream(t.Context(), "cells/c1.db", bytes.NewReader(large(3))); err != nil {
		t.Fatal(err)
	}
	if _, err := others.Finish(t.Context(), archive.Manifest{Kontor: "test", Installation: "elsewhere",
		Companies: acme.Companies}); err != nil {
		t.Fatal(err)
	}
	var last archive.Written
	for i := range 5 {
		files := books()
		files["cells/c1.db"] = fmt.Appendf(nil, "books %d", i)
		if last, err = write(t, begin(t, v), files); err != nil {
			t.Fatal(err)
		}
	}
	// of a backup under way
	if err := os.WriteFile(filepath.Join(filepath.Dir(pieces(t, dir)[0]), strings.Repeat("0", 64)), nil,
		0o600); err != nil {
		t.Fatal(err)
	}
	backups, gone, err := v.Keep(t.Context(), acme, last.Name, 2)
	if backups != 3 || gone != 0 || err != nil {
		t.Errorf("%d backups and %d pieces went, %v", backups, gone, err)
	}
	long := time.Now().Add(-100 * time.Hour)
	for _, p := range pieces(t, dir) {
		if err := os.Chtimes(p, long, long); err != nil {
			t.Fatal(err)
		}
	}
	backups, gone, err = v.Keep(t.Context(), acme, last.Name, 0)
	if backups != 1 || gone != 5 || err != nil {
		t.Errorf("%d backups and %d pieces went, %v", backups, gone, err)
	}
	names, err := v.Names(t.Context())
	if err != nil || len(names) != 2 || names[1] != last.Name {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		if err := unpackAt(t.Context(), filepath.Join(dir, "backups", name+".backup"), t.TempDir()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestABackupOfANewerProgramIsRefused(t *testing.T) {
	for name, m := range map[string]archive.Manifest{
		"by its newest step": {Kontor: "9.9", Schema: map[string]int64{"cell": 99999}},
		"by its steps":       {Kontor: "9.9", Steps: map[string][]int64{"cell": {1, 99999}}},
		"by a step between":  {Kontor: "9.9", Steps: map[string][]int64{"cell": {1, 2}}},
	} {
		m.Companies = acme.Companies
		path := filepath.Join(t.TempDir(), "all")
		to := archive.NewFile(path, t.TempDir())
		for name, b := range books() {
			if err := to.Stream(t.Context(), name, bytes.NewReader(b)); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := to.Finish(t.Context(), m); !errors.Is(err, db.ErrNewer) || !strings.Contains(err.Error(), "9.9") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// leftOut are the tables of the control database that no backup carries, and why.
func leftOut() map[string]string {
	return map[string]string{
		"user_session": "who is signed in signs in again: a session that was ended may not come back",
		"user_device":  "a browser is known again once somebody signed in from it",
		"oauth_code":   "lives for a minute",
		"attempt":      "counts of attempts belong to the moment",
		"node":         "belongs to the processes that serve now",
		"company_due":  "follows from what the companies hold: those that come back are asked",
		"backup_place": "tells of backups, which are older or newer than this one",
		"cell":         "where databases lie belongs to the place",
	}
}

// Every table of the control database is in a backup, or has a reason why it is not.
func TestEveryTableOfTheControlDataIsInABackupOrSaysWhyNot(t *testing.T) {
	s, err := db.Open(t.Context(), db.Options{Engine: sqlite.Engine(), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	carried := archive.Carried()
	err = s.Control(t.Context(), db.Request{}, false, func(tx *db.Tx) error {
		return tx.Each(
			"select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'schema_version_%'",
			nil, func(r db.Row) error {
				var name string
				err := r.Scan(&name)
				if in, out := slices.Contains(carried, name), leftOut()[name] != ""; in == out {
					t.Errorf("table %s: carried %v, left out with a reason %v", name, in, out)
				}
				return err
			})
	})
	if err != nil {
		t.Error(err)
	}
}

// A place that cannot be asked is not said to be empty: who stands before a lost machine would give up his backups.
func TestAPlaceThatCannotBeReadIsNotEmpty(t *testing.T) {
	_, err := archive.Open(t.Context(), "s3://key:secret@bucket/backups?endpoint=http://127.0.0.1:1&region=here")
	if err == nil || !strings.HasPrefix(err.Error(), "the place of the backups cannot be read: ") {
		t.Errorf("no server: %v", err)
	}
	if _, err = archive.Open(t.Context(), t.TempDir()); err == nil || err.Error() != "there is no backup in this place" {
		t.Errorf("an empty folder: %v", err)
	}
}
