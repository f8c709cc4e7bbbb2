package search

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// How good a word of the index is for a word of the query. Exact stands before another form of the word, that before a
// synonym, then parts of compounds, then words that only begin so, then guesses at typing errors.
const (
	// all that was typed is one number: its words elsewhere, apart from each other, do not come near
	asWhole    float32 = 2
	asTyped    float32 = 1
	asForm     float32 = 0.92
	asSynonym  float32 = 0.85
	asSplit    float32 = 0.8
	asPrefix   float32 = 0.65
	asEnding   float32 = 0.6
	asNumber   float32 = 0.5 // 12 for 12v
	asShorter  float32 = 0.55
	asOneError float32 = 0.5
	asTwoError float32 = 0.35
)

const (
	shortestPrefix   = 2
	shortBeginning   = 3
	shortestEnding   = 4
	shortestHalf     = 3
	shortestCompound = 7
	shortestCode     = 4
)

// wanted is one word to look for, with all the words of the index that serve for it.
type wanted struct {
	text    string
	stems   []string
	also    []string // serve as asNumber
	prefix  bool
	least   byte // the impact below which a document is passed over
	ending  bool
	closing []string // stems that those of words end with: of the last part of a compound, however it is bent
	guesses []guess
	shorter []string
	quality float32
}

// form is one way to express a range of concepts: all its words must occur.
type form struct {
	from, to int
	words    []wanted
	quality  float32
	// direct forms are what was asked for; only they count for how rare a concept is.
	direct bool
}

// expansion is a query with all the forms of its concepts.
type expansion struct {
	query
	forms     []form
	corrected []string // the right word of a concept, "" where it was right
	synonyms  []string
	weights   []float32 // of the concepts, known once all documents were asked
}

// wantedOf is a token as it stands: the word, its other forms, its number.
func wantedOf(t token) wanted {
	w := wanted{text: t.text, also: t.also, quality: 1}
	for _, s := range []string{t.stem, t.bare} {
		if s != "" {
			w.stems = append(w.stems, s)
		}
	}
	return w
}

// way is how a query is searched for.
type way struct {
	isTyping bool // the last word may be unfinished: a short beginning counts only in what documents are called
	isExact  bool
	deadline time.Time // zero = none
}

// isLate reports whether the search is to give up.
func (w way) isLate() bool { return !w.deadline.IsZero() && time.Now().After(w.deadline) }

// expand finds the forms of a query's concepts in the index. While it is being typed, a short beginning is looked for
// in what documents are called and not in their texts, where nearly all have it.
func (s *snapshot) expand(q query, lang *language, lexis *lexicon, w way) *expansion {
	q.concepts = s.respelled(q.concepts, lang)
	e := &expansion{query: q, corrected: make([]string, len(q.concepts))}
	known := make([]bool, len(q.concepts))
	for i, t := range q.concepts {
		typed := wantedOf(t)
		e.forms = append(e.forms, form{i, i + 1, []wanted{typed}, asTyped, true})
		known[i] = s.exists(typed)
	}
	e.join(s, known)
	e.number(s, known)
	for i := range q.concepts {
		for _, syn := range lexis.synonymsAt(q, i) {
			e.synonyms = append(e.synonyms, syn.text)
			for _, to := range syn.to {
				f := form{from: i, to: i + len(syn.keys), quality: asSynonym, direct: true}
				for _, t := range to {
					f.words = append(f.words, wantedOf(t))
				}
				e.forms = append(e.forms, f)
				if s.allExist(f.words) {
					f.mark(known)
				}
			}
		}
	}
	if !w.isExact {
		e.widenAll(s, lang, known, w)
	}
	return e
}

// respelled are words as they are compared where they are written without the letters a keyboard lacks, and the index
// has them only with those: Buecher, haarfoen.
func (s *snapshot) respelled(words []token, lang *language) []token {
	if lang.respelled == nil {
		return words
	}
	a := lang.analyser()
	defer a.release()
	out := slices.Clone(words)
	for i, t := range words {
		if t.stem == "" || s.exists(wantedOf(t)) {
			continue
		}
		w := a.word(run{text: lang.respelled.Replace(t.text)})
		if w.text != t.text && s.exists(wantedOf(w.token())) {
			out[i].text, out[i].stem, out[i].bare = w.text, w.stem, w.bare
		}
	}
	return out
}

// mostFuzzy is how many words of a query that the index does not have are looked for by what resembles them; the others
// are left as they are. Who types more than so many wrong means nothing that could be guessed.
const mostFuzzy = 6

// widenAll adds what serves for the concepts besides the words themselves: for all that the index has, for the word
// that is being typed, and for the first of the others.
func (e *expansion) widenAll(s *snapshot, lang *language, known []bool, w way) {
	unknown := 0
	if last := len(known) - 1; last >= 0 && e.open && !known[last] {
		unknown++
	}
	for i := range e.concepts {
		isOpen := i == len(known)-1 && e.open
		if !known[i] && !isOpen {
			if unknown++; unknown > mostFuzzy {
				continue
			}
		}
		if w.isLate() {
			return
		}
		e.widen(s, lang, i, known, w.isTyping)
	}
}

