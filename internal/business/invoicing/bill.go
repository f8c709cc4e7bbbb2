package invoicing

import (
	"cmp"
	"slices"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// Option is something more a caller says about an invoice.
type Option func(*options)

type options struct {
	booked   bool
	document string
	comments string
}

// BookedAtOnce books the invoice as it is made.
func BookedAtOnce() Option { return func(o *options) { o.booked = true } }

// WithDocumentNumber books the invoice under a document number of its own instead of the next of the
// series: documents of another system keep theirs.
func WithDocumentNumber(n string) Option {
	return func(o *options) { o.booked, o.document = true, n }
}

// WithComments puts a text on the invoice.
func WithComments(text string) Option { return func(o *options) { o.comments = text } }

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
		return Invoice{},
			ErrDifferentHeads.Because(
				"orders %s and %s differ in customer, currency, payment term or invoice address; invoice them apart",
				a.Number, b.Number)
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
	return each.Together(orders, func(o *sales.Order) key {
		return key{o.CustomerID, o.CurrencyCode, record.Fold(o.PaymentTermCode), o.InvoiceAddress}
	})
}

// FromLocked is FromOrders for orders that the caller has locked, or that come from sales.Compose, and that agree.
func FromLocked(tx *db.Tx, orders []*sales.Order, on day.Date, opts ...Option) (Invoice, error) {
	made, err := FromEach(tx, []Bill{{Orders: orders, On: on, With: opts}})
	if err != nil {
		return Invoice{}, err
	}
	return *made[0], nil
}

// Bill is one of many invoices to make.
type Bill struct {
	Orders []*sales.Order // which agree; no order is on two bills
	On     day.Date
	With   []Option
}

// FromEach is FromLocked for many invoices at once: all or none, in a constant number of statements.
func FromEach(tx *db.Tx, bills []Bill) ([]*Invoice, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	var (
		sheets []*sheet
		orders []*sales.Order
		deltas []sales.Delta
	)
	for _, b := range bills {
		if len(b.Orders) == 0 {
			return nil, ErrInvalid.Because("name at least one order")
		}
		i, billed := draft(b.Orders)
		if len(i.Lines) == 0 {
			return nil, nothingBillable(b.Orders)
		}
		i.InvoiceDate, i.DueDate = b.On, b.On
		if t, ok := book.PaymentTerm(i.PaymentTermCode); ok {
			i.DueDate = t.Due(b.On)
		}
		o := gather(b.With)
		i.Comments = o.comments
		sheets = append(sheets, &sheet{i, b.Orders, o})
		orders, deltas = append(orders, b.Orders...), append(deltas, billed...)
	}
	if err := supply(tx, sheets, orders); err != nil {
		return nil, err
	}
	if err := sales.Book(tx, "invoice", orders, deltas); err != nil {
		return nil, err
	}
	return create(tx, sheets)
}

// supply dates the supply that invoices bill. An order line that was delivered in parts has the day of its last: what
// was billed before had left by then.
func supply(tx *db.Tx, sheets []*sheet, orders []*sales.Order) error {
	ids := each.Of(orders, func(o *sales.Order) string { return o.ID })
	left, err := handedOver(tx, ids)
	if err != nil {
		return err
	}
	for _, s := range sheets {
		for _, l := range s.Lines {
			s.SuppliedOn = max(s.SuppliedOn, left[orderLine{l.OrderID, l.OrderLine}])
		}
		s.SuppliedOn = cmp.Or(s.SuppliedOn, s.InvoiceDate)
	}
	return nil
}

func nothingBillable(orders []*sales.Order) error {
	return ErrNothingBillable.Because("nothing of order %s is delivered and not invoiced yet", orders[0].Number)
}

