package rest

import (
	"net/http"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Examples are answers by operation (Surface.NameOf) and status, as they were given to somebody.
type Examples map[string]map[string]jsontext.Value

// example is the answer of an operation as it is shown; nil where none is known. One that was given before a field was
// added, or taken away, is shown as it would be given now.
func (d *description) example(p *plan, status string) any {
	given, ok := d.surface.Examples[d.surface.NameOf(*p.op)][status]
	if !ok {
		return nil
	}
	var v any
	if err := json.Unmarshal(given, &v); err != nil {
		return nil
	}
	if status[0] == '2' && p.encode != nil {
		return fitted(p.encode, v)
	}
	return v
}

// fitted is a value with the fields of its shape, and no other.
func fitted(s *shape, v any) any {
	switch s.wire {
	case wireList:
		list, _ := v.([]any)
		return each.Of(list, func(a any) any { return fitted(s.elem, a) })
	case wireObject:
		fields, ok := v.(object)
		if !ok && s.nullable {
			return nil
		}
		out := object{}
		for _, f := range s.fields {
			if one, ok := fields[f.name]; ok {
				out[f.name] = fitted(f.shape, one)
			} else {
				out[f.name] = f.made()
			}
		}
		return out
	}
	return v
}

// made is a value of a field that nobody has shown yet.
func (f *field) made() any {
	switch {
	case f.example != "":
		return f.literal(f.example)
	case f.shape.nullable:
		return nil
	}
	switch f.shape.wire {
	case wireDec, wireFixed:
		return "0"
	case wireInt:
		return 0
	case wireBool:
		return false
	case wireDay:
		return "2026-01-15"
	case wireTime:
		return "2026-01-15T09:30:00.000000Z"
	case wireEnum:
		return f.shape.values[0]
	case wireList, wireObject:
		return fitted(f.shape, nil)
	case wireMap:
		return object{}
	}
	return ""
}

// exampleOf is a refusal as it is shown where no story knows one.
func exampleOf(c fault.Code) any {
	status := statusOfCode(c.Kind, c.Name)
	advice := strings.NewReplacer("<code>", "", "</code>", "").Replace(adviceFor(c.Kind))
	f := &fault.Fault{Kind: c.Kind, Code: c.Name, Detail: advice}
	var v object
	if err := json.Unmarshal(problemBody(f, status, "019bc0de-0000-7000-8000-000000000001"), &v); err != nil {
		panic(err) // it was made of texts
	}
	if status == http.StatusTooManyRequests {
		v["retryAfterSeconds"] = 1
	}
	return v
}
