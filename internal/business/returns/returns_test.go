package returns_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/fault/faulttest"
	"kontor/internal/foundation/record"
)

var q = dec.Must

// open gives a shop whose returns and invoices know each other, as the house wires them.
func open(t *testing.T, s *db.Store) {
	test.Open(t, s)
	db.On(s, invoicing.OnHandedOver)
	db.On(s, credit)
	db.On(s, func(tx *db.Tx, e invoicing.Issued) error {
		if !e.LastOfReturn {
			return nil
		}
		return returns.CreditBooked(tx, e.Invoice.ReturnNumber)
	})
	db.On(s, func(tx *db.Tx, e invoicing.Withdrawn) error {
		if e.Invoice.ReturnNumber == "" {
			return nil
		}
		return returns.CreditWithdrawn(tx, e.Invoice.ReturnNumber)
	})
	test.Arrive(t, s, "A", "100")
}

// run is a verb in a transaction of its own.
func run(s *db.Store, verb func(tx *db.Tx) (returns.Return, error)) (r returns.Return, err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) { r, err = verb(tx); return err })
	return r, err
}

func register(s *db.Store, order string, lines ...returns.NewLine) (returns.Return, error) {
	return run(s, func(tx *db.Tx) (returns.Return, error) {
		return returns.Create(tx, returns.New{OrderNumber: order, Reason: returns.Defective, Lines: lines})
	})
}

func line(n int, quantity string) returns.NewLine {
	return returns.NewLine{OrderLine: n, Quantity: q(quantity)}
}

func receive(s *db.Store, number string, arrivals ...returns.Arrival) (returns.Return, error) {
	err := test.Attempt(s, func(tx *db.Tx) error { _, err := returns.Approve(tx, number); return err })
	if err != nil && !fault.Is(err, returns.ErrInvalidStatus) {
		return returns.Return{}, err
	}
	return run(s, func(tx *db.Tx) (returns.Return, error) { return returns.Receive(tx, number, arrivals) })
}

func sound(t *testing.T, s *db.Store) {
	t.Helper()
	test.Sound(t, s, invoicing.Verify, returns.Verify)
}

func TestReturnIsCreditedAndClosed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "WEB", test.Line("A", "5"), test.Line("FREIGHT", "1"))
		_, err := register(s, o.Number)
		faulttest.Refused(t, err, returns.ErrNoDelivered, "orderNumber")
		test.Ship(t, s, o.Number)
		r, err := register(s, o.Number)
		if err != nil || len(r.Lines) != 1 || r.TotalAmount != q("62.5") || r.Status != returns.Draft ||
			r.WarehouseCode != "MAIN" {
			t.Fatalf("%+v: %v", r, err)
		}
		_, err = run(s, func(tx *db.Tx) (returns.Return, error) { return returns.Receive(tx, r.Number, nil) })
		faulttest.Refused(t, err, returns.ErrInvalidStatus, "")
		if r, err = receive(s, r.Number, returns.Arrival{Line: 1, Quantity: q("2")}); err != nil {
			t.Fatal(err)
		}
		if r.Status != returns.Received || r.Lines[0].Quantity != q("2") || r.Lines[0].ToCredit != q("2") ||
			r.TotalAmount != q("25") || r.ReceivedDate == "" {
			t.Errorf("%+v", r)
		}
		if a := test.Level(t, s, "A"); a.OnHand != q("97") || a.Average != q("8") {
			t.Errorf("level %+v", a)
		}
		if r, err = run(s, func(tx *db.Tx) (returns.Return, error) {
			return returns.Credit(tx, r.Number)
		}); err != nil || r.Status != returns.CreditNoted {
			t.Fatalf("%s: %v", r.Status, err)
		}
		got := test.Find(t, s, o.Number)
		note := got.InvoiceNumbers[1]
		if got.Status != sales.Closed || got.Lines[0].Returned != q("2") || got.Lines[0].Invoiced != q("5") {
			t.Errorf("order %s %+v", got.Status, got.Lines[0])
		}
		// A cancelled credit note opens the return again, and it is credited anew.
		status := func(verb func(tx *db.Tx) error) returns.Status {
			dbtest.Write(t, s, verb)
			r, err := run(s, func(tx *db.Tx) (returns.Return, error) { return returns.Find(tx, r.Number) })
			if err != nil {
				t.Fatal(err)
			}
			return r.Status
		}
		if is := status(func(tx *db.Tx) error {
			_, err := invoicing.Cancel(tx, note)
			return err
		}); is != returns.Received {
			t.Errorf("after cancelling: %s", is)
		}
		status(func(tx *db.Tx) error { _, err := returns.Credit(tx, r.Number); return err })
		note = test.Find(t, s, o.Number).InvoiceNumbers[2]
		if is := status(func(tx *db.Tx) error {
			_, err := invoicing.Book(tx, note)
			return err
		}); is != returns.Closed {
			t.Errorf("after booking: %s", is)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			n, err := invoicing.Find(tx, note)
			if n.TotalAmount != q("25") || n.ReturnNumber != r.Number || n.Balance() != 0 {
				t.Errorf("credit note %+v", n)
			}
			return err
		})
		sound(t, s)
	})
}

