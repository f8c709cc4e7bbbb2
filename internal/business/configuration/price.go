package configuration

import (
	"cmp"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/configure"
	"kontor/internal/engine/price"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
)

const hundred = 100 * dec.One

// Asking is who wants how much of a configured item, and where. Situation's customer is Customer.
type Asking struct {
	Item      *catalog.Item
	Customer  *party.Customer // nil = nobody in particular
	Quantity  dec.Dec         // in Unit
	Unit      string          // "" = the base unit
	Situation pricing.Situation
	Country   string // where the goods go; "" = the customer's country, else the company's
}

// Priced is what a configured item costs.
type Priced struct {
	Quote  price.Quote // of one unit; UnitPrice nil: there is no price
	Digits int         // minor digits of the currency
	Total  dec.Dec     // of the quantity, without tax
	Tax    dec.Dec     // on Total
	Impact dec.Dec     // of the whole quantity, in the base currency

	TaxPercent dec.Dec
}

// Price prices a configured item by the price rule. Refusals: those of pricing.For, Amount.TooLarge.
func Price(tx *db.Tx, a Asking, surcharges []price.Impact) (Priced, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return Priced{}, err
	}
	a.Situation.Customer = a.Customer
	quotes, err := pricing.For(tx, a.Situation,
		[]pricing.Ask{{Item: a.Item, Quantity: a.Quantity, Unit: a.Unit, Impacts: surcharges}})
	if err != nil {
		return Priced{}, err
	}
	p := Priced{Quote: quotes[0], Digits: book.Digits(quotes[0].CurrencyCode)}
	if p.Quote.UnitPrice == nil {
		return p, nil
	}
	if len(surcharges) == 0 {
		p.Quote.BasePrice = *p.Quote.UnitPrice
	}
	var wrong fault.List
	limit.Amount.Of(&wrong, "quantity", func() dec.Dec {
		p.Total = dec.Product(p.Digits, a.Quantity, *p.Quote.UnitPrice, hundred.Sub(p.Quote.DiscountPercent), hundred)
		return p.Total
	})
	if err := wrong.Err(); err != nil {
		return p, err
	}
	p.TaxPercent = a.taxPercent(tx, book)
	p.Total, p.Tax = tax.Line(p.Total, p.TaxPercent, p.Digits, p.Quote.IsPriceIncludingTax)
	p.Impact = a.impact(tx, book, &p.Quote, surcharges)
	return p, nil
}

func (a *Asking) taxPercent(tx *db.Tx, book *reference.Book) dec.Dec {
	country := cmp.Or(a.Country, tx.Info.Country)
	if a.Customer != nil {
		country = cmp.Or(a.Country, a.Customer.CountryCode, country)
	}
	code, ok := book.TaxCode(cmp.Or(a.Item.TaxCode, book.Defaults().TaxCode))
	if !ok {
		return 0
	}
	return code.Percent(country, tx.Today())
}

// impact is what the surcharges come to in the base currency: amounts as they are, percentages of the base price at the
// day's rate.
func (a *Asking) impact(tx *db.Tx, book *reference.Book, q *price.Quote, surcharges []price.Impact) dec.Dec {
	factor, _ := a.Item.Factor(a.Unit)
	base := q.BasePrice
	if q.CurrencyCode != book.Base().Code {
		if rate, ok := book.RateOn(q.CurrencyCode, cmp.Or(a.Situation.Date, tx.Today())); ok {
			base = dec.Convert(base, rate, dec.Rate{Amount: dec.One, Units: dec.One}, dec.Scale)
		}
	}
	var sum dec.Dec
	for _, s := range surcharges {
		sum = sum.Add(s.Amount.Mul(factor)).Add(base.MulDiv(s.Percent, hundred))
	}
	return sum.MulRound(a.Quantity, book.Digits(book.Base().Code))
}

