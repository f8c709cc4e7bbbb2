// Package record is the write funnel: every write of an aggregate (an order with its lines, a customer
// with contacts and addresses) is reported here, as Created, Changed, Touched or Deleted of its root. From
// that one call follow the version and so the ETag, the change stamps and so modifiedSince, the deletion log,
// /changes, the activity log with what changed, and the dropping of kept bytes, for every resource alike.
package record

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fold"
)

// Resource is a kind of aggregate.
type Resource struct {
	Name  string   // the path segment of its collection, as /deletions and /changes name it
	Table string   // of its root
	Area  string   // of its codes: Area.NotFound
	Parts []string // tables of rows that are part of a record, and change with it alone
}

// Define names a resource. Called in the var block of the room that owns it. parts are the tables besides its own whose
// rows are part of a record: an answer made of one record is kept although those of others change.
func Define(name, table, area string, parts ...string) Resource {
	return Resource{name, table, area, parts}
}

// Tables are those of the resource's records.
func (r Resource) Tables() db.Tables {
	return db.TablesNamed(append(r.Parts[:len(r.Parts):len(r.Parts)], r.Table)...)
}

// Root is embedded by every aggregate: its identity, its revision and its stamps.
type Root struct {
	ID         string
	Version    int64
	CreatedAt  db.Time
	ModifiedAt db.Time // 0 until first changed
	ChangedAt  db.Time // the newer of the two
}

// RootColumns are the columns of a root in the order of Scan and Values.
const RootColumns = "id, version, created_at, modified_at, changed_at"

// Scan are where RootColumns stand: to be scanned into, and to be written from.
func (r *Root) Scan() []any {
	return []any{&r.ID, &r.Version, &r.CreatedAt, &r.ModifiedAt, &r.ChangedAt}
}

// ETag is the weak validator of the whole aggregate: its id and its revision.
func (r Root) ETag() string {
	b := make([]byte, 0, 64)
	b = append(b, `W/"`...)
	b = append(b, r.ID...)
	b = append(b, '-')
	b = appendInt(b, r.Version)
	return string(append(b, '"'))
}

func appendInt(b []byte, n int64) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, '0'+byte(n%10))
}

// New is the root of a record about to be inserted.
func New(tx *db.Tx) Root {
	at := tx.Stamp()
	return Root{ID: NewID(), Version: 1, CreatedAt: at, ChangedAt: at}
}

// Fresh refuses a caller's If-Match that names another revision of a record that was just locked.
func (r Root) Fresh(tx *db.Tx) error { return tx.Fresh(r.ID, r.ETag()) }

// Revised makes a root that is about to be inserted the revision that so many acts have made of it: what happens to a
// new record before it is written is written with it, but counts as if it had been changed afterwards. Each act has a
// microsecond of its own.
func (r *Root) Revised(tx *db.Tx, acts int) {
	if acts == 0 {
		return
	}
	r.Version += int64(acts)
	r.ModifiedAt = max(tx.Stamp(), r.CreatedAt+db.Time(acts))
	r.ChangedAt = r.ModifiedAt
}

// NewID is a UUID of version 7, which sorts by the moment it was made (RFC 9562, section 5.7).
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

// Fold is the form in which business keys are compared: case folded, in Unicode normal form C.
func Fold(s string) string { return fold.Key(s) }

// FoldAll folds many keys, each once, in a stable order.
func FoldAll(keys []string) []string {
	out := each.Of(keys, Fold)
	slices.Sort(out)
	return slices.Compact(out)
}

// SearchText is what a search column keeps: the folded parts, one after another.
func SearchText(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		if p == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(Fold(p))
	}
	return b.String()
}

// Words are the folded words of a search.
func Words(search string) []string { return strings.FieldsFunc(Fold(search), unicode.IsSpace) }

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
	if at > tx.Now.Add(ahead) {
		return at, ErrInFuture.At(field, "%s is still to come: say when it was done, or leave it out for now", at)
	}
	return at, nil
}
