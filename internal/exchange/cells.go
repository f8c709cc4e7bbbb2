package exchange

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lazy"
	"kontor/internal/foundation/record"
)

// cells reads the cells of a row and gathers what is wrong with them. Where the table lacks a column, what it is read
// into stays as it is.
type cells struct {
	*row
	wrong fault.List
}

func (r *row) cells() *cells { return &cells{row: r} }

// lay lays the cells over a record: those of the columns that are of its type, but for what the row is about.
func (c *cells) lay(record any) {
	v := reflect.ValueOf(record).Elem()
	for i := range c.kind.fields {
		if f := &c.kind.fields[i]; f.record == v.Type() && !f.key && !f.shown {
			c.read(f, f.in(v).Addr().Interface())
		}
	}
}

// lay is cells.lay where nothing else is read of the row: its error is what is wrong with the cells.
func (r *row) lay(record any) error {
	c := r.cells()
	c.lay(record)
	return c.wrong.Err()
}

// read reads a cell as the field that it is read into says.
func (c *cells) read(f *field, into any) {
	switch into := into.(type) {
	case *string:
		switch {
		case f.kept:
			c.given(f.name, into)
		case !f.coded || record.Fold(*into) != record.Fold(c.get(f.name)):
			c.text(f.name, into)
		}
	case *bool:
		c.flag(f.name, into)
	case *int:
		c.whole(f.name, into)
	case **int:
		c.optionalWhole(f.name, into)
	case *dec.Dec:
		c.number(f.name, into)
	case **dec.Dec:
		c.optional(f.name, into)
	case *day.Date:
		c.date(f.name, into)
	case *db.Time:
		c.moment(f.name, into)
	case *[]string:
		c.list(f.name, into)
	default:
		c.choice(f.name, reflect.ValueOf(into).Elem())
	}
}

// textOf is a value as a cell holds it; what is not there is an empty cell.
func textOf(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case *int:
		if v != nil {
			return strconv.Itoa(*v)
		}
		return ""
	case dec.Dec:
		return v.String()
	case *dec.Dec:
		if v != nil {
			return v.String()
		}
		return ""
	case db.Time:
		if v != 0 {
			return v.Time().UTC().Format(time.RFC3339Nano)
		}
		return ""
	case []string:
		return joined(v)
	}
	return reflect.ValueOf(value).String() // a text, a day, or one of a type's values
}

// text reads a text; an empty cell clears it.
func (c *cells) text(name string, into *string) {
	if c.has(name) {
		*into = c.get(name)
	}
}

// given reads a text that cannot be cleared: an empty cell leaves it.
func (c *cells) given(name string, into *string) {
	if v := c.get(name); v != "" {
		*into = v
	}
}

// optional reads a decimal that may be missing; an empty cell clears it.
func (c *cells) optional(name string, into **dec.Dec) {
	if !c.has(name) {
		return
	}
	v := c.get(name)
	if v == "" {
		*into = nil
		return
	}
	if d := c.decimal(name, v); *into == nil || **into != d { // the same stays where it is: records are compared
		*into = &d
	}
}

func (c *cells) decimal(name, v string) dec.Dec {
	d, err := decimalOf(v, c.comma)
	switch {
	case err != nil && c.comma:
		c.wrong.Add(fault.ErrInvalid, name,
			"%q is no number such as 1234,5: at most 12 digits before a comma and 6 after it", v)
	case err != nil:
		c.wrong.Add(fault.ErrInvalid, name,
			"%q is no number such as 1234.5: at most 12 digits before a point and 6 after it, nothing else; a file with decimal commas is read with --decimal-comma", v)
	}
	return d
}

// number reads a decimal; an empty cell leaves it.
func (c *cells) number(name string, into *dec.Dec) {
	if v := c.get(name); v != "" {
		*into = c.decimal(name, v)
	}
}

// whole reads a whole number; an empty cell leaves it.
func (c *cells) whole(name string, into *int) {
	v := c.get(name)
	if v == "" {
		return
	}
	n, err := strconv.ParseInt(v, 10, 32)
	c.wrong.If(err != nil, fault.ErrInvalid, name, "%q is no whole number", v)
	*into = int(n)
}

// optionalWhole reads a whole number that may be missing; an empty cell clears it.
func (c *cells) optionalWhole(name string, into **int) {
	if !c.has(name) {
		return
	}
	*into = nil
	if c.get(name) != "" {
		*into = new(int)
		c.whole(name, *into)
	}
}

// flag reads yes or no, as spreadsheets and people write it here too; an empty cell leaves it.
func (c *cells) flag(name string, into *bool) {
	v := c.get(name)
	if is, isOne := truthOf(v); v != "" && isOne {
		*into = is
	} else {
		c.wrong.If(!isOne, fault.ErrInvalid, name, "%q is neither true nor false", strings.ToLower(v))
	}
}

// truthOf is whether a text says yes, and whether it says one of the two; an empty one says no.
func truthOf(text string) (is, isOne bool) {
	switch strings.ToLower(text) {
	case "true", "yes", "1", "ja", "sant", "sann":
		return true, true
	case "", "false", "no", "0", "nej", "nei", "usant", "usann", "falskt", "falsk":
		return false, true
	}
	return false, false
}

// date reads a day, also one that is written with its time, as databases do: 2021-05-25 00:00:00.000. An empty cell
// clears it.
func (c *cells) date(name string, into *day.Date) {
	cleared(c, name, into, func(text string) (day.Date, error) { return day.Parse(dayPart(text)) },
		"%q is no day such as 2026-01-31")
}

