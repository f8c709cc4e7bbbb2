package exchange

import (
	"os"
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/table"
)

const retailYear = "../../../shared/data/onlineretail/onlineretail.csv.zst"

func retailColumns(t testing.TB, r *table.Reader) map[string]int {
	t.Helper()
	columns, err := mapColumns(r, historyKind(), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return columns
}

// The totals are those that the data set's own notes give, counted there with another program.
func TestARetailersYearIsReadToThePenny(t *testing.T) {
	if _, err := os.Stat(retailYear); err != nil {
		t.Skip("the retailer's year is not here: " + err.Error())
	}
	r, err := table.Open(retailYear, table.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	h, err := readHistory(r, historyOptions{columns: retailColumns(t, r), missing: "NA", services: defaultServices()},
		func() {})
	if err != nil {
		t.Fatal(err)
	}
	var orders, orderLines, credits, creditLines, matched, longest int
	var sold, soldRounded, credited dec.Dec
	for _, d := range h.docs {
		longest = max(longest, len(d.lines))
		for _, l := range d.lines {
			value := l.quantity.Mul(l.price)
			if d.credit {
				creditLines++
				credited = credited.Add(value.Round(2))
				if l.source != nil {
					matched++
				}
				continue
			}
			orderLines++
			sold, soldRounded = sold.Add(value), soldRounded.Add(value.Round(2))
		}
		if d.credit {
			credits++
		} else {
			orders++
		}
	}
	for what, pair := range map[string][2]any{
		"lines":               {h.lines, 541_909},
		"orders":              {orders, 19_959},
		"order lines":         {orderLines, 530_103},
		"sold":                {sold.String(), "10655622.484"},
		"sold, rounded":       {soldRounded.String(), "10655622.48"},
		"credit notes":        {credits, 3_836},
		"credit lines":        {creditLines, 9_288},
		"credited":            {credited.String(), "896812.49"},
		"longest document":    {longest, 1_114},
		"lines without price": {h.skipped[noPrice].Lines, 1_179},
		"negative lines":      {h.skipped[negative].Lines, 1_336},
		"cancelled sales":     {matched, 3_217},
		"adjustments":         {h.skipped[notGoods].Lines, 3},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
}
