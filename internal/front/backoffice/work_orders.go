package backoffice

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/production"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var workBadge = tones[production.Status]{production.Draft: page.Calm, production.Estimate: page.Calm,
	production.Planned: page.Good, production.Waiting: page.Warn, production.Active: page.Warn,
	production.Paused: page.Calm, production.Completed: page.Good}.badge

// workOrders are the pages of what the house makes itself.
func workOrders() []page.Page {
	return []page.Page{workList(), newWork(), editWork(), workRecord(), bomList(), bomRecord(), bomForm(), newBOM(),
		tracing()}
}

func loadWork(c *page.Ctx) (production.Order, error) {
	return production.Find(c.Tx, c.Path("number"))
}

var workMay = allowed(production.Moves, func(o production.Order) production.Status { return o.Status })

func workList() page.Page {
	return page.List[production.Order]{Path: "/work-orders", Latest: true, Title: "Work orders",
		Permission: "work-orders:read", Menu: true, Search: "Number, title, item, sales order",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(production.Status("").Values())),
			page.Choice("type", "Type", page.Options(production.Type("").Values())), page.Match("item", "Item").
				Lookup(findItems)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[production.Order], error) {
			f := production.Filter{Shown: q.Search, Status: production.Status(q.Get("status")),
				Type: production.Type(q.Get("type")), Item: q.Get("item")}
			return production.List(c.Tx, f, q.Page)
		},
		Href: func(o production.Order) string { return page.Path("work-orders", o.Number) },
		Columns: func(o production.Order) []page.Column {
			return []page.Column{page.Col("Number", page.T(o.Number)).By("number"),
				page.Col("Title", page.T(o.Title)), page.Minor("Item", page.T(o.Item)),
				page.Col("Status", workBadge(o.Status)).By("status"),
				page.Minor("Planned", page.QtyOf(o.Planned, o.Unit)),
				page.Minor("Made", page.QtyOf(o.Produced, o.Unit)),
				page.Minor("Warehouse", warehouses.of(o.Warehouse)),
				page.Minor("Sales order", page.T(o.OrderNumber)),
				page.Minor("Begins", page.At(o.PlannedFrom))}
		},
		New: []page.Go{{Label: "New work order", Path: "/new/work-orders", Primary: true}}}
}

func newWork() page.Page {
	return page.Form[production.New]{Path: "/new/work-orders", Title: "New work order", Permission: "work-orders:write",
		Settles: true, Submit: "Save the draft",
		Lead: "Its components are those of the bill of materials; they may be changed while it is a draft.",
		Load: func(c *page.Ctx) (production.New, error) {
			return production.New{Type: production.Manufacturing, Priority: production.Normal, Item: c.Query("item"),
				Warehouse: itemsWarehouse(c)}, nil
		},
		Fields: func(c *page.Ctx, n *production.New) []page.Field {
			return []page.Field{page.Code("itemNumber", "Item", &n.Item).Lookup(findItems).
				Hint("Empty for work that makes no goods."), page.Decimal("quantity", "Quantity", &n.Quantity),
				page.Select("warehouseCode", "Warehouse", &n.Warehouse, warehouses.offered(c)),
				page.Code("locationCode", "Put away at", &n.Location).Suggest(everyLocation.offered(c)),
				page.OneOf("type", "Type", &n.Type).Required(),
				page.OneOf("priority", "Priority", &n.Priority).Required(),
				page.Moment("plannedStart", "Begins", &n.PlannedFrom), page.Moment("plannedEnd", "Ends", &n.PlannedTo),
				page.Text("title", "Title", &n.Title).Hint("Empty: the name of the item."),
				page.Check("deep", "Make the parts of parts here as well: take what they are made of", &n.Deep),
				page.Prose("description", "Description", &n.Description)}
		},
		Save: page.Made(production.New{}, func(c *page.Ctx, n production.New) (page.Done, error) {
			o, err := production.Create(c.Tx, n)
			return page.Went(page.Path("work-orders", o.Number), "Work order %s is saved as a draft.", o.Number), err
		})}
}

