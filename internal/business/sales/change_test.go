package sales_test

import (
	"errors"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fault/faulttest"
	"kontor/internal/foundation/record"
)

// book applies deltas to an order as the rooms above do.
func book(s *db.Store, number string, deltas ...sales.Delta) error {
	return attempt(s, func(tx *db.Tx) error {
		found, err := sales.Lock(tx, []string{number})
		if err != nil {
			return err
		}
		o := found[record.Fold(number)]
		for i := range deltas {
			deltas[i].OrderID = o.ID
		}
		return sales.Book(tx, "test", []*sales.Order{o}, deltas)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestBookDerivesAndCloses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "10")
		number := place(t, s, order(line("A", "4"), line("FREIGHT", "1"))).Number
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Release(tx, number); return err })
		q := dec.Must
		must(t, book(s, number, sales.Delta{Line: 1, OnShipment: q("3")}))
		faulttest.Refused(t, book(s, number, sales.Delta{Line: 1, OnShipment: q("2")}), sales.ErrQuantity, "lines[0]")
		err := attempt(s, func(tx *db.Tx) error { _, err := sales.Cancel(tx, number); return err })
		faulttest.Refused(t, err, sales.ErrHasOpenShipments, "")
		// Handed over, with the stock that was issued.
		handOver := sales.Delta{Line: 1, OnShipment: q("-3"), Allocated: q("-3"), Delivered: q("3")}
		must(t, attempt(s, func(tx *db.Tx) error { return issue(tx, number, "3") }))
		must(t, book(s, number, handOver))
		o := find(t, s, number)
		if o.Delivery != sales.PartiallyDelivered || o.DeliveredPercent != q("80") || o.Lines[1].Delivered != q("1") {
			t.Errorf("delivery %s %s, freight %s", o.Delivery, o.DeliveredPercent, o.Lines[1].Delivered)
		}
		err = attempt(s, func(tx *db.Tx) error { _, err := sales.Cancel(tx, number); return err })
		faulttest.Refused(t, err, sales.ErrHasDeliveries, "")
		// One comes back before it is invoiced, and is never billed.
		must(t, book(s, number, sales.Delta{Line: 1, Returned: q("1")}))
		if l := find(t, s, number).Lines[0]; l.Billable() != q("2") || l.Returned != q("1") {
			t.Errorf("billable %s of %+v", l.Billable(), l)
		}
		must(t, book(s, number, sales.Delta{Line: 1, Invoiced: q("2")}, sales.Delta{Line: 2, Invoiced: q("1")}))
		must(t, attempt(s, func(tx *db.Tx) error { return issue(tx, number, "1") }))
		must(t, book(s, number, sales.Delta{Line: 1, OnShipment: q("1")}))
		must(t, book(s, number, sales.Delta{Line: 1, OnShipment: q("-1"), Allocated: q("-1"), Delivered: q("1")}))
		if o = find(t, s, number); o.Status != sales.Released || o.Delivery != sales.FullyDelivered ||
			o.Invoicing != sales.PartiallyInvoiced {
			t.Errorf("%s %s %s", o.Status, o.Delivery, o.Invoicing)
		}
		must(t, book(s, number, sales.Delta{Line: 1, Invoiced: q("1")}))
		if o = find(t, s, number); o.Status != sales.Closed || o.Invoicing != sales.FullyInvoiced {
			t.Errorf("not closed by itself: %s %s", o.Status, o.Invoicing)
		}
		must(t, book(s, number, sales.Delta{Line: 1, Invoiced: q("-1")}))
		if o = find(t, s, number); o.Status != sales.Released {
			t.Errorf("not open again: %s", o.Status)
		}
		sound(t, s)
	})
}

// issue takes goods of an order's first line out of stock.
func issue(tx *db.Tx, number, quantity string) error {
	o, err := sales.Find(tx, number)
	if err != nil {
		return err
	}
	l := o.Lines[0]
	_, err = stock.Issue(tx, []stock.Move{{ItemID: l.ItemID, Item: l.Item, Tracking: catalog.None,
		Warehouse: l.WarehouseCode, Quantity: dec.Must(quantity), Allocated: dec.Must(quantity)}})
	return err
}

