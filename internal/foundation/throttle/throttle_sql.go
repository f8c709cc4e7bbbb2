package throttle

import (
	"fmt"

	"kontor/internal/foundation/db"
)

// firstFull finds the key that has no attempt left, beyond some that are allowed, and whose window ends last.
func firstFull(tx *db.Tx, all []counter, beyond int64) (full counter, until db.Time, err error) {
	keys := make([]string, len(all))
	limits := map[string]counter{}
	for i, c := range all {
		keys[i], limits[c.key] = c.key, c
	}
	err = db.Each3(tx, `-- throttle.firstFull
select key, count, ends_at from attempt where key in (:keys) and ends_at > :now`, db.Args{"keys": keys},
		func(key string, n int64, ends db.Time) error {
			c := limits[key]
			if n >= c.limit.Many+beyond && ends > until && c.limit.isOpen(ends, tx.Now) {
				full, until = c, ends
			}
			return nil
		})
	return full, until, err
}

// slack is how far the moments of transactions may lie apart that run at once, in microseconds: a minute.
const slack = 60_000_000

// isOpen reports whether a window that ends at a moment counts. One that ends later than if it began now was begun by a
// clock that has been put back since, and counts no more.
func (l Limit) isOpen(ends, now db.Time) bool { return ends > now && ends <= l.end(now)+slack }

func (l Limit) end(from db.Time) db.Time { return from.Add(l.Window) }

// count adds one attempt to each key; a window that is over, or was begun by a clock that has been put back since,
// begins again.
func count(tx *db.Tx, all []counter) error {
	goesOn := fmt.Sprintf("attempt.ends_at > excluded.counted_at and attempt.ends_at <= excluded.ends_at + %d", slack)
	return tx.Upsert("attempt", "key, count, ends_at, counted_at", len(all), func(i int) []any {
		return []any{all[i].key, 1, all[i].limit.end(tx.Now), tx.Now}
	}, `on conflict (key) do update set
count = case when `+goesOn+` then attempt.count + 1 else 1 end,
ends_at = case when `+goesOn+` then attempt.ends_at else excluded.ends_at end,
counted_at = excluded.counted_at`)
}

// takeBack takes one attempt back of keys that others count on as well.
func takeBack(tx *db.Tx, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return tx.Run(`-- throttle.takeBack
update attempt set count = count - 1 where key in (:keys) and count > 0`, db.Args{"keys": keys})
}

func forget(tx *db.Tx, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	return tx.Delete(db.Args{"key": keys}, "attempt")
}

func isKnown(tx *db.Tx, place string) (known bool, err error) {
	var n int64
	return tx.One(`-- throttle.isKnown
select count from attempt where key = :key and ends_at > :now`, db.Args{"key": place}, &n)
}

func noteKnown(tx *db.Tx, place string, until db.Time) error {
	return tx.Run(`-- throttle.noteKnown
insert into attempt (key, count, ends_at, counted_at) values (:key, 0, :until, :now)
on conflict (key) do update set ends_at = excluded.ends_at, counted_at = excluded.counted_at`,
		db.Args{"key": place, "until": until})
}

// Sweep drops windows that are over, and places that nobody came from for long.
func Sweep(tx *db.Tx) error {
	return tx.Run(`-- throttle.Sweep
delete from attempt where ends_at <= :now`, nil)
}
