package stock_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// together runs the requests at once, each in a transaction of its own, and fails on any error.
func (w *world) together(n int, request func(tx *db.Tx, i int) error) {
	w.Helper()
	var wg sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wg.Go(func() {
			errs[i] = w.store.Write(context.Background(), dbtest.Request(),
				func(tx *db.Tx) error { return request(tx, i) })
		})
	}
	wg.Wait()
	for i, err := range errs {
		if err != nil {
			w.Errorf("request %d: %v", i, err)
		}
	}
}

// Many orders want one item of which 50 lie in two locations: exactly 50 are promised.
func TestAllocatingTogether(t *testing.T) {
	each(t, func(w *world) {
		w.receive(stock.Receipt, w.move("None", "30"), at(w.move("None", "20"), "A-02"))
		got := make([]dec.Dec, 40)
		w.together(len(got), func(tx *db.Tx, i int) error {
			claims := w.claims("None", "1", "2")
			err := stock.Allocate(tx, claims, stock.AsMuchAsThereIs)
			got[i] = dec.Sum(claims[0].Got, claims[1].Got)
			return err
		})
		if sum := dec.Sum(got...); sum != dec.Int(50) {
			w.Errorf("%s were promised", sum)
		}
		w.wants("None", "50", "50", "0")
		w.verify()
	})
}

// Documents name their items in any order; the levels are locked in one.
func TestMovingTogether(t *testing.T) {
	each(t, func(w *world) {
		batch := func(quantity string) stock.Move { m := w.move("Batch", quantity); m.Batch = "L1"; return m }
		w.receive(stock.Receipt, costing(w.move("None", "100"), "1"), batch("100"))
		w.together(24, func(tx *db.Tx, i int) (err error) {
			moves := []stock.Move{w.move("None", "2"), batch("2")}
			if i%2 == 1 {
				slices.Reverse(moves)
			}
			if i%3 == 0 {
				_, err = stock.Receive(tx, stock.Receipt, []stock.Move{costing(moves[0], "3"), moves[1]})
			} else {
				_, err = stock.Issue(tx, moves)
			}
			return err
		})
		if l := w.level("None", "MAIN"); l.OnHand != dec.Int(84) {
			w.Errorf("%s on hand", l.OnHand)
		}
		w.verify()
	})
}

// The first requests for an item that never was in stock meet on its new level.
func TestFirstMovesTogether(t *testing.T) {
	each(t, func(w *world) {
		w.together(16, func(tx *db.Tx, i int) error {
			if i%2 == 0 {
				return stock.Allocate(tx, w.claims("None", "1"), stock.AsMuchAsThereIs)
			}
			_, err := stock.Receive(tx, stock.Receipt, []stock.Move{w.move("None", "1")})
			return err
		})
		if l := w.level("None", "MAIN"); l.OnHand != dec.Int(8) || l.Allocated > dec.Int(8) {
			w.Errorf("%+v", l)
		}
		w.verify()
	})
}

// A serial number that two warehouses take in at once is taken in once.
func TestOneSerialNumberTogether(t *testing.T) {
	each(t, func(w *world) {
		var mu sync.Mutex
		in := 0
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				err := w.store.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
					m := w.move("Serial", "1")
					m.Serial, m.Warehouse = "S1", []string{"MAIN", "EAST"}[i%2]
					_, err := stock.Receive(tx, stock.Receipt, []stock.Move{m})
					return err
				})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					in++
				}
			})
		}
		wg.Wait()
		if in != 1 {
			w.Errorf("taken in %d times", in)
		}
		w.verify()
	})
}
