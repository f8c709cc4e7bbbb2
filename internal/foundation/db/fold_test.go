package db_test

import (
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fold"
)

// What SQL folds is what keys are folded to, letters beyond ASCII included.
func TestFoldInSQL(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		for _, text := range []string{"", "SO-1", "ÅKERI Ö", "A\u030AKERI", "Straße", "ΟΔΟΣ", "Łódź", "Ширина"} {
			dbtest.Read(t, s, func(tx *db.Tx) error {
				var is string
				_, err := tx.One("-- test\nselect fold(:text) where :company = :company", db.Args{"text": text}, &is)
				if is != fold.Key(text) {
					t.Errorf("fold(%q) = %q, want %q", text, is, fold.Key(text))
				}
				return err
			})
		}
	})
}
