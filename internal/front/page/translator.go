package page

import (
	"context"
	"embed"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/texts"
)

//go:embed words
var wordFiles embed.FS

// translator is how a page speaks: the words and the forms of numbers and dates of a language, and the clock of the
// company.
type translator struct {
	lang    string
	words   map[string]string
	digits  func(currency string) int
	zone    *time.Location
	decimal byte
	shut    func(address string, post bool) bool // what the reader may not open; nil is nothing
}

// translators are the languages there are.
func translators(more texts.Table, digits func(string) int) (map[string]*translator, error) {
	own, err := texts.Read(wordFiles, "words")
	if err != nil {
		return nil, err
	}
	out := map[string]*translator{"en": {lang: "en", decimal: '.'}, "sv": {lang: "sv", decimal: ','}}
	for lang, t := range out {
		t.words, t.digits, t.zone = map[string]string{}, digits, time.UTC
		maps.Copy(t.words, own[lang])
		maps.Copy(t.words, more[lang])
	}
	return out, nil
}

// in is the translator with a company's clock.
func (t translator) in(zone *time.Location) *translator {
	if zone != nil {
		t.zone = zone
	}
	return &t
}

func (t *translator) say(english string, args ...any) string {
	s, ok := t.words[english]
	if !ok {
		s = english
	}
	if len(args) == 0 {
		return s
	}
	said := texts.Fill(t.lang, s, args...)
	if strings.HasSuffix(s, ".") {
		return fault.Ended(said) // of Acme Inc. as well
	}
	return said
}

// who is an actor, with the program that acted for them: people and keys by their names, visitors and what the house
// does by itself in the reader's words. Where only a name was kept, it is a name.
func (t *translator) who(a db.Actor) string {
	name := a.Name
	store, isVisitor := strings.CutPrefix(name, "visitor of ")
	switch {
	case isVisitor:
		name = t.say("visitor of %s", store)
	case a.Kind == "visitor" || a.Kind == "link":
		name = t.say(name)
	case a.Kind == "system":
		name = t.say(Words(name))
	}
	if a.Client != "" {
		name += " (" + a.Client + ")"
	}
	return name
}

// group puts thin spaces or commas between thousands, after the language's fashion.
func (t *translator) group(plain string) string {
	neg := strings.HasPrefix(plain, "-")
	whole, part, has := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	sep := ","
	if t.lang == "sv" {
		sep = "\u00a0"
	}
	var b strings.Builder
	if neg {
		b.WriteString("\u2212")
	}
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(sep)
		}
		b.WriteByte(whole[i])
	}
	if has {
		b.WriteByte(t.decimal)
		b.WriteString(part)
	}
	return b.String()
}

func (t *translator) number(d dec.Dec) string { return t.group(d.String()) }

func (t *translator) money(d dec.Dec, currency string) string {
	return t.group(d.Fixed(t.digits(currency)))
}

// typed is a number as it stands in a field.
func (t *translator) typed(d dec.Dec) string {
	return strings.Replace(d.String(), ".", string(t.decimal), 1)
}

// parse reads a number as people type it: with a comma or a point before the decimals, with or without spaces between
// the thousands, with a minus of any kind.
func (t *translator) parse(text string) (dec.Dec, error) {
	clean := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return -1
		case r == '\u2212' || r == '\u2013':
			return '-'
		}
		return r
	}, text)
	if misgrouped(clean) {
		return 0, dec.ErrSyntax
	}
	switch commas, points := strings.Count(clean, ","), strings.Count(clean, "."); {
	case commas == 1 && points == 0:
		// 1,234 is a thousand and more in English, and one and a bit in Swedish.
		if t.lang == "en" && len(clean)-strings.IndexByte(clean, ',') == 4 && !strings.HasPrefix(clean, "0,") {
			clean = strings.Replace(clean, ",", "", 1)
		} else {
			clean = strings.Replace(clean, ",", ".", 1)
		}
	case commas > 1 && points == 0, commas > 0 && points == 1 && strings.LastIndexByte(clean,
		',') < strings.IndexByte(clean, '.'):
		clean = strings.ReplaceAll(clean, ",", "")
	case points > 0 && commas == 1:
		clean = strings.Replace(strings.ReplaceAll(clean, ".", ""), ",", ".", 1)
	}
	return dec.Parse(clean)
}

// misgrouped reports whether the commas or points of a number that has several part it into other than thousands: such
// a list of numbers, or slip of the finger, is no number.
func misgrouped(clean string) bool {
	whole := strings.TrimPrefix(clean, "-")
	marks := strings.Map(func(r rune) rune {
		if r == ',' || r == '.' {
			return r
		}
		return -1
	}, whole)
	if len(marks) < 2 {
		return false
	}
	grouping := marks[:1]
	if marks != strings.Repeat(grouping, len(marks)) { // the last mark is the decimals'
		whole = whole[:strings.LastIndexAny(whole, ",.")]
	}
	for i, group := range strings.Split(whole, grouping) {
		if len(group) != 3 && (i > 0 || len(group) == 0 || len(group) > 3) {
			return true
		}
	}
	return false
}

func (t *translator) date(d day.Date) string {
	if d == "" || t.lang == "sv" {
		return string(d)
	}
	return d.Time().Format("2 Jan 2006")
}

