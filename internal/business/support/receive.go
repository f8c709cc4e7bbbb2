package support

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// Box is what an address of the company leads to: a ticket by its reply key, or a queue, the usual one where it names
// none.
type Box struct{ ReplyKey, QueueCode string }

// BoxOf reads what stands between the + and the @ of an address. TicketQueue.NotFound where it names a queue that there
// is not.
func BoxOf(tx *db.Tx, tag string) (Box, error) {
	tag = strings.ToLower(tag)
	if key, ok := strings.CutPrefix(tag, replyMark); ok {
		return Box{ReplyKey: key}, nil
	}
	if tag == "" {
		return Box{}, nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return Box{}, err
	}
	q, ok := book.TicketQueue(tag)
	if !ok {
		return Box{}, ErrQueueNotFound.Because("no ticket queue has the code %q", tag)
	}
	return Box{QueueCode: q.Code}, nil
}

// Fate is what became of a mail.
type Fate string

// The fates.
const (
	Opened  Fate = "opened"  // a ticket
	Added   Fate = "added"   // to the ticket that it answers
	Noted   Fate = "noted"   // nobody wrote it: an internal note on the ticket that it answers
	Dropped Fate = "dropped" // nobody wrote it, and it answers none
	Heeded  Fate = "heeded"  // a mail server's report of a letter of ours
	Known   Fate = "known"   // the same mail came before
)

// Receive takes a mail that came to a box. It answers a ticket where it comes from the ticket's contact and was sent to
// the ticket's reply key, names one of its mails, or has its number in brackets in the subject. Whoever else writes
// opens a ticket of their own and sees nothing of the other. What no person wrote opens none and changes no status, so
// that two machines cannot keep each other talking. A mail of our own that comes back is dropped, and what somebody
// writes from an address of the company's mailboxes is no customer's.
func Receive(tx *db.Tx, to Box, l Letter) (Fate, Ticket, error) {
	first, err := claim(tx, l.Key)
	if err != nil || !first {
		return Known, Ticket{}, err
	}
	if l.Report != nil {
		heeded := false
		err := tx.Fire(Reported{References: l.References, Report: *l.Report, IsHeeded: &heeded})
		if err != nil || heeded {
			return Heeded, Ticket{}, err
		}
	}
	ours, own, err := fromUs(tx, l)
	if err != nil || ours {
		return Dropped, Ticket{}, err
	}
	t, proven, err := answered(tx, to, l)
	if err != nil {
		return "", t, err
	}
	if l.IsAutomatic || own {
		return noted(tx, t, proven, l)
	}
	if t.ID != "" && t.Status != Closed && record.Fold(t.ContactEmail) == record.Fold(l.FromEmail) {
		t, err = say(tx, t.Number, l)
		return Added, t, err
	}
	t, err = open(tx, to, l)
	return Opened, t, err
}

// fromUs reports whether a mail is one that we have sent, and whether it comes from the address of a mailbox of ours.
func fromUs(tx *db.Tx, l Letter) (ours, own bool, err error) {
	if strings.HasPrefix(l.MessageID, ownMail) {
		number, err := numberByMail(tx, mailNames([]string{l.MessageID}))
		if err != nil || number != "" {
			return number != "", false, err
		}
	}
	own, err = isOwnAddress(tx, l.FromEmail)
	return false, own, err
}

// numbered is a ticket's number as our mails have it in the subject.
var numbered = lazy.Regexp(`\[([^\[\]]{1,50})\]`)

// answered finds the ticket that a mail speaks of; proven where it names what only our mail to the contact told.
func answered(tx *db.Tx, to Box, l Letter) (t Ticket, proven bool, err error) {
	var number string
	if to.ReplyKey != "" {
		number, err = numberByReplyKey(tx, to.ReplyKey)
	}
	if err == nil && number == "" {
		number, err = numberByMail(tx, mailNames(l.References))
	}
	proven = number != ""
	for _, m := range numbered().FindAllStringSubmatch(l.Subject, 5) {
		if err == nil && number == "" {
			number, err = knownNumber(tx, m[1])
		}
	}
	if err != nil || number == "" {
		return t, false, err
	}
	t, err = tickets.Lock(tx, number)
	return t, proven, err
}

