package page

import (
	"strconv"
	"strings"
	"unicode"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/table"
)

// Tone is how a value or a button sounds.
type Tone string

// The tones.
const (
	Plain   Tone = ""
	Primary Tone = "primary"
	Good    Tone = "good"
	Calm    Tone = "calm"
	Warn    Tone = "warn"
	Bad     Tone = "bad"
)

type valueKind int

const (
	textValue valueKind = iota
	wordValue
	moneyValue
	numberValue
	countValue
	percentValue
	dayValue
	timeValue
	badgeValue
	postValue
	listValue
	copiedValue
)

// Value is what stands in a column or beside a label. It is put into words when the page is, in the person's language.
type Value struct {
	kind     valueKind
	text     string
	number   dec.Dec
	count    int64
	currency string
	at       db.Time
	href     string
	tone     Tone
	strong   bool
	rounded  bool
	each     bool
	list     []Value
	called   func(*Ctx) Value
}

// None is no value.
func None() Value { return Value{} }

// T is text as it is.
func T(text string) Value { return Value{text: text} }

// Copied is text that programs read, such as an address: people copy it as it is.
func Copied(text string) Value { return Value{kind: copiedValue, text: text} }

// Word is English text that is translated.
func Word(english string) Value { return Value{kind: wordValue, text: english} }

// To is text that leads somewhere.
func To(text, href string) Value { return Value{text: text, href: href} }

// Called is the value as programs read it, which a table that is saved has, and as the page shows it to people: a code
// by its name, an amount with the currency of the company.
func (v Value) Called(show func(*Ctx) Value) Value { v.called = show; return v }

// Called is a value of a list as a page shows it beside others.
func (c *Ctx) Called(v Value) Value { return v.shown(c) }

// shown is the value as people see it.
func (v Value) shown(c *Ctx) Value {
	if v.called == nil {
		return v
	}
	out := v.called(c)
	if v.href != "" {
		out.href = v.href
	}
	return out
}

// Money is an amount with its currency, "" for none shown.
func Money(d dec.Dec, currency string) Value {
	return Value{kind: moneyValue, number: d, currency: currency}
}

// Amount is money to the currency's decimals, of what the ledger counts to the millionth.
func Amount(d dec.Dec, currency string) Value {
	return Value{kind: moneyValue, number: d, currency: currency, rounded: true}
}

// Cost is what one piece cost, which the ledger counts to the millionth: to the currency's decimals, and to two more
// where they would leave little of it.
func Cost(d dec.Dec, currency string) Value {
	v := Amount(d, currency)
	v.each = true
	return v
}

// Whole is an amount without its decimals, for figures that are seen at a glance.
func Whole(d dec.Dec, currency string) Value {
	return Value{kind: numberValue, number: d.Round(0), currency: currency}
}

// MaybeMoney is an amount that may be missing.
func MaybeMoney(d *dec.Dec, currency string) Value {
	if d == nil {
		return None()
	}
	return Money(*d, currency)
}

// Qty is a quantity or another plain number.
func Qty(d dec.Dec) Value { return Value{kind: numberValue, number: d} }

// QtyOf is a quantity with its unit.
func QtyOf(d dec.Dec, unit string) Value { return Value{kind: numberValue, number: d, currency: unit} }

// MaybeQty is a number that may be missing.
func MaybeQty(d *dec.Dec, unit string) Value {
	if d == nil {
		return None()
	}
	return QtyOf(*d, unit)
}

// Count is a whole number, of any size.
func Count[N ~int | ~int64](n N) Value { return Value{kind: countValue, count: int64(n)} }

// Percent is a percentage.
func Percent(d dec.Dec) Value { return Value{kind: percentValue, number: d} }

// Day is a date.
func Day(d day.Date) Value { return Value{kind: dayValue, text: string(d)} }

// At is a moment.
func At(t db.Time) Value { return Value{kind: timeValue, at: t} }

// Badge is a status: an enum word, shown as words in a tone.
func Badge[S ~string](word S, tone Tone) Value {
	return Value{kind: badgeValue, text: Words(string(word)), tone: tone}
}

// YesNo is a choice.
func YesNo(yes bool) Value {
	if yes {
		return Word("Yes")
	}
	return Word("No")
}

// Active is a badge of records that may be switched off: only what is off is worth saying.
func Active(active bool) Value {
	if active {
		return Badge("Active", Good)
	}
	return Badge("Inactive", Plain)
}

// Post is a small button that posts to a path, where the person may.
func Post(label, path string) Value { return Value{kind: postValue, text: label, href: path} }

// Each are several values, one after another.
func Each(values ...Value) Value { return Value{kind: listValue, list: values} }

// Strong is the value in bold.
func (v Value) Strong() Value { v.strong = true; return v }

// Toned is the value in a tone.
func (v Value) Toned(t Tone) Value { v.tone = t; return v }

// If is the value where ok, and none otherwise.
func (v Value) If(ok bool) Value {
	if !ok {
		return None()
	}
	return v
}

// Linked is the value leading somewhere.
func (v Value) Linked(href string) Value { v.href = href; return v }

// cell is the value in an export.
func (v Value) cell(t *translator) table.Cell {
	c := table.Cell{Text: v.raw(t)}
	switch v.kind {
	case moneyValue, numberValue, countValue, percentValue:
		c.Kind = table.Number
	case dayValue:
		c.Kind = table.Date
	case timeValue:
		c.Kind = table.Moment
	}
	return c
}

// raw is the value as exports write it: the same in every language.
func (v Value) raw(t *translator) string {
	switch v.kind {
	case moneyValue:
		return v.number.Fixed(t.digits(v.currency))
	case numberValue, percentValue:
		return v.number.String()
	case countValue:
		return strconv.FormatInt(v.count, 10)
	case timeValue:
		if v.at == 0 {
			return ""
		}
		return v.at.Time().In(t.zone).Format("2006-01-02 15:04:05")
	case wordValue, badgeValue:
		return t.say(v.text)
	case listValue:
		return strings.Join(each.Given(v.list, func(x Value) string { return x.raw(t) }), " ")
	case postValue:
		return ""
	}
	return v.text
}

// Words are an enum word's words: PartiallyDelivered is Partially delivered, B2BPortal is B2B portal.
func Words(enum string) string {
	var b strings.Builder
	for i, r := range enum {
		var prev, next rune
		if i > 0 {
			prev = rune(enum[i-1])
		}
		if i+1 < len(enum) {
			next = rune(enum[i+1])
		}
		begins := unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsDigit(prev) && !unicode.IsUpper(next) ||
			unicode.IsUpper(prev) && unicode.IsLower(next))
		switch {
		case begins && (next == 0 || unicode.IsUpper(next)): // an abbreviation
			b.WriteString(" " + string(r))
		case begins:
			b.WriteString(" " + string(unicode.ToLower(r)))
		case r == '-' || r == '_':
			b.WriteByte(' ')
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
