package support

import (
	"cmp"
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// Inboxes is the resource of the mailboxes that are read, by their code.
var Inboxes = record.Define("ticket-inboxes", "ticket_inbox", "TicketInbox", "ticket_inbox_reading")

// What mailboxes are refused with, and what one that cannot be read is.
var (
	ErrInboxNotFound = fault.New(fault.NotFound, "TicketInbox.NotFound")
	ErrInboxInvalid  = fault.New(fault.Invalid, "TicketInbox.Invalid")
	ErrInboxFails    = fault.New(fault.Unavailable, "TicketInbox.Unavailable")
)

// Security is how what goes to and from a mailbox is kept from others.
type Security string

// The ways.
const (
	TLS      Security = "TLS"      // from the first byte, usually at port 993
	StartTLS Security = "StartTLS" // after a word in the clear, usually at port 143
	Bare     Security = "None"     // not at all: for companies of environment Test
)

// Values are all ways.
func (Security) Values() []Security { return []Security{TLS, StartTLS, Bare} }

// Inbox is a mailbox at a mail server of others that is read by IMAP.
type Inbox struct {
	record.Root
	Code       string
	Address    string // whose mails lie in it: answers to its tickets' mails go there
	Host       string
	Port       int
	Security   Security
	User       string `db:"user_name"`
	Password   string `log:"-"`
	Folder     string // that is read
	DoneFolder string // where mails go that were taken; "" = they stay, marked as read
	QueueCode  string `db:"queue"` // of its tickets; "" = the usual one
	IsUsed     bool
}

// NewInbox is what a mailbox is until somebody says otherwise.
func NewInbox() Inbox { return Inbox{Port: 993, Security: TLS, Folder: "INBOX"} }

// Bounds of a mailbox's settings, in letters.
const (
	longestCode   = 30
	longestName   = 200
	longestSecret = 500
)

// ReadKind is the job that reads a mailbox: one for each, which is put off to the next minute whenever it was done.
// It is begun as often as there are minutes, so no number of broken-off ones gives it up.
var ReadKind = jobs.Kind{Name: "mailbox", Attempts: 1_000_000_000, Timeout: 5 * time.Minute, Backoff: time.Minute}

// CreateInbox enters a mailbox. TicketInbox.Invalid, TicketQueue.NotFound.
func CreateInbox(tx *db.Tx, in Inbox) (Inbox, error) {
	if err := in.check(tx); err != nil {
		return in, err
	}
	if err := inboxes.Free(tx, &in); err != nil {
		return in, err
	}
	in.Root = record.New(tx)
	if err := inboxes.Create(tx, &in); err != nil {
		return in, err
	}
	if err := startReading(tx, in.ID); err != nil {
		return in, err
	}
	return in, wake(tx, in)
}

// ChangeInbox changes a mailbox; its code stays. An empty password leaves the one that there is, unless the server or
// the user is another: a password is for whom it was given. Of another folder, user or server nothing has been read.
// TicketInbox.NotFound, TicketInbox.Invalid, TicketQueue.NotFound.
func ChangeInbox(tx *db.Tx, code string, lay func(*Inbox) error) (Inbox, error) {
	emptied := func(in *Inbox) error {
		in.Password = ""
		return lay(in)
	}
	same := false
	before, in, err := inboxes.Change(tx, code, emptied, func(before Inbox, in *Inbox) error {
		same = strings.EqualFold(in.Host, before.Host) && in.Port == before.Port && in.User == before.User
		if in.Password == "" && same {
			in.Password = before.Password
		}
		return in.check(tx)
	})
	if err == nil && (!same || in.Folder != before.Folder) {
		err = startReading(tx, in.ID)
	}
	if err != nil {
		return in, err
	}
	return in, wake(tx, in)
}

// DeleteInbox forgets a mailbox; what lies in it stays. TicketInbox.NotFound.
func DeleteInbox(tx *db.Tx, code string) error { return inboxes.Delete(tx, code, nil) }

// FindInbox is the mailbox with a code. TicketInbox.NotFound.
func FindInbox(tx *db.Tx, code string) (Inbox, error) { return inboxes.Find(tx, code) }

// check refuses what no mailbox can be, and makes codes what they are called.
func (in *Inbox) check(tx *db.Tx) error {
	in.Code, in.Host = strings.TrimSpace(in.Code), strings.ToLower(strings.TrimSpace(in.Host))
	in.Folder = cmp.Or(in.Folder, "INBOX")
	var l fault.List
	l.If(!isWord(in.Code, longestCode) || strings.ContainsAny(in.Code, " /"), ErrInboxInvalid, "code",
		"must be a word of at most %d letters", longestCode)
	l.If(!mail.IsAddress(in.Address), ErrInboxInvalid, "address", "%q is no mail address", in.Address)
	l.If(!isHost(in.Host), ErrInboxInvalid, "host", "must be the name of a server, such as imap.example.com")
	l.If(in.Port < 1 || in.Port > 65535, ErrInboxInvalid, "port", "must be a number from 1 to 65535")
	l.If(in.Security != TLS && in.Security != StartTLS && (in.Security != Bare || tx.Info.Environment != "Test"),
		ErrInboxInvalid, "security", "must be TLS or STARTTLS: the password would be read on the way")
	in.checkAccount(&l)
	if in.QueueCode != "" {
		book, err := reference.Of(tx)
		if err != nil {
			return err
		}
		q, ok := book.TicketQueue(in.QueueCode)
		l.If(!ok, ErrQueueNotFound, "queueCode", "no ticket queue has the code %q", in.QueueCode)
		in.QueueCode = q.Code
	}
	return l.Err()
}

// checkAccount refuses what nobody can sign in with, and folders that there cannot be.
func (in *Inbox) checkAccount(l *fault.List) {
	l.If(!isWord(in.User, longestName), ErrInboxInvalid, "user",
		"must be the name that one signs in with, of at most %d letters", longestName)
	l.If(in.Password == "" || len(in.Password) > longestSecret || strings.ContainsFunc(in.Password, unicode.IsControl),
		ErrInboxInvalid, "password", "is missing, or longer than %d letters", longestSecret)
	l.If(!isWord(in.Folder, longestName), ErrInboxInvalid, "folder", "must be one line of at most %d letters",
		longestName)
	l.If(in.DoneFolder != "" && !isWord(in.DoneFolder, longestName) || strings.EqualFold(in.DoneFolder, in.Folder),
		ErrInboxInvalid, "doneFolder", "must be another folder than the one that is read, or empty")
}

// isWord reports whether a text is one line of some letters.
func isWord(text string, longest int) bool {
	return text != "" && utf8.ValidString(text) && utf8.RuneCountInString(text) <= longest &&
		!strings.ContainsFunc(text, unicode.IsControl)
}

// isHost reports whether a text is the name or the address of a server.
func isHost(text string) bool {
	if _, err := netip.ParseAddr(text); err == nil {
		return true
	}
	return text != "" && len(text) <= 253 && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '.' && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) && !strings.HasPrefix(text, ".") && !strings.HasPrefix(text, "-")
}

