package backoffice

import (
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/paper"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

var countBadge = tones[stock.CountStatus]{stock.CountOpen: page.Warn, stock.CountPosted: page.Good,
	stock.CountCancelled: page.Calm}.badge

// counts are the pages of physical counts.
func counts() []page.Page {
	return []page.Page{countList(), newCount(), countRecord(), countLines(), scanCount(),
		page.Document{Path: "/counts/{number}/pdf", Permission: "inventory:read", Make: countSheet}}
}

func loadCount(c *page.Ctx) (stock.Count, error) { return stock.FindCount(c.Tx, c.Path("number")) }

var countCrumbs = crumbs("Stock counts", "/counts", "Count %s", "number")

func countSheet(c *page.Ctx) (page.Paper, error) {
	return printed(loadCount, func(tx *db.Tx, count stock.Count) (paper.File, error) {
		sender, err := paper.SenderOf(tx)
		if err != nil {
			return paper.File{}, err
		}
		items, err := catalog.FindByID(tx, each.Of(count.Lines, func(l stock.CountLine) string { return l.ItemID }))
		if err != nil {
			return paper.File{}, err
		}
		units := make(map[string]string, len(items))
		for id, item := range items {
			units[id] = item.BaseUnit
		}
		return paper.CountSheet(sender, c.Language(), count, units)
	})(c)
}

func countList() page.Page {
	return page.List[stock.Count]{Path: "/counts", Latest: true, Own: page.Own("number"),
		Title: "Stock counts", Permission: "inventory:read", Menu: true, Search: "Number",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(stock.CountStatus("").Values())),
			page.ChoiceOf("warehouse", "Warehouse", warehouses.offered)},
		Find: func(c *page.Ctx, q page.Query) (record.Found[stock.Count], error) {
			f := stock.CountFilter{Search: q.Search, Status: stock.CountStatus(q.Get("status")),
				Warehouse: q.Get("warehouse")}
			return stock.ListCounts(c.Tx, f, q.Page)
		},
		Href: func(n stock.Count) string { return page.Path("counts", n.Number) },
		Columns: func(n stock.Count) []page.Column {
			return []page.Column{page.Col("Number", page.T(n.Number)).By("number"),
				page.Minor("Date", page.At(n.CreatedAt)),
				page.Col("Warehouse", warehouses.of(n.Warehouse)).By("warehouse"),
				page.Col("Status", countBadge(n.Status)).By("status"),
				page.Col("Counted", page.Count(n.Recorded)), page.Col("Lines", page.Count(n.LineCount))}
		},
		New: []page.Go{{Label: "New count", Path: "/new/counts", Primary: true}}}
}

func newCount() page.Page {
	return page.Form[stock.NewCount]{Path: "/new/counts", Title: "New count", Permission: "inventory:write",
		Settles: true, Submit: "Begin the count",
		Lead: "Goods may come and go meanwhile: each row is compared with what the books say at the moment it is counted.",
		Load: func(c *page.Ctx) (stock.NewCount, error) { return stock.NewCount{Warehouse: itemsWarehouse(c)}, nil },
		Fields: func(c *page.Ctx, n *stock.NewCount) []page.Field {
			return []page.Field{page.Select("warehouseCode", "Warehouse", &n.Warehouse, warehouses.offered(c)).Required(),
				page.Check("isBlind", "Blind: who counts is not shown what the books say", &n.IsBlind),
				page.Items("locationCodes", "Locations", &n.Locations).Hint("A line for each. Empty: all of them."),
				page.Items("itemNumbers", "Items", &n.Items).Hint("A line for each. Empty: all of them.")}
		},
		Save: page.Made(stock.NewCount{}, func(c *page.Ctx, n stock.NewCount) (page.Done, error) {
			count, err := stock.CreateCount(c.Tx, n)
			return page.Went(page.Path("counts", count.Number), "Count %s has begun.", count.Number), err
		})}
}

