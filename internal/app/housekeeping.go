package app

import (
	"context"
	"time"

	"kontor/internal/business/analytics"
	"kontor/internal/business/assistant"
	"kontor/internal/business/assortment"
	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/configuration"
	"kontor/internal/business/identity"
	"kontor/internal/business/imports"
	"kontor/internal/business/portal"
	"kontor/internal/business/pricing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/pause"
	"kontor/internal/foundation/record"
)

// How often sessions and connections are swept, how long after the start first, how often companies are looked for
// whose time has come, or that nobody knows of yet, and how long changes are kept one by one.
const (
	sweepEvery   = 24 * time.Hour
	sweepFirst   = 10 * time.Minute
	tendEvery    = time.Minute
	learnEvery   = time.Hour
	changesWhole = 90 * 24 * time.Hour
	choicesKept  = 24 * time.Hour // of visitors, when they lie in no cart
	sessionsKept = 24 * time.Hour // after they are over
)

// housekeep does what is due in companies besides their jobs, and sweeps sessions and connections once a day, until ctx
// ends. What it does may be done twice or by several nodes at once.
func (h *App) housekeep(ctx context.Context) {
	sweep, learn := time.Now().Add(sweepFirst), time.Now()
	for ; ctx.Err() == nil; pause.For(ctx, tendEvery) {
		if now := time.Now(); now.After(learn) {
			learn = now.Add(learnEvery)
			if err := h.learnCompanies(ctx); err != nil && ctx.Err() == nil {
				h.Log.Warn("housekeeping: companies", "error", err)
			}
			h.work.Sweep()
		}
		h.lookAfter(ctx)
		if now := time.Now(); now.After(sweep) {
			sweep = now.Add(sweepEvery)
			if err := h.sweepEntrance(ctx); err != nil {
				h.Log.Warn("housekeeping: sessions and connections", "error", err)
			}
		}
	}
}

// Sweep drops a company's idempotency keys and ended jobs that are older than they are kept, compacts its change log
// and refreshes the prices that calculated lines show. Files that nothing uses any more go too.
func (h *App) Sweep(ctx context.Context, c identity.Company) error {
	leave, err := h.Enter()
	if err != nil {
		return err
	}
	defer leave()
	as := db.Request{Company: c.ID, Actor: db.Actor{Kind: "system", ID: "housekeeping", Name: "kontor housekeeping"}}
	err = h.store.Sweep(ctx, as, record.ForgetOld, jobs.Sweep, assortment.Sweep, assortment.SweepViews,
		assortment.SweepRequests, analytics.Sweep, assistant.Sweep, portal.Sweep, portal.SweepRegistrations,
		portal.SweepConfirmed, portal.SweepFavourites, checkout.Sweep, support.Sweep, imports.Sweep,
		pricing.RecalculateAll)
	if err == nil {
		err = h.indexes.TellWaiting(ctx, c.ID, h.files.URL)
	}
	for swept := 1; err == nil && swept > 0; {
		err = h.store.Write(ctx, as, db.Into(&swept,
			func(tx *db.Tx) (int, error) { return cart.Sweep(tx, tx.Now.Add(-sessionsKept)) }))
	}
	for more := true; err == nil && more; {
		err = h.store.Write(ctx, as, db.Into(&more,
			func(tx *db.Tx) (bool, error) { return configuration.SweepCarts(tx, tx.Now.Add(-choicesKept)) }))
	}
	for due := true; err == nil && due; {
		err = h.store.Write(ctx, as, db.Into(&due, quoting.Expire))
	}
	before := h.store.Now().Add(-changesWhole)
	for from := db.Time(1); err == nil && from != 0; {
		err = h.store.Write(ctx, as, db.Into(&from,
			func(tx *db.Tx) (db.Time, error) { return record.CompactChanges(tx, from, before) }))
	}
	if err != nil {
		return err
	}
	return h.files.Sweep(ctx, c.ID, func() (map[string]bool, error) { return h.usedFiles(ctx, c.ID) })
}
