package backoffice

import (
	"cmp"
	"strings"

	"kontor/internal/business/checkout"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/paper"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// overdue is what is asked for beside the payment statuses: what should have been paid before today.
const overdue = "Overdue"

func paidBadge(i invoicing.Invoice, today day.Date) page.Value {
	if i.Status != invoicing.Booked {
		return page.None()
	}
	if i.Overdue(today) {
		return page.Badge(overdue, page.Bad)
	}
	if i.Balance() < 0 {
		return page.Badge("Overpaid", page.Warn)
	}
	tone := map[invoicing.PaymentStatus]page.Tone{invoicing.Paid: page.Good,
		invoicing.PartiallyPaid: page.Warn}[i.PaymentStatus]
	return page.Badge(i.PaymentStatus, tone)
}

var invoiceBadge = tones[invoicing.Status]{invoicing.Open: page.Calm, invoicing.Booked: page.Good}.badge

// standingBadge is the one word that a list has room for: how a booked invoice is paid, else what becomes of it.
func standingBadge(i invoicing.Invoice, today day.Date) page.Value {
	if i.Status == invoicing.Booked {
		return paidBadge(i, today)
	}
	return invoiceBadge(i.Status)
}

// bill is an invoice as a form asks for it.
type bill struct {
	orders   []string
	on       day.Date
	book     bool
	apart    bool
	comments string
}

// invoices are the pages of invoices and credit notes.
func invoices() []page.Page {
	return []page.Page{invoiceList(), invoiceRecord(), newInvoice(),
		page.Document{Path: "/invoices/{number}/pdf", Permission: "invoices:read",
			Make: printed(loadInvoice, paper.InvoiceFor)}}
}

// invoiceRow is an invoice as the list shows it, with the day that says whether it is overdue.
type invoiceRow struct {
	invoicing.Invoice
	today day.Date
}

// invoicesOwn is how the invoices come by themselves: what is overdue longest is the most pressing.
func invoicesOwn(q page.Query) string {
	if q.Get("paid") == overdue {
		return "due"
	}
	return "-date"
}

func invoiceList() page.Page {
	return page.List[invoiceRow]{Path: "/invoices", Latest: true, Own: invoicesOwn,
		Title: "Invoices", Permission: "invoices:read", Menu: true,
		Search: "Invoice or document number, customer, reference",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(invoicing.Status("").Values())),
			page.Choice("paid", "Payment", append(page.Options(invoicing.PaymentStatus("").Values()),
				page.Option{Value: overdue, Label: overdue})),
			page.Choice("type", "Type", page.Options(invoicing.Type("").Values())),
			page.Match("customer", "Customer").Lookup(findCustomers), page.From("from", "From"), page.From("to", "To")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[invoiceRow], error) {
			f := invoicing.Filter{Shown: q.Search, Status: invoicing.Status(q.Get("status")),
				PaymentStatus: invoicing.PaymentStatus(q.Get("paid")), Type: invoicing.Type(q.Get("type")),
				Customer: q.Get("customer"), From: q.Date("from"), To: q.Date("to")}
			if q.Get("paid") == overdue {
				f.PaymentStatus, f.DueBefore = "", c.Tx.Today()
			}
			found, err := invoicing.List(c.Tx, f, q.Page)
			return listed(found, func(i invoicing.Invoice) invoiceRow { return invoiceRow{i, c.Tx.Today()} }), err
		},
		Href: func(i invoiceRow) string { return page.Path("invoices", i.Number) },
		Columns: func(i invoiceRow) []page.Column {
			return []page.Column{page.Col("Number", page.T(i.Document())),
				page.Minor("Internal number", page.T(i.Number)).By("number"),
				page.Minor("Type", page.Word(page.Words(string(i.Type)))),
				page.Minor("Date", page.Day(i.InvoiceDate)).By("date"),
				page.Minor("Due", page.Day(i.DueDate)).By("due"),
				page.Col("Customer", page.T(i.CustomerName)).By("customer"),
				page.Col("Status", standingBadge(i.Invoice, i.today)).By("status"),
				page.Col("Total", page.Money(i.TotalIncludingTax(), i.CurrencyCode)).By("total"),
				page.Minor("Balance", page.Money(i.Balance(), ""))}
		},
		New: []page.Go{{Label: "Invoice orders", Path: "/new/invoices", Primary: true}}}
}

