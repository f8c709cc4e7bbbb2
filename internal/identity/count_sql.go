package identity

import "kontor/internal/db"

// countAttempt adds one attempt to a key and answers how many there were since its window began; a window that began before
// then is over, and another begins.
func countAttempt(tx *db.Tx, key string, before db.Time) (n int64, since db.Time, err error) {
	_, err = tx.One(`-- identity.countAttempt
insert into entry_count (key, count, since) values (:key, 1, :now)
on conflict (key) do update set count = case when entry_count.since < :before then 1 else entry_count.count + 1 end,
since = case when entry_count.since < :before then excluded.since else entry_count.since end
returning count, since`, db.Args{"key": key, "before": before}, &n, &since)
	return n, since, err
}

// forgive takes attempts back that turned out well: all of these keys.
func forgive(tx *db.Tx, keys ...string) error {
	_, err := tx.Exec(`-- identity.forgive
delete from entry_count where key in (:keys)`, db.Args{"keys": keys})
	return err
}

// forgiveOne takes one attempt back of a key that others count on as well.
func forgiveOne(tx *db.Tx, key string) error {
	_, err := tx.Exec(`-- identity.forgiveOne
update entry_count set count = count - 1 where key = :key and count > 0`, db.Args{"key": key})
	return err
}
