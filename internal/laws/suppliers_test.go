package laws

import (
	"slices"
	"testing"

	"kontor/internal/business/purchasing"
)

// Every table that names a supplier by its id is one of the documents that keep it from being deleted, or is deleted
// with it.
func TestWhoNamesASupplierKeepsIt(t *testing.T) {
	own := []string{"supplier_contact", "supplier_item"}
	var known, named []string
	for _, d := range purchasing.Documents() {
		known = append(known, d.Table)
	}
	eachColumn(t, func(table, column, _ string) {
		if column == "supplier_id" {
			named = append(named, table)
		}
	})
	for _, table := range named {
		if !slices.Contains(own, table) && !slices.Contains(known, table) {
			t.Errorf(
				"%s names suppliers: add it to the documents of purchasing, so that one that stands there is not deleted", table)
		}
	}
	for _, table := range slices.Concat(own, known) {
		if !slices.Contains(named, table) {
			t.Errorf("%s has no column supplier_id: purchasing looks for suppliers there", table)
		}
	}
}
