package bench

import (
	"cmp"
	"context"
	"math/rand/v2"
	"testing"

	"kontor/internal/foundation/db/dbtest"
)

// opened is a store of 2,000 items behind a server.
func opened(b *testing.B, engine string) *selling {
	b.Helper()
	at := dbtest.Options(b, engine)
	s := &selling{measuring: measuring{Options: Options{Size: Size{Items: 2_000}, Into: cmp.Or(at.URL, at.Dir),
		Tick: func(string, int, int) {}}}}
	s.folder()
	s.fill(b.Context())
	b.Cleanup(func() { s.site.close(context.Background()) })
	return s
}

// BenchmarkCheckout is guests who order, one after another: `kontor bench shop checkout` has many at once.
func BenchmarkCheckout(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		b.Run(engine, func(b *testing.B) {
			s := opened(b, engine)
			v := s.visitor(s.site.url)
			defer v.close()
			random := rand.New(rand.NewPCG(1, rand.Uint64()))
			b.ReportAllocs()
			for b.Loop() {
				v.buy(s.items, random.Int64(), random)
			}
		})
	}
}

// BenchmarkAddToCart is one client who fills carts of up to eight lines, over a socket: what its time, its allocations
// and its profile say is what `kontor bench shop cart` compares with a bare transaction.
func BenchmarkAddToCart(b *testing.B) {
	s := opened(b, dbtest.Engines()[0])
	k := s.basket()
	defer k.close()
	b.ReportAllocs()
	for b.Loop() {
		if len(k.tokens) == 0 && k.at%cartLines == 0 {
			b.StopTimer()
			k.tokens = make([]string, 0, 1_000)
			for range 1_000 {
				k.tokens = append(k.tokens, k.session())
			}
			b.StartTimer()
		}
		k.add(s.items)
	}
}
