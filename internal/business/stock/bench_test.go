package stock_test

import (
	"context"
	"fmt"
	"testing"

	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// BenchmarkPieces takes in and sells a piece of an item of which so many were sold before, each with a serial number of
// its own, and says what could be promised of it: neither may cost more because of those that are gone.
func BenchmarkPieces(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		for _, sold := range []int{100, 20_000} {
			b.Run(fmt.Sprintf("%s/%d", engine, sold), func(b *testing.B) {
				w := open(b, dbtest.Store(b, engine))
				const atOnce = 1_000
				for n := 0; n < sold; n += atOnce {
					w.sellPieces(n, min(sold-n, atOnce))
				}
				for n := sold; b.Loop(); n++ {
					w.sellPieces(n, 1)
					err := w.store.Read(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
						_, err := stock.Promisable(tx, []string{w.items["Serial"].ID})
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// sellPieces takes pieces in, one of the numbered and the one after it, and sells them.
func (w *world) sellPieces(from, count int) {
	w.Helper()
	w.write(func(tx *db.Tx) error {
		moves := make([]stock.Move, count)
		for i := range moves {
			moves[i] = w.move("Serial", "1")
			moves[i].Serial = fmt.Sprintf("S-%d", from+i)
		}
		if _, err := stock.Receive(tx, stock.Receipt, moves); err != nil {
			return err
		}
		_, err := stock.Issue(tx, moves)
		return err
	})
}