// Question is what an item with choices is asked for, by what names it. Refusals: Item.NotFound,
// Configuration.NotConfigurable, Customer.NotFound, Warehouse.NotFound, and those of quantities.
func Question(tx *db.Tx, itemNumber, customerNumber, warehouseCode string, quantity dec.Dec) (Asking, *configure.Model,
	error) {
	var wrong fault.List
	item, model, err := found(tx, &wrong, itemNumber)
	if err != nil {
		return Asking{}, nil, err
	}
	c := Configuration{CustomerNumber: customerNumber, WarehouseCode: warehouseCode, Quantity: quantity}
	a := Asking{Item: &item, Quantity: quantity}
	if a.Customer, err = c.resolve(tx, &wrong, &item); err != nil {
		return a, nil, err
	}
	return a, model, wrong.Err()
}

// Calculation is what is to be said of choices, with what they cost.
type Calculation struct {
	configure.Answer
	Priced
	Schema *configure.Schema
	// Lines explain the price of one unit, in its currency and terms, and come to it: the base price, of no feature,
	// and what each choice adds. There are none where there is no price.
	Lines      []configure.Impact
	Components []Component // for one base unit
}

// Calculate holds choices against the schema of an item, and prices what of them is right. Refusals:
// Configuration.Invalid for a quantity that is not above 0, and those of Price.
func Calculate(tx *db.Tx, a Asking, model *configure.Model, choices []configure.Value) (Calculation, error) {
	if a.Quantity <= 0 {
		return Calculation{}, ErrInvalid.At("quantity", "must be above 0")
	}
	out := Calculation{Answer: model.Ask(choices), Schema: &model.Schema}
	out.Components = Components(&out.Answer)
	surcharges := each.Of(out.Impacts,
		func(m configure.Impact) price.Impact { return price.Impact{Amount: m.Amount, Percent: m.Percent} })
	var err error
	if out.Priced, err = Price(tx, a, surcharges); err != nil || out.Quote.UnitPrice == nil {
		return out, err
	}
	out.Lines = append(out.Lines, configure.Impact{Amount: out.Quote.BasePrice})
	for i, m := range out.Impacts {
		m.Amount = out.Quote.Impacts[i]
		out.Lines = append(out.Lines, m)
	}
	return out, nil
}

// Alternatives are what can be chosen of a feature, with all other choices as they are.
type Alternatives struct {
	Feature string
	Options []Alternative
}

// Alternative is an option, or yes or no ("true", "false"), with the messages of the rules that it would break.
type Alternative struct {
	Code     string
	IsLeft   bool
	Messages []string
}

// Alternatives are those of each feature that offers any.
func (c *Calculation) Alternatives() (all []Alternatives) {
	for _, f := range c.Schema.Features {
		options := each.Of(c.Left[f.Code], func(l configure.Left) Alternative {
			return Alternative{l.Code, l.IsLeft,
				each.Of(l.Breaks, func(n int) string { return c.Schema.Rules[n].Message })}
		})
		if len(options) > 0 {
			all = append(all, Alternatives{f.Code, options})
		}
	}
	return all
}

// Now is a configuration as it stands: with its price, and, where it is not ordered yet, with what of it no longer fits
// the schema. Of an ordered one the price is what its item costs now with what was ordered.
func (c *Configuration) Now(tx *db.Tx) (Calculation, error) {
	items, err := catalog.FindByID(tx, []string{c.ItemID})
	if err != nil {
		return Calculation{}, err
	}
	item := items[c.ItemID]
	a := Asking{Item: &item, Quantity: c.Quantity}
	if c.CustomerNumber != "" {
		k, err := party.FindMany(tx, []string{c.CustomerNumber})
		if err != nil {
			return Calculation{}, err
		}
		for _, customer := range k {
			a.Customer = &customer
		}
	}
	if c.OrderNumber != "" {
		p, err := Price(tx, a, c.Surcharges())
		return Calculation{Priced: p, Components: c.Components}, err
	}
	model, err := ModelOf(tx, c.ItemID)
	if err != nil {
		return Calculation{}, err
	}
	if model == nil { // it is no longer made to order: nothing of it fits
		model, _ = configure.Compile(configure.Schema{})
	}
	return Calculate(tx, a, model, c.Choices())
}
