package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A row that breaks a rule is refused, with the rule's name, on both engines and whatever writes it; what a restore
// puts back is not.
func TestRowsBreakNoRule(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		hold := func(tx *db.Tx, quantity int) error {
			return tx.Insert("stock_hold", "owner, item_id, warehouse, quantity, ends_at", 1,
				func(int) []any { return []any{"o", "i", "w", quantity, 1} })
		}
		write := func(fn func(tx *db.Tx) error) error { return s.Write(context.Background(), dbtest.Request(), fn) }
		err := write(func(tx *db.Tx) error { return hold(tx, -1) })
		if !errors.Is(err, db.ErrRule) || !strings.Contains(err.Error(), "stock_hold_above") {
			t.Errorf("a hold of -1: %v", err)
		}
		if n := s.Figures().Setbacks["rule_broken"]; n != 1 {
			t.Errorf("%d rules were broken, as the figures say", n)
		}
		if err := write(func(tx *db.Tx) error { return tx.Unruled(func() error { return hold(tx, -2) }) }); err != nil {
			t.Errorf("what is put back: %v", err)
		}
		said := ""
		dbtest.Read(t, s, func(tx *db.Tx) error {
			return tx.BrokenRules(func(r db.Rule, rows int64) { said += fmt.Sprint(r.Name, " ", rows, ".") })
		})
		if said != "stock_hold_above 1." {
			t.Errorf("the rules that rows break: %q", said)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			return tx.Damage(func(text string) { t.Errorf("a row from before a rule is damage: %s", text) })
		})
		err = write(func(tx *db.Tx) error {
			_, err := tx.Exec("-- db.Test\nupdate stock_hold set quantity = -3 where company = :company", nil)
			return err
		})
		if !errors.Is(err, db.ErrRule) {
			t.Errorf("the rules are not on again: %v", err)
		}
	})
}

// PostgreSQL reads the text of each rule of a table for each statement that writes to it: it lists words as one value,
// and asks a function that is not read with it.
func TestRulesAreCheapOnPostgres(t *testing.T) {
	d, err := sql.Open("pgx", dbtest.DatabaseURL(t))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var rules, lists, dear, spelled int
	var language string
	err = d.QueryRow(`select count(*), count(*) filter (where pg_get_constraintdef(oid) like '%''{%'), count(*) filter (where conbin::text like '%ARRAYEXPR%'),
		(select lanname from pg_language l join pg_proc p on p.prolang = l.oid where p.proname = 'kontor_unruled')
		from pg_constraint where contype = 'c' and connamespace = current_schema()::regnamespace`).
		Scan(&rules, &lists, &dear, &language)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range append(db.Rules(db.CellSchema), db.Rules(db.ControlSchema)...) {
		if strings.Contains(r.Says, " in (") {
			spelled++
		}
	}
	if dear > 0 || lists != spelled || lists == 0 || language != "plpgsql" {
		t.Errorf(
			"of %d rules %d list words, %d of them word by word; the schema has %d that do; what lifts them is in %s",
			rules, lists, dear, spelled, language)
	}
}
