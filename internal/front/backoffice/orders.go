package backoffice

import (
	"slices"

	"kontor/internal/business/channel"
	"kontor/internal/business/configuration"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/production"
	"kontor/internal/business/quoting"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var orderBadge = tones[sales.Status]{sales.Placed: page.Calm, sales.Released: page.Warn, sales.Closed: page.Good}.badge

var deliveryBadge = tones[sales.DeliveryStatus]{sales.PartiallyDelivered: page.Warn,
	sales.FullyDelivered: page.Good}.badge

var invoicedBadge = tones[sales.InvoicedStatus]{sales.PartiallyInvoiced: page.Warn,
	sales.FullyInvoiced: page.Good}.badge

// orders are the pages of sales orders.
func orders() []page.Page {
	return append([]page.Page{orderList(), orderRecord(), newOrder(), orderHead(), newOrderLine(), orderLine(),
		orderPayment(), lineDeed("delete", "Line %d is removed.", sales.DeleteLine),
		lineDeed("make", "What line %d misses is being made.", sales.MakeMissing),
		lineDeed("take", "What there is in stock is reserved for line %d.", sales.TakeFromStock)}, lookups()...)
}

// lineDeed does something to a line of an order and goes back to it.
func lineDeed(name, done string, do func(tx *db.Tx, number string, line int) (sales.Order, error)) page.Deed {
	return page.Deed{Path: "/orders/{number}/lines/{line}/" + name, Permission: "sales-orders:write",
		Do: func(c *page.Ctx) (page.Done, error) {
			line, err := lineNumber(c)
			if err != nil {
				return page.Done{}, err
			}
			_, err = do(c.Tx, c.Path("number"), line)
			return page.Went(page.Path("orders", c.Path("number")), done, line), err
		}}
}

func orderList() page.Page {
	return page.List[sales.Order]{Path: "/orders", Latest: true, Own: page.Own("-date"),
		Title: "Orders", Permission: "sales-orders:read", Menu: true,
		Search: "Order number, customer, reference, channel",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(sales.Status("").Values())),
			page.Match("customer", "Customer").Lookup(findCustomers),
			page.ChoiceOf("channel", "Channel", channels.offered), page.From("from", "From"), page.From("to", "To")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[sales.Order], error) {
			return sales.List(c.Tx, sales.Filter{Shown: q.Search, Status: sales.Status(q.Get("status")),
				CustomerNumber: q.Get("customer"), ChannelCode: q.Get("channel"), From: q.Date("from"),
				To: q.Date("to")}, q.Page)
		},
		Href: func(o sales.Order) string { return page.Path("orders", o.Number) },
		Key:  func(o sales.Order) string { return o.Number },
		Bulk: []page.Go{{Label: "Invoice the chosen", Path: "/new/invoices"},
			{Label: "Ship the chosen together", Path: "/new/shipments"}},
		Columns: func(o sales.Order) []page.Column {
			return []page.Column{page.Col("Number", page.T(o.Number)).By("number"),
				page.Minor("Date", page.Day(o.OrderDate)).By("date"),
				page.Col("Customer", page.T(o.CustomerName)).By("customer"),
				page.Minor("Customer's reference", page.T(o.CustomerReference)),
				page.Col("Status", orderBadge(o.Status)).By("status"),
				page.Minor("Delivery", deliveryBadge(o.Delivery)),
				page.Minor("Wanted", page.Day(o.RequestedDeliveryDate)),
				page.Minor("Channel", page.T(o.ChannelName)),
				page.Col("Total", page.Money(o.TotalAmount, o.CurrencyCode)).By("total")}
		},
		New: []page.Go{{Label: "New order", Path: "/new/orders", Primary: true}}}
}

// channels are the choices of a channel.
var channels = func() choices {
	out := chosen("/find/channels", "",
		func(c *page.Ctx, text string, p record.Page) (record.Found[channel.Channel], error) {
			all, err := channel.All(c.Tx)
			return among(all, text, p, channelOption), err
		}, channelOption)
	out.name = naming(channel.Find, func(ch channel.Channel) string { return ch.Name })
	return out
}()

func channelOption(ch channel.Channel) (value, label string) { return ch.Code, named(ch.Code, ch.Name) }

func loadOrder(c *page.Ctx) (sales.Order, error) { return sales.Find(c.Tx, c.Path("number")) }

