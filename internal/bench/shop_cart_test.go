package bench

import (
	"context"
	"testing"

	"kontor/internal/foundation/db/dbtest"
)

// BenchmarkAddToCart is one client who fills carts of up to eight lines, over a socket: what its time, its allocations
// and its profile say is what `kontor bench shop cart` compares with a bare transaction.
func BenchmarkAddToCart(b *testing.B) {
	ctx := context.Background()
	at := dbtest.Options(b, dbtest.Engines()[0])
	s := &selling{measuring: measuring{Options: Options{Size: Size{Items: 2_000}, Into: at.Dir,
		Tick: func(string, int, int) {}}}}
	if _, _, err := s.folder(); err != nil {
		b.Fatal(err)
	}
	if err := s.fill(ctx); err != nil {
		b.Fatal(err)
	}
	defer s.site.close(ctx)
	k, err := s.basket()
	if err != nil {
		b.Fatal(err)
	}
	defer k.close()
	b.ReportAllocs()
	for b.Loop() {
		if len(k.tokens) == 0 && k.at%cartLines == 0 {
			b.StopTimer()
			k.tokens = make([]string, 0, 1_000)
			for range 1_000 {
				token, err := k.session()
				if err != nil {
					b.Fatal(err)
				}
				k.tokens = append(k.tokens, token)
			}
			b.StartTimer()
		}
		if err := k.add(s.items); err != nil {
			b.Fatal(err)
		}
	}
}
