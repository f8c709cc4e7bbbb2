package newsletter

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var subscribers = record.TableOf(Subscribers, record.Layout[Subscriber]{
	Fixed:    "channel_code",
	Changing: "email, name, language, source, status, reason, round, mailed, mailed_at, confirmed_at, ended_at",
	Derived: func(s *Subscriber) db.Args {
		return db.Args{"channel_key": record.Fold(s.ChannelCode), "email_key": record.Fold(s.Email),
			"search": record.SearchText(s.Email, s.Name)}
	},
	Missing: func(id string) error { return ErrNotFound.Because("there is no subscriber %q", id) },
})

// enter writes a subscriber unless the store has one with this address, and answers the one that it has, locked.
func enter(tx *db.Tx, fresh Subscriber) (Subscriber, error) {
	err := subscribers.Upsert(tx, "on conflict (company, channel_key, email_key) do nothing", &fresh)
	if err != nil {
		return Subscriber{}, err
	}
	return ofAddress(tx, fresh.ChannelCode, fresh.Email, db.ForUpdate)
}

// OfAddress is the subscriber of a store with this address; an empty one where there is none.
func OfAddress(tx *db.Tx, channelCode, email string) (Subscriber, error) {
	return ofAddress(tx, channelCode, email, "")
}

func ofAddress(tx *db.Tx, channelCode, email, lock string) (Subscriber, error) {
	s, _, err := subscribers.One(tx, "newsletter.ofAddress", "channel_key = :channel and email_key = :email"+lock,
		db.Args{"channel": record.Fold(channelCode), "email": record.Fold(email)})
	return s, err
}

// Find is the subscriber with this id. Newsletter.NotFound.
func Find(tx *db.Tx, id string) (Subscriber, error) { return subscribers.Find(tx, id) }

// Filter says which subscribers a list shows.
type Filter struct {
	Status      Status
	ChannelCode string
	Search      string // in address and name
	Email       string
}

// List reads subscribers, the newest first.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Subscriber], error) {
	q := subscribers.Query("newsletter.List")
	q.Key = []string{"created_at desc", "id desc"}
	q.Given("status = :status", f.Status)
	q.Given("channel_key = :channel", record.Fold(f.ChannelCode))
	q.Given("email_key = :email", record.Fold(f.Email))
	q.Search("search", f.Search)
	return record.ListOf(tx, q, p, subscribers.Scan)
}

// Everybody puts all subscribers into a map, by id.
func Everybody(tx *db.Tx, into map[string]string) error {
	return db.Each2(tx, `-- newsletter.Everybody whole
		select id, email from newsletter_subscriber where company = :company`, nil, func(id, email string) error {
		into[id] = email + ", " + Subscribers.Name
		return nil
	})
}
