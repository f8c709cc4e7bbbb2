package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// countUp counts a row up in a transaction of its own.
func countUp(t *testing.T, s *db.Store) {
	dbtest.Write(t, s, func(tx *db.Tx) error {
		return tx.Run(`-- test
			insert into number_series (company, series, prefix, next, width) values (:company, 'seen', '', 1, 0)
			on conflict (company, series) do update set next = number_series.next + 1`, nil)
	})
}

func counted(tx *db.Tx) (n int, err error) {
	_, err = tx.One("-- test\nselect next from number_series where company = :company and series = 'seen'", nil, &n)
	return n, err
}

// The end of a reader's snapshot goes with what his connection is told next, so who is lent it must not read in it.
func TestNobodyReadsInTheSnapshotOfTheOneBefore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for want := 1; want <= 50; want++ {
			countUp(t, s)
			dbtest.Read(t, s, func(tx *db.Tx) error {
				n, err := counted(tx)
				if n != want {
					t.Errorf("%d was committed, and %d is read", want, n)
				}
				return err
			})
		}
	})
}

// A snapshot that nobody needs keeps the server from cleaning up, and a change of its tables from beginning.
func TestNoSnapshotStaysOpen(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s := dbtest.Open(t, o)
	countUp(t, s)
	refused := errors.New("refused")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				err := s.Read(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
					_, err := counted(tx)
					if i == 0 {
						err = errors.Join(err, refused)
					}
					return err
				})
				if err != nil && !errors.Is(err, refused) {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	server := dbtest.Beside(t, o.URL)
	open := func() (n int) {
		if err := server.QueryRow(`select count(*) from pg_stat_activity where datname = current_database()
			and application_name = 'kontor reader' and state <> 'idle'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for end := time.Now().Add(10 * time.Second); open() > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d readers that are gone have a snapshot still", open())
		}
	}
	countUp(t, s)
	dbtest.Read(t, s, func(tx *db.Tx) error {
		n, err := counted(tx)
		if n != 2 {
			t.Errorf("read %d from a connection whose snapshot was ended", n)
		}
		return err
	})
}

// Whoever is lent a connection whose last snapshot the server ended by itself, or that broke, meets nobody else's
// trouble.
func TestABrokenSnapshotIsNoLaterReadersTrouble(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s := dbtest.Open(t, o)
	countUp(t, s)
	server := dbtest.Beside(t, o.URL)
	for range 10 {
		dbtest.Read(t, s, func(tx *db.Tx) error { _, err := counted(tx); return err })
		terminateReaders(t, server)
		dbtest.Read(t, s, func(tx *db.Tx) error { _, err := counted(tx); return err })
	}
}

// What the server refuses a reader is nothing to the next one on the same connection, who asks what nobody asked
// before.
func TestWhatIsRefusedToOneReaderIsNotToTheNext(t *testing.T) {
	s := dbtest.Open(t, dbtest.Options(t, "postgres"))
	for k := range 5 {
		err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			if _, err := tx.One("-- test.first\nselect 1 where :company = :company", nil, new(int)); err != nil {
				t.Fatal(err)
			}
			_, err := tx.One("-- test.refused\nselect 1 / :none where :company = :company", db.Args{"none": 0}, new(int))
			return err
		})
		if err == nil {
			t.Fatal("one was divided by nothing")
		}
		tries := 0
		dbtest.Read(t, s, func(tx *db.Tx) error {
			tries++
			_, err := tx.One(fmt.Sprintf("-- test.new%d\nselect %d where :company = :company", k, k), nil, new(int))
			return err
		})
		if tries != 1 {
			t.Errorf("the next reader was begun %d times", tries)
		}
	}
}

func terminateReaders(t *testing.T, server *sql.DB) {
	t.Helper()
	_, err := server.ExecContext(context.Background(), `select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and application_name = 'kontor reader'`)
	if err != nil {
		t.Fatal(err)
	}
}

// The tables keep what is so as 0 or 1, which is read as a truth on both engines, as are texts and numbers into types
// of ours.
func TestValuesAreReadAsWhatTheyMean(t *testing.T) {
	type word string
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Read(t, s, func(tx *db.Tx) error {
			var (
				yes, no bool
				n       int
				at      db.Time
				text    word
				any     any
				bytes   []byte
				none    *string
			)
			_, err := tx.One("-- test\nselect 1, 0, 7, 8, 'a', 9, 'b', null where :company = :company", nil,
				&yes, &no, &n, &at, &text, &any, &bytes, &none)
			if !yes || no || n != 7 || at != 8 || text != "a" || string(bytes) != "b" || none != nil {
				t.Error(yes, no, n, at, text, string(bytes), none)
			}
			return err
		})
	})
}
