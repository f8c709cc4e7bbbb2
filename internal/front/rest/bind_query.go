package rest

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"kontor/internal/foundation/fault"
)

// Faults of a query.
var (
	ErrUnknownParameter = fault.New(fault.Invalid, "Query.UnknownParameter")
	ErrUnknownValue     = fault.New(fault.Invalid, "Query.UnknownValue")
)

// bindQuery reads the raw query into in along the plan. Everything that is wrong goes to faults: a misspelt
// filter must never answer with the unfiltered list. accepted is set where a name was unknown.
func (p *plan) bindQuery(raw string, in reflect.Value, lax bool, faults *fault.List) (accepted []string) {
	seen := make([]bool, len(p.query))
	for raw != "" {
		var pair string
		pair, raw, _ = strings.Cut(raw, "&")
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(rawName)
		value, err2 := url.QueryUnescape(rawValue)
		if err1 != nil || err2 != nil {
			faults.Add(fault.ErrInvalid, abridge(rawName), "is not percent-encoded correctly")
			continue
		}
		f := p.byName[name]
		if f == nil {
			f, value = p.open(name, value)
		}
		switch {
		case f == nil && lax:
		case f == nil:
			accepted = append([]string{}, p.names...)
			faults.Add(ErrUnknownParameter, abridge(name), "is no parameter of this operation; accepted are %s",
				listed(p.names))
		case seen[f.pos] && (f.shape.wire != wireList || f.split):
			faults.Add(fault.ErrInvalid, name, "is given more than once")
		default:
			seen[f.pos] = true
			if f.shape.wire == wireInt && (name == "page" || name == "pageSize") {
				value = noFarther(value)
			}
			bindParameter(f, value, in.FieldByIndex(f.index), faults)
		}
	}
	p.absentParameters(in, seen, faults)
	if p.paging != nil {
		page := in.FieldByIndex(p.paging).Addr().Interface().(*Paging)
		if page.PageSize > maxPageSize {
			page.PageSize = maxPageSize
		}
	}
	return accepted
}

// noFarther reads a page beyond all pages as the last that can be asked for: it is past the end as well, and a page of
// more rows than there are numbers is one of too many like any other.
func noFarther(text string) string {
	if digits := strings.TrimLeft(text, "0"); len(digits) > 12 && strings.Trim(digits, "0123456789") == "" {
		return strconv.Itoa(maxWhole)
	}
	return text
}

// open finds the parameter of a whole family of names, such as f.* for f.color: its values are texts like color=red.
func (p *plan) open(name, value string) (*field, string) {
	for i, c := range name {
		if c == '.' {
			return p.byName[name[:i+1]+"*"], name[i+1:] + "=" + value
		}
	}
	return nil, value
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func (p *plan) absentParameters(in reflect.Value, seen []bool, faults *fault.List) {
	for _, f := range p.query {
		if seen[f.pos] {
			continue
		}
		switch {
		case f.fallback != "":
			if err := f.parse(f.fallback, in.FieldByIndex(f.index)); err != nil {
				panic(err) // it was parsed when the surface was mounted
			}
		case f.req:
			faults.Add(fault.ErrInvalid, f.name, "is required")
		}
	}
}

func bindParameter(f *field, text string, v reflect.Value, faults *fault.List) {
	if f.shape.wire != wireList {
		bindOne(f, f.shape, text, v, faults)
		return
	}
	values := []string{text}
	if f.split {
		values = strings.Split(text, ",")
	}
	if v.Len() > f.maxItems {
		return // was said when there was one too many
	}
	before := faults.Count()
	for _, one := range values {
		if strings.TrimSpace(one) == "" {
			continue
		}
		elem := reflect.New(f.shape.typ.Elem()).Elem()
		bindOne(&field{name: f.name, shape: f.shape.elem, length: f.length, format: f.format}, f.shape.elem, one, elem,
			faults)
		v.Set(reflect.Append(v, elem))
	}
	if faults.Count() == before {
		f.broken(v, sayAt(faults, f.name))
		f.outOfBounds(v, sayAt(faults, f.name))
	}
}

// bindOne reads one value. An empty text is no filter; an empty anything else is wrong.
func bindOne(f *field, s *shape, text string, v reflect.Value, faults *fault.List) {
	if s.wire == wireText && strings.TrimSpace(text) == "" {
		return
	}
	if err := parseInto(s, text, v, true); err != nil {
		code := fault.ErrInvalid
		if s.wire == wireEnum {
			code = ErrUnknownValue
		}
		faults.Add(code, f.name, "%s", err)
		return
	}
	f.identify(v, sayAt(faults, f.name))
	f.broken(v, sayAt(faults, f.name))
	f.outOfBounds(v, sayAt(faults, f.name))
}

func sayAt(faults *fault.List, name string) func(string, ...any) {
	return func(format string, args ...any) { faults.Add(fault.ErrInvalid, name, format, args...) }
}

// bindPath reads the captured path segments. What no key can be names nothing: ok is false.
func (p *plan) bindPath(captured []string, in reflect.Value) (ok bool) {
	for i, f := range p.path {
		text, err := url.PathUnescape(captured[i])
		if err != nil || text == "" {
			return false
		}
		if f.shape.wire == wireText {
			clean, err := cleanText(text)
			if err != nil || clean != text || strings.ContainsAny(text, "\n\t") {
				return false
			}
		}
		v := in.FieldByIndex(f.index)
		if parseInto(f.shape, text, v, true) != nil {
			return false
		}
		f.identify(v, func(string, ...any) {}) // what is no id names no record
	}
	return true
}
