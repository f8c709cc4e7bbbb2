package backoffice

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/production"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

func loadBOM(c *page.Ctx) (production.BOM, error) { return production.FindBOM(c.Tx, c.Path("item")) }

// namedBOM is a bill of materials with the name of its item.
type namedBOM struct {
	production.BOM
	name string
}

func bomList() page.Page {
	return page.List[namedBOM]{Path: "/boms", Latest: true, Own: page.Own("item"),
		Title: "Bills of materials", Permission: "work-orders:read", Menu: true,
		Whole: wholeOf("boms"), Search: "Item or component",
		Find: func(c *page.Ctx, q page.Query) (record.Found[namedBOM], error) {
			found, err := production.ListBOMs(c.Tx, q.Search, q.Page)
			of := itemsCalled(c, each.Of(found.Items, func(b production.BOM) string { return b.Item })...)
			return listed(found, func(b production.BOM) namedBOM {
				return namedBOM{b, of[record.Fold(b.Item)].Name}
			}), err
		},
		Href: func(b namedBOM) string { return page.Path("boms", b.Item) },
		Columns: func(b namedBOM) []page.Column {
			return []page.Column{page.Col("Item", page.T(b.Item)).By("item"),
				page.Col("Name", page.T(b.name)), page.Col("Components", page.Count(len(b.Lines)))}
		},
		New: []page.Go{{Label: "New bill of materials", Path: "/new/boms", Primary: true}}}
}

// itemsCalled are the items with these numbers, by folded number, for their names and units.
func itemsCalled(c *page.Ctx, numbers ...string) map[string]catalog.Item {
	found, err := catalog.FindMany(c.Tx, numbers)
	if err != nil {
		return nil // the numbers say what it is
	}
	return found
}

// itemLink leads to an item, by its name and number.
func itemLink(c *page.Ctx, number string) page.Value {
	return page.To(named(number, itemsCalled(c, number)[record.Fold(number)].Name), page.Path("items", number))
}

// called is an item by its name.
func called(parts map[string]catalog.Item, number string) page.Value {
	return page.T(parts[record.Fold(number)].Name)
}

// amount is a quantity of an item in its own unit.
func amount(parts map[string]catalog.Item, number string, q dec.Dec) page.Value {
	return page.QtyOf(q, parts[record.Fold(number)].BaseUnit)
}

func bomLine(l *production.BOMLine) []page.Field {
	return []page.Field{page.Code("itemNumber", "Item", &l.Item).Lookup(findItems),
		page.Decimal("quantity", "Quantity", &l.Quantity).Required(),
		page.Decimal("scrapPercent", "Scrap, %", &l.ScrapPercent),
		page.Date("validFrom", "From", &l.ValidFrom), page.Date("validTo", "To", &l.ValidTo)}
}

func newBOM() page.Page {
	return page.Form[production.BOM]{Path: "/new/boms", Title: "New bill of materials", Permission: "work-orders:write",
		Settles: true,
		Load:    func(c *page.Ctx) (production.BOM, error) { return production.BOM{Item: c.Query("item")}, nil },
		Fields: func(_ *page.Ctx, b *production.BOM) []page.Field {
			return []page.Field{page.Code("itemNumber", "Item", &b.Item).Required().Lookup(findItems),
				page.Lines("lines", "Components of one", &b.Lines, bomLine).Required()}
		},
		Save: page.Made(production.BOM{}, func(c *page.Ctx, b production.BOM) (page.Done, error) {
			made, err := production.ChangeBOM(c.Tx, b.Item, func(is *production.BOM) error {
				if len(is.Lines) > 0 {
					return page.Refusal("itemNumber", "item %s has a bill of materials already: change that one",
						is.Item)
				}
				is.Lines = b.Lines
				return nil
			})
			return page.Went(page.Path("boms", made.Item), "The bill of materials is saved."), err
		})}
}

func bomForm() page.Page {
	return page.Form[production.BOM]{Path: "/boms/{item}/edit", Title: "Edit bill of materials",
		Permission: "work-orders:write", Load: loadBOM, Resource: production.BOMs,
		Crumbs: crumbs("Bills of materials", "/boms", "", "item"),
		Fields: func(_ *page.Ctx, b *production.BOM) []page.Field {
			return []page.Field{page.Lines("lines", "Components of one", &b.Lines, bomLine)}
		},
		Save: func(c *page.Ctx, lay func(*production.BOM) error) (page.Done, error) {
			b, err := production.ChangeBOM(c.Tx, c.Path("item"), lay)
			if len(b.Lines) == 0 {
				return page.Went("/boms", "The bill of materials is removed."), err
			}
			return page.Did("Saved."), err
		}}
}

