package rest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/dec"
)

// encode appends v as JSON along its shape. Every field is present, what is absent is null, a list is
// never null: the same text json.Marshal gives, at a third of its cost, because the names are quoted
// once and decimals and moments are written where they belong without a detour through an interface.
func (s *shape) encode(b []byte, v reflect.Value) ([]byte, error) {
	if s.pointer {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		v = v.Elem()
	}
	switch s.wire {
	case wireText, wireEnum, wireDay:
		text := v.String()
		if text == "" && s.blank {
			return append(b, "null"...), nil
		}
		return appendText(b, text)
	case wireDec:
		b = dec.Dec(v.Int()).Append(append(b, '"'), 0)
		return append(b, '"'), nil
	case wireFixed:
		b = dec.Dec(v.Field(0).Int()).Append(append(b, '"'), int(v.Field(1).Int()))
		return append(b, '"'), nil
	case wireInt:
		return strconv.AppendInt(b, v.Int(), 10), nil
	case wireBool:
		return strconv.AppendBool(b, v.Bool()), nil
	case wireTime:
		return s.encodeTime(b, v.Int()), nil
	case wireObject:
		return s.encodeObject(b, v)
	case wireList:
		return s.encodeList(b, v)
	case wireMap:
		return s.encodeMap(b, v)
	}
	return encodeRaw(b, v)
}

func appendText(b []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return jsontext.AppendQuote(b, strings.ToValidUTF8(text, "\uFFFD"))
		}
	}
	b = append(append(b, '"'), text...)
	return append(b, '"'), nil
}

func (s *shape) encodeTime(b []byte, micros int64) []byte {
	if micros == 0 && s.blank {
		return append(b, "null"...)
	}
	at := time.UnixMicro(micros).UTC()
	year, month, day := at.Date()
	if micros == 0 || year < 1 || year > 9999 {
		at = time.Time{}
		year, month, day = at.Date()
	}
	hour, minute, second := at.Clock()
	b = digits(append(b, '"'), year, 4)
	b = digits(append(b, '-'), int(month), 2)
	b = digits(append(b, '-'), day, 2)
	b = digits(append(b, 'T'), hour, 2)
	b = digits(append(b, ':'), minute, 2)
	b = digits(append(b, ':'), second, 2)
	b = digits(append(b, '.'), at.Nanosecond()/1000, 6)
	return append(b, 'Z', '"')
}

// digits appends n with leading zeros.
func digits(b []byte, n, width int) []byte {
	for range width {
		b = append(b, '0')
	}
	for i := len(b) - 1; n > 0; i, n = i-1, n/10 {
		b[i] = '0' + byte(n%10)
	}
	return b
}

func (s *shape) encodeObject(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '{')
	for i, f := range s.fields {
		if i == 0 {
			b = append(b, f.key[1:]...)
		} else {
			b = append(b, f.key...)
		}
		member := v.Field(f.index[0])
		if len(f.index) > 1 {
			member = v.FieldByIndex(f.index)
		}
		if b, err = f.shape.encode(b, member); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return append(b, '}'), nil
}

func (s *shape) encodeList(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = s.elem.encode(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

func (s *shape) encodeMap(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '{')
	for i, k := range keysOf(v) {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendText(b, k.String()); err != nil {
			return nil, err
		}
		if b, err = s.elem.encode(append(b, ':'), v.MapIndex(k)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// keysOf are the keys of a map in their order: what follows from it is the same each time.
func keysOf(v reflect.Value) []reflect.Value {
	return slices.SortedFunc(slices.Values(v.MapKeys()),
		func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
}

// encodeRaw writes what has no shape of its own: JSON kept as text, or a value of any type.
func encodeRaw(b []byte, v reflect.Value) ([]byte, error) {
	if (v.Kind() == reflect.Slice || v.Kind() == reflect.Interface) && v.IsNil() {
		return append(b, "null"...), nil
	}
	text, err := json.Marshal(v.Interface(), json.Deterministic(true))
	return append(b, text...), err
}

// jsonNumber is a number as it stands in the text.
func jsonNumber(text string) jsontext.Value { return jsontext.Value(text) }
