package postbox

import (
	"context"
	"errors"
	"time"

	"github.com/emersion/go-imap/v2"

	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/throttle"
)

// tryTime is how long who tries a mailbox waits.
const tryTime = 20 * time.Second

// Try signs in to a mailbox and looks into its folder, and changes nothing. TicketInbox.Unavailable.
func (r *Reader) Try(ctx context.Context, in support.Inbox, p support.Reading, isTest bool) (t support.Trial,
	err error) {
	ctx, stop := context.WithTimeout(ctx, tryTime)
	defer stop()
	m, err := r.open(ctx, in, isTest)
	if err != nil {
		return t, err
	}
	defer m.free()
	if p.UIDValidity != m.validity {
		p = support.Reading{UnreadTo: m.newest}
	}
	waiting, err := m.waiting(p)
	t = support.Trial{Mails: m.mails, Waiting: min(len(waiting), maxVisit), More: len(waiting) > maxVisit}
	return t, m.ended(ctx, err)
}

// visit is the reading of a mailbox, once.
type visit struct {
	*Reader
	*mailbox
	company identity.Company
	in      support.Inbox
	reading support.Reading
	bytes   int64
}

// Read takes what has come to a mailbox, and answers when to read it again; failure is why it could not be read, as the
// office shows it, and err is what is wrong with us.
// TicketInbox.NotFound where it is not used any more.
func (r *Reader) Read(ctx context.Context, c identity.Company, id string) (again time.Duration, failure, err error) {
	v := &visit{Reader: r, company: c}
	isTest := false
	err = r.kontor.Read(ctx, clerk(c.ID), func(tx *db.Tx) (err error) {
		isTest = tx.Info.Environment == "Test"
		v.in, v.reading, err = support.InboxToRead(tx, id)
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	whole := false
	v.mailbox, failure = r.open(ctx, v.in, isTest)
	if failure == nil {
		defer v.free()
		whole, failure = v.take(ctx)
		failure = v.ended(ctx, failure)
	}
	if failure != nil {
		r.log.Warn("a mailbox cannot be read", "company", c.Code, "mailbox", v.in.Code, "error", failure, "cause",
			errors.Unwrap(failure))
	}
	reached := v.reading.LastUID
	if !whole {
		reached = 0
	}
	// Also where the time of the visit is over.
	err = r.kontor.Write(context.WithoutCancel(ctx), clerk(c.ID), db.Into(&again,
		func(tx *db.Tx) (time.Duration, error) { return support.EndReading(tx, id, reached, failure) }))
	if failure == nil && !whole {
		again = time.Second
	}
	return again, failure, err
}

// take takes the mails of a visit, the oldest first; whole where none is left.
func (v *visit) take(ctx context.Context) (whole bool, err error) {
	err = v.kontor.Write(ctx, clerk(v.company.ID), func(tx *db.Tx) (err error) {
		v.reading, err = support.BeginReading(tx, v.in.ID, v.validity, v.newest)
		return err
	})
	if err != nil {
		return false, err
	}
	if v.reading.Unmarked != 0 { // taken when the visit before broke off
		if err := v.mailbox.done(v.reading.Unmarked, v.in); err != nil {
			return false, err
		}
	}
	waiting, err := v.waiting(v.reading)
	if err != nil || len(waiting) == 0 {
		return err == nil, err
	}
	whole = len(waiting) <= maxVisit
	waiting = waiting[:min(len(waiting), maxVisit)]
	sizes, err := v.sizes(waiting)
	if err != nil {
		return false, err
	}
	for i, uid := range waiting {
		size, there := sizes[uid]
		if v.bytes += size; i > 0 && v.bytes > maxVisited {
			return false, nil
		}
		if there {
			err = v.one(ctx, uid, size, i == 0)
		}
		if err != nil {
			return false, err
		}
		v.reading.LastUID = uid
	}
	return whole, nil
}

// patienceWithOne is how many visits in a row may fail at the same mail before it is left where it lies: the ones
// behind it shall come through.
const patienceWithOne = 5

// one takes a mail, or leaves it with the reason.
func (v *visit) one(ctx context.Context, uid, size int64, first bool) error {
	if size > support.MaxMail {
		return v.leave(ctx, uid, "It is larger than 40 MB.")
	}
	v.wire.left.Store(maxProtocol + size + size/8 + maxAround) // records of TLS among it
	l, found, err := v.letter(uid, func(name string, data []byte) (media.File, error) {
		return v.kontor.Files().TakeMailed(ctx, v.company.ID, name, data)
	})
	switch {
	case fault.Is(err, support.ErrMail):
		return v.leave(ctx, uid, fault.As(err).Said().String())
	case fault.Is(err, fails) || err == nil && !found:
		return err
	case err == nil:
		err = v.kontor.CountMail(ctx, v.company.ID, l.FromEmail)
	}
	if fault.Is(err, throttle.ErrRate) {
		return v.leave(ctx, uid, "More mails came within an hour than are taken of one sender, or of all of them.")
	}
	var fate support.Fate
	var t support.Ticket
	if err == nil {
		err = v.kontor.Write(ctx, clerk(v.company.ID), func(tx *db.Tx) (err error) {
			fate, t, err = support.TakeFrom(tx, v.in, v.validity, uid, l)
			return err
		})
	}
	if err != nil {
		if first && v.reading.Fails >= patienceWithOne && ctx.Err() == nil {
			v.log.Error("a mail is left in its mailbox, as it could not be taken many times", "company", v.company.Code,
				"mailbox", v.in.Code, "uid", uid, "error", err)
			return v.leave(ctx, uid, "It could not be taken several times; the server's log says why.")
		}
		return err
	}
	v.log.Info("mail taken", "company", v.company.Code, "mailbox", v.in.Code, "fate", string(fate), "ticket", t.Number)
	return v.mailbox.done(uid, v.in)
}

// leave notes that a mail stays in the mailbox, and flags it there, where that can be done.
func (v *visit) leave(ctx context.Context, uid int64, why string) error {
	err := v.kontor.Write(ctx, clerk(v.company.ID), func(tx *db.Tx) error {
		return support.LeaveIn(tx, v.in.ID, v.validity, uid, why)
	})
	if err != nil {
		return err
	}
	v.log.Info("mail left", "company", v.company.Code, "mailbox", v.in.Code, "uid", uid, "why", why)
	if err := v.flag(uid, imap.FlagFlagged); err != nil && !errors.As(err, new(*imap.Error)) {
		return broken(err)
	}
	return nil
}
