package shipping_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"kontor/internal/business/catalog"
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

func create(s *db.Store, n shipping.New) (sh shipping.Shipment, err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) { sh, err = shipping.Create(tx, n); return err })
	return sh, err
}

// do runs verbs one after another, each in a transaction, and stops at the first refusal.
func do(s *db.Store, number string, verbs ...string) (sh shipping.Shipment, err error) {
	for _, v := range verbs {
		err = test.Attempt(s, func(tx *db.Tx) (err error) {
			switch v {
			case "pick":
				sh, err = shipping.PickGoods(tx, number, nil)
			case "pack":
				sh, err = shipping.Pack(tx, number, nil)
			case "book":
				sh, err = shipping.BookCarrier(tx, number, shipping.Booking{TrackingNumber: "X 1"})
			case "hand-over":
				sh, err = shipping.HandOver(tx, number, 0)
			case "deliver":
				sh, err = shipping.Deliver(tx, number, 0)
			case "cancel":
				sh, err = shipping.Cancel(tx, number)
			case "hold":
				sh, err = shipping.Pause(tx, number)
			case "unhold":
				sh, err = shipping.Resume(tx, number)
			case "fail":
				sh, err = shipping.Fail(tx, number)
			case "send-again":
				sh, err = shipping.SendAgain(tx, number)
			case "take-back":
				sh, err = shipping.TakeBack(tx, number)
			default:
				panic(v)
			}
			return err
		})
		if err != nil {
			return sh, err
		}
	}
	return sh, nil
}

func pick(s *db.Store, number string, picks ...shipping.Pick) (sh shipping.Shipment, err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) { sh, err = shipping.PickGoods(tx, number, picks); return err })
	return sh, err
}

func TestFromReleaseToDelivery(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		test.Arrive(t, s, "B", "36")
		o := test.Order(t, s, "STD", test.Line("A", "4"), sales.NewLine{Item: "B", Quantity: q("2"), Unit: "BOX"},
			test.Line("FREIGHT", "1"))
		sh, err := create(s, shipping.New{OrderNumbers: []string{o.Number, o.Number}, Notes: "ring first"})
		if err != nil {
			t.Fatal(err)
		}
		if sh.Status != shipping.Released || len(sh.Lines) != 2 || *sh.TotalWeightKg != q("14") ||
			sh.ShippingMethodCode != "POST" || sh.WarehouseCode != "MAIN" {
			t.Fatalf("created %+v", sh)
		}
		_, err = create(s, shipping.New{OrderNumbers: []string{o.Number}})
		faulttest.Refused(t, err, shipping.ErrNoAllocations, "")
		if sh, err = pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("3")}); err != nil ||
			sh.Status != shipping.Picking {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		if sh, err = do(s, sh.Number, "pick"); err != nil || sh.Status != shipping.Picked ||
			sh.Lines[1].Picked != q("2") {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		if sh, err = do(s, sh.Number, "pack", "book"); err != nil || sh.Status != shipping.Booked ||
			sh.TrackingURL != "https://post.test/X%201" {
			t.Fatalf("%s %s: %v", sh.Status, sh.TrackingURL, err)
		}
		if sh, err = do(s, sh.Number, "hand-over"); err != nil || sh.Status != shipping.InTransit ||
			sh.ShippedDate == 0 || *sh.Lines[0].UnitCost != q("8") {
			t.Fatalf("%+v: %v", sh, err)
		}
		if o = test.Find(t, s, o.Number); o.Delivery != sales.FullyDelivered || o.Lines[2].Delivered != q("1") ||
			!slices.Equal(o.ShipmentNumbers, []string{sh.Number}) {
			t.Errorf("order %s %v", o.Delivery, o.ShipmentNumbers)
		}
		if a, b := test.Level(t, s, "A"), test.Level(t, s, "B"); a.OnHand != q("6") || a.Allocated != 0 ||
			b.OnHand != q("12") || b.Allocated != 0 {
			t.Errorf("levels %+v %+v", a, b)
		}
		version := sh.Version
		if sh, err = do(s, sh.Number, "deliver"); err != nil || sh.Status != shipping.Delivered ||
			sh.Version != version+1 {
			t.Errorf("%s %d: %v", sh.Status, sh.Version, err)
		}
		_, err = do(s, sh.Number, "hand-over")
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
		dbtest.Read(t, s, func(tx *db.Tx) error {
			again, err := shipping.Find(tx, sh.Number)
			if again.Version != sh.Version || again.Notes != "ring first" || again.Lines[1].Picked != q("2") ||
				again.DeliveredDate != sh.DeliveredDate {
				t.Errorf("stored %+v", again)
			}
			return err
		})
		test.Sound(t, s)
	})
}

func TestShortPickGoesBackToTheOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		o := test.Order(t, s, "STD", test.Line("A", "5"))
		sh, _ := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		_, err := do(s, sh.Number, "hand-over")
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
		_, err = pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("6")})
		faulttest.Refused(t, err, shipping.ErrExceedsLine, "lines[0].pickedQuantity")
		_, err = pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("0.5"), Location: "X-9"},
			shipping.Pick{OrderLine: 7, Quantity: q("1")})
		faulttest.Refused(t, err, catalog.ErrTooManyDecimals, "lines[1].orderLineNumber")
		if _, err = pick(s, sh.Number, shipping.Pick{OrderNumber: o.Number, OrderLine: 1, Quantity: q("3"),
			Location: "a-01"}); err != nil {
			t.Fatal(err)
		}
		if sh, err = do(s, sh.Number, "hand-over"); err != nil || sh.Status != shipping.PickedUp {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		l := test.Find(t, s, o.Number).Lines[0]
		if l.Delivered != q("3") || l.Allocated != 0 || l.OnShipment != 0 || l.Missing() != q("2") {
			t.Errorf("line %+v", l)
		}
		if a := test.Level(t, s, "A"); a.OnHand != q("7") || a.Allocated != 0 {
			t.Errorf("level %+v", a)
		}
		test.Sound(t, s)
	})
}

func TestCancelKeepsTheAllocation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		o := test.Order(t, s, "STD", test.Line("A", "5"))
		sh, _ := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		if sh, err := do(s, sh.Number, "hold", "unhold", "pick", "cancel"); err != nil ||
			sh.Status != shipping.Cancelled {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		if l := test.Find(t, s, o.Number).Lines[0]; l.Allocated != q("5") || l.OnShipment != 0 {
			t.Errorf("line %+v", l)
		}
		_, err := do(s, sh.Number, "cancel")
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
		if _, err := create(s, shipping.New{OrderNumbers: []string{o.Number}}); err != nil {
			t.Error(err)
		}
		test.Sound(t, s)
	})
}

func TestTrackedGoodsMustBeNamed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "SERIAL", "1", "S1", "S2", "S3")
		test.Arrive(t, s, "BATCH", "5", "B1", "B2")
		o := test.Order(t, s, "STD", test.Line("SERIAL", "2"), test.Line("BATCH", "6"))
		sh, _ := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		_, err := do(s, sh.Number, "pick")
		faulttest.Refused(t, err, shipping.ErrTrackingRequired, "lines[1].batchNumber")
		_, err = pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("2"), Serials: []string{"S3", "s3"}})
		faulttest.Refused(t, err, shipping.ErrInvalid, "lines[0].serialNumbers[1]")
		for _, p := range []shipping.Pick{{OrderLine: 1, Quantity: q("1"), Serials: []string{"S4"}},
			{OrderLine: 2, Quantity: q("1"), Batch: "B3"}, {OrderLine: 2, Quantity: q("6"), Batch: "B2"},
			{OrderLine: 2, Quantity: q("1"), Batch: "B2", Location: "A-02"}} {
			_, err = pick(s, sh.Number, p)
			faulttest.Refused(t, err, stock.ErrInsufficient, "")
		}
		if _, err = pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("2"), Serials: []string{"S3", "S1"}},
			shipping.Pick{OrderLine: 2, Quantity: q("5"), Batch: "B2"}, shipping.Pick{OrderLine: 2, Quantity: q("1"),
				Batch: "B1"}); err != nil {
			t.Fatal(err)
		}
		if _, err = do(s, sh.Number, "hand-over"); err != nil {
			t.Fatal(err)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			parcels, err := shipping.Shipped(tx, o.ID, []int{1, 2})
			var got []string
			for _, p := range parcels {
				got = append(got, p.Serial+p.Batch+"="+p.Left().String())
			}
			if want := []string{"S3=1", "S1=1", "B2=5", "B1=1"}; !slices.Equal(got, want) {
				t.Errorf("parcels %v, want %v", got, want)
			}
			if err != nil {
				return err
			}
			sh, err = shipping.Find(tx, sh.Number)
			var held []string
			for _, h := range sh.Held() {
				held = append(held, fmt.Sprint(h.Item, " ", h.Quantity, h.Batches))
			}
			if want := []string{"SERIAL 2 [{ 2 [S3 S1]}]", "BATCH 6 [{B2 5 []} {B1 1 []}]"}; !slices.Equal(held, want) {
				t.Errorf("it holds %v, want %v", held, want)
			}
			return err
		})
		test.Arrive(t, s, "A", "1")
		o = test.Order(t, s, "STD", test.Line("A", "1"))
		sh, _ = create(s, shipping.New{OrderNumbers: []string{o.Number}})
		_, err = pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("1"), Batch: "B1", Serials: []string{"S1"}})
		faulttest.Refused(t, err, stock.ErrNotTracked, "lines[0].batchNumber")
		faulttest.Refused(t, err, stock.ErrNotTracked, "lines[0].serialNumbers")
		test.Sound(t, s)
	})
}

