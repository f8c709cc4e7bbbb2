package page

import (
	"strconv"
	"strings"
	"time"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// Field is one field of a form, bound to where its value lives: it shows what is there and writes what was typed. Its
// name is the path that refusals of the verbs name, so that a refusal stands at its field.
type Field struct {
	Name, Label string

	kind        string // the template's word
	input       string // type of an input
	mode        string // inputmode
	show        func(t *translator) string
	read        func(t *translator, text string) string // what is wrong with it, in English; "" = nothing
	chosen      func() []string
	choose      func([]string) string
	options     []Option
	suggestions []Option
	lookup      string
	beside      string   // a Lookup page
	of          string   // the field of the same row that it is asked about
	asks        []string // fields of the form that it is told too
	hint        string
	hintArgs    []any
	auto        string
	also        []string
	required    bool
	fixed       bool
	settled     bool // fixed since it was first written
	wide        bool
	narrow      bool
	max         int
	low, high   int     // of a number; both 0: no bounds
	fields      []Field // of a group
	stacked     bool
	picture     bool
	lines       lines
	begins      []Link
	offering    string
	upload      *Upload
	scan        *scanning
	focus       bool
	noSpare     bool // no blank rows below the lines
	closed      bool // no rows are added
	several     bool // holds a list: a refusal of one of its elements is about this field
}

// Upload is a file that was sent with a form.
type Upload struct {
	Name  string
	Bytes []byte
}

// lines are the rows of a Lines field.
type lines interface {
	count() int
	at(i int) []Field // of a row that is there
	blank() []Field   // of a row that is not
	grow(n int)       // makes so many rows
}

// limits of text, as the contract has them.
const (
	maxCode = 50
	maxName = 200
	maxNote = 4000
)

func input(name, label, kind string) Field {
	return Field{Name: name, Label: label, kind: "input", input: kind, max: maxName}
}

// Text is a line of text.
func Text[S ~string](name, label string, to *S) Field {
	f := input(name, label, "text")
	f.show = func(*translator) string { return string(*to) }
	f.read = func(_ *translator, text string) string { *to = S(text); return "" }
	return f
}

// Code is a short text: a number or a code.
func Code[S ~string](name, label string, to *S) Field {
	f := Text(name, label, to)
	f.max, f.narrow = maxCode, true
	return f
}

// Prose is text of several lines.
func Prose[S ~string](name, label string, to *S) Field {
	f := Text(name, label, to)
	f.kind, f.max, f.wide = "area", maxNote, true
	return f
}

// Email is an address of electronic mail.
func Email(name, label string, to *string) Field {
	f := Text(name, label, to)
	f.input, f.mode = "email", "email"
	return f
}

// Password is text that is not shown.
func Password(name, label string, to *string) Field {
	f := Text(name, label, to)
	f.input, f.max = "password", 1000
	f.show = func(*translator) string { return "" }
	return f
}

// typed is a field of a value that is written as text, and empty where it is the zero value: parse reads it, and wrong
// is what is said of a text that is none.
func typed[V comparable](f Field, to *V, show func(t *translator, v V) string,
	parse func(t *translator, text string) (V, error), wrong string) Field {
	f.narrow = true
	f.show = func(t *translator) string {
		if *to == *new(V) {
			return ""
		}
		return show(t, *to)
	}
	f.read = func(t *translator, text string) string {
		var v V
		if text != "" {
			var err error
			if v, err = parse(t, text); err != nil {
				return wrong
			}
		}
		*to = v
		return ""
	}
	return f
}

// maybe is a field of a value that may be missing, which of makes for one that is there.
func maybe[V any](to **V, of func(to *V) Field) Field {
	f := of(new(V))
	f.show = func(t *translator) string {
		if *to == nil {
			return ""
		}
		return of(*to).show(t)
	}
	f.read = func(t *translator, text string) string {
		if text == "" {
			*to = nil
			return ""
		}
		v := new(V)
		wrong := of(v).read(t, text)
		if wrong == "" {
			*to = v
		}
		return wrong
	}
	return f
}

// Date is a day, "" for none.
func Date(name, label string, to *day.Date) Field {
	return typed(input(name, label, "date"), to, func(_ *translator, d day.Date) string { return string(d) },
		func(_ *translator, text string) (day.Date, error) { return day.Parse(text) }, "is no date such as 2026-03-31")
}

// Moment is a point in time, by the company's clock, to the minute.
func Moment(name, label string, to *db.Time) Field {
	const form = "2006-01-02T15:04"
	return typed(input(name, label, "datetime-local"), to,
		func(t *translator, at db.Time) string { return at.Time().In(t.zone).Format(form) },
		func(t *translator, text string) (db.Time, error) {
			at, err := time.ParseInLocation(form, text[:min(len(text), len(form))], t.zone)
			return db.TimeOf(at), err
		}, "is no date and time")
}

// noDecimal is said of what is no decimal number.
const noDecimal = "is no number of at most 12 digits before and 6 after the decimal sign"

// Decimal is a number; empty is 0.
func Decimal(name, label string, to *dec.Dec) Field {
	f := typed(input(name, label, "text"), to, (*translator).typed, (*translator).parse, noDecimal)
	f.mode, f.max = "decimal", 40
	return f
}

// Maybe is a number that may be missing.
func Maybe(name, label string, to **dec.Dec) Field {
	return maybe(to, func(to *dec.Dec) Field {
		f := Decimal(name, label, to)
		f.show = func(t *translator) string { return t.typed(*to) }
		return f
	})
}

// Number is a whole number.
func Number[N ~int | ~int64](name, label string, to *N) Field {
	f := typed(input(name, label, "text"), to, nil, func(_ *translator, text string) (N, error) {
		n, err := strconv.ParseInt(strings.ReplaceAll(text, " ", ""), 10, 64)
		if err == nil && (int64(N(n)) != n || !dec.InRange(func() { dec.Int(n) })) {
			err = strconv.ErrRange
		}
		return N(n), err
	}, "is no whole number of at most 12 digits")
	f.mode, f.max = "numeric", 20
	f.show = func(*translator) string { return strconv.FormatInt(int64(*to), 10) }
	return f
}

// Mark is a whole number that goes along with a row and is not seen; a row that somebody adds has none.
func Mark(name string, to *int) Field {
	f := Number(name, "", to)
	f.kind, f.input = "hidden", "hidden"
	f.show = func(*translator) string {
		if *to == 0 {
			return ""
		}
		return strconv.Itoa(*to)
	}
	return f
}

// MaybeNumber is a whole number that may be missing.
func MaybeNumber(name, label string, to **int) Field {
	return maybe(to, func(to *int) Field { return Number(name, label, to) })
}

// Check is a box to tick.
func Check(name, label string, to *bool) Field {
	f := Field{Name: name, Label: label, kind: "check", narrow: true}
	f.show = func(*translator) string {
		if *to {
			return "on"
		}
		return ""
	}
	f.read = func(_ *translator, text string) string { *to = text != ""; return "" }
	return f
}

// Select is one of a list of choices. A field that is not required has an empty one besides; what is stored and no
// longer a choice is kept as one. Of choices that are searched any is taken: the verb knows what there is.
func Select[S ~string](name, label string, to *S, options []Option) Field {
	if path := searched(options); path != "" {
		return Code(name, label, to).Lookup(path)
	}
	f := Text(name, label, to)
	f.kind, f.options, f.max = "select", options, maxName
	return f
}

// OneOf is Select of a type's values.
func OneOf[S interface {
	~string
	Values() []S
}](name, label string, to *S) Field {
	return Select(name, label, to, Options((*to).Values()))
}

// Radio is Select with every choice in sight.
func Radio[S ~string](name, label string, to *S, options []Option) Field {
	f := Select(name, label, to, options)
	f.kind = "radio"
	return f
}

// Checks are any number of choices, a row for each where they are searched.
func Checks(name, label string, to *[]string, options []Option) Field {
	if path := searched(options); path != "" {
		return Lines(name, label, to, func(value *string) []Field {
			return []Field{Code("code", label, value).Lookup(path)}
		})
	}
	f := Field{Name: name, Label: label, kind: "checks", options: options, wide: true, several: true}
	f.chosen = func() []string { return *to }
	f.choose = func(values []string) string { *to = values; return "" }
	return f
}

// Items are any number of words, a line for each.
func Items(name, label string, to *[]string) Field {
	f := Field{Name: name, Label: label, kind: "area", max: maxNote, wide: true, several: true}
	f.show = func(*translator) string { return strings.Join(*to, "\n") }
	f.read = func(_ *translator, text string) string {
		*to = nil
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				*to = append(*to, line)
			}
		}
		return ""
	}
	return f
}

