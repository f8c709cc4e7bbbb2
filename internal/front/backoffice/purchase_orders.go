package backoffice

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/paper"
	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var purchaseBadge = tones[purchasing.OrderStatus]{purchasing.Drafted: page.Calm, purchasing.Sent: page.Warn,
	purchasing.PartiallyConfirmed: page.Warn, purchasing.Confirmed: page.Calm, purchasing.PartiallyReceived: page.Warn,
	purchasing.Received: page.Good, purchasing.Closed: page.Good}.badge

// purchases are the pages of what the company buys.
func purchases() []page.Page {
	return []page.Page{purchaseList(), purchaseRecord(), newPurchase(), purchaseHead(), newPurchaseLine(),
		purchaseLine(), purchaseBackground(), page.Document{Path: "/purchase-orders/{number}/pdf", Permission: "purchase-orders:read",
			Make: printed(loadPurchase, paper.PurchaseFor)}}
}

func loadPurchase(c *page.Ctx) (purchasing.Order, error) {
	return purchasing.FindOrder(c.Tx, c.Path("number"))
}

var purchaseCrumbs = crumbs("Purchase orders", "/purchase-orders", "Purchase order %s", "number")

func purchaseList() page.Page {
	return page.List[purchasing.Order]{Path: "/purchase-orders", Latest: true,
		Own: page.Own("-date"), Title: "Purchase orders", Permission: "purchase-orders:read", Menu: true,
		Search: "Order number, supplier's reference, supplier",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(purchasing.OrderStatus("").Values())),
			page.Match("supplier", "Supplier").Lookup(findSuppliers), page.Choice("due", "Goods", []page.Option{
				{Value: "late", Label: "Late"}, {Value: "today", Label: "To come today"},
				{Value: "open", Label: "To come"}})},
		Find: func(c *page.Ctx, q page.Query) (record.Found[purchasing.Order], error) {
			f := purchasing.OrderFilter{Shown: q.Search, Status: purchasing.OrderStatus(q.Get("status")),
				Supplier: q.Get("supplier"), IsOpen: q.Get("due") != ""}
			switch today := c.Tx.Today(); q.Get("due") {
			case "late":
				f.DueTo = today.AddDays(-1)
			case "today":
				f.DueFrom, f.DueTo = today, today
			}
			return purchasing.ListOrders(c.Tx, f, q.Page)
		},
		Href: func(o purchasing.Order) string { return page.Path("purchase-orders", o.Number) },
		Columns: func(o purchasing.Order) []page.Column {
			return []page.Column{page.Col("Number", page.T(o.Number)).By("number"),
				page.Minor("Date", page.Day(o.OrderDate)).By("date"),
				page.Col("Supplier", page.T(o.SupplierName)).By("supplier"),
				page.Col("Status", purchaseBadge(o.Status)).By("status"),
				page.Minor("Promised", page.Day(o.PromisedDate)),
				page.Minor("Warehouse", warehouses.of(o.WarehouseCode)),
				page.Col("Total", page.Money(o.Total, o.CurrencyCode))}
		},
		New: []page.Go{{Label: "New purchase order", Path: "/new/purchase-orders", Primary: true}}}
}

// bought is a line as a form asks for it.
type bought struct {
	item, description string
	quantity          dec.Dec
	price             *dec.Dec
	expected          day.Date
}

// fields ask for a line; beside is where the item's past is told.
func (l *bought) fields(beside string) []page.Field {
	return []page.Field{page.Code("itemNumber", "Item", &l.item).Lookup(findItems),
		page.Text("description", "Description", &l.description).
			Beside(beside, "itemNumber", "supplierNumber", "warehouseCode"),
		page.Decimal("quantity", "Quantity", &l.quantity).Required(),
		page.Maybe("unitPrice", "Price", &l.price), page.Date("expectedDeliveryDate", "Wanted", &l.expected)}
}

