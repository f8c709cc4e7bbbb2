package db_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fold"
)

// target is an empty database of the named engine.
func target(t *testing.T, engine string) (*db.Engine, string) {
	t.Helper()
	o := dbtest.Options(t, engine)
	if o.URL != "" {
		execute(t, o.Engine, o.URL, "drop schema public cascade; create schema public")
		return o.Engine, o.URL
	}
	return o.Engine, filepath.Join(o.Dir, "cell.db")
}

func execute(t *testing.T, e *db.Engine, target, statement string) {
	t.Helper()
	d, err := e.Open(target, db.ForOwning)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// Data of a build that had step 200 before 198 and 199 is brought up to date like any other.
func TestAStepThatWasPassedOverIsApplied(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			ctx := context.Background()
			e, where := target(t, engine)
			if err := db.MigrateTo(ctx, e, where, db.CellSchema, 197); err != nil {
				t.Fatal(err)
			}
			step, err := os.ReadFile("schema/cell/00200_cart_version.sql")
			if err != nil {
				t.Fatal(err)
			}
			execute(t, e, where, e.Types.Replace(string(step)))
			execute(t, e, where, "insert into schema_version_cell (version_id, is_applied) values (200, true)")
			have, err := db.MigrationStatus(ctx, e, where, db.CellSchema)
			if err != nil || have.Version != 200 || !slices.Equal(have.Pending[:3], []int64{198, 199, 202}) {
				t.Fatalf("before: %+v, %v", have, err)
			}
			if err := db.Migrate(ctx, e, where, db.CellSchema); err != nil {
				t.Fatal(err)
			}
			if have, err = db.MigrationStatus(ctx, e, where, db.CellSchema); err != nil || len(have.Pending) > 0 {
				t.Errorf("afterwards: %+v, %v", have, err)
			}
		})
	}
}

// Entries of the ledger from before their documents' numbers were folded are found by them.
func TestTheLedgersNumbersAreFolded(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			ctx := context.Background()
			e, where := target(t, engine)
			if err := db.MigrateTo(ctx, e, where, db.CellSchema, 560); err != nil {
				t.Fatal(err)
			}
			execute(t, e, where, `insert into stock_entry (company, id, version, created_at, changed_at, kind, at, warehouse,
				location, item_id, item, quantity, balance_after, average_after, ref_id, seq)
				values ('c', 'e', 1, 1, 1, 'Receipt', 1, 'MAIN', 'A', 'i', 'I', 1, 1, 0, 'PÖ-1 Straße', 1)`)
			if err := db.Migrate(ctx, e, where, db.CellSchema); err != nil {
				t.Fatal(err)
			}
			d, err := e.Open(where, db.ForOwning)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			var key string
			if err := d.QueryRow("select ref_key from stock_entry").Scan(&key); err != nil || key != fold.Key("PÖ-1 Straße") {
				t.Errorf("the number is folded to %q, %v", key, err)
			}
		})
	}
}

func TestDataOfANewerProgramIsRefused(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			ctx := context.Background()
			e, where := target(t, engine)
			if err := db.Migrate(ctx, e, where, db.ControlSchema); err != nil {
				t.Fatal(err)
			}
			execute(t, e, where, "insert into schema_version_control (version_id, is_applied) values (99999, true)")
			if err := db.Migrate(ctx, e, where, db.ControlSchema); !errors.Is(err, db.ErrNewer) {
				t.Errorf("a newer schema: %v", err)
			}
		})
	}
}

// Where nothing is to be done a start asks on a connection that it keeps. As the role of who reads it was refused an
// answer, and every start opened one more for the same question.
func TestAStartAsksForTheVersionsOnce(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	e, owning := *o.Engine, 0
	o.Engine = &e
	open := e.Open
	e.Open = func(target string, use db.Use) (*sql.DB, error) {
		if use == db.ForOwning {
			owning++
		}
		return open(target, use)
	}
	dbtest.Open(t, o)
	if owning != 1 {
		t.Errorf("%d handles of the owner's, one is used", owning)
	}
}
