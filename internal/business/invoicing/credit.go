package invoicing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
	"kontor/internal/foundation/record"
)

// CreditLine is how much of an invoice line is credited.
type CreditLine struct {
	Line     int
	Quantity dec.Dec
}

// Credit makes an open credit note for a booked invoice. Without lines the whole of it is undone, less what
// was credited before: the goods become billable again. With lines a part is given back and stays
// given: what it credits is not billed again.
//
// Refuses with Invoice.NotFound, Invoice.InvalidStatus, Invoice.NotCreditable, InvoiceLine.NotFound and
// Invoice.QuantityExceedsInvoiced.
func Credit(tx *db.Tx, invoiceNumber string, lines []CreditLine, opts ...Option) (Invoice, error) {
	if err := ahead(tx, invoiceNumber); err != nil {
		return Invoice{}, err
	}
	i, _, err := bills.Begin(tx, invoiceNumber, "credit")
	if err != nil {
		return i, err
	}
	if i.Type == CreditNote {
		return i, ErrNotCreditable.Because("%s is a credit note; only an invoice can be credited", i.Number)
	}
	whole := len(lines) == 0
	if whole {
		for _, l := range i.Lines {
			if l.left() > 0 {
				lines = append(lines, CreditLine{l.Number, l.left()})
			}
		}
		if len(lines) == 0 {
			return i, ErrNotCreditable.Because("all of invoice %s is credited already", i.Number)
		}
	}
	return credit(tx, &i, lines, noteFor{rebill: whole}, opts...)
}

// noteFor says what a credit note is made for.
type noteFor struct {
	returnNumber string
	rebill       bool
}

// credit makes the credit note for lines of a locked invoice.
func credit(tx *db.Tx, i *Invoice, lines []CreditLine, why noteFor, opts ...Option) (Invoice, error) {
	o := gather(opts)
	n := i.note(tx.Today())
	n.ReturnNumber, n.Comments = why.returnNumber, o.comments
	var wrong fault.List
	for k, c := range lines {
		l := i.line(c.Line)
		switch {
		case l == nil:
			wrong.Add(ErrLineNotFound, pathOf(k, "lineNumber"), "invoice %s has no line %d", i.Number, c.Line)
		case c.Quantity <= 0:
			wrong.Add(ErrInvalid, pathOf(k, "quantity"), "must be above 0")
		case c.Quantity > l.left():
			wrong.Add(ErrExceedsInvoiced, pathOf(k, "quantity"),
				"%s is more than the %s of line %d that are not credited yet", c.Quantity, l.left(), c.Line)
		default:
			n.take(i, l, c.Quantity, why.rebill)
		}
	}
	if err := wrong.Err(); err != nil {
		return n, err
	}
	if err := saveCredited(tx, []*Invoice{i}); err != nil {
		return n, err
	}
	made, err := createNotes(tx, []*sheet{{Invoice: &n, options: o}})
	if err != nil {
		return n, err
	}
	return *made[0], nil
}

// createNotes tells the orders of credit notes of them and makes them.
func createNotes(tx *db.Tx, sheets []*sheet) ([]*Invoice, error) {
	if err := tellOrders(tx, sheets); err != nil {
		return nil, err
	}
	return create(tx, sheets)
}

// tellOrders books on the orders of credit notes what becomes billable again, and else only that there is a
// credit note, so that every order that names one has a new revision.
func tellOrders(tx *db.Tx, sheets []*sheet) error {
	var numbers []string
	for _, s := range sheets {
		numbers = append(numbers, s.OrderNumbers...)
	}
	if len(numbers) == 0 {
		return nil
	}
	orders, err := lockOrders(tx, numbers)
	if err != nil {
		return err
	}
	var deltas []sales.Delta
	rebilled := map[string]bool{}
	for _, s := range sheets {
		s.orders = orders
		deltas = append(deltas, s.deltas(-dec.One)...)
	}
	for _, d := range deltas {
		rebilled[d.OrderID] = true
	}
	if err := sales.Book(tx, "credit", orders, deltas); err != nil {
		return err
	}
	var changes []record.Change
	for _, o := range orders {
		if !rebilled[o.ID] {
			changes = append(changes, record.Change{Root: &o.Root, Key: o.Number, Action: "credit"})
		}
	}
	return sales.Orders.ReportMany(tx, changes)
}

