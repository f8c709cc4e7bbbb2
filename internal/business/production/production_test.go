package production_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/business/catalog"
	"kontor/internal/business/production"
	"kontor/internal/business/sales"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault/faulttest"
	"kontor/internal/foundation/jobs"
)

var q = dec.Must

// open gives a shop that makes lamps of two of A and one of B, as the house wires it.
func open(t testing.TB, s *db.Store) {
	test.Open(t, s)
	db.On(s, production.OnArrived)
	db.On(s, production.OnDemanded)
	db.On(s, production.OnCancelled)
	db.On(s, production.TellReserved)
	dbtest.Write(t, s, func(tx *db.Tx) error {
		item := func(number string, tracking catalog.TrackingType) catalog.Item {
			price := q("40")
			return catalog.Item{Number: number, Name: "Item " + number, Type: catalog.Stock, IsActive: true,
				BaseUnit: "PCS", TaxCode: "STD", SalesPrice: &price, Tracking: tracking,
				Replenishment: catalog.Manufacture}
		}
		if err := catalog.CreateMany(tx, []catalog.Item{item("LAMP", catalog.None), item("TAGGED", catalog.Serial),
			item("SET", catalog.None)}); err != nil {
			return err
		}
		return bom(tx, "LAMP", "A", "2", "B", "1")
	})
}

// bom gives an item the components named, with their quantities.
func bom(tx *db.Tx, item string, parts ...string) error {
	_, err := production.ChangeBOM(tx, item, func(b *production.BOM) error {
		b.Lines = nil
		for pair := range slices.Chunk(parts, 2) {
			b.Lines = append(b.Lines, production.BOMLine{Item: pair[0], Quantity: q(pair[1])})
		}
		return nil
	})
	return err
}

func run(s *db.Store, verb func(tx *db.Tx) (production.Order, error)) (o production.Order, err error) {
	err = test.Attempt(s, func(tx *db.Tx) (err error) { o, err = verb(tx); return err })
	return o, err
}

// planned makes a work order and plans it.
func planned(t *testing.T, s *db.Store, item, quantity string) (o production.Order) {
	t.Helper()
	o, err := run(s, func(tx *db.Tx) (production.Order, error) {
		o, err := production.Create(tx, production.New{Item: item, Quantity: q(quantity)})
		if err != nil {
			return o, err
		}
		return production.Plan(tx, o.Number)
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func complete(s *db.Store, number string, c production.Completing) (production.Order, error) {
	return run(s, func(tx *db.Tx) (production.Order, error) { return production.Complete(tx, number, c) })
}

func sound(t *testing.T, s *db.Store) {
	t.Helper()
	test.Sound(t, s, production.Verify)
}

func runner(s *db.Store) *jobs.Runner {
	r := jobs.NewRunner(jobs.TransactorOf(s, dbtest.Company), slog.New(slog.DiscardHandler))
	r.InTx(production.ReserveKind, production.ReserveWaiting)
	r.InTx(production.CancelKind, production.CancelOf)
	return r
}

// follow does what jobs do after the commit, and says how many there were.
func follow(t *testing.T, s *db.Store) (all int) {
	t.Helper()
	r := runner(s)
	for {
		n, err := r.RunDue(context.Background(), dbtest.Company)
		if err != nil {
			t.Fatal(err)
		}
		if all += n; n == 0 {
			return all
		}
	}
}

// Where many orders wait for a component, what comes goes to the earliest, a part of them in each transaction; who
// waits for something else is left alone.
func TestManyWaitForOneComponent(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error { return bom(tx, "SET", "B", "1") })
		const many, come = 230, 205
		var numbers []string
		dbtest.Write(t, s, func(tx *db.Tx) error {
			for range many {
				o, err := production.Create(tx, production.New{Item: "SET", Quantity: q("1")})
				if err != nil {
					return err
				}
				if _, err = production.Plan(tx, o.Number); err != nil {
					return err
				}
				numbers = append(numbers, o.Number)
			}
			return nil
		})
		test.Arrive(t, s, "A", "50")
		if n := follow(t, s); n != 0 {
			t.Errorf("%d jobs for what nobody waits for", n)
		}
		test.Arrive(t, s, "B", "205")
		if n := follow(t, s); n != 3 {
			t.Errorf("%d jobs, not one for each hundred", n)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			for i, n := range numbers {
				o, err := production.Find(tx, n)
				if err != nil {
					return err
				}
				if want := i < come; want != (o.Status == production.Planned) {
					t.Errorf("order %d of %d is %s", i+1, many, o.Status)
				}
			}
			return nil
		})
		sound(t, s)
	})
}

