package stock_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// world is a company with two warehouses and a few items to tell stories with.
type world struct {
	testing.TB
	store *db.Store
	items map[string]catalog.Item
}

func each(t *testing.T, story func(w *world)) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) { story(open(t, s)) })
}

func open(t testing.TB, s *db.Store) *world {
	w := &world{TB: t, store: s, items: map[string]catalog.Item{}}
	place := func(warehouse, code string, pickable bool) reference.Location {
		return reference.Location{Warehouse: warehouse, Code: code, Name: code, IsPickable: pickable, IsActive: true}
	}
	returns, quarantine := place("MAIN", "RETURNS", false), place("MAIN", "Q-01", false)
	returns.IsReturns, quarantine.IsQuarantine = true, true
	closed := place("MAIN", "A-00", true)
	closed.IsActive = false
	w.write(func(tx *db.Tx) error {
		if err := reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Pieces", CommonCode: "H87",
			IsActive: true}); err != nil {
			return err
		}
		if err := reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard",
			IsActive: true}); err != nil {
			return err
		}
		if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true},
			reference.Warehouse{Code: "EAST", Name: "East", IsActive: true}); err != nil {
			return err
		}
		return reference.SaveLocations(tx, closed, place("MAIN", "A-01", true), place("MAIN", "A-02", true),
			place("MAIN", "B-01", false), returns, quarantine, place("EAST", "E-01", true))
	})
	w.write(func(tx *db.Tx) error {
		var items []catalog.Item
		for _, tracking := range []catalog.TrackingType{catalog.None, catalog.Batch, catalog.Serial,
			catalog.BatchAndSerial} {
			i := catalog.New()
			i.Number, i.Name, i.Tracking, i.TaxCode, i.DecimalPlaces = string(tracking), "Item "+string(tracking),
				tracking, "STD", 2
			items = append(items, i)
		}
		service := catalog.New()
		service.Number, service.Name, service.Type, service.TaxCode = "Work", "An hour of work", catalog.Service, "STD"
		items = append(items, service)
		if err := catalog.CreateMany(tx, items); err != nil {
			return err
		}
		for _, i := range items {
			w.items[i.Number] = i
		}
		return nil
	})
	return w
}

func (w *world) write(fn func(tx *db.Tx) error) {
	w.Helper()
	dbtest.Write(w, w.store, fn)
}

// refused runs fn and checks that it is refused with code.
func (w *world) refused(code fault.Code, fn func(tx *db.Tx) error) *fault.Fault {
	w.Helper()
	err := w.store.Write(context.Background(), dbtest.Request(), fn)
	if !fault.Is(err, code) {
		w.Fatalf("got %v, want %s", err, code.Name)
	}
	return fault.As(err)
}

func (w *world) move(item, quantity string) stock.Move {
	i := w.items[item]
	return stock.Move{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN",
		Quantity: dec.Must(quantity)}
}

func at(m stock.Move, location string) stock.Move { m.Location = location; return m }

func costing(m stock.Move, cost string) stock.Move { c := dec.Must(cost); m.UnitCost = &c; return m }

func (w *world) receive(kind stock.Kind, moves ...stock.Move) (entries []stock.Entry) {
	w.Helper()
	w.write(func(tx *db.Tx) (err error) { entries, err = stock.Receive(tx, kind, moves); return err })
	return entries
}

func (w *world) issue(moves ...stock.Move) (entries []stock.Entry) {
	w.Helper()
	w.write(func(tx *db.Tx) (err error) { entries, err = stock.Issue(tx, moves); return err })
	return entries
}

func (w *world) allocate(m stock.Mode, item string, wanted ...string) []stock.Claim {
	w.Helper()
	claims := w.claims(item, wanted...)
	w.write(func(tx *db.Tx) error { return stock.Allocate(tx, claims, m) })
	return claims
}

func (w *world) claims(item string, wanted ...string) []stock.Claim {
	claims := make([]stock.Claim, len(wanted))
	for n, q := range wanted {
		claims[n] = stock.Claim{ItemID: w.items[item].ID, Item: item, Warehouse: "main", Wanted: dec.Must(q)}
	}
	return claims
}

