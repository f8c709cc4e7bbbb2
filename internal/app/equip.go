package app

import (
	"context"

	"kontor/internal/business/checkout"
	"kontor/internal/business/founding"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// equip gives a company that was made before there were payment methods those that a new company begins with, seals its
// secrets with the present key, and lets the host names of its channels lead to them. A company is asked when it comes
// from an older release or a backup, and each time it is swept.
func (h *App) equip(ctx context.Context, c identity.Company) {
	as := db.Request{Company: c.ID, Actor: db.Actor{Kind: "system", ID: "housekeeping", Name: "kontor housekeeping"}}
	err := h.inside(func(s *db.Store) error {
		var has bool
		err := s.Read(ctx, as, func(tx *db.Tx) (err error) { has, err = checkout.HadMethods(tx); return err })
		if err != nil || has {
			return err
		}
		return s.Write(ctx, as, func(tx *db.Tx) error { return founding.AddWaysToPay(tx, beginning()) })
	})
	if err != nil && ctx.Err() == nil {
		h.Log.Warn("payment methods of an older company", "company", c.Code, "error", err)
	}
	if err := h.inside(func(s *db.Store) error { _, err := resealCompany(ctx, s, c.ID); return err }); err != nil &&
		ctx.Err() == nil {
		h.Log.Warn("secrets of an older company", "company", c.Code, "error", err)
	}
	if err := h.inside(func(*db.Store) error { return h.mendDomains(ctx, c.ID) }); err != nil && ctx.Err() == nil {
		h.Log.Warn("host names of an older company", "company", c.Code, "error", err)
	}
}
