package preview_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/preview"
)

// Whoever was told that a write is done reads it on every page, while others read the same pages all the time: keeping
// answers changes nothing but the speed.
func TestKeptPagesAreThePagesOfTheTable(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		s := dbtest.Store(t, "sqlite")
		keptPages(t, s, s, 250)
	})
	t.Run("two processes", func(t *testing.T) {
		o := dbtest.Options(t, "postgres")
		s := dbtest.Open(t, o)
		other, err := db.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { other.Close() })
		keptPages(t, s, other, 80)
	})
}

// asking is a browser that is told whether an answer was kept.
type asking struct {
	*httptest.ResponseRecorder
	hits *atomic.Int64
}

func (asking) Operation(string) {}

func (a asking) Kept(found bool) {
	if found {
		a.hits.Add(1)
	}
}

// keptPages reads what s keeps while s and another process write.
func keptPages(t *testing.T, s, other *db.Store, steps int) {
	dbtest.Write(t, s, func(tx *db.Tx) error {
		if err := reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard",
			IsActive: true}); err != nil {
			return err
		}
		if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main",
			IsActive: true}); err != nil {
			return err
		}
		return reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A", Name: "A", IsPickable: true,
			IsActive: true})
	})
	kept, fresh := mount(t, surface(s, 1<<20, preview.Items())), mount(t, surface(s, 0, preview.Items()))
	var hits atomic.Int64
	get := func(h http.Handler, path string) string {
		w := asking{httptest.NewRecorder(), &hits}
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Body.String()
	}
	pages := make([]string, 6)
	for i := range pages {
		pages[i] = fmt.Sprintf("/preview/items?page=%d&pageSize=5", i+1)
	}
	var done atomic.Bool
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for i := 0; !done.Load(); i++ {
				get(kept, pages[i%len(pages)])
			}
		})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for step := range steps {
		number := fmt.Sprintf("I-%02d", random.IntN(28))
		by := s
		if step%10 == 0 {
			by = other
		}
		writeSomething(t, by, random, number, step)
		for _, p := range pages {
			if k, f := get(kept, p), get(fresh, p); k != f {
				done.Store(true)
				t.Fatalf("after step %d on %s, %s is kept as\n%s\nbut reads\n%s", step, number, p, k, f)
			}
		}
	}
	done.Store(true)
	readers.Wait()
	if hits.Load() == 0 {
		t.Error("nothing was answered from memory")
	}
	t.Logf("%d answers came from memory", hits.Load())
}

// writeSomething creates the item, or changes it, receives some of it, or deletes it where nothing needs it.
func writeSomething(t *testing.T, s *db.Store, random *rand.Rand, number string, step int) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		item, err := catalog.Find(tx, number)
		if err != nil {
			i := catalog.New()
			i.Number, i.Name, i.TaxCode = number, strings.Repeat("x", 1+step%7), "STD"
			_, err := catalog.Create(tx, i)
			return err
		}
		switch random.IntN(3) {
		case 0:
			_, err = catalog.Change(tx, number, func(i *catalog.Item) error {
				i.Name = fmt.Sprint("step ", step)
				return nil
			})
		case 1:
			cost := dec.Int(int64(1 + step))
			_, err = stock.Receive(tx, stock.Receipt,
				[]stock.Move{{ItemID: item.ID, Item: item.Number, Warehouse: "MAIN", Quantity: dec.One,
					UnitCost: &cost}})
		default:
			if moved, err := stock.HasStock(tx, item.ID); err != nil || moved {
				return err
			}
			err = catalog.Delete(tx, number)
		}
		return err
	})
}
