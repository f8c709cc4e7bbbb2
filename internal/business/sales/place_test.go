package sales_test

import (
	"testing"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fault/faulttest"
)

func TestReleaseIsAnnounced(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		// A room above that puts everything on a shipment at once.
		db.On(s, func(tx *db.Tx, e sales.OrderReleased) error {
			if !e.AutoShip {
				return nil
			}
			l := e.Order.Lines[0]
			orders := []*sales.Order{e.Order}
			if err := sales.LinkShipments(tx, []sales.Link{{Order: e.Order, Number: "SH-1"}}); err != nil {
				return err
			}
			return sales.Book(tx, "ship", orders,
				[]sales.Delta{{OrderID: e.Order.ID, Line: l.Number, OnShipment: l.Allocated}})
		})
		shop(t, s)
		arrive(t, s, "A", "A-01", "3")
		p := order(line("A", "4"))
		p.OrderTypeCode = "auto"
		o := place(t, s, p)
		if o.Status != sales.Released || o.Lines[0].OnShipment != dec.Must("3") || len(o.ShipmentNumbers) != 1 {
			t.Errorf("placed and released: %s %+v %v", o.Status, o.Lines[0], o.ShipmentNumbers)
		}
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error { _, err := sales.Release(tx, o.Number); return err }),
			sales.ErrInvalidStatus, "")
		sound(t, s)
	})
}

func TestAllOrNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "3")
		try := func(quantity string) error {
			return attempt(s, func(tx *db.Tx) error {
				_, err := sales.Place(tx, order(line("A", quantity), line("A", "1")), stock.AllOrNothing)
				return err
			})
		}
		faulttest.Refused(t, try("3"), stock.ErrInsufficient, "")
		if got := allocated(t, s, "A"); got != 0 {
			t.Errorf("a refused order holds %s", got)
		}
		must(t, try("2"))
		sound(t, s)
	})
}

func TestPlaceMany(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "5")
		ps := make([]sales.Placing, 3)
		for i := range ps {
			ps[i] = order(line("A", "2"))
			ps[i].ExternalNumber = []string{"1", "2", "3"}[i]
		}
		var got []*sales.Order
		dbtest.Write(t, s, func(tx *db.Tx) (err error) {
			got, err = sales.PlaceMany(tx, ps, stock.AsMuchAsThereIs)
			return err
		})
		for i, want := range []string{"2", "2", "1"} {
			if got[i].Lines[0].Allocated != dec.Must(want) || got[i].ExternalNumber != ps[i].ExternalNumber {
				t.Errorf("order %d: %+v", i, got[i].Lines[0])
			}
		}
		ps[1].CustomerNumber, ps[2].Lines[0].Item = "NOBODY", "NOTHING"
		err := attempt(s, func(tx *db.Tx) error {
			_, err := sales.PlaceMany(tx, ps, stock.AsMuchAsThereIs)
			return err
		})
		if f := fault.As(err); len(f.Fields) != 2 || f.Fields[0].Path != "orders[1].customerNumber" ||
			f.Fields[1].Path != "orders[2].lines[0].itemNumber" {
			t.Errorf("%v", err)
		}
		ps = []sales.Placing{order(line("A", "1")), order(line("A", "1"))}
		ps[0].ExternalNumber, ps[1].ExternalNumber = "X", "x"
		err = attempt(s, func(tx *db.Tx) error { _, err := sales.PlaceMany(tx, ps, stock.AsMuchAsThereIs); return err })
		faulttest.Refused(t, err, sales.ErrExternalExists, "")
		sound(t, s)
	})
}
