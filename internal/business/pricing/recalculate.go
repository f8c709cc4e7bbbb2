package pricing

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
)

// Recalculate brings the price that calculated lines of these items show up to date. It runs whenever a line of
// the items is written; what moves a price from outside (a cost, a sales price, an exchange rate) is followed by
// whoever changes it, or by RecalculateAll. It decides what a price list shows, not what an order pays:
// orders calculate for themselves.
func Recalculate(tx *db.Tx, itemIDs []string) error {
	lines, err := calculatedLines(tx, itemIDs)
	if err != nil || len(lines) == 0 {
		return err
	}
	heads, err := priceListsOf(tx)
	if err != nil {
		return err
	}
	lists := map[string]bool{}
	for _, l := range lines {
		lists[l.listID] = true
	}
	itemIDs = distinct(lines, func(l Line) string { return l.itemID })
	offers, err := readOffers(tx, heads, heads.withParents(lists), itemIDs,
		distinct(lines, func(l Line) string { return l.itemKey }))
	if err != nil {
		return err
	}
	items, err := catalog.FindByID(tx, itemIDs)
	if err != nil {
		return err
	}
	costs, err := costsOf(tx, offers)
	if err != nil {
		return err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var writes []write
	for _, l := range lines {
		a := price.Ask{Factor: dec.One, SalesPrice: items[l.itemID].SalesPrice}
		if c, ok := costs[l.itemID]; ok {
			a.Cost = &c
		}
		after := l
		after.UnitPrice = nil
		if p, ok := price.Calculate(termsOf(book, l.day(tx.Today())), a, l.listID, l.Line, offers[l.itemID]); ok {
			after.UnitPrice = &p
		}
		if !same(l.UnitPrice, after.UnitPrice) {
			after.CalculatedAt = tx.Now
			writes = append(writes, write{&after, &l, "calculated"})
		}
	}
	return writeLines(tx, writes)
}

// itemsAtOnce is how many items one transaction calculates anew.
const itemsAtOnce = 100

// RecalculateAll is Recalculate for every item that has a calculated line, as a sweep: some at a time.
func RecalculateAll(tx *db.Tx, from string) (next string, err error) {
	itemIDs, err := calculatedItems(tx, from)
	if err != nil || len(itemIDs) == 0 {
		return "", err
	}
	return itemIDs[len(itemIDs)-1], Recalculate(tx, itemIDs)
}

// day is the day a line's shown price is of: today, or its first or last day where it is not in force today.
func (l *Line) day(today day.Date) day.Date {
	if l.ValidTo != "" && l.ValidTo < today {
		return l.ValidTo
	}
	return max(today, l.ValidFrom)
}

func termsOf(book *reference.Book, on day.Date) price.Terms {
	base := book.Base().Code
	return price.Terms{Currency: base, Base: base, Date: on,
		Rate: func(currency string) (dec.Rate, bool) { return book.RateOn(currency, on) }}
}

func same(a, b *dec.Dec) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// distinct are the values that of takes from lines, each once, in order.
func distinct(lines []Line, of func(Line) string) []string {
	out := each.Of(lines, of)
	slices.Sort(out)
	return slices.Compact(out)
}