// mark notes that the index has something for the concepts of a form.
func (f form) mark(known []bool) {
	for i := f.from; i < f.to; i++ {
		known[i] = true
	}
}

// join adds neighbours written together: dsc w120 = dscw120, note book = notebook. The text's own connections come
// first.
func (e *expansion) join(s *snapshot, known []bool) {
	for i := range e.concepts {
		text := e.concepts[i].text
		for n := 2; n <= 4 && i+n <= len(e.concepts) && !e.apart[i+n-1]; n++ {
			text += e.concepts[i+n-1].text
			if len(text) > longestWord {
				break
			}
			w := wanted{text: text, quality: 1}
			isConnected := slices.ContainsFunc(e.concepts[i].joined, func(j joint) bool { return j.text == text })
			if isCode(text) {
				w.prefix = len(text) >= shortestCode+2
			} else if n > 2 && !isConnected {
				continue
			}
			if !s.exists(w) {
				continue
			}
			f := form{i, i + n, []wanted{w}, asTyped, true}
			e.forms = append(e.forms, f)
			f.mark(known)
		}
	}
}

// number adds the number that the whole query is, and those that begin so.
func (e *expansion) number(s *snapshot, known []bool) {
	if e.whole == "" {
		return
	}
	add := func(w wanted, quality float32, direct bool) {
		if w.quality = 1; s.exists(w) {
			f := form{0, len(e.concepts), []wanted{w}, quality, direct}
			e.forms = append(e.forms, f)
			f.mark(known)
		}
	}
	quality := asWhole
	// 77.13 may be just that
	if len(e.concepts) == 1 && isCode(e.concepts[0].text) && strings.ContainsRune(e.concepts[0].text, '.') {
		quality = asSplit
	}
	add(wanted{text: e.whole}, quality, true)
	if len(e.phrases) == 0 && (e.open || len(e.whole) >= shortestCode) {
		add(wanted{text: e.whole, prefix: true}, asPrefix, false)
	}
}

// widen adds what serves for a concept besides the word itself: what begins or ends so, its parts, and, where nothing
// of that is in the index, guesses at what was meant.
func (e *expansion) widen(s *snapshot, lang *language, i int, known []bool, isTyping bool) {
	t := e.concepts[i]
	letters := utf8.RuneCountInString(t.text)
	isLast := i == len(e.concepts)-1 && e.open
	add := func(w wanted, quality float32) {
		if w.quality = 1; s.exists(w) {
			e.forms = append(e.forms, form{i, i + 1, []wanted{w}, quality, false})
			known[i] = true
		}
	}
	direct := known[i]
	if letters >= shortestPrefix && (isLast || isWorthBeginning(t.text, letters, direct)) {
		w := wanted{text: t.text, prefix: true}
		if isTyping && letters <= shortBeginning {
			w.least = impact(fieldWeights[Category].weight)
		}
		add(w, asPrefix)
	}
	if isCode(t.text) && !direct {
		if shorter := shortened(t.text); len(shorter) > 0 {
			add(wanted{shorter: shorter}, asShorter)
		}
	}
	if lang.compounds && letters >= shortestEnding && t.stem != "" {
		add(wanted{text: t.text, ending: true, closing: closing(t)}, asEnding)
	}
	if letters >= shortestCompound && t.stem != "" && (lang.compounds || !direct) {
		if parts := s.split(t.text, lang); parts != nil {
			e.forms = append(e.forms, form{i, i + 1, parts, asSplit, !direct})
			known[i] = true
		}
	}
	if !known[i] {
		e.guess(s, lang, i, isLast)
	}
}

// closing are the stems of a word that are long enough to say what a compound is that ends with them.
func closing(t token) []string {
	return slices.DeleteFunc([]string{t.stem, t.bare}, func(s string) bool {
		return utf8.RuneCountInString(s) < shortestEnding
	})
}

// isWorthBeginning reports whether words that begin with this one serve for it although more was written behind it:
// they do for a code, and where the word itself is in no product.
func isWorthBeginning(text string, letters int, direct bool) bool {
	return !direct && letters > shortestPrefix || isCode(text) && letters >= shortestCode
}

// guess adds the words that a mistyped one may stand for, in any form, as if they had been typed.
func (e *expansion) guess(s *snapshot, lang *language, i int, isLast bool) {
	t := e.concepts[i]
	quality := asOneError
	found := s.guesses(t.text, false)
	if len(found) == 0 && isLast {
		if found = s.guesses(t.text, true); len(found) > 0 {
			quality *= asPrefix
		}
	}
	if len(found) == 0 {
		return
	}
	if found[0].errors > 1 {
		quality *= asTwoError / asOneError
	}
	e.corrected[i] = found[0].text
	w := wanted{guesses: found, quality: 1}
	a := lang.analyser()
	defer a.release()
	for _, g := range found {
		w.stems = append(w.stems, wantedOf(a.word(run{text: g.text}).token()).stems...)
	}
	e.forms = append(e.forms, form{i, i + 1, []wanted{w}, quality, false})
}

