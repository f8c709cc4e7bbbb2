package assistant

import (
	"cmp"
	_ "embed"
	"math"
	"slices"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/search"
)

// A question is answered from the passages that hold its words: by how rare the words are among all passages, how often
// a passage has them, and how long it is (BM25: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009). A
// passage that holds too little of a question, by the rarity of its words, does not answer it.
const (
	often    = 1.2 // k1: how soon it no longer matters that a passage has a word once more
	lengthy  = 0.6 // b: how much a passage's length counts
	titled   = 1.2 // how much more a word counts in a title
	enough   = 0.5 // of a question that a passage must hold
	mostHits = 3
)

// words finds the words of texts in a store's language, those that mean the same in trade being one.
type words struct {
	search.Stemmer
	same map[string]string // stems by the one that stands for them
}

func wordsOf(language string) words {
	w := words{search.NewStemmer(language), map[string]string{}}
	groups := map[string]string{"en": englishSame, "sv": swedishSame}[strings.ToLower(language[:min(2, len(language))])]
	for line := range strings.Lines(groups) {
		group := w.Stems(line)
		for _, s := range group[min(1, len(group)):] {
			w.same[s] = group[0]
		}
	}
	return w
}

// of are the words of a text.
func (w words) of(text string) []string {
	out := w.Stems(text)
	for i, s := range out {
		out[i] = cmp.Or(w.same[s], s)
	}
	return out
}

// hit is a passage that holds words of a question.
type hit struct {
	*passage
	score float64
	holds float64 // how much of the question, from 0 to 1
}

// ranking is what the words of a question weigh among all passages of a store.
type ranking struct {
	all     []passage
	words   []string // stems of the question, each once
	weight  []float64
	total   float64
	average float64 // stems of a passage
}

func newRanking(all []passage, words []string) *ranking {
	r := &ranking{all: all, weight: make([]float64, len(words)), words: words}
	for i := range all {
		r.average += float64(len(all[i].stems))
	}
	r.average /= float64(max(1, len(all)))
	for i, w := range words {
		n := 0
		for k := range all {
			if slices.Contains(all[k].stems, w) || slices.Contains(all[k].head, w) {
				n++
			}
		}
		in := float64(max(1, n)) // a word that no passage has is as rare as one that a single one has
		r.weight[i] = math.Log(1 + (max(in, float64(len(all)))-in+0.5)/(in+0.5))
		r.total += r.weight[i]
	}
	return r
}

// hits are the passages that answer the question, the best of each text, the best first.
func (r *ranking) hits() []hit {
	var out []hit
	for i := range r.all {
		if h := r.score(&r.all[i]); h.holds >= enough {
			out = append(out, h)
		}
	}
	slices.SortStableFunc(out, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	seen := map[string]bool{}
	out = slices.DeleteFunc(out, func(h hit) bool {
		was := seen[h.from.Path]
		seen[h.from.Path] = true
		return was
	})
	return out[:min(len(out), mostHits)]
}

func (r *ranking) score(p *passage) hit {
	h := hit{passage: p}
	long := often * (1 - lengthy + lengthy*float64(len(p.stems))/r.average)
	for i, w := range r.words {
		n := 0.0
		for _, s := range p.stems {
			if s == w {
				n++
			}
		}
		inHead := slices.Contains(p.head, w)
		if n > 0 || inHead {
			h.holds += r.weight[i]
		}
		h.score += r.weight[i] * n * (often + 1) / (n + long)
		if inHead {
			h.score += titled * r.weight[i]
		}
	}
	if r.total > 0 {
		h.holds /= r.total
	}
	return h
}

// about reports whether a product holds enough of the question, and a word of it in its name, brand or category.
func (r *ranking) about(w words, c *assortment.Card) bool {
	name := w.of(c.Name + " " + c.BrandName + " " + c.Item.CategoryCode)
	p := passage{stems: w.of(c.ShortDescription + " " + assortment.PlainText(c.Description)), head: name}
	return r.score(&p).holds >= enough && slices.ContainsFunc(r.words,
		func(s string) bool { return slices.Contains(name, s) })
}

// Words that are one in questions to a shop, a group a line. Irregular forms stand here too, which stems do not bring
// together.
var (
	//go:embed same.en.txt
	englishSame string
	//go:embed same.sv.txt
	swedishSame string
)
