package payable

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// New is what a supplier's invoice says.
type New struct {
	SupplierNumber string
	Reference      string
	InvoiceDate    day.Date // "" = today
	DueDate        day.Date // "" = by the supplier's payment term
	Tax            dec.Dec
	Total          *dec.Dec // with tax, as it is printed on the invoice; nil = not compared
	Notes          string
	Lines          []NewLine
	Charges        []NewCharge
}

// NewLine bills goods of a receipt.
type NewLine struct {
	Receipt   string
	Line      int // of the receipt
	Quantity  dec.Dec
	UnitPrice dec.Dec
}

// NewCharge bills a cost of a delivery.
type NewCharge struct {
	Kind        stock.ChargeKind
	Receipt     string // "" = it is spread over none
	Amount      dec.Dec
	Description string
}

// writer is an invoice on its way.
type writer struct {
	tx       *db.Tx
	book     *reference.Book
	wrong    fault.List
	supplier purchasing.Supplier
	orders   map[string]purchasing.Order
	billing  *stock.Billing
}

// Register writes a supplier's invoice down. It is approved by itself where each line is as it was ordered, within what
// the company lets pass, and waits for a person else. Refusals: Supplier.NotFound, Receipt.NotFound,
// Receipt.InvalidStatus (409) for one that was reversed, Receipt.QuantityExceedsUnbilled (409),
// SupplierInvoice.AlreadyExists (409) for a number that the supplier has used, and SupplierInvoice.Invalid.
func Register(tx *db.Tx, n New) (Invoice, error) {
	w := writer{tx: tx, orders: map[string]purchasing.Order{}}
	var err error
	if w.book, err = reference.Of(tx); err != nil {
		return Invoice{}, err
	}
	w.supplier, err = purchasing.Use(tx, n.SupplierNumber)
	if err != nil && !fault.Is(err, purchasing.ErrSupplierInactive) { // who was bought from still asks for money
		return Invoice{}, err
	}
	numbers := each.Of(n.Lines, func(l NewLine) string { return l.Receipt })
	numbers = append(numbers, each.Given(n.Charges, func(c NewCharge) string { return c.Receipt })...)
	if w.billing, err = stock.OpenBilling(tx, numbers); err != nil {
		return Invoice{}, err
	}
	v, err := w.compose(n)
	if err != nil {
		return v, err
	}
	if err := w.billing.Save(tx, "bill"); err != nil {
		return v, err
	}
	if v.Status == Approved {
		if err := v.book(tx, w.billing); err != nil {
			return v, err
		}
	}
	return v, invoices.Create(tx, &v)
}

// compose writes head and lines up, and says everything that is wrong with them.
func (w *writer) compose(n New) (Invoice, error) {
	s, base := w.supplier, w.book.Base()
	v := Invoice{SupplierID: s.ID, SupplierNumber: s.Number, SupplierName: s.Name, Reference: n.Reference,
		InvoiceDate: cmp.Or(n.InvoiceDate, w.tx.Today()), DueDate: n.DueDate, BaseDigits: base.Decimals, Tax: n.Tax,
		Notes: n.Notes, CurrencyCode: cmp.Or(s.CurrencyCode, base.Code)}
	for i, l := range n.Lines {
		if err := w.goods(&v, i, l); err != nil {
			return v, err
		}
	}
	for i, c := range n.Charges {
		if err := w.charge(&v, i, c); err != nil {
			return v, err
		}
	}
	currency, _ := w.book.Currency(v.CurrencyCode)
	v.Digits = currency.Decimals
	if err := w.wrong.Err(); err != nil {
		return v, err
	}
	v.derive()
	w.head(&v, n)
	if err := w.wrong.Err(); err != nil {
		return v, err
	}
	return v, w.match(&v)
}

// head holds what stands above and below the lines against them.
func (w *writer) head(v *Invoice, n New) {
	w.wrong.If(record.Fold(v.Reference) == "", ErrInvalid, "reference",
		"an invoice has a number of the supplier's: write it as it is printed")
	if v.DueDate == "" {
		v.DueDate = v.InvoiceDate
		if t, ok := w.book.PaymentTerm(cmp.Or(w.supplier.PaymentTermCode, w.book.Defaults().PaymentTerm)); ok {
			v.DueDate = t.Due(v.InvoiceDate)
		}
	}
	switch {
	case len(v.Lines) == 0:
		w.wrong.Add(ErrInvalid, "lines", "an invoice bills goods or a cost: enter a quantity on at least one line")
	case len(v.Lines) > MaxLines:
		w.wrong.Add(ErrInvalid, "lines", "an invoice has at most %d lines", MaxLines)
	}
	w.wrong.If(v.Tax < 0 || v.Tax.Decimals() > v.Digits, ErrInvalid, "tax",
		"must not be negative, and have at most %d decimals", v.Digits)
	limit.Total.Check(&w.wrong, "tax", v.Tax)
	limit.Total.Check(&w.wrong, "lines", v.Net)
	if w.wrong.Empty() && n.Total != nil && *n.Total != v.Total() {
		w.wrong.Add(ErrInvalid, "total", "its lines and its tax come to %s, not to %s: correct what was typed",
			v.Total(), *n.Total)
	}
}

