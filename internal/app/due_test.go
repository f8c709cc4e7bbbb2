package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/identity"
	"kontor/internal/business/pricing"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
)

var killKind = jobs.Kind{Name: "survives"}

// TestDueKilled is the process that TestWorkThatIsDueSurvivesKills kills: it leaves a job, and dies by SIGKILL before
// or after the commit.
func TestDueKilled(t *testing.T) {
	data := os.Getenv("KONTOR_DUE_DATA")
	if data == "" {
		t.Skip("run by TestWorkThatIsDueSurvivesKills")
	}
	ctx := t.Context()
	h := openApp(t, datadir.Dir{Data: data, DatabaseURL: os.Getenv("KONTOR_DUE_URL")})
	die := func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }
	before := os.Getenv("KONTOR_DUE_WHEN") == "before"
	h.store.DueIn(db.DueSource{Kind: "killer", Tables: db.TablesNamed("job"), Next: func(*db.Tx) (db.Time, error) {
		if before { // the source of jobs has been asked by then, and its entry was written
			die()
		}
		return 0, nil
	}})
	err := h.InCompany(ctx, "acme", func(tx *db.Tx) error {
		if !before {
			tx.Done(die)
		}
		_, err := jobs.Add(tx, killKind, "one", nil, jobs.Options{})
		return err
	})
	t.Fatalf("the process lives: %v", err)
}

// Work that a killed process has left is done after the restart, without other companies being opened; what it has not
// committed is looked for once, and no more.
func TestWorkThatIsDueSurvivesKills(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		ctx := t.Context()
		h := openApp(t, place)
		for _, code := range []string{"acme", "rests", "sleeps"} {
			c := acme()
			c.Code = code
			if _, err := h.CreateCompany(ctx, c); err != nil {
				t.Fatal(err)
			}
		}
		restAll(t, h)
		if err := h.Close(ctx); err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{"before", "after"} {
			cmd := Doomed("TestDueKilled", "KONTOR_DUE_DATA="+place.Data, "KONTOR_DUE_URL="+place.DatabaseURL,
				"KONTOR_DUE_WHEN="+when)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
				t.Fatalf("the process ended with %v: %s", err, out)
			}
			afterKill(t, place, when == "after")
		}
	})
}

