package page

import (
	"maps"
	"strings"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// scanName is what a scanner's field sends.
const scanName = "_scan"

// tallyName is the button that a form with a scanner's field is sent with by Enter, which ends each code of a scanner
// wherever it is typed into: it counts what was scanned, and books nothing.
const tallyName = "_tally"

// scanning is what a scan counts up: in the rows of a Lines field, the field count of the first row whose field match
// is what was scanned.
type scanning struct {
	rows, match, count string
	find               func(code string) (key string, by dec.Dec, err error)
}

// Scan is a field for a scanner, or for who types: its code is not done with the form, but counts up a row, by what
// find says. A code that find refuses, or that no row is about, is refused at the field.
func Scan(label, rows, match, count string, find func(code string) (key string, by dec.Dec, err error)) Field {
	f := input(scanName, label, "text")
	f.max, f.wide, f.focus = maxCode, true, true
	f.show, f.read = func(*translator) string { return "" }, func(*translator, string) string { return "" }
	f.scan = &scanning{rows, match, count, find}
	return f.Hint("Each scan counts one up, or what the scanned unit holds.")
}

// scanned counts up what was scanned, if anything was, in a copy of what was sent: a reading may be done twice.
func (p *posted) scanned(t *translator, fields []Field) (*posted, error) {
	if p == nil || p.raw(scanName) == "" {
		return p, nil
	}
	code := strings.TrimSpace(p.raw(scanName))
	p = &posted{maps.Clone(p.values), p.files}
	p.values.Del(scanName)
	for i := range fields {
		if f := &fields[i]; f.scan != nil {
			said, err := f.scan.tally(t, p, code)
			if err != nil {
				return p, err
			}
			f.hint, f.hintArgs = "%s: %s counted.", said
		}
	}
	return p, nil
}

func (s *scanning) tally(t *translator, p *posted, code string) (said []any, err error) {
	key, by, err := s.find(code)
	if err != nil {
		f := *fault.As(err)
		f.Fields = []fault.Field{f.Field(scanName)}
		return nil, &f
	}
	for i := range p.sent(s.rows) {
		at := row(s.rows, i)
		if record.Fold(strings.TrimSpace(p.raw(at+s.match))) != record.Fold(key) {
			continue
		}
		var sum dec.Dec
		if text := strings.TrimSpace(p.raw(at + s.count)); text != "" {
			if sum, err = t.parse(text); err != nil {
				return nil, Refusal(at+s.count, noDecimal)
			}
		}
		sum = sum.Add(by)
		p.values.Set(at+s.count, t.typed(sum))
		return []any{key, t.number(sum)}, nil
	}
	return nil, Refusal(scanName, "no row is about %s", key)
}
