package backoffice

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var returnBadge = tones[returns.Status]{returns.Draft: page.Calm, returns.Approved: page.Warn,
	returns.Received: page.Warn, returns.CreditNoted: page.Calm, returns.Closed: page.Good}.badge

// goodsBack are the pages of what customers send back.
func goodsBack() []page.Page {
	return []page.Page{returnList(), returnRecord(), newReturn(),
		page.Form[returns.Return]{Path: "/returns/{number}/edit", Title: "Edit return", Permission: "returns:write",
			Resource: returns.Returns,
			Back:     func(c *page.Ctx) string { return page.Path("returns", c.Path("number")) }, Load: loadReturn,
			Fields: func(_ *page.Ctx, r *returns.Return) []page.Field {
				return []page.Field{page.Code("rmaNumber", "RMA number", &r.RMANumber),
					page.OneOf("reason", "Reason", &r.Reason).Required(),
					page.Prose("externalNotes", "Notes to the customer", &r.ExternalNotes),
					page.Prose("internalNotes", "Internal notes", &r.InternalNotes)}
			},
			Save: page.Changed("number", returns.Change)}}
}

func loadReturn(c *page.Ctx) (returns.Return, error) { return returns.Find(c.Tx, c.Path("number")) }

func returnList() page.Page {
	return page.List[returns.Return]{Path: "/returns", Latest: true, Own: page.Own("number"),
		Title: "Returns", Permission: "returns:read", Menu: true, Search: "Return, RMA or order number, customer",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(returns.Status("").Values())),
			page.Match("customer", "Customer").Lookup(findCustomers), page.Match("order", "Order")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[returns.Return], error) {
			return returns.List(c.Tx, returns.Filter{Shown: q.Search, Status: returns.Status(q.Get("status")),
				Order: q.Get("order"), Customer: q.Get("customer")}, q.Page)
		},
		Href: func(r returns.Return) string { return page.Path("returns", r.Number) },
		Columns: func(r returns.Return) []page.Column {
			return []page.Column{page.Col("Number", page.T(r.Number)).By("number"),
				page.Minor("Date", page.Day(r.ReturnDate)).By("date"),
				page.Col("Order", page.To(r.OrderNumber, page.Path("orders", r.OrderNumber))),
				page.Minor("Customer", page.T(r.CustomerNumber)).By("customer"),
				page.Col("Status", returnBadge(r.Status)).By("status"),
				page.Minor("Reason", page.Word(page.Words(string(r.Reason)))),
				page.Minor("RMA number", page.T(r.RMANumber)),
				page.Col("Total", page.Money(r.TotalAmount, r.CurrencyCode))}
		},
		New: []page.Go{{Label: "Register a return", Path: "/new/returns", Primary: true}}}
}

// draftReturn is a return as a form asks for it.
type draftReturn struct {
	of    returns.New
	lines []draftBack
}

type draftBack struct {
	line             int
	item, what       string
	quantity         dec.Dec
	condition, notes string
}

