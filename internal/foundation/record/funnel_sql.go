package record

import (
	"fmt"

	"kontor/internal/foundation/db"
)

// The kinds of a change.
const (
	created = "created"
	changed = "changed"
	deleted = "deleted"
)

// Created reports a record that was just inserted with the root from New.
func (r Resource) Created(tx *db.Tx, root Root, key string, after any) error {
	tx.Makes()
	return r.report(tx, root.ID, key, root.ChangedAt, created, created, snapshotOf(after))
}

// Changed reports a change of the record whose root was read for update: it compares before and after, and where
// nothing differs nothing is written. It refuses with Precondition.Failed when the caller's If-Match is stale.
func (r Resource) Changed(tx *db.Tx, root *Root, key string, before, after any) error {
	return r.Acted(tx, root, key, changed, before, after)
}

// Acted is Changed under the name of the verb that did it.
func (r Resource) Acted(tx *db.Tx, root *Root, key, action string, before, after any) error {
	detail := Diff(before, after)
	if len(detail) == 0 {
		return tx.Match(root.ID, root.ETag())
	}
	return r.Touched(tx, root, key, action, detail)
}

// Touched reports a change that the caller describes itself. It always makes a new revision.
func (r Resource) Touched(tx *db.Tx, root *Root, key, action string, detail map[string][2]any) error {
	if err := tx.Match(root.ID, root.ETag()); err != nil {
		return err
	}
	stamp := max(tx.Stamp(), root.ChangedAt+1)
	n, err := tx.Exec(`-- record.Touched
		update `+r.Table+` set version = version + 1, modified_at = :stamp, changed_at = :stamp
		where company = :company and id = :id and version = :version`,
		db.Args{"id": root.ID, "version": root.Version, "stamp": stamp})
	if err != nil {
		return err
	}
	if n != 1 {
		return fmt.Errorf("record: %s %s changed under us: its root must be read for update before it is changed",
			r.Name, key)
	}
	root.Version++
	root.ModifiedAt, root.ChangedAt = stamp, stamp
	tx.Became(root.ID, root)
	return r.report(tx, root.ID, key, stamp, changed, action, encode(detail))
}

// Deleted reports that the record is deleted (the caller deletes the rows): it writes the deletion log that sync
// clients read.
func (r Resource) Deleted(tx *db.Tx, root Root, key string, before any) error {
	if err := tx.Match(root.ID, root.ETag()); err != nil {
		return err
	}
	stamp := max(tx.Stamp(), root.ChangedAt+1)
	if err := r.Gone(tx, root.ID, key, stamp); err != nil {
		return err
	}
	if err := r.report(tx, root.ID, key, stamp, deleted, deleted, snapshotOf(before)); err != nil {
		return err
	}
	return tx.Fire(Removed{Resource: r.Name, ID: root.ID})
}

// Removed is fired after a record was deleted, for who keeps something about records of any kind.
type Removed struct{ Resource, ID string }

// Gone writes the deletion of a key alone, for a record that lives on under another.
func (r Resource) Gone(tx *db.Tx, id, key string, stamp db.Time) error {
	return tx.Run(`-- record.Gone
		insert into deletion (company, deleted_at, id, resource, business_key) values (:company, :stamp, :id, :resource, :key)`,
		db.Args{"stamp": stamp, "id": id, "resource": r.Name, "key": key})
}

// members is the key, which no record has, under which it is counted that records of a resource come and go.
const members = "\x00members"

// Members is the key under which it is counted that records of a resource come and go: a page of all of them, in an
// order that no change moves, stands until then or until one of its rows changes.
func Members() string { return members }

func (r Resource) touch(tx *db.Tx, key, kind string) {
	tx.Touch(r.Name, Fold(key))
	if kind == created || kind == deleted {
		tx.Count(r.Name+" "+kind, 1)
		tx.Touch(r.Name, members)
	}
}

// report tells of a change of this kind, and what did it with which detail; nobody waits for either row.
func (r Resource) report(tx *db.Tx, id, key string, stamp db.Time, kind, action, detail string) error {
	r.touch(tx, key, kind)
	return tx.Later(func() error {
		if err := r.change(tx, id, key, stamp, kind); err != nil {
			return err
		}
		return r.activity(tx, id, key, stamp, action, detail)
	})
}

func (r Resource) change(tx *db.Tx, id, key string, stamp db.Time, kind string) error {
	return tx.Run(`-- record.change
		insert into change (company, stamp, id, resource, business_key, kind) values (:company, :stamp, :id, :resource, :key, :kind)`,
		db.Args{"stamp": stamp, "id": id, "resource": r.Name, "key": key, "kind": kind})
}

