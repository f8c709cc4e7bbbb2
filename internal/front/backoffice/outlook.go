package backoffice

import (
	"net/url"
	"slices"

	"kontor/internal/business/replenishment"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/page"
)

// outlookSheet shows how an item's stock in a warehouse will move, and why something is proposed.
func outlookSheet() page.Page {
	return page.Record[replenishment.Outlook]{Path: "/planning/{item}/{warehouse}", Permission: "inventory:read",
		Load: func(c *page.Ctx) (replenishment.Outlook, error) {
			return replenishment.Look(c.Tx, c.Path("item"), c.Path("warehouse"))
		},
		Show: showOutlook,
		Edit: func(_ *page.Ctx, o replenishment.Outlook) []page.Go {
			gos := []page.Go{{Label: "The rules", Path: page.Path("items", o.Item, "replenishment", o.Warehouse)},
				{Label: "The item", Path: page.Path("items", o.Item)}}
			if keys := draftable(o.Proposals); len(keys) > 0 {
				gos = slices.Insert(gos, 0, page.Go{Label: "Make drafts",
					Path: "/new/drafts?" + url.Values{"chosen": keys}.Encode()})
			}
			return gos
		}}
}

// draftable are the keys of the proposals that drafts can be made of.
func draftable(all []replenishment.Proposal) (keys []string) {
	for _, p := range all {
		if p.Quantity > 0 {
			keys = append(keys, proposalKey(p))
		}
	}
	return keys
}

func showOutlook(c *page.Ctx, o replenishment.Outlook) (page.Sheet, error) {
	day := func(n int) page.Value { return page.Day(o.Today.AddDays(n)) }
	without, with := page.Level{Label: "Without the proposals", Quiet: true}, page.Level{Label: "With the proposals"}
	last := 14
	low := planning.Point{Stock: o.OnHand}
	for _, at := range o.Plan.Points {
		without.Steps = append(without.Steps, page.Step{Day: at.Day, Value: at.Stock})
		with.Steps = append(with.Steps, page.Step{Day: at.Day, Value: at.Planned})
		last = max(last, at.Day+at.Day/10)
		if at.Stock < low.Stock {
			low = at
		}
	}
	chart := page.Levels{Title: "Stock by day", Days: last, Least: &o.Plan.Trigger, LeastName: "At least",
		Lines: []page.Level{without, with}, Day: func(n int) string { return c.Show(day(n)) }}
	if len(with.Steps) == 0 {
		chart.Lines = []page.Level{{Label: "Stock", Steps: []page.Step{{Value: o.OnHand}}}}
	}
	return page.Sheet{Title: o.Item + ", " + o.Warehouse, Subtitle: o.Name, Parts: []page.Part{
		page.Figures{{Label: "On hand", Value: page.Qty(o.OnHand)},
			{Label: "Lowest without the proposals", Value: page.Qty(low.Stock), Note: c.Show(day(low.Day))},
			{Label: "At least", Value: page.Qty(o.Plan.Trigger)},
			{Label: "Safety stock", Value: page.Qty(o.Plan.Safety)}},
		chart, reasons(c, o), comings(o, day)}}, nil
}

// reasons are the proposals, each with the numbers it follows from.
func reasons(c *page.Ctx, o replenishment.Outlook) page.Part {
	grid := page.Grid{Title: "What is proposed, and why", Empty: "Nothing has to be ordered.", Heads: []string{"Kind",
		"Quantity", "Order on", "Comes on", "Reason", "Stock then", "Needed", "Lead time, days", "Warnings"}}
	for _, p := range o.Proposals {
		needed := c.Show(page.Qty(p.Needed))
		if p.MinOrder != nil && p.Quantity > p.Needed {
			needed = c.Say("%s; at least %s are ordered", needed, c.Show(page.Qty(*p.MinOrder)))
		}
		if p.Multiple != nil && p.Quantity > p.Needed {
			needed = c.Say("%s; in multiples of %s", needed, c.Show(page.Qty(*p.Multiple)))
		}
		lead := page.Value{}
		if p.Quantity > 0 {
			lead = page.T(c.Say("%d, from %s", p.Lead, c.Say(page.Words(string(p.LeadFrom)))))
		}
		is := p.Quantity > 0
		grid.Rows = append(grid.Rows, []page.Value{page.Word(page.Words(string(p.Way))), orNothing(p.Quantity),
			page.Day(p.OrderOn).If(is), page.Day(p.ComesOn).If(is), page.Word(page.Words(string(p.Reason))),
			page.Qty(p.Projected), page.T(needed).If(is), lead, warnings(p)})
	}
	return grid
}

// mostComings is how many rows of what comes and goes are shown; the chart shows all.
const mostComings = 100

// comings are what comes and goes day by day, what is proposed among it.
func comings(o replenishment.Outlook, day func(int) page.Value) page.Part {
	type row struct {
		day  int
		what string
		q    dec.Dec
	}
	var rows []row
	for _, m := range o.Movements {
		if n := len(rows); n > 0 && rows[n-1].day == m.Day && rows[n-1].what == string(m.Cause) {
			rows[n-1].q = rows[n-1].q.AddCapped(m.Quantity)
			continue
		}
		rows = append(rows, row{m.Day, string(m.Cause), m.Quantity})
	}
	for _, p := range o.Proposals {
		if p.Quantity > 0 {
			rows = append(rows, row{p.Arrival, "Proposed", p.Quantity})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.day - b.day })
	grid := page.Grid{Title: "What comes and goes", Empty: "Nothing is known to come or go.",
		Heads: []string{"Date", "For", "Quantity", "Stock then"}}
	stock := o.OnHand
	for _, r := range rows[:min(len(rows), mostComings)] {
		stock = stock.AddCapped(r.q)
		grid.Rows = append(grid.Rows, []page.Value{day(r.day), page.Word(page.Words(r.what)), page.Qty(r.q),
			page.Qty(stock)})
	}
	return grid
}
