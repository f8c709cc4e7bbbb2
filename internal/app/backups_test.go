package app

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kontor/internal/app/archive"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/sqlite"
)

// good fails the test where the backup at an address cannot be proved.
func good(t *testing.T, address string) archive.Manifest {
	t.Helper()
	m, err := CheckBackup(t.Context(), address)
	if err != nil {
		t.Errorf("%s: %v", address, err)
	}
	return m
}

// A company whose file is gone, whoever has it open still, is no empty company: the backup says so, and the good one
// from before stays.
func TestABackupNamesTheCompanyThatIsGone(t *testing.T) {
	g := newGallery(t, datadir.Dir{Data: t.TempDir()})
	g.enter()
	dir := t.TempDir()
	path := filepath.Join(dir, "all.tar.zst")
	for range 2 {
		if _, err := g.BackUpFile(t.Context(), BackupOf{}, path); err != nil {
			t.Fatal(err)
		}
	}
	plan := BackupPlan{To: filepath.Join(dir, "many"), Keep: 1}
	if _, err := g.BackUpTo(t.Context(), BackupOf{}, plan); err != nil {
		t.Fatal(err)
	}
	g.makeItem() // it is open
	if err := os.Remove(g.DataDir.CellPath(g.company.ID)); err != nil {
		t.Fatal(err)
	}
	for i, back := range []func() error{
		func() error { _, err := g.BackUpFile(t.Context(), BackupOf{}, path); return err },
		func() error { _, err := g.BackUpTo(t.Context(), BackupOf{}, plan); return err },
	} {
		if err := back(); err == nil || !strings.Contains(err.Error(), "acme") {
			t.Errorf("%d: %v", i, err)
		}
	}
	if _, err := os.Stat(g.DataDir.CellPath(g.company.ID)); err == nil {
		t.Error("the backup made an empty company")
	}
	good(t, path)
	good(t, plan.To)
	places, err := g.Backups(t.Context())
	if err != nil || len(places) != 2 || !places[0].Failing() || places[0].SucceededAt == 0 ||
		!strings.Contains(places[1].Failure, "acme") {
		t.Errorf("%+v, %v", places, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".kontor-backup-*")); len(left) > 0 || err != nil {
		t.Errorf("left over: %v", left)
	}
	said, err := g.sayBackups(t.Context())
	if err == nil || !strings.Contains(err.Error(), "failed") {
		t.Errorf("%q %v", said, err)
	}
}

// A picture that is lost is named, unless who makes the backup has said that it may be.
func TestABackupNamesThePictureThatIsGone(t *testing.T) {
	for name, damage := range map[string]func(string) error{"gone": os.Remove, "damaged": func(p string) error {
		return os.Truncate(p, 9)
	}} {
		g := newGallery(t, datadir.Dir{Data: t.TempDir()})
		g.enter()
		g.makeItem()
		g.hang("harbour.png", white(t, 4, 2))
		files, err := filepath.Glob(filepath.Join(g.DataDir.Data, datadir.Media, g.company.ID, "*", "*"))
		if err != nil || len(files) != 1 || damage(files[0]) != nil {
			t.Fatalf("%v %v", files, err)
		}
		path := filepath.Join(t.TempDir(), "all")
		if _, err := g.Backup(t.Context(), BackupOf{}, path); err == nil ||
			!strings.Contains(err.Error(), "harbour.png") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := g.Backup(t.Context(), BackupOf{AcceptMissing: true}, path); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if m := good(t, path); len(m.Companies) != 1 || len(m.Companies[0].Missing) != 1 {
			t.Errorf("%s: %+v", name, m.Companies)
		}
	}
}