func TestConsolidation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "100")
		one, two := test.Order(t, s, "STD", test.Line("A", "1")), test.Order(t, s, "STD", test.Line("A", "2"))
		foreign := test.Place(t, s, sales.Placing{CustomerNumber: "C2", Lines: []sales.NewLine{test.Line("A", "1")}})
		group := test.Place(t, s, sales.Placing{CustomerNumber: "C1", Head: sales.Head{ShipTogether: true},
			Lines: []sales.NewLine{test.Line("A", "1")}})
		fetched := test.Place(t, s, sales.Placing{CustomerNumber: "C1", Head: sales.Head{ShippingMethodCode: "PICKUP"},
			Lines: []sales.NewLine{test.Line("A", "1")}})
		away := one.DeliveryAddress
		away.City = "Kiruna"
		other := test.Place(t, s, sales.Placing{CustomerNumber: "C1", Head: sales.Head{DeliveryAddress: away},
			Lines: []sales.NewLine{test.Line("A", "1")}})
		service := test.Order(t, s, "STD", test.Line("FREIGHT", "1"))
		waits := test.Order(t, s, "STD", test.Line("B", "1"))
		placed := ""
		dbtest.Write(t, s, func(tx *db.Tx) error {
			o, err := sales.Place(tx, sales.Placing{CustomerNumber: "C1", Lines: []sales.NewLine{test.Line("A", "1")}},
				stock.AsMuchAsThereIs)
			placed = o.Number
			return err
		})
		for _, c := range []struct {
			orders []string
			method string
			code   string
		}{
			{[]string{one.Number, foreign.Number}, "", shipping.ErrDifferentCustomers.Name},
			{[]string{one.Number, other.Number}, "", shipping.ErrDifferentAddresses.Name},
			{[]string{one.Number, fetched.Number}, "", shipping.ErrDifferentMethods.Name},
			{[]string{one.Number, group.Number}, "", shipping.ErrShipGroup.Name},
			{[]string{service.Number}, "", shipping.ErrNoDeliverable.Name},
			{[]string{waits.Number}, "", shipping.ErrNoAllocations.Name},
			{[]string{one.Number, waits.Number}, "", shipping.ErrNoAllocations.Name},
			{[]string{placed}, "", shipping.ErrOrderStatus.Name},
			{[]string{"NONE"}, "", shipping.ErrOrderNotFound.Name},
			{[]string{one.Number}, "PIGEON", shipping.ErrMethodNotFound.Name},
			{nil, "", shipping.ErrInvalid.Name},
		} {
			_, err := create(s, shipping.New{OrderNumbers: c.orders, MethodCode: c.method})
			if err == nil {
				t.Errorf("%v was shipped, want %s", c.orders, c.code)
				continue
			}
			if got := faultCode(err); got != c.code {
				t.Errorf("%v: %s, want %s", c.orders, got, c.code)
			}
		}
		sh, err := create(s, shipping.New{OrderNumbers: []string{two.Number, one.Number}})
		if err != nil || !slices.Equal(sh.OrderNumbers(), []string{two.Number, one.Number}) {
			t.Fatalf("%v: %v", sh.OrderNumbers(), err)
		}
		if _, err := do(s, sh.Number, "pick", "hand-over"); err != nil {
			t.Fatal(err)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			p := record.Page{Number: 1, Size: 10}
			mine, err := shipping.OfOrder(tx, one.Number, p)
			if err != nil || len(mine.Items) != 1 || len(mine.Items[0].Lines) != 1 {
				t.Errorf("of order: %+v %v", mine, err)
			}
			all, err := shipping.List(tx, shipping.Filter{Order: one.Number, Status: shipping.PickedUp,
				Warehouse: "main", Search: "sh-"}, p)
			if err != nil || len(all.Items) != 1 || len(all.Items[0].Lines) != 2 {
				t.Errorf("list: %+v %v", all, err)
			}
			return err
		})
		test.Sound(t, s)
	})
}

