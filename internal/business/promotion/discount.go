package promotion

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

const (
	longestCode = 50
	longestText = 200
	maxNamed    = 1_000 // items, categories, brands, channels, groups in one list
)

// Create makes a discount code. DiscountCode.AlreadyExists, also where a gift card has the code;
// DiscountCode.UnknownCode for what its scope names and nobody knows; Request.Invalid names every other rule that is
// broken.
func Create(tx *db.Tx, d Discount) (Discount, error) {
	if err := d.validate(tx); err != nil {
		return d, err
	}
	taken, err := isTaken(tx, Key(d.Code))
	if err != nil {
		return d, err
	}
	if taken {
		return d, ErrExists.Because("there is a discount code or gift card %s already: choose another code", d.Code)
	}
	d.Root, d.Used = record.New(tx), 0
	return d, discounts.Create(tx, &d)
}

// Change edits a discount code; one that is not to be used any more is made inactive, since orders name it. The code
// itself stays. DiscountCode.NotFound and what Create refuses.
func Change(tx *db.Tx, code string, edit func(*Discount) error) (Discount, error) {
	_, d, err := discounts.Change(tx, code, edit, func(_ Discount, d *Discount) error { return d.validate(tx) })
	return d, err
}

// validate writes codes as the company spells them and refuses what breaks a rule, everything at once.
func (d *Discount) validate(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var l fault.List
	d.Code, d.Description = strings.TrimSpace(d.Code), strings.TrimSpace(d.Description)
	checkCode(&l, d.Code)
	l.If(utf8.RuneCountInString(d.Description) > longestText, fault.ErrInvalid, "description",
		"has more than %d characters", longestText)
	l.If(d.ValidFrom != "" && d.ValidTo != "" && d.ValidTo < d.ValidFrom, fault.ErrInvalid, "validTo",
		"must not be before validFrom")
	l.If(d.LimitTotal < 0, fault.ErrInvalid, "limitTotal", "must not be negative; 0 is no limit")
	l.If(d.LimitCustomer < 0, fault.ErrInvalid, "limitCustomer", "must not be negative; 0 is no limit")
	d.validateGrant(book, &l)
	if err := d.Scope.validate(tx, book, &l); err != nil {
		return err
	}
	return l.Err()
}

func checkCode(l *fault.List, code string) {
	switch {
	case Key(code) == "":
		l.Add(fault.ErrInvalid, "code", "is required")
	case utf8.RuneCountInString(code) > longestCode:
		l.Add(fault.ErrInvalid, "code", "has more than %d characters", longestCode)
	}
}

// validateGrant checks what the code grants.
func (d *Discount) validateGrant(book *reference.Book, l *fault.List) {
	l.If(d.Percent < 0 || d.Percent > hundred, fault.ErrInvalid, "percent", "must be from 0 to 100, not %s",
		d.Percent)
	l.If(d.Amount < 0, fault.ErrInvalid, "amount", "must not be negative")
	l.If(d.MinValue < 0, fault.ErrInvalid, "minValue", "must not be negative; 0 is none")
	limit.Amount.Check(l, "amount", d.Amount)
	limit.Total.Check(l, "minValue", d.MinValue)
	switch {
	case d.Percent > 0 && d.Amount > 0:
		l.Add(fault.ErrInvalid, "amount", "a code grants a percentage or an amount: leave one of them 0")
	case d.Percent == 0 && d.Amount == 0 && !d.FreeFreight:
		l.Add(fault.ErrInvalid, "percent", "a code grants something: give percent, amount or freeFreight")
	}
	if d.Amount == 0 && d.MinValue == 0 {
		d.CurrencyCode = ""
		return
	}
	c, ok := book.Currency(d.CurrencyCode)
	if !ok {
		l.Add(ErrUnknownCode, "currencyCode", "amount and minValue need a currency of the company, not %q",
			d.CurrencyCode)
		return
	}
	d.CurrencyCode = c.Code
	for _, f := range []struct {
		name  string
		value dec.Dec
	}{{"amount", d.Amount}, {"minValue", d.MinValue}} {
		l.If(f.value.Decimals() > c.Decimals, fault.ErrInvalid, f.name,
			"%s has more decimals than amounts in %s, which have %d", f.value, c.Code, c.Decimals)
	}
}

