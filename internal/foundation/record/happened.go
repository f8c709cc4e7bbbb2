package record

import (
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// ErrInFuture refuses what is reported as done and cannot be yet (400).
var ErrInFuture = fault.New(fault.Invalid, "Timestamp.InFuture")

// ahead is how far what is reported may be ahead of our clock. No contract bounds it, and who tries a system out lives
// in other years: a decade that was mistyped is found.
const ahead = 366 * 24 * time.Hour

// Happened is when something was done that is reported at field: now where nobody says. One in a far year would stand
// in the books for good, and what must come after it could not be reported any more.
func Happened(tx *db.Tx, field string, at db.Time) (db.Time, error) {
	if at == 0 {
		return tx.Now, nil
	}
	if at > tx.Now+db.Time(ahead.Microseconds()) {
		return at, ErrInFuture.At(field, "%s is still to come: say when it was done, or leave it out for now", at)
	}
	return at, nil
}
