package stock

import (
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

const batchColumns = record.RootColumns + ", item_id, item, number, expiry_date"

var batchRow = db.Map[Batch](batchColumns)

// findBatches reads the batches that moves name.
func findBatches(tx *db.Tx, moves []Move) (batches, error) {
	found := batches{}
	for part := range slices.Chunk(moves, chunk) {
		items, numbers := make([]string, len(part)), make([]string, len(part))
		for i, m := range part {
			items[i], numbers[i] = m.ItemID, m.Batch
		}
		slices.Sort(items)
		err := tx.Each(`-- stock.findBatches
			select `+batchColumns+`, number_key from stock_batch
			where company = :company and item_id in (:items) and number_key in (:numbers)`,
			db.Args{"items": slices.Compact(items), "numbers": record.FoldAll(numbers)}, func(r db.Row) error {
				var b Batch
				var key string
				err := r.Scan(append(batchRow.Of(&b), &key)...)
				found[batchKey{b.ItemID, key}] = b
				return err
			})
		if err != nil {
			return nil, err
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

func insertBatches(tx *db.Tx, rows []Batch) error {
	return tx.Insert("stock_batch", batchColumns+", number_key", len(rows), func(i int) []any {
		return append(batchRow.Of(&rows[i]), record.Fold(rows[i].Number))
	})
}
