package reference

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/texts"
)

// data reads a file of the shared data sets; the test is skipped where they are not beside the repository.
func data(t *testing.T, name string) []map[string]string {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", name))
	if err != nil {
		t.Skip("the data sets are not beside this repository: " + err.Error())
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []map[string]string
	for _, r := range rows[1:] {
		m := map[string]string{}
		for i, v := range r {
			m[rows[0][i]] = v
		}
		out = append(out, m)
	}
	return out
}

func TestCountriesAreThoseOfISO3166(t *testing.T) {
	rows := data(t, "iso/countries.csv")
	listed := map[string]bool{}
	for _, r := range rows {
		code := r["alpha2"]
		listed[code] = true
		_, ok := Country(code)
		// AC and TA are reserved for post, not codes of countries.
		if reserved := code == "AC" || code == "TA"; ok == reserved {
			t.Errorf("%s %s: known %v", code, r["name"], ok)
		}
	}
	for code := range countries {
		if !listed[code] {
			t.Errorf("%s is no country", code)
		}
	}
}

func TestCountriesOfFiles(t *testing.T) {
	for name, want := range map[string]string{
		"United Kingdom": "GB", "EIRE": "IE", "RSA": "ZA", "usa": "US", "Czech Republic": "CZ", "Hong Kong": "HK",
		"United Arab Emirates": "AE", "se": "SE", "Österreich": "AT", "Channel Islands": "", "Unspecified": "",
		"European Community": "", "": "",
	} {
		if got, ok := CountryNamed(name); got != want || ok != (want != "") {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	for alias, code := range countryAliases {
		if _, ok := Country(code); !ok {
			t.Errorf("alias %q names the unknown country %s", alias, code)
		}
	}
}

func TestLanguagesOfCountries(t *testing.T) {
	for country, want := range map[string]string{"SE": "sv", "AX": "sv", "NO": "nb", "FO": "da", "FI": "fi", "LI": "de",
		"JP": "en", "": "en"} {
		if got := LanguageOf(country); got != want {
			t.Errorf("in %q business is done in %q, want %q", country, got, want)
		}
	}
}

func TestMinorDigitsAreThoseOfISO4217(t *testing.T) {
	for _, r := range data(t, "iso/currencies.csv") {
		code := r["code"]
		want, err := strconv.Atoi(r["digits"])
		if err != nil {
			t.Fatal(err)
		}
		switch code {
		case "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX":
			if IsCurrency(code) {
				t.Errorf("%s is no money that anything is invoiced in", code)
			}
			continue
		}
		if !IsCurrency(code) || MinorDigits(code) != want {
			t.Errorf("%s: known %v, digits %d, want %d", code, IsCurrency(code), MinorDigits(code), want)
		}
	}
	for _, no := range []string{"", "SE", "sek", "AB ", "D A", "\tAE"} {
		if IsCurrency(no) {
			t.Errorf("%q is taken for a currency", no)
		}
	}
}

func TestPaymentTermDue(t *testing.T) {
	for _, c := range []struct {
		term PaymentTerm
		from day.Date
		want day.Date
	}{
		{PaymentTerm{Days: 30}, "2026-01-31", "2026-03-02"},
		{PaymentTerm{}, "2026-02-28", "2026-02-28"},
		{PaymentTerm{Days: 30, EndOfMonth: true}, "2026-01-15", "2026-02-28"},
		{PaymentTerm{EndOfMonth: true}, "2024-02-01", "2024-02-29"},
	} {
		if got := c.term.Due(c.from); got != c.want {
			t.Errorf("%+v from %s is due %s, want %s", c.term, c.from, got, c.want)
		}
	}
}

func TestTaxPercent(t *testing.T) {
	code := TaxCode{home: "SE", Rates: []TaxRate{
		{"SE", "", dec.Int(25)}, {"SE", "2027-01-01", dec.Int(24)}, {"FI", "2024-09-01", dec.Must("25.5")},
	}}
	everywhere := TaxCode{home: "SE", Rates: []TaxRate{{"", "", dec.Int(10)}, {"NO", "2026-01-01", dec.Int(15)}}}
	for _, c := range []struct {
		code    TaxCode
		country string
		on      day.Date
		want    string
	}{
		{code, "SE", "2026-12-31", "25"}, {code, "SE", "2027-01-01", "24"}, {code, "", "2026-05-01", "25"},
		{code, "FI", "2024-08-31", "0"}, {code, "FI", "2024-09-01", "25.5"}, {code, "US", "2026-05-01", "0"},
		{everywhere, "US", "2026-05-01", "10"}, {everywhere, "NO", "2025-05-01", "10"},
		{everywhere, "NO", "2026-05-01", "15"},
	} {
		if got := c.code.Percent(c.country, c.on).String(); got != c.want {
			t.Errorf("%q on %s: %s, want %s", c.country, c.on, got, c.want)
		}
	}
}

func TestTrackingURL(t *testing.T) {
	m := ShippingMethod{TrackingURLTemplate: "https://track.example/p/{trackingNumber}?id={trackingNumber}"}
	if got, want := m.TrackingURL("A 1&b=/ö"),
		"https://track.example/p/A%201%26b%3D%2F%C3%B6?id=A%201%26b%3D%2F%C3%B6"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if m.TrackingURL("") != "" || (ShippingMethod{}).TrackingURL("1") != "" {
		t.Error("a link without a number or a template")
	}
}

func TestACountryHasItsNameInEachLanguage(t *testing.T) {
	for _, c := range []struct{ language, name, want string }{{"en", "SE", "SE"}, {"en", "Sweden", "SE"},
		{"sv", "Tyskland", "DE"}, {"sv", "estland", "EE"}, {"sv", "Germany", "DE"}, {"de", "Estland", "EE"},
		{"fi", "Ruotsi", "SE"}, {"sv", "El Salvador", "SV"}, {"en", "Norrland", ""}, {"sv", "", ""}} {
		if got := CountryIn(c.language, c.name); got != c.want {
			t.Errorf("in %s %q is %q, want %q", c.language, c.name, got, c.want)
		}
	}
	for _, language := range []string{"en", "sv", "nb", "da", "fi", "de"} { // no two are called alike
		for code := range countries {
			if got := CountryIn(language, texts.Country(language, code)); got != code {
				t.Errorf("in %s %q is %q, want %q", language, texts.Country(language, code), got, code)
			}
		}
	}
}
