package newsletter

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const fields = "email, name, language, source, status, reason, round, mailed, mailed_at, confirmed_at, ended_at"

const columns = record.RootColumns + ", channel_code, " + fields

var subscriberRow = db.Map[Subscriber](columns)

func put(tx *db.Tx, s *Subscriber, onConflict string) error {
	return tx.Upsert("newsletter_subscriber", columns+", channel_key, email_key, search", 1, func(int) []any {
		return append(subscriberRow.Of(s), record.Fold(s.ChannelCode), record.Fold(s.Email),
			record.SearchText(s.Email, s.Name))
	}, onConflict)
}

func write(tx *db.Tx, s *Subscriber) error {
	return put(tx, s, db.Overwriting("id", fields+", search"))
}

// enter writes a subscriber unless the store has one with this address, and answers the one that it has, locked.
func enter(tx *db.Tx, fresh Subscriber) (s Subscriber, err error) {
	if err := put(tx, &fresh, "on conflict (company, channel_key, email_key) do nothing"); err != nil {
		return s, err
	}
	err = tx.Each(`-- newsletter.enter
		select `+columns+
		` from newsletter_subscriber where company = :company and channel_key = :channel and email_key = :email for update`,
		db.Args{"channel": record.Fold(fresh.ChannelCode), "email": record.Fold(fresh.Email)},
		func(r db.Row) error { return subscriberRow.Scan(r, &s) })
	return s, err
}

// OfAddress is the subscriber of a store with this address; an empty one where there is none.
func OfAddress(tx *db.Tx, channelCode, email string) (s Subscriber, err error) {
	err = tx.Each(`-- newsletter.OfAddress
		select `+columns+` from newsletter_subscriber where company = :company and channel_key = :channel and email_key = :email`,
		db.Args{"channel": record.Fold(channelCode), "email": record.Fold(email)},
		func(r db.Row) error { return subscriberRow.Scan(r, &s) })
	return s, err
}

// Find is the subscriber with this id. Newsletter.NotFound.
func Find(tx *db.Tx, id string) (Subscriber, error) { return find(tx, id, "") }

func lock(tx *db.Tx, id string) (Subscriber, error) { return find(tx, id, " for update") }

func find(tx *db.Tx, id, locking string) (s Subscriber, err error) {
	err = tx.Each(`-- newsletter.find
		select `+columns+` from newsletter_subscriber where company = :company and id = :id`+locking,
		db.Args{"id": strings.ToLower(id)}, func(r db.Row) error { return subscriberRow.Scan(r, &s) })
	if err == nil && s.ID == "" {
		err = ErrNotFound.Because("there is no subscriber %q", id)
	}
	return s, err
}

func remove(tx *db.Tx, s *Subscriber) error {
	_, err := tx.Exec(`-- newsletter.remove
		delete from newsletter_subscriber where company = :company and id = :id`, db.Args{"id": s.ID})
	if err != nil {
		return err
	}
	return Subscribers.Deleted(tx, s.Root, s.Key(), *s)
}

// Filter says which subscribers a list shows.
type Filter struct {
	Status      Status
	ChannelCode string
	Search      string // in address and name
}

// List reads subscribers, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Subscriber], error) {
	q := record.Query{Name: "newsletter.List", Select: columns, From: "newsletter_subscriber", Stamp: "changed_at",
		Key:       []string{"created_at desc", "id desc"},
		Resources: []string{Subscribers.Name}}
	q.Given("status = :status", f.Status)
	q.Given("channel_key = :channel", record.Fold(f.ChannelCode))
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, subscriberRow.Scan)
}
