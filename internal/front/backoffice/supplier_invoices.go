package backoffice

import (
	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// mostProposed is how many lines the form of a supplier's invoice begins with at most.
const mostProposed = 100

var billBadge = tones[payable.Status]{payable.Waiting: page.Warn, payable.Approved: page.Good,
	payable.Rejected: page.Bad, payable.Paid: page.Good, payable.Cancelled: page.Calm}.badge

// supplierInvoices are the pages of what suppliers ask for.
func supplierInvoices() []page.Page {
	return []page.Page{billList(), chooseBiller(), newBill(), billRecord()}
}

func billList() page.Page {
	return page.List[payable.Invoice]{Path: "/supplier-invoices", Latest: true,
		Own: page.Own("number"), Title: "Suppliers' invoices", Permission: "purchase-orders:read", Menu: true,
		Search: "Number, supplier's number, supplier",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(payable.Status("").Values())),
			page.Match("supplier", "Supplier").Lookup(findSuppliers)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[payable.Invoice], error) {
			return payable.List(c.Tx, payable.Filter{Search: q.Search, Status: payable.Status(q.Get("status")),
				Supplier: q.Get("supplier")}, q.Page)
		},
		Href: func(v payable.Invoice) string { return page.Path("supplier-invoices", v.Number) },
		Columns: func(v payable.Invoice) []page.Column {
			return []page.Column{page.Col("Number", page.T(v.Number)).By("number"),
				page.Col("Supplier", page.T(v.SupplierName)).By("supplier"),
				page.Minor("Their number", page.T(v.Reference)),
				page.Minor("Invoice date", page.Day(v.InvoiceDate)).By("date"),
				page.Minor("Due", page.Day(v.DueDate)).By("due"),
				page.Col("Status", billBadge(v.Status)).By("status"),
				page.Col("With tax", page.Money(v.Total(), v.CurrencyCode))}
		},
		New: []page.Go{{Label: "Register an invoice", Path: "/new/supplier-invoices", Primary: true}}}
}

// chooseBiller asks whose invoice it is, so that the form can show what is unbilled.
func chooseBiller() page.Page {
	return page.Form[string]{Path: "/new/supplier-invoices", Title: "Register a supplier's invoice",
		Permission: "suppliers:write", Submit: "Go on",
		Fields: func(_ *page.Ctx, supplier *string) []page.Field {
			return []page.Field{page.Code("supplierNumber", "Supplier", supplier).Required().Lookup(findSuppliers).
				Hint("What of it came in and was not billed is shown next.")}
		},
		Save: page.Made("", func(c *page.Ctx, supplier string) (page.Done, error) {
			s, err := purchasing.FindSupplier(c.Tx, supplier)
			if err != nil {
				return page.Done{}, page.Refusal("supplierNumber", "there is no supplier %s", supplier)
			}
			return page.Went(page.Path("suppliers", s.Number, "invoices", "new"), ""), nil
		})}
}

// billed is an invoice as a form asks for it.
type billed struct {
	of      payable.New
	lines   []billedLine
	charges []payable.NewCharge
}

type billedLine struct {
	payable.NewLine
	item string
}

// find is for a row that names an item of the receipt and no line.
func (l *billedLine) find(tx *db.Tx) {
	r, err := stock.FindReceipt(tx, l.Receipt)
	if err != nil || l.Line != 0 {
		return
	}
	for _, p := range r.Parts() {
		if record.Fold(p.Item) == record.Fold(l.item) && p.Unbilled() > 0 {
			l.Line = p.Number
			return
		}
	}
}

