package record

import (
	"math"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/db"
)

// Entry is a row of the activity log: who did what to which record, when, and what it changed.
type Entry struct {
	At            db.Time
	ID            string // of the record
	Resource, Key string
	Action        string // created, changed, deleted, or the verb
	Actor         db.Actor
	RequestID     string
	// Before and after by field; nil for a record that was created or deleted, whose values are in Whole.
	Changes map[string][2]any
	Whole   map[string]any
}

// ActivityFilter narrows the activity log; its zero value takes all.
type ActivityFilter struct {
	Resource, ID, Key string
	ActorKind, Actor  string // kind, and id
	Action            string
	From, To          db.Time // To is exclusive
}

// Activities reads a page of the activity log, the newest entry first.
func Activities(tx *db.Tx, f ActivityFilter, p Page) (Found[Entry], error) {
	q := Query{Name: "record.Activities", From: "activity a",
		Select: "a.at, a.id, a.resource, a.business_key, a.action, a.actor_kind, a.actor_id, a.actor_name, " +
			"a.client_name, a.request_id, a.detail",
		Key:    []string{"a.at desc", "a.id desc", "a.action desc"},
		Newest: "-- record.Activities newest\nselect at from activity where company = :company order by at desc limit 1"}
	where := func(sql, name string, value any, given bool) {
		if given {
			q.Where(sql, db.Args{name: value})
		}
	}
	where("a.resource = :resource", "resource", f.Resource, f.Resource != "")
	where("a.id = :id", "id", f.ID, f.ID != "")
	where("a.business_key = :key", "key", f.Key, f.Key != "")
	where("a.actor_kind = :kind", "kind", f.ActorKind, f.ActorKind != "")
	where("a.actor_id = :who", "who", f.Actor, f.Actor != "")
	where("a.action = :action", "action", f.Action, f.Action != "")
	where("a.at >= :from", "from", f.From, f.From > 0)
	where("a.at < :to", "to", f.To, f.To > 0)
	return ListOf(tx, q, p, func(r db.Row, e *Entry) error {
		var detail string
		err := r.Scan(&e.At, &e.ID, &e.Resource, &e.Key, &e.Action, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name,
			&e.Actor.Client, &e.RequestID, &detail)
		if err != nil || detail == "" {
			return err
		}
		return e.read(detail)
	})
}

// History is what happened to one record before a moment, the newest first, at most so many entries; 0 is up to now. No
// two entries of a record are of one moment, so the last one's leads to those before it.
func History(tx *db.Tx, r Resource, id string, before db.Time, limit int) ([]Entry, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	return db.Rows(tx, `-- record.History
		select at, action, actor_kind, actor_id, actor_name, client_name, request_id, detail from activity
		where company = :company and resource = :resource and id = :id and at < :before order by at desc limit :limit`,
		db.Args{"resource": r.Name, "id": id, "before": before, "limit": limit}, func(row db.Row, e *Entry) error {
			e.ID, e.Resource = id, r.Name
			var detail string
			err := row.Scan(&e.At, &e.Action, &e.Actor.Kind, &e.Actor.ID, &e.Actor.Name, &e.Actor.Client, &e.RequestID,
				&detail)
			if err == nil && detail != "" {
				err = e.read(detail)
			}
			return err
		})
}

// read takes an entry's detail apart: the whole record of one that came or went, else what changed.
func (e *Entry) read(detail string) error {
	if e.Action == created || e.Action == deleted {
		return json.Unmarshal([]byte(detail), &e.Whole)
	}
	// A detail that is no list of changes is one that a room wrote whole.
	if json.Unmarshal([]byte(detail), &e.Changes) != nil {
		e.Changes = nil
		return json.Unmarshal([]byte(detail), &e.Whole)
	}
	return nil
}
