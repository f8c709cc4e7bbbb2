package stock_test

import (
	"fmt"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

func (w *world) adjust(a stock.Adjustment) (e stock.Entry) {
	w.Helper()
	w.write(func(tx *db.Tx) (err error) { e, err = stock.Adjust(tx, a); return err })
	return e
}

func adjustment(item, location, quantity string) stock.Adjustment {
	return stock.Adjustment{Warehouse: "main", Location: location, Item: item, Quantity: dec.Must(quantity)}
}

func tracked(a stock.Adjustment, batch, serial string) stock.Adjustment {
	a.Batch, a.Serial = batch, serial
	return a
}

func kindOf(a stock.Adjustment, k stock.Kind) stock.Adjustment { a.Kind = k; return a }

func TestAdjust(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, costing(w.move("None", "4"), "2.5"))
		e := w.adjust(adjustment("NONE", "a-02", "3"))
		if e.Kind != stock.Adjusted || e.Item != "None" || e.Location != "A-02" || e.Warehouse != "MAIN" ||
			*e.UnitCost != dec.Must("2.5") || e.BalanceAfter != dec.Int(3) || e.Seq != 2 {
			w.Fatalf("%+v", e)
		}
		w.wants("None", "7", "0", "2.5")
		if e = w.adjust(kindOf(adjustment("None", "A-01", "-1.25"), stock.Scrapped)); e.Kind != stock.Scrapped ||
			e.BalanceAfter != dec.Must("2.75") {
			w.Fatalf("%+v", e)
		}
		w.refused(stock.ErrInsufficient, func(tx *db.Tx) error {
			_, err := stock.Adjust(tx, adjustment("None", "A-01", "-3"))
			return err
		})
		w.refused(stock.ErrNoStock, func(tx *db.Tx) error {
			_, err := stock.Adjust(tx, adjustment("None", "B-01", "-1"))
			return err
		})

		dbtest.Read(w, w.store, func(tx *db.Tx) error {
			found, err := stock.FindEntry(tx, e.ID)
			if err == nil && (found.ETag() != e.ETag() || found.Quantity != e.Quantity ||
				*found.UnitCost != *e.UnitCost) {
				w.Errorf("%+v was stored as %+v", e, found)
			}
			return err
		})
		w.verify()
	})
}

func TestAdjustmentRules(t *testing.T) {
	w := open(t, dbtest.Store(t, "sqlite"))
	for name, c := range map[string]struct {
		adjustment stock.Adjustment
		code       fault.Code
		field      string
	}{
		"zero":           {adjustment("None", "A-01", "0"), stock.ErrQuantity, "quantity"},
		"positive scrap": {kindOf(adjustment("None", "A-01", "1"), stock.Scrapped), stock.ErrQuantity, "quantity"},
		"receipt":        {kindOf(adjustment("None", "A-01", "1"), stock.Receipt), stock.ErrKind, "transactionType"},
		"return":         {kindOf(adjustment("None", "A-01", "1"), stock.Return), stock.ErrKind, "transactionType"},
		"decimals":       {adjustment("None", "A-01", "1.234"), catalog.ErrTooManyDecimals, "quantity"},
		"unknown item":   {adjustment("Nothing", "A-01", "1"), catalog.ErrNotFound, "itemNumber"},
		"service":        {adjustment("Work", "A-01", "1"), stock.ErrNotStocked, "itemNumber"},
		"unknown warehouse": {stock.Adjustment{Warehouse: "WEST", Location: "A-01", Item: "None", Quantity: dec.One},
			reference.ErrWarehouseNotFound, "warehouseCode"},
		"unknown location": {adjustment("None", "E-01", "1"), stock.ErrLocation, "locationCode"},
		"closed location":  {adjustment("None", "A-00", "1"), stock.ErrClosed, "locationCode"},
		"no batch":         {adjustment("Batch", "A-01", "1"), stock.ErrBatchRequired, "batchNumber"},
		"unknown batch": {tracked(adjustment("Batch", "A-01", "1"), "L1", ""), stock.ErrBatchNotFound,
			"batchNumber"},
		"needless batch": {tracked(adjustment("None", "A-01", "1"), "L1", ""), stock.ErrNotTracked, "batchNumber"},
		"no serial":      {adjustment("Serial", "A-01", "1"), stock.ErrSerialRequired, "serialNumber"},
		"two of a serial": {tracked(adjustment("Serial", "A-01", "2"), "", "S1"), stock.ErrSerialQuantity,
			"quantity"},
	} {
		t.Run(name, func(t *testing.T) {
			f := w.refused(c.code, func(tx *db.Tx) error { _, err := stock.Adjust(tx, c.adjustment); return err })
			if f.Kind != fault.Invalid || len(f.Fields) != 1 || f.Fields[0].Path != c.field {
				t.Errorf("%+v", f)
			}
		})
	}
	f := w.refused(stock.ErrQuantity, func(tx *db.Tx) error {
		_, err := stock.Adjust(tx, stock.Adjustment{Warehouse: "WEST", Location: "?", Item: "Nothing"})
		return err
	})
	if len(f.Fields) != 3 {
		t.Errorf("not everything was named: %v", f.Fields)
	}
}

