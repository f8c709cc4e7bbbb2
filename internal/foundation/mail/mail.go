// Package mail sends what is to be mailed: a message is a job of its own from the transaction that causes it until a
// mail server has taken it.
package mail

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	netmail "net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Address is a mailbox and the name of who reads it.
type Address struct {
	Name  string `json:"name,omitzero"`
	Email string `json:"email"`
	// Confirmed says that its reader has shown that they read it, or that the company's own people wrote it down. To
	// any other address a letter says nothing that whoever caused it has chosen, not even a name: it may be a
	// stranger's.
	Confirmed bool `json:"confirmed,omitzero"`
}

// Message is a mail. Text, HTML or both are its body.
type Message struct {
	From    Address   `json:"from,omitzero"` // the server's own sender address takes the place of From.Email
	ReplyTo Address   `json:"replyTo,omitzero"`
	To      []Address `json:"to"`
	Subject string    `json:"subject"`
	Text    string    `json:"text,omitzero"`
	HTML    string    `json:"html,omitzero"`
	// Letter is what Means.HTML makes HTML of when the mail is sent: whoever causes it does not wait for that, and its
	// job need not keep it.
	Letter json.RawMessage `json:"letter,omitzero"`
	// Headers are further ones, such as List-Unsubscribe.
	Headers map[string]string `json:"headers,omitzero"`
	// MessageID is the mail's own name, without angle brackets; without an @ the sender's domain stands behind it.
	// Empty = made from the job's.
	MessageID string `json:"messageId,omitzero"`
	// References are the mails that this one goes on with, named as MessageID names it, the oldest first.
	References []string `json:"references,omitzero"`
	// ReplyKey is the part before the @ of the address that answers go to, at the domain for which this server takes
	// mails; where it takes none they go to ReplyTo.
	ReplyKey string `json:"replyKey,omitzero"`
	// Paper names what is printed and attached when the mail is sent, so that its job need not keep it; empty =
	// nothing.
	Paper string `json:"paper,omitzero"`
	// About is the business key that the list of jobs shows, such as an order's number; empty = the subject.
	About string `json:"about,omitzero"`
	// Readers is the permission that lets people of the office read what the mail says while it waits; empty = what
	// they need to see the job, and nobody where the mail Expires: what it says is a secret of its reader's then.
	Readers string `json:"readers,omitzero"`
	// Store is the code of the store that writes to an address that is not confirmed; of these a store sends only so
	// many an hour.
	Store string `json:"store,omitzero"`
	// Mailing is the name of a newsletter's letter: it is asked once more whether its reader wants it. Empty = it is
	// none.
	Mailing string `json:"mailing,omitzero"`
	// Expires is the moment after which the mail is no longer of use to anybody; 0 = never.
	Expires db.Time `json:"expires,omitzero"`
}

// OfficeMay reports whether who has permissions may read what a mail says before it is sent.
func (m Message) OfficeMay(may func(permission string) bool) bool {
	return m.Readers != "" && may(m.Readers) || m.Readers == "" && m.Expires == 0
}

// Attachment is a file that a mail brings.
type Attachment struct {
	Name, Media string
	Body        []byte
}

// Printer makes what Message.Paper names.
type Printer func(ctx context.Context, company, paper string) ([]Attachment, error)

// Kind is the kind of a mail's job. It is tried for about a day. What the mail said is forgotten once it is delivered.
var Kind = jobs.Kind{Name: "mail", Attempts: 30, Backoff: 30 * time.Second, Timeout: 2 * time.Minute,
	Blind: true, Remains: addressed}

// addressed is what remains of a delivered mail: to whom it went, and what about.
func addressed(payload any) any {
	m := payload.(Message)
	return Message{From: m.From, To: m.To, Subject: m.Subject, MessageID: m.MessageID, About: m.About, Store: m.Store}
}

// ErrInvalid is a message that no mail server may be given.
var ErrInvalid = fault.New(fault.Invalid, "Mail.Invalid")

// Enqueue sends a message after the commit of tx. It refuses with Mail.Invalid, naming everything that is wrong.
func Enqueue(tx *db.Tx, m Message) error {
	if err := m.Check(); err != nil {
		return err
	}
	_, err := jobs.Add(tx, Kind, cmp.Or(m.About, m.Subject), m, jobs.Options{})
	return err
}

