package price

import (
	"cmp"
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
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

// best is the winning candidate among the lists in a currency.
func (c *calculation) best(currency string) (best candidate, found bool) {
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
		w, ok := c.at(o, c.ask.Quantity, 0)
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
	if from == to {
		return amount, true
	}
	f, ok := c.rate(from)
	if !ok {
		return 0, false
	}
	t, ok := c.rate(to)
	if !ok {
		return 0, false
	}
	return dec.Convert(amount, f, t, dec.Scale), true
}

func (c *calculation) rate(currency string) (dec.Rate, bool) {
	if currency == c.Base {
		return dec.Rate{Amount: dec.One, Units: dec.One}, true
	}
	r, ok := c.Rate(currency)
	return r, ok && r.Amount > 0 && r.Units > 0
}

// shown is a list's price of a base unit as the ask wants it: of its unit, in its currency.
func (c *calculation) shown(p dec.Dec, currency string) dec.Dec {
	p, _ = c.convert(p.Mul(c.ask.Factor), currency, c.Currency) // best made sure of the rate
	return p
}

// quote is the answer for the winner.
func (c *calculation) quote(w candidate) Quote {
	list, line := w.offer.List, w.line
	unitPrice, minQuantity := c.shown(w.price, list.Currency), line.MinQuantity
	return Quote{
		UnitPrice: &unitPrice, CurrencyCode: c.Currency, IsPriceIncludingTax: list.IsPriceIncludingTax,
		Source: list.Type, ListCode: list.Code, ListName: list.Name, MinQuantity: &minQuantity,
		ValidFrom: max(line.ValidFrom, list.ValidFrom), ValidTo: sooner(line.ValidTo, list.ValidTo),
		Breaks: c.breaks(w.offer), Unit: c.ask.Unit,
	}
}

// configured adds the impacts of the ask to its price: each for itself, to six decimals, so that the parts come to the
// whole.
func (c *calculation) configured(q Quote) Quote {
	q.BasePrice, q.Impacts = *q.UnitPrice, make([]dec.Dec, len(c.ask.Impacts))
	for i, m := range c.ask.Impacts {
		amount, ok := c.convert(m.Amount.Mul(c.ask.Factor), c.Base, c.Currency)
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

// breaks are the quantities from which on a list's price is another, each with that price; empty where one price
// holds for every quantity. Where a line follows the parent list, the parent's quantities count too.
func (c *calculation) breaks(o *Offer) []Break {
	var breaks []Break
	for _, quantity := range c.starts(o) {
		w, ok := c.at(o, quantity, 0)
		if !ok {
			continue
		}
		p := c.shown(w.price, o.List.Currency)
		if n := len(breaks); n == 0 || breaks[n-1].UnitPrice != p {
			breaks = append(breaks, Break{quantity, p})
		}
	}
	if len(breaks) == 1 && breaks[0].MinQuantity <= 0 {
		return nil
	}
	return breaks
}

// starts are the quantities at which a line of the list, or of a parent it follows, begins on the date.
func (c *calculation) starts(o *Offer) []dec.Dec {
	var starts []dec.Dec
	for range c.offers { // a chain of parents that is longer goes in a circle
		follows := false
		for i := range o.Lines {
			if l := &o.Lines[i]; c.Date.Covers(l.ValidFrom, l.ValidTo) {
				starts = append(starts, l.MinQuantity)
				follows = follows || l.Strategy == ParentPriceList
			}
		}
		parent := c.offer(o.List.Parent)
		if !follows || parent == nil {
			break
		}
		o = parent
	}
	slices.Sort(starts)
	return slices.Compact(starts)
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
