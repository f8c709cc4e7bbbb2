package search

import (
	"slices"
	"strings"
)

// Marker finds in a text what a search was for.
type Marker struct {
	lang     *language
	words    map[string]bool
	stems    map[string]bool
	prefixes []string
	endings  []string
	closings []string // of stems
}

// Span is a part of a text, in bytes.
type Span struct{ Start, End int }

func markerOf(lang *language, e *expansion) Marker {
	m := Marker{lang: lang, words: map[string]bool{}, stems: map[string]bool{}}
	for _, f := range e.forms {
		for _, w := range f.words {
			m.learn(w)
		}
	}
	return m
}

func (m *Marker) learn(w wanted) {
	switch {
	case w.prefix:
		m.prefixes = append(m.prefixes, w.text)
	case w.ending:
		m.endings = append(m.endings, w.text)
		m.closings = append(m.closings, w.closing...)
	case w.text != "":
		m.words[w.text] = true
	}
	for _, s := range w.stems {
		m.stems[s] = true
	}
	for _, s := range slices.Concat(w.also, w.shorter) {
		m.words[s] = true
	}
	for _, g := range w.guesses {
		m.words[g.text] = true
	}
}

// Mark is the words of a text that the search was for, from left to right.
func (m Marker) Mark(text string) (out []Span) {
	if m.lang == nil {
		return nil
	}
	a := m.lang.analyser()
	defer a.release()
	tokens := a.tokens(a.marks[:0], text)
	a.marks = tokens
	for i, t := range tokens {
		end := 0
		if m.knows(t) {
			end = t.end
		}
		for _, j := range t.joined {
			if m.isWord(j.text) {
				end = tokens[i+j.tokens-1].end
			}
		}
		switch n := len(out); {
		case end == 0:
		case n > 0 && out[n-1].End > t.start:
			out[n-1].End = max(out[n-1].End, end)
		default:
			out = append(out, Span{t.start, end})
		}
	}
	return out
}

func (m Marker) knows(t token) bool {
	return m.isWord(t.text) || t.stem != "" && m.stems[t.stem] || t.bare != "" && m.stems[t.bare] ||
		slices.ContainsFunc(m.closings, func(s string) bool {
			return strings.HasSuffix(t.stem, s) || strings.HasSuffix(t.bare, s)
		}) ||
		slices.ContainsFunc(t.also, m.isWord)
}

func (m Marker) isWord(s string) bool {
	return m.words[s] ||
		slices.ContainsFunc(m.prefixes, func(p string) bool { return strings.HasPrefix(s, p) }) ||
		slices.ContainsFunc(m.endings, func(p string) bool { return strings.HasSuffix(s, p) })
}

// correction is the text of a query with its errors mended, "" without any.
func (e *expansion) correction() string {
	var b strings.Builder
	at := 0
	for i, c := range e.corrected {
		if c == "" {
			continue
		}
		b.WriteString(e.text[at:e.concepts[i].start])
		b.WriteString(c)
		at = e.concepts[i].end
	}
	if at == 0 {
		return ""
	}
	b.WriteString(e.text[at:])
	return b.String()
}
