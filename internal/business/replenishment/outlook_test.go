package replenishment_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/production"
	"kontor/internal/business/replenishment"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// In a random factory, where things are made of others, moved between warehouses and bought, a run for one item
// proposes of it what the run for all does, and its outlook shows the same.
func TestARunForOneItemIsThatForAll(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		for round := range uint64(4) {
			numbers := factory(t, s, round)
			dbtest.Read(t, s, func(tx *db.Tx) error {
				all, err := replenishment.Run(tx)
				if err != nil {
					return err
				}
				if len(all) < 4 {
					t.Errorf("round %d: only %d proposals: the factory asks for too little", round, len(all))
				}
				for _, number := range numbers {
					want := slices.DeleteFunc(
						slices.Clone(all),
						func(p replenishment.Proposal) bool { return p.Item != number },
					)
					got, err := replenishment.RunFor(tx, []string{number})
					if err != nil {
						return err
					}
					if len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
						t.Errorf("round %d: %s: proposed alone %+v, among all %+v", round, number, got, want)
					}
					o, err := replenishment.Look(tx, number, "SOUTH")
					if err != nil {
						return err
					}
					want = slices.DeleteFunc(
						want,
						func(p replenishment.Proposal) bool { return p.Warehouse != "SOUTH" },
					)
					if len(o.Proposals)+len(want) > 0 && !reflect.DeepEqual(o.Proposals, want) {
						t.Errorf("round %d: %s: looked at %+v, want %+v", round, number, o.Proposals, want)
					}
				}
				return nil
			})
		}
	})
}

// factory makes eight items, each maybe of later ones, with rules of any kind in two warehouses.
func factory(t *testing.T, s *db.Store, round uint64) (numbers []string) {
	any := rand.New(rand.NewPCG(round, 7))
	for i := range 8 {
		numbers = append(numbers, fmt.Sprintf("R%d-%d", round, i))
	}
	dbtest.Write(t, s, func(tx *db.Tx) error {
		for _, number := range numbers {
			if _, err := catalog.Create(tx, catalog.Item{Number: number, Name: number, IsActive: true,
				Type: catalog.Stock, TaxCode: "STD", Tracking: catalog.None, Replenishment: catalog.Purchase}); err != nil {
				return err
			}
		}
		for i, number := range numbers[:7] {
			_, err := production.ChangeBOM(tx, number, func(b *production.BOM) error {
				b.Lines = []production.BOMLine{
					{Item: numbers[i+1+any.IntN(7-i)], Quantity: dec.Int(int64(1 + any.IntN(3)))},
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
		for i, number := range numbers {
			for _, warehouse := range []string{"MAIN", "SOUTH"} {
				_, err := stock.ChangeItemWarehouse(tx, number, warehouse, func(w *stock.ItemWarehouse) error {
					w.IsActive, w.SafetyStock = any.IntN(6) > 0, new(dec.Int(int64(any.IntN(9))))
					w.LeadTimeDays = new(any.IntN(20))
					switch {
					case warehouse == "SOUTH" && any.IntN(2) == 0:
						w.Replenishment, w.TransferFrom, w.TransferDays = "Transfer", "MAIN", new(any.IntN(4))
					case i < 7 && any.IntN(2) == 0:
						w.Replenishment = "Manufacture"
					default:
						w.Replenishment = "Purchase"
					}
					return nil
				})
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	return numbers
}

// What was made to be shown for a while is shown while nothing else is, on both engines, and not after.
func TestWhatIsDearServesForAWhile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		test.Open(t, s)
		read := func(fn func(tx *db.Tx)) {
			dbtest.Read(t, s, func(tx *db.Tx) error { fn(tx); return nil })
		}
		read(func(tx *db.Tx) {
			tx.CachePutFor(time.Hour, "planning", 1, &replenishment.Board{At: 42})
			tx.CachePutFor(-time.Second, "past", 1, "gone")
		})
		dbtest.Write(t, s, func(tx *db.Tx) error {
			_, err := stock.ChangeItemWarehouse(tx, "A", "MAIN", func(w *stock.ItemWarehouse) error {
				w.SafetyStock = new(dec.Int(5))
				return nil
			})
			return err
		})
		read(func(tx *db.Tx) {
			if b, err := replenishment.Current(tx); err != nil || b.At != 42 {
				t.Errorf("the board is %+v (%v), want the one that was dear", b, err)
			}
			if _, _, ok := db.CacheGet[string](tx, "past"); ok {
				t.Error("what is too old is shown")
			}
			all, err := replenishment.RunFor(tx, []string{"a"})
			if err != nil || len(all) != 1 || all[0].Quantity != dec.Int(5) {
				t.Errorf("planned anew are %+v (%v), want 5 of A", all, err)
			}
		})
	})
}
