package letters

import (
	"fmt"
	"html/template"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/texts"
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
	l.Paragraphs = []string{fmt.Sprintf(w.NewsletterIntro, s.Name)}
	l.Button = link{w.NewsletterConfirm, n.Link}
	l.Notes = []string{texts.Fill(l.Lang, w.LinkDays, n.Days), w.NotYou}
	l.Unsubscribe = link{w.NewsletterLeave, n.Leave}
	return until(l.message(to), n.Now, n.Days*24*60)
}

// NewsletterJoined tells who confirmed a subscription that it has begun.
func NewsletterJoined(lang string, s Store, to mail.Address, n Subscription) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject = fmt.Sprintf(w.NewsletterJoined, s.Name)
	l.Paragraphs = []string{w.NewsletterJoinedIntro}
	l.Unsubscribe = link{w.NewsletterLeave, n.Leave}
	return l.message(to)
}

// Mailing is a letter that somebody wrote to the readers of a newsletter.
type Mailing struct {
	Subject string
	HTML    string // sanitised, with whole addresses
	Text    string
	Read    string // shows the letter in a browser
	Leave   string // ends the subscription
}

func (n Mailing) letter(lang string, s Store, to mail.Address) letter {
	l := begin(lang, s, to)
	l.Subject, l.Title, l.About, l.Greeting = n.Subject, n.Subject, n.Subject, ""
	l.Body, l.BodyText = template.HTML(n.HTML), n.Text
	if n.Read != "" {
		l.Read = link{l.words.NewsletterRead, n.Read}
	}
	if n.Leave != "" {
		l.Unsubscribe = link{l.words.NewsletterLeave, n.Leave}
	}
	return l
}

// NewsletterMailing is a letter of a mailing.
func NewsletterMailing(lang string, s Store, to mail.Address, n Mailing) mail.Message {
	return n.letter(lang, s, to).message(to)
}

// MailingPage is a mailing as a browser shows it: to whoever has its address, so it names nobody.
func MailingPage(lang string, s Store, n Mailing) string {
	n.Read, n.Leave = "", ""
	l := n.letter(lang, s, mail.Address{})
	l.Alone = true
	return l.html()
}

// Asking asks a buyer for a review.
type Asking struct {
	OrderNumber string
	Lines       []Invited
	Leave       string // ends the subscription
}

// Invited is something that was bought, and where it is reviewed.
type Invited struct{ Name, URL string }

// ReviewInvitation asks a buyer what they think of what they bought.
func ReviewInvitation(lang string, s Store, to mail.Address, i Asking) mail.Message {
	l := begin(lang, s, to)
	w := l.words
	l.Subject, l.About = fmt.Sprintf(w.ReviewSubject, s.Name), i.OrderNumber
	l.Paragraphs = []string{w.ReviewIntro}
	l.Links = each.Of(i.Lines, func(line Invited) link { return link{line.Name, line.URL} })
	l.Notes = []string{fmt.Sprintf(w.ReviewWhy, i.OrderNumber)}
	l.Unsubscribe = link{w.NewsletterLeave, i.Leave}
	return l.message(to)
}
