// Package known measures how well an index finds products that are known to be in it. A set is a folder of three files
// of tab-separated columns: corpus.tsv with the products under a line of column names, queries.tsv with an id and what
// was typed, qrels.tsv in TREC form (query, 0, product, grade) with the right product of each query.
package known

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kontor/internal/foundation/search"
)

// Set is products, and searches of which the right product is known.
type Set struct {
	Name      string
	Documents []search.Document
	Queries   []Query
}

// Query is what was typed, and the id of the product that was meant.
type Query struct{ Text, Right string }

// Sets are the names of the sets in a folder; os.ErrNotExist when there is no such folder.
func Sets(folder string) (names []string, err error) {
	files, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if _, err := os.Stat(filepath.Join(folder, f.Name(), "corpus.tsv")); err == nil {
			names = append(names, f.Name())
		}
	}
	return names, nil
}

// Needs is the share of the queries whose product must come first, and among the first ten, for the sets whose scores
// with BM25 on titles are published: at rank one five points more than that. 0, 0 for others.
func Needs(set string) (first, ten float64) {
	switch set {
	case "D2":
		return 0.726, 0.948
	case "D8":
		return 0.766, 0.940
	}
	return 0, 0
}

// field is where the text of a column belongs.
func field(column string) (search.Field, bool) {
	switch column {
	case "name", "title":
		return search.Name, true
	case "modelno":
		return search.Number, true
	case "brand", "manufacturer":
		return search.Brand, true
	case "description":
		return search.Text, true
	}
	return 0, false
}

// Read reads the set of that name in a folder.
func Read(folder, name string) (Set, error) {
	s := Set{Name: name}
	corpus, err := rows(filepath.Join(folder, name, "corpus.tsv"), 2)
	if err != nil {
		return s, err
	}
	queries, err := rows(filepath.Join(folder, name, "queries.tsv"), 2)
	if err != nil {
		return s, err
	}
	answers, err := rows(filepath.Join(folder, name, "qrels.tsv"), 3)
	if err != nil {
		return s, err
	}
	for i, row := range corpus {
		if i == 0 {
			continue
		}
		d := search.Document{ID: row[0]}
		for c, text := range row[1:min(len(row), len(corpus[0]))] {
			if f, ok := field(corpus[0][c+1]); ok && text != "" {
				d.Texts = append(d.Texts, search.Passage{Field: f, Text: text})
			}
		}
		s.Documents = append(s.Documents, d)
	}
	right := map[string]string{}
	for _, row := range answers {
		right[row[0]] = row[2]
	}
	for _, row := range queries {
		id, ok := right[row[0]]
		if !ok {
			return s, fmt.Errorf("the set %s has no answer to query %s in qrels.tsv", name, row[0])
		}
		s.Queries = append(s.Queries, Query{row[1], id})
	}
	if len(s.Documents) == 0 || len(s.Queries) == 0 {
		return s, fmt.Errorf("the set %s is empty", name)
	}
	return s, nil
}

// rows are the lines of a file, each of so many columns at least.
func rows(file string, least int) (out [][]string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(row) < least {
			return nil, fmt.Errorf("%s, line %d: %d columns, wanted %d at least", file, len(out)+1, len(row), least)
		}
		out = append(out, row)
	}
	return out, nil
}

// Score is how well, and how fast, the right products were found.
type Score struct {
	// First and Ten are the shares of the queries whose product came first, and among the first ten.
	First, Ten float64
	// MRR is the mean of 1 by the rank of the right product, 0 beyond the tenth.
	MRR float64
	// Took is how long each query took, the fastest first.
	Took []time.Duration
}

// Measure asks an index that has the set's documents each of its queries, one after the other.
func (s Set) Measure(x *search.Index) Score {
	return s.measure(func(text string) []string { return x.Search(search.Request{Text: text, Limit: 10}).IDs() })
}

// MeasurePlain is Measure of BM25 over the names of the set's products.
func (s Set) MeasurePlain() Score { return s.measure(NewBM25(s.Documents).Ten) }

// measure asks whoever answers with the ids of the first ten.
func (s Set) measure(ask func(text string) []string) (score Score) {
	for _, q := range s.Queries {
		start := time.Now()
		ids := ask(q.Text)
		score.Took = append(score.Took, time.Since(start))
		rank := 1 + slices.Index(ids, q.Right)
		if rank == 0 {
			continue
		}
		score.Ten++
		score.MRR += 1 / float64(rank)
		if rank == 1 {
			score.First++
		}
	}
	n := float64(len(s.Queries))
	score.First, score.Ten, score.MRR = score.First/n, score.Ten/n, score.MRR/n
	slices.Sort(score.Took)
	return score
}
