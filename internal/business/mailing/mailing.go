// Package mailing is what a store's newsletter says: letters that somebody writes for the readers who have confirmed
// that they want them. Who gets one is frozen when it begins to leave; each address gets it once, slowly, and nobody
// who has unsubscribed meanwhile.
package mailing

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Mailings is the resource of this room.
var Mailings = record.Define("mailings", "mailing", "Mailing", "mailing_recipient")

// What this room refuses.
var (
	ErrNotFound      = fault.New(fault.NotFound, "Mailing.NotFound")
	ErrInvalid       = fault.New(fault.Invalid, "Mailing.Invalid")
	ErrInvalidStatus = fault.New(fault.Conflict, "Mailing.InvalidStatus")
)

// Status is how far a mailing has come.
type Status string

// The statuses.
const (
	Draft   Status = "Draft"
	Sending Status = "Sending"
	Stopped Status = "Stopped"
	Sent    Status = "Sent"
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Draft, Sending, Stopped, Sent} }

// Moves are what may be done with a mailing; end is said by whoever sends the last letter.
var Moves = lifecycle.Moves[Status]{
	"edit":   {From: []Status{Draft}, To: Draft, Done: "edited"},
	"delete": {From: []Status{Draft}, To: Draft, Done: "deleted"},
	"send":   {From: []Status{Draft}, To: Sending, Done: "sent"},
	"stop":   {From: []Status{Sending}, To: Stopped, Done: "stopped"},
	"resume": {From: []Status{Stopped}, To: Sending, Done: "resumed"},
	"end":    {From: []Status{Sending}, To: Sent, Done: lifecycle.Unsaid},
}

// Languages are those in which a letter says what is not the mailing's own text.
func Languages() []string { return []string{"da", "de", "en", "fi", "nb", "sv"} }

// Bounds of a mailing. UsualPace is modest: a mail server that is not known for sending much is believed to be abused
// when it suddenly does.
const (
	UsualPace   = 30 // letters a minute
	mostPace    = 6000
	mostDays    = 3650
	longSubject = 200
	longText    = 100_000
)

// Segment is whom a mailing is for, of those who have confirmed that they want the store's newsletter. What is empty
// asks for nothing.
type Segment struct {
	SameLanguage bool   `db:"is_same_language"` // only who read the store in the mailing's language
	GroupCode    string // customers of this group
	BoughtDays   int    // who bought within so many days; with an item or a category: that
	ItemNumber   string `db:"item"`     // who bought this item, or a variant of it
	CategoryCode string `db:"category"` // who bought something of this category, or of one below it
}

// byPurchase reports whether a segment asks for what somebody bought.
func (s Segment) byPurchase() bool {
	return s.BoughtDays > 0 || s.ItemNumber != "" || s.CategoryCode != ""
}

// Mailing is a letter to the readers of a store's newsletter.
type Mailing struct {
	record.Root
	ChannelCode string
	Subject     string
	HTML        string  `db:"body"` // sanitised
	Language    string  // that it is written in
	Segment     Segment `db:",columns"`
	Pace        int     // letters a minute
	By          string  `db:"actor"`
	Status      Status
	BeganAt     db.Time
	EndedAt     db.Time
	Counts      Counts `db:",columns" log:"-"`
}

// Counts are how many recipients are in each status.
type Counts struct{ Waiting, Sent, Skipped, Bounced int }

// All is how many recipients there are.
func (c Counts) All() int { return c.Waiting + c.Sent + c.Skipped + c.Bounced }

// New is a mailing as a form begins with it.
func New() Mailing { return Mailing{Language: "en", Pace: UsualPace, Status: Draft} }

// Create keeps a mailing as a draft. Mailing.Invalid, Newsletter.NotOffered.
func Create(tx *db.Tx, m Mailing) (Mailing, error) {
	m.Root, m.By, m.Status, m.Counts = record.New(tx), tx.Actor.Name, Draft, Counts{}
	if err := m.validate(tx); err != nil {
		return m, err
	}
	return m, mailings.Create(tx, &m)
}

// Change changes a draft. Mailing.NotFound, Mailing.Invalid, Mailing.InvalidStatus.
func Change(tx *db.Tx, id string, edit func(*Mailing) error) (Mailing, error) {
	return mailings.Do(tx, id, "edit", func(m *Mailing) error {
		if err := edit(m); err != nil {
			return err
		}
		return m.validate(tx)
	})
}

// Delete drops a draft: what was sent stays to be looked up. Mailing.NotFound, Mailing.InvalidStatus.
func Delete(tx *db.Tx, id string) error {
	return mailings.Delete(tx, id, func(m *Mailing) error {
		_, err := Moves.Check(ErrInvalidStatus, "mailing", m.Subject, m.Status, "delete")
		return err
	})
}

