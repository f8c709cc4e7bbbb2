package app

import (
	"context"
	"fmt"

	"kontor/internal/business/channel"
	"kontor/internal/business/content"
	"kontor/internal/business/mailing"
	"kontor/internal/business/notice"
	"kontor/internal/business/party"
	"kontor/internal/business/portal"
	"kontor/internal/business/production"
	"kontor/internal/business/quoting"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/throttle"
)

// handlers tells the runner how each kind of job is done.
func (h *App) handlers(r *jobs.Runner, sender *mail.Sender) {
	mail.Register(r, sender, mail.Means{HTML: letters.HTML, Print: h.printed, Pace: h.pace,
		Domain: h.serving.MailDomain, Wanted: h.wanted, Refused: h.refusedMail})
	jobs.Outside(r, mailing.SendKind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
		return struct{}{}, h.sendMailing(ctx, j)
	}, nil)
	jobs.Outside(r, discussion.MailKind, h.readerOf, h.mailNotification)
	h.handlePayments(r)
	h.importing(r)
	r.InTx(mailing.InviteKind, mailing.Invite)
	r.InTx(portal.CodeKind, portal.PostCode)
	r.InTx(content.DraftKind, content.PublishDue)
	r.InTx(quoting.ExpireKind, quoting.ExpireDue)
	r.InTx(support.OverdueKind, support.TellOverdue)
	jobs.Outside(r, party.ErasureKind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
		return struct{}{}, h.erase(ctx, j)
	}, nil)
	r.InTx(production.ReserveKind, production.ReserveWaiting)
	r.InTx(production.CancelKind, production.CancelOf)
	jobs.Outside(r, support.ReadKind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
		return struct{}{}, h.readMailbox(ctx, j)
	}, nil)
	jobs.Outside(r, domainsKind, func(ctx context.Context, j jobs.Job) (struct{}, error) {
		return struct{}{}, h.applyDomains(ctx, j.Company)
	}, nil)
}

// inward are the kinds whose work stays in the books: a copy of them does it as well.
func inward() []jobs.Kind {
	return []jobs.Kind{content.DraftKind, quoting.ExpireKind, production.ReserveKind, production.CancelKind,
		party.ErasureKind}
}

// printed makes the paper that a mail brings.
func (h *App) printed(ctx context.Context, company, number string) (a []mail.Attachment, err error) {
	err = h.inside(func(s *db.Store) error {
		return s.Read(ctx, db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "mail", Name: "mail"}},
			func(tx *db.Tx) error { a, err = notice.Print(tx, number); return err })
	})
	return a, err
}

// pace counts a mail of a store to an address that nobody has confirmed. What is too many waits, and the list of jobs
// says so.
func (h *App) pace(ctx context.Context, company, store string) error {
	var most int
	err := h.inside(func(s *db.Store) error {
		err := s.Read(ctx, db.Request{Company: company, Actor: Operator()}, func(tx *db.Tx) error {
			c, err := channel.Find(tx, store)
			most = c.Store.StrangerMails()
			if fault.Is(err, channel.ErrNotFound) {
				err = nil
			}
			return err
		})
		if err == nil {
			_, err = h.guard.Spend(ctx, throttle.StrangerMails(most), throttle.Who{Company: company + "/" + store})
		}
		return err
	})
	if err == nil {
		return nil
	}
	if f := fault.As(err); f.Kind == fault.TooMany {
		later := throttle.ErrRate.Because(
			"the store %s has sent %d mails within an hour to addresses that nobody has confirmed: this one waits",
			store, most)
		later.RetryAfterSeconds = f.RetryAfterSeconds
		err = later
	}
	return err
}

// newWork is the runner of a house. Only a house that is served lets it run; what others add waits for that.
func (h *App) newWork() (*jobs.Runner, error) {
	sender, err := mail.Open(h.serving.SMTPURL)
	if err != nil {
		return nil, fmt.Errorf("--smtp-url: %w", err)
	}
	r := jobs.NewRunner(jobs.Transactor{
		Due:  h.dueJobs,
		Soon: h.dueSoon,
		Open: h.isOpen,
		Read: func(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
			return h.inside(func(s *db.Store) error { return s.Read(ctx, as, fn) })
		},
		Write: func(ctx context.Context, as db.Request, fn func(*db.Tx) error) error {
			return h.inside(func(s *db.Store) error { return s.Write(ctx, as, fn) })
		},
		Alone:  h.Embedded(),
		Now:    func() db.Time { return h.store.Now() },
		Worker: h.node,
	}, h.Log)
	h.handlers(r, sender)
	return r, nil
}

// inside runs fn on the data, unless that is being exchanged.
func (h *App) inside(fn func(*db.Store) error) error {
	leave, err := h.Enter()
	if err != nil {
		return err
	}
	defer leave()
	return fn(h.store)
}

// Work is the runner of the house's jobs.
func (h *App) Work() *jobs.Runner { return h.work }