// validate looks up everything that the scope names.
func (s *Scope) validate(tx *db.Tx, book *reference.Book, l *fault.List) error {
	s.CustomerGroups, s.Channels = slices.Clone(s.CustomerGroups), slices.Clone(s.Channels)
	for i, code := range s.CustomerGroups {
		if g, ok := book.CustomerGroup(code); ok {
			s.CustomerGroups[i] = g.Code
		} else {
			l.Add(ErrUnknownCode, fmt.Sprintf("scope.customerGroups[%d]", i), "there is no customer group %q", code)
		}
	}
	if len(s.Channels) > 0 {
		channels, err := pricing.Channels(tx)
		if err != nil {
			return err
		}
		for i, code := range s.Channels {
			if c, ok := channels[record.Fold(code)]; ok {
				s.Channels[i] = c.Code
			} else {
				l.Add(ErrUnknownCode, fmt.Sprintf("scope.channels[%d]", i), "there is no channel %q", code)
			}
		}
	}
	for _, g := range []struct {
		name  string
		goods *Goods
	}{{"scope.included", &s.Included}, {"scope.excluded", &s.Excluded}} {
		if err := g.goods.validate(tx, g.name, l); err != nil {
			return err
		}
	}
	return nil
}

func (g *Goods) validate(tx *db.Tx, path string, l *fault.List) error {
	if max(len(g.Items), len(g.Categories), len(g.Brands)) > maxNamed {
		l.Add(fault.ErrInvalid, path, "names more than %d: name their category or brand instead", maxNamed)
		return nil
	}
	items, err := catalog.FindMany(tx, g.Items)
	if err != nil {
		return err
	}
	g.Items = slices.Clone(g.Items)
	for i, n := range g.Items {
		if item, ok := items[record.Fold(n)]; ok {
			g.Items[i] = item.Number
		} else {
			l.Add(ErrUnknownCode, fmt.Sprintf("%s.items[%d]", path, i), "no item has the number %q", n)
		}
	}
	g.Categories, g.Brands = slices.Clone(g.Categories), slices.Clone(g.Brands)
	for i, code := range g.Categories {
		t, err := catalog.FindCategory(tx, code)
		g.Categories[i] = t.Code
		if fault.Is(err, catalog.ErrCategoryNotFound) {
			l.Add(ErrUnknownCode, fmt.Sprintf("%s.categories[%d]", path, i), "there is no category %q", code)
		} else if err != nil {
			return err
		}
	}
	for i, code := range g.Brands {
		b, err := catalog.FindBrand(tx, code)
		g.Brands[i] = b.Code
		if fault.Is(err, catalog.ErrBrandNotFound) {
			l.Add(ErrUnknownCode, fmt.Sprintf("%s.brands[%d]", path, i), "there is no brand %q", code)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// covers is the question whether a line is one that the code reduces, with the categories it names spread out to those
// below them.
func (s Scope) covers(tx *db.Tx) (func(Good) bool, error) {
	included, err := s.Included.named(tx)
	if err != nil {
		return nil, err
	}
	excluded, err := s.Excluded.named(tx)
	all := s.Included.isEmpty()
	return func(g Good) bool { return (all || included.has(g)) && !excluded.has(g) }, err
}

// named are goods in the form they are compared in.
type named struct{ items, categories, brands map[string]bool }

func (n named) has(g Good) bool {
	return n.items[g.Item] || g.Category != "" && n.categories[g.Category] || g.Brand != "" && n.brands[g.Brand]
}

func (g Goods) named(tx *db.Tx) (named, error) {
	n := named{setOf(g.Items), map[string]bool{}, setOf(g.Brands)}
	for _, code := range g.Categories {
		below, err := catalog.CategorySubtree(tx, code)
		if err != nil {
			return n, err
		}
		for _, c := range below {
			n.categories[record.Fold(c)] = true
		}
	}
	return n, nil
}

func setOf(codes []string) map[string]bool {
	out := make(map[string]bool, len(codes))
	for _, c := range codes {
		out[record.Fold(c)] = true
	}
	return out
}
