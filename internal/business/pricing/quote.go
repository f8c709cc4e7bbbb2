package pricing

import (
	"cmp"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Situation is who asks, where, and when. All fields may be left out.
type Situation struct {
	Customer    *party.Customer
	Currency    string // wanted; else the customer's, else the channel's, else the base currency
	ChannelCode string
	Date        day.Date // else today

	channel Channel // with ChannelCode
}

// Ask is how much of an item is wanted. Unit "" is the base unit.
type Ask struct {
	Item     *catalog.Item // not changed
	Quantity dec.Dec       // in Unit
	Unit     string
	Impacts  []price.Impact // of its configuration, on a base unit
}

// For prices all lines of a document at once: one statement, and one more where a price starts from a cost. The rule is
// price.For. Refusals: Price.UnknownCurrency, Channel.NotFound.
func For(tx *db.Tx, s Situation, asks []Ask) ([]price.Quote, error) {
	c, terms, err := s.resolve(tx)
	if err != nil {
		return nil, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	questions := make([]price.Ask, len(asks))
	for i, a := range asks {
		taxed, _ := book.TaxCode(cmp.Or(a.Item.TaxCode, book.Defaults().TaxCode)) // an unknown one is none
		factor, _ := a.Item.Factor(a.Unit)                                        // what has none has no price
		// no line of a list begins or ends beyond the most
		quantity := limit.Quantity.AtMost(func() dec.Dec { return a.Quantity.Mul(factor) })
		questions[i] = price.Ask{Quantity: quantity, Decimals: a.Item.DecimalPlaces, Unit: a.Unit, Factor: factor,
			SalesPrice: a.Item.SalesPrice, Impacts: a.Impacts,
			TaxPercent: taxed.Percent("", terms.Date)}
	}
	offers, err := offersFor(tx, c, asks)
	if err != nil {
		return nil, err
	}
	costs, err := costsOf(tx, offers)
	if err != nil {
		return nil, err
	}
	quotes := make([]price.Quote, len(asks))
	for i, a := range asks {
		if c, ok := costs[a.Item.ID]; ok {
			questions[i].Cost = &c
		}
		quotes[i] = price.For(terms, questions[i], offers[a.Item.ID])
	}
	return quotes, nil
}

// CheckUnit refuses a unit that an item is not sold by: ItemUnit.UnknownUnit.
func CheckUnit(item *catalog.Item, unit string) error {
	if _, ok := item.Factor(unit); ok {
		return nil
	}
	return ErrUnknownUnit.At("unitCode",
		"item %s is not sold by %q: use its base unit, or give the item a factor for this unit", item.Number, unit)
}

// enter reads the channel of the situation.
func (s *Situation) enter(tx *db.Tx) error {
	if s.ChannelCode == "" {
		return nil
	}
	known, err := Channels(tx)
	if err != nil {
		return err
	}
	c, ok := known[record.Fold(s.ChannelCode)]
	if !ok {
		return ErrUnknownChannel.At("channelCode", "there is no channel %q; see GET /preview/channels", s.ChannelCode)
	}
	s.channel = c
	return nil
}

// terms are the currency and the day of a situation.
func (s Situation) terms(tx *db.Tx, book *reference.Book) (price.Terms, error) {
	t := price.Terms{Base: book.Base().Code, Date: cmp.Or(s.Date, tx.Today())}
	customers := ""
	if s.Customer != nil {
		customers = s.Customer.CurrencyCode
	}
	t.Currency = cmp.Or(s.Currency, customers, s.channel.CurrencyCode, t.Base)
	if c, ok := book.Currency(t.Currency); ok {
		t.Currency = c.Code
	} else if t.Currency != t.Base {
		return t, ErrUnknownCurrency.At("currencyCode",
			"%q is no currency of this company; see GET /preview/reference/currencies", t.Currency)
	}
	t.Rate = func(currency string) (dec.Rate, bool) { return book.RateOn(currency, t.Date) }
	return t, nil
}

// targets are the rows of price_list_target that apply in the situation.
func (s Situation) targets() []string {
	out := []string{toEverybody, toDefault}
	if s.Customer != nil {
		out = append(out, ofCustomer+":"+record.Fold(s.Customer.Number))
		if s.Customer.GroupCode != "" {
			out = append(out, ofGroup+":"+record.Fold(s.Customer.GroupCode))
		}
	}
	if s.channel.Code != "" {
		out = append(out, ofChannel+":"+record.Fold(s.channel.Code))
	}
	return out
}

// costsOf asks for the costs of those items that have a line which starts from the cost.
func costsOf(tx *db.Tx, offers map[string][]price.Offer) (map[string]dec.Dec, error) {
	var ids []string
	for id, list := range offers {
		if slices.ContainsFunc(list, needsCost) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	wanted := CostsWanted{ItemIDs: ids, Costs: make(map[string]dec.Dec, len(ids))}
	return wanted.Costs, tx.Fire(wanted)
}

func needsCost(o price.Offer) bool {
	return slices.ContainsFunc(o.Lines, func(l price.Line) bool { return l.Strategy.NeedsCost() })
}
