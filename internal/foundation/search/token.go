package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"
)

// token is a word at a place of a text.
type token struct {
	text string // folded: what is indexed
	stem string // folded stem, the group of words it belongs to; "" for codes and numbers
	bare string // the stem of the folded word where it is another: words typed without marks
	// also are other ways to say the same place: the number of a quantity, the parts of 20x30.
	also []string
	// joined is this and the following tokens written together, where the text connects them: dscw120 of DSC-W120.
	joined     []joint
	start, end int // bytes of the source
	stop       bool
}

// joint is a token and those after it in one word.
type joint struct {
	text   string
	tokens int
}

// isCode reports whether a word has digits: model numbers, sizes. They are not stemmed, split or guessed.
func isCode(s string) bool { return strings.ContainsAny(s, "0123456789") }

// longestWord is where a word ends in any case, in bytes: beyond it is no word that anyone types.
const longestWord = 64

// analyser turns text into tokens. It remembers stems and serves one goroutine at a time.
type analyser struct {
	lang  *language
	env   *snowballstem.Env
	stems map[string]stemmed
	runs  []run
	marks []token // room for the tokens of a text that is marked
}

type stemmed struct{ text, stem, bare string }

// rememberedStems is how many stems an analyser may know that is used again.
const rememberedStems = 5_000

// analyser is one that nobody else uses. Who is done with it may release it.
func (l *language) analyser() *analyser {
	if a, ok := l.analysers.Get().(*analyser); ok {
		return a
	}
	return &analyser{lang: l, env: snowballstem.NewEnv(""), stems: map[string]stemmed{}}
}

func (a *analyser) release() {
	if len(a.stems) <= rememberedStems {
		a.lang.analysers.Put(a)
	}
}

// tokens appends the tokens of a text.
func (a *analyser) tokens(out []token, text string) []token {
	a.runs = runsOf(a.runs[:0], text)
	for i := 0; i < len(a.runs); {
		t, n := a.token(a.runs[i:])
		last := a.runs[i+n-1]
		t.start, t.end = a.runs[i].start, last.end
		out = append(out, t)
		for j := i; j < i+n; j++ { // a connector stands before the first run of a token
			a.runs[j].place = len(out) - 1
		}
		i += n
	}
	a.join(out)
	return out
}

// token reads one token and tells how many runs it took.
func (a *analyser) token(runs []run) (token, int) {
	if t, n := dimension(runs); n > 0 {
		return t, n
	}
	if t, n := quantity(runs); n > 0 {
		return t, n
	}
	t := a.word(runs[0]).token()
	t.stop = a.lang.stop[t.text]
	return t, 1
}

func (s stemmed) token() token { return token{text: s.text, stem: s.stem, bare: s.bare} }

// word folds and stems one word.
func (a *analyser) word(r run) stemmed {
	if s, ok := a.stems[r.text]; ok {
		return s
	}
	r.text = strings.Clone(r.text) // what is remembered must not keep the whole source
	s := stemmed{text: fold(r.text)}
	if r.kind == letters && a.lang.stem != nil {
		s.stem = a.stemOf(r.text)
		if bare := a.stemOf(s.text); bare != s.stem {
			s.bare = bare
		}
	} else if r.kind == letters {
		s.stem = s.text
	}
	a.stems[r.text] = s
	return s
}

// join gives tokens that the text connects (DSC-W120, wi-fi, LN/46) their joined words, of two to four tokens.
func (a *analyser) join(out []token) {
	for i := 0; i < len(a.runs); i++ {
		if i > 0 && a.runs[i].place == a.runs[i-1].place {
			continue
		}
		at := a.runs[i].place
		text := out[at].text
		for n, j := 1, i+1; j < len(a.runs) && n < 4; j++ {
			if a.runs[j].place == a.runs[j-1].place {
				continue
			}
			c := a.runs[j].before
			if c == 0 || len(text)+len(out[a.runs[j].place].text) > longestWord {
				break
			}
			text += out[a.runs[j].place].text
			n++
			if c != '-' && !isCode(text) { // black/white is two words; black-white may be one
				break
			}
			out[at].joined = append(out[at].joined, joint{text, n})
		}
	}
}

// compact is text without anything but letters and digits, folded: how numbers are compared.
func compact(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, fold(s))
}

type kind uint8

const (
	letters kind = iota
	digits       // with at most one decimal point
	mixed
)

// run is letters and digits without a break.
type run struct {
	text       string // small letters, composed
	start, end int
	kind       kind
	before     byte // the connector that ties it to the run before; 0 = none
	after      byte // ' or " behind a number
	place      int  // the token it became part of
}

// runsOf cuts text into runs.
func runsOf(out []run, text string) []run {
	connector := byte(0)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '×' {
			out = append(out, run{text: "x", start: i, end: i + size})
			i += size
			continue
		}
		if !isWordRune(r) {
			connector = 0
			if len(out) > 0 && out[len(out)-1].end == i {
				connector = tie(r)
				out[len(out)-1].after = quoteOf(r)
			}
			i += size
			continue
		}
		n := runLength(text[i:])
		next := run{start: i, end: i + n, before: connector}
		next.text, next.kind = lower(text[i : i+n])
		if !isBlank(next.text) {
			out = append(out, next)
		}
		i += n
		connector = 0
	}
	return out
}

