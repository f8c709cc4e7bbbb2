package mailing

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/business/newsletter"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
)

// SendKind is the work of sending a mailing: it is put off whenever it has let some letters leave, until none waits.
var SendKind = jobs.Kind{Name: "mailing", Parallel: 1}

// errPaced is what the list of jobs shows of a mailing that is under way.
var errPaced = errors.New("the mailing is under way: the next letters leave at its pace")

// RecipientStatus is what became of a mailing's letter to a subscriber.
type RecipientStatus string

// The statuses of recipients. A letter that was Sent is in the outbox, from where it may still come back.
const (
	IsWaiting RecipientStatus = "Waiting"
	IsSent    RecipientStatus = "Sent"
	IsSkipped RecipientStatus = "Skipped"
	IsBounced RecipientStatus = "Bounced"
)

// Values are all statuses of recipients.
func (RecipientStatus) Values() []RecipientStatus {
	return []RecipientStatus{IsWaiting, IsSent, IsSkipped, IsBounced}
}

// Recipient is somebody a mailing is for.
type Recipient struct {
	MailingID    string
	SubscriberID string
	Email        string // "" = erased since
	Status       RecipientStatus
	Letter       string // name of the mail; "" = none has left
	Reason       string // why it was skipped or came back
	MovedAt      db.Time
}

// Leaving is fired in the transaction that lets a letter leave; without a subscriber it is a trial, to somebody of the
// company.
type Leaving struct {
	Mailing    *Mailing
	Channel    channel.Channel
	To         mail.Address
	Letter     string
	LeaveToken string // ends the subscription
	ReadToken  string // shows the letter in a browser
}

// Erased is why somebody was skipped who is not there any more; else it is the subscription's status.
const Erased = "Erased"

// portion is how many letters leave at once at a pace, and how long the next ones wait then.
func portion(pace int) (letters int, rest time.Duration) {
	letters = (pace + 59) / 60
	return letters, time.Duration(letters) * time.Minute / time.Duration(pace)
}

// Step lets the next letters of a mailing leave, and answers when the next ones may; 0 = there is no more to be done.
// Each is enqueued in the transaction that marks its recipient, so whatever is killed, nobody gets one twice.
func Step(tx *db.Tx, id string) (again time.Duration, err error) {
	m, err := mailings.Lock(tx, id)
	if fault.Is(err, ErrNotFound) || err == nil && m.Status != Sending {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	nextAt, err := pausedUntil(tx, id)
	n, rest := portion(m.Pace)
	// A longer rest was begun by a clock that was put back since.
	if left := time.Duration(nextAt-tx.Now) * time.Microsecond; err != nil || left > 0 && left <= rest+time.Minute {
		return left, err
	}
	c, err := channel.Find(tx, m.ChannelCode)
	if err != nil {
		return 0, err
	}
	next, err := waiting(tx, id, n)
	if err != nil {
		return 0, err
	}
	for i := range next {
		if err := leave(tx, &m, c, &next[i]); err != nil {
			return 0, err
		}
	}
	if err := mark(tx, next); err != nil {
		return 0, err
	}
	if err := count(tx, &m); err != nil {
		return 0, err
	}
	if m.Counts.Waiting == 0 {
		_, err := mailings.Do(tx, id, "end", func(m *Mailing) error {
			m.EndedAt = tx.Now
			return nil
		})
		return 0, err
	}
	return rest, pause(tx, id, tx.Now.Add(rest))
}

// leave decides what becomes of one recipient's letter.
func leave(tx *db.Tx, m *Mailing, c channel.Channel, r *Recipient) error {
	r.MovedAt = tx.Now
	m.Counts.Waiting--
	s, err := newsletter.Find(tx, r.SubscriberID)
	switch {
	case fault.Is(err, newsletter.ErrNotFound):
		r.Status, r.Reason = IsSkipped, Erased
		m.Counts.Skipped++
		return nil
	case err != nil:
		return err
	case s.Status != newsletter.Confirmed:
		r.Status, r.Reason = IsSkipped, string(s.Status)
		m.Counts.Skipped++
		return nil
	}
	r.Status, r.Letter = IsSent, newLetter()
	m.Counts.Sent++
	e := Leaving{Mailing: m, Channel: c, Letter: r.Letter,
		To: mail.Address{Name: s.Name, Email: s.Email, Confirmed: true}}
	if e.LeaveToken, err = newsletter.LeaveToken(tx, s.ID); err != nil {
		return err
	}
	if e.ReadToken, err = newsletter.ReadToken(tx, m.ID); err != nil {
		return err
	}
	return tx.Fire(e)
}

// newLetter is a name for a mail that nobody can guess.
func newLetter() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// mailMark begins the names of mails that are letters of mailings.
const mailMark = "mailing."

// MailName is the Message-ID of a letter, without the sender's domain.
func MailName(letter string) string { return mailMark + letter }

// Try sends a mailing to somebody of the company alone, whatever its status: no recipient's letter, and nothing to
// unsubscribe from. Mailing.NotFound.
func Try(tx *db.Tx, id string, to mail.Address) error {
	m, err := Find(tx, id)
	if err != nil {
		return err
	}
	c, err := channel.Find(tx, m.ChannelCode)
	if err != nil {
		return err
	}
	to.Confirmed = true
	return tx.Fire(Leaving{Mailing: &m, Channel: c, To: to})
}

// Wanted reports whether a letter that waits to be sent is still wanted: its reader may have unsubscribed while it lay
// in the outbox, and is skipped then.
func Wanted(tx *db.Tx, letter string) (bool, error) {
	r, m, err := lockByLetter(tx, letter)
	if err != nil || r.Letter == "" || r.Status != IsSent {
		return err == nil && r.Letter == "", err
	}
	s, err := newsletter.Find(tx, r.SubscriberID)
	if err == nil && s.Status == newsletter.Confirmed {
		return true, nil
	}
	if err != nil && !fault.Is(err, newsletter.ErrNotFound) {
		return false, err
	}
	if r.Reason = string(s.Status); s.ID == "" {
		r.Reason = Erased
	}
	r.Status, r.MovedAt = IsSkipped, tx.Now
	m.Counts.Sent--
	m.Counts.Skipped++
	if err := mark(tx, []Recipient{r}); err != nil {
		return false, err
	}
	return false, count(tx, &m)
}

// Paced is what the job of a mailing ends with when more letters wait.
func Paced(again time.Duration) error {
	if again == 0 {
		return nil
	}
	return jobs.Postpone(errPaced, again)
}