func newBill() page.Page {
	return page.Form[billed]{Path: "/suppliers/{number}/invoices/new", Title: "Register a supplier's invoice",
		Permission: "suppliers:write", Crumbs: supplierCrumbs, Settles: true, Submit: "Register",
		Heading: func(c *page.Ctx, _ billed) string {
			s, _ := purchasing.FindSupplier(c.Tx, c.Path("number"))
			return c.Say("Register a supplier's invoice") + ": " + s.Name
		},
		Lead: "What came in and was not billed is proposed at the prices of the orders. Take out what is not on the invoice, and write its quantities and prices.",
		Back: func(c *page.Ctx) string { return page.Path("suppliers", c.Path("number")) },
		Load: proposedBill, Fields: billFields,
		Save: page.Made(billed{}, func(c *page.Ctx, b billed) (page.Done, error) {
			b.of.SupplierNumber = c.Path("number")
			for _, l := range b.lines {
				if l.Quantity != 0 {
					l.find(c.Tx)
					b.of.Lines = append(b.of.Lines, l.NewLine)
				}
			}
			for _, x := range b.charges {
				if x.Amount != 0 {
					b.of.Charges = append(b.of.Charges, x)
				}
			}
			v, err := payable.Register(c.Tx, b.of)
			if err == nil && v.Status == payable.Waiting {
				return page.Went(page.Path("supplier-invoices", v.Number),
					"Invoice %s differs from what was ordered: it waits for approval.", v.Number), nil
			}
			return page.Went(page.Path("supplier-invoices", v.Number),
				"Invoice %s is as it was ordered, and approved.", v.Number), err
		})}
}

// proposedBill begins with all that is unbilled, or with one receipt of it.
func proposedBill(c *page.Ctx) (b billed, err error) {
	s, err := purchasing.FindSupplier(c.Tx, c.Path("number"))
	if err != nil {
		return b, err
	}
	b.of.InvoiceDate = c.Tx.Today()
	open, err := payable.Unbilled(c.Tx, s.ID, c.Query("receipt"), mostProposed)
	for _, o := range open {
		b.lines = append(b.lines, billedLine{payable.NewLine{Receipt: o.Receipt, Line: o.Line, Quantity: o.Quantity,
			UnitPrice: o.UnitPrice}, o.Item})
	}
	return b, err
}

func billFields(_ *page.Ctx, b *billed) []page.Field {
	return []page.Field{page.Text("reference", "Their number", &b.of.Reference).Required().
		Hint("As the supplier has printed it."),
		page.Date("invoiceDate", "Invoice date", &b.of.InvoiceDate).Required(),
		page.Date("dueDate", "Due", &b.of.DueDate).Hint("Empty: by the supplier's payment term."),
		page.Lines("lines", "Goods", &b.lines, func(l *billedLine) []page.Field {
			return []page.Field{page.Code("receiptNumber", "Receipt", &l.Receipt),
				page.Number("lineNumber", "Line", &l.Line).Max(5), page.Code("itemNumber", "Item", &l.item),
				page.Decimal("quantity", "Quantity", &l.Quantity), page.Decimal("unitPrice", "Price", &l.UnitPrice)}
		}).Hint("A row left at nothing is not billed."),
		page.Lines("charges", "Freight and other costs", &b.charges, func(x *payable.NewCharge) []page.Field {
			return []page.Field{page.OneOf("kind", "Cost", &x.Kind),
				page.Decimal("amount", "Amount", &x.Amount), page.Code("receiptNumber", "Receipt", &x.Receipt),
				page.Text("description", "Description", &x.Description)}
		}).Hint("A cost with a receipt is spread over its goods once the invoice is approved."),
		page.Decimal("tax", "Tax", &b.of.Tax), page.Maybe("total", "Total with tax", &b.of.Total).
			Hint("As it is printed, to find what was typed wrongly. May be left empty."),
		page.Prose("notes", "Internal notes", &b.of.Notes)}
}