// isBlank reports whether nothing is left of a run when its marks are taken away.
func isBlank(s string) bool { return !isPlain(s) && strings.TrimSpace(fold(s)) == "" }

// tie is the connector that a rune is when it stands directly between two runs.
func tie(r rune) byte {
	switch r {
	case '-', '/', '.', '_', '&', '+':
		return byte(r)
	case '‐', '‑', '–': // hyphens of typesetters
		return '-'
	}
	return 0
}

// quoteOf is the sign for inches or feet that a rune is behind a number.
func quoteOf(r rune) byte {
	switch r {
	case '"', '”', '″':
		return '"'
	case '\'', '’', '′':
		return '\''
	}
	return 0
}

func isWordRune(r rune) bool {
	if r < 0x80 {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.M, r))
}

// runLength is how many bytes of the text belong to its first run. A point or comma between digits belongs to it, once;
// an apostrophe between letters does.
func runLength(s string) int {
	number, point := true, false
	var before rune
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case isWordRune(r):
			if i+size > longestWord && i > 0 {
				return i
			}
			number = number && isDigit(r)
		case !isInside(r, before, s[i+size:], number, point):
			return i
		default:
			point = point || r == '.' || r == ','
		}
		before = r
		i += size
	}
	return len(s)
}

// isInside reports whether a sign stands inside a number (7.2) or a word (men's).
func isInside(r, before rune, rest string, number, point bool) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	switch r {
	case '.', ',':
		return number && !point && isDigit(before) && isDigit(next)
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(next)
	}
	return false
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// lower is the run's text in small composed letters, a comma in a number as a point or, before three digits, as
// nothing.
func lower(s string) (string, kind) {
	k, hasDigit, hasOther, clean := digits, false, false, true
	for _, r := range s {
		switch {
		case isDigit(r):
			hasDigit = true
		case r == '.' || r == ',':
			clean = false
		default:
			hasOther = true
			clean = clean && r >= 'a' && r <= 'z'
		}
	}
	switch {
	case hasOther && hasDigit:
		k = mixed
	case hasOther:
		k = letters
	}
	if clean {
		return s, k
	}
	if whole, after, ok := strings.Cut(s, ","); ok && k == digits {
		if len(after) == 3 {
			return whole + after, k
		}
		return whole + "." + after, k
	}
	s = strings.Map(func(r rune) rune {
		if r == '\'' || r == '’' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
	if !isPlain(s) {
		s = norm.NFC.String(s)
	}
	return s, k
}

// quantity reads a number with its unit: 12v, "12 v", 12-volt, 46".
func quantity(runs []run) (token, int) {
	r := runs[0]
	number, name := splitNumber(r.text)
	switch {
	case number == "":
		return token{}, 0
	case name != "":
		if u, ok := units[fold(name)]; ok {
			return measured(number, u), 1
		}
		return token{}, 0
	case r.after == '"':
		return measured(number, unit{canonical: "in"}), 1
	case r.after == '\'':
		return measured(number, unit{canonical: "ft"}), 1
	}
	if len(runs) > 1 && runs[1].kind == letters && runs[1].start-r.end == 1 &&
		(runs[1].before == '-' || runs[1].before == 0) {
		if u, ok := units[fold(runs[1].text)]; ok && u.apart {
			return measured(number, u), 2
		}
	}
	return token{}, 0
}

func measured(number string, u unit) token {
	return token{text: number + u.canonical, also: []string{number}}
}

// splitNumber cuts a run into the number it begins with and the rest. A rest with digits in it is a code: no number.
func splitNumber(s string) (number, rest string) {
	i := 0
	for i < len(s) && (isDigit(rune(s[i])) || s[i] == '.') {
		i++
	}
	if isCode(s[i:]) {
		return "", ""
	}
	return s[:i], s[i:]
}

// dimension reads sizes such as 20x30, "20 x 30", 20×30x40 cm; their unit is left out.
func dimension(runs []run) (token, int) {
	var parts []string
	used := 1
	switch runs[0].kind {
	case mixed:
		parts = strings.Split(runs[0].text, "x")
		for i, p := range parts {
			number, rest := splitNumber(p)
			if _, ok := units[rest]; rest != "" && (!ok || i < len(parts)-1) {
				return token{}, 0
			}
			if parts[i] = number; number == "" {
				return token{}, 0
			}
		}
	case digits:
		parts = []string{runs[0].text}
		for len(runs) > used+1 && runs[used].text == "x" && runs[used+1].kind == digits {
			parts = append(parts, runs[used+1].text)
			used += 2
		}
	}
	if len(parts) < 2 {
		return token{}, 0
	}
	if len(runs) > used && used > 1 {
		if _, ok := units[runs[used].text]; ok {
			used++
		}
	}
	return token{text: strings.Join(parts, "x"), also: parts}, used
}
