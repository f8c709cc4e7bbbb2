package purchasing

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Background is what a purchaser looks at before ordering an item: what it cost the last time, and what is there, comes
// and goes in a warehouse. Quantities are in base units.
type Background struct {
	Last      *Bought // nil: it was never ordered
	Available dec.Dec // on hand less allocated; below zero where more is promised than there is
	ToCome    dec.Dec
	Gone      dec.Dec // sold or used in the last four weeks
}

// Bought is an item as it was ordered.
type Bought struct {
	On       day.Date
	Supplier string // name
	Price    dec.Dec
	Currency string
}

// lookBack is how many days the goods that went out are counted for.
const lookBack = 28

// Backgrounds are what stands behind items in a warehouse, by item id.
func Backgrounds(tx *db.Tx, itemIDs []string, warehouse string) (map[string]Background, error) {
	out := map[string]Background{}
	if len(itemIDs) == 0 {
		return out, nil
	}
	levels, err := stock.Levels(tx, itemIDs)
	if err != nil {
		return nil, err
	}
	coming, err := stock.Expected(tx, itemIDs)
	if err != nil {
		return nil, err
	}
	gone, err := stock.GoneOut(tx, itemIDs, tx.BeginningOf(tx.Today().AddDays(-lookBack)))
	if err != nil {
		return nil, err
	}
	bought, err := lastBought(tx, itemIDs)
	for _, id := range itemIDs {
		k := stock.Key{ItemID: id, Warehouse: warehouse}
		out[id] = Background{Last: bought[id], Available: levels[k].OnHand.Sub(levels[k].Allocated),
			ToCome: coming[k].Quantity, Gone: gone[k]}
	}
	return out, err
}
