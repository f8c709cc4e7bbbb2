package bench_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor/internal/bench"
	"kontor/internal/foundation/search/known"
)

func TestSearch(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "known-item", "D2")
	if err := os.MkdirAll(at, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"corpus.tsv":  "id\tname\tdescription\n1\tred lamp\tof glass\n2\tgreen lamp\t\n",
		"queries.tsv": "a\tred lamp\nb\tlamp of glass\nc\tsofa\n",
		"qrels.tsv":   "a\t0\t1\t1\nb\t0\t1\t1\nc\t0\t2\t1\n",
	} {
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var ticks int
	r, err := bench.Search(dir, func(string, int, int) { ticks++ })
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Sets) != len(known.Cuts()) || ticks != len(r.Sets) {
		t.Fatalf("%+v after %d ticks", r, ticks)
	}
	s := r.Sets[0]
	if s.Products != 2 || s.Queries != 3 || int(s.First) != 66 || int(s.Ten) != 66 || s.Bytes == 0 || s.P95 < s.P50 ||
		s.Met == nil || *s.Met {
		t.Errorf("%+v", s)
	}
	if int(s.PlainFirst) != 33 && int(s.PlainFirst) != 66 || s.PlainTen == 0 || s.Cut == "" {
		t.Errorf("plain BM25: %+v", s)
	}
	var table strings.Builder
	if err := r.Print(&table); err != nil || !strings.Contains(table.String(), "66.7 %") ||
		!strings.Contains(table.String(), "MISSED") {
		t.Errorf("%v\n%s", err, table.String())
	}
	for _, empty := range []string{filepath.Join(dir, "none"), t.TempDir()} {
		if _, err := bench.Search(empty, func(string, int, int) {}); err == nil ||
			!strings.Contains(err.Error(), "--known") || !strings.Contains(err.Error(), empty) {
			t.Errorf("%v", err)
		}
	}
}