func TestServicesAloneAreDeliveredOnRelease(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		number := place(t, s, order(line("FREIGHT", "2"))).Number
		if o := find(t, s, number); o.Delivery != sales.NotDelivered {
			t.Errorf("placed: %s", o.Delivery)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Release(tx, number); return err })
		must(t, book(s, number, sales.Delta{Line: 1, Invoiced: dec.Must("2")}))
		if o := find(t, s, number); o.Delivery != sales.FullyDelivered || o.Status != sales.Closed {
			t.Errorf("%s %s", o.Delivery, o.Status)
		}
		sound(t, s)
	})
}

// A line with an agreed discount that is billed in full has no rest to share it with: fewer of it are refused like
// fewer of any other.
func TestABilledLineKeepsItsAgreedDiscount(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		cheaper := line("FREIGHT", "2")
		cheaper.DiscountAmount = ptr("3")
		number := place(t, s, order(cheaper, line("A", "1"))).Number
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Release(tx, number); return err })
		fewer := func(quantity string) error {
			return attempt(s, func(tx *db.Tx) error {
				_, _, err := sales.ChangeLine(tx, number, 1, func(r *sales.Revision) error {
					r.Quantity = dec.Must(quantity)
					return nil
				})
				return err
			})
		}
		for _, billed := range []string{"1", "1"} {
			must(t, book(s, number, sales.Delta{Line: 1, Invoiced: dec.Must(billed)}))
			if err := fewer("0.5"); !fault.Is(err, sales.ErrAlreadyInvoiced) {
				t.Errorf("%s more of 2 billed, and half a one is ordered: %v", billed, err)
			}
		}
		if err := fewer("1"); !fault.Is(err, sales.ErrAlreadyInvoiced) {
			t.Errorf("2 are billed, and 1 is ordered: %v", err)
		}
		sound(t, s)
	})
}

func TestLines(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "10")
		number := place(t, s, order(line("A", "4"))).Number
		var l sales.Line
		dbtest.Write(t, s, func(tx *db.Tx) (err error) {
			_, l, err = sales.AddLine(tx, number, line("A", "8"))
			return err
		})
		if l.Number != 2 || l.Allocated != dec.Must("6") {
			t.Errorf("added %+v", l)
		}
		change := func(n int, edit func(r *sales.Revision)) (l sales.Line, err error) {
			err = attempt(s, func(tx *db.Tx) (err error) {
				_, l, err = sales.ChangeLine(tx, number, n, func(r *sales.Revision) error { edit(r); return nil })
				return err
			})
			return l, err
		}
		// What line 1 gives back, line 2 is waiting for.
		l, err := change(1, func(r *sales.Revision) { r.Quantity, r.UnitPrice = dec.Must("3"), ptr("7") })
		must(t, err)
		if o := find(t, s, number); l.LineTotal != dec.Must("21") || !l.IsManualPrice ||
			o.Lines[1].Allocated != dec.Must("7") {
			t.Errorf("changed %+v, other %s", l, o.Lines[1].Allocated)
		}
		must(t, book(s, number, sales.Delta{Line: 1, OnShipment: dec.Must("2")}))
		_, err = change(1, func(r *sales.Revision) { r.Quantity = dec.One })
		faulttest.Refused(t, err, sales.ErrAlreadyShipped, "")
		_, err = change(1, func(r *sales.Revision) { r.WarehouseCode = "SOUTH" })
		faulttest.Refused(t, err, sales.ErrAlreadyShipped, "")
		_, err = change(9, func(r *sales.Revision) {})
		faulttest.Refused(t, err, sales.ErrLineNotFound, "")
		if l, err = change(2, func(r *sales.Revision) { r.WarehouseCode = "south" }); err != nil || l.Allocated != 0 ||
			l.WarehouseCode != "SOUTH" {
			t.Errorf("moved %+v: %v", l, err)
		}
		remove := func(n int) error {
			return attempt(s, func(tx *db.Tx) error { _, err := sales.DeleteLine(tx, number, n); return err })
		}
		faulttest.Refused(t, remove(1), sales.ErrAlreadyShipped, "")
		must(t, remove(2))
		must(t, book(s, number, sales.Delta{Line: 1, OnShipment: dec.Must("-2")}))
		faulttest.Refused(t, remove(1), sales.ErrLastLine, "")
		dbtest.Write(t, s, func(tx *db.Tx) (err error) {
			_, l, err = sales.AddLine(tx, number, line("A", "1"))
			return err
		})
		if l.Number != 3 {
			t.Errorf("a line number was used twice: %d", l.Number)
		}
		sound(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Cancel(tx, number); return err })
		_, err = change(1, func(r *sales.Revision) { r.Quantity = dec.One })
		faulttest.Refused(t, err, sales.ErrInvalidStatus, "")
		if got := allocated(t, s, "A"); got != 0 {
			t.Errorf("a cancelled order still holds %s", got)
		}
		sound(t, s)
	})
}

