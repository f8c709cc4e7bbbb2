package assortment_test

import (
	"testing"

	"kontor/internal/business/assortment"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What lies in a location that is closed is offered no more, on its page at once, and where stock is searched for as
// soon as somebody looks behind the requests; once the location is open again it is.
func TestAPlaceIsClosed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		a := s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		s.receive(a, "50")
		s.follow()
		look := func(isOpen bool, want assortment.Status, found string) {
			t.Helper()
			s.write(func(tx *db.Tx) error {
				return reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A", Name: "A",
					IsPickable: isOpen, IsActive: isOpen})
			})
			s.woken()
			s.read(func(tx *db.Tx) error {
				p, err := assortment.PageOf(tx, s.viewer(tx, ""), "claw-hammer")
				if err == nil && p.Stock.Status != want {
					t.Errorf("the page says %s, not %s", p.Stock.Status, want)
				}
				return err
			})
			s.follow()
			s.same(s.numbers(assortment.Wish{InStock: true}), found)
			s.checked()
		}
		look(true, assortment.InStock, "A")
		look(false, assortment.OutOfStock, "")
		look(true, assortment.InStock, "A")
	})
}
