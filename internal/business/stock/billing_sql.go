package stock

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// lockReceipts locks receipts by their folded numbers, in the order of their ids, and then reads them whole.
func lockReceipts(tx *db.Tx, keys []string) (list []GoodsReceipt, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list, err = db.Rows(tx, `-- stock.lockReceipts
		select `+record.RootColumns+`, `+receiptColumns+
		` from goods_receipt where company = :company and number_key in (:keys) order by id for update`,
		db.Args{"keys": keys}, receiptRow.Scan)
	if err != nil || len(list) == 0 {
		return list, err
	}
	if err := readReceiptLines(tx, list); err != nil {
		return nil, err
	}
	for i := range list {
		if err := readCharges(tx, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func updateBilled(tx *db.Tx, r *GoodsReceipt, lines []ReceiptLine) error {
	_, err := tx.Update("goods_receipt_line", "receipt_id, line, billed", 2, len(lines), func(i int) []any {
		return []any{r.ID, lines[i].Number, lines[i].Billed}
	})
	return err
}
