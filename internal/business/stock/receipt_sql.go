package stock

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

var goodsReceipts = record.TableOf(Receipts, record.Layout[GoodsReceipt]{
	Fixed:    "number, warehouse, received_at, notes",
	Changing: "status",
	Number:   func(r *GoodsReceipt) *string { return &r.Number },
	Series:   "receipt",
	Derived: func(r *GoodsReceipt) db.Args {
		parts := []string{r.Number}
		if len(r.Lines) > 0 {
			parts = append(parts, r.Lines[0].source())
		}
		return db.Args{"search": record.SearchText(parts...)}
	},
	Parts: []*record.Parts[GoodsReceipt]{record.PartsOf(record.PartLayout[GoodsReceipt, ReceiptLine]{
		Table: "goods_receipt_line", Owner: "receipt_id", Place: "line",
		Columns: `line, item_id, item, item_name, quantity, unit_cost, location, batch, serial, purchase_order,
			transfer_order, source_line, notes, entry_id, counter_id, billed`,
		Of:      func(r *GoodsReceipt) *[]ReceiptLine { return &r.Lines },
		Derived: func(_ *GoodsReceipt, l *ReceiptLine) db.Args { return db.Args{"source_key": record.Fold(l.source())} },
	})},
	Missing: func(number string) error { return ErrReceiptNotFound.Because("no receipt has the number %q", number) },
})

func (l *ReceiptLine) source() string { return l.PurchaseOrder + l.TransferOrder }

// FindReceipt reads a receipt whole. Refusal: Receipt.NotFound.
func FindReceipt(tx *db.Tx, receiptNumber string) (GoodsReceipt, error) {
	r, err := goodsReceipts.Find(tx, receiptNumber)
	if err != nil {
		return r, err
	}
	return r, readCharges(tx, &r)
}

// lockReceipt is FindReceipt for a change.
func lockReceipt(tx *db.Tx, receiptNumber string) (GoodsReceipt, error) {
	r, err := goodsReceipts.Lock(tx, receiptNumber)
	if err != nil {
		return r, err
	}
	return r, readCharges(tx, &r)
}

// ReceiptFilter says which receipts a list shows; zero fields do not filter.
type ReceiptFilter struct {
	Search        string // in the number
	Shown         string // what people see of it: also the number of its document
	Status        ReceiptStatus
	Warehouse     string
	PurchaseOrder string // number
	TransferOrder string // number
}

// ListReceipts reads receipts by number, with their lines.
func ListReceipts(tx *db.Tx, f ReceiptFilter, p record.Page) (record.Found[GoodsReceipt], error) {
	q := goodsReceipts.Query("stock.ListReceipts")
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "date": {"received_at", "number_key"},
		"status": {"status", "number_key"},
	}
	q.Search("number_key", f.Search)
	q.Search("search", f.Shown)
	q.Given("status = :status", f.Status)
	q.Given("warehouse = :warehouse", f.Warehouse)
	of := `id in (select l.receipt_id from goods_receipt_line l where l.company = :company and l.source_key = :source and l.`
	if f.PurchaseOrder != "" {
		q.Where(of+"purchase_order <> '')", db.Args{"source": record.Fold(f.PurchaseOrder)})
	} else if f.TransferOrder != "" {
		q.Where(of+"transfer_order <> '')", db.Args{"source": record.Fold(f.TransferOrder)})
	}
	return goodsReceipts.List(tx, q, p)
}

// Came is a line of a receipt that stands, and when it came.
type Came struct {
	ReceiptLine
	At db.Time
}

// CameOf is what has come of purchase orders, by their folded numbers, in the order of the receipts.
func CameOf(tx *db.Tx, orders []string) (map[string][]Came, error) {
	return db.Grouped(tx, `-- stock.CameOf
		select l.source_key, l.source_line, l.location, l.batch, l.serial, l.quantity, r.received_at
		from goods_receipt_line l join goods_receipt r on r.company = l.company and r.id = l.receipt_id
		where l.company = :company and l.source_key in (:orders) and l.purchase_order <> '' and r.status = 'Completed'
		order by r.number_key, l.line`, db.Args{"orders": record.FoldAll(orders)},
		func(row db.Row, key *string, c *Came) error {
			return row.Scan(key, &c.SourceLine, &c.Location, &c.Batch, &c.Serial, &c.Quantity, &c.At)
		})
}

// verifyReceipts holds every line of a receipt against the ledger entry it made, and against its counter-entry.
func verifyReceipts(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- stock.verifyReceipts
		select r.number, r.status, l.line, l.quantity, coalesce(e.quantity, 0), coalesce(c.quantity, 0)
		from goods_receipt_line l join goods_receipt r on r.company = l.company and r.id = l.receipt_id
			left join stock_entry e on e.company = l.company and e.id = l.entry_id and e.item_id = l.item_id and e.warehouse = r.warehouse
				and e.unit_cost = l.unit_cost and e.location = l.location
			left join stock_entry c on c.company = l.company and c.id = l.counter_id and c.item_id = l.item_id and c.warehouse = r.warehouse
		where l.company = :company and (coalesce(e.quantity, 0) <> l.quantity
			or coalesce(c.quantity, 0) <> case when r.status = 'Cancelled' then -l.quantity else 0 end)
		order by r.number_key, l.line`, nil,
		"receipt %s (%s), line %d: %s came in, the ledger has %s and %s against it",
		new(string), new(string), new(int), new(dec.Dec), new(dec.Dec), new(dec.Dec))
}