func editWork() page.Page {
	return page.Form[production.Draw]{Path: "/work-orders/{number}/edit", Title: "Edit work order",
		Permission: "work-orders:write", Resource: production.Orders,
		Crumbs: crumbs("Work orders", "/work-orders", "Work order %s", "number"),
		Load: func(c *page.Ctx) (production.Draw, error) {
			o, err := loadWork(c)
			d := production.Draw{Title: o.Title, Description: o.Description, Priority: o.Priority, Quantity: o.Planned,
				PlannedFrom: o.PlannedFrom, PlannedTo: o.PlannedTo, Location: o.Location}
			for _, l := range o.Lines {
				d.Parts = append(d.Parts, production.Part{Item: l.Item, Quantity: l.PerUnit,
					ScrapPercent: l.ScrapPercent})
			}
			return d, err
		},
		Fields: func(c *page.Ctx, d *production.Draw) []page.Field {
			return []page.Field{page.Decimal("quantity", "Quantity", &d.Quantity),
				page.Code("locationCode", "Put away at", &d.Location).Suggest(everyLocation.offered(c)),
				page.OneOf("priority", "Priority", &d.Priority).Required(),
				page.Moment("plannedStart", "Begins", &d.PlannedFrom), page.Moment("plannedEnd", "Ends", &d.PlannedTo),
				page.Text("title", "Title", &d.Title), page.Lines("lines", "Components of one", &d.Parts, partFields),
				page.Prose("description", "Description", &d.Description)}
		},
		Save: page.Changed("number", production.Change)}
}

func partFields(p *production.Part) []page.Field {
	return []page.Field{page.Code("itemNumber", "Item", &p.Item).Lookup(findItems),
		page.Decimal("quantity", "Quantity", &p.Quantity).Required(),
		page.Decimal("scrapPercent", "Scrap, %", &p.ScrapPercent)}
}

func workRecord() page.Page {
	said := sayer(workMay, func(o production.Order) string { return o.Number })
	plan := said("plan", "Plan", "The components that are there are reserved.", page.Primary, production.Plan)
	finish := said("finish", "Finish", "The work order is finished.", page.Bad, production.Finish)
	finish.Confirm = "No more is made than what is completed; what is reserved becomes free."
	cancel := said("cancel", "Cancel the work order", "The work order is cancelled.", page.Bad, production.Cancel)
	cancel.Confirm = "What is reserved for it becomes free."
	return page.Record[production.Order]{Path: "/work-orders/{number}", Permission: "work-orders:read",
		Resource: production.Orders, Load: loadWork, Show: showWork, Actions: []page.Action[production.Order]{plan,
			said("estimate", "Keep as an estimate", "It is kept as an estimate.", page.Plain, production.AsEstimate),
			said("start", "Start", "The work has begun.", page.Plain, production.Start),
			said("pause", "Pause", "The work pauses.", page.Plain, production.Pause),
			pickParts("issue", "Issue components", "What is taken out of stock for the work.",
				"The components are issued.", toIssue, production.Issue),
			pickParts("put back", "Put components back",
				"What was issued and is in nothing that was completed goes back into stock.",
				"The components are back in stock.", toPutBack, production.PutBack), completeWork(),
			said("close", "Close", "The work order is closed.", page.Plain, production.Close), finish, cancel},
		Edit: func(_ *page.Ctx, o production.Order) []page.Go {
			return []page.Go{editing("work-orders", o.Number).If(workMay("change")(o))}
		}}
}

func toIssue(l *production.Line) dec.Dec   { return max(0, l.Required.Sub(l.Issued)) }
func toPutBack(l *production.Line) dec.Dec { return l.Issued.Sub(l.Used) }

// picks are rows of components, as forms ask for them, and which rows they are.
func picks(o production.Order, rows []carried) (out []production.Pick, from []int, err error) {
	for i, l := range rows {
		if l.quantity == 0 {
			continue
		}
		line, err := lineOf(i, l.line, l.item, o.Lines,
			func(x *production.Line) (int, string) { return x.Number, x.Item })
		if err != nil {
			return nil, nil, err
		}
		out, from = append(out, production.Pick{Line: line, Quantity: l.quantity, Location: l.location, Batch: l.batch,
			Serials: serialsIn(l.serials)}), append(from, i)
	}
	return out, from, nil
}