var countMay = allowed(stock.CountMoves, func(n stock.Count) stock.CountStatus { return n.Status })

func countRecord() page.Page {
	said := sayer(countMay, func(n stock.Count) string { return n.Number })
	cancel := said("cancel", "Give the count up", "The count is given up.", page.Bad, stock.CancelCount)
	cancel.Confirm = "Nothing of it is booked; its rows may be counted by another."
	return page.Record[stock.Count]{Path: "/counts/{number}", Permission: "inventory:read", Resource: stock.Counts,
		Load: loadCount, Show: showCount, Actions: []page.Action[stock.Count]{countByHand(), postCount(), cancel},
		Edit: func(_ *page.Ctx, n stock.Count) []page.Go {
			at := page.Path("counts", n.Number)
			return []page.Go{page.Go{Label: "Scan", Path: at + "/scan", Primary: true}.
				If(countMay("record")(n)), {Label: "All lines", Path: at + "/lines"},
				{Label: "Count sheet", Path: at + "/pdf"}}
		}}
}

// postCount asks before differences are booked, with what they are and what they are worth, also of a blind count: it
// ends here.
func postCount() page.Action[stock.Count] {
	a := page.Action[stock.Count]{Name: "post", Label: "Post", Tone: page.Primary, When: countMay("post"),
		Confirm: "The differences are booked, once. Lines that were not counted stay as they are."}
	return page.Ask(a,
		func(c *page.Ctx, n stock.Count) (stock.CountValue, error) { return n.Differences(c.Tx) },
		func(c *page.Ctx, n stock.Count, v *stock.CountValue) []page.Field {
			net := v.More.Sub(v.Less)
			fields := []page.Field{said("counted", "Counted", c.Say("%d of %d lines", n.Recorded, n.LineCount)),
				said("found", "Found", c.Show(page.Amount(v.More, base(c)))),
				said("missing", "Missing", c.Show(page.Amount(v.Less, base(c)))),
				said("net", "Changes stock by", c.Show(page.Amount(net, base(c))))}
			var lines string
			for i := range v.Lines[:min(len(v.Lines), mostDiffering)] {
				l := &v.Lines[i]
				lines += c.Say("%s %s in %s: %s", l.Item, l.ItemName, pair(l.Location, pair(l.Batch, l.Serial)),
					signed(c, l.Difference()))
				if l.UnitCost != nil {
					lines += " = " + c.Show(page.Amount(l.Value, base(c)))
				}
				lines += "\n"
			}
			if more := len(v.Lines) - mostDiffering; more > 0 {
				lines += c.Say("and %d more", more)
			}
			if lines != "" {
				fields = append(fields, page.Prose("differences", "Differences", &lines).Fixed())
			}
			return fields
		},
		func(c *page.Ctx, n stock.Count, _ stock.CountValue) (page.Done, error) {
			_, err := stock.PostCount(c.Tx, n.Number)
			return page.Did("The count is posted."), err
		})
}

// said is a text that a form shows.
func said(name, label, text string) page.Field { return page.Text(name, label, &text).Fixed() }

func signed(c *page.Ctx, q dec.Dec) string {
	s := c.Show(page.Qty(q))
	if q > 0 {
		return "+" + s
	}
	return s
}

// mostDiffering is how many differences a page shows: the list of lines shows all.
const mostDiffering = 100