// A line whose all has been announced bears no more, whatever quantity is named: with a discount on it, less than
// nothing of nothing was a fault of ours.
func TestNothingIsLeftToRegister(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		l, percent := test.Line("A", "5"), q("10")
		l.DiscountPercent = &percent
		o := test.Order(t, s, "WEB", l)
		test.Ship(t, s, o.Number)
		if _, err := register(s, o.Number); err != nil {
			t.Fatal(err)
		}
		for quantity, want := range map[string]fault.Code{"-1": returns.ErrInvalid, "0": returns.ErrInvalid,
			"1": returns.ErrExceedsDelivered} {
			_, err := register(s, o.Number, line(1, quantity))
			faulttest.Refused(t, err, want, "lines[0].quantity")
		}
	})
}

func TestReturnedBeforeInvoicing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "5"))
		test.Ship(t, s, o.Number)
		r, _ := register(s, o.Number, line(1, "2"))
		if r, err := receive(s, r.Number); err != nil || r.Lines[0].ToCredit != 0 {
			t.Fatalf("%+v: %v", r, err)
		}
		if r, err := run(s, func(tx *db.Tx) (returns.Return, error) {
			return returns.Credit(tx, r.Number)
		}); err != nil || r.Status != returns.Closed {
			t.Errorf("%s: %v", r.Status, err)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			i, err := invoicing.FromOrders(tx, []string{o.Number}, tx.Today(), invoicing.BookedAtOnce())
			if err == nil && i.Lines[0].Quantity != q("3") {
				t.Errorf("billed %s", i.Lines[0].Quantity)
			}
			return err
		})
		if o = test.Find(t, s, o.Number); o.Status != sales.Closed {
			t.Errorf("order %s", o.Status)
		}
		sound(t, s)
	})
}