// pickParts asks which components are issued or put back: filled in with all there are.
func pickParts(verb, label, lead, say string, open func(*production.Line) dec.Dec,
	do func(*db.Tx, string, []production.Pick) (production.Order, error)) page.Action[production.Order] {
	a := page.Action[production.Order]{Name: strings.ReplaceAll(verb, " ", "-"), Label: label, Confirm: lead,
		When: func(o production.Order) bool {
			for i := range o.Lines {
				if o.Lines[i].IsStocked && open(&o.Lines[i]) > 0 {
					return workMay(verb)(o)
				}
			}
			return false
		}}
	return page.Ask(a,
		func(c *page.Ctx, o production.Order) (rows []carried, err error) {
			for i := range o.Lines {
				if l := &o.Lines[i]; l.IsStocked && open(l) > 0 {
					rows = append(rows, carried{line: l.Number, item: l.Item, quantity: open(l),
						what: sayPart(c, l.ItemName, open(l), l.Unit)})
				}
			}
			return rows, nil
		},
		func(c *page.Ctx, o production.Order, rows *[]carried) []page.Field {
			return []page.Field{goodsLines(c, "Components", o.Warehouse, rows).Required()}
		},
		func(c *page.Ctx, o production.Order, rows []carried) (page.Done, error) {
			chosen, from, err := picks(o, rows)
			if err != nil {
				return page.Done{}, err
			}
			if len(chosen) == 0 {
				return page.Done{}, page.Refusal("lines", "enter a quantity on at least one line")
			}
			_, err = do(c.Tx, o.Number, chosen)
			return page.Did(say), rowsAt(err, from)
		})
}

// completion is a part that is done, as a form asks for it.
type completion struct {
	production.Completing
	serials string
	rows    []carried
}

// toName are rows for the components that must be named: those that are tracked, as far as they were not issued.
func toName(c *page.Ctx, o production.Order) (rows []carried, err error) {
	numbers := each.Of(o.Lines, func(l production.Line) string { return l.Item })
	items, err := catalog.FindMany(c.Tx, numbers)
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.IsStocked && toIssue(l) > 0 && items[record.Fold(l.Item)].Tracking != catalog.None {
			rows = append(rows, carried{line: l.Number, item: l.Item, what: sayPart(c, l.ItemName, toIssue(l), l.Unit)})
		}
	}
	return rows, err
}

func completeWork() page.Action[production.Order] {
	a := page.Action[production.Order]{Name: "complete", Label: "Complete",
		Tone: page.Primary, When: func(o production.Order) bool { return o.ItemID != "" && workMay("complete")(o) },
		Confirm: "What is done goes into stock, at the cost of what went into it. Components that are not tracked are taken by themselves; name those that are."}
	return page.Ask(a,
		func(c *page.Ctx, o production.Order) (completion, error) {
			rows, err := toName(c, o)
			all := production.Completing{Quantity: o.Open(), Location: o.Location}
			return completion{Completing: all, rows: rows}, err
		},
		func(c *page.Ctx, o production.Order, v *completion) []page.Field {
			return []page.Field{page.Decimal("quantity", "Good pieces", &v.Quantity),
				page.Decimal("scrappedQuantity", "Scrapped", &v.Scrapped),
				page.Select("locationCode", "Put away at", &v.Location, locations(c, o.Warehouse)),
				page.Code("batchNumber", "Batch", &v.Batch), page.Date("expiryDate", "Expires", &v.Expiry),
				page.Text("serialNumbers", "Serial numbers", &v.serials).
					Hint("With spaces or commas between."), page.Check("isLast", "These are the last: end the order with them",
					&v.IsLast),
				goodsLines(c, "Components", o.Warehouse, &v.rows)}
		},
		func(c *page.Ctx, o production.Order, v completion) (page.Done, error) {
			chosen, from, err := picks(o, v.rows)
			if err != nil {
				return page.Done{}, err
			}
			v.Serials, v.Picks = serialsIn(v.serials), chosen
			_, err = production.Complete(c.Tx, o.Number, v.Completing)
			return page.Did("What is done is in stock."), rowsAt(err, from)
		})
}

