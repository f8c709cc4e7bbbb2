package backoffice

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/shipping"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

func shipmentBadge(s shipping.Status) page.Value {
	tone := page.Calm
	switch s {
	case shipping.Delivered:
		tone = page.Good
	case shipping.Failed:
		tone = page.Bad
	case shipping.Hold, shipping.Picking, shipping.Packing:
		tone = page.Warn
	case shipping.Cancelled:
		tone = page.Plain
	}
	return page.Badge(shipmentStatus(s), tone)
}

// shipmentStatus is a status by the name that people read: an invoice is booked as well, which is something else.
func shipmentStatus(s shipping.Status) shipping.Status {
	if s == shipping.Booked {
		return "CarrierBooked"
	}
	return s
}

func shipmentStatuses() []page.Option {
	options := page.Options(shipping.Status("").Values())
	for i := range options {
		options[i].Label = page.Words(string(shipmentStatus(shipping.Status(options[i].Value))))
	}
	return options
}

// shipments are the pages of shipments, with the whole way from release to delivery.
func shipments() []page.Page {
	back := func(c *page.Ctx) string { return page.Path("shipments", c.Path("number")) }
	return []page.Page{
		shipmentList(), shipmentRecord(),
		page.Form[shipping.New]{Path: "/new/shipments", Title: "Ship together", Permission: "shipments:write",
			Settles: true, Submit: "Make the shipment",
			Lead: "Orders of one customer, to one address, travel together. What is reserved for them is taken.",
			Load: func(c *page.Ctx) (shipping.New, error) { return shipping.New{OrderNumbers: c.Chosen()}, nil },
			Fields: func(c *page.Ctx, n *shipping.New) []page.Field {
				return []page.Field{page.Items("orderNumbers", "Orders, one a line", &n.OrderNumbers).Required(),
					page.Select("shippingMethodCode", "Shipping method", &n.MethodCode, shippingMethods.offered(c)),
					page.Prose("notes", "Notes", &n.Notes)}
			},
			Save: page.Made(shipping.New{}, func(c *page.Ctx, n shipping.New) (page.Done, error) {
				s, err := shipping.Create(c.Tx, n)
				return page.Went(page.Path("shipments", s.Number), "Shipment %s is made.", s.Number), err
			})},
		page.Form[shipping.Shipment]{Path: "/shipments/{number}/edit", Title: "Edit shipment",
			Permission: "shipments:write", Back: back, Resource: shipping.Shipments, Load: loadShipment,
			Fields: func(c *page.Ctx, s *shipping.Shipment) []page.Field {
				return []page.Field{page.Select("shippingMethodCode", "Shipping method", &s.ShippingMethodCode,
					shippingMethods.offered(c)).Required(),
					page.Date("plannedShipDate", "Planned to leave", &s.PlannedShipDate),
					page.Date("requestedDeliveryDate", "Wanted", &s.RequestedDeliveryDate),
					page.Text("goodsLabel", "Goods label", &s.GoodsLabel),
					page.Code("incotermsCode", "Incoterms", &s.IncotermsCode).Suggest(incoterms(c)),
					page.Prose("notes", "Notes", &s.Notes)}
			},
			Save: page.Changed("number", shipping.Change)},
		page.Document{Path: "/shipments/{number}/note", Permission: "shipments:read",
			Make: printed(loadShipment, deliveryNote)},
		page.Deed{Path: "/shipments/{number}/packages/{package}/delete", Permission: "shipments:write",
			Do: func(c *page.Ctx) (page.Done, error) {
				n, err := packageNumber(c)
				if err == nil {
					_, err = shipping.RemovePackage(c.Tx, c.Path("number"), n)
				}
				return page.Went(back(c), "The package is removed."), err
			}},
	}
}

func shipmentNumber(s shipping.Shipment) string { return s.Number }

func loadShipment(c *page.Ctx) (shipping.Shipment, error) {
	return shipping.Find(c.Tx, c.Path("number"))
}

