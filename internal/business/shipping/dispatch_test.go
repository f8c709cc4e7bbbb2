package shipping_test

import (
	"slices"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault/faulttest"
)

const longAgo = db.Time(1_291_190_400_000_000) // 2010-12-01 08:00 UTC

func sale(at db.Time, lines ...sales.NewLine) sales.Placing {
	return sales.Placing{CustomerNumber: "C1", Head: sales.Head{OrderTypeCode: "AUTO"}, At: at, Lines: lines}
}

// sell composes orders, dispatches and enters them.
func sell(s *db.Store, ps ...sales.Placing) (orders []*sales.Order, made []*shipping.Shipment, err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) {
		if orders, err = sales.Compose(tx, ps); err != nil {
			return err
		}
		if made, err = shipping.Dispatch(tx, orders); err != nil {
			return err
		}
		return sales.Enter(tx, orders, stock.AllOrNothing)
	})
	return orders, made, err
}

func TestGoodsThatLeaveAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var told []string
		db.On(s, func(_ *db.Tx, e shipping.HandedOver) error {
			if e.Shipment != nil {
				told = append(told, e.Shipment.Number+" "+string(e.On))
			}
			return nil
		})
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		test.Arrive(t, s, "B", "24")
		told = nil
		orders, made,
			err := sell(s, sale(longAgo, test.Line("A", "3"), sales.NewLine{Item: "B", Quantity: q("1"), Unit: "BOX"},
			test.Line("A", "1")),
			sale(longAgo+1, test.Line("FREIGHT", "1")), sale(longAgo+2, test.Line("A", "2"), test.Line("FREIGHT", "1")))
		if err != nil {
			t.Fatal(err)
		}
		if len(made) != 2 || len(told) != 2 || told[0] != made[0].Number+" 2010-12-01" {
			t.Fatalf("%d shipments, told of %v", len(made), told)
		}
		for i, want := range []struct {
			order int
			at    db.Time
			lines int
		}{{0, longAgo, 3}, {2, longAgo + 2, 2 - 1}} {
			var sh shipping.Shipment
			dbtest.Read(t, s, func(tx *db.Tx) (err error) { sh, err = shipping.Find(tx, made[i].Number); return err })
			if sh.Status != shipping.Delivered || sh.ShippedDate != want.at || sh.DeliveredDate != want.at ||
				len(sh.Lines) != want.lines || *sh.Lines[0].UnitCost != q("8") {
				t.Errorf("shipment %d: %+v", i, sh)
			}
			o := test.Find(t, s, orders[want.order].Number)
			if o.Delivery != sales.FullyDelivered || len(o.ShipmentNumbers) != 1 || o.ShipmentNumbers[0] != sh.Number ||
				o.Lines[0].Allocated != 0 {
				t.Errorf("order %d: %s %v %+v", want.order, o.Delivery, o.ShipmentNumbers, o.Lines)
			}
		}
		if a, b := test.Level(t, s, "A"), test.Level(t, s, "B"); a.OnHand != q("4") || a.Allocated != 0 ||
			b.OnHand != q("12") {
			t.Errorf("in stock are %+v of A and %+v of B", a, b)
		}
		var at db.Time
		dbtest.Read(t, s, func(tx *db.Tx) error {
			_, err := tx.One(
				"-- test\nselect at from stock_entry where company = :company and ref_id = :ref order by id limit 1",
				db.Args{"ref": made[1].Number}, &at)
			return err
		})
		if at != longAgo+2 {
			t.Errorf("the ledger says they left at %s", at)
		}
		test.Sound(t, s)
	})
}

func TestWhatIsReservedForOthersStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "10")
		test.Order(t, s, "STD", test.Line("A", "7"))
		_, _, err := sell(s, sale(0, test.Line("A", "2")), sale(0, test.Line("A", "2")))
		faulttest.Refused(t, err, stock.ErrInsufficient, "")
		if l := test.Level(t, s, "A"); l.OnHand != q("10") || l.Allocated != q("7") {
			t.Errorf("a refused sale left %+v", l)
		}
		if _, _, err := sell(s, sale(0, test.Line("A", "2")), sale(0, test.Line("A", "1"))); err != nil {
			t.Error(err)
		}
		// What lies where nobody picks can be sold as little.
		dbtest.Write(t, s, func(tx *db.Tx) error {
			i, err := catalog.Find(tx, "B")
			if err != nil {
				return err
			}
			_, err = stock.Receive(tx, stock.Return,
				[]stock.Move{{ItemID: i.ID, Item: "B", Warehouse: "MAIN", Location: "RETURNS", Quantity: q("1")}})
			return err
		})
		_, _, err = sell(s, sale(0, test.Line("B", "1")))
		faulttest.Refused(t, err, stock.ErrInsufficient, "")
		test.Sound(t, s)
	})
}

