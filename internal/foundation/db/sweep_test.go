package db_test

import (
	"fmt"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// However much has grown old, no transaction of a sweep takes more than some of it.
func TestSweepsTakeSomeAtATime(t *testing.T) {
	const old, young = 2_500, 20
	for name, part := range map[string]db.Sweep{
		"out": func(tx *db.Tx, _ string) (string, error) {
			return tx.SweepOut("test", "ticket_mail", "mail_key", "taken_at < :before", db.Args{"before": 2})
		},
		"through": func(tx *db.Tx, from string) (string, error) {
			return tx.SweepThrough("test", "ticket_mail", "mail_key", from, "taken_at < :before", db.Args{"before": 2})
		},
	} {
		t.Run(name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, s *db.Store) {
				dbtest.Write(t, s, func(tx *db.Tx) error {
					return tx.Insert("ticket_mail", "mail_key, taken_at", old+young, func(i int) []any {
						return []any{fmt.Sprintf("%05d", i), 1 + min(1, i/old)}
					})
				})
				left := func(tx *db.Tx) (n int) {
					if _, err := tx.One("-- test total\nselect count(*) from ticket_mail where company = :company", nil,
						&n); err != nil {
						t.Fatal(err)
					}
					return n
				}
				parts := 0
				err := s.Sweep(t.Context(), dbtest.Request(), func(tx *db.Tx, from string) (string, error) {
					before := left(tx)
					next, err := part(tx, from)
					if taken := before - left(tx); taken > 200 {
						t.Errorf("one part took %d rows", taken)
					}
					parts++
					return next, err
				})
				dbtest.Read(t, s, func(tx *db.Tx) error {
					if n := left(tx); err != nil || n != young || parts != 14 {
						t.Errorf("%d rows are left after %d parts: %v", n, parts, err)
					}
					return nil
				})
			})
		})
	}
}