func showWork(c *page.Ctx, o production.Order) (page.Sheet, error) {
	grid := page.Grid{Title: "Components", Heads: []string{"Line", "Item", "Name", "Needed", "Reserved", "Issued",
		"Missing", "Cost"}}
	for i := range o.Lines {
		l := &o.Lines[i]
		missing := page.QtyOf(l.Missing(), l.Unit).If(!o.Status.IsOver())
		if l.Missing() > 0 {
			missing = missing.Toned(page.Bad)
		}
		grid.Rows = append(grid.Rows, []page.Value{page.Count(l.Number), page.To(l.Item, page.Path("items", l.Item)),
			page.T(l.ItemName), page.QtyOf(l.Required, l.Unit), page.QtyOf(l.Reserved, l.Unit),
			page.QtyOf(l.Issued, l.Unit), missing, page.Amount(l.IssuedCost, base(c))})
	}
	var each page.Value
	if o.Produced > 0 {
		each = page.Cost(o.Cost.MulDiv(dec.One, o.Produced), base(c))
	}
	facts := page.Facts{Title: "Work order",
		Facts: []page.Fact{{Label: "Item", Value: itemLink(c, o.Item)},
			{Label: "Planned", Value: page.QtyOf(o.Planned, o.Unit)},
			{Label: "Made", Value: page.QtyOf(o.Produced, o.Unit)},
			{Label: "Scrapped", Value: page.QtyOf(o.Scrapped, o.Unit)},
			{Label: "Cost", Value: page.Amount(o.Cost, base(c))}, {Label: "Cost of one", Value: each},
			{Label: "Type", Value: page.Word(page.Words(string(o.Type)))},
			{Label: "Priority", Value: page.Word(page.Words(string(o.Priority)))},
			{Label: "Warehouse", Value: warehouses.called(c, o.Warehouse)},
			{Label: "Put away at", Value: page.T(o.Location)},
			{Label: "Sales order", Value: page.To(o.OrderNumber, page.Path("orders", o.OrderNumber))},
			{Label: "Begins", Value: page.At(o.PlannedFrom)},
			{Label: "Ends", Value: page.At(o.PlannedTo)}, {Label: "Began", Value: page.At(o.Began)},
			{Label: "Ended", Value: page.At(o.Ended)}}}
	done, err := production.Completions(c.Tx, &o)
	if err != nil {
		return page.Sheet{}, err
	}
	parts := page.Grid{Title: "Completed", Heads: []string{"Date", "Good pieces", "Scrapped", "Cost"}}
	for _, p := range done {
		parts.Rows = append(parts.Rows, []page.Value{page.At(p.At), page.QtyOf(p.Quantity, o.Unit),
			page.QtyOf(p.Scrapped, o.Unit), page.Amount(p.Cost, base(c))})
	}
	chosen, err := choicesOf(c, o)
	return page.Sheet{Title: c.Say("Work order %s", o.Number), Subtitle: o.Title,
		Badges: []page.Value{workBadge(o.Status)},
		Parts:  []page.Part{grid, parts.IfAny(), chosen, page.Noted("Description", o.Description)},
		Side:   []page.Part{facts}}, err
}

// choicesOf are what the piece is made like, a line for each choice.
func choicesOf(c *page.Ctx, o production.Order) (page.Part, error) {
	if o.Configuration == "" {
		return nil, nil
	}
	chosen, err := configuration.Find(c.Tx, o.Configuration)
	return page.Noted(c.Say("Choices")+" · "+o.Configuration,
		strings.Join(each.Of(chosen.Values, func(v configuration.Value) string {
			return v.FeatureName + ": " + v.Said(c.Say("yes"), c.Say("no"))
		}), "\n")), err
}
