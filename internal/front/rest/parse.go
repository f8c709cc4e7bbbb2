package rest

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// parse reads the text of a parameter, or of a JSON text or number, into v. Its error is a sentence
// without a subject: "must be ...".
func (f *field) parse(text string, v reflect.Value) error { return parseInto(f.shape, text, v, false) }

// parseInto is parse for any shape; folding compares enum values case-insensitively, as queries do.
func parseInto(s *shape, text string, v reflect.Value, folding bool) error {
	if s.pointer {
		p := reflect.New(s.typ)
		if err := parsePlain(s, text, p.Elem(), folding); err != nil {
			return err
		}
		v.Set(p)
		return nil
	}
	return parsePlain(s, text, v, folding)
}

func parsePlain(s *shape, text string, v reflect.Value, folding bool) error {
	switch s.wire {
	case wireText:
		clean, err := cleanText(text)
		if err != nil {
			return err
		}
		v.SetString(clean)
	case wireDec:
		d, err := parseDec(text)
		if err != nil {
			return err
		}
		v.SetInt(int64(d))
	case wireInt:
		return parseWhole(text, v)
	case wireBool:
		if text != "true" && text != "false" {
			return errors.New("must be true or false")
		}
		v.SetBool(text == "true")
	case wireDay:
		d, err := day.Parse(text)
		if err != nil {
			return errors.New("must be a real day written YYYY-MM-DD")
		}
		v.SetString(string(d))
	case wireTime:
		if folding && strings.Count(text, " ") == 1 { // a plus sign that the caller did not percent-encode
			text = strings.Replace(text, " ", "+", 1)
		}
		t, err := parseTime(text)
		if err != nil {
			return err
		}
		v.SetInt(int64(t))
	case wireEnum:
		return parseEnum(s, text, v, folding)
	default:
		return errors.New("cannot be written as one value")
	}
	return nil
}

// maxWhole keeps whole numbers where a product of two paging figures still fits, and a decimal too.
const maxWhole = 999_999_999_999

func parseWhole(text string, v reflect.Value) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || text[0] == '+' || n > maxWhole || n < -maxWhole || v.OverflowInt(n) {
		return errors.New("must be a whole number of at most 12 digits")
	}
	v.SetInt(n)
	return nil
}

func parseEnum(s *shape, text string, v reflect.Value, folding bool) error {
	for _, known := range s.values {
		if text == known || folding && strings.EqualFold(text, known) {
			v.SetString(known)
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", abridge(text), strings.Join(s.values, ", "))
}

// abridge keeps a caller's text short in the answer.
func abridge(s string) string {
	if utf8.RuneCountInString(s) <= 60 {
		return s
	}
	return string([]rune(s)[:60]) + "…"
}

// parseDec reads plain decimal notation exactly; nothing passes through a float.
func parseDec(text string) (dec.Dec, error) {
	d, err := dec.Parse(text)
	switch {
	case errors.Is(err, dec.ErrRange):
		return 0, errors.New("must have at most 12 digits before the point and 6 after it")
	case err != nil:
		return 0,
			errors.New(
				"must be a decimal number such as 12.50: a point, no thousands separators, no exponent, no plus sign")
	}
	return d, nil
}

// parseTime reads a timestamp as db.ParseTime does.
func parseTime(text string) (db.Time, error) {
	t, err := db.ParseTime(text)
	if err != nil {
		return 0,
			errors.New(
				"must be a timestamp such as 2026-01-31T13:45:00Z (with Z, an offset, or neither for UTC), or a date alone")
	}
	return t, nil
}

// cleanText trims a text and refuses what no name or note may hold. A line end written as CR LF is a
// newline; a lone CR is a control character like any other.
func cleanText(text string) (string, error) {
	if !utf8.ValidString(text) {
		return "", errors.New("must be valid UTF-8")
	}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
			return cleanUnusual(text)
		}
	}
	return strings.TrimSpace(text), nil
}

func cleanUnusual(text string) (string, error) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return "", fmt.Errorf("must not hold the control character U+%04X; only newline and tab are allowed", r)
		}
	}
	return strings.TrimSpace(text), nil
}

// identify writes an id as it is kept: it is "case insensitive on input" (RFC 9562, section 4). What is none is said.
func (f *field) identify(v reflect.Value, say func(format string, args ...any)) {
	v = reflect.Indirect(v)
	if f.format != "uuid" || !v.IsValid() || v.Kind() != reflect.String || v.String() == "" {
		return
	}
	id := strings.ToLower(v.String())
	if len(id) != len(uuid.Nil.String()) || uuid.Validate(id) != nil {
		say("must be an id as they are answered, such as 0196a3ee-7c3f-7b51-9d2c-1f4e8a6b0c11")
		return
	}
	v.SetString(id)
}

// broken lists the rules of f that the value breaks; required is checked for values that were given.
func (f *field) broken(v reflect.Value, say func(format string, args ...any)) {
	s := f.shape
	if s.pointer {
		if v.IsNil() {
			if f.req {
				say("is required and cannot be null")
			}
			return
		}
		v = v.Elem()
	}
	switch s.wire {
	case wireText, wireDay, wireEnum:
		text := v.String()
		if text == "" && f.req {
			say("is required and cannot be empty")
		}
		if len(text) > f.length && s.wire == wireText {
			if n := utf8.RuneCountInString(text); n > f.length {
				say("has %d characters; at most %d are allowed", n, f.length)
			}
		}
	case wireTime:
		if f.req && v.Int() == 0 {
			say("is required and cannot be null")
		}
	case wireList, wireMap:
		f.brokenList(v, say)
	}
}

func (f *field) brokenList(v reflect.Value, say func(format string, args ...any)) {
	switch n := v.Len(); {
	case n == 0 && f.req && f.minItems > 0:
		say("is required and needs at least one entry")
	case !f.req && v.IsNil(): // left out, which is something else than an empty list
	case n == 0 && f.minItems > 0:
		say("is an empty list: leave the field out, or name one entry at least")
	case n < f.minItems:
		say("has %d entries; at least %d are needed", n, f.minItems)
	case n > f.maxItems:
		say("has %d entries; at most %d are allowed", n, f.maxItems)
	}
}

// outOfBounds says which bound of f the value passes, if it is a number.
func (f *field) outOfBounds(v reflect.Value, say func(format string, args ...any)) {
	if f.shape.pointer {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	var d dec.Dec
	switch f.shape.wire {
	case wireDec:
		d = dec.Dec(v.Int())
	case wireInt:
		d = dec.Int(v.Int())
	default:
		return
	}
	switch {
	case f.min != nil && d < *f.min && *f.min == 0:
		say("must not be negative")
	case f.min != nil && d < *f.min:
		say("must be at least %s", f.min)
	case f.gt != nil && d <= *f.gt:
		say("must be greater than %s", f.gt)
	case f.max != nil && d > *f.max:
		say("must be at most %s", f.max)
	}
}
