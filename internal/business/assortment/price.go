package assortment

import (
	"cmp"
	"slices"

	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Ask is how much of an article is wanted. Unit "" is the one it is sold by.
type Ask struct {
	Article  *Article
	Quantity dec.Dec
	Unit     string
}

// Price is what an article costs a viewer, for one Unit. Which of the two amounts the books keep, Quote says; the other
// one follows by the tax of the viewer's country, rounded to the currency's digits.
type Price struct {
	ItemID                string
	CurrencyCode          string
	Digits                int
	Unit                  string
	UnitPrice             *dec.Dec // without tax; nil where nothing says a price
	UnitPriceIncludingTax *dec.Dec
	// ComparePrice is the item's own price, as the viewer sees prices, where the price is lower.
	ComparePrice *dec.Dec
	TaxPercent   dec.Dec
	IncludesTax  bool        // how the viewer sees prices
	Quote        price.Quote // as an order line gets it
	Breaks       []Break
}

// Break is the price from a quantity (of base units) on.
type Break struct{ MinQuantity, UnitPrice, UnitPriceIncludingTax dec.Dec }

// Shown is the price as the viewer sees prices; nil where there is none.
func (p Price) Shown() *dec.Dec {
	if p.IncludesTax {
		return p.UnitPriceIncludingTax
	}
	return p.UnitPrice
}

// Prices are what articles cost the viewer, in the order asked, by the one price rule of the house: a constant number
// of statements. A parent, which is not bought itself, costs what the variant does that costs least; its own price is
// that of variants which have none.
func Prices(tx *db.Tx, v Viewer, asks []Ask) ([]Price, error) {
	found, err := variantsOf(tx, v.Channel, each.Of(asks, func(a Ask) *Article { return a.Article })...)
	if err != nil {
		return nil, err
	}
	return pricesWith(tx, v, asks, func(a *Article) []*Article { return found[a.Item.ID] })
}

// pricesWith is Prices where the variants are known.
func pricesWith(tx *db.Tx, v Viewer, asks []Ask, variants func(*Article) []*Article) ([]Price, error) {
	all := slices.Clone(asks)
	for _, a := range asks {
		for _, one := range variants(a.Article) {
			all = append(all, Ask{one, a.Quantity, a.Unit})
		}
	}
	prices, err := ownPrices(tx, v, all)
	if err != nil {
		return nil, err
	}
	out, rest := prices[:len(asks)], prices[len(asks):]
	for i, a := range asks {
		n := len(variants(a.Article))
		if a.Article.Variants > 0 {
			out[i] = out[i].of(rest[:n])
		}
		rest = rest[n:]
	}
	return out, nil
}

// of is the price of a parent that costs p itself.
func (p Price) of(variants []Price) Price {
	least := cheapest(variants, Price.Shown)
	if least == nil {
		return p
	}
	from := *least
	from.ItemID = p.ItemID
	return from
}

// cheapest is the price of the least amount, the first of several; nil where none has an amount.
func cheapest(prices []Price, amount func(Price) *dec.Dec) (least *Price) {
	for i := range prices {
		if p := amount(prices[i]); p != nil && (least == nil || *p < *amount(*least)) {
			least = &prices[i]
		}
	}
	return least
}

// ownPrices are what articles cost by themselves.
func ownPrices(tx *db.Tx, v Viewer, asks []Ask) ([]Price, error) {
	out := make([]Price, len(asks))
	if len(asks) == 0 {
		return out, nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	questions := make([]pricing.Ask, len(asks))
	for i, a := range asks {
		unit := cmp.Or(a.Unit, a.Article.Unit())
		questions[i] = pricing.Ask{Item: &a.Article.Item, Quantity: a.Quantity, Unit: unit}
	}
	quotes, err := pricing.For(tx, v.Situation(), questions)
	if err != nil {
		return nil, err
	}
	t := taxing{book: book, country: v.Country, on: tx.Today(), includes: v.IncludesTax}
	for i, q := range quotes {
		out[i] = t.price(asks[i].Article, q)
		out[i].ComparePrice = t.compare(questions[i], q, out[i])
	}
	return out, nil
}

// taxing is how amounts are turned into those without and with tax.
type taxing struct {
	book     *reference.Book
	country  string
	on       day.Date
	includes bool
}

func (t taxing) percent(taxCode string) dec.Dec {
	c, ok := t.book.TaxCode(taxCode)
	if !ok {
		return 0
	}
	return c.Percent(t.country, t.on)
}

// both are an amount without and with tax.
func both(amount, percent dec.Dec, digits int, inclusive bool) (net, gross dec.Dec) {
	n, vat := tax.Line(amount, percent, digits, inclusive)
	if inclusive {
		return n, amount
	}
	return amount, n.Add(vat)
}

func (t taxing) price(a *Article, q price.Quote) Price {
	digits := t.book.Digits(q.CurrencyCode)
	p := Price{ItemID: a.Item.ID, CurrencyCode: q.CurrencyCode, Digits: digits, Unit: q.Unit,
		TaxPercent: t.percent(a.Item.TaxCode), IncludesTax: t.includes, Quote: q, Breaks: make([]Break, len(q.Breaks))}
	if q.UnitPrice != nil {
		net, gross := both(*q.UnitPrice, p.TaxPercent, digits, q.IsPriceIncludingTax)
		p.UnitPrice, p.UnitPriceIncludingTax = &net, &gross
	}
	for i, b := range q.Breaks {
		p.Breaks[i].MinQuantity = b.MinQuantity
		p.Breaks[i].UnitPrice, p.Breaks[i].UnitPriceIncludingTax = both(b.UnitPrice, p.TaxPercent, digits,
			q.IsPriceIncludingTax)
	}
	return p
}

// compare is the item's own price as the viewer sees prices, where the quoted one is lower.
func (t taxing) compare(a pricing.Ask, q price.Quote, p Price) *dec.Dec {
	if a.Item.SalesPrice == nil || p.Shown() == nil {
		return nil
	}
	factor, ok := a.Item.Factor(a.Unit)
	if !ok {
		return nil
	}
	base := t.book.Base().Code
	terms := price.Terms{Currency: q.CurrencyCode, Base: base, Date: t.on,
		Rate: func(c string) (dec.Rate, bool) { return t.book.RateOn(c, t.on) }}
	own := price.For(terms, price.Ask{Quantity: dec.One, Unit: a.Unit, Factor: factor, SalesPrice: a.Item.SalesPrice},
		nil)
	if own.UnitPrice == nil {
		return nil
	}
	net, gross := both(*own.UnitPrice, p.TaxPercent, p.Digits, false)
	if t.includes {
		net = gross
	}
	if net <= *p.Shown() {
		return nil
	}
	return &net
}
