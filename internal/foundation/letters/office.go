package letters

import (
	"fmt"
	"strings"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/mail"
)

// Notified is why somebody of the office is notified.
type Notified int

// The reasons.
const (
	Mentioned Notified = iota
	Commented
	Charged
	Answered
	Accepted
	Declined
	Overdue
	Undelivered
)

// Notification tells somebody of the office of something in it.
type Notification struct {
	Why     Notified
	By      string // name of who caused it
	Title   string // of the record's page
	Excerpt string // of what was said; may be empty
	Link    string // to the page
}

// OfficeNotification brings a notification.
func OfficeNotification(lang string, s Store, to mail.Address, n Notification) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	subject := [...]string{Mentioned: w.MentionedSubject, Commented: w.CommentedSubject, Charged: w.ChargedSubject,
		Answered: w.AnsweredSubject, Accepted: w.AcceptedSubject, Declined: w.DeclinedSubject,
		Overdue: w.OverdueSubject, Undelivered: w.UndeliveredSubject}[n.Why]
	l.Subject, l.About = fmt.Sprintf(subject, n.By, n.Title), n.Title
	l.Paragraphs = each.Given(strings.Split(n.Excerpt, "\n"), strings.TrimSpace)
	l.Button = link{w.ViewRecord, n.Link}
	l.Notes = []string{w.NotifiedWhy}
	return l.message(to)
}
