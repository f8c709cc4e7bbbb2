package exchange

import (
	"strings"

	"kontor/internal/business/production"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// bomKind is a row for each component of a bill of materials. Quantities are in the component's base unit.
func bomKind() kind {
	return kind{name: "boms", shownKey: []string{"itemNumber", "componentItemNumber", "validFrom"},
		duplicate: production.ErrBOMInvalid, booker: func() booker { return &boms{} }, export: exportBOMs,
		fields: []field{
			column(code, "itemNumber", "productAssemblyId", "assembly", "parent", "parentItemNumber"),
			must(column(code, "componentItemNumber", "componentId", "component")),
			must(number("quantity", "perAssemblyQty", "qty")),
			number("scrapPercent", "scrap"),
			date("validFrom", "startDate"),
			date("validTo", "endDate"),
		}}
}

// boms books the components of bills of materials, each known by its item, the component and the day it begins to hold
// on.
type boms struct {
	plain
	tops int // rows that name no item
}

func (*boms) key(r *row) string {
	return strings.Join([]string{record.Fold(r.get("itemNumber")), record.Fold(r.get("componentItemNumber")),
		dayPart(r.get("validFrom"))}, "\x00")
}

// admit takes note of rows that name no item: such a row of a parts list says that something is made at the top, and is
// a part of nothing.
func (b *boms) admit(r *row) error {
	if r.get("itemNumber") == "" {
		b.tops++
	}
	return nil
}

func (b *boms) warnings() []fault.Said {
	if b.tops == 0 {
		return nil
	}
	return []fault.Said{fault.Say(
		"%d rows name no item that the component goes into: they are in no bill of materials", b.tops)}
}

// book lays the rows over the bills of materials of their items, one after another.
func (*boms) book(tx *db.Tx, rows []*row) error {
	of := each.Together(rows, func(r *row) string { return record.Fold(r.get("itemNumber")) })
	return each.Do(of, func(rows []*row) error {
		if rows[0].get("itemNumber") != "" {
			return bookBOM(tx, rows)
		}
		for _, r := range rows {
			r.became(unchanged)
		}
		return nil
	})
}

func bookBOM(tx *db.Tx, rows []*row) error {
	_, err := production.ChangeBOM(tx, rows[0].get("itemNumber"), func(b *production.BOM) error {
		at := map[string]int{}
		for i, l := range b.Lines {
			at[record.Fold(l.Item)+"\x00"+string(l.ValidFrom)] = i
		}
		for _, r := range rows {
			l := production.BOMLine{Item: r.get("componentItemNumber")}
			c := r.cells()
			c.date("validFrom", &l.ValidFrom)
			key := record.Fold(l.Item) + "\x00" + string(l.ValidFrom)
			i, known := at[key]
			if known {
				l = b.Lines[i]
			}
			was := l
			c.number("quantity", &l.Quantity)
			c.number("scrapPercent", &l.ScrapPercent)
			c.date("validTo", &l.ValidTo)
			if err := c.wrong.Err(); err != nil {
				return err
			}
			if !known {
				i = len(b.Lines)
				at[key], b.Lines = i, append(b.Lines, l)
			}
			b.Lines[i] = l
			r.turned(nil, !known, was != l)
		}
		return nil
	})
	return err
}

func exportBOMs(tx *db.Tx, p *printer) error {
	return eachOf(tx, pageOf, production.ListBOMs, func(b production.BOM) error {
		for _, l := range b.Lines {
			scrap := ""
			if l.ScrapPercent != 0 {
				scrap = l.ScrapPercent.String()
			}
			if err := p.row(b.Item, l.Item, l.Quantity.String(), scrap, string(l.ValidFrom),
				string(l.ValidTo)); err != nil {
				return err
			}
		}
		return nil
	})
}