func newReturn() page.Page {
	return page.Form[draftReturn]{Path: "/new/returns", Title: "Register a return", Permission: "returns:write",
		Settles: true, Submit: "Register",
		Load: func(c *page.Ctx) (draftReturn, error) {
			d := draftReturn{of: returns.New{OrderNumber: c.Query("order"), Reason: returns.CustomerRemorse,
				ReturnDate: c.Tx.Today()}}
			if d.of.OrderNumber == "" {
				return d, nil
			}
			o, err := sales.Find(c.Tx, d.of.OrderNumber)
			for i := range o.Lines {
				if l := &o.Lines[i]; l.Delivered > l.Returned {
					d.lines = append(d.lines, draftBack{line: l.Number, item: l.Item, what: l.Description,
						quantity: l.Delivered.Sub(l.Returned)})
				}
			}
			return d, err
		},
		Fields: func(c *page.Ctx, d *draftReturn) []page.Field {
			return []page.Field{page.Code("orderNumber", "Order", &d.of.OrderNumber).Required(),
				page.OneOf("reason", "Reason", &d.of.Reason).Required(),
				page.Date("returnDate", "Date", &d.of.ReturnDate),
				page.Code("rmaNumber", "RMA number", &d.of.RMANumber),
				page.Select("warehouseCode", "Warehouse", &d.of.WarehouseCode, warehouses.offered(c)),
				page.Lines("lines", "Lines", &d.lines, func(l *draftBack) []page.Field {
					return []page.Field{page.Number("orderLine", "Order line", &l.line).At("orderLineNumber").Max(5),
						itemOf(&l.item, l.what), page.Decimal("quantity", "Quantity", &l.quantity),
						page.Text("condition", "Condition", &l.condition), page.Text("notes", "Notes", &l.notes)}
				}).
					Hint(
						"No lines: everything delivered that has not come back. Condition Scrap is thrown away on receipt."),
				page.Prose("externalNotes", "Notes to the customer", &d.of.ExternalNotes),
				page.Prose("internalNotes", "Internal notes", &d.of.InternalNotes)}
		},
		Save: page.Made(draftReturn{}, func(c *page.Ctx, d draftReturn) (page.Done, error) {
			for _, l := range d.lines {
				if l.quantity != 0 {
					d.of.Lines = append(d.of.Lines, returns.NewLine{OrderLine: l.line, Quantity: l.quantity,
						Condition: l.condition, Notes: l.notes})
				}
			}
			if len(d.lines) > 0 && len(d.of.Lines) == 0 {
				return page.Done{}, page.Refusal("lines", "enter how much comes back of at least one line")
			}
			r, err := returns.Create(c.Tx, d.of)
			return page.Went(page.Path("returns", r.Number), "Return %s is registered.", r.Number), err
		})}
}

func returnRecord() page.Page {
	may := allowed(returns.Moves, func(r returns.Return) returns.Status { return r.Status })
	said := sayer(may, func(r returns.Return) string { return r.Number })
	credit := said("credit", "Credit", "", page.Primary, returns.Credit)
	credit.Permission = "invoices:write"
	credit.Do = func(c *page.Ctx, r returns.Return) (page.Done, error) {
		after, err := returns.Credit(c.Tx, r.Number)
		if after.Status == returns.Closed {
			return page.Did("Nothing of it had been invoiced: the return is closed."), err
		}
		return page.Did("The return is credited. Its money goes back once the credit note is booked."), err
	}
	cancel := said("cancel", "Cancel the return", "The return is cancelled.", page.Bad, returns.Cancel)
	cancel.Confirm = "What it announced may be returned by another."
	return page.Record[returns.Return]{Path: "/returns/{number}", Permission: "returns:read", Resource: returns.Returns,
		Load: loadReturn,
		Show: withTickets(showReturn, func(r returns.Return) support.Filter {
			return support.Filter{Orders: []string{r.OrderNumber}}
		}),
		Actions: []page.Action[returns.Return]{said("approve", "Approve", "The return is approved.", page.Primary,
			returns.Approve), receive(may("receive")), credit, cancel},
		Edit: func(_ *page.Ctx, r returns.Return) []page.Go {
			return []page.Go{ticketAbout(r.OrderNumber),
				editing("returns", r.Number).If(may("change")(r))}
		}}
}

// arrived is what came back of a line, as a form asks for it.
type arrived struct {
	carried
	condition string
}

