package app

import (
	"encoding/csv"
	"net/http/httptest"
	"os"
	"strconv"
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// The table of rates is ours; the data set is a second witness for the standard ones.
func TestRatesAgreeWithTheDataSet(t *testing.T) {
	f, err := os.Open("../../../shared/data/vat/standard_rates_sales-tax-2.23.0.csv")
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

func TestOneProcessHasTheLock(t *testing.T) {
	dir := t.TempDir()
	first, err := TakeLock(dir)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	if second, err := TakeLock(dir); second != nil || err != nil {
		t.Errorf("taken twice: %v, %v", second, err)
	}
	if got := Holder(dir); got != os.Getpid() {
		t.Errorf("held by %d", got)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	third, err := TakeLock(dir)
	if third == nil || err != nil {
		t.Fatalf("not given back: %v", err)
	}
	third.Release()
}

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	for _, c := range []struct{ remote, forwarded, want string }{
		{"203.0.113.9:1", "198.51.100.1", "203.0.113.9"},
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"10.0.0.1:1", "nonsense", "10.0.0.1"},
		{"[::1]:1", "198.51.100.1", "198.51.100.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := clientOf(r, prefixes([]string{"10.0.0.0/8", "::1"})); got != c.want {
			t.Errorf("%s forwarding %q is %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	if err := (Serving{PublicURL: "https://example.com/erp"}).Check(); err == nil || !fault.Is(err, ErrConfig) {
		t.Errorf("a public URL with a path: %v", err)
	}
	if err := (Serving{PublicURL: "https://example.com/"}).Check(); err != nil {
		t.Errorf("a public URL with a slash at its end: %v", err)
	}
	err := Serving{IntegrationRate: -1, KeepBytes: -1, PublicURL: "erp",
		TrustedProxy: []string{"10.0.0.0/8", "proxy"}}.Check()
	if f := fault.As(err); f.Code != ErrConfig.Name || len(f.Fields) != 4 {
		t.Errorf("%v", err)
	}
	if err := (Serving{}).Check(); err != nil {
		t.Error(err)
	}
}