// maxRecipients keeps a message from being a mailing: those are a mail for each reader.
const maxRecipients = 20

// Check reports everything that is wrong with a message. A line break in a header would let whoever wrote it add
// headers and recipients of his own.
func (m Message) Check() error {
	var wrong fault.List
	wrong.If(len(m.To) == 0 || len(m.To) > maxRecipients, ErrInvalid, "to", "a mail goes to one to %d addresses",
		maxRecipients)
	for i, a := range m.To {
		a.check(fmt.Sprintf("to[%d]", i), &wrong)
	}
	if m.From.Email != "" {
		m.From.check("from", &wrong)
	}
	oneLine(&wrong, "from.name", m.From.Name)
	if m.ReplyTo != (Address{}) {
		m.ReplyTo.check("replyTo", &wrong)
	}
	oneLine(&wrong, "subject", m.Subject)
	wrong.If(strings.TrimSpace(m.Subject) == "", ErrInvalid, "subject", "a mail needs a subject")
	wrong.If(m.Text == "" && m.HTML == "", ErrInvalid, "text", "a mail needs a body: text, html or both")
	wrong.If(!utf8.ValidString(m.Text) || !utf8.ValidString(m.HTML), ErrInvalid, "text", "the body must be UTF-8")
	wrong.If(m.MessageID != "" && !isMessageID(m.MessageID), ErrInvalid, "messageId",
		"must have the form name@domain, without angle brackets")
	for i, id := range m.References {
		wrong.If(!isMessageID(id), ErrInvalid, fmt.Sprintf("references[%d]", i),
			"must have the form name@domain, without angle brackets")
	}
	if m.ReplyKey != "" {
		checkEmail("replyKey", m.ReplyKey+"@example.com", &wrong)
	}
	for name, value := range m.Headers {
		wrong.If(!headerName(name), ErrInvalid, "headers", "%q is no name of a further header", name)
		oneLine(&wrong, "headers."+name, value)
	}
	return wrong.Err()
}

// recordMark is what the names of mails about records begin with.
const recordMark = "record."

// NameAbout is a name for a mail about a record, by which a report that it was not delivered is known. Each mail gets
// another, and nobody can make one who has not got such a mail: a record's id cannot be guessed.
func NameAbout(resource, id string) string {
	return recordMark + resource + "." + id + "." + record.NewID()
}

// RecordOf is the record that a mail of this name is about.
func RecordOf(messageID string) (resource, id string, ok bool) {
	local, _, _ := strings.Cut(messageID, "@")
	parts := strings.Split(strings.TrimPrefix(local, recordMark), ".")
	if !strings.HasPrefix(local, recordMark) || len(parts) != 3 || uuid.Validate(parts[1]) != nil {
		return "", "", false
	}
	return parts[0], parts[1], true
}

func isMessageID(id string) bool {
	return id != "" && !strings.ContainsFunc(id, notPlain) && !strings.ContainsAny(id, "<> ") &&
		strings.Count(id, "@") <= 1
}

// Check notes an address that was given at path as wrong where no mail can be sent to it: every field that keeps one
// asks here.
func Check(wrong *fault.List, code fault.Code, path, email string) {
	wrong.If(email != "" && !IsAddress(email), code, path, "%q is no mail address such as name@example.com", email)
}

// CheckAddress refuses what is no mail address, with Mail.Invalid at path; one has to be there.
func CheckAddress(path, email string) error {
	var wrong fault.List
	checkEmail(path, email, &wrong)
	return wrong.Err()
}

func checkEmail(path, email string, wrong *fault.List) {
	wrong.If(!IsAddress(email), ErrInvalid, path, "%q is no mail address such as name@example.com", email)
}

// IsAddress reports whether a text is a mail address that a mail can be sent to: bare, without a display name.
func IsAddress(text string) bool {
	a, err := netmail.ParseAddress(text)
	return err == nil && a.Address == text && len(text) <= limit.Mail && !strings.ContainsFunc(text, spaceOrControl)
}

func (a Address) check(path string, wrong *fault.List) {
	oneLine(wrong, path+".name", a.Name)
	checkEmail(path+".email", a.Email, wrong)
}

