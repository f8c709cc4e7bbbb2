package founding

import (
	"cmp"
	_ "embed"
	"strings"

	"kontor/internal/foundation/dec"
)

// vatOf are a country's standard and reduced rates of value added tax or its like, in percent. Where a country has
// several reduced rates it is the one most goods fall under; where it has none, the standard rate. A country without
// such a tax, or one not listed, has 0: the merchant sets the rate. From then on the rates are
// the company's own.
func vatOf(country string) (standard, reduced dec.Dec) {
	f := strings.Fields(lineOf(vatRates, country))
	if len(f) == 0 {
		return 0, 0
	}
	standard = dec.Must(f[0])
	if len(f) == 1 {
		return standard, standard
	}
	return standard, dec.Must(f[1])
}

// indicativeRate is what a currency is worth in base, roughly: enough for a first price list, never for books. Krona
// and krone are quoted per 100, as their central banks do.
func indicativeRate(currency, base string) (dec.Rate, bool) {
	foreign, home := lineOf(perEuro, currency), lineOf(perEuro, base)
	if foreign == "" || home == "" {
		return dec.Rate{}, false
	}
	units := dec.One
	if strings.Contains("SEK NOK DKK", currency) {
		units = dec.Int(100)
	}
	amount := dec.Must(home).MulDiv(units, dec.Must(foreign))
	return dec.Rate{Amount: amount.Round(4), Units: units}, amount.Round(4) > 0
}

func nameOfCurrency(code string) string {
	return cmp.Or(lineOf(currencyNames, code), code)
}

// lineOf is what stands behind key on its line of a table.
func lineOf(table, key string) string {
	_, rest, found := strings.Cut(table, "\n"+key+" ")
	if !found {
		return ""
	}
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// vatRates: country, standard rate, reduced rate where there is one; in force in 2026.
//
//go:embed vat_rates.txt
var vatRates string

// perEuro is how much of a currency one euro is, roughly.
//
//go:embed per_euro.txt
var perEuro string

// currencyNames is what currencies are called.
//
//go:embed currency_names.txt
var currencyNames string
