package mailing

import (
	"strings"

	"kontor/internal/business/newsletter"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
)

// Why a subscription is stopped, before what the mail server said.
const (
	cameBack   = "mail came back"
	complained = "the reader complained to the mail provider"
)

// OnReport heeds what mail servers report of letters: one that came back for good ends what is mailed to its reader,
// and so does a complaint. Only who has the letter knows its name, so nobody ends the subscription of somebody else
// with a report of his own making.
func OnReport(tx *db.Tx, e support.Reported) error {
	for _, name := range e.References {
		letter, ours := letterOf(name)
		if !ours {
			continue
		}
		known, err := returned(tx, letter, e.Report)
		if err != nil || known {
			*e.IsHeeded = known
			return err
		}
	}
	return nil
}

// letterOf is the letter that a Message-ID names.
func letterOf(messageID string) (letter string, ours bool) {
	local, _, _ := strings.Cut(messageID, "@")
	return strings.CutPrefix(local, mailMark)
}

// returned notes what a report says of a letter; known where there is such a letter.
func returned(tx *db.Tx, letter string, report support.Report) (known bool, err error) {
	r, m, err := lockByLetter(tx, letter)
	if err != nil || r.Letter == "" {
		return false, err
	}
	switch {
	case report.IsComplaint:
		return true, newsletter.Stop(tx, r.SubscriberID, complained)
	case !report.IsFailure():
		return true, nil
	}
	if r.Status == IsSent {
		r.Status, r.Reason, r.MovedAt = IsBounced, report.Why(), tx.Now
		m.Counts.Sent--
		m.Counts.Bounced++
		if err := mark(tx, []Recipient{r}); err != nil {
			return true, err
		}
		if err := count(tx, &m); err != nil {
			return true, err
		}
	}
	if !report.IsForGood() {
		return true, nil
	}
	return true, newsletter.Stop(tx, r.SubscriberID, cameBack+": "+report.Why())
}

// Refused notes that the mail server did not take a letter, and never will.
func Refused(tx *db.Tx, letter, why string) error {
	_, err := returned(tx, letter, support.Refusal(why))
	return err
}
