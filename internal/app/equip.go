package app

import (
	"context"

	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
)

// equip gives companies that were made before there were payment methods those that a new company begins with, and lets the host
// names of their channels lead to them. Every company is asked at the start and once a day, since one may come out of an old backup.
func (h *House) equip(ctx context.Context) {
	companies, err := h.Companies(ctx)
	if err != nil {
		h.Log.Warn("payment methods of older companies", "error", err)
	}
	for _, c := range companies {
		if c.Status != identity.Active || ctx.Err() != nil {
			continue
		}
		as := db.Request{Company: c.ID, Actor: db.Actor{Kind: "system", ID: "housekeeping", Name: "kontor housekeeping"}}
		err := h.inside(func(s *db.Store) error {
			var has bool
			err := s.Read(ctx, as, func(tx *db.Tx) (err error) { has, err = checkout.HadMethods(tx); return err })
			if err != nil || has {
				return err
			}
			return s.Write(ctx, as, givePayments)
		})
		if err != nil && ctx.Err() == nil {
			h.Log.Warn("payment methods of an older company", "company", c.Code, "error", err)
		}
		if err := h.inside(func(s *db.Store) error { _, err := resealCompany(ctx, s, c.ID); return err }); err != nil && ctx.Err() == nil {
			h.Log.Warn("secrets of an older company", "company", c.Code, "error", err)
		}
		if err := h.inside(func(*db.Store) error { return h.mendDomains(ctx, c.ID) }); err != nil && ctx.Err() == nil {
			h.Log.Warn("host names of an older company", "company", c.Code, "error", err)
		}
	}
}

// givePayments is starterPayments for a company that never had a payment method.
func givePayments(tx *db.Tx) error {
	if has, err := checkout.HadMethods(tx); err != nil || has {
		return err
	}
	return starterPayments(tx)
}
