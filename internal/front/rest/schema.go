package rest

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"kontor/internal/foundation/each"
)

// mode is the side of the wire a schema describes.
type mode int

const (
	answering mode = iota // every field is present, more values of an enum may come
	sending               // unknown fields are refused
	patching              // as sending, but nothing is required
)

// schemas are the components of a document, named after the wire types.
type schemas struct {
	words      map[string]string // of fields that say nothing of themselves, by name or by type and name
	place, doc string            // where the component stands that is being described, and what is known of it
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

func newSchemas(words map[string]string) *schemas {
	return &schemas{words: words, components: object{}, names: map[use]string{}, taken: map[string]use{"Problem": {}}}
}

// apart gives a component another name in Go where it has the one that generators of clients for Go give to the whole
// answer of an operation, headers and refusals with it: its id and "Response".
func (c *schemas) apart(op *Op) {
	if same, ok := c.components[upper(op.ID)+"Response"].(object); ok {
		same["x-go-name"] = upper(op.ID) + "Answer"
	}
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
		// A number is read as well, but who generates a client from this shall not send a float.
		return object{"type": "string", "format": "decimal", "pattern": "^-?" + unsignedDec[1:]}
	case wireInt:
		return object{"type": "integer"}
	case wireBool:
		return object{"type": "boolean"}
	case wireDay:
		return object{"type": "string", "format": "date"}
	case wireTime:
		return object{"type": "string", "format": "date-time"}
	case wireEnum:
		values := each.Of(s.values, func(v string) any { return v })
		if m != answering {
			return object{"type": "string", "enum": values}
		}
		// No enum where we answer: a client that was generated today must not break on a value of tomorrow.
		return object{"type": "string", "x-extensible-enum": values, "x-enum-varnames": append([]any{}, values...),
			"description": "One of " + strings.Join(s.values, ", ") + "; others may come."}
	case wireObject:
		if s.merge {
			m = patching
		}
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
	schema := object{"type": "object", "description": strings.TrimSpace(upper(c.place) + ". " + c.doc)}
	c.components[name] = schema
	c.object(s, m, lax, schema)
	return ref("schemas", name)
}

// object fills the schema of an object.
func (c *schemas) object(s *shape, m mode, lax bool, schema object) object {
	place, doc := c.place, c.doc
	defer func() { c.place, c.doc = place, doc }()
	properties := object{}
	required := []any{}
	for _, f := range s.fields {
		if m == patching && f.createOnly {
			continue
		}
		says := cmp.Or(f.doc, c.words[typeName(s.typ)+"."+f.name], c.words[f.name])
		c.place, c.doc = f.name+" in "+place, says
		properties[f.name] = c.member(f, m, says)
		if m == answering || m == sending && f.req || m == patching && f.identifies {
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
			c.err = fmt.Errorf("wire types %v and %v would both be called %q in the OpenAPI document: rename one",
				other.typ, u.typ, name)
		}
		name += strconv.Itoa(len(c.taken))
	}
	return name
}

// member is the schema of a field, with its rules where it is sent.
func (c *schemas) member(f *field, m mode, says string) object {
	schema := c.of(f.shape, m)
	if f.req && m == sending && f.shape.nullable {
		s := *f.shape
		s.nullable = false
		schema = c.of(&s, m)
	}
	if m != answering {
		f.rules(schema)
	}
	f.formatted(schema)
	if doc := f.said(m, says, schema); doc != "" {
		schema["description"] = doc
	}
	if f.example != "" {
		schema["examples"] = []any{f.literal(f.example)}
	}
	return schema
}

// formatted says what is sent: of a list, each entry.
func (f *field) formatted(schema object) {
	if entries, ok := schema["items"].(object); ok && f.format != "" {
		entries["format"] = f.format
	} else if f.format != "" {
		schema["format"] = f.format
	}
}

// said is what the document says of a field. What an absent field of a body means stands here and not in the keyword
// default:
// generators make such a field required, or send the default, which would undo in a patch what somebody else has set.
func (f *field) said(m mode, says string, schema object) string {
	said := []string{says}
	if values, ok := schema["description"].(string); ok { // of an enum
		said = append(said, values)
	}
	if m != answering && (f.shape.wire == wireDec || f.shape.wire == wireFixed) {
		said = append(said, f.bounds()...)
	}
	if m == sending && f.fallback != "" {
		said = append(said, "Left out: "+f.fallback+".")
	}
	return strings.TrimSpace(strings.Join(said, " "))
}

// bounds are those of a decimal, in words: it is a text, which has no least and no greatest.
func (f *field) bounds() (said []string) {
	if f.min != nil {
		said = append(said, "At least "+f.min.String()+".")
	}
	if f.gt != nil {
		said = append(said, "More than "+f.gt.String()+".")
	}
	if f.max != nil {
		said = append(said, "At most "+f.max.String()+".")
	}
	return said
}

// rules adds what binding checks.
func (f *field) rules(schema object) {
	switch f.shape.wire {
	case wireText:
		schema["maxLength"] = f.length
		if f.isMail {
			schema["format"] = "email"
		}
		if f.req {
			schema["minLength"] = 1
		}
	case wireDec, wireInt:
		if positive := f.min != nil && *f.min >= 0 || f.gt != nil && *f.gt >= 0; positive && f.shape.wire == wireDec {
			schema["pattern"] = unsignedDec
		}
		if f.shape.wire == wireDec {
			return // the rest is said in words
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
		if f.minItems > 0 {
			schema["minItems"] = f.minItems
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
	schema := c.of(&s, sending)
	if s.wire == wireText || s.wire == wireInt || s.wire == wireList {
		f.rules(schema)
	}
	if f.fallback != "" {
		schema["default"] = f.literal(f.fallback)
	}
	f.formatted(schema)
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