// shortened are the beginnings of a code, the longest first: DSC-W120B may be listed as DSC-W120.
func shortened(code string) (out []string) {
	for n := len(code) - 1; n >= max(shortestCode+1, len(code)/2+1); n-- {
		if utf8.RuneStart(code[n]) && isCode(code[:n]) && strings.ContainsFunc(code[:n],
			func(r rune) bool { return !isDigit(r) }) {
			out = append(out, code[:n])
		}
	}
	return out
}

// split cuts a compound into two words of a document, as even as may be: slang and trädgård of trädgårdsslang.
func (s *snapshot) split(word string, lang *language) []wanted {
	var best []wanted
	least := len(word)
	a := lang.analyser()
	defer a.release()
	for i := shortestHalf; i <= len(word)-shortestHalf; i++ {
		if !utf8.RuneStart(word[i]) || abs(len(word)-2*i) >= least {
			continue
		}
		right := wantedOf(a.word(run{text: word[i:]}).token())
		if !s.exists(right) {
			continue
		}
		for _, link := range lang.links {
			left, ok := strings.CutSuffix(word[:i], link)
			if !ok || utf8.RuneCountInString(left) < shortestHalf {
				continue
			}
			if w := wantedOf(a.word(run{text: left}).token()); s.meet(w, right) {
				best, least = []wanted{w, right}, abs(len(word)-2*i)
				break
			}
		}
	}
	return best
}

func abs(n int) int { return max(n, -n) }

func (s *snapshot) allExist(words []wanted) bool {
	return !slices.ContainsFunc(words, func(w wanted) bool { return !s.exists(w) })
}

// exists reports whether a living document has what is wanted.
func (s *snapshot) exists(w wanted) bool {
	for _, v := range s.views {
		found := false
		w.resolve(v.segment, func(word uint32, _ float32) bool {
			found = v.isAlive(word)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// meet reports whether a living document has both. Words that never meet are no compound's parts, only letters that a
// mistyped word happens to be made of.
func (s *snapshot) meet(a, b wanted) (found bool) {
	for i := range s.views {
		v := &s.views[i]
		first := setOf(v.size())
		v.eachDoc(a, first.add)
		v.eachDoc(b, func(doc uint32) { found = found || first.has(doc) && !v.dead.has(doc) })
	}
	return found
}

// eachDoc calls for every document of a view that has what is wanted.
func (v *view) eachDoc(w wanted, call func(doc uint32)) {
	w.resolve(v.segment, func(word uint32, _ float32) bool {
		v.eachPosting(word, func(doc uint32, _ byte) { call(doc) })
		return true
	})
}

// isAlive reports whether a living document has a word.
func (v *view) isAlive(word uint32) bool {
	if v.dead == nil {
		return true
	}
	doc, step := uint32(0), uint32(0)
	for b := v.postings.at(word); len(b) > 0; b = b[1:] {
		step, b = take(b)
		if doc += step; !v.dead.has(doc) {
			return true
		}
	}
	return false
}

// begun calls for each word of a segment that begins with the text, until the call says no.
func (w wanted) begun(g *segment, call func(word uint32, quality float32) bool) bool {
	for n, to := g.words.under(w.text); n < to; n++ {
		covered := float32(len(w.text)) / float32(len(g.words.at(n)))
		if !call(n, 0.7+0.3*covered) {
			return false
		}
	}
	return true
}

// ended are the words of a segment that end with the text, or of which the stem ends with one of its stems.
func (w wanted) ended(g *segment) []uint32 {
	words := slices.Clone(g.endings.under(g.words, w.text))
	for _, stem := range w.closing {
		for _, s := range g.closings.under(g.stems, stem) {
			g.stemmed.eachRising(s, func(word uint32) { words = append(words, word) })
		}
	}
	return words
}

// resolve calls for each word of a segment that serves, with how good it is, until the call says no.
func (w wanted) resolve(g *segment, call func(word uint32, quality float32) bool) {
	each := func(words []uint32, quality float32) bool {
		for _, n := range words {
			if !call(n, quality) {
				return false
			}
		}
		return true
	}
	one := func(text string, quality float32) bool {
		n, ok := g.words.find(text)
		return !ok || call(n, quality)
	}
	if w.text != "" && !w.ending && !w.prefix && !one(w.text, 1) {
		return
	}
	var members []uint32
	for _, stem := range w.stems {
		members = g.wordsOf(members[:0], stem)
		if !each(members, asForm) {
			return
		}
	}
	for _, s := range w.also {
		if !one(s, asNumber) {
			return
		}
	}
	if w.prefix && !w.begun(g, call) {
		return
	}
	if w.ending && !each(w.ended(g), 1) {
		return
	}
	for _, s := range w.shorter {
		if !one(s, 1) {
			return
		}
	}
	for _, s := range w.guesses {
		if !one(s.text, 1) {
			return
		}
	}
}
