package bench_test

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"kontor/internal/bench"
	"kontor/internal/foundation/db/dbtest"
)

// TestShop measures everything of a store that needs no process of its own, and looks at what is said of it, not at how
// fast it is.
func TestShop(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			at := dbtest.Options(t, engine)
			o := bench.Options{Size: bench.Size{Items: 120}, Seconds: 0.05, Clients: 3, Into: cmp.Or(at.URL, at.Dir)}
			r, err := bench.Shop(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range r.Rows {
				if row.Value <= 0 || row.Against != "" && row.Yardstick <= 0 {
					t.Errorf("%s: %+v", row.Work, row)
				}
			}
			if len(r.Rows) != 12 || len(r.Omitted) != 2 || r.Engine != engine || r.Items != 120 {
				t.Errorf("%+v", r)
			}
			var table strings.Builder
			if err := r.Print(&table); err != nil ||
				!strings.Contains(table.String(), "p95 under 30 ms, p50 under 8 ms") {
				t.Errorf("%v\n%s", err, table.String())
			}
			// What was loaded is found again.
			o.Workloads = []string{"page"}
			o.Tick = func(what string, _, total int) {
				if total > 0 {
					t.Errorf("%s were loaded again", what)
				}
			}
			if _, err := bench.Shop(context.Background(), o); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUnknownShopWorkload(t *testing.T) {
	err := bench.CheckShopWorkloads([]string{"page", "pages"})
	if err == nil || !strings.Contains(err.Error(), `"pages"`) {
		t.Errorf("%v", err)
	}
}
