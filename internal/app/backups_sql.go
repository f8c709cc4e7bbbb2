package app

import (
	"time"

	"kontor/internal/foundation/db"
)

// BackupPlace is a place that backups go to, and what became of the last ones.
type BackupPlace struct {
	Place                 string        // folder or address, without what is secret in it
	Every                 time.Duration // between two; 0 = nobody promised
	Holder                string        // who writes one there now
	HeldUntil             db.Time
	SucceededAt, FailedAt db.Time
	Name, Failure         string        // of the last that succeeded; why the last failed that did
	Bytes, NewBytes       int64         // of the last: what it takes, and what was written for it
	Took                  time.Duration // the last
}

// Late reports whether the last success is older than twice the interval.
func (p BackupPlace) Late(now time.Time) bool {
	first := p.SucceededAt == 0 && p.FailedAt == 0 // being made
	return p.Every > 0 && !first && now.Sub(p.SucceededAt.Time()) > 2*p.Every
}

// Failing reports whether the last try failed.
func (p BackupPlace) Failing() bool { return p.FailedAt > p.SucceededAt }

// due is when the next is to be made: after a failure sooner than after a success.
func (p BackupPlace) due() time.Time {
	next := p.SucceededAt.Time().Add(p.Every)
	if p.Failing() {
		soon := p.FailedAt.Time().Add(min(time.Hour, max(time.Minute, p.Every/24)))
		if soon.After(next) {
			next = soon
		}
	}
	return next
}

// backupPlaces are all places that backups went to, by name.
func backupPlaces(tx *db.Tx) (all []BackupPlace, err error) {
	return db.Rows(tx, `-- app.backupPlaces
		select place, every_seconds, holder, held_until, succeeded_at, name, bytes, new_bytes, took, failed_at, failure
		from backup_place order by place`, nil, func(r db.Row, p *BackupPlace) error {
		var every, took int64
		err := r.Scan(&p.Place, &every, &p.Holder, &p.HeldUntil, &p.SucceededAt, &p.Name, &p.Bytes, &p.NewBytes,
			&took, &p.FailedAt, &p.Failure)
		p.Every, p.Took = time.Duration(every)*time.Second, time.Duration(took)*time.Microsecond
		return err
	})
}

// leaseTime is how long a place stays taken by somebody who is not heard of any more.
const leaseTime = 2 * time.Minute

// claim asks for a place.
type claim struct {
	place, holder string
	every         time.Duration // 0 = as it was
	alone         bool          // nobody but this process has the data, and it writes no backup there
	seen          db.Time       // of the last success: who has seen another comes too late; below 0 = whatever it is
}

// claimPlace takes a place, unless somebody else has it and may still be alive, or was faster. Who has it for longer
// than a lease has it by a clock that was put back since.
func claimPlace(tx *db.Tx, c claim) (bool, error) {
	_, err := tx.Exec(`-- app.claimPlace
		insert into backup_place (place) values (:place) on conflict do nothing`, db.Args{"place": c.place})
	if err != nil {
		return false, err
	}
	alone := int64(0)
	if c.alone {
		alone = 1
	}
	n, err := tx.Exec(`-- app.claimPlace take
		update backup_place set holder = :holder, held_until = :until, every_seconds = case when :every > 0 then :every
		else every_seconds end
		where place = :place and (holder = '' or held_until < :now or held_until > :late or :alone = 1)
			and (cast(:seen as bigint) < 0 or coalesce(succeeded_at, 0) = :seen)`,
		db.Args{"place": c.place, "holder": c.holder, "until": tx.Now.Add(leaseTime),
			"late": tx.Now.Add(2 * leaseTime), "every": int64(c.every.Seconds()), "alone": alone, "seen": int64(c.seen)})
	return n == 1, err
}

// holdPlace says that the holder is alive, and reports whether the place is still theirs.
func holdPlace(tx *db.Tx, place, holder string) (bool, error) {
	n, err := tx.Exec(`-- app.holdPlace
		update backup_place set held_until = :until where place = :place and holder = :holder`,
		db.Args{"place": place, "holder": holder, "until": tx.Now.Add(leaseTime)})
	return n == 1, err
}

// leavePlace gives the place back and notes what became of the backup.
func leavePlace(tx *db.Tx, holder string, p BackupPlace) error {
	a := db.Args{"place": p.Place, "holder": holder, "name": p.Name, "bytes": p.Bytes, "new": p.NewBytes,
		"took": p.Took.Microseconds(), "failure": p.Failure}
	if p.Failure != "" {
		return tx.Run(`-- app.leavePlace failed
			update backup_place set holder = '', held_until = 0, failed_at = :now, failure = :failure
			where place = :place and holder = :holder`, a)
	}
	return tx.Run(`-- app.leavePlace
		update backup_place set holder = '', held_until = 0, succeeded_at = :now, name = :name, bytes = :bytes,
		new_bytes = :new, took = :took
		where place = :place and holder = :holder`, a)
}
