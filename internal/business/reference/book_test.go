package reference

import (
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What the book is made of is what moves the epoch: else a book that is kept in memory would outlive a change.
func TestTheBookIsMadeOfWhatMovesTheEpoch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		err := s.Read(t.Context(), dbtest.Request(), func(tx *db.Tx) error {
			if _, err := Of(tx); err != nil {
				return err
			}
			read, _ := tx.Read()
			if more := read.Without(Tables()); more != (db.Tables{}) {
				t.Errorf("the book is read from %s as well", more)
			}
			if more := Tables().Without(read); more != (db.Tables{}) {
				t.Errorf("nothing of the book is read from %s", more)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