func TestBatchesAndSerialNumbers(t *testing.T) {
	each(t, func(w *world) {
		batch := w.move("Batch", "5")
		batch.Batch, batch.Expiry = "Lot-7", day.Date("2027-03-01")
		w.receive(stock.Receipt, batch)
		if e := w.adjust(tracked(adjustment("Batch", "A-01", "2"), "LOT-7", "")); e.Batch != "Lot-7" ||
			e.BalanceAfter != dec.Int(7) {
			w.Fatalf("%+v", e)
		}

		piece := func(serial string) stock.Move { m := w.move("Serial", "1"); m.Serial = serial; return m }
		w.receive(stock.Receipt, piece("S1"), piece("S2"))
		east := piece("s1")
		east.Warehouse = "EAST"
		w.refused(stock.ErrSerialInStock, func(tx *db.Tx) error {
			_, err := stock.Receive(tx, stock.Receipt, []stock.Move{east})
			return err
		})
		w.refused(stock.ErrSerialInStock, func(tx *db.Tx) error {
			_, err := stock.Receive(tx, stock.Receipt, []stock.Move{piece("S3"), piece("s3")})
			return err
		})
		w.refused(stock.ErrSerialInStock, func(tx *db.Tx) error {
			_, err := stock.Adjust(tx, tracked(adjustment("Serial", "A-02", "1"), "", "S1"))
			return err
		})
		w.write(func(tx *db.Tx) error {
			_, err := stock.Relocate(tx, stock.Relocation{Warehouse: "MAIN", Item: "Serial", From: "A-01", To: "A-02",
				Quantity: dec.One, Serial: "S1"})
			return err
		})
		w.refused(stock.ErrNoStock, func(tx *db.Tx) error {
			_, err := stock.Adjust(tx, tracked(adjustment("Serial", "A-01", "-1"), "", "S1"))
			return err
		})
		w.issue(piece("S1"))
		w.receive(stock.Return, east) // what left may come back, anywhere

		both := w.move("BatchAndSerial", "1")
		both.Batch, both.Serial = "L1", "X1"
		w.receive(stock.Receipt, both)
		w.refused(stock.ErrInsufficient, func(tx *db.Tx) error {
			other := both
			other.Batch = "L2"
			_, err := stock.Issue(tx, []stock.Move{other})
			return err
		})
		w.verify()

		dbtest.Read(w, w.store, func(tx *db.Tx) error {
			found, err := stock.ListRows(tx, stock.RowFilter{}, record.Page{Number: 1, Size: 10})
			var got []string
			for _, r := range found.Items {
				got = append(got, strings.Join([]string{r.Item, r.Warehouse, r.Location, r.Batch, r.Serial,
					string(r.Expiry), r.OnHand.String()}, " "))
			}
			want := "Batch MAIN A-01 Lot-7  2027-03-01 7|BatchAndSerial MAIN A-01 L1 X1  1|Serial EAST E-01  s1  1|Serial MAIN A-01  S2  1"
			if s := strings.Join(got, "|"); s != want || found.Total != 4 {
				w.Errorf("got  %s\nwant %s", s, want)
			}
			return err
		})
	})
}

