package db_test

import (
	"context"
	"database/sql"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// listening opens a store that hears of others, and counts what its watchers are told.
func listening(t *testing.T, o db.Options) (s *db.Store, told *atomic.Int64) {
	t.Helper()
	s, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	told = new(atomic.Int64)
	s.OnCommit(func(company string) {
		if company == dbtest.Request().Company {
			told.Add(1)
		}
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Hear(ctx); close(ended) }()
	t.Cleanup(func() {
		stop()
		<-ended
		s.Close()
	})
	return s, told
}

// until waits for what has a cause.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("never: %s", what)
		}
	}
}

func touch(t *testing.T, s *db.Store) {
	t.Helper()
	err := s.Write(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
		tx.Touch(things, "lamp")
		return tx.Insert("change", "stamp, id, resource, business_key, kind", 1, func(int) []any {
			return []any{tx.Stamp(), "lamp", things, "lamp", "changed"}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A process hears of what others commit, also after its connection for that was ended, and of its own commits once.
func TestOthersAreHeard(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	here, told := listening(t, o)
	there, elsewhere := listening(t, o)
	if err := there.CreateCell(t.Context(), dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	until(t, "both hear", func() bool { return here.Hears() && there.Hears() })
	before, beforeThere := told.Load(), elsewhere.Load()
	touch(t, here)
	until(t, "the commit was told elsewhere", func() bool { return elsewhere.Load() > beforeThere })
	touch(t, there) // what is said comes in its order: what here said itself came before
	until(t, "the other's commit was told", func() bool { return told.Load() > before+1 })
	if n := told.Load() - before; n != 2 {
		t.Errorf("two commits were told %d times", n)
	}

	endListeners(t, o.URL)
	until(t, "it noticed that it hears no more", func() bool { return !here.Hears() })
	if rest := here.Rest(time.Time{}); rest > time.Second {
		t.Errorf("who does not hear rests %s", rest)
	}
	until(t, "it hears again", here.Hears)
	before = told.Load()
	touch(t, there)
	until(t, "the other's next commit was told", func() bool { return told.Load() > before })
}

// endListeners ends the connections on which others are heard.
func endListeners(t *testing.T, target string) {
	t.Helper()
	server, err := sql.Open("pgx", target)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	_, err = server.Exec(`select pg_terminate_backend(pid) from pg_stat_activity
		where application_name = 'kontor listener' and datname = current_database()`)
	if err != nil {
		t.Fatal(err)
	}
}

// Behind a pooler nobody is heard, and who looks for changes looks often.
func TestThroughAPoolerNobodyIsHeard(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	o.URL = dbtest.Pooled(t, o.URL)
	err := o.Engine.Listen(t.Context(), o.URL, func() { t.Error("it listens") }, func(string) {})
	if err == nil || !strings.Contains(err.Error(), "pooler") {
		t.Fatalf("listening ended with %v", err)
	}
	s := dbtest.Open(t, o)
	touch(t, s) // is told through it all the same
	if rest := s.Rest(time.Time{}); rest > time.Second {
		t.Errorf("who does not hear rests %s", rest)
	}
}

// Who watches is woken by each commit, and does not wait until he would look anyway.
func TestACommitWakes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		watch := s.Watch(dbtest.Company)
		defer watch.Stop()
		const rounds, alone = 20, 5 * time.Second // how long he rests where nobody commits
		start := time.Now()
		for range rounds {
			touch(t, s)
			<-watch.Next()
		}
		if took := time.Since(start); took > rounds*alone/2 {
			t.Errorf("%d commits woke within %s", rounds, took)
		}
	})
}
