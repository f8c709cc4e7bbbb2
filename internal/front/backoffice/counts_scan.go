package backoffice

import (
	"fmt"
	"strings"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/front/page"
)

// scanCount is where somebody counts on their feet: a place, then scan after scan. What was scanned waits in the
// browser while there is no connection.
func scanCount() page.Page {
	return page.Form[stock.CountScan]{Path: "/counts/{number}/scan", Title: "Scan", Permission: "inventory:write",
		Settles: true, Submit: "Count it",
		Lead:   "Each scan adds to what was counted at the place. Without a connection the scans wait here.",
		Crumbs: countCrumbs, Back: func(c *page.Ctx) string { return page.Path("counts", c.Path("number")) },
		Queues:  []string{"code", "quantity", "batchNumber", "newBatch", "serialNumber", "anew"},
		Heading: func(c *page.Ctx, _ stock.CountScan) string { return c.Say("Count %s", c.Path("number")) },
		Load: func(c *page.Ctx) (stock.CountScan, error) {
			n, err := loadCount(c)
			s := stock.CountScan{Location: c.Query("location")}
			if len(n.Locations) == 1 && s.Location == "" {
				s.Location = n.Locations[0]
			}
			return s, err
		},
		Fields: func(c *page.Ctx, s *stock.CountScan) []page.Field {
			return []page.Field{page.Code("locationCode", "Location", &s.Location).Required(),
				page.Code("code", "Bar code or item number", &s.Code).Required().Wide(),
				page.Decimal("quantity", "Quantity", &s.Quantity).Hint("Empty: one, or what the scanned unit holds."),
				page.Check("anew", "This is all that lies there", &s.Anew),
				page.Code("batchNumber", "Batch", &s.Batch),
				page.Check("newBatch", "The batch is new to the books", &s.NewBatch), page.Code("serialNumber", "Serial number", &s.Serial)}
		},
		Save: page.Made(stock.CountScan{}, func(c *page.Ctx, s stock.CountScan) (page.Done, error) {
			got, err := stock.ScanCount(c.Tx, c.Path("number"), s)
			if err != nil {
				return page.Done{}, err
			}
			l := got.Line
			back := page.Path("counts", c.Path("number"), "scan") + "?location=" + query(l.Location)
			counted := c.Show(page.MaybeQty(l.Counted, ""))
			if got.HaveMoved {
				return page.Went(back,
					"%s in %s: %s counted. Goods have come or gone there since you began: count this place anew.",
					l.Item, l.Location, counted), nil
			}
			return page.Went(back, "%s in %s: %s counted.", pair(l.Item, l.ItemName), l.Location, counted), nil
		})}
}

// tallied is a row of a count sheet, as a form asks for it.
type tallied struct {
	line                          int
	item, location, batch, serial string
	newBatch                      bool
	quantity                      *dec.Dec
}

// rowsAtOnce is how many rows of a count one form asks for.
const rowsAtOnce = 25

// countByHand takes over what stands on a count sheet: the next rows that were not counted, and others.
func countByHand() page.Action[stock.Count] {
	a := page.Action[stock.Count]{Name: "record", Label: "Enter by hand", When: countMay("record"),
		Confirm: "The next rows that were not counted. A row left without a quantity stays as it is; goods at a place that is not listed go on a row without a number."}
	return page.Ask(a,
		func(c *page.Ctx, n stock.Count) (rows []tallied, err error) {
			for i := range n.Lines {
				if l := &n.Lines[i]; l.Counted == nil && len(rows) < rowsAtOnce {
					rows = append(rows, tallied{line: l.Number, item: l.Item, location: l.Location, batch: l.Batch,
						serial: l.Serial})
				}
			}
			return rows, nil
		},
		func(_ *page.Ctx, _ stock.Count, v *[]tallied) []page.Field {
			return []page.Field{page.Lines("lines", "Lines", v, func(l *tallied) []page.Field {
				return []page.Field{page.Number("lineNumber", "Line", &l.line).Max(5),
					page.Code("itemNumber", "Item", &l.item), page.Code("locationCode", "Location", &l.location),
					page.Maybe("countedQuantity", "Counted", &l.quantity), page.Code("batchNumber", "Batch", &l.batch),
					page.Check("newBatch", "New batch", &l.newBatch),
					page.Code("serialNumber", "Serial number", &l.serial)}
			})}
		},
		func(c *page.Ctx, n stock.Count, rows []tallied) (page.Done, error) {
			var counted []stock.Counted
			var from []int
			for i, l := range rows {
				if l.quantity != nil {
					counted = append(counted, stock.Counted{Named: l.line != 0, Line: l.line, Item: l.item,
						Location: l.location, Batch: l.batch, NewBatch: l.newBatch, Serial: l.serial,
						Quantity: l.quantity})
					from = append(from, i)
				}
			}
			if len(counted) == 0 {
				return page.Done{}, page.Refusal("lines", "enter a quantity on at least one line")
			}
			_, err := stock.RecordCount(c.Tx, n.Number, counted)
			return page.Did("%d rows are counted.", len(counted)), rowsAt(err, from)
		})
}

var rowOf = lazy.Regexp(`^lines\[(\d+)\]`)

// rowsAt names the rows of a refusal as the form has them: the verb was told of some of them only.
func rowsAt(err error, from []int) error {
	f := fault.As(err)
	if f == nil || f.Kind == fault.Internal || len(f.Fields) == 0 {
		return err
	}
	out := *f
	out.Fields = make([]fault.Field, len(f.Fields))
	for i, x := range f.Fields {
		out.Fields[i] = x
		var n int
		if at := rowOf().FindStringSubmatch(x.Path); at != nil {
			switch _, err := fmt.Sscan(at[1], &n); {
			case err == nil && n < len(from):
				out.Fields[i].Path = fmt.Sprintf("lines[%d]", from[n]) + strings.TrimPrefix(x.Path, at[0])
			case err == nil:
				out.Fields[i].Path = "lines" // it is about what goes along without a row of its own
			}
		}
	}
	return &out
}
