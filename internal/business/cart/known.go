package cart

import (
	"slices"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/db"
)

// What so much of an item costs on the same terms is the same in every cart: a line without anything to be said of it
// is remembered for all. It is shared, and must not be changed.

const lineWeight = 700 // bytes, about

// nameOf names what a line costs by what that depends on, besides the books.
func (p *pricer) nameOf(l *Line) string {
	v := p.visit
	return strings.Join([]string{"line", l.ItemID, l.Unit, l.Quantity.String(), v.Channel.Code, v.Customer.ID,
		v.Customer.GroupCode, p.cart.CurrencyCode, p.delivery.CountryCode}, "\x00")
}

// recall fills in the lines that are known; the others are looked at.
func (p *pricer) recall() {
	c := p.cart
	for i, l := range c.Lines {
		*l = Line{row: l.row, isDirty: l.isDirty}
		known, deps, ok := (*Line)(nil), db.Dependencies{}, false
		if !l.IsMadeToOrder() {
			known, deps, ok = db.CacheGet[*Line](p.tx, p.nameOf(l))
		}
		if !ok {
			p.fresh = append(p.fresh, i)
			continue
		}
		own := *known
		own.row, own.isDirty = l.row, l.isDirty
		*l = own
		c.deps = c.deps.And(deps)
		p.known = append(p.known, l)
	}
}

// remember keeps the lines that were looked at, on what this pricing depends on. One that several lines share the stock
// of, or that something is to be said of, is a matter of this cart, and so are those beside configurations.
func (p *pricer) remember(deps db.Dependencies) {
	c := p.cart
	isMade := func(n int) bool { return c.Lines[n].IsMadeToOrder() }
	if len(c.keys) > 0 || len(p.fresh) > db.MostCached || slices.ContainsFunc(p.fresh, isMade) {
		return
	}
	for _, n := range p.fresh {
		l := c.Lines[n]
		if !l.IsSellable || len(l.Warnings) > 0 {
			continue
		}
		known := *l
		known.row, known.isDirty = row{}, false
		p.tx.CachePut(p.nameOf(l), assortment.AlsoOn(p.tx, deps, []*assortment.Article{l.Article}), lineWeight, &known)
	}
}
