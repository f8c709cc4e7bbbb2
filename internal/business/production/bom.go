package production

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/engine/planning"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// BOM is the bill of materials of an item.
type BOM struct {
	record.Root
	ItemID string `log:"-"`
	Item   string // number
	Lines  []BOMLine
}

// BOMLine is a component. Quantity is in the component's base unit, for one of the item; ScrapPercent comes on top of
// it.
type BOMLine struct {
	ItemID       string `log:"-"`
	Item         string
	Quantity     dec.Dec
	ScrapPercent dec.Dec
	ValidFrom    day.Date // "" = always
	ValidTo      day.Date // the last day; "" = for ever
}

// mostLines is how many components a bill of materials may have.
const mostLines = 1_000

// On are the components that hold on a day.
func (b *BOM) On(today day.Date) (lines []BOMLine) {
	return each.Where(b.Lines, func(l BOMLine) bool { return today.Covers(l.ValidFrom, l.ValidTo) })
}

// ChangeBOM lays edit over the bill of materials of an item, and makes it where there is none; one left without lines
// is removed. The lines name their items by number.
//
// Refuses with Item.NotFound, BillOfMaterials.Invalid and BillOfMaterials.Cycle, which names the circle.
func ChangeBOM(tx *db.Tx, itemNumber string, edit func(*BOM) error) (BOM, error) {
	item, err := catalog.Find(tx, itemNumber)
	if fault.Is(err, catalog.ErrNotFound) {
		err = ErrItemNotFound.At("itemNumber", "no item has the number %q", itemNumber)
	}
	if err != nil {
		return BOM{}, err
	}
	// Two that each close a half of a circle must not pass one another.
	if err := tx.OneByOne("boms"); err != nil {
		return BOM{}, err
	}
	before, found, err := bomOf(tx, item.ID, db.ForUpdate)
	if err != nil {
		return BOM{}, err
	}
	b := boms.Copy(&before)
	if !found {
		b = BOM{ItemID: item.ID, Item: item.Number}
	}
	if err := edit(&b); err != nil {
		return b, err
	}
	b.Root, b.ItemID, b.Item = before.Root, item.ID, item.Number
	if err := b.check(tx); err != nil {
		return b, err
	}
	switch {
	case len(b.Lines) == 0 && !found:
		return b, nil
	case len(b.Lines) == 0:
		return b, boms.Drop(tx, &before)
	case !found:
		b.Root = record.New(tx)
		return b, boms.Create(tx, &b)
	}
	return b, boms.Changed(tx, before, &b)
}

