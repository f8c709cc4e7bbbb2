package pricing

import (
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

// Profile tells situations apart that may have other prices: where it is equal, so is every price, as long as the
// company's epoch, its price lines and its costs stand. Refusals: those of For.
func Profile(tx *db.Tx, s Situation) (string, error) {
	c, terms, err := s.resolve(tx)
	if err != nil {
		return "", err
	}
	return c.applying + "|" + terms.Currency + "|" + string(terms.Date), nil
}

// Check refuses a situation that nothing can be priced in, with everything that is wrong: Price.UnknownCurrency,
// Channel.NotFound.
func (s Situation) Check(tx *db.Tx) error {
	_, err := s.resolveTerms(tx)
	return err
}

// resolveTerms enters the channel of the situation, and says its currency and its day.
func (s *Situation) resolveTerms(tx *db.Tx) (price.Terms, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return price.Terms{}, err
	}
	var wrong fault.List
	if err := wrong.AddError(s.enter(tx)); err != nil {
		return price.Terms{}, err
	}
	terms, err := s.terms(tx, book)
	if err := wrong.AddError(err); err != nil {
		return terms, err
	}
	return terms, wrong.Err()
}

// resolve is what prices something in a situation, the currency and the day.
func (s Situation) resolve(tx *db.Tx) (*choice, price.Terms, error) {
	terms, err := s.resolveTerms(tx)
	if err != nil {
		return nil, terms, err
	}
	heads, err := priceListsOf(tx)
	if err != nil {
		return nil, terms, err
	}
	return s.choice(tx, heads, terms.Date), terms, nil
}

// Apart are the items that may have another price in one situation than in the other; all is true where every item may.
func Apart(tx *db.Tx, a, b Situation) (itemIDs []string, all bool, err error) {
	one, terms, err := a.resolve(tx)
	if err != nil {
		return nil, false, err
	}
	other, others, err := b.resolve(tx)
	if err != nil || terms.Currency != others.Currency || terms.Date != others.Date {
		return nil, true, err
	}
	var only []string
	for id, applies := range one.lists {
		if applies && !other.lists[id] {
			only = append(only, id)
		}
	}
	for id, applies := range other.lists {
		if applies && !one.lists[id] {
			only = append(only, id)
		}
	}
	itemIDs, err = Listed(tx, only)
	return itemIDs, false, err
}

// Turning are the items whose prices may be others on one day than on another: a line or its list begins or ends after
// the earlier one and up to the later, which is the first where the clock was put back.
func Turning(tx *db.Tx, from, to day.Date) ([]string, error) {
	from, to = min(from, to), max(from, to)
	heads, err := priceListsOf(tx)
	if err != nil {
		return nil, err
	}
	var turned []string
	for id, l := range heads.lists {
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