func TestNothingIsAPartOfItself(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error { return bom(tx, "SET", "LAMP", "1") })
		err := test.Attempt(s, func(tx *db.Tx) error { return bom(tx, "A", "SET", "1") })
		faulttest.Refused(t, err, production.ErrCycle, "lines")
		if err == nil || !strings.Contains(err.Error(), "A → SET → LAMP → A") {
			t.Errorf("the circle is not named: %v", err)
		}
		err = test.Attempt(s, func(tx *db.Tx) error { return bom(tx, "A", "A", "1") })
		faulttest.Refused(t, err, production.ErrCycle, "lines")
		err = test.Attempt(s, func(tx *db.Tx) error { return bom(tx, "A", "B", "1", "NONE", "0") })
		faulttest.Refused(t, err, production.ErrItemNotFound, "lines[1].itemNumber")
		dbtest.Read(t, s, func(tx *db.Tx) error {
			set, err := catalog.Find(tx, "SET")
			if err != nil {
				return err
			}
			tree, err := production.Tree(tx, set.ID, tx.Today())
			if len(tree) != 3 || tree[0].Item != "LAMP" || !tree[0].IsMade || tree[1].Level != 2 ||
				tree[1].Quantity != q("2") {
				t.Errorf("tree %+v", tree)
			}
			parts, err2 := production.PartsOf(tx, set.ID, true)
			if err2 != nil || len(parts) != 2 || parts[0].Item != "A" {
				t.Errorf("parts %+v: %v", parts, err2)
			}
			return err
		})
		_, err = run(s, func(tx *db.Tx) (production.Order, error) {
			return production.Order{}, catalog.Delete(tx, "B")
		})
		if err != nil { // nobody listens here; the house's wiring is proved by its stories
			t.Error(err)
		}
	})
}

func TestComponentsAreReservedIssuedAndCosted(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		test.Arrive(t, s, "A", "13")
		o := planned(t, s, "LAMP", "10")
		if o.Status != production.Waiting || o.Lines[0].Reserved != q("13") || o.Lines[0].Missing() != q("7") {
			t.Fatalf("%s %+v", o.Status, o.Lines)
		}
		_, err := complete(s, o.Number, production.Completing{Quantity: q("3")})
		faulttest.Refused(t, err, stock.ErrInsufficient, "")
		sound(t, s)
		test.Arrive(t, s, "A", "100")
		test.Arrive(t, s, "B", "100")
		follow(t, s)
		dbtest.Read(t, s, func(tx *db.Tx) (err error) { o, err = production.Find(tx, o.Number); return err })
		if o.Status != production.Planned || o.Lines[0].Reserved != q("20") ||
			test.Level(t, s, "A").Allocated != q("20") {
			t.Fatalf("%s %+v", o.Status, o.Lines)
		}
		if o, err = complete(s, o.Number, production.Completing{Quantity: q("3"), Scrapped: q("1")}); err != nil {
			t.Fatal(err)
		}
		// Four took 8 of A and 4 of B at 8 each: three good ones bear 96.
		if o.Status != production.Active || o.Cost != q("96") || test.Level(t, s, "LAMP").Average != q("32") {
			t.Errorf("%s, cost %s, a lamp costs %s", o.Status, o.Cost, test.Level(t, s, "LAMP").Average)
		}
		_, err = complete(s, o.Number, production.Completing{Quantity: q("7")})
		faulttest.Refused(t, err, production.ErrExceeds, "quantity")
		_, err = run(s, func(tx *db.Tx) (production.Order, error) { return production.Cancel(tx, o.Number) })
		faulttest.Refused(t, err, production.ErrInvalidStatus, "")
		sound(t, s)
		if o, err = complete(s, o.Number, production.Completing{Quantity: q("6")}); err != nil ||
			o.Status != production.Completed {
			t.Fatalf("%s: %v", o.Status, err)
		}
		if a := test.Level(t, s, "A"); a.OnHand != q("93") || a.Allocated != 0 || o.Ended == 0 {
			t.Errorf("%+v", a)
		}
		sound(t, s)
	})
}