func bomRecord() page.Page {
	return page.Record[production.BOM]{Path: "/boms/{item}", Permission: "work-orders:read", Resource: production.BOMs,
		Load: loadBOM,
		Show: func(c *page.Ctx, b production.BOM) (page.Sheet, error) {
			numbers := each.Of(b.Lines, func(l production.BOMLine) string { return l.Item })
			parts := itemsCalled(c, append(numbers, b.Item)...)
			s := page.Sheet{Title: c.Say("Bill of materials of %s", b.Item),
				Subtitle: parts[record.Fold(b.Item)].Name}
			own := page.Grid{Title: "Components of one", Heads: []string{"Item", "Name", "Quantity", "Scrap, %", "From",
				"To"}}
			for _, l := range b.Lines {
				own.Rows = append(own.Rows, []page.Value{page.To(l.Item, page.Path("items", l.Item)),
					called(parts, l.Item), amount(parts, l.Item, l.Quantity), page.Qty(l.ScrapPercent),
					page.Day(l.ValidFrom), page.Day(l.ValidTo)})
			}
			nodes, err := production.Tree(c.Tx, b.ItemID, c.Tx.Today())
			if err != nil {
				return s, err
			}
			nodes = nodes[:min(len(nodes), mostNodes)]
			parts = itemsCalled(c, each.Of(nodes, func(n production.Node) string { return n.Item })...)
			tree := page.Grid{Title: "Through all levels today", Heads: []string{"Item", "Name", "Quantity of one", ""}}
			for _, n := range nodes {
				made := page.To(c.Say("Made here"), page.Path("boms", n.Item)).If(n.IsMade)
				tree.Rows = append(tree.Rows, []page.Value{page.T(strings.Repeat("– ", n.Level-1) + n.Item),
					called(parts, n.Item), amount(parts, n.Item, n.Quantity), made})
			}
			s.Parts = []page.Part{own, tree}
			return s, nil
		},
		Edit: func(_ *page.Ctx, b production.BOM) []page.Go {
			return []page.Go{{Label: "Edit", Path: page.Path("boms", b.Item, "edit"), Primary: true},
				{Label: "New work order", Path: "/new/work-orders?item=" + query(b.Item)},
				{Label: "Item", Path: page.Path("items", b.Item)}}
		}}
}

// mostNodes is how many parts of a bill of materials its page shows.
const mostNodes = 300

// traced is a question about a piece or a batch, and its answer.
type traced struct{ item, batch, serial string }

// tracing follows a serial number or a batch both ways on one page: to the receipts of what it was made of, and to what
// it went into.
func tracing() page.Page {
	return page.Record[traced]{Path: "/trace", Title: "Tracing", Menu: true, Permission: "work-orders:read",
		Load: func(c *page.Ctx) (traced, error) {
			return traced{c.Query("item"), c.Query("batch"), c.Query("serial")}, nil
		},
		Show: func(c *page.Ctx, t traced) (page.Sheet, error) {
			s := page.Sheet{Title: c.Say("Tracing"), Subtitle: pair(t.item, pair(t.batch, t.serial)),
				Parts: []page.Part{page.Asking{Button: "Trace",
					Fields: []page.Field{page.Code("item", "Item", &t.item).Lookup(findItems),
						page.Code("batch", "Batch", &t.batch), page.Code("serial", "Serial number", &t.serial)}}}}
			if t.item == "" || t.batch == "" && t.serial == "" {
				return s, nil
			}
			found, err := production.TraceOf(c.Tx, t.item, t.batch, t.serial)
			if err != nil {
				return s, err
			}
			moves := page.Grid{Title: "Movements", Heads: []string{"When", "Kind", "Warehouse", "Location", "Quantity",
				"Because of"}}
			for _, e := range found.Entries {
				moves.Rows = append(moves.Rows, []page.Value{page.At(e.At), page.Word(page.Words(string(e.Kind))),
					warehouses.called(c, e.Warehouse), page.T(moved(e)), page.Qty(e.Quantity), because(e)})
			}
			s.Parts = append(s.Parts, moves, pieces("Made of", found.MadeOf), pieces("Went into", found.WentInto))
			if found.IsCut {
				s.Parts = append(s.Parts, page.Note{Title: "More than fits",
					Text: c.Say("Not everything is shown: trace one of the pieces on its own.")})
			}
			return s, nil
		}}
}

func pieces(title string, them []production.Traced) page.Grid {
	grid := page.Grid{Title: title, Heads: []string{"Item", "Batch", "Serial number", "Quantity", "Work order",
		"Received with"}}
	for _, p := range them {
		on := "/trace?item=" + query(p.Item) + "&batch=" + query(p.Batch) + "&serial=" + query(p.Serial)
		item := page.T(strings.Repeat("– ", p.Level-1) + p.Item)
		if p.Batch != "" || p.Serial != "" {
			item = item.Linked(on)
		}
		receipts := each.Of(p.Receipts,
			func(number string) page.Value { return page.To(number, page.Path("receipts", number)) })
		grid.Rows = append(grid.Rows, []page.Value{item, page.T(p.Batch), page.T(p.Serial), page.Qty(p.Quantity),
			page.To(p.Order, page.Path("work-orders", p.Order)), page.Each(receipts...)})
	}
	return grid
}
