package invoicing

import (
	"slices"
	"strings"

	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/dec"
	"kontor/internal/fault"
	"kontor/internal/number"
	"kontor/internal/party"
	"kontor/internal/record"
	"kontor/internal/reference"
	"kontor/internal/sales"
	"kontor/internal/shipping"
	"kontor/internal/tax"
)

// Option is something more a caller says about an invoice.
type Option func(*options)

type options struct {
	book         bool
	document     string
	comments     string
	taxReduction dec.Dec
}

// BookedAtOnce books the invoice as it is made.
func BookedAtOnce() Option { return func(o *options) { o.book = true } }

// WithDocumentNumber books the invoice under a document number of its own instead of the next of the
// series: documents of another system keep theirs.
func WithDocumentNumber(n string) Option {
	return func(o *options) { o.book, o.document = true, n }
}

// WithComments puts a text on the invoice.
func WithComments(text string) Option { return func(o *options) { o.comments = text } }

// WithTaxReduction says how much of the amount the tax authority pays.
func WithTaxReduction(amount dec.Dec) Option { return func(o *options) { o.taxReduction = amount } }

func gather(opts []Option) (o options) {
	for _, opt := range opts {
		opt(&o)
	}
	return o
}

// FromOrders makes one invoice of what is billable of the orders, which agree on what an invoice has one
// of: customer, currency, payment term and address.
//
// Refuses with SalesOrder.NotFound, Invoice.OrdersDiffer, Invoice.NothingBillable and, with a
// document number, Invoice.DocumentNumberExists.
func FromOrders(tx *db.Tx, orderNumbers []string, on day.Date, opts ...Option) (Invoice, error) {
	orders, err := lockOrders(tx, orderNumbers)
	if err != nil {
		return Invoice{}, err
	}
	groups := split(orders)
	if len(groups) > 1 {
		a, b := groups[0][0], groups[1][0]
		return Invoice{}, ErrDifferentHeads.Because("orders %s and %s differ in customer, currency, payment term or invoice address; invoice them apart", a.Number, b.Number)
	}
	return FromLocked(tx, orders, on, opts...)
}

// FromOrdersApart makes as many invoices of what is billable as the orders' customers, currencies,
// payment terms and addresses want. Orders with nothing to bill are passed over.
//
// Refuses with SalesOrder.NotFound and Invoice.NothingBillable.
func FromOrdersApart(tx *db.Tx, orderNumbers []string, on day.Date, opts ...Option) ([]Invoice, error) {
	orders, err := lockOrders(tx, orderNumbers)
	if err != nil {
		return nil, err
	}
	made, err := bill(tx, orders, on, opts...)
	if err == nil && len(made) == 0 {
		err = nothingBillable(orders)
	}
	return made, err
}

func bill(tx *db.Tx, orders []*sales.Order, on day.Date, opts ...Option) ([]Invoice, error) {
	var made []Invoice
	for _, group := range split(orders) {
		i, err := FromLocked(tx, group, on, opts...)
		if fault.Is(err, ErrNothingBillable) {
			continue
		}
		if err != nil {
			return nil, err
		}
		made = append(made, i)
	}
	return made, nil
}

func lockOrders(tx *db.Tx, numbers []string) ([]*sales.Order, error) {
	found, err := sales.Lock(tx, numbers)
	if err != nil {
		return nil, err
	}
	var orders []*sales.Order
	for _, n := range numbers {
		o := found[record.Fold(n)]
		if o == nil {
			return nil, ErrOrderNotFound.Because("no order has the number %q", n)
		}
		if !slices.Contains(orders, o) {
			orders = append(orders, o)
		}
	}
	return orders, nil
}

// split gathers orders that one invoice can bill, in their order. The key is everything an invoice has one of.
func split(orders []*sales.Order) [][]*sales.Order {
	type key struct {
		customer, currency, term string
		address                  party.Postal
	}
	at := map[key]int{}
	var groups [][]*sales.Order
	for _, o := range orders {
		k := key{o.CustomerID, o.CurrencyCode, record.Fold(o.PaymentTermCode), o.InvoiceAddress}
		i, ok := at[k]
		if !ok {
			i = len(groups)
			at[k] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], o)
	}
	return groups
}