func newInvoice() page.Page {
	return page.Form[bill]{Path: "/new/invoices", Title: "Invoice orders", Permission: "invoices:write",
		Submit: "Make the invoices", Settles: true,
		Lead: "What is delivered and not invoiced yet is billed. Orders that agree in customer, currency, payment term and address are put on one invoice.",
		Load: func(c *page.Ctx) (bill, error) { return bill{orders: c.Chosen(), on: c.Tx.Today()}, nil },
		Fields: func(_ *page.Ctx, b *bill) []page.Field {
			return []page.Field{page.Items("orderNumbers", "Orders, one a line", &b.orders).Required(),
				page.Date("invoiceDate", "Invoice date", &b.on).Required(), page.Check("book", "Book at once", &b.book),
				page.Check("apart", "An invoice for each order", &b.apart),
				page.Prose("comments", "Text on the invoice", &b.comments)}
		},
		Save: page.Made(bill{}, func(c *page.Ctx, b bill) (page.Done, error) {
			return b.make(c)
		})}
}

// make makes the invoices that a form asks for.
func (b bill) make(c *page.Ctx) (page.Done, error) {
	var opts []invoicing.Option
	if b.book {
		opts = append(opts, invoicing.BookedAtOnce())
	}
	if b.comments != "" {
		opts = append(opts, invoicing.WithComments(b.comments))
	}
	var made []invoicing.Invoice
	if b.apart {
		for _, n := range b.orders {
			i, err := invoicing.FromOrders(c.Tx, []string{n}, b.on, opts...)
			if err != nil {
				return page.Done{}, err
			}
			made = append(made, i)
		}
	} else {
		var err error
		if made, err = invoicing.FromOrdersApart(c.Tx, b.orders, b.on, opts...); err != nil {
			return page.Done{}, err
		}
	}
	if len(made) == 1 {
		return page.Went(page.Path("invoices", made[0].Number), "Invoice %s is made.", made[0].Document()), nil
	}
	return page.Went("/invoices", "%d invoices are made.", len(made)), nil
}

func loadInvoice(c *page.Ctx) (invoicing.Invoice, error) {
	return invoicing.Find(c.Tx, c.Path("number"))
}

func invoiceRecord() page.Page {
	is := func(s invoicing.Status) func(invoicing.Invoice) bool {
		return func(i invoicing.Invoice) bool { return i.Status == s }
	}
	return page.Record[invoicing.Invoice]{Path: "/invoices/{number}", Permission: "invoices:read",
		Resource: invoicing.Invoices, Load: loadInvoice, Show: showInvoice,
		Edit: func(_ *page.Ctx, i invoicing.Invoice) []page.Go {
			return []page.Go{{Label: "Print as PDF", Path: page.Path("invoices", i.Number, "pdf")}}
		},
		Actions: []page.Action[invoicing.Invoice]{
			{Name: "book", Label: "Book", Tone: page.Primary, When: is(invoicing.Open),
				Do: func(c *page.Ctx, i invoicing.Invoice) (page.Done, error) {
					booked, err := invoicing.Book(c.Tx, i.Number)
					return page.Did("The invoice is booked as %s.", booked.ExternalDocumentNumber), err
				}},
			payAction(), creditPart(),
			{Name: "credit", Label: "Credit the whole", Tone: page.Bad,
				Confirm: "A credit note undoes the whole invoice; the goods may be invoiced again.",
				When: func(i invoicing.Invoice) bool {
					return i.Status == invoicing.Booked && i.Type != invoicing.CreditNote
				},
				Do: func(c *page.Ctx, i invoicing.Invoice) (page.Done, error) {
					note, err := invoicing.Credit(c.Tx, i.Number, nil)
					return page.Went(page.Path("invoices", note.Number),
						"Credit note %s is made. Book it to make it count.", note.Number), err
				}},
			{Name: "cancel", Label: "Give up", Tone: page.Bad, When: is(invoicing.Open),
				Confirm: "What it billed may be invoiced again.", Do: done("The invoice is given up.", invoicing.Cancel,
					func(i invoicing.Invoice) string { return i.Number })},
		}}
}

