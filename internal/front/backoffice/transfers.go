package backoffice

import (
	"slices"

	"kontor/internal/business/stock"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var transferBadge = tones[transfer.Status]{transfer.Draft: page.Calm, transfer.Released: page.Warn,
	transfer.InTransit: page.Warn, transfer.PartiallyReceived: page.Warn, transfer.Received: page.Good}.badge

// transfers are the pages of goods on their way between warehouses.
func transfers() []page.Page {
	return []page.Page{transferList(), transferRecord(), newTransfer(), editTransfer()}
}

func loadTransfer(c *page.Ctx) (transfer.Transfer, error) {
	return transfer.Find(c.Tx, c.Path("number"))
}

var transferMay = allowed(transfer.Moves, func(t transfer.Transfer) transfer.Status { return t.Status })

func transferList() page.Page {
	return page.List[transfer.Transfer]{Path: "/transfers", Latest: true, Own: page.Own("number"),
		Title: "Transfers", Permission: "transfers:read", Menu: true, Search: "Transfer number, warehouse",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(transfer.Status("").Values()))},
		Find: func(c *page.Ctx, q page.Query) (record.Found[transfer.Transfer], error) {
			return transfer.List(c.Tx, transfer.Filter{Shown: q.Search, Status: transfer.Status(q.Get("status"))},
				q.Page)
		},
		Href: func(t transfer.Transfer) string { return page.Path("transfers", t.Number) },
		Columns: func(t transfer.Transfer) []page.Column {
			return []page.Column{page.Col("Number", page.T(t.Number)).By("number"),
				page.Minor("Date", page.At(t.CreatedAt)).By("created"),
				page.Col("From", warehouses.of(t.From)).By("from"), page.Col("To", warehouses.of(t.To)).By("to"),
				page.Col("Status", transferBadge(t.Status)).By("status"),
				page.Minor("Expected", page.Day(t.ExpectedDate)),
				page.Minor("Lines", page.Count(t.LineCount))}
		},
		New: []page.Go{{Label: "New transfer", Path: "/new/transfers", Primary: true}}}
}

func drawnFields(c *page.Ctx, d *transfer.Drawn) []page.Field {
	return []page.Field{page.Select("fromWarehouseCode", "From", &d.From, warehouses.offered(c)).Required(),
		page.Select("toWarehouseCode", "To", &d.To, warehouses.offered(c)).Required(),
		page.Lines("lines", "Lines", &d.Lines, func(l *transfer.NewLine) []page.Field {
			return []page.Field{page.Code("itemNumber", "Item", &l.Item).Lookup(findItems),
				page.Decimal("quantity", "Quantity", &l.Quantity).Required()}
		}),
		page.Date("requestedDate", "Wanted", &d.RequestedDate), page.Select("shippingMethodCode", "Shipping method",
			&d.ShippingMethod, shippingMethods.offered(c)),
		page.Prose("notes", "Notes", &d.Notes)}
}

func newTransfer() page.Page {
	return page.Form[transfer.Drawn]{Path: "/new/transfers", Title: "New transfer", Permission: "transfers:write",
		Settles: true, Submit: "Save the draft",
		Fields: drawnFields,
		Save: page.Made(transfer.Drawn{}, func(c *page.Ctx, d transfer.Drawn) (page.Done, error) {
			t, err := transfer.Create(c.Tx, transfer.New{Head: d.Head, Lines: d.Lines})
			return page.Went(page.Path("transfers", t.Number), "Transfer %s is saved as a draft.", t.Number), err
		})}
}

func editTransfer() page.Page {
	return page.Form[transfer.Drawn]{Path: "/transfers/{number}/edit", Title: "Edit transfer",
		Permission: "transfers:write", Resource: transfer.Transfers,
		Crumbs: crumbs("Transfers", "/transfers", "Transfer %s", "number"),
		Load: func(c *page.Ctx) (transfer.Drawn, error) {
			t, err := loadTransfer(c)
			d := transfer.Drawn{Head: t.Head}
			for _, l := range t.Lines {
				d.Lines = append(d.Lines, transfer.NewLine{Item: l.Item, Quantity: l.Quantity})
			}
			return d, err
		},
		Fields: drawnFields,
		Save:   page.Changed("number", transfer.Change)}
}

func transferRecord() page.Page {
	said := sayer(transferMay, func(t transfer.Transfer) string { return t.Number })
	release := said("release", "Release", "The goods are reserved.", page.Primary, transfer.Release)
	cancel := said("cancel", "Cancel the transfer", "The transfer is cancelled.", page.Bad, transfer.Cancel)
	cancel.Confirm = "What is reserved for it becomes free."
	return page.Record[transfer.Transfer]{Path: "/transfers/{number}", Permission: "transfers:read",
		Resource: transfer.Transfers, Load: loadTransfer, Show: showTransfer,
		Actions: []page.Action[transfer.Transfer]{release,
			moveGoods("ship", "Ship", "The goods leave. What is left at nothing does not go along and is given up.",
				shipGoods), moveGoods("receive", "Receive", "Count up what came; a row left at nothing did not come.",
				receiveGoods),
			writeOffTransfer(), cancel},
		Edit: func(_ *page.Ctx, t transfer.Transfer) []page.Go {
			return []page.Go{editing("transfers", t.Number).If(transferMay("change")(t))}
		}}
}

func shipGoods(c *page.Ctx, number string, portions []transfer.Portion) (page.Done, error) {
	_, err := transfer.Ship(c.Tx, number, portions)
	return page.Did("The goods are in transit."), err
}

func receiveGoods(c *page.Ctx, number string, portions []transfer.Portion) (page.Done, error) {
	_, r, err := transfer.Receive(c.Tx, number, transfer.Delivery{Portions: portions})
	return page.Went(page.Path("receipts", r.Number), "Receipt %s is booked.", r.Number), err
}

