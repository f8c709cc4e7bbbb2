package app

import (
	"context"
	"errors"
	"fmt"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// Verifier recomputes what a room derived from its sources and reports every difference in a sentence. It
// changes nothing.
type Verifier func(tx *db.Tx, report func(string)) error

// Verify lets every room check a company's books, all in one snapshot. Of a damaged file it reports the damage alone:
// what is read from it proves nothing.
func (h *App) Verify(ctx context.Context, c identity.Company, report func(string)) error {
	damaged := false
	err := h.store.Read(ctx, db.Request{Company: c.ID, Actor: Operator()}, func(tx *db.Tx) error {
		err := tx.Damage(func(text string) {
			damaged = true
			report("the file is damaged, put back a backup: " + text)
		})
		if err != nil || damaged {
			return err
		}
		if err := each.Do(verifiers(), func(verify Verifier) error { return verify(tx, report) }); err != nil {
			return err
		}
		return tx.BrokenRules(func(r db.Rule, rows int64) {
			report(fmt.Sprintf("%d rows of %s are not as every row must be (%s): %s", rows, r.Table, r.Name, r.Says))
		})
	})
	if errors.Is(err, db.ErrNotHere) {
		report(h.store.Absent())
		return nil
	}
	if err != nil || damaged {
		return err
	}
	return h.indexes.Verify(ctx, c.ID, report)
}

// InCompany runs fn in a transaction of a company that is named by code or id.
func (h *App) InCompany(ctx context.Context, code string, fn func(*db.Tx) error) error {
	c, err := h.Company(ctx, code)
	if err != nil {
		return err
	}
	return h.store.Write(ctx, db.Request{Company: c.ID, Actor: Operator()}, fn)
}