func spaceOrControl(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func oneLine(wrong *fault.List, path, text string) {
	wrong.If(strings.ContainsFunc(text, unicode.IsControl) || !utf8.ValidString(text) ||
		strings.ContainsAny(text, "\u2028\u2029"), ErrInvalid, path, "must be one line of text without control characters")
}

func notPlain(r rune) bool { return r <= ' ' || r >= 0x7f }

// headerName reports whether a further header may have this name: one of letters, digits and dashes that the message
// does not write itself.
func headerName(name string) bool {
	lower := strings.ToLower(name)
	if name == "" || strings.HasPrefix(lower, "content-") || strings.HasPrefix(lower, "resent-") {
		return false
	}
	if slices.Contains([]string{"from", "sender", "reply-to", "to", "cc", "bcc", "subject", "date", "message-id",
		"mime-version", "return-path", "received"}, lower) {
		return false
	}
	return !strings.ContainsFunc(lower,
		func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// retryUnconfigured is how often a mail looks whether there is a mail server by now. One that has waited for long looks
// more seldom, so that what has heaped up costs little.
const retryUnconfigured = 15 * time.Minute

// errNoServer is why mails wait where no mail server is configured.
var errNoServer = errors.New("no mail server is configured: start the server with --smtp-url")

// Pace refuses a mail to an address that is not confirmed where the store has sent too many, with how long to wait.
type Pace func(ctx context.Context, company, store string) error

// Means are what mails may need: HTML is made of a mail's letter, Print makes its paper, Pace lets one to an address
// that is not confirmed go, Wanted lets a newsletter's letter go, Refused is told of each that the mail server refuses
// for good, Domain is where this server takes mails. Nil and empty = such mails are sent without.
type Means struct {
	HTML    func(letter []byte) string
	Print   Printer
	Pace    Pace
	Wanted  func(ctx context.Context, company, letter string) (bool, error)
	Refused func(ctx context.Context, company string, m Message, why string) error
	Domain  string
}

// errUnwanted is why a newsletter's letter is not sent any more.
var errUnwanted = errors.New("not sent: its reader does not want the newsletter any more")

// Register lets r deliver mails through s. Without a sender they wait, and say why.
func Register(r *jobs.Runner, s *Sender, means Means) {
	if s == nil {
		r.PutOff(Kind, errNoServer, retryUnconfigured)
	} else {
		r.Hasten(Kind, errNoServer)
	}
	jobs.Outside(r, Kind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
		return struct{}{}, deliver(ctx, s, means, j, r.Now())
	}, nil)
}

// lets refuses a mail that is to wait, or that nobody wants any more.
func (means Means) lets(ctx context.Context, company string, m Message) error {
	if m.Store != "" && means.Pace != nil {
		if err := means.Pace(ctx, company, m.Store); fault.As(err).Kind == fault.TooMany {
			return jobs.Postpone(err, time.Duration(fault.As(err).RetryAfterSeconds)*time.Second)
		} else if err != nil {
			return err
		}
	}
	if m.Mailing == "" || means.Wanted == nil {
		return nil
	}
	wanted, err := means.Wanted(ctx, company, m.Mailing)
	if err == nil && !wanted {
		err = jobs.Drop(errUnwanted)
	}
	return err
}

func deliver(ctx context.Context, s *Sender, means Means, j jobs.Job, now db.Time) error {
	var m Message
	if err := j.Read(&m); err != nil {
		return err
	}
	if m.Expires != 0 && now >= m.Expires {
		return jobs.Drop(errors.New("not sent: what the mail says has expired"))
	}
	if s == nil {
		return jobs.Postpone(errNoServer, max(retryUnconfigured, now.Time().Sub(j.CreatedAt.Time())/4))
	}
	if err := means.lets(ctx, j.Company, m); err != nil {
		return err
	}
	var attached []Attachment
	if m.Paper != "" && means.Print != nil {
		var err error
		if attached, err = means.Print(ctx, j.Company, m.Paper); err != nil {
			return err
		}
	}
	if len(m.Letter) > 0 && means.HTML != nil {
		m.HTML = means.HTML(m.Letter)
	}
	if m.ReplyKey != "" && means.Domain != "" {
		m.ReplyTo = Address{Name: m.From.Name, Email: m.ReplyKey + "@" + means.Domain}
	}
	err := s.Send(ctx, m, j.ID, attached...)
	if means.Refused != nil && jobs.IsPermanent(err) {
		return errors.Join(err, means.Refused(ctx, j.Company, m, err.Error()))
	}
	return err
}