func TestWhatWasIssuedIsPutBackOrTakenOver(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		test.Arrive(t, s, "A", "50")
		test.Arrive(t, s, "B", "50")
		o := planned(t, s, "LAMP", "4")
		pick := func(line int, quantity string) []production.Pick {
			return []production.Pick{{Line: line, Quantity: q(quantity)}}
		}
		issue := func(p []production.Pick) (production.Order, error) {
			return run(s, func(tx *db.Tx) (production.Order, error) { return production.Issue(tx, o.Number, p) })
		}
		if o, err := issue(pick(1, "9")); err != nil || o.Status != production.Active || o.Lines[0].Issued != q("9") ||
			o.Lines[0].Reserved != 0 {
			t.Fatalf("%+v: %v", o, err)
		}
		_, err := issue(pick(7, "9"))
		faulttest.Refused(t, err, production.ErrLineNotFound, "lines[0].lineNumber")
		_, err = run(s, func(tx *db.Tx) (production.Order, error) { return production.Finish(tx, o.Number) })
		faulttest.Refused(t, err, production.ErrComponentsLeft, "")
		back := func(p []production.Pick) error {
			_, err := run(s, func(tx *db.Tx) (production.Order, error) { return production.PutBack(tx, o.Number, p) })
			return err
		}
		faulttest.Refused(t, back(pick(1, "10")), production.ErrNotIssued, "")
		if err := back(pick(1, "2")); err != nil {
			t.Fatal(err)
		}
		sound(t, s)
		// Seven of A went in, though two lamps take four: the last pieces bear all of it.
		if o, err = complete(s, o.Number, production.Completing{Quantity: q("2"), IsLast: true}); err != nil ||
			o.Cost != q("72") || o.Status != production.Completed {
			t.Fatalf("%s %s: %v", o.Status, o.Cost, err)
		}
		if l := test.Level(t, s, "LAMP"); l.OnHand != q("2") || l.Average != q("36") {
			t.Errorf("%+v", l)
		}
		sound(t, s)
	})
}

func TestSerialNumbersAreTraceableBothWays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		var cable stock.GoodsReceipt
		dbtest.Write(t, s, func(tx *db.Tx) error {
			i, err := catalog.Find(tx, "BATCH")
			if err != nil {
				return err
			}
			cable, err = stock.TakeIn(tx, stock.Incoming{RefType: stock.RefPurchaseOrder, RefID: "P-1", Warehouse: "MAIN",
				Lines: []stock.IncomingLine{{Line: 1, ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Quantity: q("10"),
					UnitCost: new(q("8")), Batch: "CABLE-7"}}})
			return err
		})
		test.Arrive(t, s, "SERIAL", "1", "BULB-1", "BULB-2")
		dbtest.Write(t, s, func(tx *db.Tx) error { return bom(tx, "TAGGED", "SERIAL", "1", "BATCH", "2") })
		o := planned(t, s, "TAGGED", "2")
		_, err := complete(s, o.Number, production.Completing{Quantity: q("1"), Serials: []string{"L-1"}})
		faulttest.Refused(t, err, stock.ErrBatchRequired, "lines[0].batchNumber")
		line := map[string]int{o.Lines[0].Item: 1, o.Lines[1].Item: 2}
		picks := func(bulb string) []production.Pick {
			return []production.Pick{{Line: line["SERIAL"], Quantity: q("1"), Serials: []string{bulb}},
				{Line: line["BATCH"], Quantity: q("2"), Batch: "CABLE-7"}}
		}
		for i, lamp := range []string{"L-1", "L-2"} {
			bulb := []string{"BULB-1", "BULB-2"}[i]
			if o, err = complete(s, o.Number, production.Completing{Quantity: q("1"), Serials: []string{lamp},
				Picks: picks(bulb)}); err != nil {
				t.Fatal(err)
			}
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			lamp, err := production.TraceOf(tx, "TAGGED", "", "L-2")
			if err != nil {
				return err
			}
			var from []string
			for _, n := range lamp.MadeOf {
				from = append(from, n.Batch+n.Serial)
				if n.Batch != "" && !slices.Equal(n.Receipts, []string{cable.Number}) {
					t.Errorf("the cable came in with %v, want %s", n.Receipts, cable.Number)
				}
			}
			if slices.Sort(from); !slices.Equal(from, []string{"BULB-2", "CABLE-7"}) {
				t.Errorf("L-2 is made of %v", from)
			}
			cable, err := production.TraceOf(tx, "BATCH", "CABLE-7", "")
			var into []string
			for _, n := range cable.WentInto {
				into = append(into, n.Serial)
			}
			if slices.Sort(into); !slices.Equal(into, []string{"L-1", "L-2"}) {
				t.Errorf("the cable went into %v", into)
			}
			return err
		})
		sound(t, s)
	})
}

