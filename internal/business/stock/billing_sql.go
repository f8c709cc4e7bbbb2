package stock

import (
	"kontor/internal/foundation/db"
)

// lockReceipts locks receipts by their folded numbers, in the order of their ids, and then reads them whole.
func lockReceipts(tx *db.Tx, keys []string) (list []GoodsReceipt, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list, err = goodsReceipts.Where(tx, "stock.lockReceipts", "number_key in (:keys) order by id for update",
		db.Args{"keys": keys})
	if err == nil {
		err = goodsReceipts.Whole(tx, list)
	}
	if err != nil {
		return nil, err
	}
	for i := range list {
		if err := readCharges(tx, &list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
