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

func (p *pricer) nameOf(l *Line) string {
	t := &p.cart.terms
	return strings.Join([]string{"line", l.ItemID, l.Unit, l.Quantity.String(), t.channel, t.customer, t.group,
		t.currency, t.country}, "\x00")
}

// recall fills in those of the lines that are looked at which are known; the others are looked at.
func (p *pricer) recall() {
	c := p.cart
	left := p.fresh[:0]
	for _, n := range p.fresh {
		l := c.Lines[n]
		if l.ConfigurationNumber != "" {
			left = append(left, n)
			continue
		}
		known, deps, ok := db.CacheGet[*Line](p.tx, p.nameOf(l))
		if !ok {
			left = append(left, n)
			continue
		}
		own := *known
		own.row, own.isDirty, own.isSummed = l.row, l.isDirty, len(c.keys) == 0
		*l = own
		if l.isRepriced() {
			c.Messages = append(c.Messages, p.changed(l))
		}
		c.deps = c.deps.And(deps)
		p.known = append(p.known, l)
	}
	p.fresh = left
}

// remember keeps the lines that were looked at, on what this pricing depends on. One that several lines share the stock
// of, or that something is to be said of, is a matter of this cart, and so are those beside configurations.
func (p *pricer) remember(deps db.Dependencies) {
	c := p.cart
	isConfigured := func(n int) bool { return c.Lines[n].ConfigurationNumber != "" }
	if len(c.keys) > 0 || len(p.fresh) > db.MostCached || slices.ContainsFunc(p.fresh, isConfigured) {
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
