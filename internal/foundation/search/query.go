package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MostWords is how many words of a text are searched for; the rest of it is passed over.
const MostWords = 32

// Words is how many words a text has, as a search counts them: those that must not occur and those that say little with
// them, and a number written in parts as each of its parts.
func (x *Index) Words(text string) (n int) {
	a := x.lang.analyser()
	defer a.release()
	for _, s := range sections(text) {
		n += len(a.tokens(nil, s.text))
	}
	return n
}

const (
	longestQuery = 2_000 // bytes
	mostConcepts = MostWords
)

// query is what was typed, cut into concepts.
type query struct {
	text     string
	concepts []token
	// phrases are ranges of concepts that must stand side by side.
	phrases [][2]int
	without []token
	// apart tells that a concept does not follow the one before in the text: a stop word or a section lies between.
	apart []bool
	// open tells that the last word may not be typed to its end.
	open bool
	// whole is all of it without separators, where that may be a number of its own: a1 of A-1. Else "".
	whole string
}

// section is a part of a query: a quoted phrase, an excluded word, or the rest.
type section struct {
	text             string
	at               int
	isPhrase, isLeft bool
}

// parse reads a query. Every text is one; signs that mean nothing are passed over.
func (l *language) parse(text string) query {
	text = cut(text, longestQuery)
	q := query{text: text, open: text != "" && !strings.HasSuffix(text, " ")}
	a := l.analyser()
	defer a.release()
	for _, s := range sections(text) {
		tokens := a.tokens(nil, s.text)
		for i := range tokens {
			tokens[i].start += s.at
			tokens[i].end += s.at
		}
		if s.isLeft {
			q.without = append(q.without, tokens...)
			continue
		}
		from := len(q.concepts)
		for i, t := range tokens {
			if len(q.concepts) == mostConcepts {
				break
			}
			q.concepts = append(q.concepts, t)
			q.apart = append(q.apart, i == 0)
		}
		if s.isPhrase && len(q.concepts) > from+1 {
			q.phrases = append(q.phrases, [2]int{from, len(q.concepts)})
		}
	}
	tokens := len(q.concepts)
	q.leaveStopWords()
	if len(q.without) == 0 {
		q.whole = wholeOf(text, q.concepts, tokens)
	}
	if n := len(q.concepts); n > 0 && q.concepts[n-1].end != len(text) {
		q.open = false
	}
	return q
}

// wholeOf is a text as a number that was typed with separators, or in parts; "" where it is none. tokens counts the
// stop words, which may be parts of it too. A lone 12.5v is a quantity, not 125v.
func wholeOf(text string, concepts []token, tokens int) string {
	whole := compact(text)
	if len(concepts) == 0 || !isCode(whole) || len(whole) > longestWord {
		return ""
	}
	if tokens > 1 {
		return whole
	}
	if only := concepts[0]; only.text == whole || len(only.also) > 0 || len(whole) < shortestCode {
		return ""
	}
	return whole
}

// leaveStopWords takes out the words that say little, unless there are no others or a phrase wants them.
func (q *query) leaveStopWords() {
	if len(q.phrases) > 0 {
		return
	}
	says := false
	for _, t := range q.concepts {
		says = says || !t.stop
	}
	if !says {
		return
	}
	n, skipped := 0, false
	for i, t := range q.concepts {
		if t.stop {
			skipped = true
			continue
		}
		q.concepts[n], q.apart[n] = t, q.apart[i] || skipped
		if skipped && n > 0 {
			q.concepts[n-1].joined = nil
		}
		skipped = false
		n++
	}
	q.concepts, q.apart = q.concepts[:n], q.apart[:n]
}

// sections finds "phrases" and -words. A quote opens only where a word may begin (46" is inches), a minus excludes only
// a word of letters (-5 is a number).
func sections(text string) (out []section) {
	rest := 0
	flush := func(to int) {
		if rest < to {
			out = append(out, section{text: text[rest:to], at: rest})
		}
	}
	for i := 0; i < len(text); i++ {
		if i > 0 && text[i-1] != ' ' {
			continue
		}
		switch text[i] {
		case '"':
			n := strings.IndexByte(text[i+1:], '"')
			if n <= 0 {
				continue
			}
			flush(i)
			out = append(out, section{text: text[i+1 : i+1+n], at: i + 1, isPhrase: true})
			rest = i + n + 2
			i = rest - 1
		case '-':
			if r, _ := utf8.DecodeRuneInString(text[i+1:]); !unicode.IsLetter(r) {
				continue
			}
			n := strings.IndexByte(text[i:], ' ')
			if n < 0 {
				n = len(text) - i
			}
			flush(i)
			out = append(out, section{text: text[i+1 : i+n], at: i + 1, isLeft: true})
			rest = i + n
			i = rest - 1
		}
	}
	flush(len(text))
	return out
}

// cut shortens a text to so many bytes, at the end of a letter.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
