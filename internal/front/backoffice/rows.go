package backoffice

import (
	"strings"
	"unicode"

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
