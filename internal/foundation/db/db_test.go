package db_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func TestACommittedWriteIsRead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("number_series", "series, next", 5,
				func(i int) []any { return []any{string(rune('a' + i)), i} })
		})
		var n int64
		var got []string
		dbtest.Read(t, s, func(tx *db.Tx) error {
			_, err := tx.One(
				"-- test\nselect sum(next) from number_series where company = :company and series in (:some)",
				db.Args{"some": []string{"b", "d", "e"}}, &n)
			if err != nil {
				return err
			}
			return tx.Each(
				"-- test\nselect series from number_series where company = :company and instr(series, :c) > 0 order by series",
				db.Args{"c": "c"}, func(r db.Row) error {
					got = append(got, "")
					return r.Scan(&got[len(got)-1])
				})
		})
		if n != 8 || len(got) != 1 || got[0] != "c" {
			t.Errorf("sum %d of b, d and e, want 8; %q found by part, want c", n, got)
		}
	})
}

func TestARefusalChangesNothing(t *testing.T) {
	refused := errors.New("no")
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					if err := tx.Insert("number_series", "series, next", 1, func(int) []any {
						return []any{string(rune('a' + i)), i}
					}); err != nil {
						return err
					}
					if i%2 == 1 {
						return refused
					}
					return nil
				})
				if (i%2 == 1) != errors.Is(err, refused) {
					t.Errorf("operation %d answered %v", i, err)
				}
			})
		}
		wg.Wait()
		var n int64
		dbtest.Read(t, s, func(tx *db.Tx) error {
			_, err := tx.One("-- test\nselect count(*) from number_series where company = :company", nil, &n)
			return err
		})
		if n != 20 {
			t.Errorf("%d rows are there, want the 20 of the operations that were not refused", n)
		}
	})
}

func TestOneCompanyNeverSeesAnother(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("number_series", "series, next", 1, func(int) []any { return []any{"mine", 1} })
		})
		r := dbtest.Request()
		r.Company = dbtest.Other
		err := s.Read(context.Background(), r, func(tx *db.Tx) error {
			found, err := tx.One("-- test\nselect company from change where company = :company or 1 = 1", nil,
				new(string))
			if found {
				t.Error("a statement that forgets the company in part of its predicate saw a foreign row")
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// What is not company data (people, keys, sign-ins) is out of reach of a company's transaction, and companies' data of
// a transaction without one: on SQLite they are other files, on PostgreSQL other roles.
func TestControlDataAndCompanyDataAreApart(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		look := func(table string) func(*db.Tx) error {
			return func(tx *db.Tx) error {
				var n int
				_, err := tx.One("-- db.look\nselect count(*) from "+table+" where :company = :company", nil, &n)
				return err
			}
		}
		for _, table := range []string{"app_user", "api_key", "oauth_token", "setting"} {
			if err := s.Read(t.Context(), dbtest.Request(), look(table)); err == nil {
				t.Errorf("a transaction of a company reads %s", table)
			}
			if err := s.Control(t.Context(), db.Request{}, false, look(table)); err != nil {
				t.Errorf("a transaction of the control data cannot read %s: %v", table, err)
			}
		}
		for _, table := range []string{"change", "sales_order", "customer"} {
			if err := s.Control(t.Context(), db.Request{}, false, look(table)); err == nil {
				t.Errorf("a transaction of the control data reads %s", table)
			}
		}
	})
}

func TestAPanicIsARefusalOfOneOperation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			var rows []string
			return errors.New(rows[len(tx.Company)]) // out of range
		})
		if fault.As(err).Kind != fault.Internal {
			t.Errorf("a panic answered %v", err)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("number_series", "series, next", 1, func(int) []any { return []any{"after", 1} })
		})
	})
}

func TestAnIdempotencyKeyIsTakenOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var effects sync.Map
		var wg sync.WaitGroup
		for i := range 50 {
			wg.Go(func() {
				var answer string
				err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					stored, err := record.Remember(tx, "k", "f")
					if err != nil {
						return err
					}
					if stored != nil {
						answer = string(stored.Body)
						return nil
					}
					answer = string(rune('A' + i))
					if err := tx.Insert("number_series", "series, next", 1, func(int) []any {
						return []any{answer, i}
					}); err != nil {
						return err
					}
					return record.Answered(tx, "k", "f", record.Answer{Status: 201, Body: []byte(answer)})
				})
				if err != nil {
					t.Error(err)
				}
				effects.Store(answer, true)
			})
		}
		wg.Wait()
		n := 0
		effects.Range(func(any, any) bool { n++; return true })
		if n != 1 {
			t.Errorf("50 requests with one key had %d effects", n)
		}
		err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := record.Remember(tx, "k", "another request")
			return err
		})
		if !fault.Is(err, record.ErrKeyReused) {
			t.Errorf("the key with another request answered %v", err)
		}
	})
}

// What the engine adds up beyond the range, or beyond 64 bits, is refused: neither wrapped nor a fault of ours.
func TestASumOutOfRangeIsRefused(t *testing.T) {
	const biggest = int64(1<<63 - 1)
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return tx.Insert("number_series", "series, next", 3, func(i int) []any {
				return []any{string(rune('a' + i)), []int64{biggest, biggest - 1, int64(dec.Max) + 1}[i]}
			})
		})
		for _, sum := range []string{"cast(sum(next) as bigint)", "sum(next)", "max(next) + min(next)", "max(next) * 2",
			"min(next)"} {
			err := s.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				var d dec.Dec
				_, err := tx.One("-- test\nselect "+sum+" from number_series where company = :company", nil, &d)
				return err
			})
			if !fault.Is(err, fault.ErrOutOfRange) {
				t.Errorf("%s answers %v, want the refusal Decimal.OutOfRange", sum, err)
			}
		}
		err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate number_series set next = next + next where company = :company", nil)
			return err
		})
		if !fault.Is(err, fault.ErrOutOfRange) {
			t.Errorf("a number that grows beyond 64 bits answers %v, want the refusal Decimal.OutOfRange", err)
		}
	})
}
