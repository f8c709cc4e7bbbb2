package discussion

import (
	"cmp"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// Reason is why somebody is told.
type Reason string

// The reasons.
const (
	Mentioned Reason = "Mentioned" // a comment names them
	Commented Reason = "Commented" // on what they are responsible for, or spoke of before
	Charged   Reason = "Charged"   // they are responsible from now on
	Answered  Reason = "Answered"  // a customer wrote about what they are responsible for
)

// Values are all reasons.
func (Reason) Values() []Reason { return []Reason{Mentioned, Commented, Charged, Answered} }

// Notification tells somebody of the office of something.
type Notification struct {
	ID, PersonID string
	CommentID    string // "" where it is about none
	Reason       Reason
	By           string // name of who caused it
	Path, Title  string // of the record's page
	Excerpt      string
	ToldAt       db.Time
	ReadAt       db.Time
}

// MailKind is the job that mails a notification to whoever wants that.
var MailKind = jobs.Kind{Name: "notification-mail"}

// maxExcerpt is how many characters of what was said a notification repeats.
const maxExcerpt = 300

// tell tells somebody, unless they caused it. n says why, and what was said.
func tell(tx *db.Tx, about About, p Person, n Notification) error {
	if p.ID == tx.Actor.ID {
		return nil
	}
	if text := []rune(n.Excerpt); len(text) > maxExcerpt {
		n.Excerpt = string(text[:maxExcerpt-1]) + "…"
	}
	n.ID, n.PersonID, n.By, n.ToldAt = record.NewID(), p.ID, cmp.Or(n.By, tx.Actor.Name), tx.Now
	n.Path, n.Title = about.Path, about.Title(p.Language)
	if err := insertNotification(tx, about, n); err != nil {
		return err
	}
	_, err := jobs.Add(tx, MailKind, n.Title, n.ID, jobs.Options{})
	return err
}

// OnCustomerWrote tells whoever is responsible for a record that its customer wrote; by is the customer's name.
func OnCustomerWrote(tx *db.Tx, about About, by, words string) error {
	p, err := Responsible(tx, about)
	if err != nil || p.ID == "" {
		return err
	}
	return tell(tx, about, p, Notification{Reason: Answered, By: by, Excerpt: words})
}