func TestNeverMoreThanDelivered(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "5"), test.Line("FREIGHT", "1"))
		test.Ship(t, s, o.Number)
		_, err := register(s, o.Number, line(1, "3"), line(1, "3"), line(4, "1"))
		faulttest.Refused(t, err, returns.ErrExceedsDelivered, "lines[2].orderLineNumber")
		_, err = register(s, "NONE", line(1, "3"))
		faulttest.Refused(t, err, returns.ErrOrderNotFound, "orderNumber")
		first, err := register(s, o.Number, line(1, "3"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = register(s, o.Number, line(1, "3"))
		faulttest.Refused(t, err, returns.ErrExceedsDelivered, "lines[0].quantity")
		rest, err := register(s, o.Number)
		if err != nil || rest.Lines[0].Quantity != q("2") {
			t.Fatalf("%+v: %v", rest, err)
		}
		_, err = register(s, o.Number)
		faulttest.Refused(t, err, returns.ErrNoDelivered, "orderNumber")
		_, err = receive(s, first.Number, returns.Arrival{Line: 1, Quantity: q("2")},
			returns.Arrival{Line: 1, Quantity: q("2"), Location: "X"})
		faulttest.Refused(t, err, returns.ErrExceedsRegistered, "lines[1].quantity")
		if _, err = run(s, func(tx *db.Tx) (returns.Return, error) {
			return returns.Cancel(tx, first.Number)
		}); err != nil {
			t.Fatal(err)
		}
		if _, err = register(s, o.Number, line(1, "3")); err != nil {
			t.Error("what a cancelled return announced is free again: ", err)
		}
		sound(t, s)
	})
}

func TestRaceOfTwoReturns(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "WEB", test.Line("A", "5"))
		test.Ship(t, s, o.Number)
		var (
			wg       sync.WaitGroup
			mu       sync.Mutex
			accepted []string
		)
		for range 8 {
			wg.Go(func() {
				r, err := register(s, o.Number, line(1, "2"))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					accepted = append(accepted, r.Number)
				} else if !fault.Is(err, returns.ErrExceedsDelivered) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(accepted) != 2 {
			t.Fatalf("%d returns of 2 pieces were accepted, of 5 delivered", len(accepted))
		}
		received := 0
		for k := range 8 {
			wg.Go(func() {
				_, err := receive(s, accepted[k%2])
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					received++
				} else if !fault.Is(err, returns.ErrInvalidStatus) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if a := test.Level(t, s, "A"); received != 2 || a.OnHand != q("99") {
			t.Errorf("received %d times, %s on hand", received, a.OnHand)
		}
		sound(t, s)
	})
}

func TestTrackedScrapAndLists(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		test.Arrive(t, s, "SERIAL", "1", "S1", "S2", "S3")
		o := test.Order(t, s, "STD", test.Line("SERIAL", "3"), test.Line("A", "4"))
		dbtest.Write(t, s, func(tx *db.Tx) error {
			sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{o.Number}})
			if err != nil {
				return err
			}
			if _, err = shipping.PickGoods(tx, sh.Number,
				[]shipping.Pick{{OrderLine: 1, Quantity: q("3"), Serials: []string{"S1", "S2", "S3"}},
					{OrderLine: 2, Quantity: q("4")}}); err != nil {
				return err
			}
			_, err = shipping.HandOver(tx, sh.Number, 0)
			return err
		})
		r, _ := register(s, o.Number, line(1, "1"), line(2, "1"), returns.NewLine{OrderLine: 2, Quantity: q("2"),
			Condition: "scrap"})
		_, err := receive(s, r.Number, returns.Arrival{Line: 1, Quantity: q("1"), Serials: []string{"S9"}})
		faulttest.Refused(t, err, returns.ErrNotShipped, "lines[0].quantity")
		if r, err = receive(s, r.Number, returns.Arrival{Line: 1, Quantity: q("1"), Serials: []string{"s2"},
			Location: "A-02"},
			returns.Arrival{Line: 2, Quantity: q("1")}, returns.Arrival{Line: 3, Quantity: q("2")}); err != nil {
			t.Fatal(err)
		}
		// Two of four are thrown away, one is back.
		if a := test.Level(t, s, "A"); a.OnHand != q("97") {
			t.Errorf("level %+v", a)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			parcels, err := shipping.Shipped(tx, o.ID, []int{1})
			var left []string
			for _, p := range parcels {
				if p.Left() > 0 {
					left = append(left, p.Serial)
				}
			}
			if !slices.Equal(left, []string{"S1", "S3"}) {
				t.Errorf("still out: %v", left)
			}
			entries, err2 := stock.ListEntries(tx, stock.EntryFilter{RefType: "Return", RefID: r.Number},
				record.Page{Number: 1, Size: 50})
			if err2 != nil || entries.Total != 4 {
				t.Errorf("%d entries, want three returns and a scrap: %v", entries.Total, err2)
			}
			for _, f := range []returns.Filter{{}, {Order: o.Number}, {Customer: "c1", Status: returns.Received},
				{Search: r.Number}} {
				found, err := returns.List(tx, f, record.Page{Number: 1, Size: 50})
				if err != nil || found.Total != 1 || len(found.Items[0].Lines) != 3 {
					t.Errorf("%+v: %d: %v", f, found.Total, err)
				}
			}
			return err
		})
		change := func(reason returns.Reason) error {
			return test.Attempt(s, func(tx *db.Tx) error {
				_, err := returns.Change(tx, r.Number, func(r *returns.Return) error { r.Reason = reason; return nil })
				return err
			})
		}
		faulttest.Refused(t, change(returns.Other), returns.ErrInvalidStatus, "")
		next, _ := register(s, o.Number)
		r = next
		if err := change(returns.Other); err != nil {
			t.Error(err)
		}
		sound(t, s)
	})
}

