package rest

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// mode is the side of the wire a schema describes.
type mode int

const (
	answering mode = iota // decimals are strings, every field is present
	sending               // decimals are strings or numbers, unknown fields are refused
	patching              // as sending, but nothing is required
)

// schemas are the components of a document, named after the wire types.
type schemas struct {
	components object
	names      map[use]string
	taken      map[string]use
	err        error
}

// use is a type on one side of the wire.
type use struct {
	typ  reflect.Type
	mode mode
	lax  bool
}

func newSchemas() *schemas {
	return &schemas{components: object{}, names: map[use]string{}, taken: map[string]use{"Problem": {}}}
}

func nullable(s *shape, schema object) object {
	if !s.nullable {
		return schema
	}
	if _, ok := schema["$ref"]; ok {
		return object{"anyOf": []any{schema, object{"type": "null"}}}
	}
	switch t := schema["type"].(type) {
	case string:
		schema["type"] = []any{t, "null"}
	case []any:
		schema["type"] = append(t, "null")
	}
	if values, ok := schema["enum"].([]any); ok {
		schema["enum"] = append(values, nil)
	}
	return schema
}

// of is the schema of a shape; objects become components.
func (c *schemas) of(s *shape, m mode) object { return nullable(s, c.plain(s, m)) }

func (c *schemas) plain(s *shape, m mode) object {
	switch s.wire {
	case wireDec, wireFixed:
		if m == answering {
			return object{"type": "string", "format": "decimal"}
		}
		return object{"type": []any{"string", "number"}, "format": "decimal", "pattern": "^-?" + unsignedDec[1:]}
	case wireInt:
		return object{"type": "integer"}
	case wireBool:
		return object{"type": "boolean"}
	case wireDay:
		return object{"type": "string", "format": "date"}
	case wireTime:
		return object{"type": "string", "format": "date-time"}
	case wireEnum:
		values := make([]any, len(s.values))
		for i, v := range s.values {
			values[i] = v
		}
		return object{"type": "string", "enum": values, "x-extensible-enum": append([]any{}, values...)}
	case wireObject:
		if s.typ.Name() == "" {
			return c.object(s, m, false, object{"type": "object"})
		}
		return c.bodyOf(s, m, false, "")
	case wireList:
		return object{"type": "array", "items": c.of(s.elem, inner(m))}
	case wireMap:
		return object{"type": "object", "additionalProperties": c.of(s.elem, inner(m))}
	case wireRaw:
		return object{}
	}
	return object{"type": "string"}
}

// unsignedDec is the pattern of a decimal that cannot be below zero.
const unsignedDec = `^[0-9]{1,12}(\.[0-9]{1,6})?$`

// inner is the mode of what a list holds: a patch replaces lists, so what stands in them is whole.
func inner(m mode) mode {
	if m == patching {
		return sending
	}
	return m
}

// bodyOf is the reference to the component of an object. One whose type has no name gets this one.
func (c *schemas) bodyOf(s *shape, m mode, lax bool, nameless string) object {
	u := use{s.typ, m, lax}
	if name, ok := c.names[u]; ok {
		return ref("schemas", name)
	}
	name := c.nameFor(u, nameless)
	c.names[u], c.taken[name] = name, u
	schema := object{"type": "object"}
	c.components[name] = schema
	c.object(s, m, lax, schema)
	return ref("schemas", name)
}

// object fills the schema of an object.
func (c *schemas) object(s *shape, m mode, lax bool, schema object) object {
	properties := object{}
	required := []any{}
	for _, f := range s.fields {
		if m == patching && f.createOnly {
			continue
		}
		properties[f.name] = c.member(f, m)
		if m == answering || m == sending && f.req {
			required = append(required, f.name)
		}
	}
	schema["properties"] = properties
	if len(required) > 0 {
		schema["required"] = required
	}
	if m != answering && !lax {
		schema["additionalProperties"] = false
	}
	return schema
}

func (c *schemas) nameFor(u use, nameless string) string {
	name := typeName(u.typ)
	if name == "" {
		name = nameless
	}
	if u.mode == patching {
		name += "Patch"
	}
	if u.mode == sending && c.names[use{u.typ, answering, false}] != "" {
		name += "Input"
	}
	if other, ok := c.taken[name]; ok || name == "" {
		if c.err == nil {
			c.err = fmt.Errorf("wire types %v and %v would both be called %q in the OpenAPI document: rename one", other.typ, u.typ, name)
		}
		name += strconv.Itoa(len(c.taken))
	}
	return name
}

// member is the schema of a field, with its rules where it is sent.
func (c *schemas) member(f *field, m mode) object {
	schema := c.of(f.shape, m)
	if f.req && m == sending && f.shape.nullable {
		s := *f.shape
		s.nullable = false
		schema = c.of(&s, m)
	}
	if m != answering {
		f.rules(schema)
	}
	if f.format != "" {
		schema["format"] = f.format
	}
	if doc := f.said(m); doc != "" {
		schema["description"] = doc
	}
	if f.example != "" {
		schema["examples"] = []any{f.literal(f.example)}
	}
	return schema
}

// said is what the document says of a field. What an absent field of a body means stands here and not in the keyword default:
// generators make such a field required, or send the default, which would undo in a patch what somebody else has set.
func (f *field) said(m mode) string {
	if m != sending || f.fallback == "" {
		return f.doc
	}
	return strings.TrimPrefix(f.doc+" Left out: "+f.fallback+".", " ")
}

// rules adds what binding checks.
func (f *field) rules(schema object) {
	switch f.shape.wire {
	case wireText:
		schema["maxLength"] = f.length
		if f.req {
			schema["minLength"] = 1
		}
	case wireDec, wireInt:
		if positive := f.min != nil && *f.min >= 0 || f.gt != nil && *f.gt >= 0; positive && f.shape.wire == wireDec {
			schema["pattern"] = unsignedDec
		}
		if f.min != nil {
			schema["minimum"] = jsonNumber(f.min.String())
		}
		if f.gt != nil {
			schema["exclusiveMinimum"] = jsonNumber(f.gt.String())
		}
		if f.max != nil {
			schema["maximum"] = jsonNumber(f.max.String())
		}
	case wireList:
		schema["maxItems"] = f.maxItems
		if n := max(f.minItems, least(f.req)); n > 0 {
			schema["minItems"] = n
		}
	}
}

func least(required bool) int {
	if required {
		return 1
	}
	return 0
}

// parameter is the schema of a parameter. A decimal is text there, an empty text is no filter.
func (c *schemas) parameter(f *field) object {
	s := *f.shape
	s.nullable = false
	schema := c.of(&s, answering)
	if s.wire == wireText || s.wire == wireInt || s.wire == wireList {
		f.rules(schema)
	}
	if f.fallback != "" {
		schema["default"] = f.literal(f.fallback)
	}
	if f.format != "" {
		schema["format"] = f.format
	}
	return schema
}

// literal is the text of a tag as JSON of the field's type.
func (f *field) literal(text string) any {
	switch f.shape.wire {
	case wireInt:
		return jsonNumber(text)
	case wireBool:
		return text == "true"
	case wireList:
		if !f.split {
			return []string{text}
		}
		return strings.Split(text, ",")
	}
	return text
}