// A place of many backups: the second writes what changed, the newest is restored on either engine, and what opens
// doors comes along.
func TestBackupsToAPlaceOfMany(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		ctx := t.Context()
		g := newGallery(t, place)
		g.enter()
		g.makeItem()
		g.letIn()
		url, _ := g.hang("a.png", white(t, 400, 200))
		plan := BackupPlan{To: filepath.Join(t.TempDir(), "many"), Keep: 2}
		if !g.Embedded() {
			plan.To = bucketOf(t)
		}
		first, err := g.BackUpTo(ctx, BackupOf{}, plan)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			g.brand(fmt.Sprint("B", i))
			w, err := g.BackUpTo(ctx, BackupOf{}, plan)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d bytes, %d of them new", w.Bytes, w.New)
			if w.New >= w.Bytes {
				t.Errorf("%d bytes were written at first, and %d of %d for one brand more", first.New, w.New, w.Bytes)
			}
		}
		m := good(t, plan.To)
		if len(m.Companies) != 1 || m.Companies[0].Rows < 100 || m.Companies[0].Media != 1 || !m.Whole {
			t.Errorf("%+v", m.Companies)
		}
		v, err := archive.OpenVault(plan.To)
		if err != nil {
			t.Fatal(err)
		}
		if names, err := v.Names(ctx); len(names) != 2 || err != nil {
			t.Errorf("%v are kept, %v", names, err)
		}
		for _, other := range []datadir.Dir{{Data: t.TempDir()}, place} {
			o := g
			if other != place {
				o = newGallery(t, other)
			} else if err := g.DeleteCompany(ctx, g.company); err != nil {
				t.Fatal(err)
			}
			one := ""
			if other == place {
				one = "acme"
			}
			if _, err := o.Restore(ctx, plan.To, one, false, true); err != nil {
				t.Fatal(err)
			}
			o.key = g.key
			if w := o.ask("GET", "/preview/brands/B2", "X-Api-Key: "+g.key); w.Code != 200 || o.see(url) != 200 {
				t.Errorf("restored: %d %d", w.Code, o.see(url))
			}
			if n := o.doors(); n != 4 {
				t.Errorf("of an invitation, a program, its connection and its token %d came back", n)
			}
		}
	})
}

func (g *gallery) brand(code string) {
	g.Helper()
	r := httptest.NewRequestWithContext(g.Context(), "POST", "/preview/brands",
		strings.NewReader(fmt.Sprintf(`{"code": %q, "name": "B"}`, code)))
	for name, value := range map[string]string{"Content-Type": "application/json", "Idempotency-Key": code,
		"X-Api-Key": g.key} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	if g.ServeHTTP(w, r); w.Code != 201 {
		g.Fatalf("%d %s", w.Code, w.Body)
	}
}

