// Package freight is what delivery costs, and which town has which postal code.
//
// A rate says what a shipping method costs to a country or a range of postal codes there, in steps of the order's value
// or its weight. Of the rates of a method that apply, the most particular decides: one for the channel before one for
// all, one for the postal code before one for the country before one for everywhere; then one in the wanted currency;
// then the cheapest.
package freight

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Rates is the resource of freight rates. A rate has no number of its own: its key is its id.
var Rates = record.Define("freight-rates", "freight_rate", "FreightRate")

// What this room refuses.
var (
	ErrNotFound       = fault.New(fault.NotFound, "FreightRate.NotFound")
	ErrUnknownCode    = fault.New(fault.Invalid, "FreightRate.UnknownCode")
	ErrInvalid        = fault.New(fault.Invalid, "FreightRate.Invalid")
	ErrPostalNotFound = fault.New(fault.NotFound, "PostalCode.NotFound")
)

// Basis is what the steps of a rate count.
type Basis string

// The bases: the order's value in the rate's currency as the store shows prices, or its weight in kilograms.
const (
	Value  Basis = "Value"
	Weight Basis = "Weight"
)

// Values are all bases.
func (Basis) Values() []Basis { return []Basis{Value, Weight} }

// Step is the price from a value or weight on.
type Step struct {
	From  dec.Dec `json:"from"`
	Price dec.Dec `json:"price"`
}

// Rate is what a shipping method costs somewhere.
type Rate struct {
	record.Root
	MethodCode          string
	ChannelCode         string // "" = in every channel
	CountryCode         string `db:"country"` // "" = to every country
	PostalFrom          string // the beginning of the first postal code, "" = all of the country
	PostalTo            string // the beginning of the last, "" = as PostalFrom
	CurrencyCode        string `db:"currency"`
	IsPriceIncludingTax bool   `db:"is_inclusive"`
	Basis               Basis
	Steps               []Step   `db:",json"` // by From
	UpTo                *dec.Dec // above it the rate does not apply; nil = no limit
	FreeFrom            *dec.Dec // the order value from which delivery is free; nil = never
	TaxCode             string   // "" = the company's default
	EstimatedDays       *int
	IsActive            bool
}

// Create makes a rate. FreightRate.UnknownCode, FreightRate.Invalid, everything wrong at once.
func Create(tx *db.Tx, r Rate) (Rate, error) {
	if err := r.validate(tx); err != nil {
		return r, err
	}
	r.Root = record.New(tx)
	if err := rates.Create(tx, &r); err != nil {
		return r, err
	}
	return r, record.BumpEpoch(tx)
}

// Change edits a rate. FreightRate.NotFound and what Create refuses.
func Change(tx *db.Tx, id string, edit func(*Rate) error) (Rate, error) {
	before, r, err := rates.Change(tx, id, func(r *Rate) error {
		r.Steps = slices.Clone(r.Steps)
		return edit(r)
	}, func(_ Rate, r *Rate) error { return r.validate(tx) })
	if err != nil || r.Version == before.Version {
		return r, err
	}
	return r, record.BumpEpoch(tx)
}

// Delete removes a rate: orders keep the price they were given. FreightRate.NotFound.
func Delete(tx *db.Tx, id string) error {
	if err := rates.Delete(tx, id, nil); err != nil {
		return err
	}
	return record.BumpEpoch(tx)
}

// validate writes codes as the company spells them and refuses what breaks a rule.
func (r *Rate) validate(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var l fault.List
	if err := r.validateCodes(tx, book, &l); err != nil {
		return err
	}
	r.validateArea(&l)
	r.validatePrice(book.Digits(r.CurrencyCode), &l)
	return l.Err()
}