// FromLocked is FromOrders for orders that the caller has locked and that agree.
func FromLocked(tx *db.Tx, orders []*sales.Order, on day.Date, opts ...Option) (Invoice, error) {
	if len(orders) == 0 {
		return Invoice{}, ErrInvalid.Because("name at least one order")
	}
	o := gather(opts)
	i, deltas := draft(orders)
	if len(i.Lines) == 0 {
		return i, nothingBillable(orders)
	}
	book, err := reference.Of(tx)
	if err != nil {
		return i, err
	}
	i.InvoiceDate, i.DueDate = on, on
	if t, ok := book.PaymentTerm(i.PaymentTermCode); ok {
		i.DueDate = t.Due(on)
	}
	i.Comments, i.TaxReduction = o.comments, o.taxReduction
	if err := sales.Book(tx, "invoice", orders, deltas); err != nil {
		return i, err
	}
	return i, create(tx, &i, orders, o)
}

func nothingBillable(orders []*sales.Order) error {
	return ErrNothingBillable.Because("nothing of order %s is delivered and not invoiced yet", orders[0].Number)
}

// draft is the invoice of everything billable, and what it changes on the orders. An order line that is
// billed in parts is rounded in each part.
func draft(orders []*sales.Order) (Invoice, []sales.Delta) {
	first := orders[0]
	i := Invoice{Type: Standard, Status: Open, CustomerID: first.CustomerID, CustomerNumber: first.CustomerNumber, CustomerName: first.CustomerName,
		InvoiceAddress: first.InvoiceAddress, CurrencyCode: first.CurrencyCode, Digits: first.Digits, PaymentTermCode: first.PaymentTermCode}
	var deltas []sales.Delta
	for _, o := range orders {
		before := len(i.Lines)
		for k := range o.Lines {
			l := &o.Lines[k]
			q := l.Billable()
			if q == 0 {
				continue
			}
			line := Line{Number: len(i.Lines) + 1, OrderID: o.ID, OrderNumber: o.Number, OrderLine: l.Number, ItemID: l.ItemID, Item: l.Item,
				Description: l.Description, Unit: l.Unit, Quantity: q, UnitPrice: l.UnitPrice, DiscountPercent: l.DiscountPercent,
				IsPriceIncludingTax: l.IsPriceIncludingTax, TaxCode: l.TaxCode, TaxPercent: l.TaxPercent}
			line.price(i.Digits)
			i.Lines = append(i.Lines, line)
			deltas = append(deltas, sales.Delta{OrderID: o.ID, Line: l.Number, Invoiced: q})
		}
		if len(i.Lines) > before {
			i.OrderNumbers = append(i.OrderNumbers, o.Number)
			if o.CustomerReference != "" {
				i.references = append(i.references, o.CustomerReference)
			}
		}
	}
	return i, deltas
}

// price computes the amounts of a line.
func (l *Line) price(digits int) {
	l.LineTotal, l.TaxAmount = tax.Line(sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, digits), l.TaxPercent, digits, l.IsPriceIncludingTax)
}

// create numbers, books where asked, and writes an invoice. The document number is drawn as late as
// possible: its series stays locked until the commit.
func create(tx *db.Tx, i *Invoice, orders []*sales.Order, o options) (err error) {
	i.Root = record.New(tx)
	if i.Number, err = number.Next(tx, "invoice", free); err != nil {
		return err
	}
	if len(orders) > 0 {
		if err := sales.LinkInvoice(tx, orders, i.Number); err != nil {
			return err
		}
	}
	i.derive()
	if err := insertLines(tx, i); err != nil {
		return err
	}
	if o.book {
		i.Status = Booked
		if err := settle(tx, i); err != nil {
			return err
		}
		if i.ExternalDocumentNumber, err = documentNumber(tx, o.document); err != nil {
			return err
		}
	}
	if err := insertInvoice(tx, i); err != nil {
		return err
	}
	if err := Invoices.Created(tx, i.Root, i.Number, i); err != nil {
		return err
	}
	if !o.book {
		return nil
	}
	return announce(tx, i)
}

// free: invoice numbers come from the series alone, so none of them can be taken.
func free(string) (bool, error) { return false, nil }

// documentNumber is the one given, if it is free, else the next of the series without gaps.
func documentNumber(tx *db.Tx, given string) (string, error) {
	if given == "" {
		drawn, err := number.GapFree(tx, "invoice-document", 1)
		return strings.Join(drawn, ""), err
	}
	has, err := documentExists(tx, given)
	if err == nil && has != "" {
		err = ErrDocumentExists.Because("invoice %s already has the document number %q", has, given)
	}
	return given, err
}