// File is a file to send.
func File(name, label string, to *Upload) Field {
	return Field{Name: name, Label: label, kind: "file", upload: to, wide: true}
}

// Group are fields under a heading.
func Group(label string, fields ...Field) Field {
	return Field{Label: label, kind: "group", fields: fields}
}

// Lines are rows of the same fields; a row left blank is none.
func Lines[L any](name, label string, to *[]L, row func(l *L) []Field) Field {
	return Field{Name: name, Label: label, kind: "lines", wide: true, lines: rows[L]{to, row}}
}

type rows[L any] struct {
	to  *[]L
	row func(*L) []Field
}

func (r rows[L]) count() int       { return len(*r.to) }
func (r rows[L]) at(i int) []Field { return r.row(&(*r.to)[i]) }
func (r rows[L]) blank() []Field   { return r.row(new(L)) }
func (r rows[L]) grow(n int) {
	out := make([]L, n)
	copy(out, *r.to)
	*r.to = out
}

// NoSpare are lines below which no blank rows stand; a button adds some.
func (f Field) NoSpare() Field { f.noSpare = true; return f }

// Closed are lines to which nobody adds rows.
func (f Field) Closed() Field { f.closed, f.noSpare = true, true; return f }

// Required is a field that must not be left empty.
func (f Field) Required() Field { f.required = true; return f }

