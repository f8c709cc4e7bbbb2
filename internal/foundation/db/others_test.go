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

// searches counts the rows of a table that the change log knows nothing of, kept by the counters of that table.
func searches(s *db.Store, channel string) (n int64, kept bool, err error) {
	ctx := context.Background()
	if !s.Abreast(ctx) {
		return 0, false, fmt.Errorf("the process cannot tell what others commit")
	}
	if n, ok := s.CacheGet(dbtest.Company, "searches "+channel); ok {
		return n.(int64), true, nil
	}
	marks := s.Versions().OfTables(dbtest.Company, db.TablesNamed("search_count"))
	err = s.Read(ctx, dbtest.Request(), func(tx *db.Tx) error {
		_, err := tx.One("-- db.searches\nselect count(*) from search_count where company = :company and channel_key = :channel",
			db.Args{"channel": channel}, &n)
		return err
	})
	if err == nil {
		s.CachePut(dbtest.Company, "searches "+channel, db.DependsOnMarks(marks), 8, n)
	}
	return n, false, err
}

// Two processes write what no change log tells of, some of their transactions slowly, some in vain. Whoever asks after
// a commit was answered finds it, whichever process made it.
func TestWhatIsKeptEndsWithTheCommitOfAnother(t *testing.T) {
	nodes := two(t)
	const writers, rounds = 4, 80
	var acked [writers]atomic.Int64
	var group sync.WaitGroup
	for w := range writers {
		channel := fmt.Sprint("channel-", w)
		group.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 5))
			for round := range rounds {
				refused := random.IntN(4) == 0
				err := search(nodes[w%2], channel, round, time.Duration(random.IntN(8))*time.Millisecond, refused)
				if err == nil {
					acked[w].Add(1)
				} else if !refused {
					t.Error(err)
				}
			}
		})
		group.Go(func() {
			for range 6 * rounds {
				least := acked[w].Load()
				if n, kept, err := searches(nodes[(w+1)%2], channel); err != nil || n < least {
					t.Errorf("%s has %d rows, %d are found (kept %t), %v", channel, least, n, kept, err)
					return
				}
			}
		})
	}
	group.Wait()
}

// While nobody but the process itself writes, what is kept stands until it writes to the same table.
func TestOwnCommitsLeaveOtherTablesKept(t *testing.T) {
	s := two(t)[0]
	write := func(table string, i int) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if table == "search_count" {
				return tx.Insert(table, "channel_key, day, text, searches", 1,
					func(int) []any { return []any{"web", "2026-01-02", fmt.Sprint(i), 1} })
			}
			tx.Touch(things, fmt.Sprint(i))
			if _, _, _, err := tx.NextNumbers("s", 1, func() (string, int64, int) { return "S-", 1, 6 }); err != nil {
				return err
			}
			return tx.Insert(table, "stamp, id, resource, business_key, kind", 1, func(int) []any {
				return []any{tx.Stamp(), fmt.Sprint("other ", i), things, fmt.Sprint(i), "changed"}
			})
		})
	}
	find := func(want int64) (kept bool) {
		t.Helper()
		n, kept, err := searches(s, "web")
		if n != want || err != nil {
			t.Errorf("%d found, %v; want %d", n, err, want)
		}
		return kept
	}
	const rounds = 100
	hits := 0
	var beside sync.WaitGroup
	defer beside.Wait()
	for i := range rounds {
		write("change", i)
		beside.Go(func() { write("change", rounds+i) }) // numbers are drawn while somebody asks
		if find(0) {
			hits++
		}
		time.Sleep(2 * time.Millisecond) // others are told of it meanwhile, which is a transaction as well
	}
	if hits < rounds*9/10 { // the server writes for itself now and then
		t.Errorf("of %d questions %d were answered by what was kept", rounds, hits)
	}
	if write("search_count", 1); find(1) {
		t.Error("what was kept of the table stands")
	}
}

// two are two processes on one database.
func two(t *testing.T) (nodes [2]*db.Store) {
	o := dbtest.Options(t, "postgres")
	for i := range nodes {
		s, err := db.Open(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		nodes[i] = s
	}
	if err := nodes[0].CreateCell(context.Background(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	return nodes
}

func search(s *db.Store, channel string, text int, slowly time.Duration, refused bool) error {
	return s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
		err := tx.Insert("search_count", "channel_key, day, text, searches", 1,
			func(int) []any { return []any{channel, "2026-01-02", fmt.Sprint(text), 1} })
		time.Sleep(slowly)
		if err == nil && refused {
			err = errRefused
		}
		return err
	})
}
