package record

import "kontor/internal/foundation/db"

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
func rewrite(tx *db.Tx, e logRow) error {
	return tx.Run(`-- record.rewrite
		update activity set actor_name = :name, detail = :detail
		where company = :company and at = :at and id = :id and action = :action`,
		db.Args{"at": int64(e.At), "id": e.ID, "action": e.Action, "name": e.actorName, "detail": e.detail})
}