// Offer puts links below the field that open the form with something else in it, after a word that says so. They work
// by keyboard and without scripts.
func (f Field) Offer(english string, links []Link) Field {
	f.offering, f.begins = english, links
	return f
}

// Hint is a sentence below the field.
func (f Field) Hint(english string, args ...any) Field {
	f.hint, f.hintArgs = english, args
	return f
}

// Max is how many characters the field takes, and how many rows where it has rows.
func (f Field) Max(n int) Field { f.max = n; return f }

// Between are the least and the greatest that a whole number may be, where one is given.
func (f Field) Between(low, high int) Field { f.low, f.high = low, high; return f }

// Stacked are rows whose fields stand below each other, for rows of many fields.
func (f Field) Stacked() Field { f.stacked = true; return f }

// Picture is the address of a picture, which is shown beside it. What Lookup finds are pictures to choose from.
func (f Field) Picture() Field { f.picture = true; return f }

// Named is a field whose value somebody may type by another name, in his language: of answers what it is, or the text
// itself where that is no name.
func (f Field) Named(of func(language, text string) string) Field {
	read := f.read
	f.read = func(t *translator, text string) string { return read(t, of(t.lang, text)) }
	return f
}

// Suggest offers values without insisting on them.
func (f Field) Suggest(options []Option) Field {
	if path := searched(options); path != "" {
		return f.Lookup(path)
	}
	f.suggestions = options
	return f
}

// Lookup offers what a Lookup page finds while somebody types.
func (f Field) Lookup(path string) Field { f.lookup = path; return f }

// Beside shows below the field what a Lookup page says of another one of the same row or form, and of the form's fields
// that are named.
func (f Field) Beside(path, of string, fields ...string) Field {
	f.beside, f.of, f.asks = path, of, fields
	return f
}

// Wide is a field that takes the form's whole width.
func (f Field) Wide() Field { f.wide = true; return f }

// Fixed is a field that is shown and not written.
func (f Field) Fixed() Field { f.fixed = true; return f }

// FixedIf is Fixed on a condition, such as a number that stays once it is given: how it is written is no hint then.
func (f Field) FixedIf(yes bool) Field { f.fixed, f.settled = yes, yes; return f }

// Auto says what the field is for, as browsers fill it (autocomplete).
func (f Field) Auto(what string) Field { f.auto = what; return f }

// At names further paths of refusals that mean this field.
func (f Field) At(paths ...string) Field { f.also = append(f.also, paths...); return f }