// validate sanitises a mailing and refuses what is wrong with it, all at once.
func (m *Mailing) validate(tx *db.Tx) error {
	m.Subject, m.HTML = strings.TrimSpace(m.Subject), Tidy(m.HTML)
	var wrong fault.List
	wrong.If(m.Subject == "" || utf8.RuneCountInString(m.Subject) > longSubject ||
		strings.ContainsFunc(m.Subject, unicode.IsControl), ErrInvalid, "subject", "must be one line of at most %d characters", longSubject)
	wrong.If(Plain(m.HTML, "") == "" || utf8.RuneCountInString(m.HTML) > longText, ErrInvalid, "html",
		"must be a text of at most %d characters", longText)
	wrong.If(!slices.Contains(Languages(), m.Language), ErrInvalid, "language", "must be one of %s",
		strings.Join(Languages(), ", "))
	wrong.If(m.Pace < 1 || m.Pace > mostPace, ErrInvalid, "pace", "must be a whole number from %d to %d", 1, mostPace)
	wrong.If(m.Segment.BoughtDays < 0 || m.Segment.BoughtDays > mostDays, ErrInvalid, "boughtDays",
		"must be a whole number from %d to %d", 0, mostDays)
	c, err := channel.Find(tx, m.ChannelCode)
	if fault.Is(err, channel.ErrNotFound) || err == nil && !c.Store.Offers().Newsletter {
		wrong.Add(ErrInvalid, "channel", "there is no store %q with a newsletter", m.ChannelCode)
	} else if err != nil {
		return err
	} else {
		m.ChannelCode = c.Code
	}
	if err := m.Segment.validate(tx, &wrong); err != nil {
		return err
	}
	return wrong.Err()
}

// validate refuses what a segment names and there is not.
func (s *Segment) validate(tx *db.Tx, wrong *fault.List) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	if s.GroupCode != "" {
		g, ok := book.CustomerGroup(s.GroupCode)
		wrong.If(!ok, ErrInvalid, "group", "there is no customer group %q", s.GroupCode)
		s.GroupCode = g.Code
	}
	if s.ItemNumber != "" {
		i, err := catalog.Find(tx, s.ItemNumber)
		if fault.Is(err, catalog.ErrNotFound) {
			wrong.Add(ErrInvalid, "item", "there is no item %q", s.ItemNumber)
		} else if err != nil {
			return err
		}
		s.ItemNumber = i.Number
	}
	if s.CategoryCode != "" {
		t, err := catalog.FindCategory(tx, s.CategoryCode)
		if fault.Is(err, catalog.ErrCategoryNotFound) {
			wrong.Add(ErrInvalid, "category", "there is no category %q", s.CategoryCode)
		} else if err != nil {
			return err
		}
		s.CategoryCode = t.Code
	}
	return nil
}

// Begin freezes who gets a mailing, and lets it leave. Mailing.NotFound, Mailing.InvalidStatus, and Mailing.Invalid
// where it is for nobody, or something that it names is gone.
func Begin(tx *db.Tx, id string) (Mailing, error) {
	return mailings.Do(tx, id, "send", func(m *Mailing) error {
		if err := m.validate(tx); err != nil {
			return err
		}
		readers, err := Readers(tx, *m)
		if err != nil {
			return err
		}
		if len(readers) == 0 {
			return ErrInvalid.Because("nobody would get it: no reader of the newsletter is among whom it is for")
		}
		if err := freeze(tx, m.ID, readers); err != nil {
			return err
		}
		m.BeganAt, m.Counts = tx.Now, Counts{Waiting: len(readers)}
		if err := count(tx, m); err != nil {
			return err
		}
		return wake(tx, *m)
	})
}

// Stop holds back the letters that have not left. Mailing.NotFound, Mailing.InvalidStatus.
func Stop(tx *db.Tx, id string) (Mailing, error) {
	return mailings.Do(tx, id, "stop", nil)
}

// Resume goes on where Stop has stopped. Mailing.NotFound, Mailing.InvalidStatus.
func Resume(tx *db.Tx, id string) (Mailing, error) {
	return mailings.Do(tx, id, "resume", func(m *Mailing) error { return wake(tx, *m) })
}

// wake asks for the work of sending a mailing.
func wake(tx *db.Tx, m Mailing) error {
	_, err := jobs.Add(tx, SendKind, m.Subject, m.ID, jobs.Options{Key: m.ID})
	return err
}

// Tidy is a letter's text in paragraphs, without what could run, style or spy there.
func Tidy(text string) string { return strings.TrimSpace(content.Sanitized(catalog.Paragraphs(text))) }
