package page

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/texts"
)

// refusal is what was refused, in the person's language. Programs are told in English; the tables of words have the
// same sentences by their pattern, as the room that refuses writes it, and the translation may name what stands in it
// by its place (%[2]s), or not at all. A sentence that no table has stays English, but for a sentence in it that one
// has.
func (t *translator) refusal(s fault.Said) string {
	pattern, ok := t.words[s.Format]
	switch {
	case s.Format == "" || !ok && !slices.ContainsFunc(s.Args, isSentence):
		return s.String()
	case !ok:
		pattern = s.Format
	}
	if !strings.Contains(pattern, "%") {
		return pattern // it names nothing of what stands in it
	}
	args := each.Of(s.Args, t.named)
	return texts.Fill(t.lang, pattern, args...)
}

func isSentence(a any) bool {
	switch a.(type) {
	case fault.Said, fault.All:
		return true
	}
	return false
}

// Refusal is what was refused, as a sentence in the person's language, for pages that show it among other things.
func (c *Ctx) Refusal(err error) string { return sentence(c.speak.refusal(fault.As(err).Said())) }

// Refused is one of the things that are wrong, as a sentence in the person's language.
func (c *Ctx) Refused(s fault.Said) string { return sentence(c.speak.refusal(s)) }

// named is what a refusal names, as people read it: a status in their words, a number in their way of writing it.
func (t *translator) named(a any) any {
	switch a := a.(type) {
	case fault.Said:
		return t.refusal(a)
	case dec.Dec:
		return t.typed(a)
	case *dec.Dec:
		if a != nil {
			return t.typed(*a)
		}
	case day.Date:
		return t.date(a)
	case db.Time:
		return t.moment(a.Time())
	case bool:
		return t.logged(a)
	case fault.All:
		parts := each.Of(a, t.refusal)
		return strings.Join(parts, "; ")
	case string:
		return phrase{a, t.words}
	}
	return t.namedWords(a)
}

// namedWords are the words of a list of words, one or several. Where a word means different things to different rooms,
// the tables have it with the name of its type before it.
func (t *translator) namedWords(a any) any {
	v := reflect.ValueOf(a)
	switch {
	case !v.IsValid():
	case v.Kind() == reflect.String:
		return t.enum(v.Type().String(), v.String())
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.String:
		if v.Len() == 0 {
			return phrase{fmt.Sprint(a), t.words}
		}
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = t.enum(v.Type().Elem().String(), v.Index(i).String())
		}
		return strings.Join(parts, ", ")
	}
	return a
}

// enum is a word of a list of words in the language; codes and texts that the tables do not have stay as they are.
// Where words stand together in one, as in PartiallyReceived, they are parted.
func (t *translator) enum(kind, word string) string {
	for _, key := range []string{kind + " " + word, word, Words(word)} {
		if s, ok := t.words[key]; ok {
			return s
		}
	}
	if word == "" || !unicode.IsUpper(rune(word[0])) ||
		strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return word
	}
	return Words(word)
}

// phrase is a text in a refusal: words of ours such as "delivery term", which are translated, or what somebody wrote,
// which is not.
// Ours begin with a small letter and are not quoted.
type phrase struct {
	text  string
	words map[string]string
}

// Format writes the phrase for fmt.
func (p phrase) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprint(f, strconv.Quote(p.text))
		return
	}
	if s, ok := p.words[p.text]; ok && p.text != "" && unicode.IsLower(rune(p.text[0])) {
		fmt.Fprint(f, s)
		return
	}
	fmt.Fprint(f, p.text)
}

// pathWords is the field that a refusal names, for those that no field of the form stands for: lines[2].quantity is
// Lines 3, Quantity.
func (t *translator) pathWords(path string) string {
	parts := strings.Split(path, ".")
	for i, p := range parts {
		word, rest, _ := strings.Cut(p, "[")
		parts[i] = t.say(Words(word))
		if n, err := strconv.Atoi(strings.TrimSuffix(rest, "]")); err == nil {
			parts[i] += " " + strconv.Itoa(n+1)
		}
	}
	return strings.Join(parts, ", ")
}

// Teller says in a language what was refused, for reports that are written before anybody asks for a page.
type Teller struct{ translator *translator }

// Tellers are the languages there are, each with these words besides the pages' own.
func Tellers(words texts.Table, digits func(currency string) int) (map[string]Teller, error) {
	all, err := translators(words, digits)
	out := make(map[string]Teller, len(all))
	for language, t := range all {
		out[language] = Teller{t}
	}
	return out, err
}

// Means is what a word of the language says in English; words that mean several things have several answers.
func (t Teller) Means(word string) (english []string) {
	for e, said := range t.translator.words {
		if strings.EqualFold(said, strings.TrimSpace(word)) {
			english = append(english, e)
		}
	}
	slices.Sort(english)
	return english
}

// Said is a sentence in the language.
func (t Teller) Said(s fault.Said) string { return sentence(t.translator.refusal(s)) }

// Refused is all that is wrong, each thing after the name of its field.
func (t Teller) Refused(f *fault.Fault) string {
	if len(f.Fields) == 0 {
		return t.Said(f.Said())
	}
	parts := each.Of(f.Fields,
		func(field fault.Field) string {
			return t.translator.pathWords(field.Path) + ": " + t.Said(field.Said())
		})
	return strings.Join(parts, " ")
}