func shipmentList() page.Page {
	return page.List[shipping.Shipment]{Path: "/shipments", Latest: true, Own: page.Own("number"),
		Title: "Shipments", Permission: "shipments:read", Menu: true,
		Search: "Shipment, order or tracking number, receiver, customer",
		Filters: []page.Filter{page.Choice("status", "Status", shipmentStatuses()),
			page.ChoiceOf("warehouse", "Warehouse", warehouses.offered), page.Match("order", "Order")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[shipping.Shipment], error) {
			return shipping.List(c.Tx, shipping.Filter{Shown: q.Search, Status: shipping.Status(q.Get("status")),
				Warehouse: q.Get("warehouse"), Order: q.Get("order")}, q.Page)
		},
		Href: func(s shipping.Shipment) string { return page.Path("shipments", s.Number) },
		Columns: func(s shipping.Shipment) []page.Column {
			return []page.Column{page.Col("Number", page.T(s.Number)).By("number"),
				page.Col("Status", shipmentBadge(s.Status)).By("status"),
				page.Col("To", page.T(recipient(s))),
				page.Minor("Orders", linked("orders", s.OrderNumbers())),
				page.Minor("Warehouse", warehouses.of(s.WarehouseCode)),
				page.Minor("Shipping method", page.T(s.ShippingMethodName)),
				page.Minor("Wanted", page.Day(s.RequestedDeliveryDate)),
				page.Minor("Left", page.At(s.ShippedDate)),
				page.Minor("Tracking number", page.T(s.TrackingNumber).Linked(s.TrackingURL))}
		}}
}

func recipient(s shipping.Shipment) string {
	name := cmp.Or(s.DeliveryAddress.Name, s.CustomerNumber)
	if s.DeliveryAddress.City != "" {
		name += ", " + s.DeliveryAddress.City
	}
	return name
}

// editing is the button to the form that edits a record, at its path.
func editing(record ...string) page.Go {
	return page.Go{Label: "Edit", Path: page.Path(append(record, "edit")...)}
}

// onlyEdit are the buttons of a record of which there is nothing to be done but to edit it.
func onlyEdit(record ...string) []page.Go {
	g := editing(record...)
	g.Primary = true
	return []page.Go{g}
}

// allows says whether a verb may be said in a record's present status.
func allows[T any, S ~string](moves lifecycle.Moves[S], verb string, status func(T) S) func(T) bool {
	return func(t T) bool { return slices.Contains(moves.Allowed(status(t)), verb) }
}

// allowed is allows for any verb.
func allowed[T any, S ~string](moves lifecycle.Moves[S], status func(T) S) func(verb string) func(T) bool {
	return func(verb string) func(T) bool { return allows(moves, verb, status) }
}

// sayer makes the actions that say a verb of a record's lifecycle, by its number, and tell that it is done.
func sayer[T any](may func(verb string) func(T) bool, number func(T) string) func(verb, label,
	say string, tone page.Tone, do func(*db.Tx, string) (T, error)) page.Action[T] {
	return func(verb, label, say string, tone page.Tone, do func(*db.Tx, string) (T, error)) page.Action[T] {
		return page.Action[T]{Name: strings.ReplaceAll(verb, " ", "-"), Label: label, Tone: tone,
			When: may(verb), Do: done(say, do, number)}
	}
}

func shipmentRecord() page.Page {
	may := allowed(shipping.Moves, func(s shipping.Shipment) shipping.Status { return s.Status })
	said := sayer(may, shipmentNumber)
	cancel := said("cancel", "Cancel the shipment", "The shipment is cancelled.", page.Bad, shipping.Cancel)
	cancel.Confirm = "What it holds stays reserved for its orders and can be shipped again."
	back := said("take-back", "Take back", "The goods are back in stock.", page.Bad, shipping.TakeBack)
	back.Confirm = "The goods go back into stock, the orders owe them again, and what was invoiced of them is credited."
	return page.Record[shipping.Shipment]{Path: "/shipments/{number}", Permission: "shipments:read",
		Resource: shipping.Shipments, Load: loadShipment,
		Show: withTickets(showShipment, func(s shipping.Shipment) support.Filter {
			return support.Filter{Orders: s.OrderNumbers()}
		}),
		Actions: []page.Action[shipping.Shipment]{
			pickAll(may("pick")), pickSome(may("pick")), packAction(may("pack")), bookAction(bookable(may("book"))),
			handOver(may("hand-over")), said("deliver", "Delivered", "The shipment is delivered.", page.Primary,
				func(tx *db.Tx, n string) (shipping.Shipment, error) { return shipping.Deliver(tx, n, 0) }),
			said("fail", "Delivery failed", "The failure is noted.", page.Bad, shipping.Fail),
			said("send-again", "Send again", "The shipment is under way again.", page.Primary, shipping.SendAgain),
			back, said("hold", "Put on hold", "The shipment is held.", page.Plain, shipping.Pause),
			said("unhold", "Let go on", "The shipment goes on.", page.Primary, shipping.Resume),
			addPackage(may("change packages")), cancel,
		},
		Edit: func(_ *page.Ctx, s shipping.Shipment) []page.Go {
			out := []page.Go{{Label: "Delivery note", Path: page.Path("shipments", s.Number, "note")}}
			if orders := s.OrderNumbers(); len(orders) > 0 {
				out = append(out, ticketAbout(orders[0]))
			}
			return append(out, editing("shipments", s.Number).If(may("change")(s)))
		}}
}

