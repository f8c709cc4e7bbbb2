package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"kontor/internal/business/mailing"
	"kontor/internal/business/media"
	"kontor/internal/business/newsletter"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail/mailtest"
	"kontor/internal/foundation/record"
)

// bounce is what a mail server reports of a mail (RFC 3464).
func bounce(name, action, status, text string) string {
	return report("delivery-status", "message/delivery-status", fmt.Sprintf(
		"Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; somebody@example.com\nAction: %s\nStatus: %s\nDiagnostic-Code: smtp; 550 %s\n",
		action, status, text), name)
}

// complaint is what a provider of mailboxes passes on (RFC 5965).
func complaint(name, kind string) string {
	return report("feedback-report", "message/feedback-report",
		"Feedback-Type: "+kind+"\nUser-Agent: Someprovider/1.0\nVersion: 1\n", name)
}

func report(of, part, says, name string) string {
	return "From: MAILER-DAEMON@mx.example.com\nTo: hej@shop.example\nSubject: Returned mail\nMessage-ID: <" +
		record.NewID() + "@mx.example.com>\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=" + of +
		"; boundary=XX\n\n--XX\nContent-Type: text/plain\n\nIt came back.\n\n--XX\nContent-Type: " + part + "\n\n" +
		says + "\n--XX\nContent-Type: text/rfc822-headers\n\nSubject: Summer sale\nMessage-ID: <" + name + ">\n\n--XX--\n"
}

// receives takes a mail that comes in.
func (p press) receives(text string) (fate support.Fate) {
	p.Helper()
	l, err := support.ReadLetter(strings.NewReader(strings.ReplaceAll(text, "\n", "\r\n")), true,
		func(string, []byte) (media.File, error) { return media.File{}, nil })
	if err != nil {
		p.Fatal(err)
	}
	p.in("acme", func(tx *db.Tx) error { fate, _, err = support.Receive(tx, support.Box{}, l); return err })
	return fate
}

func (p press) stands(email string, status newsletter.Status, reason string) {
	p.Helper()
	if s := p.subscriber(email); s.Status != status || !strings.Contains(s.Reason, reason) {
		p.Errorf("%s is %s (%q), not %s (%q)", email, s.Status, s.Reason, status, reason)
	}
}

// What comes back is heeded: for good it ends the subscription, for a while it is noted, a complaint ends it too. A
// report that a stranger makes up names no letter that he cannot have, and ends nothing.
func TestWhatComesBackIsHeeded(t *testing.T) {
	eachPress(t, 7, func(p press) {
		p.post.Before = func(l mailtest.Letter) error {
			if l.To[0] == readerAt(6) {
				return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
			}
			return nil
		}
		m := p.write(600)
		p.begin(m)
		p.work(m)
		var question support.Ticket
		p.in("acme", func(tx *db.Tx) (err error) {
			question, err = support.Create(tx, support.Ticket{Source: support.ERP, Priority: support.Normal,
				Subject: "Where?", ContactEmail: readerAt(6)})
			if err == nil {
				_, _, err = support.Say(tx, question.Number, support.Message{AuthorType: support.Agent, Body: "There."})
			}
			return err
		})
		p.settle()
		p.in("acme", func(tx *db.Tx) error {
			said, err := support.Messages(tx, question.Number, record.Page{Number: 1, Size: 10})
			if n := len(said.Items); n != 2 || !said.Items[1].IsInternal ||
				!strings.Contains(said.Items[1].Body, "no such mailbox") {
				p.Errorf("of an answer that the mail server refuses, its ticket says %+v", said.Items)
			}
			return err
		})
		name := map[string]string{}
		for _, l := range p.post.All() {
			name[l.To[0]] = l.Name
		}
		for i, what := range []struct {
			mail string
			fate support.Fate
		}{
			{bounce(name[readerAt(0)], "failed", "5.1.1", "no such user"), support.Heeded},
			{bounce(name[readerAt(0)], "failed", "5.1.1", "no such user, once more"), support.Heeded},
			{bounce(name[readerAt(1)], "failed", "4.4.7", "too long"), support.Heeded},
			{bounce(name[readerAt(2)], "delayed", "4.4.7", "wait"), support.Heeded},
			{bounce(name[readerAt(2)], "failed", "5.7.1", "policy"), support.Heeded},
			{complaint(name[readerAt(3)], "abuse"), support.Heeded},
			{complaint(name[readerAt(4)], "not-spam"), support.Heeded},
			{bounce("mailing.0123456789abcdef@shop.example", "failed", "5.1.1", "forged"), support.Dropped},
			{bounce("mailing."+m.ID+"@shop.example", "failed", "5.1.1", "forged"), support.Dropped},
			{complaint("mailing.@shop.example", "abuse"), support.Dropped},
			{complaint(p.subscriber(readerAt(5)).ID, "abuse"), support.Dropped},
			{"From: eve@example.com\nSubject: Re: Summer sale\nIn-Reply-To: <" + name[readerAt(5)] +
				">\nAuto-Submitted: auto-replied\n\nI am away.\n", support.Dropped},
		} {
			if fate := p.receives(what.mail); fate != what.fate {
				p.Errorf("mail %d is %s, not %s", i, fate, what.fate)
			}
		}
		p.stands(readerAt(0), newsletter.Stopped, "no such user")
		p.stands(readerAt(1), newsletter.Confirmed, "")
		p.stands(readerAt(2), newsletter.Confirmed, "")
		p.stands(readerAt(3), newsletter.Stopped, "complained")
		p.stands(readerAt(4), newsletter.Confirmed, "")
		p.stands(readerAt(5), newsletter.Confirmed, "")
		p.stands(readerAt(6), newsletter.Stopped, "5.1.1")
		if n := p.look(m).Counts; n != (mailing.Counts{Sent: 3, Bounced: 4}) {
			p.Errorf("%+v", n)
		}
		p.verify()
	})
}