func (l *bought) line() purchasing.NewLine {
	return purchasing.NewLine{Item: l.item, Description: l.description, Quantity: l.quantity, UnitPrice: l.price,
		ExpectedDate: l.expected}
}

// draftPurchase is an order as a form asks for it.
type draftPurchase struct {
	of    purchasing.NewOrder
	lines []bought
}

func headFields(c *page.Ctx, h *purchasing.OrderHead) []page.Field {
	return []page.Field{page.Text("supplierReference", "Supplier's reference", &h.SupplierReference),
		page.Date("orderDate", "Order date", &h.OrderDate),
		page.Date("expectedDeliveryDate", "Wanted", &h.ExpectedDate),
		page.Select("currencyCode", "Currency", &h.CurrencyCode, currencies.offered(c)),
		page.Select("warehouseCode", "Warehouse", &h.WarehouseCode, warehouses.offered(c)),
		page.Prose("notes", "Notes to the supplier", &h.Notes)}
}

func newPurchase() page.Page {
	return page.Form[draftPurchase]{Path: "/new/purchase-orders", Title: "New purchase order",
		Permission: "purchase-orders:write", Settles: true,
		Submit: "Save the draft", Load: func(c *page.Ctx) (draftPurchase, error) {
			return draftPurchase{of: purchasing.NewOrder{
				OrderHead: purchasing.OrderHead{SupplierNumber: c.Query("supplier"), OrderDate: c.Tx.Today()}}}, nil
		},
		Fields: func(c *page.Ctx, d *draftPurchase) []page.Field {
			return []page.Field{page.Code("supplierNumber", "Supplier", &d.of.SupplierNumber).Required().
				Lookup(findSuppliers),
				page.Lines("lines", "Lines", &d.lines, func(l *bought) []page.Field { return l.fields(besidePurchases) }).
					Hint(
						"Without a price the line gets the supplier's. A line without an item is free text with a price."),
				page.Group("What is left empty comes from the supplier, then from the company",
					headFields(c, &d.of.OrderHead)...)}
		},
		Save: page.Made(draftPurchase{}, func(c *page.Ctx, d draftPurchase) (page.Done, error) {
			for i := range d.lines {
				d.of.Lines = append(d.of.Lines, d.lines[i].line())
			}
			o, err := purchasing.CreateOrder(c.Tx, d.of)
			return page.Went(page.Path("purchase-orders", o.Number), "Purchase order %s is saved as a draft.",
				o.Number), err
		})}
}

func purchaseHead() page.Page {
	return page.Form[purchasing.OrderHead]{Path: "/purchase-orders/{number}/edit", Title: "Edit purchase order",
		Permission: "purchase-orders:write", Crumbs: purchaseCrumbs,
		Resource: purchasing.PurchaseOrders, Load: func(c *page.Ctx) (purchasing.OrderHead, error) {
			o, err := loadPurchase(c)
			return o.OrderHead, err
		},
		Fields: func(c *page.Ctx, h *purchasing.OrderHead) []page.Field {
			return append([]page.Field{page.Code("supplierNumber", "Supplier", &h.SupplierNumber).Required().
				Lookup(findSuppliers)},
				headFields(c, h)...)
		},
		Save: page.Changed("number", purchasing.ChangeOrder)}
}

func newPurchaseLine() page.Page {
	return page.Form[bought]{Path: "/purchase-orders/{number}/lines/new", Title: "Add a line",
		Permission: "purchase-orders:write", Settles: true, Crumbs: purchaseCrumbs,
		Fields: func(c *page.Ctx, l *bought) []page.Field {
			return l.fields(besideOrder(c.Path("number")))
		},
		Save: page.Made(bought{}, func(c *page.Ctx, l bought) (page.Done, error) {
			_, line, err := purchasing.AddOrderLine(c.Tx, c.Path("number"), l.line())
			return page.Did("Line %d is added.", line.Number), err
		})}
}

