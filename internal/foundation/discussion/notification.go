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
	Accepted  Reason = "Accepted"  // what they are responsible for
	Declined  Reason = "Declined"
	Overdue   Reason = "Overdue" // what they are responsible for is late

	Undelivered Reason = "Undelivered" // a mail about what they are responsible for
)

// Values are all reasons.
func (Reason) Values() []Reason {
	return []Reason{Mentioned, Commented, Charged, Answered, Accepted, Declined, Overdue, Undelivered}
}

// Notification tells somebody of the office of something.
type Notification struct {
	ID          string
	PersonID    string `db:"user_id"`
	CommentID   string // "" where it is about none
	Reason      Reason
	By          string `db:"by_name"` // name of who caused it
	Path, Title string // of the record's page
	Permission  string // that it takes
	Excerpt     string
	ToldAt      db.Time
	ReadAt      db.Time
}

// MailKind is the job that mails a notification to whoever wants that.
var MailKind = jobs.Kind{Name: "notification-mail"}

// maxExcerpt is how many characters of what was said a notification repeats.
const maxExcerpt = 300

// Tell tells somebody, unless they caused it. n says why, and what was said.
func Tell(tx *db.Tx, about About, p Person, n Notification) error {
	if p.ID == tx.Actor.ID {
		return nil
	}
	if text := []rune(n.Excerpt); len(text) > maxExcerpt {
		n.Excerpt = string(text[:maxExcerpt-1]) + "…"
	}
	n.ID, n.PersonID, n.By, n.ToldAt = record.NewID(), p.ID, cmp.Or(n.By, tx.Actor.Name), tx.Now
	n.Path, n.Title, n.Permission = about.Path, about.Title(p.Language), about.Permission
	if err := insertNotification(tx, about, n); err != nil {
		return err
	}
	_, err := jobs.Add(tx, MailKind, n.Title, n.ID, jobs.Options{})
	return err
}

// TellResponsible tells whoever is responsible for a record, and reports whether somebody is. n says why, who caused
// it, and what was said.
func TellResponsible(tx *db.Tx, about About, n Notification) (bool, error) {
	p, err := Responsible(tx, about)
	if err != nil || p.ID == "" {
		return false, err
	}
	return true, Tell(tx, about, p, n)
}
