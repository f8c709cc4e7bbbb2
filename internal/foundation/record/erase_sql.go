package record

import (
	"fmt"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// ToErase notes that a person is to be taken out of the activity log.
func ToErase(tx *db.Tx, p Person) error {
	text, err := json.Marshal(p, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("record: a person: %w", err)
	}
	return tx.Insert("erasure", "id, person", 1, func(int) []any { return []any{p.ID, string(text)} })
}

// Seen notes of people who are to be taken out of the activity log that they are deleted, in a transaction that began
// after that was committed: who has not seen it yet began before.
func Seen(tx *db.Tx, ids []string) error {
	return tx.Run(`-- record.Seen
		update erasure set seen_at = :stamp where company = :company and seen_at = 0 and id in (:ids)`,
		db.Args{"stamp": tx.Stamp(), "ids": ids})
}

// Unsee forgets all that Seen noted, which means nothing where the clock is another.
func Unsee(tx *db.Tx) error {
	return tx.Run(`-- record.Unsee whole
		update erasure set seen_at = 0 where company = :company`, nil)
}

// Unseen are the ids of people who are to be taken out and not Seen, at most so many.
func Unseen(tx *db.Tx, most int) ([]string, error) {
	return db.Column[string](tx, `-- record.Unseen
		select id from erasure where company = :company and seen_at = 0 order by id limit :most`, db.Args{"most": most})
}

// Erasing are people who are to be taken out of the activity log and of whom nobody writes any more, at most so many.
func Erasing(tx *db.Tx, most int) ([]Person, error) {
	begun, err := tx.Begun()
	if err != nil {
		return nil, err
	}
	return db.Rows(tx, `-- record.Erasing
		select person from erasure where company = :company and seen_at > 0 and seen_at <= :begun order by id limit :most`,
		db.Args{"begun": begun, "most": most}, func(r db.Row, p *Person) error {
			var text string
			if err := r.Scan(&text); err != nil {
				return err
			}
			return json.Unmarshal([]byte(text), p)
		})
}

// ErasingAny reports whether anybody is to be taken out, now or later.
func ErasingAny(tx *db.Tx) (bool, error) {
	return tx.One(`-- record.ErasingAny
		select 1 from erasure where company = :company limit 1`, nil, new(int))
}

// Erased forgets people who were taken out.
func Erased(tx *db.Tx, people []Person) error {
	ids := each.Of(people, func(p Person) string { return p.ID })
	return tx.Run(`-- record.Erased
		delete from erasure where company = :company and id in (:ids)`, db.Args{"ids": ids})
}

// logRow is an entry of the activity log as Erase sees it.
type logRow struct {
	Place
	resource, actorID, actorName, detail string
}

// logAfter is the part of the activity log that follows a place, the oldest first.
func logAfter(tx *db.Tx, p Place, most int) ([]logRow, error) {
	return db.Rows(tx, `-- record.logAfter
		select at, id, action, resource, actor_id, actor_name, detail from activity
		where company = :company and (at, id, action) > (:at, :id, :action) order by at, id, action limit :most`,
		db.Args{"at": int64(p.At), "id": p.ID, "action": p.Action, "most": most}, func(r db.Row, e *logRow) error {
			return r.Scan(&e.At, &e.ID, &e.Action, &e.resource, &e.actorID, &e.actorName, &e.detail)
		})
}

// rewrite writes an entry that somebody was taken out of.
func rewrite(tx *db.Tx, e *logRow) error {
	return tx.Run(`-- record.rewrite
		update activity set actor_name = :name, detail = :detail
		where company = :company and at = :at and id = :id and action = :action`,
		db.Args{"at": int64(e.At), "id": e.ID, "action": e.Action, "name": e.actorName, "detail": e.detail})
}
