package exchange_test

import (
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"kontor/internal/app"
	"kontor/internal/exchange"
)

// What items are described with stands in a workbook as what the attribute says it is; several values of one item are a
// text, and so is all else.
func TestAttributesAreTypedInAWorkbook(t *testing.T) { onEach(t, attributesAreTypedInAWorkbook) }

func attributesAreTypedInAWorkbook(t *testing.T, h *app.App) {
	s := open(t, h, "typed")
	for _, x := range tables {
		if x.kind == "items" || x.kind == "attributes" || x.kind == "brands" || x.kind == "categories" ||
			x.kind == "tax-codes" {
			s.take(x.kind, "x.csv", x.text, exchange.Options{})
		}
	}
	f, err := excelize.OpenReader(strings.NewReader(s.give("items", "x.xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sheet := f.GetSheetName(0)
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	number, truth, text := excelize.CellTypeUnset, excelize.CellTypeBool, excelize.CellTypeInlineString
	want := map[string]excelize.CellType{"attribute.WEIGHT": number, "attribute.PIECES": number, "attribute.DRY": truth,
		"attribute.SINCE": number, "attribute.SIZES": text, "attribute.COLOUR": text, "attribute.NOTE": text,
		"isActive": truth, "salesPrice": number}
	for i, name := range rows[0] {
		kind, ok := want[name]
		delete(want, name)
		for row := 1; ok && row < len(rows); row++ {
			cell, err := excelize.CoordinatesToCellName(i+1, row+1)
			if err != nil || i >= len(rows[row]) || rows[row][i] == "" {
				continue
			}
			if is, err := f.GetCellType(sheet, cell); err != nil || is != kind {
				t.Errorf("%s %q is of the type %d, not %d (%v)", name, rows[row][i], is, kind, err)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("there are no columns %v among %q", want, rows[0])
	}
}
