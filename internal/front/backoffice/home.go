package backoffice

import (
	"kontor/internal/business/checkout"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/business/support"
	"kontor/internal/business/transfer"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// daysShown is how far back the charts go.
const daysShown = 30

// dashboard is how the company stands at a glance. It shows what the person may see.
func dashboard() page.Page {
	return page.Board{Path: "/", Title: "Overview", Menu: true, Show: func(c *page.Ctx) ([]page.Part, error) {
		figures, err := standing(c)
		if err != nil {
			return nil, err
		}
		parts := []page.Part{figures}
		for _, make := range []func(*page.Ctx) ([]page.Part, error){toAnswer, toPick, toBuy, charts, shortages} {
			more, err := make(c)
			if err != nil {
				return nil, err
			}
			parts = append(parts, more...)
		}
		return parts, nil
	}}
}

// standing are the figures.
func standing(c *page.Ctx) (page.Figures, error) {
	var out page.Figures
	if c.May("sales-orders:read") {
		n, err := sales.CountOpen(c.Tx)
		if err != nil {
			return nil, err
		}
		out = append(out, page.Figure{Label: "Orders to release", Value: page.Count(n[sales.Placed]),
			Href: "/orders?status=Placed"},
			page.Figure{Label: "Orders released", Value: page.Count(n[sales.Released]),
				Href: "/orders?status=Released"})
	}
	if c.May("invoices:read") {
		due, err := dueInvoices(c)
		if err != nil {
			return nil, err
		}
		out = append(out, due...)
		for _, one := range []counted{
			{label: "Refunds to transfer", href: "/refunds?waits=yes", tone: page.Warn,
				count: of(checkout.ListHandRefunds, checkout.HandRefundFilter{Waits: new(true)})},
			{label: "Orders without payment", href: "/payments?unheld=yes", tone: page.Bad,
				count: of(checkout.ListPayments, checkout.PaymentFilter{IsUnheld: true})},
		} {
			n, err := one.count(c.Tx)
			if err != nil {
				return nil, err
			}
			if n > 0 { // most companies have none, ever
				out = append(out, page.Figure{Label: one.label, Value: page.Count(n), Href: one.href, Tone: one.tone})
			}
		}
	}
	if c.May("jobs:read") {
		counts, err := jobs.Counts(c.Tx)
		if err != nil {
			return nil, err
		}
		failed, unsent := 0, 0
		for _, k := range counts {
			switch {
			case k.Status == jobs.Failed:
				failed += k.Jobs
			case k.Status == jobs.Waiting && k.Kind == mail.Kind.Name:
				unsent += k.Jobs
			}
		}
		out = append(out, toned(page.Figure{Label: "Mails not sent yet", Value: page.Count(unsent),
			Href: "/jobs?status=Waiting&kind=mail"}, unsent, page.Warn))
		out = append(out, toned(page.Figure{Label: "Failed jobs", Value: page.Count(failed),
			Href: "/jobs?status=Failed"}, failed, page.Bad))
	}
	return out, nil
}

// waiting are figures of lists, each with what it counts.
type waiting struct {
	title string
	all   []counted
}

type counted struct {
	label, href, permission string
	tone                    page.Tone
	count                   func(tx *db.Tx) (int, error)
}

// part is what of it the person may see.
func (k waiting) part(c *page.Ctx) ([]page.Part, error) {
	out := page.Titled{Title: k.title}
	for _, one := range k.all {
		if !c.May(one.permission) {
			continue
		}
		n, err := one.count(c.Tx)
		if err != nil {
			return nil, err
		}
		out.Figures = append(out.Figures, toned(page.Figure{Label: one.label, Value: page.Count(n), Href: one.href}, n,
			one.tone))
	}
	if len(out.Figures) == 0 {
		return nil, nil
	}
	return []page.Part{out}, nil
}

// of counts what a list shows.
func of[F, T any](list func(*db.Tx, F, record.Page) (record.Found[T], error), f F) func(tx *db.Tx) (int, error) {
	return func(tx *db.Tx) (int, error) {
		found, err := list(tx, f, record.Page{Number: 1, Size: 1})
		return found.Total, err
	}
}

// toAnswer is what waits for whoever speaks with customers.
func toAnswer(c *page.Ctx) ([]page.Part, error) {
	return waiting{"Customers", []counted{
		{"New tickets", "/tickets?status=New", "tickets:read", "",
			of(support.List, support.Filter{Status: support.New})},
		{"Late tickets", "/tickets?overdue=yes", "tickets:read", page.Bad,
			of(support.List, support.Filter{Overdue: true})},
		{"Quotes to send", "/quotes?status=Draft", "quotes:read", "",
			of(quoting.List, quoting.Filter{Status: quoting.Draft})},
		{"Quotes without an answer", "/quotes?status=Sent", "quotes:read", "",
			of(quoting.List, quoting.Filter{Status: quoting.Sent})},
	}}.part(c)
}

// toPick is what waits for a picker.
func toPick(c *page.Ctx) ([]page.Part, error) {
	open := map[shipping.Status]int{}
	if c.May("shipments:read") {
		var err error
		if open, err = shipping.CountOpen(c.Tx); err != nil {
			return nil, err
		}
	}
	shipments := func(n int) func(*db.Tx) (int, error) { return func(*db.Tx) (int, error) { return n, nil } }
	return waiting{"Warehouse", []counted{
		{"Shipments to pick", "/shipments?status=Released", "shipments:read", "",
			shipments(open[shipping.Released] + open[shipping.Picking])},
		{"Failed deliveries", "/shipments?status=Failed", "shipments:read", page.Bad, shipments(open[shipping.Failed])},
		{"Goods to come today", "/purchase-orders?due=today", "purchase-orders:read", "", of(purchasing.ListOrders,
			purchasing.OrderFilter{IsOpen: true, DueFrom: c.Tx.Today(), DueTo: c.Tx.Today()})},
		{"Transfers to ship", "/transfers?status=Released", "transfers:read", "",
			of(transfer.List, transfer.Filter{Status: transfer.Released})},
		{"Transfers on the road", "/transfers?status=InTransit", "transfers:read", "",
			of(transfer.List, transfer.Filter{Status: transfer.InTransit})},
		{"Counts under way", "/counts?status=Open", "inventory:read", "",
			of(stock.ListCounts, stock.CountFilter{Status: stock.CountOpen})},
	}}.part(c)
}

// toBuy is what waits for a purchaser.
func toBuy(c *page.Ctx) ([]page.Part, error) {
	return waiting{"Purchasing", []counted{
		{"Purchase orders to send", "/purchase-orders?status=Draft", "purchase-orders:read", "",
			of(purchasing.ListOrders, purchasing.OrderFilter{Status: purchasing.Drafted})},
		{"Not confirmed yet", "/purchase-orders?status=Sent", "purchase-orders:read", "",
			of(purchasing.ListOrders, purchasing.OrderFilter{Status: purchasing.Sent})},
		{"Late goods", "/purchase-orders?due=late", "purchase-orders:read", page.Warn, of(purchasing.ListOrders,
			purchasing.OrderFilter{IsOpen: true, DueTo: c.Tx.Today().AddDays(-1)})},
		{"Invoices to approve", "/supplier-invoices?status=Waiting", "purchase-orders:read", page.Warn,
			of(payable.List, payable.Filter{Status: payable.Waiting})},
	}}.part(c)
}

// toned gives a figure a tone where it is above zero.
func toned(f page.Figure, n int, t page.Tone) page.Figure {
	if n > 0 {
		f.Tone = t
	}
	return f
}

// dueInvoices are what customers owe, in the company's currency by the rates of today.
func dueInvoices(c *page.Ctx) (page.Figures, error) {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	due, err := invoicing.Due(c.Tx, c.Tx.Today())
	if err != nil {
		return nil, err
	}
	var balance, late dec.Dec
	n := 0
	for _, d := range due {
		balance = addInBase(balance, book, d.Balance, d.Currency, c.Tx.Today())
		late = addInBase(late, book, d.OverdueBalance, d.Currency, c.Tx.Today())
		n += d.Overdue
	}
	return page.Figures{
		{Label: "To be paid", Value: page.Whole(balance, base(c)), Href: "/invoices?paid=Unpaid"},
		toned(page.Figure{Label: "Overdue", Value: page.Whole(late, base(c)), Note: c.Say("%d invoices", n),
			Href: "/invoices?paid=" + overdue}, n, page.Warn),
	}, nil
}

// addInBase adds an amount in the company's currency by the rate of a day, or as it is where there is no rate, to a
// figure, which ends at dec.Cap.
func addInBase(sum dec.Dec, book *reference.Book, amount dec.Dec, currency string, on day.Date) dec.Dec {
	base := book.Base().Code
	rate, ok := book.RateOn(currency, on)
	if currency == base || !ok {
		return sum.AddCapped(amount)
	}
	return sum.AddCapped(dec.Capped(func() dec.Dec {
		return dec.Convert(amount, rate, dec.Rate{Amount: dec.One, Units: dec.One}, book.Digits(base))
	}))
}

// charts are what was ordered day by day.
func charts(c *page.Ctx) ([]page.Part, error) {
	if !c.May("sales-orders:read") {
		return nil, nil
	}
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	today := c.Tx.Today()
	from := today.AddDays(1 - daysShown)
	days, err := sales.Days(c.Tx, from)
	if err != nil {
		return nil, err
	}
	totals, orders := map[day.Date]dec.Dec{}, map[day.Date]int{}
	for _, d := range days {
		totals[d.Date] = addInBase(totals[d.Date], book, d.Total, d.Currency, d.Date)
		orders[d.Date] += d.Orders
	}
	amounts := page.Bars{Title: "Ordered a day, without tax", Currency: base(c)}
	counts := page.Bars{Title: "Orders a day"}
	for d := from; d <= today; d = d.AddDays(1) {
		short, full := string(d)[5:], c.Show(page.Day(d))
		if c.Language() != "sv" {
			short = d.Time().Format("2 Jan")
		}
		amounts.Points = append(amounts.Points, page.Point{Label: short, Full: full, Value: totals[d]})
		counts.Points = append(counts.Points, page.Point{Label: short, Full: full, Value: dec.Int(int64(orders[d]))})
	}
	return []page.Part{amounts, counts}, nil
}

// shortages are the items that orders wait for.
func shortages(c *page.Ctx) ([]page.Part, error) {
	if !c.May("inventory:read") {
		return nil, nil
	}
	rows, all, err := sales.Shortages(c.Tx, 8)
	if err != nil {
		return nil, err
	}
	grid := page.Grid{Title: "What orders wait for", Heads: []string{"Item", "Name", "Warehouse", "Lines", "Waiting",
		"Wanted"}, Empty: "Nothing is missing."}
	for _, s := range rows {
		grid.Rows = append(grid.Rows, []page.Value{page.To(s.Item, page.Path("items", s.Item)), page.T(s.Name),
			warehouses.called(c, s.Warehouse), page.Count(s.Lines), page.Qty(s.Waiting), page.Day(s.Wanted)})
	}
	if all > len(rows) {
		grid.Foot = []page.Value{page.T(c.Say("and %d more", all-len(rows))), {}, {}, {}, {}, {}}
	}
	return []page.Part{grid}, nil
}