func TestPickUpAndSkipping(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "100")
		dbtest.Write(t, s, func(tx *db.Tx) error { return test.Defaults(tx, false) })
		o := test.Order(t, s, "STD", test.Line("A", "1"))
		sh, err := create(s, shipping.New{OrderNumbers: []string{o.Number}, MethodCode: "PICKUP"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = do(s, sh.Number, "pick", "hand-over")
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
		if sh, err = do(s, sh.Number, "pack"); err != nil || sh.Status != shipping.ReadyForPickup {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		if sh, err = do(s, sh.Number, "hand-over", "deliver"); err != nil || sh.Status != shipping.Delivered {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		o = test.Order(t, s, "STD", test.Line("A", "1"))
		sh, _ = create(s, shipping.New{OrderNumbers: []string{o.Number}})
		_, err = do(s, sh.Number, "pick", "pack", "hand-over")
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
		if _, err = do(s, sh.Number, "book", "hand-over", "fail", "send-again", "fail"); err != nil {
			t.Fatal(err)
		}
		// Taken back: the goods are in stock at what they cost, and the order waits for them.
		if sh, err = do(s, sh.Number, "take-back"); err != nil || sh.Status != shipping.Cancelled {
			t.Fatalf("%s: %v", sh.Status, err)
		}
		if l := test.Find(t, s, o.Number).Lines[0]; l.Delivered != 0 {
			t.Errorf("line %+v", l)
		}
		if a := test.Level(t, s, "A"); a.OnHand != q("99") || a.Average != q("8") {
			t.Errorf("level %+v", a)
		}
		test.Sound(t, s)
	})
}

func TestPackages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		o := test.Order(t, s, "STD", test.Line("A", "2"))
		sh, _ := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		heavy := q("3.2")
		add := func() (sh2 shipping.Shipment, p shipping.Package, err error) {
			err = test.Attempt(s, func(tx *db.Tx) (err error) {
				sh2, p, err = shipping.AddPackage(tx, sh.Number, shipping.Package{WeightKg: &heavy, Notes: "box"})
				return err
			})
			return sh2, p, err
		}
		_, _, err := add()
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
		do(s, sh.Number, "pick")
		if sh, p, err := add(); err != nil || p.Number != 1 || sh.Status != shipping.Packing ||
			*sh.TotalWeightKg != heavy {
			t.Fatalf("%+v %+v: %v", sh, p, err)
		}
		add()
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if _, err := shipping.RemovePackage(tx, sh.Number, 1); err != nil {
				return err
			}
			_, _, err := shipping.ChangePackage(tx, sh.Number, 2, func(p *shipping.Package) error {
				p.TrackingNumber = "T2"
				return nil
			})
			return err
		})
		err = test.Attempt(s, func(tx *db.Tx) error { _, err := shipping.RemovePackage(tx, sh.Number, 1); return err })
		faulttest.Refused(t, err, shipping.ErrPackageNotFound, "")
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := shipping.Pack(tx, sh.Number, []shipping.Package{{WeightKg: &heavy}})
			return err
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			sh, err := shipping.Find(tx, sh.Number)
			if sh.Status != shipping.Packed || len(sh.Packages) != 2 || sh.Packages[0].TrackingNumber != "T2" ||
				sh.Packages[1].Number != 3 || *sh.TotalWeightKg != q("6.4") {
				t.Errorf("stored %+v", sh)
			}
			return err
		})
	})
}

