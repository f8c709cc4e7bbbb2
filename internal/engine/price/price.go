// Package price is the one price function of the house: what an order line, a quote, a configuration, a
// cart, a feed and the price calls of the APIs all pay. It is a pure function of offers, terms and an ask,
// and says which list the price comes from, and why.
package price

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
)

// Source says where a price comes from.
type Source string

// The sources: the type of the price list that won, the item's own sales price, or nothing.
const (
	Contract      Source = "Contract"
	Customer      Source = "Customer"
	CustomerGroup Source = "CustomerGroup"
	Campaign      Source = "Campaign"
	Standard      Source = "Standard"
	ListPrice     Source = "ListPrice"
	None          Source = "None"
)

// Values are the sources, in the order they are shown.
func (Source) Values() []Source {
	return []Source{Contract, Customer, CustomerGroup, Campaign, Standard, ListPrice, None}
}

// Strategy says how a line of a price list comes to its price.
type Strategy string

// The strategies. A percentage of BasePriceDiscount and ParentPriceList is taken off, a negative one put on.
const (
	Fixed             Strategy = "Fixed"             // as entered
	CostPlusPercent   Strategy = "CostPlusPercent"   // average cost and a percentage of it
	CostPlusAmount    Strategy = "CostPlusAmount"    // average cost and an amount in the list's currency
	BasePriceDiscount Strategy = "BasePriceDiscount" // the item's sales price less a percentage
	ParentPriceList   Strategy = "ParentPriceList"   // the parent list's price less a percentage
)

// Values are the strategies, in the order they are shown.
func (Strategy) Values() []Strategy {
	return []Strategy{Fixed, CostPlusPercent, CostPlusAmount, BasePriceDiscount, ParentPriceList}
}

// NeedsCost reports whether the strategy starts from the item's cost.
func (s Strategy) NeedsCost() bool { return s == CostPlusPercent || s == CostPlusAmount }

// Line is one price of one item in a list. Quantities count base units, the price is for one of them.
type Line struct {
	MinQuantity dec.Dec  // from this quantity on; 0 = from the first unit
	MaxQuantity *dec.Dec // up to this one, inclusive; nil = no limit
	ValidFrom   day.Date // "" = open
	ValidTo     day.Date
	Strategy    Strategy
	UnitPrice   *dec.Dec // of a Fixed line
	Percentage  *dec.Dec
	FixedAmount *dec.Dec // added to the cost by CostPlusAmount
}

// List is the head of a price list, as far as a price depends on it.
type List struct {
	ID, Code, Name      string
	Type                Source // Contract, Customer, CustomerGroup, Campaign or Standard
	Currency            string
	IsPriceIncludingTax bool
	Priority            int    // the lower number wins
	Parent              string // ID of the list that ParentPriceList lines start from
	ValidFrom, ValidTo  day.Date
}

// Offer is a list with its lines for the item that is asked about.
type Offer struct {
	List List
	// Applies is true for a list that may price the ask: active, and meant for this customer, group,
	// channel or everybody. The others are only the parents that lists which apply start from.
	Applies bool
	Lines   []Line
}

// Terms are what all asks of one call have in common.
type Terms struct {
	Currency string // wanted
	Base     string // the company's, in which costs and sales prices are kept
	Date     day.Date
	// Rate is the exchange rate of a currency on the date, against the base currency.
	Rate func(currency string) (dec.Rate, bool)
}

// Ask is how much of an item is wanted, and what the item itself says about its price.
type Ask struct {
	Quantity   dec.Dec  // in base units
	Decimals   int      // that a quantity of the item may have
	Unit       string   // the price is for one of it
	Factor     dec.Dec  // base units per Unit; 0 = the item is not sold by it, and has no price
	SalesPrice *dec.Dec // of a base unit, in the base currency
	// TaxPercent is the rate at which lists with tax and lists without are compared.
	TaxPercent dec.Dec
	Cost       *dec.Dec // average, of a base unit, in the base currency; nil = unknown
	Impacts    []Impact // of what is chosen of a configured item, on a base unit
}

// Impact is what a choice adds to the price of a base unit, or takes off it: an amount in the base currency, in the
// terms of the price that it is added to (with tax where that has it), and a percentage of that price.
type Impact struct{ Amount, Percent dec.Dec }

