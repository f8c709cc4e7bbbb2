package exchange_test

import (
	"context"
	"encoding/csv"
	"strings"
	"testing"

	"kontor/internal/exchange"
	"kontor/internal/foundation/table"
)

// Whatever a table holds, no import panics, every row is accounted for, and what was imported is whole: importing the
// same table again finds nothing left to do, and the books are sound.
func FuzzImport(f *testing.F) {
	for n, x := range tables {
		f.Add(n, x.text)
	}
	f.Add(6, "itemNumber,name,units,crossReferences,variantOf\nA,A,BOX=,Customer:=1,A\nA,A,=;\\,=;==,B\nB,B,,,A\n")
	f.Add(8,
		"priceListCode,type,itemNumber,minQuantity,unitPrice\nL,Standard,T-1,999999999999,999999999999\nL,,T-1,-0,1\n")
	f.Add(9,
		"itemNumber,quantity,unitCost,serialNumber,batchNumber\nT-1,999999999999,999999999999,,\nS-1,1,1,X,\nS-1,0,,x,L\n")
	s := stocked(f)
	f.Fuzz(func(t *testing.T, which int, text string) {
		importTwice(t, s, tables[uint(which)%uint(len(tables))].kind, text)
	})
}

// FuzzImportCells is FuzzImport with tables that have a kind's columns, and in them values that mean something.
func FuzzImportCells(f *testing.F) {
	pool := []string{"", "T-1", "t-1-red", "B-1", "S-1", "NEW-1", "P", "A", "NEW-2", "MAIN", "south", "A-01", "S-1",
		"RETURNS", "10001", "10002", "STD", "SEK", "DKK", "JPY", "0", "1", "-1", "2.5", "0.0000001", "999999999999",
		"true", "no", "2026-01-01", "2026-02-30", "Standard", "campaign", "Serial", "Fixed", "ParentPriceList",
		"Service", "PCS", "H=2", "H=0;X", "Colour=Red;Size", "Customer:10001=X", "Gtin=123", "4006381333931", "L1",
		"SN1", "SN2", "FJ", "BIG", "CAMP", "Red;Blue", "\\;", "Eire", "x\u00e9\n", "\x01", "Text", "WholeNumber",
		"COLOUR", "RETAIL;CLUB", "((", strings.Repeat("long", 20)}
	for n := range tables {
		f.Add(n, []byte("\x05\x01\x02\x03\x04\x05\x06\x07\x08"))
		f.Add(n, []byte("\x03\x01\x20\x15\x15\x01\x01\x20\x15\x01"))
	}
	s := stocked(f)
	headers := map[string][]string{}
	for _, x := range tables {
		header, _, _ := strings.Cut(s.give(x.kind, "x.csv"), "\n")
		headers[x.kind] = strings.Split(header, ",")
	}
	f.Fuzz(func(t *testing.T, which int, picks []byte) {
		kind := tables[uint(which)%uint(len(tables))].kind
		columns := headers[kind]
		// The first column names what the row is about; the picks say which others there are, and then all cells.
		width := 1
		if len(picks) > 0 {
			width += int(picks[0]) % 8
			picks = picks[1:]
		}
		chosen := []string{columns[0]}
		for ; len(picks) > 0 && len(chosen) < width; picks = picks[1:] {
			chosen = append(chosen, columns[int(picks[0])%len(columns)])
		}
		if kind == "stock" || kind == "currency-rates" {
			chosen = append(chosen, "quantity", "rateDate", "amount")
		}
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Write(chosen)
		for rows := 0; len(picks) >= len(chosen) && rows < 20; rows++ {
			cells := make([]string, len(chosen))
			for i := range cells {
				cells[i] = pool[int(picks[i])%len(pool)]
			}
			w.Write(cells)
			picks = picks[len(chosen):]
		}
		w.Flush()
		importTwice(t, s, kind, b.String())
	})
}

// stocked is a company that has something of every kind.
func stocked(f *testing.F) shop {
	s := open(f, house(f, "sqlite"), "s")
	for _, x := range tables {
		s.take(x.kind, "x.csv", x.text, exchange.Options{})
	}
	return s
}

func importTwice(t *testing.T, s shop, kind, text string) {
	first, err := take(t, s, kind, text)
	if err != nil {
		return // no table, or one without the columns
	}
	if first.Rows != first.Created+first.Updated+first.Unchanged+first.RefusedRows {
		t.Errorf("%s: not every row is accounted for: %s", kind, counted(first))
	}
	again, err := take(t, s, kind, text)
	if strings.Contains(refusals(first), "SlugAlreadyExists") {
		return // what a row frees further down, rows before it can have the next time
	}
	if err != nil || again.Created+again.Updated > 0 || again.RefusedRows != first.RefusedRows {
		t.Errorf("%s: the second time it was %s, the first %s: %v %v\n%s", kind, counted(again), counted(first), err,
			again.Refused, text)
	}
	if err := s.house.Verify(context.Background(), s.company, func(difference string) {
		t.Error(difference)
	}); err != nil {
		t.Error(err)
	}
}

// take imports a table that may be anything: only our own faults fail the test.
func take(t *testing.T, s shop, kind, text string) (exchange.Report, error) {
	r, err := table.Read(strings.NewReader(text), "x.csv", table.ReadOptions{})
	if err != nil {
		return exchange.Report{}, err
	}
	defer r.Close()
	report, err := exchange.Import(context.Background(), s.desk(), kind, r, exchange.Options{})
	if err != nil && (report.Rows > 0 && !strings.HasPrefix(err.Error(), "after ") ||
		strings.Contains(err.Error(), "panic")) {
		t.Errorf("%s: %v\n%s", kind, err, text)
	}
	return report, err
}
