package pricing

import (
	"maps"
	"slices"
	"strings"

	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/reference"
)

// Profile tells situations apart that may have other prices: where it is equal, so is every price, as long as the company's
// epoch, its price lines and its costs stand. Refusals: those of For.
func Profile(tx *db.Tx, s Situation) (string, error) {
	lists, currency, on, err := s.resolve(tx)
	if err != nil {
		return "", err
	}
	return strings.Join(slices.Sorted(maps.Keys(lists)), " ") + "|" + currency + "|" + string(on), nil
}

// resolve are the lists that price something in a situation, the currency and the day.
func (s Situation) resolve(tx *db.Tx) (lists map[string]bool, currency string, on day.Date, err error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, "", "", err
	}
	if err = s.enter(tx); err != nil {
		return nil, "", "", err
	}
	terms, err := s.terms(tx, book)
	if err != nil {
		return nil, "", "", err
	}
	shelf, err := shelfOf(tx)
	if err != nil {
		return nil, "", "", err
	}
	lists = shelf.applying(s.targets(), s.channel.PriceListCode, terms.Date)
	maps.DeleteFunc(lists, func(_ string, applies bool) bool { return !applies })
	return lists, terms.Currency, terms.Date, nil
}

// Apart are the items that may have another price in one situation than in the other; all is true where every item may.
func Apart(tx *db.Tx, a, b Situation) (itemIDs []string, all bool, err error) {
	one, currency, on, err := a.resolve(tx)
	if err != nil {
		return nil, false, err
	}
	other, others, onOther, err := b.resolve(tx)
	if err != nil || currency != others || on != onOther {
		return nil, true, err
	}
	var only []string
	for id := range one {
		if !other[id] {
			only = append(only, id)
		}
	}
	for id := range other {
		if !one[id] {
			only = append(only, id)
		}
	}
	itemIDs, err = Listed(tx, only)
	return itemIDs, false, err
}

// Turning are the items whose prices may change because a day has passed: a line or its list begins or ends after one day and
// up to another.
func Turning(tx *db.Tx, from, to day.Date) ([]string, error) {
	shelf, err := shelfOf(tx)
	if err != nil {
		return nil, err
	}
	var turned []string
	for id, l := range shelf.lists {
		if from < l.ValidFrom && l.ValidFrom <= to || from <= l.ValidTo && l.ValidTo < to {
			turned = append(turned, id)
		}
	}
	itemIDs, err := Listed(tx, turned)
	if err != nil {
		return nil, err
	}
	more, err := turningLines(tx, from, to)
	return append(itemIDs, more...), err
}