func TestRelocationRules(t *testing.T) {
	w := open(t, dbtest.Store(t, "sqlite"))
	w.receive(stock.Receipt, w.move("None", "4"))
	for name, c := range map[string]struct {
		r    stock.Relocation
		code fault.Code
	}{
		"same": {stock.Relocation{Warehouse: "MAIN", Item: "None", From: "A-01", To: "a-01", Quantity: dec.One},
			stock.ErrSameLocation},
		"nothing": {stock.Relocation{Warehouse: "MAIN", Item: "None", From: "A-01", To: "A-02"}, stock.ErrQuantity},
		"too much": {stock.Relocation{Warehouse: "MAIN", Item: "None", From: "A-01", To: "A-02", Quantity: dec.Int(5)},
			stock.ErrInsufficient},
		"closed": {stock.Relocation{Warehouse: "MAIN", Item: "None", From: "A-01", To: "A-00", Quantity: dec.One},
			stock.ErrClosed},
		"unknown": {stock.Relocation{Warehouse: "MAIN", Item: "None", From: "A-01", To: "E-01", Quantity: dec.One},
			stock.ErrLocation},
	} {
		t.Run(name, func(t *testing.T) {
			w.refused(c.code, func(tx *db.Tx) error { _, err := stock.Relocate(tx, c.r); return err })
		})
	}
}

func TestLists(t *testing.T) {
	each(t, func(w *world) {
		page := record.Page{Number: 1, Size: 10}
		w.receive(stock.Receipt, w.move("None", "4"), at(w.move("None", "3"), "A-02"))
		east := w.move("None", "1")
		east.Warehouse = "east"
		w.receive(stock.Receipt, east)
		w.allocate(stock.AsMuchAsThereIs, "None", "5")
		w.allocate(stock.AsMuchAsThereIs, "Serial", "1") // wanted, but never in stock

		var since db.Time
		dbtest.Read(w, w.store, func(tx *db.Tx) error {
			found, err := stock.ListAvailability(tx, stock.AvailabilityFilter{}, page)
			if err == nil && (found.Total != 1 || len(found.Items[0].Holdings) != 2 ||
				found.Items[0].Holdings[1].Available() != dec.Int(2)) {
				w.Errorf("availability: %+v", found)
			}
			rows, err2 := stock.ListRows(tx, stock.RowFilter{Item: "none", Warehouse: "main"}, page)
			if err2 == nil && (rows.Total != 2 || rows.Items[0].Allocated != dec.Int(4) ||
				rows.Items[1].Allocated != dec.Int(1)) {
				w.Errorf("the allocated five are not spread in the order of picking: %+v", rows)
			}
			entries, err3 := stock.ListEntries(tx, stock.EntryFilter{Warehouse: "main", Item: "NONE", From: tx.Today(),
				To: tx.Today()}, page)
			if err3 == nil && (entries.Total != 2 || entries.Items[0].Seq != 2) {
				w.Errorf("newest first: %+v", entries)
			}
			for _, r := range rows.Items {
				since = max(since, r.ChangedAt)
			}
			return first(err, err2, err3)
		})
		w.issue(at(w.move("None", "4"), "A-01"))
		dbtest.Read(w, w.store, func(tx *db.Tx) error {
			page.Since = since + 1
			rows, err := stock.ListRows(tx, stock.RowFilter{}, page)
			if err == nil && (rows.Total != 2 || rows.Items[0].OnHand != 0 || rows.Items[1].Location != "A-02") {
				w.Errorf("a delta shows what became empty, and what shares its level: %+v", rows)
			}
			found, err2 := stock.ListAvailability(tx, stock.AvailabilityFilter{Items: []string{"NONE", "Batch"},
				Warehouse: "Main"}, page)
			if err2 == nil && (found.Total != 1 || len(found.Items[0].Holdings) != 1) {
				w.Errorf("availability since: %+v", found)
			}
			entries, err3 := stock.ListEntries(tx, stock.EntryFilter{}, page)
			if err3 == nil && (entries.Total != 1 || entries.Items[0].Kind != stock.Issued) {
				w.Errorf("entries since: %+v", entries)
			}
			return first(err, err2, err3)
		})
	})
}