// note is an empty credit note for an invoice.
func (i *Invoice) note(on day.Date) Invoice {
	return Invoice{Type: CreditNote, Status: Open, CustomerID: i.CustomerID, CustomerNumber: i.CustomerNumber,
		CustomerName: i.CustomerName, InvoiceAddress: i.InvoiceAddress, InvoiceDate: on, DueDate: on,
		CurrencyCode: i.CurrencyCode, Digits: i.Digits, RateAmount: i.RateAmount, RateUnits: i.RateUnits,
		PaymentTermCode: i.PaymentTermCode, SuppliedOn: i.SuppliedOn,
		CreditsInvoiceNumber: i.Number, CreditsDocument: i.Document()}
}

// take puts a quantity of an invoice's line on the credit note. Each part takes its share of what is left of the line,
// so that parts add up to the line to the penny, and none takes more than is left.
func (n *Invoice) take(i *Invoice, l *Line, quantity dec.Dec, rebill bool) {
	c := *l
	c.Number, c.Quantity, c.CreditsInvoice, c.CreditsLine, c.Rebill = len(n.Lines)+1, quantity, i.Number, l.Number,
		rebill
	c.Credited, c.CreditedTotal, c.CreditedTax, c.recredited = 0, 0, 0, false
	rest, vat := max(0, l.LineTotal.Sub(l.CreditedTotal)), max(0, l.TaxAmount.Sub(l.CreditedTax))
	c.LineTotal, c.TaxAmount = rest, vat
	switch {
	case quantity >= l.left():
	case l.IsPriceIncludingTax:
		cost := sales.Part(rest.Add(vat), quantity, l.left(), i.Digits)
		_, c.TaxAmount = tax.Line(cost, l.TaxPercent, i.Digits, true)
		c.TaxAmount = max(min(c.TaxAmount, vat), cost.Sub(rest)) // neither more tax nor more without it than is left
		c.LineTotal = cost.Sub(c.TaxAmount)
	default:
		c.LineTotal, c.TaxAmount = tax.Line(sales.Part(rest, quantity, l.left(), i.Digits), l.TaxPercent, i.Digits,
			false)
		c.TaxAmount = min(c.TaxAmount, vat)
	}
	c.DiscountAmount = sales.Amount(quantity, l.UnitPrice, 0, i.Digits).Sub(c.cost())
	l.credit(&c)
	if l.OrderNumber != "" && !slices.Contains(n.OrderNumbers, l.OrderNumber) {
		n.OrderNumbers = append(n.OrderNumbers, l.OrderNumber)
	}
	n.Lines = append(n.Lines, c)
}

// credit notes on an invoiced line what c takes back of it.
func (l *Line) credit(c *Line) {
	l.Credited = l.Credited.Add(c.Quantity)
	l.CreditedTotal = l.CreditedTotal.Add(c.LineTotal)
	l.CreditedTax = l.CreditedTax.Add(c.TaxAmount)
	l.recredited = true
}

// restore undoes credit.
func (l *Line) restore(c *Line) {
	l.Credited = l.Credited.Sub(c.Quantity)
	l.CreditedTotal = l.CreditedTotal.Sub(c.LineTotal)
	l.CreditedTax = l.CreditedTax.Sub(c.TaxAmount)
	l.recredited = true
}

// line finds a line by its number: lines are numbered from 1 without gaps. nil when there is none.
func (i *Invoice) line(number int) *Line { return each.Numbered(i.Lines, number) }

// credited are the invoices that a credit note takes back from.
func (i *Invoice) credited() []string {
	var numbers []string
	for _, l := range i.Lines {
		if l.CreditsInvoice != "" && !slices.Contains(numbers, l.CreditsInvoice) {
			numbers = append(numbers, l.CreditsInvoice)
		}
	}
	return numbers
}

// Corrected are the heads of the invoices that a credit note takes back from, in the order of its lines.
func Corrected(tx *db.Tx, i *Invoice) ([]*Invoice, error) {
	numbers := i.credited()
	found, err := readMany(tx, numbers, false, "")
	var out []*Invoice
	for _, n := range numbers {
		if one := found[record.Fold(n)]; one != nil {
			out = append(out, one)
		}
	}
	return out, err
}

// uncredit gives an open credit note's lines back to the invoices they were taken from.
func uncredit(tx *db.Tx, n *Invoice) error {
	invoices, err := lockMany(tx, n.credited(), true)
	if err != nil {
		return err
	}
	for k := range n.Lines {
		c := &n.Lines[k]
		if i := invoices[record.Fold(c.CreditsInvoice)]; i != nil {
			i.line(c.CreditsLine).restore(c)
		}
	}
	return saveCredited(tx, inOrder(invoices))
}

