package pricing

import (
	"slices"

	"kontor/internal/catalog"
	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/dec"
	"kontor/internal/price"
	"kontor/internal/reference"
)

// Recalculate brings the price that calculated lines of these items show up to date. It runs whenever a line of
// the items is written; what moves a price from outside (a cost, a sales price, an exchange rate) is followed
// by whoever changes it, or by the daily job. It decides what a price list shows, not what an order pays:
// orders calculate for themselves.
func Recalculate(tx *db.Tx, itemIDs []string) error {
	lines, err := calculatedLines(tx, itemIDs)
	if err != nil || len(lines) == 0 {
		return err
	}
	listIDs := distinct(lines, func(l Line) string { return l.listID })
	itemIDs = distinct(lines, func(l Line) string { return l.itemID })
	offers, err := offersToCalculate(tx, listIDs, itemIDs)
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

// day is the day a line's shown price is of: today, or its first or last day where it is not in force today.
func (l *Line) day(today day.Date) day.Date {
	if l.ValidTo != "" && l.ValidTo < today {
		return l.ValidTo
	}
	return max(today, l.ValidFrom)
}

func termsOf(book *reference.Book, on day.Date) price.Terms {
	base := book.Base().Code
	return price.Terms{Currency: base, Base: base, Date: on, Rate: func(currency string) (dec.Rate, bool) { return book.RateOn(currency, on) }}
}

func same(a, b *dec.Dec) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// distinct are the values that of takes from lines, each once, in order.
func distinct(lines []Line, of func(Line) string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = of(l)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