// draft is the invoice of everything billable, and what it changes on the orders. What a part of an order line costs,
// the line says.
func draft(orders []*sales.Order) (*Invoice, []sales.Delta) {
	first := orders[0]
	i := &Invoice{Type: Standard, Status: Open, CustomerID: first.CustomerID, CustomerNumber: first.CustomerNumber,
		CustomerName: first.CustomerName, InvoiceAddress: first.InvoiceAddress, CurrencyCode: first.CurrencyCode,
		Digits: first.Digits, PaymentTermCode: first.PaymentTermCode}
	var deltas []sales.Delta
	for _, o := range orders {
		before := len(i.Lines)
		for k := range o.Lines {
			l := &o.Lines[k]
			q := l.Billable()
			if q == 0 {
				continue
			}
			line := Line{Number: len(i.Lines) + 1, OrderID: o.ID, OrderNumber: o.Number, OrderLine: l.Number,
				ItemID: l.ItemID, Item: l.Item, Description: l.Description, Unit: l.Unit, Quantity: q,
				UnitPrice: l.UnitPrice, DiscountPercent: l.DiscountPercent,
				DiscountAmount: sales.Amount(q, l.UnitPrice, 0, i.Digits).
					Sub(l.Next(q, i.Digits)), IsPriceIncludingTax: l.IsPriceIncludingTax, TaxCode: l.TaxCode,
				TaxPercent: l.TaxPercent}
			line.LineTotal, line.TaxAmount = l.Bill(q, i.Digits)
			i.Lines = append(i.Lines, line)
			deltas = append(deltas, sales.Delta{OrderID: o.ID, Line: l.Number, Invoiced: q,
				InvoicedAmount: line.cost()})
		}
		if len(i.Lines) > before {
			i.OrderNumbers = append(i.OrderNumbers, o.Number)
			if o.CustomerReference != "" && !slices.Contains(i.References, o.CustomerReference) {
				i.References = append(i.References, o.CustomerReference)
			}
		}
	}
	return i, deltas
}

// price computes the amounts of a line.
func (l *Line) price(digits int) {
	cost := sales.Amount(l.Quantity, l.UnitPrice, 0, digits).Sub(l.DiscountAmount)
	l.LineTotal, l.TaxAmount = tax.Line(cost, l.TaxPercent, digits, l.IsPriceIncludingTax)
}

// sheet is an invoice that is being made; its lines are of some of these orders.
type sheet struct {
	*Invoice
	orders []*sales.Order
	options
}

// create numbers, books where asked, and writes invoices. The document numbers are drawn as late as
// possible: their series stays locked until the commit.
func create(tx *db.Tx, sheets []*sheet) ([]*Invoice, error) {
	// Invoice numbers come from the series alone, so none of them can be taken.
	drawn, err := number.NextMany(tx, "invoice", len(sheets))
	if err != nil {
		return nil, err
	}
	var links []sales.Link
	for k, s := range sheets {
		s.Root, s.Number = record.New(tx), drawn[k]
		of := each.Of(s.Lines, func(l Line) string { return l.OrderID })
		links = append(links, sales.Links(s.Number, s.orders, of)...)
		s.derive()
	}
	if err := sales.LinkInvoices(tx, links); err != nil {
		return nil, err
	}
	invoices, changes := make([]*Invoice, len(sheets)), make([]record.Change, len(sheets))
	for k, s := range sheets {
		invoices[k], changes[k] = s.Invoice, record.Change{Root: &s.Root, Key: s.Number, Action: "created",
			After: s.Invoice}
	}
	if err := billLines.Insert(tx, invoices...); err != nil {
		return nil, err
	}
	if err := book(tx, sheets); err != nil {
		return nil, err
	}
	if err := bills.Upsert(tx, "", invoices...); err != nil {
		return nil, err
	}
	if err := Invoices.ReportMany(tx, changes); err != nil {
		return nil, err
	}
	for _, i := range invoices {
		if i.Status != Booked {
			continue
		}
		if err := announce(tx, i); err != nil {
			return nil, err
		}
	}
	return invoices, nil
}

