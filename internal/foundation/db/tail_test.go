package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// logged counts the changes of a thing in the change log, remembered.
func logged(tx *db.Tx, name string) (n int64, err error) {
	if n, _, ok := db.CacheGet[int64](tx, "logged "+name); ok {
		return n, nil
	}
	ground := tx.DependsOn(db.Ref{Resource: things, Key: name})
	_, err = tx.One(
		"-- db.logged\nselect count(*) from change where company = :company and resource = :things and business_key = :name",
		db.Args{"things": things, "name": name}, &n)
	if err == nil {
		tx.CachePut("logged "+name, ground, 8, n)
	}
	return n, err
}

// Two processes write through one database, some of their transactions slowly, some in vain, one of them more at once
// than is told apart. Whoever catches up after a commit was answered sees it, whichever process made it, and mostly
// without asking the books.
func TestCatchingUpWithAnotherProcess(t *testing.T) {
	catchUp(t, dbtest.Options(t, "postgres"))
}

func catchUp(t *testing.T, o db.Options) {
	var nodes [2]*db.Store
	for i := range nodes {
		s, err := db.Open(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.TailToo(
			db.Source{
				Query: "select stamp, resource, business_key as key, kind from change where company = :company and stamp > :from order by stamp",
				Refs:  func(resource, key, _ string) []db.Ref { return []db.Ref{{Resource: resource, Key: key}} }})
		nodes[i] = s
	}
	if err := nodes[0].CreateCell(context.Background(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	const names, writers, rounds = 4, 4, 60
	var acked [names]atomic.Int64
	var serial, asked, remembered atomic.Int64
	write := func(s *db.Store, name string, rows int, slowly time.Duration, refused bool) error {
		return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			tx.Touch(things, name)
			first := serial.Add(int64(rows)) - int64(rows)
			err := tx.Insert("change", "stamp, id, resource, business_key, kind", rows, func(i int) []any {
				return []any{tx.Stamp(), fmt.Sprint(first + int64(i)), things, name, "changed"}
			})
			time.Sleep(slowly)
			if err == nil && refused {
				err = errRefused
			}
			return err
		})
	}
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 3))
			for round := range rounds {
				at, rows, slowly, refused := random.IntN(names), 1, time.Duration(0), random.IntN(4) == 0
				if w == 0 && round == rounds/2 {
					rows, refused = 1_500, false
				}
				if random.IntN(6) == 0 {
					slowly = time.Duration(random.IntN(20)) * time.Millisecond
				}
				err := write(nodes[w%2], fmt.Sprint("thing-", at), rows, slowly, refused)
				if err == nil {
					acked[at].Add(int64(rows))
				} else if !refused {
					t.Error(err)
					return
				}
			}
		})
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 4))
			s := nodes[(w+1)%2]
			for range 8 * rounds {
				at := random.IntN(names)
				name, least := fmt.Sprint("thing-", at), acked[at].Load()
				r := dbtest.Request()
				if r.Caught = s.Catch(context.Background(), dbtest.Company); !r.Caught.Up() {
					t.Error("catching up failed")
					return
				}
				asked.Add(1)
				if n, ok := s.CacheGet(dbtest.Company, "logged "+name); ok {
					if remembered.Add(1); n.(int64) < least {
						t.Errorf("%s changed %d times, %d are remembered", name, least, n)
					}
					continue
				}
				err := s.Read(context.Background(), r, func(tx *db.Tx) error {
					n, err := logged(tx, name)
					if err == nil && n < least {
						err = fmt.Errorf("%s changed %d times, %d are known", name, least, n)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if remembered.Load() == 0 {
		t.Errorf("of %d questions none was answered from memory", asked.Load())
	}
	t.Logf("%d of %d questions were answered from memory", remembered.Load(), asked.Load())
}

// Without catching up nothing that is remembered is used where others write.
func TestNothingIsRememberedUncaught(t *testing.T) {
	s := dbtest.Store(t, "postgres")
	err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
		if g := tx.DependsOn(db.Ref{Resource: things}); g.IsCacheable() {
			t.Error("there is a ground to remember on")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
