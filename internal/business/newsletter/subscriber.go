// Package newsletter is who wants to hear from a store, and what they are mailed. Nobody is written to before the
// reader of an address has confirmed it (double opt-in), and every mail says how to end that.
package newsletter

import (
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// Subscribers is the resource of subscribers. Addresses and names stay out of the logs: erasing a subscriber leaves
// none.
var Subscribers = record.Define("newsletter-subscribers", "newsletter_subscriber", "Newsletter")

// What this room refuses.
var (
	ErrNotFound   = fault.New(fault.NotFound, "Newsletter.NotFound")
	ErrNotOffered = fault.New(fault.Denied, "Newsletter.NotOffered")
	ErrNotPending = fault.New(fault.Conflict, "Newsletter.InvalidStatus")
)

// Status is how a subscription stands.
type Status string

// The statuses: waiting for the address to be confirmed, mailed, ended by its reader (or by hand), and ended because
// mails come back or their reader complained.
const (
	Pending      Status = "Pending"
	Confirmed    Status = "Confirmed"
	Unsubscribed Status = "Unsubscribed"
	Stopped      Status = "Stopped"
)

// Values are all statuses.
func (Status) Values() []Status { return []Status{Pending, Confirmed, Unsubscribed, Stopped} }

// Subscriber is an address that a store's newsletter goes to, may go to, or went to.
type Subscriber struct {
	record.Root
	ChannelCode string
	Email       string `log:"-"`
	Name        string `log:"-"` // as whoever subscribed gave it; may be empty
	Language    string // that the store was read in
	Source      string // where in the store it was asked for, as the storefront says
	Status      Status
	Reason      string  // why it was stopped
	Round       int     // of asking: confirmations of earlier ones are worth nothing
	Mailed      int     // confirmations since one was last answered
	MailedAt    db.Time // the newest of them
	ConfirmedAt db.Time
	EndedAt     db.Time
}

// Key is what logs call a subscriber: nothing that names a person.
func (s *Subscriber) Key() string { return s.ID }

// Asked is fired in the transaction that wants the reader of an address to confirm it.
type Asked struct {
	Subscriber  *Subscriber
	Channel     channel.Channel
	Token       string // that confirms
	LeaveToken  string
	ConfirmDays int
}

// Joined is fired in the transaction that begins a subscription.
type Joined struct {
	Subscriber *Subscriber
	Channel    channel.Channel
	LeaveToken string
}

// askAgain is how soon after a confirmation was mailed another one is: each one more that nobody answers doubles it, so
// that nobody fills a stranger's mailbox.
const askAgain = 10 * time.Minute

func (s *Subscriber) mayAsk(now db.Time) bool {
	if s.Mailed == 0 {
		return true
	}
	wait := askAgain << min(s.Mailed-1, 8)
	return now >= s.MailedAt.Add(wait)
}

// Wish is what somebody who subscribes says.
type Wish struct{ Email, Name, Language, Source string }

// Subscribe asks the reader of an address whether they want the newsletter of a store. Nobody can tell from it whether
// the address is known: one that is confirmed stays so, and one that was just written to is not written to again.
// Newsletter.NotOffered, Mail.Invalid.
func Subscribe(tx *db.Tx, c channel.Channel, w Wish) error {
	if !c.Store.Offers().Newsletter {
		return ErrNotOffered.Because("the store has no newsletter")
	}
	if err := mail.CheckAddress("email", w.Email); err != nil {
		return err
	}
	fresh := Subscriber{Root: record.New(tx), ChannelCode: c.Code, Email: w.Email, Name: w.Name, Language: w.Language,
		Source: w.Source, Status: Pending, Round: 1, Mailed: 1, MailedAt: tx.Now}
	s, err := enter(tx, fresh)
	if err != nil {
		return err
	}
	if s.ID == fresh.ID {
		if err := Subscribers.Created(tx, s.Root, s.Key(), s); err != nil {
			return err
		}
		return ask(tx, c, &s)
	}
	if s.Status == Confirmed || !s.mayAsk(tx.Now) {
		return nil
	}
	err = change(tx, &s, "asked", func(s *Subscriber) {
		if s.Status != Pending {
			s.Round++
		}
		s.Email, s.Name, s.Language, s.Source = w.Email, w.Name, w.Language, w.Source
		s.Status, s.Reason, s.EndedAt, s.ConfirmedAt = Pending, "", 0, 0
		s.Mailed, s.MailedAt = s.Mailed+1, tx.Now
	})
	if err != nil {
		return err
	}
	return ask(tx, c, &s)
}

// Remind mails the confirmation once more. Newsletter.NotFound, Newsletter.InvalidStatus.
func Remind(tx *db.Tx, id string) error {
	s, err := subscribers.Lock(tx, id)
	if err != nil {
		return err
	}
	if s.Status != Pending {
		return ErrNotPending.Because("the subscription is %s: only one that is Pending waits to be confirmed", s.Status)
	}
	if !s.mayAsk(tx.Now) {
		return ErrNotPending.Because("the confirmation was mailed at %s: give it some time before another follows",
			s.MailedAt)
	}
	c, err := channel.Find(tx, s.ChannelCode)
	if err != nil {
		return err
	}
	if err := change(tx, &s, "asked", func(s *Subscriber) { s.Mailed, s.MailedAt = s.Mailed+1, tx.Now }); err != nil {
		return err
	}
	return ask(tx, c, &s)
}

func ask(tx *db.Tx, c channel.Channel, s *Subscriber) error {
	confirm, err := confirmToken(tx, s)
	if err != nil {
		return err
	}
	leave, err := LeaveToken(tx, s.ID)
	if err != nil {
		return err
	}
	return tx.Fire(Asked{Subscriber: s, Channel: c, Token: confirm, LeaveToken: leave, ConfirmDays: ConfirmDays})
}

// Confirm begins the subscription of a token's reader. Each token does it once. Newsletter.TokenInvalid.
func Confirm(tx *db.Tx, l Link) (Subscriber, error) {
	s, err := subscribers.Lock(tx, l.SubscriberID)
	if fault.Is(err, ErrNotFound) || err == nil && (s.Round != l.round || s.Status != Pending) {
		return s, ErrToken.At("token", "the token was used already, or a later one took its place: subscribe once more")
	}
	if err != nil {
		return s, err
	}
	err = change(tx, &s, "confirmed",
		func(s *Subscriber) { s.Status, s.ConfirmedAt, s.Mailed, s.MailedAt = Confirmed, tx.Now, 0, 0 })
	if err != nil {
		return s, err
	}
	c, err := channel.Find(tx, s.ChannelCode)
	if err != nil {
		return s, err
	}
	leave, err := LeaveToken(tx, s.ID)
	if err != nil {
		return s, err
	}
	return s, tx.Fire(Joined{Subscriber: &s, Channel: c, LeaveToken: leave})
}

// Unsubscribe ends a subscription, confirmed or not. One that has ended, or was erased, has.
func Unsubscribe(tx *db.Tx, id string) error {
	return end(tx, id, "unsubscribed", Unsubscribed, "")
}

// Stop ends a subscription because mails to the address come back, or its reader complained. One that has ended stays
// as it is.
func Stop(tx *db.Tx, id, reason string) error {
	return end(tx, id, "stopped", Stopped, reason)
}

func end(tx *db.Tx, id, action string, as Status, reason string) error {
	s, err := subscribers.Lock(tx, id)
	if fault.Is(err, ErrNotFound) {
		return nil
	}
	if err != nil || s.Status == Unsubscribed || s.Status == Stopped {
		return err
	}
	return change(tx, &s, action, func(s *Subscriber) { s.Status, s.Reason, s.EndedAt = as, reason, tx.Now })
}

// Erase forgets a subscriber: no address and no name remain. Newsletter.NotFound.
func Erase(tx *db.Tx, id string) error { return subscribers.Delete(tx, id, nil) }

func change(tx *db.Tx, s *Subscriber, action string, edit func(*Subscriber)) error {
	before := *s
	edit(s)
	return subscribers.Act(tx, action, before, s)
}
