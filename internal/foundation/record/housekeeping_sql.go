package record

import "kontor/internal/foundation/db"

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
