package notice

import (
	"net/url"

	"kontor/internal/business/channel"
	"kontor/internal/business/mailing"
	"kontor/internal/business/newsletter"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// Where mails about newsletters lead, below the address under which others reach the house; a token stands after the
// question mark.
// UnsubscribePath is an operation of the commerce API, which mail programs call by themselves (RFC 8058); browsers are
// led to UnsubscribePage.
const (
	ConfirmPage     = "/newsletter/confirm"
	UnsubscribePage = "/newsletter/unsubscribe"
	UnsubscribePath = "/ecom/newsletter/unsubscribe"
	LetterPage      = "/newsletter/letter"
)

func tokenURL(base, path, token string) string {
	return base + path + "?" + url.Values{"token": {token}}.Encode()
}

func subscriberAddress(s *newsletter.Subscriber) mail.Address {
	return mail.Address{Name: s.Name, Email: s.Email, Confirmed: s.Status == newsletter.Confirmed}
}

// OnNewsletterAsked mails the link that confirms a subscription.
func OnNewsletterAsked(base func() string) func(*db.Tx, newsletter.Asked) error {
	return func(tx *db.Tx, e newsletter.Asked) error {
		s := e.Subscriber
		return mail.Enqueue(tx, letters.ConfirmNewsletter(s.Language, channel.Letterhead(tx, e.Channel),
			subscriberAddress(s), letters.Subscription{
				Link: tokenURL(base(), ConfirmPage, e.Token), Leave: tokenURL(base(), UnsubscribePath, e.LeaveToken),
				Days: e.ConfirmDays, Now: tx.Now}))
	}
}

// OnNewsletterJoined tells who confirmed that mails will come, and how they end.
func OnNewsletterJoined(base func() string) func(*db.Tx, newsletter.Joined) error {
	return func(tx *db.Tx, e newsletter.Joined) error {
		s := e.Subscriber
		m := letters.NewsletterJoined(s.Language, channel.Letterhead(tx, e.Channel), subscriberAddress(s),
			letters.Subscription{Leave: tokenURL(base(), UnsubscribePath, e.LeaveToken)})
		m.Readers = "newsletter:read"
		return mail.Enqueue(tx, m)
	}
}

// OnMailingLeaving mails a letter of a mailing, or a trial of one.
func OnMailingLeaving(base func() string) func(*db.Tx, mailing.Leaving) error {
	return func(tx *db.Tx, e mailing.Leaving) error {
		n := MailingOf(e.Channel, *e.Mailing)
		if e.Letter != "" {
			n.Read, n.Leave = tokenURL(base(), LetterPage, e.ReadToken), tokenURL(base(), UnsubscribePath, e.LeaveToken)
		}
		m := letters.NewsletterMailing(e.Mailing.Language, channel.Letterhead(tx, e.Channel), e.To, n)
		m.Readers = "newsletter:read"
		if e.Letter != "" {
			m.Mailing, m.MessageID = e.Letter, mailing.MailName(e.Letter)
		}
		return mail.Enqueue(tx, m)
	}
}

// MailingOf is a mailing of a store as its letters say it.
func MailingOf(c channel.Channel, m mailing.Mailing) letters.Mailing {
	return letters.Mailing{Subject: m.Subject, HTML: mailing.Absolute(m.HTML, c.URL()),
		Text: mailing.Plain(m.HTML, c.URL())}
}

// OnInviting mails a buyer the invitation to review what they bought.
func OnInviting(base func() string) func(*db.Tx, mailing.Inviting) error {
	return func(tx *db.Tx, e mailing.Inviting) error {
		a := letters.Asking{OrderNumber: e.Order.Number, Leave: tokenURL(base(), UnsubscribePath, e.LeaveToken)}
		for _, l := range e.Lines {
			a.Lines = append(a.Lines, letters.Invited(l))
		}
		m := letters.ReviewInvitation(e.Reader.Language, channel.Letterhead(tx, e.Channel),
			subscriberAddress(&e.Reader), a)
		m.Readers = "newsletter:read"
		return mail.Enqueue(tx, m)
	}
}