func orderRecord() page.Page {
	number := func(o sales.Order) string { return o.Number }
	is := func(s ...sales.Status) func(sales.Order) bool {
		return func(o sales.Order) bool { return slices.Contains(s, o.Status) }
	}
	return page.Record[sales.Order]{Path: "/orders/{number}", Permission: "sales-orders:read", Resource: sales.Orders,
		Load: loadOrder,
		Show: withTickets(showOrder, func(o sales.Order) support.Filter {
			return support.Filter{Orders: []string{o.Number}}
		}),
		Actions: []page.Action[sales.Order]{
			{Name: "release", Label: "Release", Tone: page.Primary,
				When: is(sales.Placed), Do: done("The order is released to the warehouse.", sales.Release, number)},
			{Name: "ship", Label: "Ship", Permission: "shipments:write", Tone: page.Primary, When: canShip,
				Do: shipOrder},
			{Name: "invoice", Label: "Invoice", Permission: "invoices:write", When: canBill, Do: billOrder},
			{Name: "cancel", Label: "Cancel the order", Tone: page.Bad, When: is(sales.Placed, sales.Released),
				Confirm: "The order is called off: what is reserved for it is given back, and what was paid goes back to the buyer.",
				Do:      done("The order is cancelled.", sales.Cancel, number)},
			{Name: "close", Label: "Close", When: is(sales.Placed, sales.Released),
				Confirm: "What is not delivered yet is given up. What is delivered can still be invoiced and returned.",
				Do:      done("The order is closed.", sales.Close, number)},
		},
		Edit: func(_ *page.Ctx, o sales.Order) []page.Go {
			return []page.Go{page.Go{Label: "Register a return", Path: "/new/returns?order=" + query(o.Number)}.
				If(o.Delivery != sales.NotDelivered), ticketAbout(o.Number),
				editing("orders", o.Number).If(o.Status.IsOpen())}
		}}
}

// canShip reports whether goods are reserved for a released order and on no shipment yet.
func canShip(o sales.Order) bool {
	if o.Status != sales.Released {
		return false
	}
	return slices.ContainsFunc(o.Lines, func(l sales.Line) bool { return l.Ships() && l.Allocated > l.OnShipment })
}

func canBill(o sales.Order) bool {
	return slices.ContainsFunc(o.Lines, func(l sales.Line) bool { return l.Billable() > 0 })
}

func shipOrder(c *page.Ctx, o sales.Order) (page.Done, error) {
	s, err := shipping.Create(c.Tx, shipping.New{OrderNumbers: []string{o.Number}})
	return page.Went(page.Path("shipments", s.Number), "Shipment %s is made.", s.Number), err
}

func billOrder(c *page.Ctx, o sales.Order) (page.Done, error) {
	i, err := invoicing.FromOrders(c.Tx, []string{o.Number}, c.Tx.Today())
	return page.Went(page.Path("invoices", i.Number), "Invoice %s is made.", i.Number), err
}

func showOrder(c *page.Ctx, o sales.Order) (page.Sheet, error) {
	documents, err := invoicing.Documents(c.Tx, o.InvoiceNumbers)
	if err != nil {
		return page.Sheet{}, err
	}
	open := o.Status == sales.Placed || o.Status == sales.Released
	base := page.Path("orders", o.Number)
	grid := page.Grid{Title: "Lines", Heads: []string{"", "Item", "Quantity", "Price", "Total", "Reserved", "Delivered",
		"Invoiced", ""},
		Foot: []page.Value{{}, page.T(c.Say("Total without tax")), {}, {}, page.Money(o.TotalAmount, ""), {}, {}, {},
			{}}}
	if open {
		grid.Go = []page.Go{{Label: "Add a line", Path: base + "/lines/new"}}
	}
	if grid.Rows, err = orderRows(c, o, open); err != nil {
		return page.Sheet{}, err
	}
	made, err := production.OfOrder(c.Tx, o.ID)
	if err != nil {
		return page.Sheet{}, err
	}
	offered, err := quoting.OfOrder(c.Tx, o.Number)
	if err != nil {
		return page.Sheet{}, err
	}
	facts := page.Facts{Title: "Order", Facts: []page.Fact{
		{Label: "Customer", Value: page.To(o.CustomerName, page.Path("customers", o.CustomerNumber))},
		{Label: "Customer's reference", Value: page.T(o.CustomerReference)}, {Label: "Order date", Value: page.Day(o.OrderDate)},
		{Label: "Wanted", Value: page.Day(o.RequestedDeliveryDate)},
		{Label: "Planned delivery", Value: page.Day(o.PlannedDeliveryDate)},
		{Label: "Order type", Value: page.T(o.OrderTypeName)}, {Label: "Channel", Value: page.T(o.ChannelName)},
		{Label: "Warehouse", Value: page.T(o.WarehouseName)},
		{Label: "Shipping method", Value: page.T(o.ShippingMethodName)},
		{Label: "Payment term", Value: page.T(o.PaymentTermName)},
		{Label: "Delivery term", Value: page.T(o.DeliveryTermName)},
		{Label: "External number", Value: page.T(o.ExternalNumber)},
		{Label: "Shipments", Value: linked("shipments", o.ShipmentNumbers)},
		{Label: "Invoices", Value: linkedInvoices(o.InvoiceNumbers, documents)},
		{Label: "Work orders", Value: linked("work-orders", made).If(c.May("work-orders:read"))},
		{Label: "Quote", Value: page.To(offered, page.Path("quotes", offered)).If(c.May("quotes:read"))}}}
	sums := page.Facts{Title: "Sum", Facts: []page.Fact{
		{Label: "Without tax", Value: page.Money(o.TotalAmount, o.CurrencyCode)},
		{Label: "Tax", Value: page.Money(o.TotalVAT, o.CurrencyCode)},
		{Label: "Total with tax", Value: page.Money(o.TotalIncludingTax(), o.CurrencyCode).Strong()}}}
	paid, err := paidFacts(c, o)
	if err != nil {
		return page.Sheet{}, err
	}
	waits, said, err := approval(c, &o)
	if err != nil {
		return page.Sheet{}, err
	}
	s := page.Sheet{Title: c.Say("Order %s", o.Number), Subtitle: o.CustomerName,
		Badges: append(waits, orderBadge(o.Status), deliveryBadge(o.Delivery), invoicedBadge(o.Invoicing)),
		Parts: []page.Part{page.Noted("Approval", said), grid, page.Noted("Notes to the customer", o.Notes),
			page.Noted("Internal notes", o.InternalNotes)},
		Side: slices.Concat([]page.Part{sums}, paid,
			[]page.Part{facts, page.Note{Title: "Delivery address", Text: address(c, o.DeliveryAddress)}})}
	if o.InvoiceAddress != o.DeliveryAddress {
		s.Side = append(s.Side, page.Note{Title: "Invoice address", Text: address(c, o.InvoiceAddress)})
	}
	return s, nil
}

