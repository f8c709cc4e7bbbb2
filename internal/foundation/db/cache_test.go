package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

const things = "things"

// thing reads a number that is remembered, as rooms do.
func thing(tx *db.Tx, name string) (int64, error) {
	if n, _, ok := db.CacheGet[int64](tx, name); ok {
		return n, nil
	}
	deps := tx.DependsOn(db.Ref{Resource: things, Key: name})
	n, err := thingInBooks(tx, name)
	if err == nil {
		tx.CachePut(name, deps, 8, n)
	}
	return n, err
}

func thingInBooks(tx *db.Tx, name string) (n int64, err error) {
	_, err = tx.One("-- db.thing\nselect next from number_series where company = :company and series = :name",
		db.Args{"name": name}, &n)
	return n, err
}

func writeThing(tx *db.Tx, name string, n int64) error {
	tx.Touch(things, name)
	return tx.Upsert("number_series", "series, next", 1, func(int) []any { return []any{name, n} },
		"on conflict (company, series) do update set next = excluded.next")
}

// Writers count things up by what they remember, some of them refused after they wrote; nobody loses a count, and no
// reader who begins after a commit was answered sees what was before it.
func TestNobodyRemembersWhatHasChanged(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		const names, writers, rounds = 3, 6, 120
		var acked [names]atomic.Int64
		dbtest.Write(t, s, func(tx *db.Tx) error {
			for i := range names {
				if err := writeThing(tx, fmt.Sprint("thing-", i), 0); err != nil {
					return err
				}
			}
			return nil
		})
		var group sync.WaitGroup
		for w := range writers {
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 7))
				for range rounds {
					at, refused := random.IntN(names), random.IntN(4) == 0
					name := fmt.Sprint("thing-", at)
					err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
						if s.EngineName() == "postgres" { // many write: the row is locked before it is read
							if _, err := tx.Exec(
								"-- db.lock\nupdate number_series set next = next where company = :company and series = :name",
								db.Args{"name": name}); err != nil {
								return err
							}
						}
						n, err := thing(tx, name)
						if err != nil {
							return err
						}
						if is, err := thingInBooks(tx, name); err != nil || is != n {
							return fmt.Errorf("%s is %d, remembered as %d (%w)", name, is, n, err)
						}
						if err := writeThing(tx, name, n+1); err != nil {
							return err
						}
						if after, err := thing(tx, name); err != nil || after != n+1 {
							return fmt.Errorf("after it was written as %d, %s is remembered as %d (%w)", n+1, name,
								after, err)
						}
						if refused {
							return errRefused
						}
						return nil
					})
					switch {
					case err == nil:
						acked[at].Add(1)
					case !refused || err.Error() != errRefused.Error():
						t.Error(err)
						return
					}
				}
			})
			group.Go(func() {
				random := rand.New(rand.NewPCG(uint64(w), 8))
				for range 3 * rounds {
					at := random.IntN(names)
					least := acked[at].Load()
					err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
						n, err := thing(tx, fmt.Sprint("thing-", at))
						if err == nil && n < least {
							err = fmt.Errorf("thing-%d was %d, and is remembered as %d", at, least, n)
						}
						return err
					})
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		group.Wait()
		for i := range names {
			err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				n, err := thingInBooks(tx, fmt.Sprint("thing-", i))
				if err == nil && n != acked[i].Load() {
					err = fmt.Errorf("thing-%d was counted %d times, and is %d", i, acked[i].Load(), n)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}

// What is remembered falls with its record, with the company's reference data and with its time; what a transaction has
// written itself stands after its own commit, until the next.
func TestWhatMakesMemoriesFall(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	remember := func(closes func(tx *db.Tx) db.Time) {
		t.Helper()
		err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			tx.CachePut("it", tx.DependsOn(db.Ref{Resource: things, Key: "it"}).Within(0, closes(tx)), 8, "value")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	held := func() bool { _, ok := s.CacheGet(dbtest.Company, "it"); return ok }
	never := func(*db.Tx) db.Time { return 0 }
	for _, c := range []struct {
		name string
		do   func(tx *db.Tx) error
		held bool
	}{
		{"another record", func(tx *db.Tx) error { return writeThing(tx, "other", 1) }, true},
		{"its record", func(tx *db.Tx) error { return writeThing(tx, "it", 1) }, false},
		{"its record, quietly", func(tx *db.Tx) error { tx.Invalidate(things, "it"); return nil }, false},
		{"reference data", func(tx *db.Tx) error { return tx.BumpEpoch() }, false},
		{"written by who remembers it", func(tx *db.Tx) error {
			tx.CachePutWritten("it", 8, "value", db.Ref{Resource: things, Key: "it"})
			return writeThing(tx, "it", 2)
		}, true},
	} {
		remember(never)
		if !held() {
			t.Fatalf("before %s: nothing is remembered", c.name)
		}
		dbtest.Write(t, s, c.do)
		if held() != c.held {
			t.Errorf("after %s: remembered is %t", c.name, held())
		}
	}
	remember(func(tx *db.Tx) db.Time { return tx.Now })
	if held() {
		t.Error("what holds until now is remembered")
	}
	if _, ok := s.CacheGet(dbtest.Other, "it"); ok {
		t.Error("another company remembers it")
	}
}

// Everything that is cached shares one budget: what is put in beyond it displaces other things, whatever their kind.
func TestOneBudgetForAllThatIsCached(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	o.Memory = 8 << 20
	s := dbtest.Open(t, o)
	answer := strings.Repeat("x", 64<<10)
	for n := range 1_000 {
		name := fmt.Sprint(n)
		s.CachePut(dbtest.Company, "answer "+name, db.DependsOnMarks(nil), len(answer), answer)
		dbtest.Read(t, s, func(tx *db.Tx) error {
			tx.CachePutUnvalidated("total "+name, len(answer), answer)
			return nil
		})
	}
	count := func() (cached int) {
		dbtest.Read(t, s, func(tx *db.Tx) error {
			for n := range 1_000 {
				for _, kind := range []string{"answer ", "total "} {
					if _, ok := db.CacheGetUnvalidated[string](tx, kind+fmt.Sprint(n)); ok {
						cached++
					}
				}
			}
			return nil
		})
		return cached
	}
	most := o.Memory / int64(len(answer))
	for deadline := time.Now().Add(10 * time.Second); int64(count()) > most; { // eviction is not at once
		if time.Now().After(deadline) {
			t.Fatalf("%d values of %d bytes are cached within a budget of %d of them", count(), len(answer), most)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if count() == 0 {
		t.Error("nothing is cached")
	}
}

// What holds for a time holds by the clock that it was made by: who puts that back, by a day for example, is not told
// what is to be true tomorrow. A clock that is only corrected finds all that it had.
func TestAClockThatIsPutBackFindsNothingOfLater(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			var ahead atomic.Int64
			o := dbtest.Options(t, engine)
			o.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
			s := dbtest.Open(t, o)
			dbtest.Read(t, s, func(*db.Tx) error { return nil })
			s.CachePut(dbtest.Company, "always", db.DependsOnMarks(nil), 8, "value")
			until := s.Now() + db.Time((48 * time.Hour).Microseconds())
			s.CachePut(dbtest.Company, "tomorrow", db.DependsOnMarks(nil).Within(0, until), 8, "value")
			for _, c := range []struct {
				by   time.Duration
				held bool
			}{{0, true}, {-10 * time.Second, true}, {-24 * time.Hour, false}, {-5 * time.Minute, false},
				{time.Hour, true}, {72 * time.Hour, false}} {
				ahead.Store(int64(c.by))
				if _, held := s.CacheGet(dbtest.Company, "tomorrow"); held != c.held {
					t.Errorf("moved by %s the clock finds what holds for a time: %t", c.by, held)
				}
				if _, held := s.CacheGet(dbtest.Company, "always"); !held {
					t.Errorf("moved by %s the clock does not find what always holds", c.by)
				}
			}
		})
	}
}
