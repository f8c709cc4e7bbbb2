package paper

import (
	"strings"
	"testing"

	"kontor/internal/business/paper/papertest"
	"kontor/internal/business/reference"
)

// A paper calls units what its reader calls them, and keeps to the company's names where there is no word.
func TestUnitsInWords(t *testing.T) {
	units := map[string]reference.Unit{"PCS": {CommonCode: "H87", Name: "Piece"}, "PAL": {Name: "Pallet"},
		"XYZ": {Code: "XYZ", Name: "A very long name of a unit"}, "KG": {CommonCode: "KGM"}}
	s := sender()
	s.UnitWord = func(language, code string) string {
		if u, known := units[code]; known {
			return u.Word(language)
		}
		return code
	}
	for _, c := range []struct{ lang, code, want string }{
		{"sv", "PCS", "3 st"}, {"nb", "PCS", "3 stk."}, {"de", "PCS", "3 Stück"}, {"fr", "PCS", "3 pcs"},
		{"fi", "KG", "3 kg"}, {"sv", "PAL", "3 Pallet"}, {"sv", "XYZ", "3 XYZ"}, {"sv", "NONE", "3 NONE"},
		{"sv", "", "3"},
	} {
		i := invoice()
		i.Lines = i.Lines[:1]
		i.Lines[0].Unit, i.Lines[0].Quantity = c.code, 3_000_000
		f, err := Invoice(s, receiver(c.lang), i)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := papertest.Text(f.Body); err != nil || !strings.Contains(text, "  "+c.want+"  ") {
			t.Errorf("%s in %s: no %q on the paper: %v\n%s", c.code, c.lang, c.want, err, text)
		}
	}
}

// A unit's code stands in electronic invoices as their list has it.
func TestUnitsOfElectronicInvoices(t *testing.T) {
	for code, want := range map[string]string{"H87": "H87", "MTR": "MTR", "PR": "PR", "BX": "XBX", "XBX": "XBX",
		"": "C62", "FOO": "C62"} {
		if got := listedUnit(code); got != want {
			t.Errorf("%s is %s", code, got)
		}
	}
}
