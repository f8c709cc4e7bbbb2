package app

import (
	"context"
	"net/http"

	"kontor/internal/business/identity"
	"kontor/internal/business/notice"
	"kontor/internal/business/quoting"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/backoffice"
	"kontor/internal/front/page"
)

// office is the back office of the house.
func (h *App) office() (*page.Site, error) {
	var byHand func(string) string
	if h.serving.SMTPURL == "" {
		byHand = func(token string) string { return h.entranceLink("invitation", token) }
	}
	return backoffice.New(backoffice.Office{InvitationByHand: byHand,
		Store: h.store, Gate: h.gate, Entrance: h.entrance, Files: h.files, Secure: h.secureFor, Address: h.clientOf,
		Stranger: func(r *http.Request) error { return h.countStranger("link:", h.clientOf(r)) },
		Payments: h.payments, Writer: h.writer, Mailboxes: h.reader,
		Edition: h.indexes.Of, Base: h.base, Reserve: h.reserveDomain, Backups: h.shownBackups,
		Tables: tables{}, Scopes: Scopes(), Keys: &h.ring, Serves: h.serves,
		QuoteLink: func(tx *db.Tx, q *quoting.Quote) (string, error) { return notice.QuoteURL(tx, h.base(), q) },
		Loads:     h.loads, Log: h.Log})
}

// serves reports whether a company is one that is served.
func (h *App) serves(ctx context.Context, company string) (bool, error) {
	c, err := h.Company(ctx, company)
	if fault.As(err) != nil && fault.As(err).Kind == fault.NotFound {
		return false, nil
	}
	return c.Status == identity.Active, err
}

// shownBackups are the places that backups go to as the office shows them.
func (h *App) shownBackups(ctx context.Context) ([]backoffice.Backup, error) {
	all, err := h.Backups(ctx)
	return each.Of(all, func(p BackupPlace) backoffice.Backup {
		return backoffice.Backup{Place: p.Place, Every: p.Every, SucceededAt: p.SucceededAt, FailedAt: p.FailedAt,
			Failure: p.Failure, Bytes: p.Bytes, NewBytes: p.NewBytes, Late: p.Late(h.now()), Failing: p.Failing()}
	}), err
}