func receive(may func(returns.Return) bool) page.Action[returns.Return] {
	a := page.Action[returns.Return]{Name: "receive", Label: "Receive", Tone: page.Primary, When: may,
		Confirm: "What came back goes into stock at the cost it left with. A row left at nothing did not come."}
	return page.Ask(a,
		func(c *page.Ctx, r returns.Return) ([]arrived, error) {
			var out []arrived
			for _, l := range r.Lines {
				out = append(out, arrived{carried{line: l.Number, item: l.Item, quantity: l.Registered,
					what: sayPart(c, l.ItemName, l.Registered, l.Unit)}, l.Condition})
			}
			return out, nil
		},
		func(c *page.Ctx, r returns.Return, v *[]arrived) []page.Field {
			places := locations(c, r.WarehouseCode)
			return []page.Field{page.Lines("lines", "Lines", v, func(l *arrived) []page.Field {
				return []page.Field{page.Mark("lineNumber", &l.line), itemOf(&l.item, l.what),
					page.Decimal("quantity", "Quantity", &l.quantity),
					page.Select("location", "Location", &l.location, places).At("locationCode"),
					page.Text("condition", "Condition", &l.condition), page.Code("batchNumber", "Batch", &l.batch),
					page.Text("serialNumbers", "Serial numbers",
						&l.serials)}
			}).Required().NoSpare()}
		},
		func(c *page.Ctx, r returns.Return, rows []arrived) (page.Done, error) {
			var out []returns.Arrival
			var from []int
			for i, l := range rows {
				if l.quantity != 0 {
					line, err := lineOf(i, l.line, l.item, r.Lines,
						func(x *returns.Line) (int, string) { return x.Number, x.Item })
					if err != nil {
						return page.Done{}, err
					}
					out, from = append(out, returns.Arrival{Line: line, Quantity: l.quantity, Location: l.location,
						Condition: l.condition, Batch: l.batch, Serials: serialsIn(l.serials)}), append(from, i)
				}
			}
			if len(out) == 0 {
				return page.Done{}, page.Refusal("lines", "enter what came back of at least one line")
			}
			_, err := returns.Receive(c.Tx, r.Number, out)
			return page.Did("The goods are received."), rowsAt(err, from)
		})
}

// creditsOf are the credit notes of a return.
func creditsOf(c *page.Ctx, r returns.Return) (page.Value, error) {
	found, err := invoicing.List(c.Tx, invoicing.Filter{Return: r.Number}, record.Page{Number: 1, Size: 20})
	links := each.Of(found.Items,
		func(n invoicing.Invoice) page.Value { return page.To(n.Document(), page.Path("invoices", n.Number)) })
	return page.Each(links...), err
}

func showReturn(c *page.Ctx, r returns.Return) (page.Sheet, error) {
	credits, err := creditsOf(c, r)
	if err != nil {
		return page.Sheet{}, err
	}
	grid := page.Grid{Title: "Lines", Heads: []string{"Order line", "Item", "Name", "Announced", "Quantity",
		"Condition", "Price", "Total"},
		Foot: []page.Value{page.T(c.Say("Total without tax")), {}, {}, {}, {}, {}, {}, page.Money(r.TotalAmount, "")}}
	for _, l := range r.Lines {
		grid.Rows = append(grid.Rows, []page.Value{page.Count(l.OrderLine), page.To(l.Item, page.Path("items", l.Item)),
			page.T(l.ItemName), page.QtyOf(l.Registered, l.Unit), page.QtyOf(l.Quantity, l.Unit), page.T(l.Condition),
			linePrice(l.UnitPrice, l.IsPriceIncludingTax, l.DiscountPercent, l.DiscountAmount),
			page.Money(l.LineTotal, "")})
	}
	return page.Sheet{Title: c.Say("Return %s", r.Number), Subtitle: c.Say(page.Words(string(r.Reason))),
		Badges: []page.Value{returnBadge(r.Status)},
		Parts: []page.Part{grid, page.Noted("Notes to the customer", r.ExternalNotes),
			page.Noted("Internal notes", r.InternalNotes)},
		Side: []page.Part{page.Facts{Title: "Return", Facts: []page.Fact{
			{Label: "Order", Value: page.To(r.OrderNumber, page.Path("orders", r.OrderNumber))},
			{Label: "Customer", Value: customerCalled(c, r.CustomerNumber)},
			{Label: "RMA number", Value: page.T(r.RMANumber)}, {Label: "Date", Value: page.Day(r.ReturnDate)},
			{Label: "Received", Value: page.Day(r.ReceivedDate)},
			{Label: "Warehouse", Value: warehouses.called(c, r.WarehouseCode)},
			{Label: "Without tax", Value: page.Money(r.TotalAmount, r.CurrencyCode)},
			{Label: "Tax", Value: page.Money(r.TotalVAT, r.CurrencyCode)}, {Label: "Credit note", Value: credits}}}}}, nil
}
