package stock

import (
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

var stockBatches = record.TableOf(Batches, record.Layout[Batch]{
	Fixed:   "item_id, item, number, expiry_date",
	Named:   func(b *Batch) string { return b.Item + "/" + b.Number },
	Derived: func(b *Batch) db.Args { return db.Args{"number_key": record.Fold(b.Number)} },
})

// findBatches reads the batches that moves name.
func findBatches(tx *db.Tx, moves []Move) (batches, error) {
	found := batches{}
	for part := range slices.Chunk(moves, chunk) {
		items, numbers := make([]string, len(part)), make([]string, len(part))
		for i, m := range part {
			items[i], numbers[i] = m.ItemID, m.Batch
		}
		slices.Sort(items)
		list, err := stockBatches.Where(tx, "stock.findBatches", "item_id in (:items) and number_key in (:numbers)",
			db.Args{"items": slices.Compact(items), "numbers": record.FoldAll(numbers)})
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			found[batchKey{b.ItemID, record.Fold(b.Number)}] = b
		}
	}
	return found, nil
}

// Expiries are until when what came on each line of a receipt keeps; "" where nobody said.
func Expiries(tx *db.Tx, lines []ReceiptLine) ([]day.Date, error) {
	found, err := findBatches(tx,
		each.Of(lines, func(l ReceiptLine) Move { return Move{ItemID: l.ItemID, Batch: l.Batch} }))
	return each.Of(lines, func(l ReceiptLine) day.Date {
		return found[batchKey{l.ItemID, record.Fold(l.Batch)}].Expiry
	}), err
}
