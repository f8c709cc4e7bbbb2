package notice

import (
	"cmp"

	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/business/paper"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// OnTicketAnswered mails what an agent wrote to the ticket's contact, in the language of that contact; files are where
// the library shows them. The company's own people chose whom they answer, so the address counts as confirmed.
func OnTicketAnswered(files *media.Library) func(*db.Tx, support.Answered) error {
	return func(tx *db.Tx, e support.Answered) error {
		t := e.Ticket
		store, err := storeOf(tx, t.ChannelCode)
		if err != nil {
			return err
		}
		head := channel.Letterhead(tx, store)
		head.Code = "" // caused by the company's own work, so no crowd of strangers can hold it back
		lang, err := languageOf(tx, t)
		if err != nil {
			return err
		}
		a := letters.Answer{TicketNumber: t.Number, Subject: t.Subject, Body: e.Message.Body, By: e.Message.AuthorName}
		for _, f := range e.Message.Attachments {
			a.Files = append(a.Files, letters.File{Name: f.FileName,
				URL: files.AttachmentURL(tx.Company, f.ID, f.File)})
		}
		m := letters.TicketAnswered(lang, head, mail.Address{Name: t.ContactName, Email: t.ContactEmail,
			Confirmed: true}, a)
		m.MessageID, m.Readers = e.Message.MailID, "tickets:read"
		m.Headers = map[string]string{"Auto-Submitted": "no"} // somebody wrote it, and may write to another such desk
		if m.References, err = support.MailIDs(tx, t.ID, e.Message.Seq); err != nil {
			return err
		}
		if to, found, err := support.AnswersTo(tx, t.QueueCode); err != nil {
			return err
		} else if found { // and there they are known by what they answer
			m.ReplyTo = mail.Address{Name: m.From.Name, Email: to}
		}
		m.ReplyKey = support.ReplyLocal(tx.Info.Code, t.ReplyKey)
		return mail.Enqueue(tx, m)
	}
}

// storeOf is the store that a ticket came by; where it came by none, or by one that is gone, the company itself.
func storeOf(tx *db.Tx, code string) (channel.Channel, error) {
	none := channel.Channel{Name: tx.Info.Name}
	if book, err := reference.Of(tx); err == nil {
		none.Store.Profile.Email, none.Store.Profile.Phone = book.Profile().Email, book.Profile().Phone
	}
	if code == "" {
		return none, nil
	}
	c, err := channel.Find(tx, code)
	if fault.Is(err, channel.ErrNotFound) {
		return none, nil
	}
	return c, err
}

// languageOf is what a ticket's contact speaks: what they have told us, what the store spoke to them, else their
// customer's or the company's.
func languageOf(tx *db.Tx, t *support.Ticket) (string, error) {
	c, found, err := party.ContactByEmail(tx, t.CustomerID, t.ContactEmail)
	if err != nil {
		return "", err
	}
	if found && c.LanguageCode != "" || t.Language != "" {
		return cmp.Or(c.LanguageCode, t.Language), nil
	}
	if t.CustomerID == "" {
		return reference.LanguageOf(tx.Info.Country), nil
	}
	r, err := paper.ReceiverOf(tx, t.CustomerNumber, "", party.Postal{})
	return r.Language, err
}
