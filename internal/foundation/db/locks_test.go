package db_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// Who locks rows in another order than everybody else is told of, however he locks them. What is locked already is
// nobody else's.
func TestLocksOutOfOrderAreToldOf(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Skip("on SQLite nobody writes beside a transaction")
	}
	var told []string
	ctx := db.Doubting(context.Background(), func(text string) {
		if strings.Contains(text, "LocksInOrder") {
			told = append(told, text)
		}
	})
	s, err := db.Open(ctx, dbtest.Options(t, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.LocksInOrder("brand", "category", "test.attributes", "item")
	if err := s.CreateCell(ctx, dbtest.Info()); err != nil {
		t.Fatal(err)
	}
	read := func(table, lock string) string {
		return "-- test\nselect id from " + table + " where company = :company" + lock
	}
	const (
		attributes = "-- test.attributes\nselect code from attribute where company = :company for update"
		removed    = "-- test\ndelete from brand where company = :company"
	)
	for _, c := range []struct {
		name       string
		statements []string
		isWrong    bool
	}{
		{"in order", []string{read("brand", " for update"), read("category", " for share"), attributes,
			read("item", " for update")}, false},
		{"again", []string{read("brand", " for update"), read("item", " for update"), read("brand", " for update")}, false},
		{"only read", []string{read("item", " for update"), read("brand", "")}, false},
		{"what others have is left", []string{read("item", " for update"), read("brand", " for update skip locked")}, false},
		{"out of order", []string{read("item", " for update"), read("category", " for update")}, true},
		{"by deleting", []string{read("item", " for update"), removed}, true},
		{"by the name of a statement", []string{read("item", " for update"), attributes}, true},
	} {
		told = nil
		dbtest.Write(t, s, func(tx *db.Tx) error {
			for _, statement := range c.statements {
				if err := tx.Each(statement, nil, func(db.Row) error { return nil }); err != nil {
					return err
				}
			}
			return nil
		})
		if len(told) > 0 != c.isWrong {
			t.Errorf("%s: told of %q", c.name, told)
		}
	}
}