// orderRow is a line of an order.
func orderRows(c *page.Ctx, o sales.Order, open bool) (rows [][]page.Value, err error) {
	unmade, err := unmadeOf(c, &o)
	if err != nil {
		return nil, err
	}
	chosen, err := sales.Chosen(c.Tx, &o)
	for i := range o.Lines {
		l := &o.Lines[i]
		made := chosen[sales.At{OrderID: o.ID, Line: l.Number}]
		rows = append(rows, orderRow(c, o, l, made, open, unmade[l.Number] > 0))
	}
	return rows, err
}

// unmadeOf is what a released order misses and nobody makes, by line.
func unmadeOf(c *page.Ctx, o *sales.Order) (map[int]dec.Dec, error) {
	var missing []*sales.Line
	for i := range o.Lines {
		if l := &o.Lines[i]; l.Missing() > 0 && o.Status == sales.Released {
			missing = append(missing, l)
		}
	}
	if len(missing) == 0 {
		return nil, nil
	}
	return production.Unmade(c.Tx, o.ID, missing)
}

func orderRow(c *page.Ctx, o sales.Order, l *sales.Line, chosen *configuration.Configuration,
	open, unmade bool) []page.Value {
	path := page.Path("orders", o.Number, "lines", itoa(l.Number))
	item, number := page.T(l.Description), page.Count(l.Number)
	var deeds []page.Value
	if l.Item != "" {
		item = page.Each(page.To(l.Item, page.Path("items", l.Item)), item)
	}
	item = withChoices(c, item, chosen)
	if open && c.May("sales-orders:write") {
		number = page.To(itoa(l.Number), path)
		if l.Delivered == 0 && l.OnShipment == 0 && l.Invoiced == 0 && len(o.Lines) > 1 {
			deeds = append(deeds, page.Post("Remove", path+"/delete"))
		}
		if unmade {
			deeds = append(deeds, page.Post("Make", path+"/make"))
		}
		if l.IsMadeToOrder() && l.Missing() > 0 && (unmade || o.Status == sales.Placed) { // else it is being made
			deeds = append(deeds, page.Post("Take from stock", path+"/take"))
		}
	}
	percent, off := l.DiscountPercent, dec.Dec(0)
	if l.KeepsDiscount {
		percent, off = 0, l.DiscountAmount
	}
	price := linePrice(l.UnitPrice, l.IsPriceIncludingTax, percent, off)
	reserved := page.Qty(l.Allocated)
	if open && l.Ships() && l.Missing() > 0 {
		reserved = reserved.Toned(page.Bad)
	}
	return []page.Value{number, item, page.QtyOf(l.Quantity, l.Unit), price, page.Money(l.LineTotal, ""),
		reserved, page.Qty(l.Delivered), page.Qty(l.Invoiced), page.Each(deeds...)}
}

// linked are documents by number.
func linked(kind string, numbers []string) page.Value {
	return page.Each(each.Of(numbers, func(n string) page.Value { return page.To(n, page.Path(kind, n)) })...)
}
