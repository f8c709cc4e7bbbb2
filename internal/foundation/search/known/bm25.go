package known

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/search"
)

// The parameters of BM25 that most engines use.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// BM25 is the plain yardstick: Okapi BM25 over the words of products' names, in lower case, without stems, corrections,
// other fields or any knowledge of numbers (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
type BM25 struct {
	ids      []string
	lengths  []float64
	mean     float64
	postings map[string][]posting
}

type posting struct {
	doc   int
	times float64
}

// NewBM25 reads the names of documents.
func NewBM25(docs []search.Document) *BM25 {
	b := &BM25{postings: map[string][]posting{}}
	for i, d := range docs {
		times, length := map[string]float64{}, 0.0
		for _, p := range d.Texts {
			if p.Field != search.Name {
				continue
			}
			for _, w := range plainWords(p.Text) {
				times[w]++
				length++
			}
		}
		for w, n := range times {
			b.postings[w] = append(b.postings[w], posting{i, n})
		}
		b.ids, b.lengths, b.mean = append(b.ids, d.ID), append(b.lengths, length), b.mean+length
	}
	b.mean /= float64(max(len(docs), 1))
	return b
}

// plainWords are the runs of ASCII letters and digits of a text in lower case, as the published baselines have them.
func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// Ten are the ids of the ten best documents, the best first; between equal ones the earlier goes first.
func (b *BM25) Ten(query string) []string {
	scores := map[int]float64{}
	for _, w := range plainWords(query) {
		found := b.postings[w]
		rarity := math.Log(1 + (float64(len(b.ids))-float64(len(found))+0.5)/(float64(len(found))+0.5))
		for _, p := range found {
			scores[p.doc] += rarity * p.times * (bm25K1 + 1) / (p.times +
				bm25K1*(1-bm25B+bm25B*b.lengths[p.doc]/b.mean))
		}
	}
	docs := slices.SortedFunc(maps.Keys(scores),
		func(x, y int) int { return cmp.Or(cmp.Compare(scores[y], scores[x]), cmp.Compare(x, y)) })
	return each.Of(docs[:min(len(docs), 10)], func(d int) string { return b.ids[d] })
}