func showCount(c *page.Ctx, n stock.Count) (page.Sheet, error) {
	s := page.Sheet{Title: c.Say("Count %s", n.Number), Subtitle: warehouses.name(c, n.Warehouse),
		Badges: []page.Value{countBadge(n.Status)}}
	facts := page.Facts{Title: "Count", Facts: []page.Fact{{Label: "Warehouse", Value: warehouses.called(c, n.Warehouse)},
		{Label: "Counted", Value: page.T(c.Say("%d of %d lines", n.Recorded, n.LineCount))},
		{Label: "Blind", Value: page.YesNo(n.IsBlind)}, {Label: "Locations", Value: page.T(aFew(n.Locations))},
		{Label: "Items", Value: page.T(aFew(n.Items))}, {Label: "Began", Value: page.At(n.CreatedAt)},
		{Label: "Posted", Value: page.At(n.PostedAt)}}}
	s.Side = []page.Part{facts}
	if n.Hides() {
		s.Parts = []page.Part{page.Note{Title: "Differences",
			Text: c.Say("This count is blind: the differences are shown when it is posted.")}}
		return s, nil
	}
	v, err := n.Differences(c.Tx)
	if err != nil {
		return s, err
	}
	grid := page.Grid{Title: "Differences", Heads: []string{"Item", "Name", "Location", "Batch, serial", "Books",
		"Counted", "Difference", "Value"},
		Empty: "No differences so far."}
	for i := range v.Lines[:min(len(v.Lines), mostDiffering)] {
		l := &v.Lines[i]
		value := page.Amount(l.Value, base(c)).If(l.UnitCost != nil)
		grid.Rows = append(grid.Rows, []page.Value{page.To(l.Item, page.Path("items", l.Item)), page.T(l.ItemName),
			page.T(l.Location), page.T(pair(l.Batch, l.Serial)), page.Qty(l.Expected), page.Qty(*l.Counted),
			page.Qty(l.Difference()), value})
	}
	if len(v.Lines) > 0 {
		grid.Foot = []page.Value{page.Word("Sum").Strong(), page.None(), page.None(), page.None(), page.None(),
			page.None(), page.None(), page.Amount(v.More.Sub(v.Less), base(c)).Strong()}
	}
	s.Parts = []page.Part{grid}
	return s, nil
}

// aFew names the first few of many.
func aFew(codes []string) string {
	if len(codes) > 20 {
		return strings.Join(codes[:20], ", ") + " …"
	}
	return strings.Join(codes, ", ")
}

func countLines() page.Page {
	type row struct {
		stock.CountLine
		hides bool
	}
	where := func(q page.Query) func(row) bool {
		return func(r row) bool {
			switch counted := q.Bool("counted"); {
			case counted != nil && *counted != (r.Counted != nil):
				return true
			case q.Get("location") != "" && record.Fold(q.Get("location")) != record.Fold(r.Location):
				return true
			}
			return q.Get("differs") == "yes" && (r.hides || r.Difference() == 0)
		}
	}
	return page.List[row]{Path: "/counts/{number}/lines", Title: "Lines of a count", Permission: "inventory:read",
		Crumbs: countCrumbs, Search: "Item, name, batch, serial number",
		Filters: []page.Filter{page.Flag("counted", "Counted", "Counted", "Not counted"),
			page.Match("location", "Location"),
			page.Choice("differs", "Difference", []page.Option{{Value: "yes", Label: "With a difference"}})},
		Find: func(c *page.Ctx, q page.Query) (record.Found[row], error) {
			n, err := loadCount(c)
			rows := each.Of(n.Lines, func(l stock.CountLine) row { return row{l, n.Hides()} })
			rows = page.Narrow(slices.DeleteFunc(rows, where(q)), q,
				func(r row) []string { return []string{r.Item, r.ItemName, r.Batch, r.Serial} })
			return page.Cut(rows, q), err
		},
		Columns: func(r row) []page.Column {
			return []page.Column{page.Minor("Line", page.Count(r.Number)),
				page.Col("Item", page.To(r.Item, page.Path("items", r.Item))),
				page.Minor("Name", page.T(r.ItemName)), page.Col("Location", page.T(r.Location)),
				page.Minor("Batch, serial", page.T(pair(r.Batch, r.Serial))),
				page.Minor("Books", page.Qty(r.Expected).If(!r.hides)),
				page.Col("Counted", page.MaybeQty(r.Counted, "")),
				page.Col("Difference", page.Qty(r.Difference()).If(!r.hides && r.Counted != nil))}
		}}
}