func (r *Rate) validateCodes(tx *db.Tx, book *reference.Book, l *fault.List) error {
	if m, ok := book.ShippingMethod(r.MethodCode); ok {
		r.MethodCode = m.Code
	} else {
		l.Add(ErrUnknownCode, "shippingMethodCode", "there is no shipping method %q", r.MethodCode)
	}
	if c, ok := book.Currency(cmp.Or(r.CurrencyCode, book.Base().Code)); ok {
		r.CurrencyCode = c.Code
	} else {
		l.Add(ErrUnknownCode, "currencyCode", "the company has no currency %q", r.CurrencyCode)
	}
	if t, ok := book.TaxCode(r.TaxCode); ok {
		r.TaxCode = t.Code
	} else if r.TaxCode != "" {
		l.Add(ErrUnknownCode, "taxCode", "there is no tax code %q", r.TaxCode)
	}
	if r.ChannelCode == "" {
		return nil
	}
	channels, err := pricing.Channels(tx)
	if err != nil {
		return err
	}
	if c, ok := channels[record.Fold(r.ChannelCode)]; ok {
		r.ChannelCode = c.Code
	} else {
		l.Add(ErrUnknownCode, "channelCode", "there is no channel %q", r.ChannelCode)
	}
	return nil
}

func (r *Rate) validateArea(l *fault.List) {
	r.CountryCode = strings.ToUpper(strings.TrimSpace(r.CountryCode))
	if _, ok := reference.Country(r.CountryCode); !ok && r.CountryCode != "" {
		l.Add(ErrUnknownCode, "countryCode", "%q is no country code of ISO 3166-1 (two letters, like SE)",
			r.CountryCode)
	}
	r.PostalFrom, r.PostalTo = compact(r.PostalFrom), compact(r.PostalTo)
	switch {
	case r.PostalFrom == "" && r.PostalTo == "":
		return
	case r.CountryCode == "":
		l.Add(ErrInvalid, "countryCode", "a range of postal codes lies in a country: name it")
	}
	r.PostalTo = cmp.Or(r.PostalTo, r.PostalFrom)
	l.If(r.PostalFrom == "" || len(r.PostalFrom) > longestPostal || len(r.PostalTo) > longestPostal ||
		r.PostalTo < r.PostalFrom, ErrInvalid, "postalTo", "give the beginnings of the first and the last postal code, such as 100 and 199")
}

const maxSteps = 50

func (r *Rate) validatePrice(digits int, l *fault.List) {
	l.If(!slices.Contains(r.Basis.Values(), cmp.Or(r.Basis, Value)), ErrInvalid, "basis", "must be Value or Weight")
	r.Basis = cmp.Or(r.Basis, Value)
	l.If(len(r.Steps) == 0 || len(r.Steps) > maxSteps, ErrInvalid, "steps",
		"give 1 to %d steps; below the first the rate does not apply", maxSteps)
	slices.SortStableFunc(r.Steps, func(a, b Step) int { return cmp.Compare(a.From, b.From) })
	for i, s := range r.Steps {
		at := fmt.Sprintf("steps[%d].", i)
		l.If(s.From < 0 || i > 0 && s.From == r.Steps[i-1].From, ErrInvalid, at+"from",
			"must not be negative, nor that of another step")
		limit.Total.Check(l, at+"from", s.From)
		limit.Amount.Check(l, at+"price", s.Price)
		l.If(s.Price < 0 || s.Price.Decimals() > digits, ErrInvalid, at+"price",
			"must be an amount in %s: not negative, at most %d decimals", r.CurrencyCode, digits)
	}
	l.If(r.UpTo != nil && *r.UpTo <= 0, ErrInvalid, "upTo", "must be above 0; leave it out for no limit")
	for _, m := range []struct {
		field string
		value *dec.Dec
	}{{"upTo", r.UpTo}, {"freeFrom", r.FreeFrom}} {
		if m.value != nil {
			limit.Total.Check(l, m.field, *m.value)
		}
	}
	l.If(r.FreeFrom != nil && *r.FreeFrom < 0, ErrInvalid, "freeFrom", "must not be negative; leave it out for never")
	l.If(r.EstimatedDays != nil && (*r.EstimatedDays < 0 || *r.EstimatedDays > 365), ErrInvalid, "estimatedDays",
		"must be from 0 to 365")
}