func TestChangeHead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		o := test.Order(t, s, "STD", test.Line("A", "2"))
		sh, _ := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		change := func(edit func(*shipping.Shipment)) (got shipping.Shipment, err error) {
			err = test.Attempt(s, func(tx *db.Tx) (err error) {
				got, err = shipping.Change(tx, sh.Number, func(s *shipping.Shipment) error { edit(s); return nil })
				return err
			})
			return got, err
		}
		got, err := change(func(s *shipping.Shipment) { s.ShippingMethodCode, s.GoodsLabel = "pickup", "Fragile" })
		if err != nil || !got.IsPickup || got.ShippingMethodCode != "PICKUP" || got.Version != sh.Version+1 {
			t.Errorf("%+v: %v", got, err)
		}
		if again, err := change(func(s *shipping.Shipment) {}); err != nil || again.Version != got.Version {
			t.Errorf("nothing changed, but version %d: %v", again.Version, err)
		}
		_, err = change(func(s *shipping.Shipment) { s.ShippingMethodCode = "PIGEON" })
		faulttest.Refused(t, err, shipping.ErrMethodNotFound, "shippingMethodCode")
		_, err = do(s, sh.Number, "pick", "book")
		faulttest.Refused(t, err, shipping.ErrIsPickup, "")
		do(s, sh.Number, "hand-over")
		_, err = change(func(s *shipping.Shipment) { s.Notes = "late" })
		faulttest.Refused(t, err, shipping.ErrInvalidStatus, "")
	})
}

// Every status and verb is a move or a refusal, and every status but the last ones can be left.
func TestMovesAreTotal(t *testing.T) {
	for _, status := range shipping.Status("").Values() {
		left := false
		for verb, move := range shipping.Moves {
			to, err := shipping.Moves.Check(shipping.ErrInvalidStatus, "shipment", "1", status, verb)
			if allowed := slices.Contains(move.From, status); allowed != (err == nil) {
				t.Errorf("%s from %s: %v", verb, status, err)
			}
			left = left || err == nil && to != status
		}
		last := status == shipping.Delivered || status == shipping.Cancelled
		if open := left || slices.Contains(shipping.Moves["hand-over"].From, status); open == last {
			t.Errorf("%s: can be left %t", status, open)
		}
	}
}

func faultCode(err error) string { return fault.As(err).Code }

// Of many who hand the same goods over at once, one does.
func TestRaceToHandOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		one, two := test.Order(t, s, "STD", test.Line("A", "3")), test.Order(t, s, "STD", test.Line("A", "2"))
		sh, err := create(s, shipping.New{OrderNumbers: []string{one.Number, two.Number}})
		if err != nil {
			t.Fatal(err)
		}
		do(s, sh.Number, "pick")
		var (
			wg     sync.WaitGroup
			handed atomic.Int32
		)
		for k := range 12 {
			wg.Go(func() {
				_, err := do(s, sh.Number, []string{"hand-over", "hand-over", "cancel"}[k%3])
				if err == nil {
					handed.Add(1)
				} else if !fault.Is(err, shipping.ErrInvalidStatus) {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if handed.Load() != 1 {
			t.Errorf("%d verbs succeeded, want one", handed.Load())
		}
		if a := test.Level(t, s, "A"); a.OnHand.Add(a.Allocated) != q("5") && a.OnHand.Sub(a.Allocated) != q("5") {
			t.Errorf("level %+v", a)
		}
		test.Sound(t, s)
	})
}

// What a shipment holds is what was picked: a line that came short holds less, one of which there was nothing is left
// out. Before anything is picked it is to hold all of it.
func TestAShipmentHoldsWhatWasPicked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		test.Arrive(t, s, "B", "10")
		o := test.Order(t, s, "STD", test.Line("A", "5"), test.Line("B", "2"))
		sh, err := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		if err != nil {
			t.Fatal(err)
		}
		holds := func(want ...string) {
			t.Helper()
			dbtest.Read(t, s, func(tx *db.Tx) error {
				sh, err := shipping.Find(tx, sh.Number)
				var got []string
				for _, h := range sh.Held() {
					got = append(got, h.Item+"="+h.Quantity.String())
				}
				if !slices.Equal(got, want) {
					t.Errorf("it holds %v, want %v", got, want)
				}
				return err
			})
		}
		holds("A=5", "B=2")
		if _, err := pick(s, sh.Number, shipping.Pick{OrderLine: 1, Quantity: q("3")}); err != nil {
			t.Fatal(err)
		}
		if _, err := do(s, sh.Number, "hand-over"); err != nil {
			t.Fatal(err)
		}
		holds("A=3")
		test.Sound(t, s)
	})
}
