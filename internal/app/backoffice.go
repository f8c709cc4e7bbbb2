package app

import (
	"kontor/internal/backoffice"
	"kontor/internal/page"
)

// office is the back office of the house.
func (h *House) office() (*page.Site, error) {
	var byHand func(string) string
	if h.serving.SMTPURL == "" {
		byHand = func(token string) string { return h.entranceLink("invitation", token) }
	}
	return backoffice.New(backoffice.Office{InvitationByHand: byHand,
		Store: h.store, Gate: h.gate, Entrance: h.entrance, Files: h.files, Secure: h.secure(), Address: h.clientOf,
		Till: h.till, Reserve: h.reserveDomain, Scopes: Scopes(), Log: h.Log})
}
