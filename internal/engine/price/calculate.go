package price

import (
	"cmp"
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
)

const hundred = 100 * dec.One

// calculation is one ask on its way to its quote.
type calculation struct {
	Terms
	ask    Ask
	offers []Offer
}

// candidate is a list with the line that decides and its price of a base unit in the list's currency.
type candidate struct {
	offer *Offer
	line  *Line
	price dec.Dec
}

// currencies are those whose lists are looked at, in this order.
func (c *calculation) currencies() []string {
	if c.Currency == c.Base {
		return []string{c.Base}
	}
	return []string{c.Currency, c.Base}
}

// won is the price of a quantity, per unit of the ask and in its currency, with the list that decides; with none where
// it is the item's own.
func (c *calculation) won(quantity dec.Dec) (w candidate, p dec.Dec, ok bool) {
	for _, currency := range c.currencies() {
		if w, ok = c.best(currency, quantity); ok {
			p, _ = c.shown(w.price, currency) // best made sure of the rate
			return w, p, true
		}
	}
	if c.ask.SalesPrice == nil {
		return w, 0, false
	}
	p, ok = c.shown(*c.ask.SalesPrice, c.Base)
	return w, p, ok
}

// best is the winning candidate for a quantity among the lists in a currency.
func (c *calculation) best(currency string, quantity dec.Dec) (best candidate, found bool) {
	if currency != c.Currency {
		if _, ok := c.convert(dec.One, currency, c.Currency); !ok {
			return best, false
		}
	}
	for i := range c.offers {
		o := &c.offers[i]
		if !o.Applies || o.List.Currency != currency || !c.Date.Covers(o.List.ValidFrom, o.List.ValidTo) {
			continue
		}
		w, ok := c.at(o, quantity, 0)
		if ok && (!found || c.beats(w, best)) {
			best, found = w, true
		}
	}
	return best, found
}

// beats is the order between lists.
func (c *calculation) beats(w, other candidate) bool {
	a, b := w.offer.List, other.offer.List
	mine, others := w.price, other.price
	if a.IsPriceIncludingTax != b.IsPriceIncludingTax {
		mine, others = c.net(w), c.net(other)
	}
	return cmp.Or(cmp.Compare(a.Priority, b.Priority), cmp.Compare(mine, others), cmp.Compare(a.Code, b.Code)) < 0
}

// net is a candidate's price without tax.
func (c *calculation) net(w candidate) dec.Dec {
	if !w.offer.List.IsPriceIncludingTax {
		return w.price
	}
	return w.price.MulDiv(hundred, hundred.Add(c.ask.TaxPercent))
}

// at is a list's own price for a quantity. depth counts the lists passed on the way down a chain of parents.
func (c *calculation) at(o *Offer, quantity dec.Dec, depth int) (candidate, bool) {
	var line *Line
	for i := range o.Lines {
		l := &o.Lines[i]
		if l.fits(quantity, c.Date) && (line == nil || l.narrower(line)) {
			line = l
		}
	}
	if line == nil {
		return candidate{}, false
	}
	p, ok := c.priceOf(o, line, quantity, depth)
	return candidate{o, line, p}, ok
}

// fits reports whether the line is in force on the date for the quantity.
func (l *Line) fits(quantity dec.Dec, on day.Date) bool {
	return l.MinQuantity <= quantity && (l.MaxQuantity == nil || *l.MaxQuantity >= quantity) &&
		on.Covers(l.ValidFrom, l.ValidTo)
}

// narrower is the order between the lines of a list.
func (l *Line) narrower(other *Line) bool {
	return cmp.Or(cmp.Compare(l.MinQuantity, other.MinQuantity), cmp.Compare(l.ValidFrom, other.ValidFrom)) > 0
}

// priceOf is what a line gives for one base unit, in its list's currency, to six decimals.
func (c *calculation) priceOf(o *Offer, l *Line, quantity dec.Dec, depth int) (p dec.Dec, ok bool) {
	switch l.Strategy {
	case Fixed:
		if l.UnitPrice == nil {
			return 0, false
		}
		return *l.UnitPrice, true
	case CostPlusPercent, CostPlusAmount:
		if c.ask.Cost == nil {
			return 0, false
		}
		if p, ok = c.convert(*c.ask.Cost, c.Base, o.List.Currency); !ok {
			return 0, false
		}
		if l.Strategy == CostPlusAmount {
			p = p.Add(orZero(l.FixedAmount))
		} else {
			p = less(p, orZero(l.Percentage).Neg())
		}
	case BasePriceDiscount:
		if c.ask.SalesPrice == nil {
			return 0, false
		}
		if p, ok = c.convert(*c.ask.SalesPrice, c.Base, o.List.Currency); !ok {
			return 0, false
		}
		p = less(p, orZero(l.Percentage))
	case ParentPriceList:
		if p, ok = c.ofParent(o, quantity, depth); !ok {
			return 0, false
		}
		p = less(p, orZero(l.Percentage))
	default:
		return 0, false
	}
	return p, p >= 0
}