func TestChangeHead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		arrive(t, s, "A", "A-01", "10")
		o := place(t, s, order(line("A", "4"), line("FREIGHT", "1")))
		change := func(edit func(a *sales.Amendment)) error {
			return attempt(s, func(tx *db.Tx) error {
				_, err := sales.Change(tx, o.Number, func(a *sales.Amendment) error { edit(a); return nil })
				return err
			})
		}
		must(t, change(func(a *sales.Amendment) { a.DeliveryAddress.CountryCode, a.CustomerReference = "dk", "PO 1" }))
		is := find(t, s, o.Number)
		if is.TotalVAT != dec.Must("12.50") || is.CustomerReference != "PO 1" || is.Version != o.Version+1 {
			t.Errorf("vat %s, reference %q, version %d", is.TotalVAT, is.CustomerReference, is.Version)
		}
		must(t, change(func(a *sales.Amendment) {}))
		if again := find(t, s, o.Number); again.Version != is.Version {
			t.Error("a change of nothing made a new revision")
		}
		must(t, change(func(a *sales.Amendment) { a.WarehouseCode = "south" }))
		if is = find(t, s, o.Number); is.Lines[0].WarehouseCode != "SOUTH" || is.Lines[0].Allocated != 0 ||
			allocated(t, s, "A") != 0 {
			t.Errorf("line stayed: %+v", is.Lines[0])
		}
		must(t, change(func(a *sales.Amendment) { a.DeliveryAddress = party.Postal{} }))
		if is = find(t, s, o.Number); is.DeliveryAddress.CountryCode != "SE" {
			t.Errorf("address %+v", is.DeliveryAddress)
		}
		faulttest.Refused(t, change(func(a *sales.Amendment) { a.ShippingMethodCode = "PIGEON" }), sales.ErrUnknownCode,
			"shippingMethodCode")
		sound(t, s)
	})
}

func TestMovesAreRefusedAloud(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		number := place(t, s, order(line("A", "4"))).Number
		verbs := map[string]func(*db.Tx, string) (sales.Order,
			error){"release": sales.Release, "cancel": sales.Cancel, "close": sales.Close}
		do := func(verb string) error {
			return attempt(s, func(tx *db.Tx) error { _, err := verbs[verb](tx, number); return err })
		}
		must(t, do("release"))
		faulttest.Refused(t, do("release"), sales.ErrInvalidStatus, "")
		must(t, do("close"))
		if o := find(t, s, number); o.Status != sales.Closed || o.Delivery != sales.NotDelivered {
			t.Errorf("closed: %s %s", o.Status, o.Delivery)
		}
		for verb := range verbs {
			faulttest.Refused(t, do(verb), sales.ErrInvalidStatus, "")
		}
		number = "SO-0"
		faulttest.Refused(t, do("cancel"), sales.ErrNotFound, "")
		arrive(t, s, "A", "A-01", "10")
		if got := allocated(t, s, "A"); got != 0 {
			t.Errorf("a closed order took %s", got)
		}
		sound(t, s)
	})
}

