package sales_test

import (
	"slices"
	"testing"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault/faulttest"
)

// sell composes orders, delivers and invoices all of them and enters them. Which goods leave is shipping's to say; here
// they come from nowhere.
func sell(tx *db.Tx, ps ...sales.Placing) ([]*sales.Order, error) {
	orders, err := sales.Compose(tx, ps)
	if err != nil {
		return nil, err
	}
	for _, act := range []struct {
		name string
		of   func(*sales.Line) sales.Delta
	}{
		{"deliver", func(l *sales.Line) sales.Delta { return sales.Delta{Delivered: l.Missing()} }},
		{"invoice", func(l *sales.Line) sales.Delta { return sales.Delta{Invoiced: l.Billable()} }},
	} {
		var deltas []sales.Delta
		for _, o := range orders {
			for i := range o.Lines {
				d := act.of(&o.Lines[i])
				d.OrderID, d.Line = o.ID, o.Lines[i].Number
				deltas = append(deltas, d)
			}
		}
		if err := sales.Book(tx, act.name, orders, deltas); err != nil {
			return nil, err
		}
	}
	if err := sales.LinkInvoices(tx, []sales.Link{{Order: orders[0], Number: "INV-1"},
		{Order: orders[0], Number: "INV-2"}}); err != nil {
		return nil, err
	}
	return orders, sales.Enter(tx, orders, stock.AllOrNothing)
}

func sale(lines ...sales.NewLine) sales.Placing {
	p := order(lines...)
	p.OrderTypeCode, p.At = "AUTO", longAgo
	return p
}

const longAgo = db.Time(1_291_190_400_000_000) // 2010-12-01 08:00 UTC

func TestAnOrderIsStoredAsWhatItHasBecome(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		db.On(s, func(_ *db.Tx, e sales.OrderReleased) error {
			t.Errorf("%s is over and done with, but was announced", e.Order.Number)
			return nil
		})
		shop(t, s)
		var orders []*sales.Order
		dbtest.Write(t, s, func(tx *db.Tx) (err error) {
			orders, err = sell(tx, sale(line("A", "3"), line("FREIGHT", "1")), sale(line("B", "2")))
			return err
		})
		o := find(t, s, orders[0].Number)
		if o.Status != sales.Closed || o.Delivery != sales.FullyDelivered || o.Invoicing != sales.FullyInvoiced ||
			o.Lines[0].Delivered != dec.Must("3") {
			t.Errorf("stored as %s, %s, %s: %+v", o.Status, o.Delivery, o.Invoicing, o.Lines)
		}
		if o.PlacedAt != longAgo || o.Version != 3 || o.ModifiedAt == 0 ||
			!slices.Equal(o.InvoiceNumbers, []string{"INV-1", "INV-2"}) {
			t.Errorf("placed %s, version %d, modified %s, invoices %v", o.PlacedAt, o.Version, o.ModifiedAt,
				o.InvoiceNumbers)
		}
		var acts, kinds []string
		dbtest.Read(t, s, func(tx *db.Tx) error {
			err := tx.Each(
				"-- test\nselect action, detail from activity where company = :company and id = :id order by at",
				db.Args{"id": o.ID}, func(r db.Row) error {
					var action, detail string
					err := r.Scan(&action, &detail)
					if detail == "" {
						t.Errorf("%s says nothing", action)
					}
					acts = append(acts, action)
					return err
				})
			if err != nil {
				return err
			}
			return tx.Each("-- test\nselect kind from change where company = :company and id = :id",
				db.Args{"id": o.ID}, func(r db.Row) error {
					kinds = append(kinds, "")
					return r.Scan(&kinds[len(kinds)-1])
				})
		})
		if !slices.Equal(acts, []string{"created", "deliver", "invoice"}) || !slices.Equal(kinds, []string{"created"}) {
			t.Errorf("logged as %v, changed as %v", acts, kinds)
		}
	})
}

func TestAComposedOrderIsNotThereBeforeItIsEntered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "2")
		dbtest.Write(t, s, func(tx *db.Tx) error {
			orders, err := sales.Compose(tx, []sales.Placing{order(line("A", "3"))})
			if err != nil {
				return err
			}
			if _, err := sales.Find(tx, orders[0].Number); err == nil || !orders[0].IsNew() {
				t.Errorf("%s was found before it was entered", orders[0].Number)
			}
			return sales.Enter(tx, orders, stock.AsMuchAsThereIs)
		})
		// What nobody delivered is reserved when the order is entered, as if it had been placed.
		if got := allocated(t, s, "A"); got != dec.Must("2") {
			t.Errorf("%s are reserved, want 2", got)
		}
		sound(t, s)
	})
}

func TestNumbersThatCallersHaveTakenAreNotDrawn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		for _, n := range []string{"so-100001", "SO-100003", "so-100006"} {
			p := order(line("FREIGHT", "1"))
			p.Number = n
			place(t, s, p)
		}
		var sold, placed []*sales.Order
		dbtest.Write(t, s, func(tx *db.Tx) (err error) {
			if sold, err = sell(tx, sale(line("FREIGHT", "1")), sale(line("FREIGHT", "1"))); err != nil {
				return err
			}
			placed, err = sales.PlaceMany(tx, []sales.Placing{order(line("FREIGHT", "1")), order(line("FREIGHT", "1"))},
				stock.AllOrNothing)
			return err
		})
		var got []string
		for _, o := range append(sold, placed...) {
			got = append(got, find(t, s, o.Number).Number)
		}
		if want := []string{"SO-100004", "SO-100002", "SO-100005", "SO-100007"}; !slices.Equal(got, want) {
			t.Errorf("drawn %v, want %v", got, want)
		}
		p := order(line("FREIGHT", "1"))
		p.Number = "SO-100001"
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error { _, err := sell(tx, p); return err }), sales.ErrExists,
			"")
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error {
			_, err := sales.Place(tx, p, stock.AllOrNothing)
			return err
		}), sales.ErrExists, "")
	})
}