// book fixes those of new invoices that are booked at once.
func book(tx *db.Tx, sheets []*sheet) error {
	var (
		booked []*Invoice
		given  []string
	)
	for _, s := range sheets {
		if s.booked {
			s.Status = Booked
			booked, given = append(booked, s.Invoice), append(given, s.document)
		}
	}
	return fix(tx, booked, given)
}

// fix is what makes booked invoices final: a credit note settles what it credits, the rate of their day is kept, and
// each has its document number.
func fix(tx *db.Tx, booked []*Invoice, given []string) error {
	if err := settleNotes(tx, booked); err != nil {
		return err
	}
	if err := keepRates(tx, booked); err != nil {
		return err
	}
	return giveDocuments(tx, booked, given)
}

func keepRates(tx *db.Tx, booked []*Invoice) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	for _, i := range booked {
		if i.RateAmount == 0 && i.CurrencyCode != book.Base().Code {
			rate, _ := book.RateOn(i.CurrencyCode, i.InvoiceDate)
			i.RateAmount, i.RateUnits = rate.Amount, rate.Units
		}
	}
	return nil
}

// giveDocuments gives invoices the document numbers named, as far as they are free, and to those that name none the
// next of the series without gaps.
func giveDocuments(tx *db.Tx, invoices []*Invoice, given []string) error {
	named := each.Where(given, func(d string) bool { return d != "" })
	taken := map[string]string{}
	if len(named) > 0 {
		var err error
		if taken, err = ByDocument(tx, named); err != nil {
			return err
		}
	}
	drawn, err := number.GapFree(tx, "invoice-document", len(invoices)-len(named))
	if err != nil {
		return err
	}
	for k, i := range invoices {
		if given[k] == "" {
			i.ExternalDocumentNumber, drawn = drawn[0], drawn[1:]
			continue
		}
		key := record.Fold(given[k])
		if has := taken[key]; has != "" {
			return ErrDocumentExists.Because("invoice %s already has the document number %q", has, given[k])
		}
		i.ExternalDocumentNumber, taken[key] = given[k], i.Number
	}
	return nil
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
	if err := ahead(tx, invoiceNumber); err != nil {
		return Invoice{}, err
	}
	i, before, err := bills.Begin(tx, invoiceNumber, "book")
	if err != nil {
		return i, err
	}
	if err := fix(tx, []*Invoice{&i}, []string{gather(opts).document}); err != nil {
		return i, err
	}
	if err := bills.Act(tx, "book", before, &i); err != nil {
		return i, err
	}
	return i, announce(tx, &i)
}

// Cancel gives an open invoice up: what it billed becomes billable again; what a credit note took back stands again.
//
// Refuses with Invoice.NotFound, Invoice.InvalidStatus, and SalesOrderLine.AlreadyInvoiced where a credit note's orders
// are not what they were when it was made.
func Cancel(tx *db.Tx, invoiceNumber string) (Invoice, error) {
	if err := ahead(tx, invoiceNumber); err != nil {
		return Invoice{}, err
	}
	i, before, err := bills.Begin(tx, invoiceNumber, "cancel")
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
		if err := i.standsAgain(orders); err != nil {
			return i, err
		}
		if err := sales.Book(tx, "cancelInvoice", orders, deltas); err != nil {
			return i, err
		}
	}
	if err := bills.Act(tx, "cancel", before, &i); err != nil {
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
			deltas = append(deltas, sales.Delta{OrderID: l.OrderID, Line: l.OrderLine, Invoiced: l.Quantity.Mul(sign),
				InvoicedAmount: l.cost().Mul(sign)})
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
	due := each.Where(orders, func(o *sales.Order) bool {
		t, ok := book.OrderType(o.OrderTypeCode)
		return ok && slices.Contains(moments, t.AutoInvoice)
	})
	_, err = bill(tx, due, on, BookedAtOnce())
	return err
}
