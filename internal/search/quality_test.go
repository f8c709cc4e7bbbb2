package search

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// known is a set of searches for products that are known to be there: titles of one catalogue, to be found in another.
type known struct {
	docs    []Document
	queries map[string]string // by id
	right   map[string]string // query id -> document id
}

const products = "../../../shared/data/er-products/known-item"

// readKnown reads a set: the columns of the corpus after the id go to the fields of the same places, -1 = unused.
func readKnown(t testing.TB, name string, columns []int) known {
	t.Helper()
	dir := filepath.Join(products, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the known-item set %s is not here: %v", name, err)
	}
	k := known{queries: map[string]string{}, right: map[string]string{}}
	for i, row := range readTSV(t, filepath.Join(dir, "corpus.tsv")) {
		if i == 0 {
			continue
		}
		d := Document{ID: row[0]}
		for c, field := range columns {
			if field >= 0 && c+1 < len(row) && row[c+1] != "" {
				d.Texts = append(d.Texts, Passage{Field(field), row[c+1]})
			}
		}
		k.docs = append(k.docs, d)
	}
	for _, row := range readTSV(t, filepath.Join(dir, "queries.tsv")) {
		k.queries[row[0]] = row[1]
	}
	for _, row := range readTSV(t, filepath.Join(dir, "qrels.tsv")) {
		k.right[row[0]] = row[2]
	}
	return k
}

func readTSV(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		rows = append(rows, strings.Split(strings.TrimRight(line, "\r\n"), "\t"))
	}
	return rows
}

// score is the share of the queries whose product is first, and among the first ten.
func (k known) score(x *Index) (first, ten float64) {
	for id, text := range k.queries {
		for i, h := range x.Search(Request{Text: text, Limit: 10}).Hits {
			if h.ID == k.right[id] {
				if i == 0 {
					first++
				}
				ten++
			}
		}
	}
	n := float64(len(k.queries))
	return first / n, ten / n
}

// The scores to beat are those of BM25 on titles, by five points at rank one.
func TestKnownProductsAreFoundFirst(t *testing.T) {
	for _, c := range []struct {
		name    string
		columns []int
		first   float64
		ten     float64
	}{
		{"D2", []int{int(Name), int(Text), -1}, 0.676 + 0.05, 0.948},
		{"D8", []int{int(Name), int(Number), -1, -1, int(Brand), -1}, 0.716 + 0.05, 0.940},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := readKnown(t, c.name, c.columns)
			x := New("", "en")
			x.Upsert(k.docs, 1)
			x.Compact()
			first, ten := k.score(x)
			t.Logf("%s: %d products, %d queries: first %.1f %%, among the first ten %.1f %%", c.name, len(k.docs), len(k.queries), 100*first, 100*ten)
			if first < c.first || ten < c.ten {
				t.Errorf("found first %.3f (at least %.3f wanted), among the first ten %.3f (%.3f)", first, c.first, ten, c.ten)
			}
		})
	}
}
