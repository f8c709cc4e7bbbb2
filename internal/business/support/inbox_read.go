package support

import (
	"context"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Reading is how far a mailbox was read, and what came of it.
type Reading struct {
	UIDValidity int64 // under which UIDs mean something; 0 = it was not read yet
	UnreadTo    int64 // of mails up to this one only those that nobody has read are taken
	LastUID     int64 // of the newest mail that was met
	Unmarked    int64 // taken, and not known to be marked in the mailbox; 0 = none
	AskedAt     db.Time
	TakenAt     db.Time // when the newest mail was taken
	FailingAt   db.Time // since when it cannot be read; 0 = it can
	Fails       int     // in a row
	Reason      string  // why it cannot, in English; "" = it can
	Taken       int     // mails, ever
	Left        int     `db:"left_lying"` // mails that were not taken since it was last read from the start
	LeftReason  string  // of the last of them
}

// ReadingOf is how far a mailbox was read.
func ReadingOf(tx *db.Tx, id string) (Reading, error) {
	r, _, err := findReading(tx, id, "")
	return r, err
}

// InboxToRead is a mailbox in use, with how far it was read. TicketInbox.NotFound.
func InboxToRead(tx *db.Tx, id string) (in Inbox, r Reading, err error) {
	in, found, err := inboxes.ByID(tx, id)
	if err == nil && (!found || !in.IsUsed) {
		err = ErrInboxNotFound.Because("the mailbox is not used any more")
	}
	if err == nil {
		r, err = ReadingOf(tx, id)
	}
	return in, r, err
}

// Trial is what was found in a mailbox that was tried.
type Trial struct {
	Mails   int
	Waiting int  // mails that would be taken now
	More    bool // than these
}

// Trying tries mailboxes.
type Trying interface {
	// Try signs in to a mailbox and looks into its folder, and changes nothing. TicketInbox.Unavailable.
	Try(ctx context.Context, in Inbox, read Reading, isTest bool) (Trial, error)
}

// change changes how far a mailbox was read, whoever else does meanwhile.
func change(tx *db.Tx, id string, fn func(*Reading) error) (r Reading, err error) {
	r, found, err := findReading(tx, id, db.ForUpdate)
	if err == nil && !found {
		err = ErrInboxNotFound.Because("the mailbox is not used any more")
	}
	if err == nil {
		err = fn(&r)
	}
	if err != nil {
		return r, err
	}
	return r, writeReading(tx, id, r)
}

// BeginReading notes under which validity UIDs mean something now, where that is another than before: then nothing is
// known of the mailbox, and what lies in it up to newest is taken where nobody has read it.
func BeginReading(tx *db.Tx, id string, validity, newest int64) (Reading, error) {
	return change(tx, id, func(r *Reading) error {
		if r.UIDValidity != validity {
			r.UIDValidity, r.UnreadTo, r.LastUID, r.Unmarked = validity, newest, 0, 0
		}
		return nil
	})
}

// TakeFrom takes a mail of a mailbox, as Receive does, and notes in the same commit that it was taken: whoever comes to
// it again, from another node or after a crash, finds it Known.
func TakeFrom(tx *db.Tx, in Inbox, validity, uid int64, l Letter) (fate Fate, t Ticket, err error) {
	_, err = change(tx, in.ID, func(r *Reading) error {
		if r.UIDValidity != validity || r.LastUID >= uid {
			fate = Known
			return nil
		}
		fate, t, err = Receive(tx, Box{QueueCode: in.QueueCode}, l)
		r.LastUID, r.Unmarked, r.TakenAt = uid, uid, tx.Now
		r.Taken++
		return err
	})
	return fate, t, err
}

// LeaveIn notes that a mail is left in the mailbox as it is, and why.
func LeaveIn(tx *db.Tx, id string, validity, uid int64, why string) error {
	_, err := change(tx, id, func(r *Reading) error {
		if r.UIDValidity == validity && r.LastUID < uid {
			r.LastUID, r.LeftReason = uid, why
			r.Left++
		}
		return nil
	})
	return err
}

// How long a mailbox is left alone: after it was read, and at most after it could not be.
const (
	askEvery    = time.Minute
	longestRest = time.Hour
)

// EndReading notes that a mailbox was read, or why it could not be, and answers when to ask it again: later and later
// while it fails. reached is the newest mail that was met, of a mailbox that was read to its end: from then on nothing
// before it is looked at. 0 = it was not.
func EndReading(tx *db.Tx, id string, reached int64, failure error) (again time.Duration, err error) {
	again = askEvery
	_, err = change(tx, id, func(r *Reading) error {
		r.AskedAt = tx.Now
		if failure == nil {
			if reached > 0 && r.LastUID == reached {
				r.LastUID = max(reached, r.UnreadTo)
			}
			r.Unmarked, r.FailingAt, r.Fails, r.Reason = 0, 0, 0, ""
			return nil
		}
		if r.Fails == 0 {
			r.FailingAt = tx.Now
		}
		r.Reason = fault.As(failure).Said().String()
		again = min(askEvery<<min(r.Fails, 10), longestRest)
		r.Fails++
		return nil
	})
	return again, err
}

// ReadAgain has a mailbox read at once, and what lies unread in it taken that was left before. TicketInbox.NotFound.
func ReadAgain(tx *db.Tx, code string) error {
	in, err := FindInbox(tx, code)
	if err != nil {
		return err
	}
	_, err = change(tx, in.ID, func(r *Reading) error {
		r.UnreadTo, r.LastUID = max(r.UnreadTo, r.LastUID), 0
		r.Left, r.LeftReason = 0, ""
		return nil
	})
	if err != nil {
		return err
	}
	return wake(tx, in)
}