func purchaseLine() page.Page {
	return page.Form[purchasing.LineChange]{Path: "/purchase-orders/{number}/lines/{line}", Title: "Edit line",
		Permission: "purchase-orders:write", Crumbs: purchaseCrumbs,
		Of: func(c *page.Ctx, _ purchasing.LineChange) (page.Origin, error) {
			o, err := loadPurchase(c)
			return page.Origin{Resource: purchasing.PurchaseOrders, Root: o.Root}, err
		},
		Load: func(c *page.Ctx) (purchasing.LineChange, error) {
			n, err := lineNumber(c)
			if err != nil {
				return purchasing.LineChange{}, err
			}
			o, err := loadPurchase(c)
			if err != nil {
				return purchasing.LineChange{}, err
			}
			l := o.Line(n)
			if l == nil {
				return purchasing.LineChange{}, purchasing.ErrLineNotFound.Because("purchase order %s has no line %d",
					o.Number, n)
			}
			return l.Change(), nil
		},
		Fields: func(_ *page.Ctx, l *purchasing.LineChange) []page.Field {
			return []page.Field{page.Decimal("quantity", "Quantity", &l.Quantity).Required(),
				page.Maybe("unitPrice", "Price", &l.UnitPrice).Hint("Empty: the supplier's price."),
				page.Text("description", "Description", &l.Description).Wide(),
				page.Date("expectedDeliveryDate", "Wanted", &l.ExpectedDate)}
		},
		Save: func(c *page.Ctx, lay func(*purchasing.LineChange) error) (page.Done, error) {
			n, err := lineNumber(c)
			if err != nil {
				return page.Done{}, err
			}
			_, _, err = purchasing.ChangeOrderLine(c.Tx, c.Path("number"), n, lay)
			return page.Did("Saved."), err
		}}
}

var purchaseMay = allowed(purchasing.OrderMoves, func(o purchasing.Order) purchasing.OrderStatus { return o.Status })

func purchaseRecord() page.Page {
	said := sayer(purchaseMay, func(o purchasing.Order) string { return o.Number })
	send := said("send", "Send", "The order is sent.", page.Primary, purchasing.SendOrder)
	send.Confirm = "The supplier gets the order by mail, as PDF. Without an address for orders nobody is written to."
	do := send.Do
	send = page.Ask(send, func(c *page.Ctx, o purchasing.Order) (string, error) {
		s, err := purchasing.FindSupplier(c.Tx, o.SupplierNumber)
		return s.OrderEmail, err
	}, func(_ *page.Ctx, _ purchasing.Order, to *string) []page.Field {
		return []page.Field{page.Email("purchaseOrderEmail", "E-mail for purchase orders", to).Fixed()}
	}, func(c *page.Ctx, o purchasing.Order, _ string) (page.Done, error) { return do(c, o) })
	shut := said("close", "Close", "The order is closed.", page.Bad, purchasing.CloseOrder)
	shut.Confirm = "What is outstanding is given up."
	cancel := said("cancel", "Cancel the order", "The order is cancelled.", page.Bad, purchasing.CancelOrder)
	cancel.Confirm = "Nothing of it is expected any more."
	remove := page.Action[purchasing.Order]{Name: "delete", Label: "Delete the draft", Tone: page.Bad,
		When:    purchaseMay("delete"),
		Confirm: "The draft is gone for good.", Do: func(c *page.Ctx, o purchasing.Order) (page.Done, error) {
			return page.Went("/purchase-orders", "Purchase order %s is deleted.", o.Number),
				purchasing.DeleteOrder(c.Tx, o.Number)
		}}
	return page.Record[purchasing.Order]{Path: "/purchase-orders/{number}", Permission: "purchase-orders:read",
		Resource: purchasing.PurchaseOrders, Load: loadPurchase,
		Show: showPurchase, Actions: []page.Action[purchasing.Order]{send, confirmPurchase(), receivePurchase(), shut,
			cancel, remove},
		Edit: func(_ *page.Ctx, o purchasing.Order) []page.Go {
			at := page.Path("purchase-orders", o.Number)
			return []page.Go{{Label: "Print as PDF", Path: at + "/pdf"},
				page.Go{Label: "Add a line", Path: at + "/lines/new"}.If(purchaseMay("change lines")(o)),
				editing("purchase-orders", o.Number).If(purchaseMay("change")(o))}
		}}
}

