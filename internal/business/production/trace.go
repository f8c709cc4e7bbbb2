package production

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Traced is a batch or a piece of an item: how it came and went, what it was made of, and what it went into, through
// all levels.
type Traced struct {
	ItemID, Item  string
	Batch, Serial string
	Quantity      dec.Dec  // that moved between it and what it is shown below
	Order         string   // number of the work order between the two
	Level         int      // 1 = next to the one that was asked for
	Receipts      []string // numbers of the goods receipts that it came in with, the first one first
}

// Trace is what is known of a batch or a piece.
type Trace struct {
	Traced
	Entries  []stock.Entry // of the ledger, the first one first
	MadeOf   []Traced      // each below what was made of it
	WentInto []Traced
	IsCut    bool // more than a page can hold
}

// mostTraced bounds a trace, mostEntries the movements that are shown of what it is about.
const (
	mostTraced  = 500
	mostEntries = 200
)

// TraceOf follows a serial number, or a batch, both ways: to the receipts of what it was made of, and to what it went
// into.
// Refuses with Item.NotFound.
func TraceOf(tx *db.Tx, itemNumber, batch, serial string) (Trace, error) {
	item, err := catalog.Find(tx, itemNumber)
	if err != nil {
		return Trace{}, err
	}
	t := Trace{Traced: Traced{ItemID: item.ID, Item: item.Number, Batch: batch, Serial: serial}}
	if t.Entries, err = entriesOf(tx, t.Traced); err != nil {
		return t, err
	}
	if t.MadeOf, err = t.walk(tx, true); err != nil {
		return t, err
	}
	if t.WentInto, err = t.walk(tx, false); err != nil {
		return t, err
	}
	return t, receiptsOf(tx, t.MadeOf)
}

// walk follows a piece down to what it was made of, or up to what it went into. Each piece is followed once.
func (t *Trace) walk(tx *db.Tx, down bool) (all []Traced, err error) {
	seen := map[pieceKey]bool{t.key(): true}
	var follow func(of Traced) error
	follow = func(of Traced) error {
		next, err := neighbours(tx, of, down)
		if err != nil {
			return err
		}
		for _, n := range next {
			if len(all) >= mostTraced {
				t.IsCut = true
				return nil
			}
			n.Level = of.Level + 1
			all = append(all, n)
			if seen[n.key()] || n.Batch == "" && n.Serial == "" {
				continue
			}
			seen[n.key()] = true
			if err := follow(n); err != nil {
				return err
			}
		}
		return nil
	}
	return all, follow(t.Traced)
}

func (t Traced) key() pieceKey {
	return pieceKey{t.ItemID, record.Fold(t.Batch), record.Fold(t.Serial)}
}