// What comes back to be thrown away covers no back-order, wherever it is put.
func TestScrapCoversNoBackorder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "B", "3")
		o := test.Order(t, s, "STD", test.Line("B", "3"))
		test.Ship(t, s, o.Number)
		waits := test.Order(t, s, "STD", test.Line("B", "3"))
		r, _ := register(s, o.Number, returns.NewLine{OrderLine: 1, Quantity: q("2"), Condition: returns.Scrap},
			line(1, "1"))
		_, err := receive(s, r.Number, returns.Arrival{Line: 1, Quantity: q("2"), Location: "A-01"},
			returns.Arrival{Line: 2, Quantity: q("1"), Location: "A-01"})
		if got := test.Find(t, s, waits.Number).Lines[0].Allocated; err != nil || got != q("1") {
			t.Errorf("%s allocated, want the one that is whole: %v", got, err)
		}
		if b := test.Level(t, s, "B"); b.OnHand != q("1") || b.Allocated != q("1") {
			t.Errorf("level %+v", b)
		}
		sound(t, s)
	})
}

// However what came of a line is told, in rows of any condition, place and piece: the order, the stock and the return
// agree, and what can be resold is what was not broken.
func TestLineComesInParts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		luck := rand.New(rand.NewPCG(7, 7))
		for range 12 {
			before := test.Level(t, s, "A").OnHand
			o := test.Order(t, s, "WEB", test.Line("A", "6"), test.Line("A", "2"))
			test.Ship(t, s, o.Number)
			r, err := register(s, o.Number, line(1, "6"), line(2, "2"))
			if err != nil {
				t.Fatal(err)
			}
			var rows []returns.Arrival
			left := map[int]int{1: 6, 2: 2}
			byCondition, conditions := map[string]dec.Dec{}, map[string]bool{}
			for range 1 + luck.IntN(6) {
				n := 1 + luck.IntN(2)
				if left[n] == 0 {
					continue
				}
				a := returns.Arrival{Line: n, Quantity: dec.Int(int64(1 + luck.IntN(left[n]))),
					Condition: []string{"", "Scratched", "SCRATCHED", "scrap"}[luck.IntN(4)],
					Location:  []string{"", "A-01", "A-02"}[luck.IntN(3)]}
				left[n] -= int(a.Quantity / dec.One)
				rows = append(rows, a)
				key := record.Fold(a.Condition)
				byCondition[key] = byCondition[key].Add(a.Quantity)
				conditions[fmt.Sprint(n, key)] = true
			}
			if len(rows) == 0 {
				continue
			}
			if r, err = receive(s, r.Number, rows...); err != nil {
				t.Fatal(err)
			}
			stored, err := run(s, func(tx *db.Tx) (returns.Return, error) { return returns.Find(tx, r.Number) })
			if err != nil || !slices.Equal(stored.Lines, r.Lines) {
				t.Fatalf("answered %+v, stored %+v: %v", r.Lines, stored.Lines, err)
			}
			var came, registered dec.Dec
			for _, l := range stored.Lines {
				if l.Quantity > 0 {
					delete(conditions, fmt.Sprint(l.OrderLine, record.Fold(l.Condition)))
				}
				came, registered = came.Add(l.Quantity), registered.Add(l.Registered)
				byCondition[record.Fold(l.Condition)] = byCondition[record.Fold(l.Condition)].Sub(l.Quantity)
			}
			for c, rest := range byCondition {
				if rest != 0 {
					t.Errorf("%s in condition %q stand on no line, of %+v", rest, c, rows)
				}
			}
			if len(conditions) > 0 || registered != q("8") {
				t.Errorf("no line for %v; %s registered", conditions, registered)
			}
			var broken dec.Dec
			for _, a := range rows {
				if a.Condition == "scrap" {
					broken = broken.Add(a.Quantity)
				}
			}
			if is, want := test.Level(t, s, "A").OnHand, before.Sub(q("8")).Add(came).Sub(broken); is != want {
				t.Errorf("%s on hand, not %s", is, want)
			}
			if _, err := run(s, func(tx *db.Tx) (returns.Return, error) {
				return returns.Credit(tx, r.Number)
			}); err != nil {
				t.Fatal(err)
			}
		}
		sound(t, s)
	})
}

