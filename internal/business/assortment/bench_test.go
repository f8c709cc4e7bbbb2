package assortment_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// products is how large a store is measured; KONTOR_BENCH_PRODUCTS says otherwise.
func products() int {
	if n, err := strconv.Atoi(os.Getenv("KONTOR_BENCH_PRODUCTS")); err == nil {
		return n
	}
	return 5_000
}

// BenchmarkStore measures what a large store is asked for, after its index was built, which it says beside.
func BenchmarkStore(b *testing.B) {
	s := open(b, dbtest.Store(b, "sqlite"))
	fill(s, products())
	folder := b.TempDir()
	s.index = assortment.NewStoreIndex("WEB", folder)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	s.follow()
	took := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.Logf("%d products in two languages: built and kept in %s, %d MB more", s.index.Products(),
		took.Round(time.Millisecond), (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	size := int64(0)
	filepath.WalkDir(folder, func(_ string, d os.DirEntry, err error) error {
		if info, e := d.Info(); err == nil && e == nil {
			size += info.Size()
		}
		return nil
	})
	if err := s.index.Close(); err != nil {
		b.Fatal(err)
	}
	s.index = assortment.NewStoreIndex("WEB", folder)
	start = time.Now()
	s.follow()
	b.Logf("opened in %s (%d MB)", time.Since(start).Round(time.Millisecond), size>>20)

	n := s.index.Products()
	viewer := func(tx *db.Tx) assortment.Viewer { return s.viewer(tx, "") }
	for _, c := range []struct {
		name string
		do   func(tx *db.Tx, i int) error
	}{
		{"page", func(tx *db.Tx, i int) error {
			_, err := assortment.PageOf(tx, viewer(tx), fmt.Sprintf("product-%d", i*7919%n))
			return err
		}},
		{"page kept", func(tx *db.Tx, i int) error {
			_, err := assortment.PageOf(tx, viewer(tx), fmt.Sprintf("product-%d", i%100))
			return err
		}},
		{"list of 24 by price", func(tx *db.Tx, i int) error {
			return list(tx, s, assortment.Wish{Category: "tools", Sort: assortment.ByPrice, Limit: 24,
				Offset: i % 40 * 24})
		}},
		{"list of 24 again", func(tx *db.Tx,
			i int) error {
			return list(tx, s, assortment.Wish{Category: "tools", Limit: 24})
		}},
		{"search with facets", func(tx *db.Tx, i int) error {
			return list(tx, s, assortment.Wish{Text: fmt.Sprintf("workshop series %d", i%97), Limit: 24,
				WantsFacets: true})
		}},
		{"suggest", func(tx *db.Tx, i int) error {
			_, err := assortment.Suggest(tx, s.fresh(tx), viewer(tx), fmt.Sprintf("prod %d", i%1000), 5)
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				err := s.store.Read(context.Background(), dbtest.Request(),
					func(tx *db.Tx) error { return c.do(tx, i) })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func list(tx *db.Tx, s *shop, w assortment.Wish) error {
	v := s.viewer(tx, "")
	found, err := assortment.Browse(tx, s.fresh(tx), v, w)
	if err == nil {
		_, err = assortment.Cards(tx, v, found.IDs)
	}
	return err
}