func (r Resource) activity(tx *db.Tx, id, key string, stamp db.Time, action, detail string) error {
	a := tx.Actor
	return tx.Run(`-- record.activity
		insert into activity (company, at, id, resource, business_key, action, actor_kind, actor_id, actor_name,
		client_name, request_id, detail)
		values (:company, :stamp, :id, :resource, :key, :action, :kind, :actor, :name, :client, :request, :detail)`,
		db.Args{"stamp": stamp, "id": id, "resource": r.Name, "key": key, "action": action, "kind": a.Kind,
			"name": a.Name, "client": a.Client, "request": tx.RequestID, "detail": detail})
}

// Change is one report of ReportMany.
type Change struct {
	Root   *Root
	Key    string
	Action string // "created" for new records
	Detail map[string][2]any
	After  any // of a created record
	// Then is what was done to a created record before it was written, in the same transaction: see Root.Revised.
	Then []Act
}

// Act is a verb that was done to a record, with what it changed.
type Act struct {
	Action string
	Detail map[string][2]any
}

// ReportMany reports many records of a resource in a constant number of statements: what a batch, an import or a
// document that moves many others needs. Roots of changed records were read for update; all of them get one stamp
// after the newest of theirs.
func (r Resource) ReportMany(tx *db.Tx, changes []Change) error {
	if len(changes) == 0 {
		return nil
	}
	stamp := tx.Stamp()
	var ids []string
	for _, c := range changes {
		stamp = max(stamp, c.Root.ChangedAt+1)
		if c.Action != created {
			if err := tx.Match(c.Root.ID, c.Root.ETag()); err != nil {
				return err
			}
			ids = append(ids, c.Root.ID)
		} else {
			tx.Makes()
		}
	}
	if err := r.bumpMany(tx, ids, stamp); err != nil {
		return err
	}
	rows := make([]logged, 0, len(changes))
	for i := range changes {
		c := &changes[i]
		r.touch(tx, c.Key, c.Action)
		if c.Action != created {
			c.Root.Version++
			c.Root.ModifiedAt, c.Root.ChangedAt = stamp, stamp
			tx.Became(c.Root.ID, c.Root)
			rows = append(rows, logged{c, c.Root.ChangedAt, c.Action, encode(c.Detail)})
			continue
		}
		acts := len(c.Then)
		rows = append(rows, logged{c, c.Root.ChangedAt - db.Time(acts), c.Action, snapshotOf(c.After)})
		for k, a := range c.Then {
			rows = append(rows, logged{c, c.Root.ChangedAt - db.Time(acts-1-k), a.Action, encode(a.Detail)})
		}
	}
	return tx.Later(func() error {
		if err := r.changes(tx, changes); err != nil {
			return err
		}
		return r.log(tx, rows)
	})
}

func (r Resource) log(tx *db.Tx, rows []logged) error {
	a := tx.Actor
	return tx.Insert("activity",
		"at, id, resource, business_key, action, actor_kind, actor_id, actor_name, client_name, request_id, detail",
		len(rows), func(i int) []any {
			l := &rows[i]
			return []any{l.at, l.Root.ID, r.Name, l.Key, l.action, a.Kind, a.ID, a.Name, a.Client, tx.RequestID,
				l.detail}
		})
}

// logged is a row of the activity log.
type logged struct {
	*Change
	at             db.Time
	action, detail string
}

// changes writes the rows that /changes answers.
func (r Resource) changes(tx *db.Tx, changes []Change) error {
	return tx.Insert("change", "stamp, id, resource, business_key, kind", len(changes), func(i int) []any {
		c := &changes[i]
		kind := changed
		if c.Action == created {
			kind = created
		}
		return []any{c.Root.ChangedAt, c.Root.ID, r.Name, c.Key, kind}
	})
}

func (r Resource) bumpMany(tx *db.Tx, ids []string, stamp db.Time) error {
	if len(ids) == 0 {
		return nil
	}
	n, err := tx.Exec(`-- record.ReportMany
		update `+r.Table+` set version = version + 1, modified_at = :stamp, changed_at = :stamp
		where company = :company and id in (:ids)`, db.Args{"ids": ids, "stamp": stamp})
	if err == nil && n != int64(len(ids)) {
		err = fmt.Errorf("record: %d of %d %s found to change: their roots must be read for update first, each once", n,
			len(ids), r.Name)
	}
	return err
}

// Watermark is the moment up to which a list is complete; see db.Tx.Committed. Take it before anything is read.
func Watermark(tx *db.Tx) (db.Time, error) { return tx.Watermark() }

// BumpEpoch makes every node read the company's reference data anew.
func BumpEpoch(tx *db.Tx) error { return tx.BumpEpoch() }

// NumberOf is the number of a document by its id, for a resource whose records have numbers.
func (r Resource) NumberOf(tx *db.Tx, id string) (number string, found bool, err error) {
	found, err = tx.One(`-- record.NumberOf
		select number from `+r.Table+` where company = :company and id = :id`, db.Args{"id": id}, &number)
	return number, found, err
}
