package backoffice

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// Rows of goods: forms that ask what of a document's lines leaves, comes or is used go by the item. People read it; the
// number of the line goes along unseen.

// carried is what leaves or arrives of a line, as a form asks for it.
type carried struct {
	line                           int
	item, location, batch, serials string
	quantity                       dec.Dec
	what                           string // there is of it, in words
}

// lineOf is the line that a row is about, among those of which something may be moved: the one it was begun for, or
// where somebody wrote another item, the first of that.
func lineOf[L any](i, begun int, item string, among []L, of func(*L) (number int, item string)) (int, error) {
	first := 0
	for k := range among {
		number, about := of(&among[k])
		switch {
		case record.Fold(about) != record.Fold(item):
		case number == begun:
			return begun, nil
		case first == 0:
			first = number
		}
	}
	if first == 0 {
		return 0, page.Refusal("lines["+itoa(i)+"].itemNumber", "no row is about %s", item)
	}
	return first, nil
}

// serialsIn are the serial numbers that somebody typed or scanned into a field, with spaces, commas or semicolons
// between them.
func serialsIn(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || r == ',' || r == ';' })
}

// batchOf asks which batch leaves a warehouse, and offers those that lie there.
func batchOf(warehouse, item string, to *string) page.Field {
	f := page.Code("batchNumber", "Batch", to)
	if item != "" {
		f = f.Lookup(findBatches + page.Path(warehouse, item))
	}
	return f
}

// batchesThere finds the batches of an item that lie in a warehouse, what expires first before what keeps.
func batchesThere(c *page.Ctx, text string) ([]page.Option, error) {
	rows, err := stock.ListRows(c.Tx, stock.RowFilter{Item: c.Path("item"), Warehouse: c.Path("warehouse")}, all())
	if err != nil {
		return nil, err
	}
	there := map[string]stock.Row{}
	for _, r := range rows.Items {
		if r.Batch != "" && strings.Contains(record.Fold(r.Batch), record.Fold(text)) {
			r.OnHand = r.OnHand.Add(there[r.Batch].OnHand)
			there[r.Batch] = r
		}
	}
	found := slices.SortedFunc(maps.Values(there), func(a, b stock.Row) int {
		keeps := cmp.Compare(cmp.Or(a.Expiry, "~"), cmp.Or(b.Expiry, "~"))
		return cmp.Or(keeps, strings.Compare(a.Batch, b.Batch))
	})
	return options(found[:min(len(found), firstFew.Size)], func(r stock.Row) (string, string) {
		label := c.Show(page.Qty(r.OnHand))
		if r.Expiry != "" {
			label += " · " + c.Say("Expires") + " " + c.Show(page.Day(r.Expiry))
		}
		return r.Batch, label
	}), nil
}

// goodsLines are the rows of what leaves a warehouse or arrives there.
func goodsLines(c *page.Ctx, label, warehouse string, rows *[]carried) page.Field {
	places := locations(c, warehouse)
	return page.Lines("lines", label, rows, func(l *carried) []page.Field {
		return []page.Field{page.Mark("lineNumber", &l.line), itemOf(&l.item, l.what),
			page.Decimal("quantity", "Quantity", &l.quantity),
			page.Select("locationCode", "Location", &l.location, places),
			batchOf(warehouse, l.item, &l.batch), page.Text("serialNumbers", "Serial numbers", &l.serials)}
	}).NoSpare()
}

// sayPart is how much of something there is to do, in words.
func sayPart(c *page.Ctx, name string, q dec.Dec, unit string) string {
	return c.Say("%s: %s %s", name, c.Show(page.Qty(q)), unit)
}

// itemOf is the item of a row that was begun for somebody, who reads below its number what it is. It stands for the
// row's line, which nobody sees.
func itemOf(item *string, what string) page.Field {
	f := page.Code("itemNumber", "Item", item).At("lineNumber")
	if what != "" {
		f = f.Hint("%s", what)
	}
	return f
}

// linePrice is the price of a line of a document and what goes off it. It says where tax is in the price: the total of
// a line is without.
func linePrice(price dec.Dec, withTax bool, percent, off dec.Dec) page.Value {
	said := []page.Value{page.Money(price, "")}
	if withTax {
		said = append(said, page.Word("Includes tax"))
	}
	switch {
	case percent != 0:
		said = append(said, page.Percent(percent.Neg()))
	case off != 0:
		said = append(said, page.Money(off.Neg(), ""))
	}
	if len(said) == 1 {
		return said[0]
	}
	return page.Each(said...)
}
