package letters

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail"
)

// Subscription is what letters about one say.
type Subscription struct {
	Link  string // that confirms it
	Leave string // that ends it
	Days  int    // that Link is valid
	Now   db.Time
}

// ConfirmNewsletter asks the reader of an address whether they subscribed to a store's newsletter.
func ConfirmNewsletter(lang string, s Store, to mail.Address, n Subscription) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = fmt.Sprintf(w.NewsletterSubject, s.Name)
	l.Title, l.About = l.Subject, l.Subject
	l.Paragraphs = []string{fmt.Sprintf(w.NewsletterIntro, s.Name)}
	l.Button = link{w.NewsletterConfirm, n.Link}
	l.Notes = []string{fmt.Sprintf(w.LinkDays, n.Days), w.NotYou}
	l.Unsubscribe = link{w.NewsletterLeave, n.Leave}
	return until(l.message(to), n.Now, n.Days*24*60)
}

// NewsletterJoined tells who confirmed a subscription that it has begun.
func NewsletterJoined(lang string, s Store, to mail.Address, n Subscription) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = fmt.Sprintf(w.NewsletterJoined, s.Name)
	l.Title, l.About = l.Subject, l.Subject
	l.Paragraphs = []string{w.NewsletterJoinedIntro}
	l.Unsubscribe = link{w.NewsletterLeave, n.Leave}
	return l.message(to)
}