// What many levels say has changed is listed as what few say, in the same order.
func TestListsOfManyChanges(t *testing.T) {
	each(t, func(w *world) {
		const many = 5_100
		id := func(i int) string { return fmt.Sprintf("%05d", i) }
		dbtest.Write(w, w.store, func(tx *db.Tx) error {
			return first(
				tx.Insert("item", `id, version, created_at, changed_at, number, number_key, name, type, is_active, tracking,
					replenishment`, many, func(i int) []any {
					return []any{id(i), 1, 1, 1, id(i), id(i), "A", "Stock", true, "None", "Purchase"}
				}),
				tx.Insert("stock_level", `item_id, warehouse, item, on_hand, allocated, average_cost, seq, created_at,
					changed_at`, many, func(i int) []any {
					return []any{id(i), "MAIN", id(i), 1, 0, dec.One, 1, 1, tx.Now + db.Time(many-i)}
				}),
				tx.Insert("stock_balance", `item_id, warehouse, location, item, item_key, quantity, created_at,
					changed_at`, many, func(i int) []any {
					return []any{id(i), "MAIN", "A-01", id(i), id(i), dec.Int(int64(1 + i)), 1, 1}
				}))
		})
		dbtest.Read(w, w.store, func(tx *db.Tx) error {
			page := record.Page{Number: 102, Size: 50, Since: 2}
			rows, err := stock.ListRows(tx, stock.RowFilter{}, page)
			if err == nil && (rows.Total != many || rows.Items[7].Item != id(5_057) ||
				rows.Items[7].Average != dec.One || rows.Items[7].OnHand != dec.Int(5_058)) {
				w.Errorf("rows: %d, %+v", rows.Total, rows.Items)
			}
			found, err2 := stock.ListAvailability(tx, stock.AvailabilityFilter{}, page)
			if err2 == nil && (found.Total != many || found.Items[7].Item != id(5_057)) {
				w.Errorf("availability: %d, %+v", found.Total, found.Items)
			}
			return first(err, err2)
		})
	})
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Back-orders hear of goods that can be promised, and of no others.
func TestArrivals(t *testing.T) {
	w := open(t, dbtest.Store(t, "sqlite"))
	var heard []stock.Key
	db.On(w.store, func(tx *db.Tx, e stock.Arrived) error { heard = append(heard, e.Keys...); return nil })
	expect := func(n int) {
		t.Helper()
		for _, k := range heard {
			if k != (stock.Key{ItemID: w.items["None"].ID, Warehouse: "MAIN"}) {
				t.Errorf("%+v", k)
			}
		}
		if len(heard) != n {
			t.Errorf("heard of %d levels, want %d", len(heard), n)
		}
		heard = nil
	}
	w.receive(stock.Return, w.move("None", "2")) // into RETURNS
	expect(0)
	w.write(func(tx *db.Tx) error {
		_, err := stock.Relocate(tx, stock.Relocation{Warehouse: "MAIN", Item: "None", From: "RETURNS", To: "A-01",
			Quantity: dec.One})
		return err
	})
	expect(1)
	w.receive(stock.Receipt, w.move("None", "2"), at(w.move("None", "2"), "A-02"))
	expect(1)
	w.adjust(adjustment("None", "A-01", "1"))
	expect(1)
	w.adjust(adjustment("None", "A-01", "-1"))
	w.issue(w.move("None", "1"))
	expect(0)
}