// moveGoods asks what leaves, or what came: filled in with all there is.
func moveGoods(verb, label, confirm string, do func(*page.Ctx, string, []transfer.Portion) (page.Done,
	error)) page.Action[transfer.Transfer] {
	a := page.Action[transfer.Transfer]{Name: verb, Label: label, Tone: page.Primary,
		When: transferMay(verb), Confirm: confirm}
	return page.Ask(a,
		func(c *page.Ctx, t transfer.Transfer) (rows []carried, err error) {
			for _, l := range t.Lines {
				if q := l.Allocated.Add(l.Outstanding()); q > 0 {
					rows = append(rows, carried{line: l.Number, item: l.Item, quantity: q,
						what: sayPart(c, l.ItemName, q, l.Unit)})
				}
			}
			return rows, nil
		},
		func(c *page.Ctx, t transfer.Transfer, v *[]carried) []page.Field {
			warehouse := t.From
			if t.IsInTransit() {
				warehouse = t.To
			}
			return []page.Field{goodsLines(c, "Lines", warehouse, v).Required()}
		},
		func(c *page.Ctx, t transfer.Transfer, rows []carried) (page.Done, error) {
			var portions []transfer.Portion
			for i, l := range rows {
				if l.quantity != 0 {
					line, err := lineOf(i, l.line, l.item, t.Lines,
						func(x *transfer.Line) (int, string) { return x.Number, x.Item })
					if err != nil {
						return page.Done{}, err
					}
					portions = append(portions, transfer.Portion{Field: "lines[" + itoa(i) + "].", Line: line,
						Quantity: l.quantity, Location: l.location, Batch: l.batch, Serials: serialsIn(l.serials)})
				}
			}
			if len(portions) == 0 {
				return page.Done{}, page.Refusal("lines", "enter a quantity on at least one line")
			}
			return do(c, t.Number, portions)
		})
}

func writeOffTransfer() page.Action[transfer.Transfer] {
	a := page.Action[transfer.Transfer]{Name: "write-off", Label: "Write off what is missing", Tone: page.Bad,
		When:    transferMay("write off"),
		Confirm: "What is still in transit got lost: it is written off where it left. Nothing more can be received."}
	return worded(a, reason, "What was missing is written off.", transfer.WriteOff,
		func(t transfer.Transfer) string { return t.Number })
}

func showTransfer(c *page.Ctx, t transfer.Transfer) (page.Sheet, error) {
	grid := page.Grid{Title: "Lines", Heads: []string{"Line", "Item", "Name", "Quantity", "Reserved", "Shipped",
		"Received", "Written off"}}
	for _, l := range t.Lines {
		grid.Rows = append(grid.Rows, []page.Value{page.Count(l.Number), page.To(l.Item, page.Path("items", l.Item)),
			page.T(l.ItemName), page.QtyOf(l.Quantity, l.Unit), page.QtyOf(l.Allocated, l.Unit),
			page.QtyOf(l.Shipped, l.Unit), page.QtyOf(l.Received, l.Unit), page.QtyOf(l.WrittenOff, l.Unit)})
	}
	s := page.Sheet{Title: c.Say("Transfer %s", t.Number),
		Subtitle: warehouses.name(c, t.From) + " → " + warehouses.name(c, t.To),
		Badges:   []page.Value{transferBadge(t.Status)}, Parts: []page.Part{grid},
		Side: []page.Part{page.Facts{Title: "Transfer", Facts: []page.Fact{
			{Label: "From", Value: warehouses.called(c, t.From)},
			{Label: "To", Value: warehouses.called(c, t.To)},
			{Label: "Shipping method", Value: shippingMethods.called(c, t.ShippingMethod)},
			{Label: "Wanted", Value: page.Day(t.RequestedDate)}, {Label: "Expected", Value: page.Day(t.ExpectedDate)},
			{Label: "Released", Value: page.At(t.ReleasedAt)}, {Label: "Shipped", Value: page.At(t.ShippedAt)},
			{Label: "Received", Value: page.At(t.ReceivedAt)}}}}}
	parcels, err := transfer.Parcels(c.Tx, &t)
	if err != nil {
		return s, err
	}
	left := page.Grid{Title: "What left", Heads: []string{"Line", "Location", "Batch", "Serial number", "Quantity",
		"Cost", "In transit"}}
	for i := range parcels {
		p := &parcels[i]
		left.Rows = append(left.Rows, []page.Value{page.Count(p.Line), page.T(p.Location), page.T(p.Batch),
			page.T(p.Serial), page.QtyOf(p.Quantity, ""), page.Cost(p.UnitCost, base(c)),
			page.QtyOf(p.Left(), "")})
	}
	receipts, err := receiptsOf(c, stock.ReceiptFilter{TransferOrder: t.Number})
	if err != nil {
		return s, err
	}
	lost, err := writtenOff(c, t)
	s.Parts = append(s.Parts, left.IfAny(), receipts, page.Noted("Notes", t.Notes), lost)
	return s, err
}

// writtenOff shows why goods did not arrive.
func writtenOff(c *page.Ctx, t transfer.Transfer) (page.Part, error) {
	if !slices.ContainsFunc(t.Lines, func(l transfer.Line) bool { return l.WrittenOff > 0 }) {
		return nil, nil
	}
	found, err := stock.ListEntries(c.Tx, stock.EntryFilter{Kind: stock.Adjusted, RefType: stock.RefTransfer,
		RefID: t.Number}, record.Page{Number: 1, Size: 1})
	if len(found.Items) == 0 {
		return nil, err
	}
	return page.Note{Title: "Written off", Text: found.Items[0].Notes}, err
}