func (t *translator) moment(at time.Time) string {
	at = at.In(t.zone)
	if t.lang == "sv" {
		return at.Format("2006-01-02 15:04")
	}
	return at.Format("2 Jan 2006 15:04")
}

// cell is a value ready to be shown.
type cell struct {
	Text, Unit, Href, Class, Title string
	Post, Copied                   bool
	List                           []cell
}

// figure is a number with its unit, as the reader's language writes it.
func (t *translator) figure(v Value) (text, unit string) {
	text, unit = t.exactly(v)
	return t.orMore(v.number, text), unit
}

// orMore says of a figure that ends at dec.Cap that it goes on.
func (t *translator) orMore(d dec.Dec, text string) string {
	switch {
	case d >= dec.Cap:
		return t.say("over %s", text)
	case d <= -dec.Cap:
		return t.say("below %s", text)
	}
	return text
}

func (t *translator) exactly(v Value) (text, unit string) {
	switch v.kind {
	case moneyValue:
		number := v.number
		if v.rounded {
			places := t.digits(v.currency)
			if v.each && number.Abs() < dec.One {
				places = min(places+2, 6)
			}
			number = number.Round(places)
		}
		return t.money(number, v.currency), v.currency
	case percentValue:
		return t.number(v.number) + "\u00a0%", ""
	case countValue:
		return t.group(strconv.FormatInt(v.count, 10)), ""
	default:
		return t.number(v.number), v.currency
	}
}

func (t *translator) cell(v Value) cell {
	c := cell{Text: v.text, Href: v.href}
	classes := make([]string, 0, 3)
	switch v.kind {
	case textValue:
		if staysWhole(v.text) {
			classes = append(classes, "short")
		}
	case copiedValue:
		c.Copied = true
	case wordValue:
		c.Text = t.say(v.text)
	case moneyValue, numberValue, countValue, percentValue:
		c.Text, c.Unit = t.figure(v)
		classes = append(classes, "num")
	case dayValue:
		c.Text = t.date(day.Date(v.text))
		classes = append(classes, "date")
	case timeValue:
		c.Text = ""
		if v.at != 0 {
			c.Text = t.moment(v.at.Time())
		}
		classes = append(classes, "date", "moment")
	case badgeValue:
		c.Text = t.say(v.text)
		classes = append(classes, "badge")
	case postValue:
		c.Text, c.Post = t.say(v.text), true
	case listValue:
		for _, x := range v.list {
			if one := t.cell(x); x.kind != postValue || one.Post { // what the reader may not press is left out
				c.List = append(c.List, one)
			}
		}
	}
	if v.tone != "" {
		classes = append(classes, "tone-"+string(v.tone))
	}
	if v.strong {
		classes = append(classes, "strong")
	}
	c.Class = strings.Join(classes, " ")
	return t.leading(c)
}

// leading is a cell that leads only where the reader may go, and nowhere where nobody could see that it does.
func (t *translator) leading(c cell) cell {
	switch {
	case c.Text == "" && len(c.List) == 0:
		c.Href = ""
	case c.Href != "" && t.shut != nil && t.shut(c.Href, c.Post):
		if c.Post {
			return cell{}
		}
		c.Href = ""
	}
	return c
}

// staysWhole reports whether text is a number, a code or a short name that could be broken at the end of a line, and
// had better not.
func staysWhole(text string) bool {
	return len(text) <= 24 && strings.Contains(text, "-") && !strings.Contains(text, " ") || len(text) <= 12 &&
		strings.Contains(text, " ")
}

// languageCookie keeps the language that somebody chose before they signed in.
const languageCookie = "kontor_language"

// Language is the language of an answer: the one chosen, else what the browser asks for, else English.
func (s *Site) Language(r *http.Request) string {
	if lang, ok := r.Context().Value(chosenLanguage{}).(string); ok && s.tongues[lang] != nil {
		return lang
	}
	if c, err := r.Cookie(languageCookie); err == nil && s.tongues[c.Value] != nil {
		return c.Value
	}
	best, weight := "en", 0.0
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		base, _, _ := strings.Cut(strings.ToLower(tag), "-")
		w := 1.0
		if v, ok := strings.CutPrefix(strings.TrimSpace(q), "q="); ok {
			w, _ = strconv.ParseFloat(v, 64)
		}
		if s.tongues[base] != nil && w > weight {
			best, weight = base, w
		}
	}
	return best
}

// chosenLanguage is the language that who asks has chosen for good, in the context of a request.
type chosenLanguage struct{}

// speaks is a request of somebody who has chosen a language for good, or none.
func speaks(r *http.Request, lang string) *http.Request {
	if lang == "" {
		return r
	}
	return r.WithContext(context.WithValue(r.Context(), chosenLanguage{}, lang))
}

// ChooseLanguage keeps the language that somebody chose, for a year.
func (s *Site) ChooseLanguage(w http.ResponseWriter, r *http.Request, lang string) {
	s.remember(w, r, languageCookie, url.QueryEscape(lang), 365*24*3600)
}

// plainText reports whether text can be a key: valid, and without control characters.
func plainText(s string) bool {
	for _, r := range s {
		if r == unicode.ReplacementChar || unicode.IsControl(r) {
			return false
		}
	}
	return true
}