// promise is what a supplier answers, as a form asks for it.
type promise struct {
	on    day.Date
	lines []promisedLine
}

type promisedLine struct {
	line     int
	item     string
	name     string
	quantity dec.Dec
	on       day.Date
	price    *dec.Dec
}

func confirmPurchase() page.Action[purchasing.Order] {
	a := page.Action[purchasing.Order]{Name: "confirm", Label: "Confirm", When: purchaseMay("confirm"),
		Confirm: "What the supplier promises. It may be said again until the first goods come."}
	return page.Ask(a,
		func(_ *page.Ctx, o purchasing.Order) (promise, error) {
			p := promise{on: o.PromisedDate}
			for _, l := range o.Lines {
				p.lines = append(p.lines, promisedLine{line: l.Number, item: l.Item, name: l.Description,
					quantity: l.Quantity, on: l.ConfirmedDate, price: &l.UnitPrice})
			}
			return p, nil
		},
		func(_ *page.Ctx, _ purchasing.Order, p *promise) []page.Field {
			return []page.Field{page.Date("promisedDeliveryDate", "Promised", &p.on),
				page.Lines("lines", "Lines", &p.lines, func(l *promisedLine) []page.Field {
					return []page.Field{page.Mark("lineNumber", &l.line),
						page.Text("itemNumber", "Item", &l.item).Fixed().At("lineNumber"),
						page.Text("description", "Description", &l.name).Fixed(),
						page.Decimal("confirmedQuantity", "Quantity", &l.quantity),
						page.Date("confirmedDate", "Promised", &l.on), page.Maybe("unitPrice", "Price", &l.price)}
				}).Closed()}
		},
		func(c *page.Ctx, o purchasing.Order, p promise) (page.Done, error) {
			in := purchasing.Confirmation{PromisedDate: p.on}
			for _, l := range p.lines {
				in.Lines = append(in.Lines, purchasing.ConfirmedLine{Line: l.line, Quantity: l.quantity, Date: l.on,
					UnitPrice: l.price})
			}
			_, err := purchasing.ConfirmOrder(c.Tx, o.Number, in)
			return page.Did("The confirmation is recorded."), err
		})
}

// came is what came of a line, as a form asks for it.
type came struct {
	carried
	expiry   day.Date
	tracking catalog.TrackingType
}

func receivePurchase() page.Action[purchasing.Order] {
	a := page.Action[purchasing.Order]{Name: "receive", Label: "Receive",
		Tone: page.Primary, When: func(o purchasing.Order) bool {
			return o.Status != purchasing.Received && purchaseMay("receive")(o)
		},
		Confirm: "Count up what came; a row left at nothing did not come. Serial numbers stand one after another, with spaces or commas between."}
	return page.Ask(a,
		func(c *page.Ctx, o purchasing.Order) (out []came, err error) {
			var numbers []string
			for _, l := range o.Lines {
				if l.IsGoods && l.Outstanding() > 0 {
					row := carried{line: l.Number, item: l.Item,
						what: sayPart(c, l.Description, l.Outstanding(), l.Unit)}
					out, numbers = append(out, came{carried: row}), append(numbers, l.Item)
				}
			}
			items, err := catalog.FindMany(c.Tx, numbers)
			for i := range out {
				out[i].tracking = items[record.Fold(out[i].item)].Tracking
			}
			return out, err
		},
		func(c *page.Ctx, o purchasing.Order, v *[]came) []page.Field {
			places := locations(c, o.WarehouseCode)
			batch := slices.ContainsFunc(*v, func(l came) bool { return l.tracking.Batches() })
			serial := slices.ContainsFunc(*v, func(l came) bool { return l.tracking.Serials() })
			return []page.Field{scanItem(c), page.Lines("lines", "Lines", v, func(l *came) []page.Field {
				fields := []page.Field{page.Mark("lineNumber", &l.line),
					itemOf(&l.item, l.what), page.Decimal("quantity", "Quantity", &l.quantity),
					page.Select("locationCode", "Location", &l.location, places)}
				if batch {
					fields = append(fields, page.Code("batchNumber", "Batch", &l.batch),
						page.Date("expiryDate", "Expires", &l.expiry))
				}
				if serial {
					fields = append(fields, page.Text("serialNumbers", "Serial numbers", &l.serials))
				}
				return fields
			}).Required().NoSpare()}
		},
		func(c *page.Ctx, o purchasing.Order, rows []came) (page.Done, error) {
			d, err := delivery(o, rows)
			if err != nil {
				return page.Done{}, err
			}
			_, r, err := purchasing.ReceiveOrder(c.Tx, o.Number, d)
			return page.Went(page.Path("receipts", r.Number), "Receipt %s is booked.", r.Number), err
		})
}