func TestListFilters(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		for i, date := range []string{"2026-01-02", "2026-01-03", "2026-01-01", "2026-01-03"} {
			p := order(line("A", "1"))
			p.OrderDate, p.CustomerReference = dayOf(date), []string{"red", "blue", "Red Blue", "green"}[i]
			p.Number = []string{"n2", "N4", "N1", "N3"}[i]
			place(t, s, p)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Release(tx, "n1"); return err })
		for _, c := range []struct {
			filter sales.Filter
			want   string
		}{
			{sales.Filter{}, "N3 N4 n2 N1"},
			{sales.Filter{Search: "RED"}, "n2 N1"},
			{sales.Filter{Search: "blu re"}, "N1"},
			{sales.Filter{Status: sales.Released}, "N1"},
			{sales.Filter{From: "2026-01-02", To: "2026-01-02"}, "n2"},
			{sales.Filter{CustomerNumber: "C1", ChannelCode: "WEB"}, ""},
		} {
			dbtest.Read(t, s, func(tx *db.Tx) error {
				found, err := sales.List(tx, c.filter, record.Page{Number: 1, Size: 50})
				got := ""
				for _, o := range found.Items {
					got += " " + o.Number
				}
				if got != "" {
					got = got[1:]
				}
				if got != c.want || found.Total != len(found.Items) {
					t.Errorf("%+v: %q (%d), want %q", c.filter, got, found.Total, c.want)
				}
				return err
			})
		}
	})
}

func TestWhatOrdersNameStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		place(t, s, order(line("A", "1")))
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error { return party.Delete(tx, "C1") }), party.ErrInUse, "")
		faulttest.Refused(t, attempt(s, func(tx *db.Tx) error { return catalog.Delete(tx, "A") }), catalog.ErrInUse, "")
		must(t, attempt(s, func(tx *db.Tx) error { return catalog.Delete(tx, "B") }))
	})
}

// Of a unit whose factor has decimals only so much is sold that all parts of it come to exactly what the whole does.
func TestUnitsAreCountedExactly(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			cable := item("CABLE", ptr("10"))
			cable.DecimalPlaces = 3
			cable.Units = []catalog.Unit{{Code: "FT", Factor: dec.Must("0.3048")},
				{Code: "LB", Factor: dec.Must("0.453592")}}
			return errors.Join(reference.SaveUnits(tx, reference.Unit{Code: "FT", Name: "Feet", IsActive: true},
				reference.Unit{Code: "LB", Name: "Pounds", IsActive: true}),
				catalog.CreateMany(tx, []catalog.Item{cable}))
		})
		of := func(quantity, unit string) sales.NewLine {
			l := line("CABLE", quantity)
			l.Unit = unit
			return l
		}
		for _, l := range []sales.NewLine{of("0.7", "LB"), of("0.755", "FT"), of("0.7551", "")} {
			faulttest.Refused(t, attempt(s, func(tx *db.Tx) error {
				_, err := sales.Place(tx, order(of("1", "LB"), l), stock.AsMuchAsThereIs)
				return err
			}), catalog.ErrTooManyDecimals, "lines[1].quantity")
		}

		o := place(t, s, order(of("2.75", "FT"), of("2", "LB"), of("0.755", "")))
		for _, arrived := range []string{"0.4", "0.317", "0.213", "1.5"} {
			arrive(t, s, "CABLE", "A-01", arrived)
			sound(t, s)
		}
		change := func(quantity string) error {
			return attempt(s, func(tx *db.Tx) error {
				_, _, err := sales.ChangeLine(tx, o.Number, 1, func(r *sales.Revision) error {
					r.Quantity = dec.Must(quantity)
					return nil
				})
				return err
			})
		}
		faulttest.Refused(t, change("1.125"), catalog.ErrTooManyDecimals, "quantity")
		dbtest.Write(t, s, func(tx *db.Tx) error { // what was agreed stays, and is counted by its own factor
			_, err := catalog.Change(tx, "CABLE", func(i *catalog.Item) error {
				i.Units = []catalog.Unit{{Code: "FT", Factor: dec.Must("0.304801")}, i.Units[1]}
				return nil
			})
			return err
		})
		faulttest.None(t, change("1.25"))
		if l := find(t, s, o.Number).Lines[0]; l.Allocated != l.Quantity || l.BaseQuantity != dec.Must("0.381") {
			t.Errorf("line %+v", l)
		}
		sound(t, s)
	})
}