// mailNames are references as messages keep them: of our own mails the part before the @.
func mailNames(references []string) (names []string) {
	slices.Reverse(references)
	for _, id := range references[:min(len(references), maxReferences)] {
		if local, _, _ := strings.Cut(id, "@"); strings.HasPrefix(local, ownMail) {
			id = local
		}
		names = append(names, id)
	}
	return names
}

// ownMail is what the names of our mails begin with.
const ownMail = "ticket."

// maxNotes is how many notes machines may leave on a ticket.
const maxNotes = 20

// noted keeps what a machine sent as an internal note, where it proves to answer a mail of ours.
func noted(tx *db.Tx, t Ticket, proven bool, l Letter) (Fate, Ticket, error) {
	if !proven || t.Status == Closed {
		return Dropped, Ticket{}, nil
	}
	notes, err := countNotes(tx, t.ID)
	if err != nil || notes >= maxNotes {
		return Dropped, Ticket{}, err
	}
	t, _, err = Say(tx, t.Number, Message{AuthorType: System, IsInternal: true, AuthorName: l.FromEmail,
		Body: cut(l.Subject+"\n\n"+l.Text, 4000)})
	return Noted, t, err
}

// Refused notes on its ticket that the mail server did not take an answer, and never will: nobody waits for a customer
// who was not reached. Other mails are none of its business.
func Refused(tx *db.Tx, messageID, why string) error {
	if !strings.HasPrefix(messageID, ownMail) {
		return nil
	}
	number, err := numberByMail(tx, mailNames([]string{messageID}))
	if err != nil || number == "" {
		return err
	}
	t, err := tickets.Lock(tx, number)
	if err != nil {
		return err
	}
	_, _, err = noted(tx, t, true, Letter{Subject: "The answer was not delivered", Text: why})
	return err
}

// open makes a ticket of a mail; the mail is its first message.
func open(tx *db.Tx, to Box, l Letter) (Ticket, error) {
	draft := Ticket{Source: Mailbox, Subject: l.Subject, QueueCode: to.QueueCode, ContactName: l.FromName,
		ContactEmail: l.FromEmail}
	draft.Subject = cmp.Or(draft.Subject, "(–)")
	owner, found, err := party.CustomerByEmail(tx, l.FromEmail)
	if err != nil {
		return draft, err
	}
	if found {
		draft.CustomerNumber = owner
	}
	t, err := Create(tx, draft)
	if fault.Is(err, ErrCustomerNotFound) { // deleted meanwhile
		draft.CustomerNumber = ""
		t, err = Create(tx, draft)
	}
	if err != nil {
		return t, err
	}
	return say(tx, t.Number, l)
}

// say adds a mail to a ticket, and what of it was not kept as an internal note.
func say(tx *db.Tx, number string, l Letter) (Ticket, error) {
	m := Message{AuthorType: Customer, AuthorName: l.FromName, Body: l.Text, MailID: l.MessageID}
	m.AuthorName = cmp.Or(m.AuthorName, l.FromEmail)
	m.Body = cmp.Or(m.Body, "–")
	for _, f := range l.Files {
		m.Attachments = append(m.Attachments, Attachment{File: f})
	}
	t, _, err := Say(tx, number, m)
	if err != nil || len(l.LeftOut) == 0 {
		return t, err
	}
	t, _, err = Say(tx, number, Message{AuthorType: System, IsInternal: true,
		Body: cut(
			"Attachments that were not kept, because they are no pictures or PDF documents or are larger than 10 MB:\n"+
				strings.Join(l.LeftOut, "\n"), 4000)})
	return t, err
}