// standsAgain refuses to give up a credit note whose goods became billable with it where the order was changed since:
// given up they are invoiced as before, and as long as goods are invoiced no price of theirs changes and no order is
// called off.
func (i *Invoice) standsAgain(orders []*sales.Order) error {
	for k := range i.Lines {
		c := &i.Lines[k]
		at := slices.IndexFunc(orders, func(o *sales.Order) bool { return o.ID == c.OrderID })
		if !c.Rebill || at < 0 { // only a credit note's line says that
			continue
		}
		o := orders[at]
		if l := o.Line(c.OrderLine); o.Status == sales.Cancelled || l == nil || !c.isAsOn(l) ||
			l.Invoiced.Add(c.Quantity) > l.Quantity {
			return sales.ErrAlreadyInvoiced.Because(
				"line %d of order %s was changed, invoiced anew or called off after it was credited: book the credit note, and invoice what is still to be invoiced",
				c.OrderLine, o.Number)
		}
	}
	return nil
}

// isAsOn reports whether the line was billed on the terms that the order's line has now. A discount that codes took off
// is kept as an amount, and its percentage follows the quantity.
func (l *Line) isAsOn(o *sales.Line) bool {
	return l.Unit == o.Unit && l.UnitPrice == o.UnitPrice && l.TaxCode == o.TaxCode &&
		(l.DiscountPercent == o.DiscountPercent || o.KeepsDiscount)
}

func pathOf(i int, field string) string { return fmt.Sprintf("lines[%d].%s", i, field) }

func inOrder(invoices map[string]*Invoice) []*Invoice {
	return slices.SortedFunc(maps.Values(invoices), func(a, b *Invoice) int { return strings.Compare(a.ID, b.ID) })
}

// ReturnedLine is what came back of an order line that had been invoiced.
type ReturnedLine struct {
	OrderLine int
	Quantity  dec.Dec
}

// Given is what is given back of an order line, and for how much.
type Given struct{ Quantity, Net, Tax dec.Dec }

// Add is both together.
func (g Given) Add(h Given) Given {
	return Given{g.Quantity.Add(h.Quantity), g.Net.Add(h.Net), g.Tax.Add(h.Tax)}
}

// CreditReturn makes open credit notes for returned goods: one for each invoice that billed them, oldest first. What
// other credit notes of the return hold already is not credited twice, nor what was given back by hand. It answers how
// many of the return's credit notes are still to be booked.
//
// Refuses with Invoice.NotCreditable when not all of it stands on booked invoices.
func CreditReturn(tx *db.Tx, returnNumber, orderNumber string, lines []ReturnedLine) (open int, err error) {
	already, err := GivenBack(tx, returnNumber)
	if err != nil {
		return 0, err
	}
	var owed []ReturnedLine
	for _, l := range lines {
		g := already[l.OrderLine]
		done := min(l.Quantity, g.Quantity)
		g.Quantity = g.Quantity.Sub(done)
		already[l.OrderLine] = g
		if rest := l.Quantity.Sub(done); rest > 0 {
			owed = append(owed, ReturnedLine{l.OrderLine, rest})
		}
	}
	if _, err := sales.LockOne(tx, orderNumber); err != nil { // before its bills, as everybody does
		return 0, err
	}
	if err := creditOrder(tx, orderNumber, owed, noteFor{returnNumber: returnNumber}); err != nil {
		return 0, err
	}
	return openOfReturn(tx, returnNumber)
}

func creditOrder(tx *db.Tx, orderNumber string, lines []ReturnedLine, why noteFor, opts ...Option) error {
	numbers, err := invoicesOf(tx, orderNumber)
	if err != nil {
		return err
	}
	invoices, err := lockMany(tx, numbers, true)
	if err != nil {
		return err
	}
	parts, missing := spread(numbers, invoices, orderNumber, lines)
	if err := refuseMissing(tx, orderNumber, missing); err != nil {
		return err
	}
	for k, n := range numbers {
		if len(parts[k]) == 0 {
			continue
		}
		if _, err := credit(tx, invoices[record.Fold(n)], parts[k], why, opts...); err != nil {
			return err
		}
	}
	return nil
}

