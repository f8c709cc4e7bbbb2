package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/fault"
)

// traffic writes and reads without pause, and keeps what was answered.
type traffic struct {
	store        *db.Store
	ctx          context.Context
	acknowledged atomic.Int64
	lastGood     atomic.Int64 // of writers
	slowest      atomic.Int64
	mu           sync.Mutex
	strange      []error // answers that are neither done nor "try again"
}

func (f *traffic) run(writers, readers int) (wait func()) {
	var all sync.WaitGroup
	loop := func(name string, do func(i int64) error) {
		all.Go(func() {
			for i := int64(0); f.ctx.Err() == nil; i++ {
				start := time.Now()
				err := do(i)
				f.slowest.Store(max(f.slowest.Load(), int64(time.Since(start))))
				var refusal *fault.Fault
				if err != nil && (!errors.As(err, &refusal) || !fault.Is(err, fault.ErrUnavailable) ||
					refusal.RetryAfterSeconds == 0) {
					f.mu.Lock()
					f.strange = append(f.strange, fmt.Errorf("%s: %w", name, err))
					f.mu.Unlock()
				}
				if err != nil {
					time.Sleep(5 * time.Millisecond)
				}
			}
		})
	}
	for w := range writers {
		loop("write", func(i int64) error {
			err := f.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				return tx.Insert("number_series", "series, prefix, next, width", 1,
					func(int) []any { return []any{fmt.Sprintf("%d-%d", w, i), "S-", 1, 6} })
			})
			if err == nil {
				f.acknowledged.Add(1)
				f.lastGood.Store(time.Now().UnixNano())
			}
			return err
		})
	}
	for range readers {
		loop("read", func(int64) error {
			r := dbtest.Request()
			r.AsksCommitted = true
			return f.store.Read(context.Background(), r, func(tx *db.Tx) error {
				_, err := tx.Committed()
				return err
			})
		})
	}
	return all.Wait
}

