package stock

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Hold promises goods to somebody until a moment: a checkout whose payment has been started. What is held counts as
// allocated, as if it were ordered. The owner's earlier hold ends, and so do those of others on these items that have
// run out.
// Refusal:
// Inventory.InsufficientStock, naming every shortage; a claim that may wait takes what there is.
func Hold(tx *db.Tx, owner string, until db.Time, claims []Claim) error {
	if err := Unhold(tx, owner, claims); err != nil {
		return err
	}
	return HoldMore(tx, owner, until, claims)
}

// HistoryHolder begins the names of those who hold goods for the orders of a history that is being read in.
const HistoryHolder = "history "

// HoldMore is Hold for an owner who holds other goods already and keeps them.
func HoldMore(tx *db.Tx, owner string, until db.Time, claims []Claim) error {
	if err := Allocate(tx, claims, AllOrNothing); err != nil {
		return err
	}
	held := map[Key]dec.Dec{}
	var keys []Key
	for _, c := range claims {
		k := Key{c.ItemID, c.Warehouse}
		if held[k] == 0 && c.Got > 0 {
			keys = append(keys, k)
		}
		held[k] = held[k].Add(c.Got)
	}
	return insertHolds(tx, owner, until, keys, held)
}

// Unhold ends what an owner holds, if anything, and what has run out on the items of the claims. Where that frees
// something, the levels of all of them are locked with it, so that it is there for the claims.
func Unhold(tx *db.Tx, owner string, claims []Claim) error {
	items := each.Of(claims, func(c Claim) string { return c.ItemID })
	freed, err := removeHolds(tx, owner, items)
	if err != nil || len(freed) == 0 {
		return err
	}
	p, err := open(tx, claimKeys(append(freed, claims...)))
	if err != nil {
		return err
	}
	return p.giveBack(tx, freed)
}

// Spend ends a part of what an owner holds, for who takes that now: as much of each level as is wanted, at most what is
// held of it.
func Spend(tx *db.Tx, owner string, wanted map[Key]dec.Dec) error {
	held, until, err := takeOwn(tx, owner, wanted)
	if err != nil || len(held) == 0 {
		return err
	}
	var freed []Claim
	var keys []Key
	left := map[Key]dec.Dec{}
	for _, c := range held {
		k := Key{c.ItemID, c.Warehouse}
		spent := min(c.Got, wanted[k])
		if left[k] = c.Got.Sub(spent); left[k] > 0 {
			keys = append(keys, k)
		}
		c.Got = spent
		freed = append(freed, c)
	}
	if err := Free(tx, freed); err != nil {
		return err
	}
	return insertHolds(tx, owner, until, keys, left)
}

// EndHolds ends every hold that has run out and lets waiting orders have the goods.
func EndHolds(tx *db.Tx) error {
	coming, err := expired(tx)
	if err != nil || len(coming) == 0 {
		return err
	}
	if err := expect(tx, coming); err != nil {
		return err
	}
	freed, err := removeExpired(tx)
	if err != nil || len(freed) == 0 {
		return err
	}
	if err := Free(tx, freed); err != nil {
		return err
	}
	return tx.Fire(Arrived{Keys: claimKeys(freed)})
}

// giveBack is Free of levels that are locked.
func (p *posting) giveBack(tx *db.Tx, claims []Claim) error {
	for _, c := range claims {
		if c.Got == 0 {
			continue
		}
		if err := p.release(Key{c.ItemID, p.warehouse(c.Warehouse)}, c.Got); err != nil {
			return fmt.Errorf("free item %s: %w", c.ItemID, err)
		}
	}
	return p.writeLevels(tx)
}