// announce tells who follows booked documents.
func announce(tx *db.Tx, i *Invoice) error {
	open := 0
	if i.ReturnNumber != "" {
		var err error
		if open, err = openOfReturn(tx, i.ReturnNumber); err != nil {
			return err
		}
	}
	return tx.Fire(Issued{Invoice: i, LastOfReturn: i.ReturnNumber != "" && open == 0})
}

// Book gives an open invoice its document number and makes it immutable; a credit note settles what it
// credits.
//
// Refuses with Invoice.NotFound, Invoice.InvalidStatus and Invoice.DocumentNumberExists.
func Book(tx *db.Tx, invoiceNumber string, opts ...Option) (Invoice, error) {
	i, before, err := begin(tx, invoiceNumber, "book")
	if err != nil {
		return i, err
	}
	if err := settle(tx, &i); err != nil {
		return i, err
	}
	if i.ExternalDocumentNumber, err = documentNumber(tx, gather(opts).document); err != nil {
		return i, err
	}
	if err := save(tx, &i, before, "book"); err != nil {
		return i, err
	}
	return i, announce(tx, &i)
}

// begin locks an invoice for a verb, refuses where it may not happen, and moves it.
func begin(tx *db.Tx, invoiceNumber, verb string) (i, before Invoice, err error) {
	if i, err = lock(tx, invoiceNumber); err != nil {
		return i, i, err
	}
	before = i
	before.Lines = slices.Clone(i.Lines)
	i.Status, err = Moves.Check(ErrInvalidStatus, i.Status, verb)
	return i, before, err
}

// Cancel gives an open invoice up: what it billed becomes billable again; what a credit note took back stands again.
//
// Refuses with Invoice.NotFound and Invoice.InvalidStatus.
func Cancel(tx *db.Tx, invoiceNumber string) (Invoice, error) {
	i, before, err := begin(tx, invoiceNumber, "cancel")
	if err != nil {
		return i, err
	}
	sign := -dec.One
	if i.Type == CreditNote {
		sign = dec.One
		if err := uncredit(tx, &i); err != nil {
			return i, err
		}
	}
	if deltas := i.deltas(sign); len(deltas) > 0 {
		orders, err := lockOrders(tx, i.OrderNumbers)
		if err != nil {
			return i, err
		}
		if err := sales.Book(tx, "cancelInvoice", orders, deltas); err != nil {
			return i, err
		}
	}
	if err := save(tx, &i, before, "cancel"); err != nil {
		return i, err
	}
	return i, tx.Fire(Withdrawn{Invoice: &i})
}

// deltas change what the orders know to be invoiced by the invoice's quantities; of a credit note only by
// those that become billable again.
func (i *Invoice) deltas(sign dec.Dec) []sales.Delta {
	var deltas []sales.Delta
	for _, l := range i.Lines {
		if l.OrderID != "" && (i.Type != CreditNote || l.Rebill) {
			deltas = append(deltas, sales.Delta{OrderID: l.OrderID, Line: l.OrderLine, Invoiced: l.Quantity.Mul(sign)})
		}
	}
	return deltas
}

// OnHandedOver invoices orders whose type says so at hand-over, or at delivery where the hand-over was it.
func OnHandedOver(tx *db.Tx, e shipping.HandedOver) error {
	moments := []reference.InvoiceMoment{reference.OnHandOver}
	if e.IsDelivered {
		moments = append(moments, reference.OnDelivery)
	}
	return billAt(tx, e.Orders, e.On, moments)
}

// OnDelivery invoices orders whose type says so at delivery.
func OnDelivery(tx *db.Tx, e shipping.Delivery) error {
	return billAt(tx, e.Orders, e.On, []reference.InvoiceMoment{reference.OnDelivery})
}

func billAt(tx *db.Tx, orders []*sales.Order, on day.Date, moments []reference.InvoiceMoment) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var due []*sales.Order
	for _, o := range orders {
		if t, ok := book.OrderType(o.OrderTypeCode); ok && slices.Contains(moments, t.AutoInvoice) {
			due = append(due, o)
		}
	}
	_, err = bill(tx, due, on, BookedAtOnce())
	return err
}