// scanItem counts up the row of the item that is scanned, by what the scanned unit holds.
func scanItem(c *page.Ctx) page.Field {
	return page.Scan("Scan a bar code", "lines", "itemNumber", "quantity", func(code string) (string, dec.Dec, error) {
		i, each, err := catalog.Scanned(c.Tx, code)
		return i.Number, each, err
	})
}

// delivery is what rows of the form say came.
func delivery(o purchasing.Order, rows []came) (d purchasing.Delivery, err error) {
	open := slices.DeleteFunc(slices.Clone(o.Lines),
		func(l purchasing.OrderLine) bool { return !l.IsGoods || l.Outstanding() <= 0 })
	for i, l := range rows {
		if l.quantity == 0 {
			continue
		}
		line, err := lineOf(i, l.line, l.item, open,
			func(x *purchasing.OrderLine) (int, string) { return x.Number, x.Item })
		if err != nil {
			return d, err
		}
		d.Arrived = append(d.Arrived, purchasing.Arrival{Field: "lines[" + itoa(i) + "].", Line: line,
			Quantity: l.quantity, Location: l.location, Batch: l.batch, Serials: serialsIn(l.serials),
			Expiry: l.expiry})
	}
	if len(d.Arrived) == 0 {
		return d, page.Refusal("lines", "enter what came of at least one line")
	}
	return d, nil
}

func showPurchase(c *page.Ctx, o purchasing.Order) (page.Sheet, error) {
	bills, err := payable.OfOrder(c.Tx, o.Number)
	if err != nil {
		return page.Sheet{}, err
	}
	grid := purchaseGrid(c, o, bills)
	if o.Status == purchasing.Drafted {
		if grid, err = draftGrid(c, o); err != nil {
			return page.Sheet{}, err
		}
	}
	receipts, err := receiptsOf(c, stock.ReceiptFilter{PurchaseOrder: o.Number})
	return page.Sheet{Title: c.Say("Purchase order %s", o.Number), Subtitle: o.SupplierName,
		Badges: []page.Value{purchaseBadge(o.Status)},
		Parts:  []page.Part{grid, page.Noted("Notes to the supplier", o.Notes), receipts, billedGrid(bills)},
		Side: []page.Part{page.Facts{Title: "Purchase order",
			Facts: []page.Fact{
				{Label: "Supplier", Value: page.To(o.SupplierName, page.Path("suppliers", o.SupplierNumber))},
				{Label: "Supplier's reference", Value: page.T(o.SupplierReference)},
				{Label: "Order date", Value: page.Day(o.OrderDate)}, {Label: "Wanted", Value: page.Day(o.ExpectedDate)},
				{Label: "Promised", Value: page.Day(o.PromisedDate)},
				{Label: "Warehouse", Value: warehouses.called(c, o.WarehouseCode)},
				{Label: "Without tax", Value: page.Money(o.Total, o.CurrencyCode)}}}}}, err
}
