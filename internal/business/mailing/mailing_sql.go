package mailing

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	fields  = "channel_code, subject, body, language, pace, actor, status, began_at, ended_at"
	segment = "is_same_language, group_code, bought_days, item, category"
	counts  = "waiting, sent, skipped, bounced"
	written = record.RootColumns + ", " + fields + ", " + segment
	columns = written + ", " + counts
)

var (
	mailingRow = db.Map[Mailing](record.RootColumns + ", " + fields)
	segmentRow = db.Map[Segment](segment)
	countsRow  = db.Map[Counts](counts)
)

func (m *Mailing) written() []any { return append(mailingRow.Of(m), segmentRow.Of(&m.Segment)...) }

func scan(r db.Row, m *Mailing) error {
	return r.Scan(append(m.written(), countsRow.Of(&m.Counts)...)...)
}

// write keeps a mailing; its counts are count's.
func write(tx *db.Tx, m *Mailing) error {
	return tx.Upsert("mailing", written+", channel_key, search", 1, func(int) []any {
		return append(m.written(), record.Fold(m.ChannelCode), record.SearchText(m.Subject, m.By))
	}, db.Overwriting("id", fields+", "+segment+", channel_key, search"))
}

// Find is the mailing with this id. Mailing.NotFound.
func Find(tx *db.Tx, id string) (Mailing, error) { return find(tx, id, "") }

func lock(tx *db.Tx, id string) (Mailing, error) { return find(tx, id, " for update") }

func find(tx *db.Tx, id, locking string) (m Mailing, err error) {
	err = tx.Each(`-- mailing.find
		select `+columns+` from mailing where company = :company and id = :id`+locking,
		db.Args{"id": strings.ToLower(id)}, func(r db.Row) error { return scan(r, &m) })
	if err == nil && m.ID == "" {
		err = ErrNotFound.Because("there is no mailing %q", id)
	}
	return m, err
}

func remove(tx *db.Tx, m Mailing) error {
	_, err := tx.Exec(`-- mailing.remove
		delete from mailing where company = :company and id = :id`, db.Args{"id": m.ID})
	if err != nil {
		return err
	}
	return Mailings.Deleted(tx, m.Root, m.ID, m)
}

// Filter says which mailings a list shows.
type Filter struct {
	Status      Status
	ChannelCode string
	Search      string // in the subject, and the name of who wrote it
}

// List reads mailings, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Mailing], error) {
	q := record.Query{Name: "mailing.List", Select: columns, From: "mailing", Stamp: "changed_at",
		Key:       []string{"created_at desc", "id desc"},
		Resources: []string{Mailings.Name}}
	q.Given("status = :status", f.Status)
	q.Given("channel_key = :channel", record.Fold(f.ChannelCode))
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, scan)
}

// count keeps how many recipients are in each status. It is no change that others copy.
func count(tx *db.Tx, m *Mailing) error {
	return tx.Run(`-- mailing.count
		update mailing set `+countsRow.Set()+` where company = :company and id = :id`,
		countsRow.Args(&m.Counts, db.Args{"id": m.ID}))
}

func pausedUntil(tx *db.Tx, id string) (at db.Time, err error) {
	_, err = tx.One(`-- mailing.pausedUntil
		select next_at from mailing where company = :company and id = :id`, db.Args{"id": id}, &at)
	return at, err
}

func pause(tx *db.Tx, id string, until db.Time) error {
	return tx.Run(`-- mailing.pause
		update mailing set next_at = :until where company = :company and id = :id`, db.Args{"id": id, "until": until})
}
