package bench

// receivingRows are the rows of one line of a purchase order received.
func receivingRows() operation {
	const one = "id in (select id from goods_receipt where number_key = '%s')"
	row := func(table, set string, keys ...string) change {
		return change{table: table, keys: keys, set: set, rows: 1}
	}
	return operation{name: "receiving goods", series: "receipt",
		inserted: []written{{"goods_receipt", "and " + one}, {"goods_receipt_line", "and receipt_" + one},
			{"stock_entry", "order by created_at desc, id desc limit 1"}, {"change", "order by stamp desc limit 2"},
			{"activity", "order by at desc limit 2"}, {"idempotency", "order by created_at desc limit 1"}},
		changed: []change{
			row("purchase_order", "version = version + 1", "id"),
			row("purchase_order_line", "received = received + 1000000", "order_id", "line"),
			row("stock_level", "on_hand = on_hand + 1000000, seq = seq + 1", "item_id", "warehouse"),
			row("stock_balance", "quantity = quantity + 1000000", "item_id", "warehouse", "location", "batch_key",
				"serial_key"),
			{table: "stock_expected", keys: []string{"ref_type", "ref_id", "ref_line"}, rows: 1,
				set: "quantity = quantity - 1000000", among: " and ref_type = 'PurchaseOrder'"}}}
}