// southern receives five A in the warehouse SOUTH.
func southern(t *testing.T, s *db.Store) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		i, err := catalog.Find(tx, "A")
		if err != nil {
			return err
		}
		_, err = stock.Receive(tx, stock.Receipt,
			[]stock.Move{{ItemID: i.ID, Item: "A", Warehouse: "SOUTH", Quantity: q("5")}})
		return err
	})
}

// Orders asked for together leave the warehouse that has something of each. Where none has, they are refused, and no
// order names a shipment that it is not on.
func TestOrdersLeaveTheWarehouseThatHasOfEach(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "5")
		southern(t, s)
		south := test.Line("A", "2")
		south.WarehouseCode = "SOUTH"
		here, there := test.Order(t, s, "STD", test.Line("A", "1")), test.Order(t, s, "STD", south)
		err := test.Attempt(s, func(tx *db.Tx) error {
			_, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{here.Number, there.Number}})
			return err
		})
		faulttest.Refused(t, err, shipping.ErrNoAllocations, "")
		both := test.Order(t, s, "STD", test.Line("A", "1"), south)
		sh := test.Ship(t, s, both.Number, there.Number)
		if sh.WarehouseCode != "SOUTH" || len(sh.Lines) != 2 {
			t.Errorf("%d lines leave %s", len(sh.Lines), sh.WarehouseCode)
		}
		for _, o := range []sales.Order{there, both} {
			if o := test.Find(t, s, o.Number); !slices.Equal(o.ShipmentNumbers, []string{sh.Number}) {
				t.Errorf("order %s names %v", o.Number, o.ShipmentNumbers)
			}
		}
		if o := test.Find(t, s, here.Number); len(o.ShipmentNumbers) > 0 {
			t.Errorf("the order that is not on it names %v", o.ShipmentNumbers)
		}
		test.Sound(t, s)
	})
}

func TestEachWarehouseDispatchesItsOwn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "5")
		southern(t, s)
		south := test.Line("A", "2")
		south.WarehouseCode = "SOUTH"
		orders, made, err := sell(s, sale(0, test.Line("A", "1"), south))
		if err != nil || len(made) != 2 || made[1].WarehouseCode != "SOUTH" || made[1].Lines[0].OrderLine != 2 {
			t.Fatalf("%d shipments: %v", len(made), err)
		}
		if o := test.Find(t, s, orders[0].Number); o.Delivery != sales.FullyDelivered || len(o.ShipmentNumbers) != 2 {
			t.Errorf("%s, %v", o.Delivery, o.ShipmentNumbers)
		}
		test.Sound(t, s)
	})
}

func TestStoredOrdersAreDispatchedFromTheirReservations(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		test.Arrive(t, s, "A", "5")
		o := test.Order(t, s, "STD", test.Line("A", "7"))
		placed := test.Place(t, s, sales.Placing{CustomerNumber: "C2", Lines: []sales.NewLine{test.Line("B", "1")}})
		dispatch := func(numbers ...string) (made []*shipping.Shipment, err error) {
			err = test.Attempt(s, func(tx *db.Tx) error {
				found, err := sales.Lock(tx, numbers)
				if err != nil {
					return err
				}
				var orders []*sales.Order
				for _, n := range numbers {
					orders = append(orders, found[test.Key(n)])
				}
				made, err = shipping.Dispatch(tx, orders)
				return err
			})
			return made, err
		}
		made, err := dispatch(o.Number, placed.Number)
		if err != nil || len(made) != 1 || made[0].Lines[0].Quantity != q("5") {
			t.Fatalf("%v: %v", made, err)
		}
		if l := test.Level(t, s, "A"); l.OnHand != 0 || l.Allocated != 0 {
			t.Errorf("left are %+v", l)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Cancel(tx, placed.Number); return err })
		_, err = dispatch(placed.Number)
		faulttest.Refused(t, err, shipping.ErrOrderStatus, "")
		test.Sound(t, s)
	})
}

// Goods that come back undelivered and are put among returns cover nothing; the order that owes them again is served
// from what is free, and does not wait for the next arrival.
func TestWhatIsOwedAgainIsTakenFromWhatIsFree(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "RETURNS", Name: "Returns",
				IsReturns: true, IsActive: true})
		})
		test.Arrive(t, s, "A", "7")
		o := test.Order(t, s, "STD", test.Line("A", "4"))
		sh, err := create(s, shipping.New{OrderNumbers: []string{o.Number}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = do(s, sh.Number, "pick", "pack", "book", "hand-over", "fail", "take-back"); err != nil {
			t.Fatal(err)
		}
		o = test.Find(t, s, o.Number)
		if l := test.Level(t, s, "A"); o.Lines[0].Allocated != q("3") || l.OnHand != q("7") || l.Allocated != q("3") {
			t.Errorf("%s are allocated, %s of %s in stock", o.Lines[0].Allocated, l.Allocated, l.OnHand)
		}
		test.Sound(t, s)
	})
}