func (w *world) level(item, warehouse string) (l stock.Level) {
	w.Helper()
	dbtest.Read(w, w.store, func(tx *db.Tx) error {
		levels, err := stock.Levels(tx, []string{w.items[item].ID})
		l = levels[stock.Key{ItemID: w.items[item].ID, Warehouse: warehouse}]
		return err
	})
	return l
}

func (w *world) wants(item, onHand, allocated, average string) {
	w.Helper()
	got := w.level(item, "MAIN")
	if want := (stock.Level{OnHand: dec.Must(onHand), Allocated: dec.Must(allocated),
		Average: dec.Must(average)}); got != want {
		w.Fatalf("%s: %s on hand, %s allocated, at %s; want %s, %s, %s", item, got.OnHand, got.Allocated, got.Average,
			onHand, allocated, average)
	}
}

func (w *world) verify() {
	w.Helper()
	for _, line := range w.differences() {
		w.Error(line)
	}
}

func (w *world) differences() (lines []string) {
	w.Helper()
	dbtest.Read(w, w.store, func(tx *db.Tx) error {
		lines = nil
		return stock.Verify(tx, func(line string) { lines = append(lines, line) })
	})
	return lines
}

func TestReceiptsMoveTheAverageAndChain(t *testing.T) {
	each(t, func(w *world) {
		entries := w.receive(stock.Receipt, costing(w.move("None", "10"), "5"),
			costing(at(w.move("None", "10"), "A-02"), "7"), w.move("None", "5"))
		got := ""
		for _, e := range entries {
			got += fmt.Sprintf("%d: %s %s at %s, %s there, average %s; ", e.Seq, e.Kind, e.Quantity, e.Location,
				e.BalanceAfter, e.AverageAfter)
		}
		want := "1: Receipt 10 at A-01, 10 there, average 5; 2: Receipt 10 at A-02, 10 there, average 6; 3: Receipt 5 at A-01, 15 there, average 6; "
		if got != want {
			w.Fatalf("got  %s\nwant %s", got, want)
		}
		w.wants("None", "25", "0", "6")
		w.verify()
	})
}

func TestIssueTakesFromPickableLocationsFirst(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, costing(at(w.move("None", "4"), "B-01"), "2"), at(w.move("None", "3"), "A-02"),
			at(w.move("None", "3"), "A-01"), at(w.move("None", "9"), "RETURNS"))
		m := w.move("None", "8")
		m.RefType, m.RefID = "Shipment", "S-1"
		got := ""
		for _, e := range w.issue(m) {
			got += fmt.Sprintf("%s %s, %s left, cost %s for %s; ", e.Location, e.Quantity, e.BalanceAfter, e.UnitCost,
				e.RefID)
		}
		if want := "A-01 -3, 0 left, cost 2 for S-1; A-02 -3, 0 left, cost 2 for S-1; B-01 -2, 2 left, cost 2 for S-1; "; got != want {
			w.Fatalf("got  %s\nwant %s", got, want)
		}
		f := w.refused(stock.ErrInsufficient, func(tx *db.Tx) error {
			_, err := stock.Issue(tx, []stock.Move{w.move("None", "3")})
			return err
		})
		if want := "there is not enough stock: item None: 3 wanted, 2 on hand in warehouse MAIN (9 more are held, in RETURNS for example: relocate them first)"; f.Detail != want {
			w.Errorf("got  %s\nwant %s", f.Detail, want)
		}
		w.verify()
	})
}

func TestShortagesAreNamedTogetherAndChangeNothing(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, w.move("None", "1"))
		f := w.refused(stock.ErrInsufficient, func(tx *db.Tx) error {
			batch := w.move("Batch", "2")
			batch.Batch = "L1"
			_, err := stock.Issue(tx, []stock.Move{w.move("None", "1"), w.move("None", "1"), batch})
			return err
		})
		if rows := stock.Lacking(f); len(rows) != 2 || rows[0].Wanted != dec.One || *rows[0].There != 0 {
			w.Errorf("shortages: %v", f.Extra)
		}
		w.wants("None", "1", "0", "0")
		w.verify()
	})
}

