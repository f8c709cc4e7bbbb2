package founding

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"

	"kontor/internal/foundation/dec"
)

// The table of rates is ours; the data set is a second witness for the standard ones.
func TestRatesAgreeWithTheDataSet(t *testing.T) {
	f, err := os.Open("../../../../shared/data/vat/standard_rates_sales-tax-2.23.0.csv")
	if err != nil {
		t.Skip("the data set of tax rates is not here:", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// Where the data set is behind: Liechtenstein has Switzerland's rates, of 2024.
	behind := map[string]bool{"LI": true}
	seen := 0
	for _, r := range rows[1:] {
		country, state, rate := r[0], r[1], r[4]
		standard, reduced := vatOf(country)
		if state != "" || standard == 0 || behind[country] {
			continue
		}
		share, err := strconv.ParseFloat(rate, 64)
		if err != nil {
			t.Fatal(err)
		}
		seen++
		if want := dec.Must(strconv.FormatFloat(share*100, 'f', 3, 64)); standard != want {
			t.Errorf("%s: standard rate %s, the data set has %s", country, standard, want)
		}
		if reduced > standard || reduced <= 0 {
			t.Errorf("%s: reduced rate %s of %s", country, reduced, standard)
		}
	}
	if seen < 50 {
		t.Errorf("only %d countries compared", seen)
	}
}

func TestIndicativeRates(t *testing.T) {
	for _, c := range []struct {
		currency, base string
		amount, units  string
	}{
		{"EUR", "SEK", "11", "1"}, {"SEK", "EUR", "9.0909", "100"}, {"USD", "EUR", "0.8621", "1"},
		{"DKK", "SEK", "147.4531", "100"},
	} {
		r, ok := indicativeRate(c.currency, c.base)
		if !ok || r.Amount != dec.Must(c.amount) || r.Units != dec.Must(c.units) {
			t.Errorf("%s in %s = %s per %s, %v", c.currency, c.base, r.Amount, r.Units, ok)
		}
	}
	if _, ok := indicativeRate("EUR", "XXX"); ok {
		t.Error("a rate in an unknown currency was made up")
	}
}
