package mailing

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

const counts = "waiting, sent, skipped, bounced"

var countsRow = db.Map[Counts](counts)

var mailings = record.TableOf(Mailings, record.Layout[Mailing]{
	Fixed: counts, // they are count's
	Changing: "channel_code, subject, body, language, pace, actor, status, began_at, ended_at, is_same_language, " +
		"group_code, bought_days, item, category",
	Derived: func(m *Mailing) db.Args {
		return db.Args{"channel_key": record.Fold(m.ChannelCode), "search": record.SearchText(m.Subject, m.By)}
	},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "mailing",
		func(m *Mailing) (string, *Status) { return m.Subject, &m.Status }),
	Missing: func(id string) error { return ErrNotFound.Because("there is no mailing %q", id) },
})

// Find is the mailing with this id. Mailing.NotFound.
func Find(tx *db.Tx, id string) (Mailing, error) { return mailings.Find(tx, id) }

// Filter says which mailings a list shows.
type Filter struct {
	Status      Status
	ChannelCode string
	Search      string // in the subject, and the name of who wrote it
}

// List reads mailings, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Mailing], error) {
	q := mailings.Query("mailing.List")
	q.Key = []string{"created_at desc", "id desc"}
	q.Given("status = :status", f.Status)
	q.Given("channel_key = :channel", record.Fold(f.ChannelCode))
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, mailings.Scan)
}

// count keeps how many recipients are in each status. It is no change that others copy.
func count(tx *db.Tx, m *Mailing) error {
	return tx.Run(`-- mailing.count
		update mailing set `+countsRow.Set()+` where company = :company and id = :id`,
		countsRow.Args(&m.Counts, db.Args{"id": m.ID}))
}

func pausedUntil(tx *db.Tx, id string) (db.Time, error) {
	return db.Value[db.Time](tx, `-- mailing.pausedUntil
		select next_at from mailing where company = :company and id = :id`, db.Args{"id": id})
}

func pause(tx *db.Tx, id string, until db.Time) error {
	return tx.Run(`-- mailing.pause
		update mailing set next_at = :until where company = :company and id = :id`, db.Args{"id": id, "until": until})
}
