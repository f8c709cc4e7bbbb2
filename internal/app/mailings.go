package app

import (
	"context"
	"errors"
	"time"

	"kontor/internal/business/mailing"
	"kontor/internal/business/notice"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
)

// sendMailing is the job of a mailing: it lets the next letters leave in a transaction of its own, and is put off until
// more may.
func (h *App) sendMailing(ctx context.Context, j jobs.Job) error {
	var id string
	if err := j.Read(&id); err != nil {
		return err
	}
	var again time.Duration
	err := h.asPostman(ctx, j.Company, db.Into(&again,
		func(tx *db.Tx) (time.Duration, error) { return mailing.Step(tx, id) }))
	if err == nil {
		err = mailing.Paced(again)
	}
	return err
}

// wanted reports whether a newsletter's letter that is about to be sent is wanted still.
func (h *App) wanted(ctx context.Context, company, letter string) (wanted bool, err error) {
	err = h.asPostman(ctx, company, db.Into(&wanted,
		func(tx *db.Tx) (bool, error) { return mailing.Wanted(tx, letter) }))
	return wanted, err
}

// refusedMail notes that the mail server has refused a newsletter's letter, an answer of support or a mail with a
// document, for good.
func (h *App) refusedMail(ctx context.Context, company string, m mail.Message, why string) error {
	return h.asPostman(ctx, company, func(tx *db.Tx) error {
		if m.Mailing != "" {
			return mailing.Refused(tx, m.Mailing, why)
		}
		return errors.Join(support.Refused(tx, m.MessageID, why), notice.Refused(tx, m, why))
	})
}

func (h *App) asPostman(ctx context.Context, company string, fn func(tx *db.Tx) error) error {
	return h.inside(func(s *db.Store) error {
		return s.Write(ctx, db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "mailing", Name: "mailing"}},
			fn)
	})
}