// ofParent is the parent list's price for the quantity, in the child's currency. Whether the parent is active or
// valid by itself does not matter: it is a source of numbers here, and its lines must be in force. A
// chain longer than there are lists goes in a circle and has no price; nor has one that mixes prices with
// and without tax, since the rate between them is the document's, not the list's.
func (c *calculation) ofParent(o *Offer, quantity dec.Dec, depth int) (dec.Dec, bool) {
	parent := c.offer(o.List.Parent)
	if parent == nil || depth >= len(c.offers) || parent.List.IsPriceIncludingTax != o.List.IsPriceIncludingTax {
		return 0, false
	}
	w, ok := c.at(parent, quantity, depth+1)
	if !ok {
		return 0, false
	}
	return c.convert(w.price, parent.List.Currency, o.List.Currency)
}

// offer finds a list among the offers.
func (c *calculation) offer(id string) *Offer {
	if id == "" {
		return nil
	}
	i := slices.IndexFunc(c.offers, func(o Offer) bool { return o.List.ID == id })
	if i < 0 {
		return nil
	}
	return &c.offers[i]
}

// convert is an amount in another currency at the day's rate, to six decimals: what is rounded to the minor
// digits is the amount of a line, not the price of a piece.
func (c *calculation) convert(amount dec.Dec, from, to string) (dec.Dec, bool) {
	return c.convertProduct(amount, dec.One, from, to)
}

// convertProduct is convert of amount * factor, rounded once.
func (c *calculation) convertProduct(amount, factor dec.Dec, from, to string) (dec.Dec, bool) {
	if from == to {
		return amount.Mul(factor), true
	}
	f, ok := c.rate(from)
	if !ok {
		return 0, false
	}
	t, ok := c.rate(to)
	if !ok {
		return 0, false
	}
	return dec.ConvertProduct(amount, factor, f, t, dec.Scale), true
}

func (c *calculation) rate(currency string) (dec.Rate, bool) {
	if currency == c.Base {
		return dec.Rate{Amount: dec.One, Units: dec.One}, true
	}
	r, ok := c.Rate(currency)
	return r, ok && r.Amount > 0 && r.Units > 0
}

// shown is an amount on a base unit as the ask wants it: on its unit, in its currency.
func (c *calculation) shown(amount dec.Dec, currency string) (dec.Dec, bool) {
	return c.convertProduct(amount, c.ask.Factor, currency, c.Currency)
}

// configured adds the impacts of the ask to its price: each for itself, to six decimals, so that the parts come to the
// whole.
func (c *calculation) configured(q Quote) Quote {
	q.BasePrice, q.Impacts = *q.UnitPrice, make([]dec.Dec, len(c.ask.Impacts))
	for i, m := range c.ask.Impacts {
		amount, ok := c.shown(m.Amount, c.Base)
		if !ok {
			return c.none()
		}
		q.Impacts[i] = amount.Add(q.BasePrice.MulDiv(m.Percent, hundred))
	}
	whole := q.BasePrice.Add(q.Surcharge())
	if whole < 0 {
		return c.none()
	}
	q.UnitPrice = &whole
	return q
}

// breaks are the quantities from which on the price is another, whichever list it comes from, each with that price in
// the terms of the quote; empty where one price holds for every quantity.
func (c *calculation) breaks(includingTax bool) []Break {
	turns := c.turns()
	if len(turns) == 1 {
		return nil
	}
	var breaks []Break
	for _, from := range turns {
		p, ok := dec.Dec(0), false
		holds := limit.Price.Holds(func() dec.Dec {
			p, ok = c.told(max(from, dec.Unit(c.ask.Decimals)), includingTax)
			return p
		})
		if n := len(breaks); ok && holds && (n == 0 || breaks[n-1].UnitPrice != p) {
			breaks = append(breaks, Break{from, p})
		}
	}
	if len(breaks) == 1 && breaks[0].MinQuantity <= 0 {
		return nil
	}
	return breaks
}

// told is the price of a quantity, with tax or without.
func (c *calculation) told(quantity dec.Dec, includingTax bool) (dec.Dec, bool) {
	w, p, ok := c.won(quantity)
	with := hundred.Add(c.ask.TaxPercent)
	switch is := w.offer != nil && w.offer.List.IsPriceIncludingTax; {
	case is && !includingTax:
		p = p.MulDiv(hundred, with)
	case !is && includingTax:
		p = p.MulDiv(with, hundred)
	}
	return p, ok
}

// turns are the quantities at which a line begins on the date, or has ended; and 0, which stands for the first unit.
func (c *calculation) turns() []dec.Dec {
	turns, unit := []dec.Dec{0}, dec.Unit(c.ask.Decimals)
	for i := range c.offers {
		lines := c.offers[i].Lines
		for n := range lines {
			l := &lines[n]
			if !c.Date.Covers(l.ValidFrom, l.ValidTo) {
				continue
			}
			turns = append(turns, l.MinQuantity)
			if l.MaxQuantity != nil && *l.MaxQuantity < limit.Quantity.Most() { // beyond which nobody asks
				turns = append(turns, l.MaxQuantity.Cut(c.ask.Decimals).Add(unit))
			}
		}
	}
	slices.Sort(turns)
	return slices.Compact(turns)
}

func orZero(d *dec.Dec) dec.Dec {
	if d == nil {
		return 0
	}
	return *d
}

// less is p with percent of it taken off.
func less(p, percent dec.Dec) dec.Dec { return p.MulDiv(hundred.Sub(percent), hundred) }

// sooner is the earlier of two days of which an empty one never comes.
func sooner(a, b day.Date) day.Date {
	if a == "" || b != "" && b < a {
		return b
	}
	return a
}
