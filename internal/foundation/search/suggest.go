package search

import (
	"cmp"
	"strings"
	"time"
	"unicode"
)

// Typing is a query on its way, of which the last word may be unfinished.
type Typing struct {
	Text string
	// Filters, InStock and At are as in Request.
	Filters []Filter
	InStock bool
	At      int64
	// Products is how many documents are proposed at most, Phrases how many searches of others.
	Products, Phrases int
	// Facets are those whose values are proposed by their labels, such as categories and brands; Values is how many of
	// each.
	Facets []string
	Values int
	// Deadline is as in Request.
	Deadline time.Time
}

// Suggestions are what a query may be going to be.
type Suggestions struct {
	Products []Hit
	// Facets are the facets with fitting values, in the order they were asked for. Counts are of all documents that
	// have one.
	Facets  []Facet
	Phrases []string
	// Corrected is the text with its typing errors mended, "" when there was nothing to mend.
	Corrected string
	Marker    Marker
	// Until and Late are as in Result.
	Until int64
	Late  bool
}

// Suggest proposes what a query that is being typed may be going to be. A text without any word proposes nothing.
func (x *Index) Suggest(t Typing) (out Suggestions) {
	s, l := x.now.Load(), x.lexis.Load()
	request := Request{Text: t.Text, Filters: t.Filters, InStock: t.InStock, At: t.At, Limit: t.Products}
	r := s.search(x.lang, l, request, way{isTyping: true, deadline: t.Deadline})
	if r.Total == 0 && !r.Late {
		r = s.search(x.lang, l, request, way{deadline: t.Deadline})
	}
	if r.Late {
		return Suggestions{Late: true}
	}
	out.Corrected, out.Marker, out.Until = r.Corrected, r.Marker, r.Until
	typed := wordsOf(fold(cut(t.Text, longestQuery)))
	if len(typed) == 0 {
		return out
	}
	out.Products = r.Hits
	out.Facets, out.Phrases = s.suggestValues(t, typed), l.suggestPhrases(typed, t.Phrases)
	if r.Corrected == "" {
		return out
	}
	meant := wordsOf(fold(r.Corrected))
	if out.Facets == nil {
		out.Facets = s.suggestValues(t, meant)
	}
	if out.Phrases == nil {
		out.Phrases = l.suggestPhrases(meant, t.Phrases)
	}
	return out
}

// wordsOf cuts folded text into words for suggestions, which compare letters and know neither stems nor stop words.
func wordsOf(folded string) []string {
	return strings.FieldsFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// spoken is words as one text in which each stands behind a space: what a text begins with, and where words begin, is
// then found without cutting it up.
func spoken(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return " " + strings.Join(words, " ")
}

// suggestValues are the values of the facets whose labels hold the typed words: those that begin with them first, then
// those of most documents.
func (s *snapshot) suggestValues(t Typing, typed []string) (out []Facet) {
	if t.Values <= 0 {
		return nil
	}
	type value struct {
		FacetValue
		begins bool
	}
	text := spoken(typed)
	for _, name := range t.Facets {
		var values []value
		for _, n := range s.book.facet(name) {
			if !holdsBeginnings(s.book.spoken[n], text) {
				continue
			}
			key := s.book.keys[n]
			if count := s.countOf(key, t.At, 0); count > 0 {
				_, code, _ := strings.Cut(key, "\x00")
				values = append(values, value{FacetValue{Value: code, Label: s.book.labels[n], Count: count},
					strings.HasPrefix(s.book.spoken[n], text)})
			}
		}
		if len(values) == 0 {
			continue
		}
		values = first(values, t.Values, func(a, b value) int {
			if a.begins != b.begins {
				if a.begins {
					return -1
				}
				return 1
			}
			return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label),
				strings.Compare(a.Value, b.Value))
		})
		f := Facet{Name: name, Count: len(values)}
		for _, v := range values {
			f.Values = append(f.Values, v.FacetValue)
		}
		out = append(out, f)
	}
	return out
}

// holdsBeginnings reports whether every typed word begins a word. Both are as spoken makes them.
func holdsBeginnings(text, typed string) bool {
	for typed != "" {
		end := 1 + strings.IndexByte(typed[1:], ' ')
		if end == 0 {
			end = len(typed)
		}
		if !strings.Contains(text, typed[:end]) {
			return false
		}
		typed = typed[end:]
	}
	return true
}

// suggestPhrases are the most frequent searches that hold the typed words and more.
func (l *lexicon) suggestPhrases(typed []string, most int) (out []string) {
	text := spoken(typed)
	for _, p := range l.phrases {
		if len(out) >= most {
			break
		}
		if holdsBeginnings(p.spoken, text) && p.spoken != text {
			out = append(out, p.text)
		}
	}
	return out
}

// countOf is how many documents have a value of a facet, living and open at the moment; 0 as the moment = regardless.
// With enough it counts no further than that.
func (s *snapshot) countOf(key string, at int64, enough int) (n int) {
	for i := range s.views {
		v := &s.views[i]
		place, ok := v.values.find(key)
		switch {
		case !ok:
			continue
		case v.dead == nil && (at == 0 || v.opens == nil):
			n += int(v.bitmaps[place].GetCardinality())
		default:
			for it := v.bitmaps[place].Iterator(); it.HasNext() && (enough == 0 || n < enough); {
				if d := it.Next(); !v.dead.has(d) && v.isOpen(d, at) {
					n++
				}
			}
		}
		if enough > 0 && n >= enough {
			break
		}
	}
	return n
}

// isOpen reports whether a document is found at a moment; 0 = regardless.
func (g *segment) isOpen(doc uint32, at int64) bool {
	return at == 0 || g.opens == nil || g.opens[doc] <= at && (g.closes[doc] == 0 || at < g.closes[doc])
}
