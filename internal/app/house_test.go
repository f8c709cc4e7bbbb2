package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

func openApp(t *testing.T, place datadir.Dir) *App {
	t.Helper()
	h, err := Open(context.Background(), place, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func acme() identity.Company {
	return identity.Company{Code: "acme", Name: "Acme AB", Country: "SE", Currency: "SEK", Environment: identity.Test}
}

func TestWhatWasHalfMadeIsMadeAnew(t *testing.T) {
	ctx := context.Background()
	h := openApp(t, datadir.Dir{Data: t.TempDir()})
	defer h.Close(ctx)
	if _, err := h.layOut(ctx, acme(), func(identity.Company) error { return errors.New("no more") }); err == nil {
		t.Fatal("the failure was swallowed")
	}
	if _, err := h.Company(ctx, "acme"); !fault.Is(err, identity.ErrCompanyNotFound) {
		t.Errorf("what failed was not taken back: %v", err)
	}
	// A crash leaves an entry and perhaps a file.
	var left identity.Company
	err := h.Control(ctx, func(tx *db.Tx) (err error) { left, err = identity.Register(tx, acme()); return err })
	if err != nil {
		t.Fatal(err)
	}
	if err := h.store.CreateCell(ctx, left.Info()); err != nil {
		t.Fatal(err)
	}
	made, err := h.CreateCompany(ctx, acme())
	if err != nil || made.ID == left.ID {
		t.Fatalf("%+v, %v", made, err)
	}
	if _, err := os.Stat(h.DataDir.CellPath(left.ID)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of the half-made company is still there: %v", err)
	}
}

func TestNobodyIsLetInWhileTheDataIsExchanged(t *testing.T) {
	ctx := context.Background()
	h := openApp(t, datadir.Dir{Data: t.TempDir()})
	defer h.Close(ctx)
	ask := func() *http.Response {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/preview/customers", nil))
		return w.Result()
	}
	err := h.Exchange(ctx, func() error {
		if r := ask(); r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" {
			t.Errorf("while the data is exchanged: %d %v", r.StatusCode, r.Header)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := ask(); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("afterwards: %d", r.StatusCode)
	}
	failed := errors.New("cannot")
	if err := h.Exchange(ctx, func() error { return failed }); !errors.Is(err, failed) {
		t.Errorf("an exchange that failed: %v", err)
	}
	if r := ask(); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("after an exchange that failed: %d", r.StatusCode)
	}
}

func TestFilesAreCopiedBeforeTheyAreMigrated(t *testing.T) {
	ctx, place := context.Background(), datadir.Dir{Data: t.TempDir()}
	cell := place.CellPath("0190")
	if err := os.MkdirAll(filepath.Dir(cell), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := db.MigrateTo(ctx, place.Engine(), cell, db.CellSchema, 1); err != nil {
		t.Fatal(err)
	}
	h := openApp(t, place)
	if err := h.Close(ctx); err != nil {
		t.Fatal(err)
	}
	have, err := db.MigrationStatus(ctx, place.Engine(), cell, db.CellSchema)
	if err != nil || have.Version != have.Newest || len(have.Pending) > 0 {
		t.Errorf("%+v, %v", have, err)
	}
	copies, err := filepath.Glob(filepath.Join(place.Data, "backups", "before-migration-*", "cells", "0190.db"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies: %v, %v", copies, err)
	}
	if have, err := db.MigrationStatus(ctx, place.Engine(), copies[0], db.CellSchema); have.Version != 1 || err != nil {
		t.Errorf("the copy has %+v, %v", have, err)
	}
}

// A migration that fails, and is tried again, leaves one copy: that of what was there before.
func TestAMigrationThatIsTriedAgainKeepsItsCopies(t *testing.T) {
	ctx, place := context.Background(), datadir.Dir{Data: t.TempDir()}
	cell := place.CellPath("0190")
	if err := os.MkdirAll(filepath.Dir(cell), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := db.MigrateTo(ctx, place.Engine(), cell, db.CellSchema, 30); err != nil {
		t.Fatal(err)
	}
	alter := func(statement string) {
		t.Helper()
		d, err := place.Engine().Open(cell, db.ForOwning)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = d.Exec(statement); err != nil || d.Close() != nil {
			t.Fatal(err)
		}
	}
	alter("create table stock_level (stands_in_the_way integer)")
	for range 3 {
		if _, err := Open(ctx, place, slog.New(slog.DiscardHandler)); err == nil {
			t.Fatal("a table stood in the way, and nobody minded")
		}
	}
	alter("drop table stock_level")
	if err := openApp(t, place).Close(ctx); err != nil {
		t.Fatal(err)
	}
	copies, err := filepath.Glob(filepath.Join(place.Data, "backups", "before-migration-*", "cells", "0190.db"))
	if err != nil || len(copies) != 1 {
		t.Fatalf("copies: %v, %v", copies, err)
	}
	if have, err := db.MigrationStatus(ctx, place.Engine(), copies[0], db.CellSchema); have.Version != 30 ||
		err != nil {
		t.Errorf("the copy has %+v, %v", have, err)
	}
}

func TestWhoExchangesTheDataWorksAlone(t *testing.T) {
	h := &App{}
	end, err := h.Begin(false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Begin(true); !fault.Is(err, fault.ErrUnavailable) {
		t.Errorf("beside another command: %v", err)
	}
	second, err := h.Begin(false)
	if err != nil {
		t.Fatalf("two commands beside each other: %v", err)
	}
	end()
	second()
	if end, err = h.Begin(true); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Begin(false); !fault.Is(err, fault.ErrUnavailable) {
		t.Errorf("beside one that exchanges the data: %v", err)
	}
	end()
}