// A row that names its piece gets it, though a row before it would take any.
func TestNamedPieceIsLeftToWhoNamesIt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		test.Arrive(t, s, "SERIAL", "1", "S1", "S2")
		o := test.Order(t, s, "STD", test.Line("SERIAL", "2"))
		dbtest.Write(t, s, func(tx *db.Tx) error {
			sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{o.Number}})
			if err != nil {
				return err
			}
			if _, err = shipping.PickGoods(tx, sh.Number,
				[]shipping.Pick{{OrderLine: 1, Quantity: q("2"), Serials: []string{"S1", "S2"}}}); err != nil {
				return err
			}
			_, err = shipping.HandOver(tx, sh.Number, 0)
			return err
		})
		r, _ := register(s, o.Number)
		_, err := receive(s, r.Number, returns.Arrival{Line: 1, Quantity: q("1"), Serials: []string{"S1"}},
			returns.Arrival{Line: 1, Quantity: q("1"), Serials: []string{"s1"}})
		faulttest.Refused(t, err, returns.ErrInvalid, "lines[1].serialNumbers")
		if r, err = receive(s, r.Number, returns.Arrival{Line: 1, Quantity: q("1"), Condition: "Scrap"},
			returns.Arrival{Line: 1, Quantity: q("1"), Serials: []string{"S1"}, Location: "A-01"}); err != nil {
			t.Fatal(err)
		}
		if len(r.Lines) != 2 || r.Lines[0].Condition != "Scrap" || r.Lines[1].Condition != "" {
			t.Errorf("%+v", r.Lines)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			rows, err := stock.ListEntries(tx, stock.EntryFilter{RefType: "Return", RefID: r.Number},
				record.Page{Number: 1, Size: 50})
			for _, e := range rows.Items {
				if e.Kind == stock.Scrapped && e.Serial != "S2" {
					t.Errorf("%s was thrown away, not S2", e.Serial)
				}
			}
			return err
		})
		sound(t, s)
	})
}

// Goods whose delivery failed never reached the customer: they are taken back or sent again, not returned.
func TestFailedDeliveryIsNotReturned(t *testing.T) {
	for _, location := range []string{"", "A-01"} { // whether the picker said where he took them
		dbtest.Each(t, func(t *testing.T, s *db.Store) { failedDelivery(t, s, location) })
	}
}

