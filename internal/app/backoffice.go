package app

import (
	"context"
	"time"

	"kontor/internal/front/backoffice"
	"kontor/internal/front/page"
)

// office is the back office of the house.
func (h *House) office() (*page.Site, error) {
	var byHand func(string) string
	if h.serving.SMTPURL == "" {
		byHand = func(token string) string { return h.entranceLink("invitation", token) }
	}
	return backoffice.New(backoffice.Office{InvitationByHand: byHand,
		Store: h.store, Gate: h.gate, Entrance: h.entrance, Files: h.files, Secure: h.secureFor, Address: h.clientOf,
		Till: h.till, Reserve: h.reserveDomain, Backups: h.shownBackups, Scopes: Scopes(), Log: h.Log})
}

// shownBackups are the places that backups go to as the office shows them.
func (h *House) shownBackups(ctx context.Context) ([]backoffice.Backup, error) {
	all, err := h.Backups(ctx)
	shown := make([]backoffice.Backup, len(all))
	for i, p := range all {
		shown[i] = backoffice.Backup{Place: p.Place, Every: p.Every, SucceededAt: p.SucceededAt, FailedAt: p.FailedAt, Failure: p.Failure,
			Bytes: p.Bytes, NewBytes: p.NewBytes, Late: p.Late(time.Now()), Failing: p.Failing()}
	}
	return shown, err
}
