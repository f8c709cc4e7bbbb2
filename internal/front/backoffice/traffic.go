package backoffice

import (
	"strconv"

	"kontor/internal/business/analytics"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/page"
)

// visited is what the traffic page is asked.
type visited struct{ store, days string }

// Days that the traffic page shows.
const (
	usualDays = 30
	mostRows  = 20
)

// traffic is what visitors of stores did, counted: nothing of it is about a person.
func traffic() []page.Page {
	return []page.Page{page.Record[visited]{Path: "/traffic", Title: "Traffic", Permission: readsPages, Menu: true,
		Show: showTraffic, Load: func(c *page.Ctx) (visited,
			error) {
			return visited{c.Query("store"), c.Query("days")}, nil
		}}}
}

func showTraffic(c *page.Ctx, v visited) (page.Sheet, error) {
	s := page.Sheet{Title: c.Say("Traffic"),
		Subtitle: c.Say("Counted by day and store, without keeping who. Robots are left out.")}
	n, err := strconv.Atoi(v.days)
	if err != nil || n < 1 || n > 366 {
		n = usualDays
	}
	v.days = strconv.Itoa(n)
	s.Parts = []page.Part{page.Asking{Button: "Show",
		Fields: []page.Field{page.Select("store", "Store", &v.store,
			append([]page.Option{{Label: "All"}}, channels.offered(c)...)),
			page.Select("days", "Days", &v.days, []page.Option{{Value: "7", Label: "7"}, {Value: "30", Label: "30"},
				{Value: "90", Label: "90"}, {Value: "365", Label: "365"}}).Required()}}}
	to := c.Tx.Today()
	from := to.AddDays(1 - n)
	days, err := analytics.Days(c.Tx, v.store, from, to)
	if err != nil {
		return s, err
	}
	var all analytics.Day
	visits, views := page.Bars{Title: "Visits"}, page.Bars{Title: "Pages looked at"}
	grid := page.Grid{Title: "Day by day", Heads: []string{"Date", "Visits", "Pages looked at", "Put into carts",
		"Orders"}}
	for i := range days {
		d := days[len(days)-1-i]
		all.Visits, all.Views, all.Cart, all.Orders = all.Visits+d.Visits, all.Views+d.Views, all.Cart+d.Cart,
			all.Orders+d.Orders
		if i < mostRows {
			grid.Rows = append(grid.Rows, []page.Value{page.Day(d.Day), page.Count(d.Visits), page.Count(d.Views),
				page.Count(d.Cart), page.Count(d.Orders)})
		}
		d = days[i]
		label, full := c.Show(page.Day(d.Day)), c.Show(page.Day(d.Day))
		visits.Points = append(visits.Points, page.Point{Label: label, Full: full, Value: dec.Int(d.Visits)})
		views.Points = append(views.Points, page.Point{Label: label, Full: full, Value: dec.Int(d.Views)})
	}
	s.Parts = append(s.Parts, page.Figures{{Label: "Visits", Value: page.Count(all.Visits)},
		{Label: "Pages looked at", Value: page.Count(all.Views)}, {Label: "Put into carts", Value: page.Count(all.Cart),
			Note: share(c, all.Cart, all.Visits)},
		{Label: "Orders", Value: page.Count(all.Orders), Note: share(c, all.Orders, all.Visits)}}, visits, views, grid)
	for _, t := range []struct {
		kind        analytics.Kind
		title, head string
	}{{analytics.Path, "Most looked at", "Page"}, {analytics.Referrer, "Where visitors come from", "Site"},
		{analytics.Event, "Events", "Event"}, {analytics.Miss, "Searches that found nothing", "Searched for"}} {
		top, err := analytics.Top(c.Tx, v.store, t.kind, from, to, mostRows)
		if err != nil {
			return s, err
		}
		g := page.Grid{Title: t.title, Heads: []string{t.head, "Times"}}
		for _, one := range top {
			g.Rows = append(g.Rows, []page.Value{page.Copied(one.Name), page.Count(one.Times)})
		}
		s.Side = append(s.Side, g)
	}
	return s, nil
}

// share says how large a part of all visits something is.
func share(c *page.Ctx, part, visits int64) string {
	if visits == 0 {
		return ""
	}
	return c.Say("%s of visits", c.Show(page.Percent(dec.Int(100*part).MulDivRound(dec.One, dec.Int(visits), 1))))
}
