package exchange

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/business/purchasing"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// purchaseSum adds up the rows of purchase orders as the file has them: nothing is rounded.
type purchaseSum struct {
	net, tax, freight dec.Dec
	ofOrder           map[string]dec.Dec // quantity by price, by folded number
	isOver            bool               // it comes to more than numbers hold
	strange           int                // orders whose status is none of ours
	status            string             // of one of them
}

// add takes in a row, once.
func (s *purchaseSum) add(p *purchases, r *row) {
	s.isOver = s.isOver || !limit.Total.Holds(func() dec.Dec { s.take(p, r); return s.net })
}

func (s *purchaseSum) take(p *purchases, r *row) {
	if s.ofOrder == nil {
		s.ofOrder = map[string]dec.Dec{}
	}
	key := p.whole(r)
	if p.first.of(r) == r {
		var o purchasing.Past
		if p.head(r, &o) == nil {
			s.tax, s.freight = s.tax.Add(o.Tax), s.freight.Add(o.Freight)
		}
		for _, from := range []*row{r, p.apartBy[key]} {
			if from != nil && from.get("status") != "" && statusOf(from, "") == "" {
				s.strange, s.status = s.strange+1, from.get("status")
			}
		}
	}
	if l, err := pastLine(r); err == nil && l.UnitPrice != nil {
		net := l.Quantity.Mul(*l.UnitPrice)
		s.net, s.ofOrder[key] = s.net.Add(net), s.ofOrder[key].Add(net)
	}
}

// cent is how far an order's own net amount may be from the sum of its lines before people are told.
const cent = dec.One / 100

// warnings are of orders whose net amount, as the file states it, is not that of their lines.
func (p *purchases) warnings() []fault.Said {
	var differ []string
	for key, net := range p.sum.ofOrder {
		for _, from := range []*row{p.first.first[key], p.apartBy[key]} {
			if from == nil || from.get("netAmount") == "" {
				continue
			}
			stated, err := decimalOf(strings.TrimSpace(from.get("netAmount")), from.comma)
			if err == nil && stated.Sub(net).Abs() >= cent {
				differ = append(differ, from.get("orderNumber"))
			}
		}
	}
	var out []fault.Said
	if len(differ) > 0 {
		slices.Sort(differ)
		out = append(out, fault.Say("%d orders state another net amount than their lines come to: %s", len(differ),
			strings.Join(differ[:min(5, len(differ))], ", ")))
	}
	if p.sum.strange > 0 {
		out = append(out, fault.Say(
			"%d orders have a status of another program, such as %q: theirs follows from their lines", p.sum.strange,
			p.sum.status))
	}
	if n := len(p.apartBy) - len(p.first.first); n > 0 {
		out = append(out, fault.Say(
			"%d orders of the table of heads have no lines in the file: they were not imported", n))
	}
	return out
}

// sums holds the file against the books; nothing where the orders are in several currencies.
func (p *purchases) sums(tx *db.Tx) ([]Sum, error) {
	var books purchasing.KnownOrder
	found := 0
	for part := range slices.Chunk(slices.Sorted(maps.Keys(p.first.first)), pageOf) {
		known, err := purchasing.KnownOrders(tx, part)
		if err != nil {
			return nil, err
		}
		for _, o := range known {
			if found++; found > 1 && o.Currency != books.Currency {
				return nil, nil
			}
			books.Currency = o.Currency
			books.Total, books.Tax, books.Freight = books.Total.Add(o.Total), books.Tax.Add(o.Tax),
				books.Freight.Add(o.Freight)
		}
	}
	if p.sum.isOver || found == 0 {
		return nil, nil
	}
	all := []Sum{
		{Name: "netAmount", File: p.sum.net, Books: books.Total,
			Why: "each line is rounded to the currency's decimals"},
		{Name: "taxAmount", File: p.sum.tax, Books: books.Tax, Why: "each order is rounded"},
		{Name: "freightAmount", File: p.sum.freight, Books: books.Freight, Why: "each order is rounded"},
		{Name: "totalAmount", File: p.sum.net.Add(p.sum.tax).Add(p.sum.freight),
			Books: books.Total.Add(books.Tax).Add(books.Freight), Why: "lines and orders are rounded"},
	}
	for i := range all {
		if all[i].File == all[i].Books {
			all[i].Why = ""
		}
	}
	return all, nil
}

// exportPurchases writes a row for each line of every order, and for whatever else came of it.
func exportPurchases(tx *db.Tx, p *printer) error {
	return record.Walk(record.Page{Size: pageOf}, func(page record.Page) (record.Found[purchasing.Order], error) {
		return purchasing.ListOrdersWhole(tx, page)
	}, func(all []purchasing.Order) error {
		numbers := each.Of(all, func(o purchasing.Order) string { return o.Number })
		came, err := stock.CameOf(tx, numbers)
		if err != nil {
			return err
		}
		for i := range all {
			o := &all[i]
			for k := range o.Lines {
				if err := exportPurchase(tx, p, o, &o.Lines[k], came[record.Fold(o.Number)]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// arrival is what came of a line on one day to one place, of one batch.
type arrival struct {
	on, location, batch string
	quantity            dec.Dec
	serials             []string
}

// arrivals are what came of a line, in the order in which it did.
func arrivals(tx *db.Tx, l *purchasing.OrderLine, came []stock.Came) (all []arrival) {
	for _, c := range came {
		if c.SourceLine != l.Number {
			continue
		}
		one := arrival{on: string(tx.DayOf(c.At)), location: c.Location, batch: c.Batch}
		at := slices.IndexFunc(all, func(a arrival) bool {
			return a.on == one.on && a.location == one.location && record.Fold(a.batch) == record.Fold(one.batch)
		})
		if at < 0 {
			at, all = len(all), append(all, one)
		}
		all[at].quantity = all[at].quantity.Add(c.Quantity)
		if c.Serial != "" {
			all[at].serials = append(all[at].serials, c.Serial)
		}
	}
	return all
}

// exportPurchase writes a line with what came of it first, and what came of it otherwise in rows of its own.
func exportPurchase(tx *db.Tx, p *printer, o *purchasing.Order, l *purchasing.OrderLine, came []stock.Came) error {
	head := []string{o.Number, o.SupplierNumber, o.SupplierReference, string(o.OrderDate), o.CurrencyCode,
		o.WarehouseCode, string(o.Status), o.Tax.Fixed(o.Digits), o.Freight.Fixed(o.Digits), o.Notes,
		o.Total.Fixed(o.Digits), textOf(l.Number), l.Item, l.Description}
	line := []string{l.Quantity.String(), l.UnitPrice.String(), string(l.ExpectedDate), l.Confirmed.String(),
		string(l.ConfirmedDate)}
	total := l.LineTotal.Fixed(o.Digits)
	all := arrivals(tx, l, came)
	if len(all) == 0 {
		return p.row(slices.Concat(head, line, make([]string, 5), []string{total})...)
	}
	for _, a := range all {
		err := p.row(slices.Concat(head, line, []string{a.quantity.String(), a.on, a.location, a.batch,
			joined(a.serials), total})...)
		if err != nil {
			return err
		}
		line, total = make([]string, len(line)), ""
	}
	return nil
}
