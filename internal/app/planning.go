package app

import (
	"context"
	"slices"

	"kontor/internal/business/replenishment"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// calculatedTogether is how many safety stocks are written in a transaction.
const calculatedTogether = 500

// Plan calculates the safety stocks of a company, named by code or id, plans, and makes drafts of what is proposed if
// it is to. All is read in snapshots, for which nobody waits. Drafts are made of what is proposed of those items in the
// transaction that makes them, so that two runs at once, or a run and a person, do not order the same.
func (h *App) Plan(ctx context.Context, company string, create bool) (
	found []replenishment.Proposal, made replenishment.Made, err error) {
	c, err := h.Company(ctx, company)
	if err != nil {
		return nil, made, err
	}
	as := db.Request{Company: c.ID, Actor: Operator()}
	var safety []stock.CalculatedSafety
	if err = h.store.Read(ctx, as, db.Into(&safety, replenishment.SafetyStocks)); err != nil {
		return nil, made, err
	}
	for some := range slices.Chunk(safety, calculatedTogether) {
		if err = h.store.Write(ctx, as, func(tx *db.Tx) error {
			return stock.SetCalculatedSafety(tx, some)
		}); err != nil {
			return nil, made, err
		}
	}
	if err = h.store.Read(ctx, as, db.Into(&found, replenishment.Run)); err != nil || !create {
		return found, made, err
	}
	items := each.Of(found, func(p replenishment.Proposal) string { return p.Item })
	return found, made, h.store.Write(ctx, as, func(tx *db.Tx) (err error) {
		found, made, err = replenishment.Draft(tx, items, func(replenishment.Proposal) bool { return true })
		return err
	})
}