// bookable keeps the booking of a carrier from goods that the customer fetches.
func bookable(may func(shipping.Shipment) bool) func(shipping.Shipment) bool {
	return func(s shipping.Shipment) bool { return !s.IsPickup && may(s) }
}

// shipmentLines are what a shipment is to hold, and where a picker finds what is not picked yet.
func shipmentLines(c *page.Ctx, s *shipping.Shipment) (page.Grid, error) {
	lines := page.Grid{Title: "Lines", Heads: []string{"Order", "Item", "Name", "Quantity", "Picked so far",
		"Tracking"}}
	var from [][]string
	if slices.Contains(shipping.Moves.Allowed(s.Status), "pick") {
		var err error
		if from, err = s.TakenFrom(c.Tx); err != nil {
			return lines, err
		}
		lines.Heads = slices.Insert(lines.Heads, 0, "Pick from") // first: who picks looks on a phone
	}
	for i := range s.Lines {
		l := &s.Lines[i]
		picked := page.QtyOf(l.Picked, l.Unit)
		if l.Picked < l.Quantity {
			picked = picked.Toned(page.Warn)
		}
		tracking := page.Badge(l.Tracking, page.Plain).If(l.Tracking != "None" && l.Tracking != "")
		row := []page.Value{page.To(l.OrderNumber, page.Path("orders", l.OrderNumber)),
			page.To(l.Item, page.Path("items", l.Item)), page.T(l.ItemName), page.QtyOf(l.Quantity, l.Unit), picked,
			tracking}
		if from != nil {
			row = slices.Insert(row, 0, page.T(strings.Join(from[i], ", ")))
		}
		lines.Rows = append(lines.Rows, row)
	}
	return lines, nil
}

func showShipment(c *page.Ctx, s shipping.Shipment) (page.Sheet, error) {
	lines, err := shipmentLines(c, &s)
	if err != nil {
		return page.Sheet{}, err
	}
	packages := page.Grid{Title: "Packages", Heads: []string{"", "Tracking number", "Weight", "Length", "Width",
		"Height", "Notes", ""}}
	repacked := allows(shipping.Moves, "change packages",
		func(s shipping.Shipment) shipping.Status { return s.Status })(s)
	for _, p := range s.Packages {
		remove := page.Post("Remove", page.Path("shipments", s.Number, "packages", itoa(p.Number), "delete")).
			If(repacked)
		packages.Rows = append(packages.Rows, []page.Value{page.Count(p.Number), page.T(p.TrackingNumber),
			page.MaybeQty(p.WeightKg, "kg"), page.MaybeQty(p.LengthCm, "cm"), page.MaybeQty(p.WidthCm, "cm"),
			page.MaybeQty(p.HeightCm, "cm"), page.T(p.Notes), remove})
	}
	facts := page.Facts{Title: "Shipment", Facts: []page.Fact{
		{Label: "Customer", Value: customerCalled(c, s.CustomerNumber)},
		{Label: "Warehouse", Value: warehouses.called(c, s.WarehouseCode)},
		{Label: "Shipping method", Value: page.T(s.ShippingMethodName)},
		{Label: "Tracking number", Value: page.T(s.TrackingNumber).Linked(s.TrackingURL)},
		{Label: "Booking", Value: page.T(s.ExternalBookingID)},
		{Label: "Planned to leave", Value: page.Day(s.PlannedShipDate)},
		{Label: "Wanted", Value: page.Day(s.RequestedDeliveryDate)}, {Label: "Left", Value: page.At(s.ShippedDate)},
		{Label: "Delivered", Value: page.At(s.DeliveredDate)},
		{Label: "Weight", Value: page.MaybeQty(s.TotalWeightKg, "kg")},
		{Label: "Goods label", Value: page.T(s.GoodsLabel)},
		{Label: "Incoterms", Value: page.T(incoterm(c, s.IncotermsCode))},
		{Label: "Notes", Value: page.T(s.Notes)}}}
	badges := []page.Value{shipmentBadge(s.Status)}
	if s.IsPickup {
		badges = append(badges, page.Badge("Pick-up", page.Plain))
	}
	return page.Sheet{Title: c.Say("Shipment %s", s.Number), Subtitle: recipient(s), Badges: badges,
		Parts: []page.Part{lines, packages},
		Side:  []page.Part{facts, page.Note{Title: "Delivery address", Text: address(c, s.DeliveryAddress)}}}, nil
}

