package known_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor/internal/foundation/search"
	"kontor/internal/foundation/search/known"
)

// folder is the measured sets; they are no part of the source.
const folder = "../../../../../shared/data/er-products/known-item"

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestMeasure(t *testing.T) {
	dir := write(t, map[string]string{
		"S/corpus.tsv":  "id\ttitle\tmodelno\tprice\n1\tred lamp\tL-1\t10\n2\tgreen lamp\t\t20\n3\tcup\tC-9\n",
		"S/queries.tsv": "a\tlamp red\nb\tc9\nc\tlamp \nd\tsofa\n",
		"S/qrels.tsv":   "a\t0\t1\t1\nb\t0\t3\t1\nc\t0\t2\t1\nd\t0\t3\t1\n",
		"other/file":    "",
	})
	names, err := known.Sets(dir)
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	s, err := known.Read(dir, names[0])
	if err != nil {
		t.Fatal(err)
	}
	x := search.New("", "en")
	x.Upsert(s.Documents, 1)
	got := s.Measure(x)
	if got.First != 0.5 || got.Ten != 0.75 || got.MRR != 0.625 || len(got.Took) != 4 {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsNoSet(t *testing.T) {
	if _, err := known.Sets(filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Error(err)
	}
	good := map[string]string{"S/corpus.tsv": "id\ttitle\n1\tlamp\n", "S/queries.tsv": "a\tlamp\n",
		"S/qrels.tsv": "a\t0\t1\t1\n"}
	for what, c := range map[string]struct{ file, text, want string }{
		"no answer":      {"S/qrels.tsv", "b\t0\t1\t1\n", "query a"},
		"too few":        {"S/queries.tsv", "a\tlamp\nb\n", "queries.tsv, line 2"},
		"no products":    {"S/corpus.tsv", "id\ttitle\n", "empty"},
		"no such corpus": {"S/corpus.tsv", "", "empty"},
	} {
		files := map[string]string{}
		for name, text := range good {
			files[name] = text
		}
		files[c.file] = c.text
		if _, err := known.Read(write(t, files), "S"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestKnownProductsAreFoundFirst(t *testing.T) {
	for _, name := range []string{"D2", "D8"} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
				t.Skipf("the known-item set %s is not here, so how well products are found is not measured: %v", name,
					err)
			}
			s, err := known.Read(folder, name)
			if err != nil {
				t.Fatal(err)
			}
			x := search.New("", "en")
			x.Upsert(s.Documents, 1)
			x.Compact()
			got := s.Measure(x)
			t.Logf("%d products, %d queries: first %.1f %%, among the first ten %.1f %%, MRR %.3f", len(s.Documents),
				len(s.Queries), 100*got.First, 100*got.Ten, got.MRR)
			if first, ten := known.Needs(name); got.First < first || got.Ten < ten {
				t.Errorf("found first %.3f (at least %.3f wanted), among the first ten %.3f (%.3f)", got.First, first,
					got.Ten, ten)
			}
		})
	}
}

// However a set is cut, the first ten hold at least what plain BM25 on names finds among its ten, and the first place
// too. The large set is measured by kontor bench search.
func TestNoCutIsFoundWorseThanByBM25(t *testing.T) {
	if _, err := os.Stat(filepath.Join(folder, "D2")); err != nil {
		t.Skipf("the known-item set D2 is not here: %v", err)
	}
	s, err := known.Read(folder, "D2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range known.Cuts() {
		set := c.Of(s)
		x := search.New("", "en")
		x.Upsert(set.Documents, 1)
		x.Compact()
		got, plain := set.Measure(x), set.MeasurePlain()
		t.Logf("%s: first %.1f %%, ten %.1f %%; BM25 %.1f and %.1f", c.Name, 100*got.First, 100*got.Ten,
			100*plain.First, 100*plain.Ten)
		if got.First < plain.First || got.Ten < plain.Ten {
			t.Errorf("%s: first %.3f, ten %.3f; BM25 %.3f and %.3f", c.Name, got.First, got.Ten, plain.First, plain.Ten)
		}
	}
}