// Situation is an order that is to be delivered.
type Situation struct {
	ChannelCode  string
	CountryCode  string
	PostalCode   string // "" where it is not known yet: rates for ranges do not apply then
	CurrencyCode string
	WeightKg     dec.Dec
	Value        dec.Dec // of the goods after discounts, in CurrencyCode, as the store shows prices
	FreeOfCharge bool    // a discount code frees of freight
}

// Method is a shipping method with what it costs.
type Method struct {
	Code, Name, Carrier string
	IsPickup            bool
	CurrencyCode        string
	// Price is as its rate has it, with tax where IsPriceIncludingTax: what an order line for it is made of.
	Price               dec.Dec
	IsPriceIncludingTax bool
	TaxCode             string
	TaxPercent          dec.Dec
	PriceNet, Tax       dec.Dec
	FreeFrom            *dec.Dec
	EstimatedDays       *int
}

// PriceIncludingTax is what the buyer pays.
func (m Method) PriceIncludingTax() dec.Dec { return m.PriceNet.Add(m.Tax) }

// Methods are the ways an order can be delivered, the cheapest first. A company without any rate delivers by every
// active shipping method for nothing: until somebody writes rates, a shop can sell. A method for picking up needs no
// rate.
func Methods(tx *db.Tx, s Situation) ([]Method, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	t, err := db.FromReference(tx, "freight", func() (*tariff, error) { return load(tx) })
	if err != nil {
		return nil, err
	}
	d := quotation{s, book, tx.Today()}
	d.CountryCode = strings.ToUpper(s.CountryCode)
	d.PostalCode = Normal(d.CountryCode, s.PostalCode)
	var out []Method
	for _, m := range t.methods {
		if r, ok := d.rateOf(m, t.rates); ok {
			out = append(out, d.price(m, r))
		}
	}
	slices.SortStableFunc(out, func(a, b Method) int {
		return cmp.Or(cmp.Compare(a.PriceIncludingTax(), b.PriceIncludingTax()), cmp.Compare(a.Name, b.Name),
			cmp.Compare(a.Code, b.Code))
	})
	return out, nil
}

// Find is the method with this code, if the order can be delivered by it.
func Find(tx *db.Tx, s Situation, code string) (Method, bool, error) {
	all, err := Methods(tx, s)
	if err != nil {
		return Method{}, false, err
	}
	i := slices.IndexFunc(all, func(m Method) bool { return record.Fold(m.Code) == record.Fold(code) })
	if i < 0 {
		return Method{}, false, nil
	}
	return all[i], true, nil
}

// tariff is what prices of delivery come from: the active shipping methods and rates, kept in memory.
type tariff struct {
	methods []reference.ShippingMethod
	rates   []Rate
}

func load(tx *db.Tx) (*tariff, error) {
	t := &tariff{}
	for page := 1; ; page++ {
		const size = 200
		found, err := reference.ListShippingMethods(tx, reference.Filter{}, record.Page{Number: page, Size: size})
		if err != nil {
			return nil, err
		}
		for _, m := range found.Items {
			if m.IsActive {
				t.methods = append(t.methods, m)
			}
		}
		if page*size >= found.Total {
			break
		}
	}
	var err error
	t.rates, err = active(tx)
	return t, err
}

// quotation prices one order.
type quotation struct {
	Situation
	book *reference.Book
	on   day.Date
}

// rateOf is the rate that decides on a method.
func (d quotation) rateOf(m reference.ShippingMethod, all []Rate) (Rate, bool) {
	var best *Rate
	own := false
	for i := range all {
		r := &all[i]
		if record.Fold(r.MethodCode) != record.Fold(m.Code) {
			continue
		}
		own = true
		if d.meets(r) && (best == nil || d.before(r, best)) {
			best = r
		}
	}
	if best != nil {
		return *best, true
	}
	return Rate{Steps: []Step{{}}, CurrencyCode: d.CurrencyCode, Basis: Value}, len(all) == 0 || m.IsPickup && !own
}

