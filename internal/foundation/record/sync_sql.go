package record

import "kontor/internal/foundation/db"

// Deletions reads a page of the deletion log, oldest first. Resource "" is every resource. What a transaction still
// under way may have deleted before the page's horizon is not passed over: nothing behind the horizon is shown.
func Deletions(tx *db.Tx, since db.Time, resource string, p Page) (Found[Deletion], error) {
	q := Query{Name: "record.Deletions", Select: "id, resource, business_key, deleted_at", From: "deletion",
		Key: []string{"deleted_at", "id"}}
	q.Given("deleted_at >= :since", since)
	q.Given("deleted_at <= :horizon", p.Horizon)
	q.Given("resource = :resource", resource)
	p.Since = 0
	return ListOf(tx, q, p, func(r db.Row, d *Deletion) error {
		return r.Scan(&d.ID, &d.Resource, &d.BusinessKey, &d.DeletedAt)
	})
}

// Feed reads up to limit changes after a cursor, in the order of their stamps. It needs a
// reader that asks for what is committed, and shows nothing behind that horizon, so that no late committer is passed
// over. Sync.CursorExpired.
func Feed(tx *db.Tx, after, resource string, limit int) (c Changes, err error) {
	horizon, err := Watermark(tx)
	if err != nil {
		return c, err
	}
	var generation string
	if _, err := tx.One(`-- record.Feed generation
		select generation from company_state where company = :company`, nil, &generation); err != nil {
		return c, err
	}
	from, err := positionOf(after, generation)
	if err == nil && from.exact && from.stamp > 0 {
		err = isKnown(tx, from.stamp)
	}
	if err != nil {
		return c, err
	}
	text := `-- record.Feed
		select stamp, id, resource, business_key, kind from change
		where company = :company and (stamp, id) > (:stamp, :id) and stamp <= :horizon
		order by stamp, id limit :limit`
	if resource != "" {
		text = `-- record.Feed of one resource
		select stamp, id, resource, business_key, kind from change
		where company = :company and resource = :resource and (stamp, id) > (:stamp, :id) and stamp <= :horizon
		order by stamp, id limit :limit`
	}
	err = tx.Each(text, db.Args{"resource": resource, "stamp": int64(from.stamp), "id": from.id,
		"horizon": int64(horizon), "limit": limit},
		func(r db.Row) error {
			var row ChangeRow
			err := r.Scan(&row.Stamp, &row.ID, &row.Resource, &row.BusinessKey, &row.Kind)
			from = position{row.Stamp, row.ID, true}
			row.Cursor = from.cursor(generation)
			c.Rows = append(c.Rows, row)
			return err
		})
	if len(c.Rows) < limit && horizon >= from.stamp { // everything up to the horizon was seen
		from = position{horizon, lastID, true}
	}
	c.Next = from.cursor(generation)
	return c, err
}

// isKnown refuses a cursor whose change never happened here: it was given before the data went back to an earlier
// state, by a file put back, a recovery to a point in time or a failover that lost commits. The activity log keeps what
// the compaction of changes drops.
func isKnown(tx *db.Tx, stamp db.Time) error {
	var one int64
	found, err := tx.One(`-- record.isKnown
		select 1 from change where company = :company and stamp = :stamp
		union all select 1 from activity where company = :company and at = :stamp limit 1`, db.Args{"stamp": stamp},
		&one)
	return ErrCursorExpired.When(!found, err,
		"the company's data has gone back to an earlier state since this cursor was given: read the lists anew, "+
			"then begin without a cursor")
}

// Tail tells other processes of the records that have changed.
func Tail() db.Source {
	return db.Source{Query: `select stamp, resource, business_key as key, kind from change
		where company = :company and stamp > :from order by stamp`,
		Refs: func(resource, key, kind string) []db.Ref {
			refs := []db.Ref{{Resource: resource, Key: Fold(key)}}
			if kind != changed {
				refs = append(refs, db.Ref{Resource: resource, Key: members})
			}
			return refs
		}}
}

// slice is how many rows of the change log one transaction of the compaction looks at.
const slice = 2_000

// CompactChanges goes through the next part of the change log that is stamped after from and before before, and drops
// every change that a later one of the same record makes needless: what is left tells a poller who comes late all the
// same.
// It answers where to go on; 0 when it is through. The activity log, which keeps everything, knows whether a later
// change exists.
func CompactChanges(tx *db.Tx, from, before db.Time) (next db.Time, err error) {
	args := db.Args{"from": from, "before": before, "slice": slice}
	_, err = tx.One(`-- record.CompactChanges part
		select max(stamp) from (select stamp from change where company = :company and stamp > :from and stamp < :before
			order by stamp limit :slice) as part`, args, &next)
	if err != nil || next == 0 {
		return 0, err
	}
	args["next"] = next
	_, err = tx.Exec(`-- record.CompactChanges
		delete from change where company = :company and stamp > :from and stamp <= :next and exists (
			select 1 from activity a where a.company = change.company and a.resource = change.resource
			and a.id = change.id and a.at > change.stamp)`, args)
	return next, err
}
