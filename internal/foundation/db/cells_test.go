package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
)

// companies lays out so many companies on files, of which few may be open at once.
func companies(t *testing.T, count, open int) (*db.Store, db.Options, []string) {
	t.Helper()
	o := dbtest.Options(t, "sqlite")
	o.OpenCompanies, o.ExtraReaders = open, 2
	s, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	ids := make([]string, count)
	for i := range ids {
		info := dbtest.Info()
		info.ID = fmt.Sprintf("company-%03d", i)
		ids[i] = info.ID
		if err := s.CreateCell(t.Context(), info); err != nil {
			t.Fatal(err)
		}
	}
	return s, o, ids
}

// openFilesBelow counts the files of a folder that this process has open.
func openFilesBelow(t *testing.T, dir string) (n int) {
	t.Helper()
	all, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(all) == 0 {
		t.Skip("this system does not tell which files are open")
	}
	for _, f := range all {
		if at, err := os.Readlink(f); err == nil && filepath.Dir(at) == dir {
			n++
		}
	}
	return n
}

// Many ask for more companies than may be open: everybody is served, nobody's company is closed while it is in use, and
// no more files are open than there is room for.
func TestNoMoreCompaniesAreOpenThanThereIsRoomFor(t *testing.T) {
	const count, open, hands = 24, 4, 8
	s, o, ids := companies(t, count, open)
	var wrote [count]atomic.Int64
	var most atomic.Int64
	var work sync.WaitGroup
	for hand := range hands {
		work.Go(func() {
			luck := rand.New(rand.NewPCG(uint64(hand), 7))
			for range 60 {
				i := luck.IntN(count)
				r := db.Request{Company: ids[i], Actor: dbtest.Request().Actor}
				err := s.Write(t.Context(), r, func(tx *db.Tx) error { return tx.BumpEpoch() })
				if err == nil {
					wrote[i].Add(1)
					err = s.Read(t.Context(), r, func(tx *db.Tx) error {
						most.Store(max(most.Load(), int64(s.Figures().Files-1)))
						return nil
					})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
	if most.Load() > open {
		t.Errorf("%d companies were open at once", most.Load())
	}
	if n := openFilesBelow(t, filepath.Join(o.Dir, "cells")); n > open*5+2*2 {
		t.Errorf("%d files are open", n)
	}
	for i, id := range ids {
		err := s.Read(t.Context(), db.Request{Company: id}, func(tx *db.Tx) error {
			if tx.Epoch != 1+wrote[i].Load() {
				t.Errorf("%s has epoch %d after %d changes", id, tx.Epoch, wrote[i].Load())
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// While all that may be open are in use, who asks for another waits, is told so in the end, and is served as soon as
// one is free.
func TestACompanyInUseIsNotClosed(t *testing.T) {
	s, _, ids := companies(t, 3, 2)
	var held sync.WaitGroup
	release := make(chan struct{})
	begun := make(chan struct{}, 2)
	for _, id := range ids[:2] {
		held.Go(func() {
			err := s.Read(context.Background(), db.Request{Company: id}, func(tx *db.Tx) error {
				begun <- struct{}{}
				<-release
				_, err := tx.One("-- test\nselect epoch from company_state where company = :company", nil, new(int64))
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	<-begun
	<-begun
	err := s.Read(t.Context(), db.Request{Company: ids[2]}, func(*db.Tx) error { return nil })
	if f := fault.As(err); !fault.Is(err, fault.ErrUnavailable) || f.RetryAfterSeconds == 0 {
		t.Errorf("with all in use: %v", err)
	}
	time.AfterFunc(50*time.Millisecond, func() { close(release) })
	if err := s.Read(t.Context(), db.Request{Company: ids[2]}, func(*db.Tx) error { return nil }); err != nil {
		t.Errorf("when one was free: %v", err)
	}
	held.Wait()
}

// What is wrong with one company's file is that company's trouble alone.
func TestADamagedCompanyDisturbsNoOther(t *testing.T) {
	s, o, ids := companies(t, 4, 2)
	at := func(id string) string { return filepath.Join(o.Dir, "cells", id+".db") }
	for range 3 { // until none of the first two is open
		for _, id := range ids[2:] {
			if err := s.Read(t.Context(), db.Request{Company: id}, func(*db.Tx) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Remove(at(ids[0])); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at(ids[1]),
		[]byte(
			"this is no database, whoever reads it, and long enough to have a header of a hundred bytes: it has none of them at all"),
		0o600); err != nil {
		t.Fatal(err)
	}
	for range 5 { // more often than there are places
		for i, id := range ids {
			err := s.Write(t.Context(), db.Request{Company: id}, func(tx *db.Tx) error { return tx.BumpEpoch() })
			if broken := i < 2; broken != fault.Is(err, fault.ErrUnavailable) || !broken && err != nil {
				t.Errorf("company %d: %v", i, err)
			}
		}
	}
}

func TestANewCompanyIsACopyOfTheTemplate(t *testing.T) {
	s, o, ids := companies(t, 2, 2)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		have, err := db.MigrationStatus(t.Context(), o.Engine, filepath.Join(o.Dir, "cells", id+".db"), db.CellSchema)
		if err != nil || len(have.Pending) > 0 {
			t.Errorf("%+v, %v", have, err)
		}
	}
	// A template of another schema is made anew.
	if err := os.WriteFile(filepath.Join(o.Dir, db.TemplateFile), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { again.Close() })
	info := dbtest.Info()
	if err := again.CreateCell(t.Context(), info); err != nil {
		t.Error(err)
	}
}

// What was cached of companies that were closed goes with them.
func TestNothingStaysCachedOfClosedCompanies(t *testing.T) {
	const count, open = 60, 4
	s, _, ids := companies(t, count, open)
	for _, id := range ids {
		r := db.Request{Company: id, Actor: dbtest.Request().Actor}
		err := s.Read(t.Context(), r, func(tx *db.Tx) error {
			tx.CachePutUnvalidated("what", 1000, id)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if cached := s.Figures().CachedBytes; cached > 30_000 {
		t.Errorf("%d bytes are cached, of %d companies of which %d may be open", cached, count, open)
	}
}