func payAction() page.Action[invoicing.Invoice] {
	a := page.Action[invoicing.Invoice]{Name: "pay", Label: "Register a payment",
		Tone: page.Primary, When: func(i invoicing.Invoice) bool {
			return i.Status == invoicing.Booked && i.Balance() != 0
		}}
	return page.Ask(a,
		func(c *page.Ctx, i invoicing.Invoice) (invoicing.Payment, error) {
			return invoicing.Payment{Date: c.Tx.Today(), Amount: i.Balance().Sub(i.TaxReduction)}, nil
		},
		func(_ *page.Ctx, i invoicing.Invoice, p *invoicing.Payment) []page.Field {
			return []page.Field{page.Decimal("amount", "Amount", &p.Amount).Required().
				Hint("In %s. Below zero takes a payment back.", i.CurrencyCode), page.Date("date", "Date", &p.Date).
				Required(), page.Text("reference", "Reference", &p.Reference),
				page.Check("surplus", "More than the balance is meant: the surplus stays to the customer's credit",
					&p.Surplus)}
		},
		told("The payment is registered.", invoicing.Pay, func(i invoicing.Invoice) string { return i.Number }))
}

// creditedLine is how much of an invoice line a form credits.
type creditedLine struct {
	line     int
	item     string
	left     dec.Dec
	quantity dec.Dec
}

func creditPart() page.Action[invoicing.Invoice] {
	a := page.Action[invoicing.Invoice]{Name: "credit-part", Label: "Credit a part",
		Confirm: "What is credited here is given back and not invoiced again. A line left empty is not credited.",
		When: func(i invoicing.Invoice) bool {
			return i.Status == invoicing.Booked && i.Type != invoicing.CreditNote
		}}
	return page.Ask(a,
		func(_ *page.Ctx, i invoicing.Invoice) ([]creditedLine, error) {
			var out []creditedLine
			for k := range i.Lines {
				if l := &i.Lines[k]; l.Quantity > l.Credited {
					out = append(out, creditedLine{line: l.Number, item: l.Item + " " + l.Description,
						left: l.Quantity.Sub(l.Credited)})
				}
			}
			return out, nil
		},
		func(_ *page.Ctx, _ invoicing.Invoice, v *[]creditedLine) []page.Field {
			out := make([]page.Field, len(*v))
			for i := range *v {
				l := &(*v)[i]
				out[i] = page.Decimal("lines["+itoa(i)+"].quantity", l.item, &l.quantity).
					Hint("At most %s.", l.left.String())
			}
			return out
		},
		func(c *page.Ctx, i invoicing.Invoice, lines []creditedLine) (page.Done, error) {
			var credit []invoicing.CreditLine
			for _, l := range lines {
				if l.quantity != 0 {
					credit = append(credit, invoicing.CreditLine{Line: l.line, Quantity: l.quantity})
				}
			}
			if len(credit) == 0 {
				return page.Done{}, page.Refusal("", "enter how much is credited of at least one line")
			}
			note, err := invoicing.Credit(c.Tx, i.Number, credit)
			return page.Went(page.Path("invoices", note.Number), "Credit note %s is made. Book it to make it count.",
				note.Number), err
		})
}