// afterKill serves what a killed process has left, and tells whether its job is done.
func afterKill(t *testing.T, place datadir.Dir, committed bool) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var mu sync.Mutex
	var said bytes.Buffer
	h, err := Open(ctx, place, slog.New(slog.NewTextHandler(lockedWriter{&mu, &said}, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(ctx)
	for _, code := range []string{"rests", "sleeps"} {
		defer hide(t, h, code)()
	}
	did := make(chan string, 10)
	h.work.InTx(killKind, func(tx *db.Tx, j jobs.Job) error {
		tx.Done(func() { did <- j.Company })
		return nil
	})
	ended := make(chan struct{})
	go func() { h.work.Run(ctx); close(ended) }()
	c, err := h.Company(ctx, "acme")
	if err != nil {
		t.Fatal(err)
	}
	select {
	case company := <-did:
		if !committed || company != c.ID {
			t.Errorf("a job of %s was done", company)
		}
	case <-time.After(map[bool]time.Duration{true: 30 * time.Second, false: time.Second}[committed]):
		if committed {
			t.Error("the job was not done")
		}
	}
	stop()
	<-ended
	restAll(t, h)
	if by, err := h.store.DueBy(context.Background(), jobs.DueKind,
		db.TimeOf(time.Now()).Add(time.Hour)); err != nil || len(by) > 0 {
		open := ""
		err = h.InCompany(context.Background(), "acme", func(tx *db.Tx) error {
			return tx.Each(
				"-- test\nselect kind, status, attempts, run_at - :now, last_error from job where company = :company",
				nil, func(r db.Row) error {
					var kind, status, failure string
					var attempts, in int64
					err := r.Scan(&kind, &status, &attempts, &in, &failure)
					open += fmt.Sprintf("%s %s %d %d %s; ", kind, status, attempts, in, failure)
					return err
				})
		})
		t.Errorf("the index shows work of %v (%v), committed %v: %s", by, err, committed, open)
	}
	mu.Lock()
	defer mu.Unlock()
	if strings.Contains(said.String(), "not here") {
		t.Errorf("a company that rests was opened: %s", said.String())
	}
}

type lockedWriter struct {
	mu *sync.Mutex
	to *bytes.Buffer
}

func (w lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// hide takes a company's file away, where it has one, until it is put back: who opens it says so.
func hide(t *testing.T, h *App, code string) (back func()) {
	t.Helper()
	c, err := h.Company(t.Context(), code)
	if err != nil {
		t.Fatal(err)
	}
	if path := h.DataDir.CellPath(c.ID); h.Embedded() {
		away := filepath.Join(t.TempDir(), "away.db")
		if err := os.Rename(path, away); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.Rename(away, path); err != nil {
				t.Error(err)
			}
		}
	}
	return func() {}
}

// restAll does what is due in all companies, until nothing is.
func restAll(t *testing.T, h *App) {
	t.Helper()
	ctx := context.Background()
	if h.Embedded() {
		if err := h.store.FreeDue(ctx, ""); err != nil {
			t.Fatal(err)
		}
	}
	for {
		// a job that was running has a lease
		ids, err := h.store.DueBy(ctx, jobs.DueKind, db.TimeOf(time.Now()).Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if _, err := h.work.RunDue(ctx, id); err != nil {
				t.Fatal(err)
			}
			if _, late, err := h.store.RecheckDue(ctx, id, jobs.DueKind); err != nil || late {
				t.Fatalf("late %v: %v", late, err)
			}
		}
		if len(ids) == 0 {
			return
		}
	}
}

// A company that the index does not know is asked; one that it knows wrongly is mended and told of; one that rests is
// left alone for a week, and one that was changed for a day.
func TestTheIndexIsProved(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		ctx := t.Context()
		h := openApp(t, place)
		defer h.Close(ctx)
		c, err := h.CreateCompany(ctx, acme())
		if err != nil {
			t.Fatal(err)
		}
		due := func(kind string) (at db.Time) {
			t.Helper()
			err := h.Look(ctx, func(tx *db.Tx) error {
				_, err := tx.One("-- test\nselect due_at from company_due where company_id = :of and kind = :kind",
					db.Args{"of": c.ID, "kind": kind}, &at)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return at
		}
		within := func(what string, at db.Time, from, to time.Duration) {
			t.Helper()
			if now := db.TimeOf(time.Now()); at < now.Add(from) || at > now.Add(to) {
				t.Errorf("%s: the company is swept in %s", what, time.Duration(at-now)*time.Microsecond)
			}
		}
		within("new", due(dueSweep), 23*time.Hour, 24*time.Hour)
		if at := due(jobs.DueKind); at != 0 {
			t.Errorf("a new company has a job, and is opened by every server that starts: due %s", at.Time())
		}
		err = h.Control(ctx, func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\ndelete from company_due", nil)
			return err
		})
		if err == nil {
			err = h.learnCompanies(ctx)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []string{jobs.DueKind, dueEquip, dueSweep} {
			if due(kind) != 1 {
				t.Errorf("%s of a company that nobody knows is due at %d", kind, due(kind))
			}
		}
		restAll(t, h)
		h.lookAfter(ctx)
		if due(dueEquip) != 0 {
			t.Error("it is equipped again")
		}
		err = h.Control(ctx, func(tx *db.Tx) error { return askAgain(tx, "", dueSweep) })
		if err != nil {
			t.Fatal(err)
		}
		h.lookAfter(ctx)
		within("rests", due(dueSweep), 6*24*time.Hour, 7*24*time.Hour)
		err = h.InCompany(ctx, "acme", func(tx *db.Tx) error {
			_, err := jobs.Add(tx, killKind, "later", nil, jobs.Options{RunAt: tx.Now.Add(time.Hour)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		within("changed", due(dueSweep), 23*time.Hour, 24*time.Hour)
		overlook(t, h, c)
		if due(jobs.DueKind) == 0 || h.overlooked.Load() != 1 {
			t.Errorf("an entry that was missing stands at %d, told %d times", due(jobs.DueKind), h.overlooked.Load())
		}
	})
}

// overlook loses the entry of a company's job, and sweeps the company.
func overlook(t *testing.T, h *App, c identity.Company) {
	t.Helper()
	err := h.Control(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec("-- test\ndelete from company_due where company_id = :of and kind = 'jobs'",
			db.Args{"of": c.ID})
		if err == nil {
			err = askAgain(tx, c.ID, dueSweep)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	h.lookAfter(t.Context())
}

// calculating gives a company a price that is calculated.
func calculating(tx *db.Tx) error {
	i, ten := catalog.New(), dec.Int(10)
	i.Number, i.Name, i.BaseUnit, i.SalesPrice = "P-1", "Thing", "PCS", &ten
	l := pricing.Line{Item: i.Number}
	l.Strategy, l.Percentage = price.BasePriceDiscount, &ten
	err := catalog.CreateMany(tx, []catalog.Item{i})
	if err == nil {
		_, err = pricing.SaveLines(tx, "BASE", []pricing.Line{l})
	}
	return err
}

// What another day may change is looked at as the company's own day begins. The next time is noted before this one is
// begun, so a node that is killed over it costs a day at most.
func TestWhatADayMayChangeIsLookedAtAsItBegins(t *testing.T) {
	eachPlace(t, func(t *testing.T, place datadir.Dir) {
		ctx := t.Context()
		h := openApp(t, place)
		defer h.Close(ctx)
		for i, zone := range []string{"Pacific/Auckland", "America/St_Johns", "America/Los_Angeles", "Pacific/Apia"} {
			a := acme()
			a.Code, a.TimeZone = fmt.Sprint("zone", i), zone
			c, err := h.CreateCompany(ctx, a)
			if err == nil {
				err = h.InCompany(ctx, a.Code, calculating)
			}
			if err == nil {
				err = h.Control(ctx, func(tx *db.Tx) error { return askAgain(tx, c.ID, dueSweep) })
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := h.sweepOnce(ctx, h.store, c); err != nil {
				t.Fatal(err)
			}
			var due, begins db.Time
			err = errors.Join(h.Look(ctx, func(tx *db.Tx) error {
				_, err := tx.One("-- test\nselect due_at from company_due where company_id = :of and kind = 'sweep'",
					db.Args{"of": c.ID}, &due)
				return err
			}), h.InCompany(ctx, a.Code, func(tx *db.Tx) error {
				begins = tx.BeginningOf(tx.Today().AddDays(1))
				return nil
			}))
			if err != nil || due != begins {
				t.Errorf("%s: it is looked at %s, and the day begins %s: %v", zone, due, begins, err)
			}
		}
	})
}