// check holds the lines against the rules, finds their items and puts them in order: by component, then by the day they
// begin.
func (b *BOM) check(tx *db.Tx) error {
	numbers := each.Of(b.Lines, func(v BOMLine) string { return v.Item })
	items, err := catalog.FindMany(tx, numbers)
	if err != nil {
		return err
	}
	var wrong fault.List
	wrong.If(len(b.Lines) > mostLines, ErrBOMInvalid, "lines", "a bill of materials has at most %d lines, not %d",
		mostLines, len(b.Lines))
	for i := range b.Lines {
		l := &b.Lines[i]
		at := fmt.Sprintf("lines[%d].", i)
		item, known := items[record.Fold(l.Item)]
		wrong.If(!known, ErrItemNotFound, at+"itemNumber", "no item has the number %q", l.Item)
		l.ItemID, l.Item = item.ID, item.Number
		l.check(&wrong, at)
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	slices.SortStableFunc(b.Lines, func(x, y BOMLine) int {
		return cmp.Or(cmp.Compare(record.Fold(x.Item), record.Fold(y.Item)), cmp.Compare(x.ValidFrom, y.ValidFrom))
	})
	for i := 1; i < len(b.Lines); i++ {
		if x, y := b.Lines[i-1], b.Lines[i]; x.ItemID == y.ItemID && x.ValidFrom == y.ValidFrom {
			wrong.Add(ErrBOMInvalid, "lines", "item %s is named twice from the same day on: name it once, with the sum",
				y.Item)
		}
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	return b.refuseCircle(tx)
}

func (l *BOMLine) check(wrong *fault.List, at string) {
	wrong.If(l.Quantity <= 0, ErrBOMInvalid, at+"quantity", "must be above 0")
	limit.Quantity.Check(wrong, at+"quantity", l.Quantity)
	checkScrap(wrong, at+"scrapPercent", l.ScrapPercent)
	wrong.If(l.ValidTo != "" && l.ValidTo < l.ValidFrom, ErrBOMInvalid, at+"validTo",
		"must not be before the day from which the line holds")
}

// checkScrap notes what cannot be lost of a component as wrong with the field at path.
func checkScrap(wrong *fault.List, path string, percent dec.Dec) {
	wrong.If(percent < 0 || percent > dec.Int(1000), ErrBOMInvalid, path, "must be from 0 to 1000 percent")
}

// refuseCircle follows the components down, whatever the days they hold on, and refuses when the item itself is met.
func (b *BOM) refuseCircle(tx *db.Tx) error {
	type step struct{ from, name string }
	steps := map[string]step{} // component id -> what is made of it
	frontier := make([]string, 0, len(b.Lines))
	meet := func(parent, id, name string) error {
		if id != b.ItemID {
			if _, seen := steps[id]; !seen {
				steps[id] = step{parent, name}
				frontier = append(frontier, id)
			}
			return nil
		}
		circle := []string{b.Item}
		for at := parent; at != b.ItemID; at = steps[at].from {
			circle = append(circle, steps[at].name)
		}
		circle = append(circle, b.Item)
		slices.Reverse(circle)
		return ErrCycle.At("lines", "nothing can be a part of itself: %s; take one of these out",
			strings.Join(circle, " → "))
	}
	if err := each.Do(b.Lines, func(l BOMLine) error { return meet(b.ItemID, l.ItemID, l.Item) }); err != nil {
		return err
	}
	for len(frontier) > 0 {
		ids := frontier
		frontier = nil
		children, err := componentsOf(tx, ids)
		if err != nil {
			return err
		}
		if err := each.Do(children, func(c component) error { return meet(c.parent, c.ItemID, c.Item) }); err != nil {
			return err
		}
	}
	return nil
}

// Node is an item in a bill of materials of many levels: how much of it one of the top takes.
type Node struct {
	Level    int // 1 = a component of the top itself
	ItemID   string
	Item     string
	Quantity dec.Dec // with the scrap of all levels above it
	IsMade   bool    // has a bill of materials of its own
}

// mostNodes bounds a tree that people look at, or that a work order is made of.
const mostNodes = 5_000

// Tree is everything an item is made of on a day, through all levels, each component below what it goes into.
// Refuses with BillOfMaterials.Invalid where it is too large.
func Tree(tx *db.Tx, itemID string, on day.Date) ([]Node, error) {
	known := map[string][]BOMLine{}
	for frontier := []string{itemID}; len(frontier) > 0; {
		found, err := bomsOf(tx, frontier)
		if err != nil {
			return nil, err
		}
		var next []string
		for _, id := range frontier {
			known[id] = nil
		}
		for _, b := range found {
			known[b.ItemID] = b.On(on)
			for _, l := range known[b.ItemID] {
				if _, seen := known[l.ItemID]; !seen {
					known[l.ItemID] = nil
					next = append(next, l.ItemID)
				}
			}
		}
		frontier = next
	}
	var nodes []Node
	var walk func(id string, of dec.Dec, level int) error
	walk = func(id string, of dec.Dec, level int) error {
		for _, l := range known[id] {
			if len(nodes) >= mostNodes {
				return ErrBOMInvalid.Because(
					"the bill of materials has more than %d parts through all its levels: split it", mostNodes)
			}
			q := planning.Required(l.Quantity, l.ScrapPercent, of, dec.Scale)
			nodes = append(nodes, Node{Level: level, ItemID: l.ItemID, Item: l.Item, Quantity: q,
				IsMade: len(known[l.ItemID]) > 0})
			if err := walk(l.ItemID, q, level+1); err != nil {
				return err
			}
		}
		return nil
	}
	return nodes, walk(itemID, dec.One, 1)
}

// FindBOM is the bill of materials of an item. BillOfMaterials.NotFound.
func FindBOM(tx *db.Tx, itemNumber string) (BOM, error) {
	item, err := catalog.Find(tx, itemNumber)
	if err == nil {
		var found bool
		var b BOM
		if b, found, err = bomOf(tx, item.ID, ""); found || err != nil {
			return b, err
		}
	}
	if err == nil || fault.Is(err, catalog.ErrNotFound) {
		err = ErrBOMNotFound.Because("item %s has no bill of materials", itemNumber)
	}
	return BOM{}, err
}