func TestAllocation(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, w.move("None", "10"), at(w.move("None", "5"), "Q-01"))
		claims := w.allocate(stock.AsMuchAsThereIs, "None", "4", "7", "1")
		if claims[0].Got != dec.Int(4) || claims[1].Got != dec.Int(6) || claims[2].Got != 0 {
			w.Fatalf("got %v", claims)
		}
		all := w.claims("None", "1")
		w.refused(stock.ErrInsufficient, func(tx *db.Tx) error { return stock.Allocate(tx, all, stock.AllOrNothing) })
		w.wants("None", "15", "10", "0")

		w.write(func(tx *db.Tx) error { return stock.Free(tx, claims[:1]) })
		w.wants("None", "15", "6", "0")
		if got := w.allocate(stock.AllOrNothing, "None", "1", "3"); got[0].Got != dec.Int(1) ||
			got[1].Got != dec.Int(3) {
			w.Fatalf("got %v", got)
		}
		m := w.move("None", "6")
		m.Allocated = dec.Int(6)
		w.issue(m)
		w.wants("None", "9", "4", "0")

		// What leaves quarantine can be promised.
		w.write(func(tx *db.Tx) error {
			_, err := stock.Relocate(tx, stock.Relocation{Warehouse: "main", Item: "none", From: "q-01", To: "a-01",
				Quantity: dec.Int(2)})
			return err
		})
		if got := w.allocate(stock.AsMuchAsThereIs, "None", "9"); got[0].Got != dec.Int(2) {
			w.Fatalf("got %v", got)
		}
		w.verify()
	})
}

func TestFreeingMoreThanAllocatedFails(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, w.move("None", "3"))
		claims := w.allocate(stock.AsMuchAsThereIs, "None", "3")
		w.write(func(tx *db.Tx) error { return stock.Free(tx, claims) })
		err := w.store.Write(context.Background(), dbtest.Request(),
			func(tx *db.Tx) error { return stock.Free(tx, claims) })
		if err == nil {
			w.Fatal("the same reservation was given back twice")
		}
		w.wants("None", "3", "0", "0")
	})
}

func TestItemRules(t *testing.T) {
	each(t, func(w *world) {
		item := w.items["None"]
		change := catalog.Changing{Before: item, After: item}
		change.After.Tracking = catalog.Batch
		w.allocate(stock.AsMuchAsThereIs, "None", "1") // leaves an empty level behind
		w.write(func(tx *db.Tx) error { return stock.RefuseItemChange(tx, change) })
		w.receive(stock.Receipt, w.move("None", "1"))
		w.refused(catalog.ErrInUse, func(tx *db.Tx) error { return stock.RefuseItemChange(tx, change) })
		w.issue(w.move("None", "1"))
		w.write(func(tx *db.Tx) error { return stock.RefuseItemChange(tx, change) })
		w.refused(catalog.ErrInUse,
			func(tx *db.Tx) error { return stock.RefuseItemDeletion(tx, catalog.Deleting{Item: item}) })
		w.allocate(stock.AsMuchAsThereIs, "Serial", "1")
		w.write(func(tx *db.Tx) error {
			return stock.RefuseItemDeletion(tx, catalog.Deleting{Item: w.items["Serial"]})
		})
	})
}

// Two halves in two places are one piece in the warehouse, and neither could leave.
func TestDecimalsStayWhileStockIsFiner(t *testing.T) {
	each(t, func(w *world) {
		lower := func(tx *db.Tx) error {
			outcomes, err := catalog.Save(tx, []catalog.Draft{{Number: "None", Edit: func(i *catalog.Item) error {
				i.DecimalPlaces = 0
				return nil
			}}}, catalog.UpdateOnly)
			return errors.Join(err, outcomes[0].Err)
		}
		db.On(w.store, stock.RefuseItemChange)
		half, other := at(w.move("None", "0.5"), "A-01"), at(w.move("None", "0.5"), "A-02")
		w.receive(stock.Receipt, half, other)
		w.refused(catalog.ErrInUse, lower)
		w.issue(half)
		w.issue(other)
		w.receive(stock.Receipt, w.move("None", "2"))
		claims := w.allocate(stock.AsMuchAsThereIs, "None", "1.5")
		w.refused(catalog.ErrInUse, lower)
		w.write(func(tx *db.Tx) error { return stock.Free(tx, claims) })
		w.write(lower)
	})
}

