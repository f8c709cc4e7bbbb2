package bench

import (
	"context"
	"testing"

	"kontor/internal/foundation/db/dbtest"
)

// BenchmarkPage is one client who reads pages of 50 over a socket, none of which is kept: what its time, its
// allocations and its profile say is what `kontor bench list` compares with a bare handler.
func BenchmarkPage(b *testing.B) {
	ctx := context.Background()
	m := &measuring{Options: Options{Size: Size{Items: 1_000, Customers: 100, Orders: 1_000},
		Into: dbtest.Options(b, dbtest.Engines()[0]).Dir, Tick: func(string, int, int) {}}}
	m.folder()
	m.load(ctx)
	defer m.site.close(ctx)
	for _, r := range []reading{pageReads(m.big), orderPageReads(m.big)} {
		b.Run(r.of, func(b *testing.B) {
			t, c := m.big.dial()
			defer c.close()
			b.ReportAllocs()
			for b.Loop() {
				c.do(t.get(r.paths[b.N%len(r.paths)]))
			}
		})
	}
}