// followed is a store on a server with a standby, and a company in it.
func followed(t *testing.T) (s *db.Store, first, second *dbtest.Server) {
	first = dbtest.NewServer(t)
	second = first.Standby(t)
	s, err := db.Open(t.Context(), db.Options{Engine: postgres.Engine(), URL: second.URL(first), Dir: t.TempDir(),
		Connections: 20, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	if err := s.CreateCell(t.Context(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	return s, first, second
}

// Whatever becomes of the server, what was acknowledged is there on its successor, others are told to try again, and
// there is service soon after the successor takes changes. Replication is not synchronous here, so the server is given
// a moment to pass on what it has.
func TestFailover(t *testing.T) {
	if testing.Short() {
		t.Skip("makes clusters of its own")
	}
	for name, fail := range map[string]func(t *testing.T, s *dbtest.Server){
		"stopped": func(t *testing.T, s *dbtest.Server) { s.Stop(t) },
		"frozen":  func(t *testing.T, s *dbtest.Server) { s.Freeze() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, first, second := followed(t)
			ctx, stop := context.WithCancel(context.Background())
			defer stop()
			f := &traffic{store: s, ctx: ctx}
			wait := f.run(6, 3)
			for f.acknowledged.Load() < 200 {
				time.Sleep(10 * time.Millisecond)
			}
			fail(t, first)
			time.Sleep(time.Second)
			second.Promote(t)
			promoted := time.Now()
			for f.lastGood.Load() < promoted.UnixNano() {
				if time.Since(promoted) > 40*time.Second {
					t.Fatal("no service on the promoted server")
				}
				time.Sleep(10 * time.Millisecond)
			}
			t.Logf("service %s after the promotion", time.Since(promoted).Round(time.Millisecond))
			time.Sleep(2 * time.Second)
			stop()
			wait()
			first.Thaw()
			t.Logf("%d acknowledged, the slowest answer took %s", f.acknowledged.Load(),
				time.Duration(f.slowest.Load()).Round(time.Millisecond))
			for _, err := range f.strange[:min(3, len(f.strange))] {
				t.Errorf("%d answers of another kind than done or try again, such as: %v", len(f.strange), err)
			}
			if slowest := time.Duration(f.slowest.Load()); slowest > 15*time.Second {
				t.Errorf("somebody waited %s for an answer", slowest)
			}
		})
	}
}

// A connection that failed as its transaction began, on a server that takes no changes any more, is not lent to anybody
// again.
func TestAFailedBeginPoisonsNobody(t *testing.T) {
	var refusing atomic.Bool
	o := dbtest.Options(t, "postgres")
	begin := o.Engine.Begin
	o.Engine.Begin = func(ctx context.Context, c *sql.Conn, b db.Beginning) (db.Begun, error) {
		if !refusing.Load() {
			return begin(ctx, c, b)
		}
		_, err := c.ExecContext(ctx,
			"begin; do $$ begin raise exception 'cannot do this during recovery' using errcode = '25006'; end $$")
		return db.Begun{}, err
	}
	s, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.CreateCell(t.Context(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	work := map[string]func() error{
		"write": func() error { return s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error { return nil }) },
		"read":  func() error { return s.Read(t.Context(), dbtest.Request(), func(tx *db.Tx) error { return nil }) },
	}
	for range 3 {
		refusing.Store(true)
		for name, do := range work {
			f := fault.As(do())
			if !fault.Is(f, fault.ErrUnavailable) || f.RetryAfterSeconds == 0 {
				t.Errorf("%s during recovery: %v, want a refusal with Retry-After", name, f)
			}
		}
		refusing.Store(false)
		for range 2 * o.Connections {
			for name, do := range work {
				if err := do(); err != nil {
					t.Fatalf("%s after it: %v", name, err)
				}
			}
		}
	}
}

// A server that works for long is waited for: it answers others.
func TestASlowServerIsWaitedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	s := dbtest.Store(t, "postgres")
	err := s.Read(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
		var slept string
		_, err := tx.One("-- test\nselect pg_sleep(6)::text where :company <> ''", nil, &slept)
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A change ends with its request's time, not with who asked for it.
func TestAChangeHasItsRequestsTime(t *testing.T) {
	s := dbtest.Store(t, "postgres")
	sleep := func(ctx context.Context, seconds string) error {
		return s.Write(ctx, dbtest.Request(), func(tx *db.Tx) error {
			var slept string
			_, err := tx.One("-- test\nselect pg_sleep("+seconds+")::text where :company <> ''", nil, &slept)
			return err
		})
	}
	left, leave := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, leave)
	if err := sleep(left, "0.3"); err != nil {
		t.Errorf("whoever asked has left: %v", err)
	}
	limited, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer stop()
	start := time.Now()
	if err := sleep(limited, "20"); !fault.Is(err, fault.ErrUnavailable) || time.Since(start) > 10*time.Second {
		t.Errorf("after %s: %v", time.Since(start), err)
	}
}

// Where a pooler has lent all its connections to transactions that want numbers, they get them all the same.
func TestNumbersAreDrawnWhereThePoolerHasNoConnectionLeft(t *testing.T) {
	o := db.Options{Engine: postgres.Engine(), URL: dbtest.Pooled(t, dbtest.EmptyDatabaseURL(t)), Dir: t.TempDir(),
		Connections: 60, Memory: 1 << 24}
	catchUp(t, o)
	s, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var work sync.WaitGroup
	drawn := sync.Map{}
	for range 20 { // dbtest.Pooled lends 12
		work.Go(func() {
			var first int64
			err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) (err error) {
				var n int64
				if _, err := tx.One("-- test\nselect count(*) from change where company = :company", nil, &n); err != nil {
					return err
				}
				time.Sleep(200 * time.Millisecond) // until all are lent
				_, first, _, err = tx.NextNumbers("s", 1, func() (string, int64, int) { return "S-", 1, 6 })
				return err
			})
			if _, twice := drawn.LoadOrStore(first, true); err != nil || twice {
				t.Errorf("number %d: twice %v, %v", first, twice, err)
			}
		})
	}
	work.Wait()
}

// Behind a pooler that lends a server's connection for one transaction only, everything works that works without it:
// the schema is brought up to date, companies are kept apart, processes see each other's commits in order, numbers are
// drawn.
func TestBehindAPooler(t *testing.T) {
	direct := dbtest.EmptyDatabaseURL(t)
	o := db.Options{Engine: postgres.Engine(), URL: dbtest.Pooled(t, direct), Dir: t.TempDir(), Connections: 20,
		Memory: 1 << 24}
	for target, want := range map[string]bool{direct: false, o.URL: true} {
		if is, err := postgres.Pooler(t.Context(), target); err != nil || is != want {
			t.Fatalf("a pooler is recognised: %v, %v, want %v", is, err, want)
		}
	}
	catchUp(t, o)
	s, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	other := dbtest.Info()
	other.ID, other.Code = dbtest.Other, "other"
	if err := s.CreateCell(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	var work sync.WaitGroup
	drawn := sync.Map{}
	for range 6 {
		work.Go(func() {
			for range 30 {
				var first int64
				err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) (err error) {
					_, first, _, err = tx.NextNumbers("s", 1, func() (string, int64, int) { return "S-", 1, 6 })
					return err
				})
				if _, twice := drawn.LoadOrStore(first, true); err != nil || twice {
					t.Errorf("number %d: twice %v, %v", first, twice, err)
				}
				r := dbtest.Request()
				r.Company = dbtest.Other
				err = s.Read(t.Context(), r, func(tx *db.Tx) error {
					var n int64
					_, err := tx.One("-- test\nselect count(*) from change where company <> :company", nil, &n)
					if err == nil && n > 0 {
						t.Errorf("%d rows of another company are seen", n)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	work.Wait()
}
