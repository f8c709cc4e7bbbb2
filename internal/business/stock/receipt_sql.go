package stock

import (
	"fmt"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

const receiptColumns = "number, status, warehouse, received_at, notes"

var receiptRow = db.Map[GoodsReceipt](record.RootColumns + ", " + receiptColumns)

// FindReceipt reads a receipt whole. Refusal: Receipt.NotFound.
func FindReceipt(tx *db.Tx, receiptNumber string) (GoodsReceipt, error) {
	return findReceipt(tx, receiptNumber, "")
}

// lockReceipt is FindReceipt for a change.
func lockReceipt(tx *db.Tx, receiptNumber string) (GoodsReceipt, error) {
	return findReceipt(tx, receiptNumber, " for update")
}

func findReceipt(tx *db.Tx, receiptNumber, lock string) (GoodsReceipt, error) {
	var r GoodsReceipt
	ok, err := tx.One(`-- stock.FindReceipt
		select `+record.RootColumns+`, `+receiptColumns+
		` from goods_receipt where company = :company and number_key = :key`+lock,
		db.Args{"key": record.Fold(receiptNumber)}, receiptRow.Of(&r)...)
	if err == nil && !ok {
		err = ErrReceiptNotFound.Because("no receipt has the number %q", receiptNumber)
	}
	if err != nil {
		return r, err
	}
	list := []GoodsReceipt{r}
	if err := readReceiptLines(tx, list); err != nil {
		return r, err
	}
	err = readCharges(tx, &list[0])
	return list[0], err
}

const receiptLineColumns = `line, item_id, item, item_name, quantity, unit_cost, location, batch, serial,
	purchase_order, transfer_order, source_line,
	notes, entry_id, counter_id, billed`

var receiptLineRow = db.Map[ReceiptLine](receiptLineColumns)

func (l *ReceiptLine) source() string { return l.PurchaseOrder + l.TransferOrder }

func readReceiptLines(tx *db.Tx, list []GoodsReceipt) error {
	return record.ReadParts(tx, list, "goods_receipt_line", "receipt_id", "line", receiptLineRow,
		func(r *GoodsReceipt) *[]ReceiptLine { return &r.Lines })
}

func insertReceipts(tx *db.Tx, list []GoodsReceipt) error {
	type line struct {
		*ReceiptLine
		receipt string
	}
	var lines []line
	for i := range list {
		for k := range list[i].Lines {
			lines = append(lines, line{&list[i].Lines[k], list[i].ID})
		}
	}
	err := tx.Insert("goods_receipt", record.RootColumns+", "+receiptColumns+", number_key, search", len(list),
		func(i int) []any {
			r := &list[i]
			return append(receiptRow.Of(r), record.Fold(r.Number), record.SearchText(r.Number, r.Lines[0].source()))
		})
	if err != nil {
		return err
	}
	return tx.Insert("goods_receipt_line", receiptLineColumns+", receipt_id, source_key", len(lines),
		func(i int) []any {
			l := lines[i]
			return append(receiptLineRow.Of(l.ReceiptLine), l.receipt, record.Fold(l.source()))
		})
}

// updateReceipt writes what a reversal changed.
func updateReceipt(tx *db.Tx, r *GoodsReceipt) error {
	_, err := tx.Exec(`-- stock.updateReceipt
		update goods_receipt set status = :status where company = :company and id = :id`,
		db.Args{"id": r.ID, "status": r.Status})
	if err != nil {
		return err
	}
	_, err = tx.Update("goods_receipt_line", "receipt_id, line, counter_id", 2, len(r.Lines), func(i int) []any {
		return []any{r.ID, r.Lines[i].Number, r.Lines[i].CounterID}
	})
	return err
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
	q := record.Query{Name: "stock.ListReceipts", Select: receiptRow.Select("r"), From: "goods_receipt r",
		Key: []string{"r.number_key"}, Stamp: "r.changed_at", Resources: []string{Receipts.Name},
		Sorts: map[string][]string{
			"number": {"r.number_key"}, "date": {"r.received_at", "r.number_key"},
			"status": {"r.status", "r.number_key"},
		}}
	q.Search("r.number_key", f.Search)
	q.Search("r.search", f.Shown)
	q.Given("r.status = :status", f.Status)
	q.Given("r.warehouse = :warehouse", f.Warehouse)
	of := `r.id in (select l.receipt_id from goods_receipt_line l where l.company = :company and l.source_key = :source and l.`
	if f.PurchaseOrder != "" {
		q.Where(of+"purchase_order <> '')", db.Args{"source": record.Fold(f.PurchaseOrder)})
	} else if f.TransferOrder != "" {
		q.Where(of+"transfer_order <> '')", db.Args{"source": record.Fold(f.TransferOrder)})
	}
	found, err := record.ListOf(tx, q, p, receiptRow.Scan)
	if err != nil {
		return found, err
	}
	return found, readReceiptLines(tx, found.Items)
}

// Came is a line of a receipt that stands, and when it came.
type Came struct {
	ReceiptLine
	At db.Time
}

// CameOf is what has come of purchase orders, by their folded numbers, in the order of the receipts.
func CameOf(tx *db.Tx, orders []string) (map[string][]Came, error) {
	out := map[string][]Came{}
	return out, tx.Each(`-- stock.CameOf
		select l.source_key, l.source_line, l.location, l.batch, l.serial, l.quantity, r.received_at
		from goods_receipt_line l join goods_receipt r on r.company = l.company and r.id = l.receipt_id
		where l.company = :company and l.source_key in (:orders) and l.purchase_order <> '' and r.status = 'Completed'
		order by r.number_key, l.line`, db.Args{"orders": record.FoldAll(orders)}, func(row db.Row) error {
		var key string
		var c Came
		err := row.Scan(&key, &c.SourceLine, &c.Location, &c.Batch, &c.Serial, &c.Quantity, &c.At)
		out[key] = append(out[key], c)
		return err
	})
}

// verifyReceipts holds every line of a receipt against the ledger entry it made, and against its counter-entry.
func verifyReceipts(tx *db.Tx, report func(string)) error {
	return tx.Each(`-- stock.verifyReceipts
		select r.number, l.line, r.status, l.quantity, coalesce(e.quantity, 0), coalesce(c.quantity, 0)
		from goods_receipt_line l join goods_receipt r on r.company = l.company and r.id = l.receipt_id
			left join stock_entry e on e.company = l.company and e.id = l.entry_id and e.item_id = l.item_id and e.warehouse = r.warehouse
				and e.unit_cost = l.unit_cost and e.location = l.location
			left join stock_entry c on c.company = l.company and c.id = l.counter_id and c.item_id = l.item_id and c.warehouse = r.warehouse
		where l.company = :company and (coalesce(e.quantity, 0) <> l.quantity
			or coalesce(c.quantity, 0) <> case when r.status = 'Cancelled' then -l.quantity else 0 end)
		order by r.number_key, l.line`, nil, func(row db.Row) error {
		var (
			number, status         string
			line                   int
			quantity, entered, out dec.Dec
		)
		if err := row.Scan(&number, &line, &status, &quantity, &entered, &out); err != nil {
			return err
		}
		report(fmt.Sprintf("receipt %s (%s), line %d: %s came in, the ledger has %s and %s against it", number, status,
			line, quantity, entered, out))
		return nil
	})
}