// spread takes quantities of an order's lines from the lines of the invoices that billed them, the first invoices
// first. The parts answered are by invoice; what stands on none of them is missing, by line of the order.
func spread(numbers []string, invoices map[string]*Invoice, orderNumber string,
	lines []ReturnedLine) (parts [][]CreditLine, missing map[int]dec.Dec) {
	type place struct{ invoice, line int }
	billed, order := map[int][]place{}, record.Fold(orderNumber)
	for k, n := range numbers {
		for j, l := range invoices[record.Fold(n)].Lines {
			if record.Fold(l.OrderNumber) == order {
				billed[l.OrderLine] = append(billed[l.OrderLine], place{k, j})
			}
		}
	}
	parts, missing = make([][]CreditLine, len(numbers)), map[int]dec.Dec{}
	taken := map[place]dec.Dec{}
	for _, want := range lines {
		rest := want.Quantity
		for _, p := range billed[want.OrderLine] {
			l := &invoices[record.Fold(numbers[p.invoice])].Lines[p.line]
			if q := min(rest, l.left().Sub(taken[p])); q > 0 {
				parts[p.invoice] = append(parts[p.invoice], CreditLine{l.Number, q})
				rest, taken[p] = rest.Sub(q), taken[p].Add(q)
			}
		}
		if rest > 0 {
			missing[want.OrderLine] = missing[want.OrderLine].Add(rest)
		}
	}
	return parts, missing
}

// refuseMissing refuses to credit what stands on no booked invoice, unless it was credited by hand before and stays
// given back.
func refuseMissing(tx *db.Tx, orderNumber string, missing map[int]dec.Dec) error {
	if len(missing) == 0 {
		return nil
	}
	byHand, err := byHandOf(tx, orderNumber)
	if err != nil {
		return err
	}
	for _, line := range slices.Sorted(maps.Keys(missing)) {
		if is := byHand[line]; is.open > 0 || missing[line] > is.given {
			return ErrNotCreditable.Because(
				"%s of line %d of order %s stand on no booked invoice that is not credited yet; book the open invoice, or cancel it",
				missing[line], line, orderNumber)
		}
	}
	return nil
}

// OnTakenBack credits at once what was invoiced of goods that came back undelivered: the order owes them
// again, and bills them again.
func OnTakenBack(tx *db.Tx, e shipping.TakenBack) error {
	for _, o := range e.Orders {
		var lines []ReturnedLine
		for k := range o.Lines {
			l := &o.Lines[k]
			if over := l.Invoiced.Add(l.ReturnedUnbilled).Sub(l.Delivered); over > 0 {
				lines = append(lines, ReturnedLine{l.Number, over})
			}
		}
		if len(lines) == 0 {
			continue
		}
		if err := creditOrder(tx, o.Number, lines, noteFor{rebill: true}, BookedAtOnce()); err != nil {
			return err
		}
	}
	return nil
}

// Free is a credit note that no order or return asks for: by hand, or from another system's books.
type Free struct {
	Customer     party.Customer
	CurrencyCode string
	InvoiceDate  day.Date
	Lines        []FreeLine
	With         []Option
}

// FreeLine is a line of it. It may name the line of a booked invoice that it takes back.
type FreeLine struct {
	ItemID, Item, Description, Unit string
	Quantity, UnitPrice             dec.Dec
	DiscountPercent                 dec.Dec
	DiscountAmount                  dec.Dec // or this, in the terms of the price
	TaxCode                         string
	TaxPercent                      *dec.Dec // nil = as the credited line has it, else the tax code's at the customer
	IsPriceIncludingTax             bool
	CreditsInvoice                  string // number of the invoice
	CreditsLine                     int
}

// CreateFreeMany makes credit notes from given lines: all or none, in a constant number of statements. A line that
// names an invoice's line must not be more than is left of it.
//
// Refuses with Invoice.Invalid, InvoiceLine.NotFound, Invoice.QuantityExceedsInvoiced and, with a document
// number, Invoice.DocumentNumberExists.
func CreateFreeMany(tx *db.Tx, notes []Free) ([]*Invoice, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	sheets := make([]*sheet, len(notes))
	var credited []string
	for k := range notes {
		if err := notes[k].check(); err != nil {
			return nil, err
		}
		sheets[k] = &sheet{Invoice: notes[k].draft(book), options: gather(notes[k].With)}
		credited = append(credited, sheets[k].credited()...)
	}
	if err := ahead(tx, credited...); err != nil {
		return nil, err
	}
	invoices, err := lockMany(tx, credited, true)
	if err != nil {
		return nil, err
	}
	for k, s := range sheets {
		if err := s.takeBack(invoices, &notes[k]); err != nil {
			return nil, err
		}
	}
	if err := saveCredited(tx, inOrder(invoices)); err != nil {
		return nil, err
	}
	return createNotes(tx, sheets)
}

