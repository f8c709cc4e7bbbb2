package stock_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// counted opens a count of MAIN and records so much of the item's first row.
func (w *world) counted(item, quantity string) (c stock.Count) {
	w.Helper()
	w.write(func(tx *db.Tx) (err error) {
		if c, err = stock.CreateCount(tx, stock.NewCount{Warehouse: "MAIN", Items: []string{item}}); err != nil {
			return err
		}
		q := dec.Must(quantity)
		c, err = stock.RecordCount(tx, c.Number, []stock.Counted{{Named: true, Line: 1, Quantity: &q}})
		return err
	})
	return c
}

// Two that post a count at once book its differences once.
func TestACountIsPostedOnce(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, w.move("None", "10"))
		c := w.counted("None", "7")
		var posted atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				err := w.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					_, err := stock.PostCount(tx, c.Number)
					return err
				})
				switch {
				case err == nil:
					posted.Add(1)
				case !fault.Is(err, stock.ErrCountStatus):
					w.Error(err)
				}
			})
		}
		wg.Wait()
		if posted.Load() != 1 {
			w.Errorf("posted %d times", posted.Load())
		}
		w.wants("None", "7", "0", "0")
		w.verify()
	})
}

// Two that begin to count the same rows at once: one of them counts.
func TestARowIsCountedByOneOpenCount(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, w.move("None", "10"), at(w.move("None", "5"), "A-02"))
		var opened atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				err := w.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					_, err := stock.CreateCount(tx, stock.NewCount{Warehouse: "MAIN"})
					return err
				})
				switch {
				case err == nil:
					opened.Add(1)
				case !fault.Is(err, stock.ErrCountAlreadyOpen):
					w.Error(err)
				}
			})
		}
		wg.Wait()
		if opened.Load() != 1 {
			w.Errorf("opened %d times", opened.Load())
		}
	})
}

// Two counts are posted while receipts come in and goods leave: the ledger, the balances and the levels agree, and what
// moved meanwhile stands.
func TestCountingWhileGoodsMove(t *testing.T) {
	each(t, func(w *world) {
		batch := func(quantity string) stock.Move { m := w.move("Batch", quantity); m.Batch = "L1"; return m }
		w.receive(stock.Receipt, w.move("None", "100"), batch("100"))
		counts := []stock.Count{w.counted("None", "98"), w.counted("Batch", "103")}
		w.together(42, func(tx *db.Tx, i int) (err error) {
			switch {
			case i%21 == 20:
				_, err = stock.PostCount(tx, counts[i/21].Number)
			case i%2 == 0:
				_, err = stock.Receive(tx, stock.Receipt, []stock.Move{batch("2"), w.move("None", "2")})
			default:
				_, err = stock.Issue(tx, []stock.Move{w.move("None", "1"), batch("1")})
			}
			return err
		})
		if l := w.level("None", "MAIN"); l.OnHand != dec.Int(118) {
			w.Errorf("%s on hand of what was counted 2 less: 100 + 40 - 20 - 2", l.OnHand)
		}
		if l := w.level("Batch", "MAIN"); l.OnHand != dec.Int(123) {
			w.Errorf("%s on hand of what was counted 3 more: 100 + 40 - 20 + 3", l.OnHand)
		}
		w.verify()
	})
}

// A count of 10,000 rows, all of which differ, is posted within two seconds; the bound here is wide, for machines that
// do more.
func TestALargeCountIsPosted(t *testing.T) {
	if testing.Short() {
		t.Skip("left out of -short: it posts ten thousand rows; run it without -short")
	}
	each(t, func(w *world) {
		const rows = 10_000
		items, moves := make([]catalog.Item, rows), make([]stock.Move, rows)
		for i := range items {
			items[i] = catalog.New()
			items[i].Number, items[i].Name, items[i].TaxCode = fmt.Sprintf("N-%05d", i), "Nail", "STD"
		}
		w.write(func(tx *db.Tx) error { return catalog.CreateMany(tx, items) })
		for i := range moves {
			moves[i] = stock.Move{ItemID: items[i].ID, Item: items[i].Number, Warehouse: "MAIN", Location: "A-01",
				Quantity: dec.Int(5)}
		}
		w.receive(stock.Receipt, moves...)
		var c stock.Count
		w.write(func(tx *db.Tx) (err error) {
			c, err = stock.CreateCount(tx, stock.NewCount{Warehouse: "MAIN"})
			return err
		})
		four := dec.Int(4)
		for from := 0; from < rows; from += 5_000 {
			lines := make([]stock.Counted, 5_000)
			for i := range lines {
				lines[i] = stock.Counted{Named: true, Line: from + i + 1, Quantity: &four}
			}
			w.write(func(tx *db.Tx) error { _, err := stock.RecordCount(tx, c.Number, lines); return err })
		}
		begun := time.Now()
		w.write(func(tx *db.Tx) error { _, err := stock.PostCount(tx, c.Number); return err })
		w.Logf("posted %d rows in %s", rows, time.Since(begun))
		w.write(func(tx *db.Tx) error {
			levels, err := stock.Levels(tx, []string{items[0].ID, items[rows-1].ID})
			for _, l := range levels {
				if l.OnHand != dec.Int(4) {
					w.Errorf("%s on hand", l.OnHand)
				}
			}
			return err
		})
		w.verify()
	})
}
