package app_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor/internal/app/apptest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// compared is what lies where, what is promised, asked for and owed: columns of tables, without ids and moments.
var compared = map[string]string{
	"stock_level":   "item warehouse on_hand allocated average_cost",
	"stock_balance": "item warehouse location batch serial quantity",
	"stock_entry":   "kind item warehouse location batch serial quantity balance_after unit_cost average_after",
	"sales_order":   "number status warehouse delivery_status invoiced_status delivered_percent total_amount total_vat",
	"sales_order_line": `line item warehouse quantity unit_price discount_amount line_total tax_amount allocated
		on_shipment delivered returned invoiced waiting`,
	"shipment":            "number status warehouse",
	"invoice":             "number type status payment_status total vat paid document_number",
	"sales_return":        "number order_number status total vat",
	"quote":               "number status total vat order_number",
	"purchase_order":      "number status warehouse total charged_tax charged_freight",
	"purchase_order_line": "line item quantity unit_price line_total confirmed received",
	"goods_receipt":       "number status warehouse",
	"supplier_invoice":    "number status net tax",
	"transfer":            "number status from_warehouse to_warehouse",
	"inventory_count":     "number status warehouse line_count counted_count",
}

var numbered = regexp.MustCompile(`[A-Z]{1,4}-\d{4,}(-\d+)?`)

// story is what a clerk heard at each step, and the books when he had gone home. Documents are called by the order in
// which he heard of them: where two may be placed at once, numbers of what was refused are not given again.
type story struct {
	told  []string
	books []string
	names map[string]string
}

// retold is what was said, with the names of documents that the story has for them.
func (s *story) retold(said string) string {
	return numbered.ReplaceAllStringFunc(said, func(number string) string {
		if s.names[number] == "" {
			s.names[number] = fmt.Sprintf("%s-#%04d", strings.Split(number, "-")[0], len(s.names))
		}
		return s.names[number]
	})
}

// reads the books.
func (s *story) reads(c *clerk) {
	err := c.kontor.InCompany(c.Context(), "acme", func(tx *db.Tx) error {
		for _, table := range slices.Sorted(maps.Keys(compared)) {
			var columns []string
			for _, column := range strings.Fields(compared[table]) {
				columns = append(columns, "coalesce(cast("+column+" as text), '-')")
			}
			text := strings.Join(columns, " || ' ' || ")
			err := tx.Each("-- app_test.reads whole\nselect "+text+" from "+table+" where company = :company", nil,
				func(r db.Row) error {
					var row string
					err := r.Scan(&row)
					s.books = append(s.books, table+": "+s.retold(row))
					return err
				})
			if err != nil {
				return fmt.Errorf("%s: %w", table, err)
			}
		}
		return nil
	})
	if err != nil {
		c.Fatal(err)
	}
	slices.Sort(s.books)
}

// A company that moves from one engine to the other is told nothing new: the same day, gone through on each, takes the
// same, refuses the same in the same words, and leaves the same books.
func TestBothEnginesKeepTheSameBooks(t *testing.T) {
	if len(dbtest.Engines()) < 2 {
		t.Skip("needs both engines, of which KONTOR_TEST_ENGINE leaves one out")
	}
	steps, seed := longer(t, 2_000)
	stories := map[string]*story{}
	for _, engine := range dbtest.Engines() {
		c, s := clerks(t, apptest.Place(t, engine), 1, seed)[0], &story{names: map[string]string{}}
		for range steps {
			s.told = append(s.told, s.retold(c.does()))
		}
		s.reads(c)
		stories[engine] = s
	}
	one, other := stories["sqlite"], stories["postgres"]
	for k, said := range one.told {
		if other.told[k] != said {
			t.Fatalf("with seed %d, at step %d:\nSQLite:     %s\nPostgreSQL: %s", seed, k+1, said, other.told[k])
		}
	}
	if len(one.books) < 100 {
		t.Errorf("%d rows say nothing", len(one.books))
	}
	for _, row := range one.books {
		if !slices.Contains(other.books, row) {
			t.Errorf("PostgreSQL has no %s", row)
		}
	}
	if !slices.Equal(one.books, other.books) {
		t.Errorf("with seed %d: %d rows in SQLite, %d in PostgreSQL", seed, len(one.books), len(other.books))
	}
}