func TestWhatIsMadeToOrderGoesToItsOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		test.Arrive(t, s, "A", "50")
		test.Arrive(t, s, "B", "50")
		first := test.Order(t, s, "STD", test.Line("LAMP", "5")) // not made to order yet: it waits
		dbtest.Write(t, s, func(tx *db.Tx) error {
			lamp, err := catalog.Find(tx, "LAMP")
			if err != nil {
				return err
			}
			return toOrder(tx, lamp)
		})
		wanted := test.Line("LAMP", "2")
		wanted.RequestedDeliveryDate = "2099-05-10"
		second := test.Order(t, s, "STD", wanted)
		var made production.Order
		dbtest.Read(t, s, func(tx *db.Tx) error {
			found, err := production.List(tx, production.Filter{Order: second.Number}, pageOne)
			if len(found.Items) != 1 {
				t.Fatalf("%d work orders", len(found.Items))
			}
			made = found.Items[0]
			if made.PlannedTo != tx.BeginningOf("2099-05-10") { // of the company's day, wherever that begins
				t.Errorf("the work is to end at %s", made.PlannedTo)
			}
			return err
		})
		if made.Status != production.Waiting || made.Planned != q("2") || made.OrderLine != 1 ||
			made.CustomerNumber != "C1" {
			t.Errorf("%+v", made)
		}
		follow(t, s)
		if _, err := complete(s, made.Number, production.Completing{Quantity: q("2")}); err != nil {
			t.Fatal(err)
		}
		if o := test.Find(t, s, second.Number); o.Lines[0].Allocated != q("2") {
			t.Errorf("the order it was made for got %s", o.Lines[0].Allocated)
		}
		if o := test.Find(t, s, first.Number); o.Lines[0].Allocated != 0 {
			t.Errorf("the one that waits longer got %s", o.Lines[0].Allocated)
		}
		sound(t, s)
		third := test.Order(t, s, "STD", test.Line("LAMP", "3"))
		dbtest.Write(t, s, func(tx *db.Tx) error { _, err := sales.Cancel(tx, third.Number); return err })
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return production.CancelOf(tx, jobs.Job{Payload: []byte(`{"orderId": "` + third.ID + `"}`)})
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			found, err := production.List(tx, production.Filter{Order: third.Number}, pageOne)
			if len(found.Items) != 1 || found.Items[0].Status != production.Cancelled {
				t.Errorf("%+v", found.Items)
			}
			return err
		})
		sound(t, s)
	})
}

// However an order is completed, in parts, with scrap, with components issued ahead: what the output cost is what went
// in.
func TestTheOutputCostsWhatWentIn(t *testing.T) {
	s := dbtest.Store(t, "sqlite")
	open(t, s)
	test.Arrive(t, s, "A", "100000")
	test.Arrive(t, s, "B", "100000")
	rapid.Check(t, func(t *rapid.T) {
		err := test.Attempt(s, func(tx *db.Tx) error {
			n := rapid.Int64Range(1, 50).Draw(t, "planned")
			o, err := production.Create(tx, production.New{Item: "LAMP", Quantity: dec.Int(n)})
			if err == nil {
				o, err = production.Plan(tx, o.Number)
			}
			for err == nil && o.Open() > 0 {
				if rapid.Bool().Draw(t, "ahead") {
					o, err = production.Issue(tx, o.Number,
						[]production.Pick{{Line: rapid.IntRange(1, 2).Draw(t, "line"),
							Quantity: dec.Int(rapid.Int64Range(1, 30).Draw(t, "issued"))}})
					if err != nil {
						break
					}
				}
				made := rapid.Int64Range(0, int64(units(o.Open()))).Draw(t, "made")
				scrapped := rapid.Int64Range(0, int64(units(o.Open()))-made).Draw(t, "scrapped")
				if made+scrapped == 0 {
					continue
				}
				o, err = production.Complete(tx, o.Number, production.Completing{Quantity: dec.Int(made),
					Scrapped: dec.Int(scrapped)})
			}
			if err != nil {
				t.Fatal(err)
			}
			var in dec.Dec
			for _, l := range o.Lines {
				in = in.Add(l.IssuedCost)
				if l.Used != l.Issued || l.UsedCost != l.IssuedCost || l.Issued < l.Required {
					t.Fatalf("component %+v", l)
				}
			}
			if o.Cost != in || o.Status != production.Completed {
				t.Fatalf("%s: cost %s, %s went in", o.Status, o.Cost, in)
			}
			return production.Verify(tx, func(what string) { t.Fatal(what) })
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
