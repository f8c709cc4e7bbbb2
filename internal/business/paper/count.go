package paper

import (
	"strings"

	"kontor/internal/business/stock"
)

// CountSheet prints the rows of a count, to be taken along and filled in: where to go, what to count there, and room to
// write. What the books say stands on it unless the count is blind, what was counted once it was. It speaks the
// language of whoever counts. units are those that the items are counted in, by their ids.
func CountSheet(s Sender, language string, c stock.Count, units map[string]string) (File, error) {
	p := newSheet(s, Receiver{Language: language})
	p.letterhead(p.say.CountSheet, c.Number)
	p.y = 84
	p.barcode(c.Number, 28)
	p.y += 6
	p.pairs(plain, pair{p.say.Number, c.Number}, pair{p.say.Warehouse, c.Warehouse},
		pair{p.say.CountedBy, "______________"})
	p.y += lineHeight
	columns := []column{{p.say.Location, leftEdge, 70, whole}, {p.say.Item, 126, 84, whole},
		{p.say.Name, 214, 150, whole}, {p.say.Books, 368, 60, figure}, {p.say.Counted, 440, rightEdge - 440, figure}}
	p.heads(columns)
	for i := range c.Lines {
		l := &c.Lines[i]
		unit := units[l.ItemID]
		books, counted := "", strings.TrimSpace("____________ "+p.unit(unit))
		if !c.Hides() {
			books = p.quantity(l.Expected, unit)
		}
		if l.Counted != nil {
			counted = p.quantity(*l.Counted, unit)
		}
		what := l.ItemName
		if l.Batch != "" {
			what += "\n" + p.say.Batch + " " + l.Batch
		}
		if l.Serial != "" {
			what += "\n" + p.say.Serial + " " + l.Serial
		}
		p.row(columns, l.Location, l.Item, what, books, counted)
		p.y += 3
	}
	p.foot()
	return p.file("count-" + c.Number)
}