// meets reports whether a rate is for the order: where it goes, and how large it is.
func (d quotation) meets(r *Rate) bool {
	if r.ChannelCode != "" && record.Fold(r.ChannelCode) != record.Fold(d.ChannelCode) ||
		r.CountryCode != "" && r.CountryCode != d.CountryCode ||
		r.PostalFrom != "" && !within(d.PostalCode, r.PostalFrom, r.PostalTo) {
		return false
	}
	if _, ok := d.convert(dec.One, d.CurrencyCode, r.CurrencyCode); !ok {
		return false
	}
	size := d.size(r)
	return size >= r.Steps[0].From && (r.UpTo == nil || size <= *r.UpTo)
}

// convert is an amount in another currency at the rate of the day; false where there is none.
func (d quotation) convert(amount dec.Dec, from, to string) (dec.Dec, bool) {
	if record.Fold(from) == record.Fold(to) {
		return amount, true
	}
	f, known := d.book.RateOn(from, d.on)
	t, wanted := d.book.RateOn(to, d.on)
	if !known || !wanted {
		return 0, false
	}
	return dec.Convert(amount, f, t, d.book.Digits(to)), true
}

// value is what the goods are worth in the currency of a rate.
func (d quotation) value(r *Rate) dec.Dec {
	v, _ := d.convert(d.Value, d.CurrencyCode, r.CurrencyCode)
	return v
}

// size is what the steps of a rate count.
func (d quotation) size(r *Rate) dec.Dec {
	if r.Basis == Weight {
		return d.WeightKg
	}
	return d.value(r)
}

// before reports whether rate a goes before rate b.
func (d quotation) before(a, b *Rate) bool {
	rank := func(r *Rate) (n int) {
		for _, particular := range []bool{r.ChannelCode != "", r.PostalFrom != "", r.CountryCode != "",
			record.Fold(r.CurrencyCode) == record.Fold(d.CurrencyCode)} {
			n *= 2
			if particular {
				n++
			}
		}
		return n
	}
	price := func(r *Rate) dec.Dec {
		p, _ := d.convert(r.step(d.size(r)).Price, r.CurrencyCode, d.CurrencyCode)
		return p
	}
	return cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(len(b.PostalFrom), len(a.PostalFrom)),
		cmp.Compare(price(a), price(b)), cmp.Compare(a.ID, b.ID)) < 0
}

// step is the last step at or below a size.
func (r *Rate) step(size dec.Dec) (out Step) {
	for _, s := range r.Steps {
		if s.From <= size {
			out = s
		}
	}
	return out
}

// price is what a method costs by its rate, in the order's currency.
func (d quotation) price(m reference.ShippingMethod, r Rate) Method {
	out := Method{Code: m.Code, Name: m.Name, Carrier: m.Carrier, IsPickup: m.IsPickup, CurrencyCode: d.CurrencyCode,
		EstimatedDays: r.EstimatedDays, IsPriceIncludingTax: r.IsPriceIncludingTax,
		TaxCode: cmp.Or(r.TaxCode, d.book.Defaults().TaxCode)}
	if r.FreeFrom != nil {
		free, _ := d.convert(*r.FreeFrom, r.CurrencyCode, d.CurrencyCode)
		out.FreeFrom = &free
	}
	if !d.FreeOfCharge && (r.FreeFrom == nil || d.value(&r) < *r.FreeFrom) {
		out.Price, _ = d.convert(r.step(d.size(&r)).Price, r.CurrencyCode, d.CurrencyCode)
	}
	if t, ok := d.book.TaxCode(out.TaxCode); ok {
		out.TaxPercent = t.Percent(d.CountryCode, d.on)
	}
	out.PriceNet, out.Tax = tax.Line(out.Price, out.TaxPercent, d.book.Digits(d.CurrencyCode), out.IsPriceIncludingTax)
	return out
}
