package rest

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestFaultsAreBounded: however much is wrong with a request, its answer stays small, names the first hundred faults
// and counts all.
func TestFaultsAreBounded(t *testing.T) {
	s := serve(t, nil)
	unknown := make([]string, 60_000)
	for i := range unknown {
		unknown[i] = fmt.Sprintf(`"x%d":{}`, i)
	}
	for i, c := range []struct {
		what, body string
		named      int
		says       string
	}{
		{"a list far beyond its bound", `{"name":"x","parts":[{}` + strings.Repeat(`,{}`, 333_332) + `]}`, 7,
			"has 333333 entries; at most 3 are allowed"},
		{"wrong entries", `{"name":"x","tags":[7` + strings.Repeat(`,7`, 500_000) + `]}`, 100,
			"has 500001 entries; at most 5000 are allowed"},
		{"unknown fields", `{"name":"x",` + strings.Join(unknown, ",") + `}`, 100, "(and 59995 more)"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w := s.do("POST /preview/things", fmt.Sprintf("Idempotency-Key: bounds%d", i), c.body)
		runtime.ReadMemStats(&after)
		var answer struct {
			Detail string `json:"detail"`
			Errors []struct{ Field, Message string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatal(err)
		}
		said := answer.Detail
		for _, e := range answer.Errors {
			said += "\n" + e.Message
		}
		if w.Code != 400 || len(answer.Errors) != c.named || w.Body.Len() > 64<<10 {
			t.Errorf("%s: %d with %d faults in %d bytes", c.what, w.Code, len(answer.Errors), w.Body.Len())
		}
		if c.named < 100 && !strings.Contains(said, c.says) || c.named == 100 && !strings.Contains(answer.Detail,
			"more)") {
			t.Errorf("%s: says %.300q", c.what, answer.Detail)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(100*len(c.body)) {
			t.Errorf("%s: %d bytes were allocated for a request of %d", c.what, took, len(c.body))
		}
	}
}