func pickAll(may func(shipping.Shipment) bool) page.Action[shipping.Shipment] {
	return page.Action[shipping.Shipment]{Name: "pick", Label: "Everything is picked",
		Tone: page.Primary, When: func(s shipping.Shipment) bool { return may(s) && !tracked(s) },
		Do: func(c *page.Ctx, s shipping.Shipment) (page.Done, error) {
			_, err := shipping.PickGoods(c.Tx, s.Number, nil)
			return page.Did("Everything is picked."), err
		}}
}

// tracked reports whether pieces of a shipment must be named when they are picked.
func tracked(s shipping.Shipment) bool {
	return slices.ContainsFunc(s.Lines,
		func(l shipping.Line) bool { return l.Tracking.Batches() || l.Tracking.Serials() })
}

// pick is what is picked of a line, as a form asks for it.
type pick struct {
	order, item, location, batch, serials string
	line                                  int
	quantity                              dec.Dec
}

func pickSome(may func(shipping.Shipment) bool) page.Action[shipping.Shipment] {
	a := page.Action[shipping.Shipment]{Name: "pick-some", Label: "Pick", When: may,
		Confirm: "What is picked adds to what was picked before. A row left at nothing is passed over."}
	return page.Ask(a,
		func(_ *page.Ctx, s shipping.Shipment) ([]pick, error) {
			var out []pick
			for i := range s.Lines {
				if l := &s.Lines[i]; l.Picked < l.Quantity {
					out = append(out, pick{order: l.OrderNumber, item: l.Item, line: l.OrderLine,
						quantity: l.Quantity.Sub(l.Picked)})
				}
			}
			return out, nil
		},
		func(c *page.Ctx, s shipping.Shipment, v *[]pick) []page.Field {
			places := locations(c, s.WarehouseCode)
			return []page.Field{page.Lines("picks", "Lines", v, func(p *pick) []page.Field {
				return []page.Field{page.Code("orderNumber", "Order", &p.order),
					page.Number("orderLine", "Line", &p.line).Max(5), page.Code("itemNumber", "Item", &p.item),
					page.Decimal("quantity", "Quantity", &p.quantity),
					page.Select("location", "Location", &p.location, places),
					batchOf(s.WarehouseCode, p.item, &p.batch), page.Text("serialNumbers", "Serial numbers",
						&p.serials).At("serialNumber")}
			}).Required().Hint("Several serial numbers are parted by spaces or commas.")}
		},
		func(c *page.Ctx, s shipping.Shipment, picks []pick) (page.Done, error) {
			var out []shipping.Pick
			for _, p := range picks {
				if p.quantity != 0 {
					out = append(out, shipping.Pick{OrderNumber: p.order, OrderLine: p.line, Quantity: p.quantity,
						Location: p.location, Batch: p.batch, Serials: serialsIn(p.serials)})
				}
			}
			if len(out) == 0 {
				return page.Done{}, page.Refusal("picks", "enter what was picked of at least one line")
			}
			_, err := shipping.PickGoods(c.Tx, s.Number, out)
			return page.Did("The goods are picked."), err
		})
}
