package replenishment

import (
	"reflect"
	"testing"
)

// What is more than a document may have lines goes into several, each of one supplier and warehouse.
func TestADraftHasAsManyLinesAsItMay(t *testing.T) {
	of := func(item, supplier, warehouse string) Proposal {
		return Proposal{Item: item, Supplier: supplier, Warehouse: warehouse}
	}
	all := []Proposal{of("A", "S", "MAIN"), of("B", "T", "MAIN"), of("C", "S", "MAIN"), of("D", "S", "SHOP"),
		of("E", "S", "MAIN")}
	var got [][]string
	err := eachDraft(all, 2, func(p Proposal) string { return p.Supplier }, func(lines []Proposal) error {
		var items []string
		for _, p := range lines {
			items = append(items, p.Item)
		}
		got = append(got, items)
		return nil
	})
	want := [][]string{{"A", "C"}, {"E"}, {"D"}, {"B"}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("drafts of %v (%v), want %v", got, err, want)
	}
}
