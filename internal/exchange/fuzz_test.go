package exchange_test

import (
	"context"
	"strings"
	"testing"

	"kontor/internal/exchange"
	"kontor/internal/table"
)

// Whatever a table holds, no import panics, every row is accounted for, and what was imported is whole: importing the
// same table again finds nothing left to do, and the books are sound.
func FuzzImport(f *testing.F) {
	for n, x := range tables {
		f.Add(n, x.text)
	}
	f.Add(6, "itemNumber,name,units,crossReferences,variantOf\nA,A,BOX=,Customer:=1,A\nA,A,=;\\,=;==,B\nB,B,,,A\n")
	f.Add(8, "priceListCode,type,itemNumber,minQuantity,unitPrice\nL,Standard,T-1,999999999999,999999999999\nL,,T-1,-0,1\n")
	f.Add(9, "itemNumber,quantity,unitCost,serialNumber,batchNumber\nT-1,999999999999,999999999999,,\nS-1,1,1,X,\nS-1,0,,x,L\n")
	h := house(f, "sqlite")
	s := open(f, h, "s")
	for _, x := range tables {
		s.take(x.kind, "x.csv", x.text, exchange.Options{})
	}
	f.Fuzz(func(t *testing.T, which int, text string) {
		kind := tables[uint(which)%uint(len(tables))].kind
		first, err := take(s, kind, text, false)
		if err != nil {
			return // no table, or one without the columns
		}
		if first.Rows != first.Created+first.Updated+first.Unchanged+first.RefusedRows {
			t.Errorf("%s: not every row is accounted for: %s", kind, counted(first))
		}
		again, err := take(s, kind, text, false)
		if err != nil || again.Created+again.Updated > 0 || again.RefusedRows != first.RefusedRows {
			t.Errorf("%s: the second time it was %s, the first %s: %v %v", kind, counted(again), counted(first), err, again.Refused)
		}
		if err := h.Verify(context.Background(), s.company, func(difference string) { t.Error(difference) }); err != nil {
			t.Error(err)
		}
	})
}

func take(s shop, kind, text string, dry bool) (exchange.Report, error) {
	r, err := table.Read(strings.NewReader(text), "x.csv")
	if err != nil {
		return exchange.Report{}, err
	}
	defer r.Close()
	report, err := exchange.Import(context.Background(), s.desk(), kind, r, exchange.Options{DryRun: dry})
	if err != nil && strings.Contains(err.Error(), "panic") {
		panic(err)
	}
	return report, err
}
