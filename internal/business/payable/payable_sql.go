package payable

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

const columns = `number, status, supplier_id, supplier_number, supplier_name, reference, invoice_date, due_date,
	currency, digits, base_digits, net,
	tax, notes, decided_at, decided_by, reason, paid_at, paid_with, line_count`

var invoiceRow = db.Map[Invoice](record.RootColumns + ", " + columns)

// Find reads an invoice whole. SupplierInvoice.NotFound.
func Find(tx *db.Tx, number string) (Invoice, error) { return find(tx, number, "") }

// lock is Find for a change.
func lock(tx *db.Tx, number string) (Invoice, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, lock string) (Invoice, error) {
	var v Invoice
	ok, err := tx.One(`-- payable.Find
		select `+record.RootColumns+`, `+columns+
		` from supplier_invoice where company = :company and number_key = :key`+lock,
		db.Args{"key": record.Fold(number)}, invoiceRow.Of(&v)...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no supplier's invoice has the number %q", number)
	}
	if err != nil {
		return v, err
	}
	list := []Invoice{v}
	err = readLines(tx, list)
	return list[0], err
}

const lineColumns = `line, kind, receipt_id, receipt, receipt_line, purchase_order, order_line, item, description,
	ordered, order_price, received,
	quantity, unit_price, amount, is_matched, unit_cost, base_amount, on_hand, in_stock, entry_id, left_over, returned, counter_id, charge`

var lineRow = db.Map[Line](lineColumns)

func readLines(tx *db.Tx, list []Invoice) error {
	return record.ReadParts(tx, list, "supplier_invoice_line", "invoice_id", "line", lineRow,
		func(v *Invoice) *[]Line { return &v.Lines })
}

func insert(tx *db.Tx, v *Invoice) error {
	err := tx.Insert("supplier_invoice", record.RootColumns+", "+columns+
		", number_key, supplier_key, reference_key, search", 1, func(int) []any {
		return append(invoiceRow.Of(v), record.Fold(v.Number), record.Fold(v.SupplierNumber), record.Fold(v.Reference),
			record.SearchText(v.Number, v.Reference, v.SupplierNumber, v.SupplierName))
	})
	if err != nil {
		return err
	}
	return tx.Insert("supplier_invoice_line", lineColumns+", invoice_id, order_key", len(v.Lines),
		func(i int) []any {
			return append(lineRow.Of(&v.Lines[i]), v.ID, record.Fold(v.Lines[i].PurchaseOrder))
		})
}

// update writes what a verb may have changed; the funnel bumps the revision.
func update(tx *db.Tx, v *Invoice) error {
	_, err := tx.Exec(`-- payable.update
		update supplier_invoice set status = :status, decided_at = :at, decided_by = :by, reason = :reason,
		paid_at = :paid, paid_with = :with
		where company = :company and id = :id`,
		db.Args{"id": v.ID, "status": v.Status, "at": v.DecidedAt, "by": v.DecidedBy, "reason": v.Reason,
			"paid": v.PaidAt, "with": v.PaidWith})
	if err != nil {
		return err
	}
	_, err = tx.Update("supplier_invoice_line",
		"invoice_id, line, on_hand, in_stock, entry_id, left_over, returned, counter_id, charge", 2, len(v.Lines),
		func(i int) []any {
			l := &v.Lines[i]
			return []any{v.ID, l.Number, l.OnHand, l.InStock, l.EntryID, l.LeftOver, l.Returned, l.CounterID, l.Charge}
		})
	return err
}

// Filter says which invoices a list shows; zero fields do not filter.
type Filter struct {
	Search   string // in the numbers and the supplier
	Status   Status
	Supplier string // number
}

// List reads invoices by number, without their lines.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Invoice], error) {
	q := record.Query{Name: "payable.List", Select: record.Columns("v") + ", " + columns, From: "supplier_invoice v",
		Key: []string{"v.number_key"}, Stamp: "v.changed_at", Resources: []string{Invoices.Name},
		Sorts: map[string][]string{
			"number": {"v.number_key"}, "date": {"v.invoice_date", "v.number_key"},
			"due": {"v.due_date", "v.number_key"}, "supplier": {"v.supplier_key", "v.number_key"},
			"status": {"v.status", "v.number_key"},
		}}
	q.Search("v.search", f.Search)
	q.Given("v.status = :status", f.Status)
	q.Given("v.supplier_key = :supplier", record.Fold(f.Supplier))
	return record.ListOf(tx, q, p, invoiceRow.Scan)
}

