package pricing

import (
	"fmt"
	"slices"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Type says who a price list is for; it is also the source that a price names.
type Type string

// The types of price lists.
const (
	// everybody where it is the company's default, else who buys in the channels that name it
	Standard      = Type(price.Standard)
	Customer      = Type(price.Customer)      // the customers assigned to it
	CustomerGroup = Type(price.CustomerGroup) // the groups assigned to it
	Campaign      = Type(price.Campaign)      // everybody, or who buys in the channels it names
	Contract      = Type(price.Contract)      // the customers assigned to it
)

// Values are the types, in the order they are shown.
func (Type) Values() []Type { return []Type{Standard, Customer, CustomerGroup, Campaign, Contract} }

// List is the head of a price list.
type List struct {
	record.Root
	Code, Name, Description string
	Type                    Type
	CurrencyCode            string `db:"currency"` // of every price in it
	IsActive                bool   // an inactive list is never applied to an order
	IsPriceIncludingTax     bool   `db:"is_inclusive"`
	Priority                int    // the lower number wins where several lists apply
	BasePriceListCode       string `db:"parent_code"` // the parent that lines of the strategy ParentPriceList start from
	ValidFrom, ValidTo      day.Date

	// Who the list is for; which of these a list may name depends on its type.
	IsDefault          bool // the one list of the company that prices where no other does
	CustomerNumbers    []string
	CustomerGroupCodes []string
	ChannelCodes       []string

	ParentID string `log:"-"`
}

// targets are the rows that say who a list is for.
func (l List) targets() []target {
	var out []target
	add := func(kind string, codes []string) {
		for _, c := range codes {
			out = append(out, target{kind + ":" + record.Fold(c), kind, c})
		}
	}
	add(ofCustomer, l.CustomerNumbers)
	add(ofGroup, l.CustomerGroupCodes)
	add(ofChannel, l.ChannelCodes)
	if l.IsDefault {
		out = append(out, target{name: toDefault})
	}
	if l.Type == Campaign && len(l.ChannelCodes) == 0 {
		out = append(out, target{name: toEverybody})
	}
	return out
}

// The kinds of targets, and the two targets that name nobody.
const (
	ofCustomer  = "customer"
	ofGroup     = "group"
	ofChannel   = "channel"
	toDefault   = "default"
	toEverybody = "everybody"
)

type target struct{ name, kind, code string }

// assign puts a target read from the database back where it came from.
func (l *List) assign(kind, code string) {
	switch kind {
	case ofCustomer:
		l.CustomerNumbers = append(l.CustomerNumbers, code)
	case ofGroup:
		l.CustomerGroupCodes = append(l.CustomerGroupCodes, code)
	case ofChannel:
		l.ChannelCodes = append(l.ChannelCodes, code)
	}
}

// clone is a copy that shares nothing with l.
func (l List) clone() List {
	l.CustomerNumbers = slices.Clone(l.CustomerNumbers)
	l.CustomerGroupCodes = slices.Clone(l.CustomerGroupCodes)
	l.ChannelCodes = slices.Clone(l.ChannelCodes)
	return l
}

// ListFilter narrows a list of price lists; its zero value takes all.
type ListFilter struct {
	Search       string // code, name, description
	Type         Type
	CurrencyCode string
	IsActive     *bool
}

// check verifies what a head says and names, and writes codes as their owners spell them. All that is wrong is
// reported at once: PriceList.UnknownCode, PriceList.Invalid, PriceList.ValidityRange.Invalid.
func (l *List) check(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var wrong fault.List
	wrong.If(l.Code == "", ErrInvalid, "code", "is missing: every price list has a code")
	wrong.If(l.Name == "", ErrInvalid, "name", "is missing: every price list has a name")
	wrong.If(!slices.Contains(Standard.Values(), l.Type), ErrInvalid, "type",
		"%q is no type of price lists: use one of %v", l.Type, Standard.Values())
	if c, ok := book.Currency(l.CurrencyCode); ok {
		l.CurrencyCode = c.Code
	} else {
		wrong.Add(ErrUnknownCode, "currencyCode",
			"%q is no currency of this company; see GET /preview/reference/currencies", l.CurrencyCode)
	}
	wrong.If(l.ValidFrom != "" && l.ValidTo != "" && l.ValidFrom > l.ValidTo, ErrListValidity, "validTo",
		"%s lies before validFrom %s: the last day may not come before the first", l.ValidTo, l.ValidFrom)
	if err := l.checkParent(tx, &wrong); err != nil {
		return err
	}
	l.checkKinds(&wrong)
	if err := l.checkTargets(tx, book, &wrong); err != nil {
		return err
	}
	return wrong.Err()
}

// checkParent finds the parent list. Circles are not refused here, since a list far away could close one
// later: a price that would go in a circle is none, see the price engine.
func (l *List) checkParent(tx *db.Tx, wrong *fault.List) error {
	l.ParentID = ""
	if l.BasePriceListCode == "" {
		return nil
	}
	if record.Fold(l.BasePriceListCode) == record.Fold(l.Code) {
		wrong.Add(ErrInvalid, "basePriceListCode", "a price list cannot be its own parent: name another list, or none")
		return nil
	}
	parent, err := lists.Find(tx, l.BasePriceListCode)
	switch {
	case fault.Is(err, ErrNotFound):
		wrong.Add(ErrUnknownCode, "basePriceListCode", "there is no price list %q; see GET /preview/price-lists",
			l.BasePriceListCode)
		return nil
	case err != nil:
		return err
	case parent.IsPriceIncludingTax != l.IsPriceIncludingTax:
		wrong.Add(ErrInvalid, "basePriceListCode",
			"prices of list %s have isPriceIncludingTax %t, of this one %t: a list can only follow a parent of its own kind",
			parent.Code, parent.IsPriceIncludingTax, l.IsPriceIncludingTax)
	}
	l.BasePriceListCode, l.ParentID = parent.Code, parent.ID
	return nil
}

// checkKinds refuses to name those a list of this type would never apply to.
func (l *List) checkKinds(wrong *fault.List) {
	rules := []struct {
		field string
		named bool
		types []Type
	}{
		{"customerNumbers", len(l.CustomerNumbers) > 0, []Type{Contract, Customer}},
		{"customerGroupCodes", len(l.CustomerGroupCodes) > 0, []Type{CustomerGroup}},
		{"channelCodes", len(l.ChannelCodes) > 0, []Type{Campaign, Standard}},
		{"isDefault", l.IsDefault, []Type{Standard}},
	}
	for _, r := range rules {
		wrong.If(r.named && !slices.Contains(r.types, l.Type), ErrInvalid, r.field,
			"only price lists of the types %v take it, this one is of type %s: change the type, or leave the field out",
			r.types, l.Type)
	}
}

// checkTargets verifies that everyone a list names exists, and orders and spells the names.
func (l *List) checkTargets(tx *db.Tx, book *reference.Book, wrong *fault.List) error {
	if len(l.CustomerNumbers) > 0 {
		found, err := party.FindMany(tx, l.CustomerNumbers)
		if err != nil {
			return err
		}
		l.CustomerNumbers = spelled(wrong, "customerNumbers", "customer", l.CustomerNumbers,
			func(key string) (string, bool) {
				c, ok := found[key]
				return c.Number, ok
			})
	}
	l.CustomerGroupCodes = spelled(wrong, "customerGroupCodes", "customer group", l.CustomerGroupCodes,
		func(key string) (string, bool) {
			g, ok := book.CustomerGroup(key)
			return g.Code, ok
		})
	if len(l.ChannelCodes) > 0 {
		known, err := Channels(tx)
		if err != nil {
			return err
		}
		l.ChannelCodes = spelled(wrong, "channelCodes", "channel", l.ChannelCodes, func(key string) (string, bool) {
			c, ok := known[key]
			return c.Code, ok
		})
	}
	return nil
}

// spelled are codes as their owners spell them, each once, in order; unknown ones are noted as wrong. No codes are nil,
// so that a head compares equal to the one that was read.
func spelled(wrong *fault.List, field, what string, codes []string, find func(key string) (string, bool)) []string {
	var out []string
	for i, c := range codes {
		if code, ok := find(record.Fold(c)); ok {
			out = append(out, code)
		} else {
			wrong.Add(ErrUnknownCode, fmt.Sprintf("%s[%d]", field, i), "there is no %s %q", what, c)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Create makes a price list. Making it the default takes that from the list that was. Refusals:
// PriceList.AlreadyExists and those of check.
func Create(tx *db.Tx, l List) (List, error) {
	if err := l.check(tx); err != nil {
		return l, err
	}
	// first, so that writers of heads queue and there is one default at most
	if err := record.BumpEpoch(tx); err != nil {
		return l, err
	}
	if l.IsDefault {
		if err := takeDefault(tx, ""); err != nil {
			return l, err
		}
	}
	l.Root = record.New(tx)
	if err := lists.Create(tx, &l); err != nil {
		return l, err
	}
	return l, insertTargets(tx, l)
}

// Change lays edit over a price list; its code stays. Refusals: PriceList.NotFound and those of check.
func Change(tx *db.Tx, code string, edit func(*List) error) (List, error) {
	if err := record.BumpEpoch(tx); err != nil { // first, see Create
		return List{}, err
	}
	before, err := lock(tx, code)
	if err != nil {
		return before, err
	}
	l := before.clone()
	if err := edit(&l); err != nil {
		return l, err
	}
	l.Root, l.Code = before.Root, before.Code
	if err := l.check(tx); err != nil {
		return l, err
	}
	if len(record.Diff(before, l)) == 0 {
		return l, tx.Match(l.ID, l.ETag())
	}
	if l.IsDefault && !before.IsDefault {
		if err := takeDefault(tx, l.ID); err != nil {
			return l, err
		}
	}
	if err := lists.Act(tx, "changed", before, &l); err != nil || slices.Equal(before.targets(), l.targets()) {
		return l, err
	}
	return l, replaceTargets(tx, l)
}

// takeDefault ends that another list than this one is the company's default: there is never more than one.
func takeDefault(tx *db.Tx, id string) error {
	old, found, err := lockDefault(tx)
	if err != nil || !found || old.ID == id {
		return err
	}
	if err := clearDefault(tx, old.ID); err != nil {
		return err
	}
	// The If-Match of the request is about the list that becomes the default, which carries another id.
	return Lists.Touched(tx, &old.Root, old.Code, "changed", map[string][2]any{"isDefault": {true, false}})
}

// ForgetCustomer takes a customer that is being deleted off the lists made for it; app subscribes it.
func ForgetCustomer(tx *db.Tx, e party.Deleting) error {
	target := ofCustomer + ":" + record.Fold(e.Customer.Number)
	lists, err := lockListsOf(tx, target)
	if err != nil || len(lists) == 0 {
		return err
	}
	changes := make([]record.Change, len(lists))
	for i := range lists {
		l := &lists[i]
		changes[i] = record.Change{Root: &l.Root, Key: l.Code, Action: "changed",
			Detail: map[string][2]any{"customerNumbers[" + e.Customer.Number + "]": {e.Customer.Number, nil}}}
	}
	if err := tx.Delete(db.Args{"target": target}, "price_list_target"); err != nil {
		return err
	}
	if err := Lists.ReportMany(tx, changes); err != nil {
		return err
	}
	return record.BumpEpoch(tx)
}
