package record

import (
	"encoding/base64"
	"strconv"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// ErrCursorExpired refuses a cursor from before the company's data was restored: what it has seen may never have
// happened, so the mirror must be read anew.
var ErrCursorExpired = fault.New(fault.Gone, "Sync.CursorExpired")

// Deletion is a record that is gone.
type Deletion struct {
	ID, Resource, BusinessKey string
	DeletedAt                 db.Time
}

// ChangeRow is one entry of the change feed.
type ChangeRow struct {
	Stamp                           db.Time
	ID, Resource, BusinessKey, Kind string
	Cursor                          string // behind this entry
}

// Changes are entries of the change feed and the cursor to go on from.
type Changes struct {
	Rows []ChangeRow
	Next string
}

// position is a place in the change feed: everything up to and including it has been seen.
type position struct {
	stamp db.Time
	id    string
	exact bool // the stamp is that of a change that there was
}

// lastID sorts behind every id, so that a position may stand behind a whole stamp.
const lastID = "~"

// cursor is a position as callers keep it. It names the generation of the data, which a restore changes.
func (p position) cursor(generation string) string {
	text := generation + " " + strconv.FormatInt(int64(p.stamp), 36) + " " + p.id + " ."
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

// positionOf reads a cursor; the empty one stands before everything. Sync.CursorExpired for one of another generation.
func positionOf(cursor, generation string) (p position, err error) {
	if cursor == "" {
		return p, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	parts := strings.Split(string(text), " ")
	if err != nil || len(parts) != 3 && len(parts) != 4 { // three of them until stamps were those of changes alone
		return p, fault.ErrInvalid.At("after",
			"is no cursor: send nextCursor as an earlier answer gave it, or leave it out to begin anew")
	}
	stamp, err := strconv.ParseInt(parts[1], 36, 64)
	if err != nil {
		return p, fault.ErrInvalid.At("after",
			"is no cursor: send nextCursor as an earlier answer gave it, or leave it out to begin anew")
	}
	if parts[0] != generation {
		return p,
			ErrCursorExpired.Because(
				"the company's data was restored since this cursor was given: read the lists anew, then begin without a cursor")
	}
	return position{db.Time(stamp), parts[2], len(parts) == 4}, nil
}