// Verify must see what somebody did behind the ledger's back.
func TestVerifyReportsDifferences(t *testing.T) {
	for name, damage := range map[string]string{
		"balance": "-- test\nupdate stock_balance set quantity = quantity + 1 where company = :company",
		"level":   "-- test\nupdate stock_level set on_hand = on_hand - 1 where company = :company",
		"average": "-- test\nupdate stock_level set average_cost = average_cost + 1 where company = :company",
		"entry":   "-- test\ndelete from stock_entry where company = :company and seq = 1",
		"cost":    "-- test\nupdate stock_entry set unit_cost = unit_cost + 1 where company = :company and seq = 2",
		"lost":    "-- test\ndelete from stock_level where company = :company",
	} {
		t.Run(name, func(t *testing.T) {
			w := open(t, dbtest.Store(t, "sqlite"))
			w.receive(stock.Receipt, costing(w.move("None", "2"), "3"), costing(w.move("None", "2"), "4"))
			w.verify()
			w.write(func(tx *db.Tx) error { _, err := tx.Exec(damage, nil); return err })
			if len(w.differences()) == 0 {
				t.Fatal("nothing was reported")
			}
		})
	}
}

// A document of over a thousand lines is written with few statements and chains like a short one.
func TestManyMoves(t *testing.T) {
	each(t, func(w *world) {
		items := make([]catalog.Item, 700)
		for n := range items {
			items[n] = catalog.New()
			items[n].Number, items[n].Name, items[n].TaxCode = fmt.Sprintf("M-%04d", n), "Many", "STD"
		}
		w.write(func(tx *db.Tx) error { return catalog.CreateMany(tx, items) })
		in := make([]stock.Move, 0, 2100)
		for n := range 2100 {
			in = append(in, costing(stock.Move{ItemID: items[n%700].ID, Item: items[n%700].Number,
				Tracking: catalog.None, Warehouse: "MAIN", Quantity: dec.Int(2)}, "3"))
		}
		if got := len(w.receive(stock.Receipt, in...)); got != len(in) {
			w.Fatalf("%d entries", got)
		}
		out := in[:1114]
		entries := w.issue(out...)
		if got, want := entries[1113].BalanceAfter, dec.Int(2); got != want { // the second issue of this item
			w.Errorf("balance %s, want %s", got, want)
		}
		dbtest.Read(w, w.store, func(tx *db.Tx) error {
			found, err := stock.ListAvailability(tx, stock.AvailabilityFilter{}, record.Page{Number: 2, Size: 50})
			if err == nil && (found.Total != 700 || found.Items[0].Item != "M-0050") {
				w.Errorf("%d items, the second page begins with %s", found.Total, found.Items[0].Item)
			}
			return err
		})
		w.verify()
	})
}

// What lies of an item in a warehouse keeps to a bound in number and worth, whatever brings it in, so that reading it
// never fails; what goes out is not refused for what is left.
func TestALevelHasRoom(t *testing.T) {
	each(t, func(w *world) {
		bring := func(m stock.Move) func(tx *db.Tx) error {
			return func(tx *db.Tx) error { _, err := stock.Receive(tx, stock.Receipt, []stock.Move{m}); return err }
		}
		most := w.move("None", limit.Quantity.Most().String())
		for range 10 {
			w.receive(stock.Receipt, costing(most, "0.5"))
		}
		f := w.refused(limit.ErrQuantity, bring(costing(w.move("None", "1"), "0.5")))
		if f.Fields[0].Path != "lines[0].quantity" {
			w.Errorf("%+v", f.Fields)
		}
		w.issue(w.move("None", "1"))
		w.receive(stock.Receipt, costing(w.move("None", "1"), "0.5"))

		other := w.move("Batch", "2")
		other.Batch = "L-1"
		w.refused(limit.ErrAmount, bring(costing(other, "9999999999")))
		other.Quantity = dec.One
		for range 10 {
			w.receive(stock.Receipt, costing(other, "9999999999"))
		}
		w.refused(limit.ErrAmount, bring(costing(other, "9999999999")))
		w.write(func(tx *db.Tx) error {
			id := w.items["Batch"].ID
			costs, err := stock.AverageCosts(tx, []string{id})
			if costs[id] != dec.Must("9999999999") {
				w.Errorf("it costs %s", costs[id])
			}
			return err
		})
	})
}