// Mention is a line of an invoice, as the receipt and the order that it bills show it.
type Mention struct {
	Invoice   string // number
	Reference string
	Status    Status
	Date      day.Date
	Currency  string
	Line
}

// OfReceipt are the lines that bill a receipt.
func OfReceipt(tx *db.Tx, r *stock.GoodsReceipt) ([]Mention, error) {
	return mentions(tx, `-- payable.OfReceipt
		select `+mentionColumns+` where l.company = :company and l.receipt_id = :id order by v.number_key, l.line`,
		db.Args{"id": r.ID})
}

// OfOrder are the lines that bill what came of a purchase order.
func OfOrder(tx *db.Tx, orderNumber string) ([]Mention, error) {
	return mentions(tx, `-- payable.OfOrder
		select `+mentionColumns+` where l.company = :company and l.order_key = :key order by v.number_key, l.line`,
		db.Args{"key": record.Fold(orderNumber)})
}

const mentionColumns = `v.number, v.reference, v.status, v.invoice_date, v.currency, l.kind, l.receipt, l.receipt_line,
	l.order_line, l.item,
	l.quantity, l.unit_price, l.amount
	from supplier_invoice_line l join supplier_invoice v on v.company = l.company and v.id = l.invoice_id`

func mentions(tx *db.Tx, statement string, a db.Args) (list []Mention, err error) {
	return db.Rows(tx, statement, a, func(r db.Row, m *Mention) error {
		return r.Scan(&m.Invoice, &m.Reference, &m.Status, &m.Date, &m.Currency, &m.Kind, &m.Receipt, &m.ReceiptLine,
			&m.OrderLine, &m.Item, &m.Quantity, &m.UnitPrice, &m.Amount)
	})
}

// Billed is what invoices that stand ask for of a line of a purchase order.
func Billed(list []Mention, orderLine int) (sum dec.Dec) {
	for _, m := range list {
		if m.OrderLine == orderLine && m.Kind == Goods && m.Status != Rejected && m.Status != Cancelled {
			sum = sum.Add(m.Quantity)
		}
	}
	return sum
}

// Open is what came in of a supplier and was not billed.
type Open struct {
	Receipt       string
	Line          int // the first of the receipt's lines
	PurchaseOrder string
	Item          string
	Quantity      dec.Dec
	UnitPrice     dec.Dec // of the order
	Currency      string
}

// Unbilled is what came in of a supplier and was not billed, or of one receipt: the oldest first, at most so many rows.
func Unbilled(tx *db.Tx, supplierID, receiptNumber string, most int) (list []Open, err error) {
	return db.Rows(tx, `-- payable.Unbilled
		select r.number, min(l.line), o.number, l.item, sum(l.quantity - l.billed), n.unit_price, o.currency
		from purchase_order o
			join goods_receipt_line l on l.company = o.company and l.source_key = o.number_key and l.purchase_order <> ''
			join goods_receipt r on r.company = l.company and r.id = l.receipt_id and r.status = 'Completed'
			join purchase_order_line n on n.company = o.company and n.order_id = o.id and n.line = l.source_line
		where o.company = :company and o.supplier_id = :supplier and o.is_settled = 0 and (:receipt = '' or r.number_key = :receipt)
		group by r.number_key, r.number, o.number, l.item, l.source_line, l.unit_cost, n.unit_price, o.currency
		having sum(l.quantity - l.billed) > 0
		order by r.number_key, min(l.line) limit :most`,
		db.Args{"supplier": supplierID, "receipt": record.Fold(receiptNumber), "most": most},
		func(r db.Row, o *Open) error {
			return r.Scan(&o.Receipt, &o.Line, &o.PurchaseOrder, &o.Item, &o.Quantity, &o.UnitPrice, &o.Currency)
		})
}