// cleared reads what parse makes of a text, and says wrong of one that is none; an empty cell clears it.
func cleared[T any](c *cells, name string, into *T, parse func(text string) (T, error), wrong string) {
	if !c.has(name) {
		return
	}
	*into = *new(T)
	if text := c.get(name); text != "" {
		v, err := parse(text)
		c.wrong.If(err != nil, fault.ErrInvalid, name, wrong, text)
		*into = v
	}
}

// dayPart is the day of a moment.
func dayPart(text string) string {
	d, _, _ := strings.Cut(text, " ")
	return d
}

// list reads values that stand in one cell, as joined writes them; an empty cell clears them.
func (c *cells) list(name string, into *[]string) {
	if c.has(name) {
		*into = split(c.get(name))
	}
}

// choice reads one of a type's values, as programs write it or in words, as the office exports it in the language of
// whoever asked: NonStock is Non stock too, and Ej lagervara. An empty cell leaves it.
func (c *cells) choice(name string, into reflect.Value) {
	v := c.get(name)
	if v == "" {
		return
	}
	all := into.MethodByName("Values").Call(nil)[0]
	is := func(word string) bool {
		for _, one := range all.Seq2() {
			if bareName(one.String()) == bareName(word) {
				into.Set(one)
				return true
			}
		}
		return false
	}
	if is(v) || c.english != nil && slices.ContainsFunc(c.english(v), is) {
		return
	}
	c.wrong.Add(fault.ErrInvalid, name, "%q is none of %v", v, all.Interface())
}

// moment reads a point in time; an empty cell clears it.
func (c *cells) moment(name string, into *db.Time) {
	cleared(c, name, into, func(text string) (db.Time, error) {
		at, err := time.Parse(time.RFC3339, text)
		return db.TimeOf(at), err
	}, "%q is no moment such as 2026-01-31T08:00:00Z")
}

// The signs in cells that hold several values.
const (
	between = ';'
	comma   = ','
	equals  = '='
)

// joined are values in one cell, with a semicolon between them. What would be mistaken is written with a backslash.
func joined(values []string) string {
	return strings.Join(each.Of(values, func(v string) string { return escape(v, between) }), string(between))
}

// split is the reverse of joined; parts are trimmed, and empty ones left out.
func split(cell string) []string { return splitAt(cell, between) }

func splitAt(cell string, sign rune) []string {
	return each.Given(cut(cell, sign), func(part string) string { return strings.TrimSpace(unescape(part)) })
}

// pair is a name with its value in a cell: Colour=Red;Size=M.
type pair struct{ name, value string }

func joinedPairs(pairs []pair) string {
	parts := each.Of(pairs,
		func(p pair) string {
			return escape(p.name, between, equals) + string(equals) + escape(p.value, between)
		})
	return strings.Join(parts, string(between))
}

// pairs reads what joinedPairs writes.
func (c *cells) pairs(name string) []pair {
	var out []pair
	for _, part := range cut(c.get(name), between) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		sides := cut(part, equals)
		if len(sides) < 2 {
			c.wrong.Add(fault.ErrInvalid, name, "%q has no = in it: write name=value, with a semicolon between several",
				part)
			continue
		}
		value := part[len(sides[0])+1:]
		out = append(out, pair{strings.TrimSpace(unescape(sides[0])), strings.TrimSpace(unescape(value))})
	}
	return out
}

func escape(v string, signs ...rune) string {
	if !strings.ContainsAny(v, string(signs)+`\`) {
		return v
	}
	var b strings.Builder
	for _, c := range v {
		if c == '\\' || slices.Contains(signs, c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func unescape(v string) string {
	if !strings.Contains(v, `\`) {
		return v
	}
	var b strings.Builder
	after := false
	for _, c := range v {
		if c == '\\' && !after {
			after = true
			continue
		}
		b.WriteRune(c)
		after = false
	}
	return b.String()
}

// cut parts a cell at a sign that no backslash stands before.
func cut(cell string, at rune) []string {
	if cell == "" {
		return nil
	}
	var parts []string
	from, after := 0, false
	for i, c := range cell {
		switch {
		case after:
			after = false
		case c == '\\':
			after = true
		case c == at:
			parts = append(parts, cell[from:i])
			from = i + 1
		}
	}
	return append(parts, cell[from:])
}

// grouped is a number with a decimal comma whose thousands may stand in groups: 1.234,50 or 1 234,50.
var grouped = lazy.Regexp(`^-?\d{1,3}([.\x{a0}\x{202f} ]\d{3})+(,\d+)?$`)

// decimalOf reads a decimal as the file writes it: with a point, or by option with a comma, which then leaves no other
// meaning to a point than to part thousands.
func decimalOf(text string, comma bool) (dec.Dec, error) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "-.") {
		text = strings.Replace(text, ".", "0.", 1) // as databases write what is below one
	}
	if !comma {
		return dec.Parse(text)
	}
	if grouped().MatchString(text) {
		text = strings.NewReplacer(".", "", " ", "", "\u00a0", "", "\u202f", "").Replace(text)
	} else if strings.Contains(text, ".") {
		text = "" // 12.5 would be a mistake, whatever it means
	}
	return dec.Parse(strings.Replace(text, ",", ".", 1))
}
