package notice

import (
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/mail"
)

// Undelivered is fired for a mail with a document that was not delivered; who knows the document says IsKnown.
type Undelivered struct {
	Resource, ID string // of the document
	To           string // the address; "" where it is not known
	Why          string
	IsKnown      *bool
}

// OnReport heeds what mail servers report of mails with documents. Only who has the mail knows its name.
func OnReport(tx *db.Tx, e support.Reported) error {
	for _, name := range e.References {
		known, err := undelivered(tx, name, e.Report)
		if err != nil || known {
			*e.IsHeeded = known
			return err
		}
	}
	return nil
}

// Refused notes that the mail server did not take a mail with a document, and never will.
func Refused(tx *db.Tx, m mail.Message, why string) error {
	r := support.Refusal(why)
	if len(m.To) > 0 {
		r.To = m.To[0].Email
	}
	_, err := undelivered(tx, m.MessageID, r)
	return err
}

func undelivered(tx *db.Tx, messageID string, r support.Report) (known bool, err error) {
	resource, id, ours := mail.RecordOf(messageID)
	if !ours {
		return false, nil
	}
	if !r.IsFailure() {
		return true, nil
	}
	err = tx.Fire(Undelivered{Resource: resource, ID: id, To: r.To, Why: r.Why(), IsKnown: &known})
	return known, err
}