// goods adds a line that bills what came in.
func (w *writer) goods(v *Invoice, i int, n NewLine) error {
	field := func(name string) string { return fmt.Sprintf("lines[%d].%s", i, name) }
	w.wrong.If(n.Quantity <= 0, ErrInvalid, field("quantity"), "must be above 0")
	w.wrong.If(n.UnitPrice < 0, ErrInvalid, field("unitPrice"), "must not be negative")
	limit.Quantity.Check(&w.wrong, field("quantity"), n.Quantity)
	limit.Price.Check(&w.wrong, field("unitPrice"), n.UnitPrice)
	if !w.wrong.Empty() {
		return nil
	}
	part, err := w.billing.Take(field, n.Receipt, n.Line, n.Quantity)
	if err != nil {
		return err
	}
	o, line, err := w.ordered(part.PurchaseOrder, part.SourceLine)
	if err != nil {
		return err
	}
	r := w.billing.Receipt(n.Receipt)
	switch {
	case o.SupplierID != v.SupplierID:
		w.wrong.Add(ErrInvalid, field("receiptNumber"), "receipt %s is not of supplier %s", r.Number, v.SupplierNumber)
	case len(v.Lines) > 0 && o.CurrencyCode != v.CurrencyCode:
		w.wrong.Add(ErrInvalid, field("receiptNumber"),
			"receipt %s was ordered in %s, other lines in %s: register an invoice for each currency", r.Number,
			o.CurrencyCode, v.CurrencyCode)
	case o.IsSettled:
		w.wrong.Add(ErrInvalid, field("receiptNumber"),
			"receipt %s is of an order that was paid before the books began", r.Number)
	}
	v.CurrencyCode = o.CurrencyCode
	v.Lines = append(v.Lines, Line{Kind: Goods, ReceiptID: r.ID, Receipt: r.Number, ReceiptLine: part.Number,
		PurchaseOrder: o.Number, OrderLine: line.Number, Item: part.Item, Description: line.Description,
		Ordered: line.Quantity, OrderPrice: line.UnitPrice, Received: part.Quantity, Quantity: n.Quantity,
		UnitPrice: n.UnitPrice, UnitCost: part.UnitCost})
	return nil
}

// ordered is the line of a purchase order that goods came of; nothing where they came of none.
func (w *writer) ordered(order string, line int) (purchasing.Order, purchasing.OrderLine, error) {
	if order == "" {
		return purchasing.Order{}, purchasing.OrderLine{}, nil
	}
	o, known := w.orders[order]
	if !known {
		var err error
		if o, err = purchasing.FindOrder(w.tx, order); err != nil {
			return o, purchasing.OrderLine{}, err
		}
		w.orders[order] = o
	}
	if l := o.Line(line); l != nil {
		return o, *l, nil
	}
	return o, purchasing.OrderLine{}, nil
}

// charge adds a line that bills a cost.
func (w *writer) charge(v *Invoice, i int, n NewCharge) error {
	field := func(name string) string { return fmt.Sprintf("charges[%d].%s", i, name) }
	w.wrong.If(n.Amount <= 0, ErrInvalid, field("amount"), "must be above 0")
	limit.Amount.Check(&w.wrong, field("amount"), n.Amount)
	w.wrong.If(!slices.Contains(n.Kind.Values(), n.Kind), ErrInvalid, field("kind"), "say what kind of cost it is")
	l := Line{Kind: n.Kind, Description: n.Description, Quantity: dec.One, UnitPrice: n.Amount}
	if n.Receipt != "" {
		r := w.billing.Receipt(n.Receipt)
		o, _, err := w.ordered(r.Lines[0].PurchaseOrder, 0)
		if err != nil {
			return err
		}
		l.ReceiptID, l.Receipt, l.PurchaseOrder = r.ID, r.Number, o.Number
	}
	v.Lines = append(v.Lines, l)
	return nil
}

// match says of each line whether it is as it was ordered, and of the invoice whether it waits for a person.
func (w *writer) match(v *Invoice) error {
	d := w.book.Defaults()
	v.Status = Approved
	for i := range v.Lines {
		l := &v.Lines[i]
		var err error
		if l.BaseAmount, err = w.inBase(l.Amount, v); err != nil {
			return err
		}
		differs := l.Differs(v.Digits).Abs()
		inBase, err := w.inBase(differs, v)
		if err != nil {
			return err
		}
		share := l.Expected(v.Digits).MulDiv(d.BillPercent, dec.Int(100))
		if l.IsMatched = differs <= share || inBase <= d.BillAmount; !l.IsMatched {
			v.Status = Waiting
		}
	}
	return nil
}

// inBase is an amount of the invoice in the base currency, at the rate of the invoice's day.
func (w *writer) inBase(amount dec.Dec, v *Invoice) (dec.Dec, error) {
	base := w.book.Base()
	if v.CurrencyCode == base.Code {
		return amount, nil
	}
	from, ok := w.book.RateOn(v.CurrencyCode, v.InvoiceDate)
	to, known := w.book.RateOn(base.Code, v.InvoiceDate)
	if !ok || !known {
		return 0, ErrInvalid.At("invoiceDate", "the currency %s has no exchange rate: give it one under Settings",
			v.CurrencyCode)
	}
	return dec.Convert(amount, from, to, base.Decimals), nil
}