func billRecord() page.Page {
	may := allowed(payable.Moves, func(v payable.Invoice) payable.Status { return v.Status })
	decide := func(verb, label, confirm, say, asked string, tone page.Tone,
		do func(*db.Tx, string, string) (payable.Invoice, error)) page.Action[payable.Invoice] {
		a := page.Action[payable.Invoice]{Name: verb, Label: label, Permission: "invoices:write", Tone: tone,
			When: may(verb), Confirm: confirm}
		return worded(a, func(text *string) page.Field {
			f := page.Text("reason", asked, text)
			if verb != "pay" {
				f = f.Required()
			}
			return f
		}, say, do, func(v payable.Invoice) string { return v.Number })
	}
	return page.Record[payable.Invoice]{Path: "/supplier-invoices/{number}", Permission: "purchase-orders:read",
		Resource: payable.Invoices,
		Load:     func(c *page.Ctx) (payable.Invoice, error) { return payable.Find(c.Tx, c.Path("number")) },
		Show:     showBill, Actions: []page.Action[payable.Invoice]{
			decide("approve", "Approve", "It differs from what was ordered. The goods will cost what is asked for them.",
				"The invoice is approved.", "Reason", page.Primary, payable.Approve),
			decide("reject", "Reject", "It is not paid. What it billed may be billed by another.",
				"The invoice is rejected.", "Reason", page.Bad, payable.Reject),
			decide("pay", "Mark as paid", "Say so after the money has left.", "The invoice is paid.",
				"Reference of the payment", page.Primary, payable.Pay),
			decide("cancel", "Cancel the invoice", "It was registered wrongly: what it billed may be billed by another, and the goods cost again what they came in at, as far as they are there.",
				"The invoice is cancelled.", "Reason", page.Bad, payable.Cancel)}}
}

func showBill(c *page.Ctx, v payable.Invoice) (page.Sheet, error) {
	grid := page.Grid{Title: "Ordered, received, billed", Heads: []string{"Line", "Item", "Receipt", "Order", "Ordered",
		"Received", "Billed", "Ordered at", "Billed at", "Amount"},
		Foot: []page.Value{page.T(c.Say("Total without tax")), {}, {}, {}, {}, {}, {}, {}, {}, page.Money(v.Net, "")}}
	match := page.Grid{Title: "Match", Heads: []string{"Line", "Result"}}
	for i := range v.Lines {
		l := &v.Lines[i]
		grid.Rows = append(grid.Rows, billRow(c, l))
		said := page.T(difference(c, &v, l))
		if !l.IsMatched {
			said = said.Toned(page.Bad)
		}
		match.Rows = append(match.Rows, []page.Value{page.Count(l.Number), said})
	}
	return page.Sheet{Title: c.Say("Supplier's invoice %s", v.Number), Subtitle: v.SupplierName + " · " + v.Reference,
		Badges: []page.Value{billBadge(v.Status)},
		Parts:  []page.Part{match, grid, bookedGrid(c, v), page.Noted("Internal notes", v.Notes)},
		Side: []page.Part{page.Facts{Title: "Supplier's invoice", Facts: []page.Fact{
			{Label: "Supplier", Value: page.To(v.SupplierName, page.Path("suppliers", v.SupplierNumber))},
			{Label: "Their number", Value: page.T(v.Reference)},
			{Label: "Invoice date", Value: page.Day(v.InvoiceDate)}, {Label: "Due", Value: page.Day(v.DueDate)},
			{Label: "Without tax", Value: page.Money(v.Net, v.CurrencyCode)},
			{Label: "Tax", Value: page.Money(v.Tax, v.CurrencyCode)},
			{Label: "With tax", Value: page.Money(v.Total(), v.CurrencyCode)},
			{Label: "Decided", Value: page.At(v.DecidedAt)}, {Label: "By", Value: page.T(v.DecidedBy)},
			{Label: "Reason", Value: page.T(v.Reason)}, {Label: "Paid", Value: page.At(v.PaidAt)},
			{Label: "Reference of the payment", Value: page.T(v.PaidWith)}}}}}, nil
}

// billRow is a line beside what was ordered and received.
func billRow(c *page.Ctx, l *payable.Line) []page.Value {
	receipt := page.To(l.Receipt, page.Path("receipts", l.Receipt)).If(l.Receipt != "")
	order := page.To(l.PurchaseOrder, page.Path("purchase-orders", l.PurchaseOrder)).If(l.PurchaseOrder != "")
	if l.Kind != payable.Goods {
		what := c.Say(string(l.Kind))
		if l.Description != "" {
			what += ": " + l.Description
		}
		return []page.Value{page.Count(l.Number), page.T(what), receipt, order, {}, {}, {}, {}, {},
			page.Money(l.Amount, "")}
	}
	return []page.Value{page.Count(l.Number), page.To(l.Item, page.Path("items", l.Item)), receipt, order,
		page.Qty(l.Ordered), page.Qty(l.Received), page.Qty(l.Quantity), page.Money(l.OrderPrice, ""),
		page.Money(l.UnitPrice, ""), page.Money(l.Amount, "")}
}

