package sales_test

import (
	"context"
	"testing"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
)

// BenchmarkPlace is the room's share of POST /orders with three priced lines.
func BenchmarkPlace(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		b.Run(engine, func(b *testing.B) {
			s := dbtest.Store(b, engine)
			shop(b, s)
			arrive(b, s, "A", "A-01", "100000000")
			b.SetParallelism(8)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
						_, err := sales.Place(tx, order(line("A", "1"), line("B", "1"), line("FREIGHT", "1")),
							stock.AsMuchAsThereIs)
						return err
					})
					if err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

// BenchmarkPlaceMany is an import's placing: orders of 27 lines that bring their prices, a hundred in a transaction.
func BenchmarkPlaceMany(b *testing.B) {
	s := dbtest.Store(b, "sqlite")
	shop(b, s)
	arrive(b, s, "A", "A-01", "100000000")
	price := dec.Must("2.55")
	p := order()
	for range 27 {
		l := line("A", "2")
		l.UnitPrice = &price
		p.Lines = append(p.Lines, l)
	}
	ps := make([]sales.Placing, 100)
	for i := range ps {
		ps[i] = p
	}
	for b.Loop() {
		dbtest.Write(b, s, func(tx *db.Tx) error {
			_, err := sales.PlaceMany(tx, ps, stock.AsMuchAsThereIs)
			return err
		})
	}
	b.ReportMetric(float64(b.N*100*27)/b.Elapsed().Seconds(), "lines/s")
}
