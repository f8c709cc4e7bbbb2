package bench_test

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"kontor/internal/bench"
	"kontor/internal/foundation/db/dbtest"
)

// tiny is enough to see every workload at work once.
func tiny() bench.Options {
	return bench.Options{Size: bench.Size{Items: 120, Customers: 10, Orders: 200}, Few: 100, Seconds: 0.05, Clients: 3}
}

// TestRun measures everything that needs no process of its own, and looks at what is said of it, not at how fast it is.
func TestRun(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := tiny()
			at := dbtest.Options(t, engine)
			o.Into = cmp.Or(at.URL, at.Dir)
			r, err := bench.Run(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			rows, needed := 21, 12
			if engine == "sqlite" {
				needed = 16
			}
			judged := 0
			for _, row := range r.Rows {
				if row.Value <= 0 || row.Against != "" && row.Yardstick <= 0 {
					t.Errorf("%s: %+v", row.Work, row)
				}
				if row.Met != nil {
					judged++
				}
			}
			if len(r.Rows) != rows || judged != needed || r.Engine != engine {
				t.Errorf("%s: %d rows, of which %d are judged; want %d and %d", r.Engine, len(r.Rows), judged, rows,
					needed)
			}
			var table strings.Builder
			if err := r.Print(&table); err != nil || !strings.Contains(table.String(), "POST order of 3 lines") {
				t.Errorf("%v\n%s", err, table.String())
			}
			if _, err := json.Marshal(r); err != nil {
				t.Error(err)
			}
			// What was loaded is found again.
			o.Workloads = []string{"order"}
			o.Tick = func(what string, _, total int) {
				if total > 0 {
					t.Errorf("%s were loaded again", what)
				}
			}
			if _, err := bench.Run(context.Background(), o); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestUnknownWorkload(t *testing.T) {
	err := bench.CheckWorkloads([]string{"order", "oder"})
	if err == nil || !strings.Contains(err.Error(), `"oder"`) {
		t.Errorf("%v", err)
	}
}
