package bench_test

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"kontor/internal/bench"
	"kontor/internal/foundation/db/dbtest"
)

// TestCompanies makes a few companies, finds them again, and enters the others that nobody asks for.
func TestCompanies(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			at := dbtest.Options(t, engine)
			o := bench.Options{Companies: 6, Asked: 2, Seconds: 0.05, Into: cmp.Or(at.URL, at.Dir)}
			for run, rows := range []int{1, 0} {
				r, err := bench.Companies(context.Background(), o)
				if err != nil {
					t.Fatal(err)
				}
				var table strings.Builder
				if err := r.Print(&table); err != nil || !strings.Contains(table.String(), "6 companies, made in") {
					t.Errorf("%v\n%s", err, table.String())
				}
				if len(r.Rows) != rows || len(r.Omitted) != 1 || r.Engine != engine {
					t.Errorf("run %d: %+v", run, r)
				}
			}
		})
	}
}