// Break is the price from a quantity on. The quantity counts base units as the lines do.
type Break struct{ MinQuantity, UnitPrice dec.Dec }

// Quote is a price and where it comes from. UnitPrice is for one Unit in CurrencyCode, nil when there is
// none; an order line then needs a price of its own.
type Quote struct {
	UnitPrice *dec.Dec
	// strategies yield net prices, so it is 0 until a rule grants a discount apart from the price
	DiscountPercent     dec.Dec
	CurrencyCode        string
	IsPriceIncludingTax bool
	Source              Source
	ListCode, ListName  string   // "" when no list won
	MinQuantity         *dec.Dec // of the line that won, in base units
	ValidFrom, ValidTo  day.Date // how long line and list both are in force
	Breaks              []Break  // of the price, whichever list it comes from, by quantity
	Unit                string
	// Of a configured item: UnitPrice is BasePrice and what each of the impacts comes to. Breaks are those of
	// BasePrice.
	BasePrice dec.Dec
	Impacts   []dec.Dec
}

// Surcharge is what the impacts of a configured item come to together.
func (q *Quote) Surcharge() dec.Dec { return dec.Sum(q.Impacts...) }

// For is the price of an ask. Candidates are the offers that apply, are valid on the date and have a line in
// force for the quantity: those in the wanted currency, else, where there is none, those in the base
// currency, converted at the day's rate. Of a list the line with the greatest minQuantity not above the quantity
// decides, then the latest validFrom; between lists the lowest priority number, then the lowest price, then the code.
// Without a candidate it is the item's sales price, converted. A line whose price cannot be computed (no
// cost, no rate, parents in a circle) leaves its list without a candidate.
//
// What is chosen of a configured item is added to that; where it takes off more than there is, there is no price.
// There is none either above the bound of prices: one item that is set up wrongly does not leave all others of a list
// or a shop without theirs.
//
// Used by item prices, order lines, quotes, configurations, carts and feeds.
func For(t Terms, a Ask, offers []Offer) (q Quote) {
	c := calculation{t, a, offers}
	if !limit.Price.Holds(func() dec.Dec {
		if q = c.base(); len(a.Impacts) > 0 && q.UnitPrice != nil {
			q = c.configured(q)
		}
		return orZero(q.UnitPrice)
	}) || a.Factor <= 0 {
		return c.none()
	}
	return q
}

// none is the quote where there is no price.
func (c *calculation) none() Quote {
	return Quote{CurrencyCode: c.Currency, Source: None, Unit: c.ask.Unit}
}

// base is the price of an item as it is.
func (c *calculation) base() Quote {
	q := c.none()
	w, p, ok := c.won(c.ask.Quantity)
	if ok {
		q.UnitPrice, q.Source = &p, ListPrice
	}
	if w.offer != nil {
		list, minQuantity := w.offer.List, w.line.MinQuantity
		q.IsPriceIncludingTax, q.MinQuantity = list.IsPriceIncludingTax, &minQuantity
		q.Source, q.ListCode, q.ListName = list.Type, list.Code, list.Name
		q.ValidFrom, q.ValidTo = max(w.line.ValidFrom, list.ValidFrom), sooner(w.line.ValidTo, list.ValidTo)
	}
	q.Breaks = c.breaks(q.IsPriceIncludingTax)
	return q
}

// Calculate is what one line of a list gives for one base unit on a date, in the list's currency: the last
// calculated price that a list shows for its calculated lines. offers hold the list (with this ID) and its parents.
func Calculate(t Terms, a Ask, listID string, l Line, offers []Offer) (p dec.Dec, ok bool) {
	c := calculation{t, a, offers}
	o := c.offer(listID)
	if o == nil {
		return 0, false
	}
	holds := limit.Price.Holds(func() dec.Dec {
		p, ok = c.priceOf(o, &l, smallest(l), 0)
		return p
	})
	return p, ok && holds
}

// smallest is the least quantity a line is meant for.
func smallest(l Line) dec.Dec {
	if l.MinQuantity > 0 {
		return l.MinQuantity
	}
	return dec.One
}