// wake has a mailbox read that is used. The job of one that is not ends by itself.
func wake(tx *db.Tx, in Inbox) error {
	if !in.IsUsed {
		return nil
	}
	_, err := jobs.Add(tx, ReadKind, in.Code, in.ID, jobs.Options{Key: in.ID})
	return err
}

// WakeInboxes sees to it that every mailbox in use has its job, whoever has cancelled it.
func WakeInboxes(tx *db.Tx) error {
	all, err := usedInboxes(tx)
	for i := 0; err == nil && i < len(all); i++ {
		err = wake(tx, all[i])
	}
	return err
}

// AnswersTo is the address of the mailbox that tickets of a queue come from: that of the queue, else the first.
func AnswersTo(tx *db.Tx, queueCode string) (address string, found bool, err error) {
	all, err := usedInboxes(tx)
	for _, in := range all {
		if in.QueueCode == queueCode {
			return in.Address, true, err
		}
	}
	if len(all) > 0 {
		return all[0].Address, true, err
	}
	return "", false, err
}

// Reseal seals the mailboxes' passwords with the present key that are not; of a company whose data was copied from
// another, from is that one, and its mailboxes are not used any more: they are the other's. Passwords that cannot be
// opened stay as they are, and are counted.
func Reseal(tx *db.Tx, from string) (lost int, err error) {
	lost, err = tx.Reseal("ticket_inbox", passwordColumn, from)
	if err == nil && from != "" && from != tx.Company {
		err = unuseInboxes(tx)
	}
	return lost, err
}