// difference names in words how a line differs from what was ordered and received.
func difference(c *page.Ctx, v *payable.Invoice, l *payable.Line) string {
	d := l.Differs(v.Digits)
	by := d.Abs().Fixed(v.Digits) + " " + v.CurrencyCode
	said := c.Say("As it was ordered.")
	switch {
	case l.Kind != payable.Goods:
		said = c.Say("This cost was not ordered.")
	case d > 0:
		said = c.Say("The price is higher than ordered: %s more in all.", by)
	case d < 0:
		said = c.Say("The price is lower than ordered: %s less in all.", by)
	}
	if d != 0 && l.IsMatched {
		said += " " + c.Say("The company lets this pass.")
	}
	if l.Kind == payable.Goods && l.Quantity < l.Received {
		said += " " + c.Say("A part of what came in is billed.")
	}
	return said
}

// bookedGrid is what the invoice made of the value of the stock.
func bookedGrid(c *page.Ctx, v payable.Invoice) page.Part {
	grid := page.Grid{Title: "What the differences made of the stock", Heads: []string{"Line", "Item", "Came in at",
		"Billed for", "Difference", "In stock", "Expense", "Taken back"}}
	if v.Status == payable.Waiting || v.Status == payable.Rejected {
		return nil
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		d, expense := l.Dearer(v.BaseDigits), l.Expense(v.BaseDigits)
		if v.Status == payable.Cancelled {
			expense = 0
		}
		if l.Kind != payable.Goods || d == 0 || v.Status == payable.Cancelled && l.InStock == 0 {
			continue
		}
		grid.Rows = append(grid.Rows, []page.Value{page.Count(l.Number), page.T(l.Item),
			page.Cost(l.UnitCost, base(c)), page.Money(l.BaseAmount, base(c)), page.Money(d, base(c)),
			page.Money(l.InStock, base(c)), page.Money(expense, base(c)), page.Money(l.Returned, base(c))})
	}
	return grid.IfAny()
}

// billReceipt leads from a receipt to the invoice of its goods.
func billReceipt(c *page.Ctx, r stock.GoodsReceipt) []page.Go {
	var open dec.Dec
	for _, l := range r.Lines {
		open = open.Add(l.Quantity.Sub(l.Billed))
	}
	if open == 0 || r.Status != stock.ReceiptCompleted || r.Lines[0].PurchaseOrder == "" {
		return nil
	}
	o, err := purchasing.FindOrder(c.Tx, r.Lines[0].PurchaseOrder)
	if err != nil || o.IsSettled {
		return nil
	}
	return []page.Go{{Label: "Register an invoice",
		Path: page.Path("suppliers", o.SupplierNumber, "invoices", "new") + "?receipt=" + r.Number}}
}

// billedGrid is which invoices bill a receipt or an order, nothing where none does.
func billedGrid(bills []payable.Mention) page.Part {
	grid := page.Grid{Title: "Suppliers' invoices", Heads: []string{"Number", "Their number", "Item", "Billed",
		"Billed at", "Amount", "Status"}}
	for _, m := range bills {
		item, quantity := page.T(m.Item), page.Qty(m.Quantity)
		if m.Kind != payable.Goods {
			item, quantity = page.Word(string(m.Kind)), page.None()
		}
		grid.Rows = append(grid.Rows, []page.Value{page.To(m.Invoice, page.Path("supplier-invoices", m.Invoice)),
			page.T(m.Reference), item, quantity, page.Money(m.UnitPrice, ""), page.Money(m.Amount, m.Currency),
			billBadge(m.Status)})
	}
	return grid.IfAny()
}
