package app

import (
	"context"
	"kontor/internal/business/configuration"
	"time"

	"kontor/internal/business/analytics"
	"kontor/internal/business/assistant"
	"kontor/internal/business/assortment"
	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/portal"
	"kontor/internal/business/pricing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// How often the house is swept, how long after its start first, and how long changes are kept one by one.
const (
	sweepEvery   = 24 * time.Hour
	sweepFirst   = 10 * time.Minute
	changesWhole = 90 * 24 * time.Hour
	choicesKept  = 24 * time.Hour // of visitors, when they lie in no cart
	sessionsKept = 24 * time.Hour // after they are over
)

// keepHouse sweeps every company once a day until ctx ends. What it does may be done twice or by several nodes at once.
func (h *House) keepHouse(ctx context.Context) {
	for wait := sweepFirst; ; wait = sweepEvery {
		h.equip(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		if err := h.sweepDoors(ctx); err != nil {
			h.Log.Warn("housekeeping: sessions and connections", "error", err)
		}
		companies, err := h.Companies(ctx)
		if err != nil {
			h.Log.Warn("housekeeping: companies", "error", err)
			continue
		}
		for _, c := range companies {
			if c.Status != identity.Active {
				continue
			}
			if err := h.Sweep(ctx, c); err != nil {
				h.Log.Warn("housekeeping", "company", c.Code, "error", err)
			}
		}
	}
}

// Sweep drops a company's idempotency keys and ended jobs that are older than they are kept, compacts its change log and refreshes the
// prices that calculated lines show. Files that nothing uses any more go too.
func (h *House) Sweep(ctx context.Context, c identity.Company) error {
	leave, err := h.Enter()
	if err != nil {
		return err
	}
	defer leave()
	as := db.Request{Company: c.ID, Actor: db.Actor{Kind: "system", ID: "housekeeping", Name: "kontor housekeeping"}}
	err = h.store.Write(ctx, as, func(tx *db.Tx) error {
		if _, err := record.ForgetOld(tx); err != nil {
			return err
		}
		if err := jobs.Sweep(tx); err != nil {
			return err
		}
		if err := assortment.Sweep(tx); err != nil {
			return err
		}
		if err := analytics.Sweep(tx); err != nil {
			return err
		}
		if err := assistant.Sweep(tx); err != nil {
			return err
		}
		if err := portal.Sweep(tx); err != nil {
			return err
		}
		if err := checkout.Sweep(tx); err != nil {
			return err
		}
		if err := support.Sweep(tx); err != nil {
			return err
		}
		return pricing.RecalculateAll(tx)
	})
	if err == nil {
		err = tellWaiting(ctx, h.store, c.ID, h.files.URL)
	}
	for swept := 1; err == nil && swept > 0; {
		err = h.store.Write(ctx, as, func(tx *db.Tx) (err error) {
			swept, err = cart.Sweep(tx, db.TimeOf(time.Now().Add(-sessionsKept)))
			return err
		})
	}
	for more := true; err == nil && more; {
		err = h.store.Write(ctx, as, func(tx *db.Tx) (err error) {
			more, err = configuration.SweepCarts(tx, db.TimeOf(time.Now().Add(-choicesKept)))
			return err
		})
	}
	for due := true; err == nil && due; {
		err = h.store.Write(ctx, as, func(tx *db.Tx) (err error) {
			due, err = quoting.Expire(tx)
			return err
		})
	}
	before := db.TimeOf(time.Now().Add(-changesWhole))
	for from := db.Time(1); err == nil && from != 0; {
		err = h.store.Write(ctx, as, func(tx *db.Tx) (err error) {
			from, err = record.CompactChanges(tx, from, before)
			return err
		})
	}
	if err != nil {
		return err
	}
	return h.files.Sweep(ctx, c.ID, func() (map[string]bool, error) { return h.usedFiles(ctx, c.ID) })
}