func (f *Free) check() error {
	var wrong fault.List
	wrong.If(len(f.Lines) == 0, ErrInvalid, "lines", "a credit note needs at least one line")
	for k := range f.Lines {
		wrong.If(f.Lines[k].Quantity <= 0, ErrInvalid, pathOf(k, "quantity"), "must be above 0")
	}
	return wrong.Err()
}

// draft is the credit note before it is known what its lines take back.
func (f *Free) draft(book *reference.Book) *Invoice {
	n := &Invoice{Type: CreditNote, Status: Open, CustomerID: f.Customer.ID, CustomerNumber: f.Customer.Number,
		CustomerName: f.Customer.Name, InvoiceAddress: f.Customer.Postal(), InvoiceDate: f.InvoiceDate,
		DueDate: f.InvoiceDate, CurrencyCode: f.CurrencyCode, Digits: book.Digits(f.CurrencyCode),
		Comments: gather(f.With).comments}
	for k, l := range f.Lines {
		line := Line{Number: k + 1, ItemID: l.ItemID, Item: l.Item, Description: l.Description, Unit: l.Unit,
			Quantity: l.Quantity, UnitPrice: l.UnitPrice, DiscountPercent: l.DiscountPercent, TaxCode: l.TaxCode,
			IsPriceIncludingTax: l.IsPriceIncludingTax, CreditsInvoice: l.CreditsInvoice, CreditsLine: l.CreditsLine}
		gross := sales.Amount(l.Quantity, l.UnitPrice, 0, n.Digits)
		line.DiscountAmount = min(gross, sales.Amount(dec.One, l.DiscountAmount, 0, n.Digits).
			Add(gross).Sub(sales.Amount(l.Quantity, l.UnitPrice, l.DiscountPercent, n.Digits)))
		if l.TaxPercent != nil {
			line.TaxPercent = *l.TaxPercent
		} else if code, ok := book.TaxCode(l.TaxCode); ok {
			line.TaxPercent = code.Percent(f.Customer.CountryCode, f.InvoiceDate)
		}
		line.price(n.Digits)
		n.Lines = append(n.Lines, line)
	}
	return n
}

// takeBack notes on the invoices, by folded number, what the credit note's lines take back of theirs.
func (i *Invoice) takeBack(invoices map[string]*Invoice, f *Free) error {
	var wrong fault.List
	for k := range i.Lines {
		c := &i.Lines[k]
		if c.CreditsInvoice == "" {
			continue
		}
		of := invoices[record.Fold(c.CreditsInvoice)]
		if of == nil || of.Status != Booked || of.line(c.CreditsLine) == nil {
			wrong.Add(ErrLineNotFound, pathOf(k, "creditsLine"), "no booked invoice %q has a line %d", c.CreditsInvoice,
				c.CreditsLine)
			continue
		}
		l := of.line(c.CreditsLine)
		if c.Quantity > l.left() {
			wrong.Add(ErrExceedsInvoiced, pathOf(k, "quantity"),
				"%s is more than the %s of line %d of invoice %s that are not credited yet", c.Quantity, l.left(),
				l.Number, of.Number)
			continue
		}
		if f.Lines[k].TaxPercent == nil {
			c.TaxCode, c.TaxPercent, c.IsPriceIncludingTax = l.TaxCode, l.TaxPercent, l.IsPriceIncludingTax
			c.price(i.Digits)
		}
		l.credit(c)
		i.SuppliedOn = max(i.SuppliedOn, of.SuppliedOn)
		i.RateAmount, i.RateUnits = of.RateAmount, of.RateUnits
		c.OrderID, c.OrderNumber, c.OrderLine = l.OrderID, l.OrderNumber, l.OrderLine
		if c.OrderNumber != "" && !slices.Contains(i.OrderNumbers, c.OrderNumber) {
			i.OrderNumbers = append(i.OrderNumbers, c.OrderNumber)
		}
	}
	if numbers := i.credited(); len(numbers) == 1 && !slices.ContainsFunc(i.Lines,
		func(l Line) bool { return l.CreditsInvoice == "" }) {
		i.CreditsInvoiceNumber = numbers[0]
		if of := invoices[record.Fold(numbers[0])]; of != nil {
			i.CreditsDocument = of.Document()
		}
	}
	return wrong.Err()
}