func failedDelivery(t *testing.T, s *db.Store, location string) {
	open(t, s)
	o := test.Order(t, s, "STD", test.Line("A", "8"))
	var sh shipping.Shipment
	dbtest.Write(t, s, func(tx *db.Tx) (err error) {
		if sh, err = shipping.Create(tx, shipping.New{OrderNumbers: []string{o.Number}}); err != nil {
			return err
		}
		for _, verb := range []func() (shipping.Shipment, error){
			func() (shipping.Shipment, error) {
				return shipping.PickGoods(tx, sh.Number,
					[]shipping.Pick{{OrderLine: 1, Quantity: q("5"), Location: location}})
			},
			func() (shipping.Shipment, error) { return shipping.BookCarrier(tx, sh.Number, shipping.Booking{}) },
			func() (shipping.Shipment, error) { return shipping.HandOver(tx, sh.Number, 0) },
			func() (shipping.Shipment, error) { return shipping.Fail(tx, sh.Number) },
		} {
			if _, err := verb(); err != nil {
				return err
			}
		}
		return nil
	})
	_, err := register(s, o.Number)
	faulttest.Refused(t, err, returns.ErrNoDelivered, "orderNumber")
	_, err = register(s, o.Number, line(1, "1"))
	faulttest.Refused(t, err, returns.ErrExceedsDelivered, "lines[0].quantity")
	dbtest.Read(t, s, func(tx *db.Tx) error {
		now := test.Find(t, s, o.Number)
		left, err := returns.Left(tx, &now)
		if left[1] != 0 {
			t.Errorf("%s may be returned", left[1])
		}
		return err
	})
	dbtest.Write(t, s, func(tx *db.Tx) error { _, err := shipping.SendAgain(tx, sh.Number); return err })
	r, err := register(s, o.Number, line(1, "2"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = receive(s, r.Number); err != nil {
		t.Fatal(err)
	}
	dbtest.Write(t, s, func(tx *db.Tx) error { _, err := shipping.Fail(tx, sh.Number); return err })
	_, err = register(s, o.Number, line(1, "1"))
	faulttest.Refused(t, err, returns.ErrExceedsDelivered, "lines[0].quantity")
	test.Arrive(t, s, "A", "3")
	test.Ship(t, s, o.Number)
	_, err = register(s, o.Number, line(1, "4"))
	faulttest.Refused(t, err, returns.ErrExceedsDelivered, "lines[0].quantity")
	_, err = register(s, o.Number, line(1, "3"))
	faulttest.None(t, err)
	sound(t, s)
}

// The greatest document of real life so far: shipped, invoiced and sent back whole.
func TestDocumentOf1114Lines(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		test.Arrive(t, s, "A", "2000")
		lines := make([]sales.NewLine, 1114)
		for i := range lines {
			lines[i] = test.Line("A", "1")
		}
		o := test.Order(t, s, "STD", lines...)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			orders, err := sales.Lock(tx, []string{o.Number})
			if err != nil {
				return err
			}
			list := []*sales.Order{orders[test.Key(o.Number)]}
			if sh, err := shipping.Dispatch(tx, list); err != nil || len(sh[0].Lines) != 1114 ||
				sh[0].Status != shipping.Delivered {
				t.Errorf("%v", err)
				return err
			}
			i, err := invoicing.FromLocked(tx, list, tx.Today(), invoicing.WithDocumentNumber("573585"))
			if err == nil && (i.TotalAmount != q("13925") || list[0].Status != sales.Closed) {
				t.Errorf("%s, order %s", i.TotalAmount, list[0].Status)
			}
			return err
		})
		r, err := register(s, o.Number)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = receive(s, r.Number); err != nil || r.Lines[1113].ToCredit != dec.One {
			t.Fatal(err)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := returns.Credit(tx, r.Number); return err })
		sound(t, s)
	})
}