// letIn lays an invitation and a connection of a member into the control data.
func (g *gallery) letIn() {
	g.Helper()
	a := db.Args{"c": g.company.ID, "h": []byte{1}, "soon": int64(time.Now().Add(time.Hour).UnixMicro())}
	err := g.Control(g.Context(), func(tx *db.Tx) error {
		for _, q := range []string{
			"insert into app_user (id, email, email_key, password_hash, created_at, changed_at) values ('u1', 'a@b.test', 'a@b.test', '', 1, 1)",
			"insert into membership (user_id, company_id, role, created_at) values ('u1', :c, 'admin', 1)",
			"insert into user_ticket (hash, id, purpose, company_id, email, created_at, expires_at) values (:h, 't1', 'invitation', :c, 'n@b.test', 1, :soon)",
			"insert into user_ticket (hash, id, purpose, company_id, email, created_at, expires_at) values (:c, 't2', 'reset', :c, 'n@b.test', 1, :soon)",
			"insert into oauth_client (id, name, redirect_uris, created_at, used_at) values ('p1', 'P', '[]', 1, 1)",
			"insert into oauth_grant (id, client_id, user_id, company_id, scopes, resource, created_at) values ('g1', 'p1', 'u1', :c, '', '', 1)",
			"insert into oauth_token (hash, grant_id, kind, created_at, expires_at) values (:h, 'g1', 'refresh', 1, :soon)",
		} {
			if strings.Contains(q, ":c, 't2'") {
				a["c"] = g.company.ID
				q = strings.Replace(q, "values (:c", "values (:other", 1)
				a["other"] = []byte{2}
			}
			if _, err := tx.Exec("-- test\n"+q, a); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		g.Fatal(err)
	}
}

// doors counts what letIn laid, but for the letter to a new password, which no backup holds.
func (g *gallery) doors() (n int64) {
	g.Helper()
	err := g.Look(g.Context(), func(tx *db.Tx) error {
		_, err := tx.One(`-- test
			select (select count(*) from user_ticket) + (select count(*) from oauth_client) + (select count(*) from oauth_token t join oauth_grant g on g.id = t.grant_id
				join app_user u on u.id = g.user_id) + (select count(*) from oauth_grant)`, nil, &n)
		return err
	})
	if err != nil {
		g.Fatal(err)
	}
	return n
}

// A backup whose rows are of an older schema is migrated as it is restored: what a step works out from older rows is
// there then.
func TestRowsOfAnOlderSchemaAreMigrated(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	steps := map[db.Schema][]int64{}
	for _, schema := range []db.Schema{db.ControlSchema, db.CellSchema} {
		for _, step := range db.StepNumbers(schema) {
			if step < 195 {
				steps[schema] = append(steps[schema], step)
			}
		}
	}
	steps[db.ControlSchema] = steps[db.ControlSchema][:4]
	old, err := db.Open(ctx, db.Options{Engine: sqlite.Engine(), Dir: filepath.Join(dir, "old"), Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	info := db.CompanyInfo{ID: "c1", Code: "acme", Name: "Acme", Currency: "SEK", Country: "SE",
		TimeZone: "Europe/Stockholm", Environment: "Test"}
	if err := old.CreateCell(ctx, info); err != nil {
		t.Fatal(err)
	}
	err = old.Control(ctx, db.Request{}, true, func(tx *db.Tx) error {
		_, err := tx.Exec(`-- test
			insert into company (id, code, code_key, name, country, currency, environment, time_zone, status, created_at, changed_at)
			values ('c1', 'acme', 'acme', 'Acme', 'SE', 'SEK', 'Test', 'Europe/Stockholm', 'Active', 1, 1)`, nil)
		return errors.Join(err, archive.DumpControl(tx, "", filepath.Join(dir, "control")))
	})
	if err != nil {
		t.Fatal(err)
	}
	err = old.Write(ctx, db.Request{Company: "c1"}, func(tx *db.Tx) error {
		return tx.Insert("number_series", "series, prefix, next", 1,
			func(int) []any { return []any{"x", "X", int64(7)} })
	})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := archive.Dump(ctx, old, "c1", filepath.Join(dir, "rows"))
	if err != nil || rows != 1 {
		t.Fatal(rows, err)
	}
	path := filepath.Join(dir, "all.tar.zst")
	to := archive.NewFile(path, t.TempDir())
	m := archive.Manifest{Kontor: "0.1", Engine: "postgres", Whole: true,
		Companies: []archive.Company{{ID: "c1", Code: "acme", Rows: 1}},
		Steps:     map[string][]int64{"control": steps[db.ControlSchema], "cell": steps[db.CellSchema]}}
	if err := errors.Join(takeFiles(ctx, to, filepath.Join(dir, "control"), "control/"),
		takeFiles(ctx, to, filepath.Join(dir, "rows"), "cells/c1/"), old.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := to.Finish(ctx, m); err != nil {
		t.Fatal(err)
	}
	good(t, path)
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		h := openApp(t, place)
		defer h.Close(ctx)
		if _, err := h.Restore(t.Context(), path, "", false, false); err != nil {
			t.Fatal(err)
		}
		err := h.store.Read(t.Context(), db.Request{Company: "c1"}, func(tx *db.Tx) error {
			var next int64
			_, err := tx.One("-- test\nselect next from number_series where company = :company and series = 'x'", nil,
				&next)
			if next != 7 {
				t.Errorf("next is %d", next)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if !h.Embedded() {
			return
		}
		states, err := datadir.SchemaStates(t.Context(), place)
		for _, s := range states {
			if len(s.Pending) > 0 {
				t.Errorf("%+v", s)
			}
		}
		if err != nil {
			t.Error(err)
		}
	})
}

// A server makes backups by itself: the first at once, and on several nodes one does it.
func TestAServerMakesBackups(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		plan := BackupPlan{To: filepath.Join(t.TempDir(), "many"), Every: time.Hour, Keep: 3}
		houses := []*App{openApp(t, place)}
		if place.DatabaseURL != "" {
			houses = append(houses, openApp(t, place))
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{}, len(houses))
		for _, h := range houses {
			h.serving.Backup = plan
			defer h.Close(context.Background())
			go func() { h.keepBackups(ctx); done <- struct{}{} }()
		}
		var p BackupPlace
		for p.SucceededAt == 0 && !t.Failed() {
			time.Sleep(50 * time.Millisecond)
			all, err := houses[0].Backups(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if len(all) > 0 {
				p = all[0]
			}
		}
		time.Sleep(1500 * time.Millisecond) // the other node has looked
		stop()
		for range houses {
			<-done
		}
		v, err := archive.OpenVault(plan.To)
		if err != nil {
			t.Fatal(err)
		}
		if names, err := v.Names(t.Context()); len(names) != 1 || err != nil {
			t.Errorf("%v, %v", names, err)
		}
		if p.Every != time.Hour || p.Late(time.Now()) || !p.Late(time.Now().Add(3*time.Hour)) {
			t.Errorf("%+v", p)
		}
		// While one node writes to a place, nobody else does.
		_, err = houses[0].noted(t.Context(), claim{place: "x", seen: anySuccess},
			func(context.Context) (archive.Written, error) {
				_, err := houses[len(houses)-1].noted(t.Context(), claim{place: "x", seen: anySuccess},
					func(context.Context) (archive.Written, error) {
						t.Error("two at once")
						return archive.Written{}, nil
					})
				if !errors.Is(err, errTaken) {
					t.Errorf("%v", err)
				}
				return archive.Written{}, nil
			})
		if err != nil {
			t.Error(err)
		}
	})
}

// One backup follows another when its time has come. A clock that was a day ahead, and is set right, holds none up:
// neither the last, which was made later than now, nor the lease of who was making one.
func TestABackupFollowsAnother(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		h := openApp(t, place)
		defer h.Close(context.Background())
		plan := BackupPlan{To: filepath.Join(t.TempDir(), "many"), Every: time.Hour, Keep: 3}
		if _, err := h.backUpWhenDue(t.Context(), plan); err != nil {
			t.Fatal(err)
		}
		if wait, err := h.backUpWhenDue(t.Context(), plan); err != nil || wait < 59*time.Minute {
			t.Fatalf("the next is due in %s: %v", wait, err)
		}
		for what, set := range map[string]string{
			"after an hour":    "succeeded_at = succeeded_at - 3600000000",
			"the clock is set": "succeeded_at = succeeded_at + 86400000000, holder = 'killed', held_until = :now + 86400000000",
		} {
			begun := h.store.Now()
			err := h.Control(t.Context(), func(tx *db.Tx) error { return tx.Run("-- test\nupdate backup_place set "+set, nil) })
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.backUpWhenDue(t.Context(), plan); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			all, err := h.Backups(t.Context())
			if err != nil || all[0].SucceededAt < begun || all[0].SucceededAt > h.store.Now() {
				t.Errorf("%s: the last is that of %s: %v", what, all[0].SucceededAt, err)
			}
		}
	})
}