func showInvoice(c *page.Ctx, i invoicing.Invoice) (page.Sheet, error) {
	payments, err := invoicing.Payments(c.Tx, i.ID)
	if err != nil {
		return page.Sheet{}, err
	}
	named := some(i.CreditsInvoiceNumber)
	for _, p := range payments {
		if p.Kind == invoicing.Settlement {
			named = append(named, p.Reference)
		}
	}
	documents, err := invoicing.Documents(c.Tx, named)
	if err != nil {
		return page.Sheet{}, err
	}
	lines := page.Grid{Title: "Lines", Heads: []string{"", "Order", "Item", "Quantity", "Price", "Tax", "Total",
		"Credited"},
		Foot: []page.Value{{}, {}, page.T(c.Say("Total without tax")), {}, {}, page.Money(i.TotalVAT, ""),
			page.Money(i.TotalAmount, ""), {}}}
	for k := range i.Lines {
		l := &i.Lines[k]
		order := page.To(l.OrderNumber, page.Path("orders", l.OrderNumber)).If(l.OrderNumber != "")
		item := page.T(l.Description)
		if l.Item != "" {
			item = page.Each(page.To(l.Item, page.Path("items", l.Item)), item)
		}
		credited := page.Qty(l.Credited).If(l.Credited != 0)
		price := linePrice(l.UnitPrice, l.IsPriceIncludingTax, l.DiscountPercent, l.DiscountAmount)
		lines.Rows = append(lines.Rows, []page.Value{page.Count(l.Number), order, item, page.QtyOf(l.Quantity, l.Unit),
			price, page.Percent(l.TaxPercent), page.Money(l.LineTotal, ""), credited})
	}
	paid, err := paymentsGrid(c, payments, documents)
	if err != nil {
		return page.Sheet{}, err
	}
	facts := page.Facts{Title: "Invoice", Facts: []page.Fact{
		{Label: "Customer", Value: page.To(i.CustomerName, page.Path("customers", i.CustomerNumber))},
		{Label: "Invoice date", Value: page.Day(i.InvoiceDate)},
		{Label: "Date of supply", Value: page.Day(i.SuppliedOn)}, {Label: "Due", Value: page.Day(i.DueDate)},
		{Label: "Payment term", Value: paymentTerms.called(c, i.PaymentTermCode)},
		{Label: "Orders", Value: linked("orders", i.OrderNumbers)},
		{Label: "Credits invoice", Value: linkedInvoices(some(i.CreditsInvoiceNumber), documents)},
		{Label: "Return", Value: linked("returns", some(i.ReturnNumber))}, {Label: "Text", Value: page.T(i.Comments)},
		{Label: "Internal number", Value: page.T(i.Number)}}}
	sums := page.Facts{Title: "Sum",
		Facts: []page.Fact{{Label: "Without tax", Value: page.Money(i.TotalAmount, i.CurrencyCode)},
			{Label: "Tax", Value: page.Money(i.TotalVAT, i.CurrencyCode)},
			{Label: "Total", Value: page.Money(i.TotalIncludingTax(), i.CurrencyCode).Strong()},
			{Label: "Paid", Value: page.Money(i.PaidAmount, i.CurrencyCode)},
			{Label: "Balance", Value: page.Money(max(0, i.Balance()), i.CurrencyCode).Strong()},
			{Label: "Surplus, to the customer's credit",
				Value: page.Money(i.Balance().Neg(), i.CurrencyCode).Strong().If(i.Balance() < 0)}}}
	return page.Sheet{Title: c.Say(page.Words(string(i.Type))) + " " + i.Document(), Subtitle: i.CustomerName,
		Badges: []page.Value{invoiceBadge(i.Status), paidBadge(i, c.Tx.Today())}, Parts: []page.Part{lines, paid},
		Side: []page.Part{sums, facts, page.Note{Title: "Invoice address", Text: address(c, i.InvoiceAddress)}}}, nil
}

// linkedInvoices are invoices by number, shown by the numbers that people outside know them by.
func linkedInvoices(numbers []string, documents map[string]string) page.Value {
	out := each.Of(numbers,
		func(n string) page.Value {
			return page.To(cmp.Or(documents[record.Fold(n)], n), page.Path("invoices", n))
		})
	return page.Each(out...)
}

// some is a list of one, or of none where there is nothing.
func some(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// paymentsGrid are the payments of an invoice, with what each came by.
func paymentsGrid(c *page.Ctx, payments []invoicing.Payment, documents map[string]string) (page.Grid, error) {
	paid := page.Grid{Title: "Payments", Heads: []string{"Date", "Kind", "Reference", "Amount"},
		Empty: "Nothing is paid yet."}
	for _, p := range payments {
		reference, err := paidBy(c, p)
		if err != nil {
			return paid, err
		}
		if p.Kind == invoicing.Settlement {
			reference = linkedInvoices(some(p.Reference), documents)
		}
		paid.Rows = append(paid.Rows, []page.Value{page.Day(p.Date), page.Word(page.Words(string(p.Kind))), reference,
			page.Money(p.Amount, "")})
	}
	return paid, nil
}

// paidBy is what a payment came by: of one through a store its method, by name, and what the provider calls it.
func paidBy(c *page.Ctx, p invoicing.Payment) (page.Value, error) {
	switch {
	case p.Reference == checkout.ByGiftCard: // it says what the kind says
		return page.None(), nil
	case p.Kind != invoicing.Money:
		return page.T(p.Reference), nil
	}
	m, ref, ok, err := checkout.PaidBy(c.Tx, p.Reference)
	if !ok {
		return page.T(p.Reference), err
	}
	return page.T(strings.TrimSpace(m.Name + " " + ref)), nil
}
