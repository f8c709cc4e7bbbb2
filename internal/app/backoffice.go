package app

import (
	"kontor/internal/backoffice"
	"kontor/internal/page"
)

// office is the back office of the house.
func (h *House) office() (*page.Site, error) {
	return backoffice.New(backoffice.Office{Store: h.store, Gate: h.gate, Entrance: h.entrance, Files: h.files, Secure: h.secure(), Address: h.clientOf,
		Till: h.till, Reserve: h.reserveDomain, Scopes: Scopes(), Log: h.Log})
}
