package stock

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Batch is a lot of an item that was made or bought together.
type Batch struct {
	record.Root
	ItemID string
	Item   string // number
	Number string
	Expiry day.Date `db:"expiry_date"`
}

// batchKey names a batch; the number is folded.
type batchKey struct{ itemID, number string }

// batches are those that moves name.
type batches map[batchKey]Batch

// spell is a batch number as it was written when the batch came in first.
func (b batches) spell(itemID, number string) string {
	if found, ok := b[batchKey{itemID, record.Fold(number)}]; ok {
		return found.Number
	}
	return number
}

// ensureBatches finds the batches of moves and registers those that are new.
func ensureBatches(tx *db.Tx, moves []Move) (batches, error) {
	named := each.Where(moves, func(m Move) bool { return m.Batch != "" })
	if len(named) == 0 {
		return nil, nil
	}
	known, err := findBatches(tx, named)
	if err != nil {
		return nil, err
	}
	var fresh []Batch
	for _, m := range named {
		key := batchKey{m.ItemID, record.Fold(m.Batch)}
		if _, ok := known[key]; ok {
			continue
		}
		b := Batch{Root: record.New(tx), ItemID: m.ItemID, Item: m.Item, Number: m.Batch, Expiry: m.Expiry}
		known[key] = b
		fresh = append(fresh, b)
	}
	return known, register(tx, fresh)
}

// register writes new batches and reports them.
func register(tx *db.Tx, fresh []Batch) error {
	err := stockBatches.CreateMany(tx, record.Pointers(fresh)...)
	if tx.Unique(err) {
		return fault.ErrUnavailable.Because(
			"another request registered batch %s at this very moment; nothing was changed, send the same request again",
			fresh[0].Number).After(1)
	}
	return err
}
