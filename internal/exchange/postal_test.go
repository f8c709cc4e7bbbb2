package exchange

import (
	"strings"
	"testing"

	"kontor/internal/foundation/table"
)

// Files of postal codes come with a header, as GeoNames has them, or as pairs of code and town.
func TestColumnsOfPostalCodes(t *testing.T) {
	for _, c := range []struct{ name, text, columns, first string }{
		{"se.tsv", "SE\t111 47\tStockholm\tStockholm\t26\n", "countryCode postalCode city region adminCode1",
			"SE|111 47|Stockholm"},
		{"se.tsv", "111 47\tStockholm\n111 48\tStockholm\n", "postalCode city", "111 47|Stockholm"},
		{"se.csv", "country_code,zipcode,place\nSE,111 47,Stockholm\n", "country_code zipcode place",
			"SE|111 47|Stockholm"},
	} {
		r, err := table.Read(strings.NewReader(c.text), c.name, table.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		k := postalKind()
		nameHeadless(&k, r)
		row, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Columns(), " "); got != c.columns {
			t.Errorf("%q has the columns %s, want %s", c.text, got, c.columns)
		}
		if got := strings.Join(row.Values, "|"); !strings.HasPrefix(got, c.first) {
			t.Errorf("%q begins with %s, want %s", c.text, got, c.first)
		}
	}
}
