package replenishment

import (
	"cmp"
	"slices"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Outlook is what is known to become of an item in a warehouse, and what a run makes of it.
type Outlook struct {
	Item, Name, Warehouse string
	Today                 day.Date
	OnHand                dec.Dec // where it may be promised
	Movements             []planning.Movement
	Plan                  planning.Plan
	Proposals             []Proposal
}

// Look is the outlook of an item in a warehouse: how its stock will move day by day, why, and what is proposed.
func Look(tx *db.Tx, number, warehouse string) (Outlook, error) {
	item, err := catalog.Find(tx, number)
	if err != nil {
		return Outlook{}, err
	}
	_, scope, err := scopeOf(tx, []string{item.Number})
	if err != nil {
		return Outlook{}, err
	}
	g, err := gather(tx, scope)
	if err != nil {
		return Outlook{}, err
	}
	w, ok := g.book.Warehouse(warehouse)
	if !ok {
		return Outlook{}, reference.ErrWarehouseNotFound.Because("there is no warehouse %q", warehouse)
	}
	o := Outlook{Item: item.Number, Name: item.Name, Warehouse: w.Code, Today: g.today}
	plans := planning.RunAll(g.nodes)
	for i, k := range g.keys {
		if k.ItemID == item.ID && record.Fold(k.Warehouse) == record.Fold(w.Code) {
			o.OnHand, o.Movements, o.Plan = g.nodes[i].OnHand, g.nodes[i].Movements, plans[i]
			o.Proposals = g.proposalsOf(i, plans[i])
		}
	}
	slices.SortStableFunc(o.Movements, func(a, b planning.Movement) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Cause, b.Cause))
	})
	return o, nil
}

// Board is what a run proposed, and when.
type Board struct {
	At        db.Time
	Proposals []Proposal
}

// A run that takes longer than dear serves for as long as restFactor runs take: who turns the pages of a long board
// does not plan all items for each, and two who look do not plan twice.
const (
	dear       = time.Second
	restFactor = 10
	rowWeight  = 400 // bytes of a proposal, about
)

// Current is the newest board: a new one, unless one that was dear to make is not old yet. What drafts are made of is
// planned again (RunFor).
func Current(tx *db.Tx) (*Board, error) {
	if b, _, ok := db.CacheGet[*Board](tx, "planning"); ok {
		return b, nil
	}
	began := time.Now()
	all, err := Run(tx)
	if err != nil {
		return nil, err
	}
	b := &Board{tx.Now, all}
	if took := time.Since(began); took > dear {
		tx.CachePutFor(restFactor*took, "planning", rowWeight*len(all), b)
	}
	return b, nil
}
