package payable

import (
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var invoices = record.TableOf(Invoices, record.Layout[Invoice]{
	Fixed: `number, supplier_id, supplier_number, supplier_name, reference, invoice_date, due_date, currency, digits,
		base_digits, net, tax, notes, line_count`,
	Changing: "status, decided_at, decided_by, reason, paid_at, paid_with",
	Number:   func(v *Invoice) *string { return &v.Number },
	Series:   "supplier-invoice",
	Derived: func(v *Invoice) db.Args {
		return db.Args{"supplier_key": record.Fold(v.SupplierNumber), "reference_key": record.Fold(v.Reference),
			"search": record.SearchText(v.Number, v.Reference, v.SupplierNumber, v.SupplierName)}
	},
	Parts: []*record.Parts[Invoice]{record.PartsOf(record.PartLayout[Invoice, Line]{
		Table: "supplier_invoice_line", Owner: "invoice_id", Place: "line",
		Columns: `line, kind, receipt_id, receipt, receipt_line, purchase_order, order_line, item, description, ordered,
			order_price, received, quantity, unit_price, amount, is_matched, unit_cost, base_amount, on_hand, in_stock,
			entry_id, left_over, returned, counter_id, charge`,
		Of:      func(v *Invoice) *[]Line { return &v.Lines },
		Derived: func(_ *Invoice, l *Line) db.Args { return db.Args{"order_key": record.Fold(l.PurchaseOrder)} },
	})},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "supplier's invoice",
		func(v *Invoice) (string, *Status) { return v.Number, &v.Status }),
	Missing: func(number string) error {
		return ErrNotFound.Because("no supplier's invoice has the number %q", number)
	},
	Taken: func(v *Invoice) error {
		return ErrExists.At("reference", "invoice %s of supplier %s is registered already", v.Reference,
			v.SupplierNumber)
	},
})

// Find reads an invoice whole. SupplierInvoice.NotFound.
func Find(tx *db.Tx, number string) (Invoice, error) { return invoices.Find(tx, number) }

// Filter says which invoices a list shows; zero fields do not filter.
type Filter struct {
	Search   string // in the numbers and the supplier
	Status   Status
	Supplier string // number
}

// List reads invoices by number, without their lines.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Invoice], error) {
	q := invoices.Query("payable.List")
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "date": {"invoice_date", "number_key"},
		"due": {"due_date", "number_key"}, "supplier": {"supplier_key", "number_key"},
		"status": {"status", "number_key"},
	}
	q.Search("search", f.Search)
	q.Given("status = :status", f.Status)
	q.Given("supplier_key = :supplier", record.Fold(f.Supplier))
	return record.ListOf(tx, q, p, invoices.Scan)
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
