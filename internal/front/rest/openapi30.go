package rest

import (
	"maps"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// OpenAPI30 is the surface's document as OpenAPI 3.0.3, for the generators that read no newer one: it says the same.
func OpenAPI30(s Surface) ([]byte, error) {
	text, err := OpenAPI(s)
	if err != nil {
		return nil, err
	}
	var doc object
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, err
	}
	doc["openapi"] = "3.0.3"
	if license, ok := doc["info"].(object)["license"].(object); ok {
		license["url"] = "https://spdx.org/licenses/" + license["identifier"].(string) + ".html"
		delete(license, "identifier")
	}
	schemas, _ := doc["components"].(object)["schemas"].(object)
	e := elder{schemas, map[string]bool{}, map[string]bool{}}
	e.count(doc)
	e.older(doc)
	e.nullables()
	return json.Marshal(doc, json.Deterministic(true), jsontext.WithIndent(" "))
}

// elder says in the words of OpenAPI 3.0 what a document with these schemas says. There null is only what a schema
// takes that says so itself, whoever refers to it: so one that is referred to where null is taken takes it, or, where
// it is referred to elsewhere too, has a twin that does.
type elder struct {
	schemas       object
	plain, orNull map[string]bool // names of the schemas that are referred to, without and with null beside them
}

const (
	schemaRef = "#/components/schemas/"
	twin      = "OrNull" // ends the name of a twin
)

// count finds out which schemas are referred to, and how.
func (e elder) count(part any) {
	switch v := part.(type) {
	case []any:
		for _, p := range v {
			e.count(p)
		}
	case object:
		if name, ok := refToOrNull(v); ok {
			e.orNull[name] = true
			return
		}
		if ref, ok := v["$ref"].(string); ok {
			e.plain[strings.TrimPrefix(ref, schemaRef)] = true
		}
		for name, p := range v {
			if name != "example" && name != "examples" {
				e.count(p)
			}
		}
	}
}

// refToOrNull is the name of the schema that is referred to with null beside it.
func refToOrNull(v object) (name string, ok bool) {
	either, _ := v["anyOf"].([]any)
	if len(either) != 2 {
		return "", false
	}
	ref, _ := either[0].(object)
	none, _ := either[1].(object)
	to, ok := ref["$ref"].(string)
	return strings.TrimPrefix(to, schemaRef), ok && none["type"] == "null"
}

// nullables lets the schemas take null that are referred to where it is taken, or gives them their twins.
func (e elder) nullables() {
	for name := range e.orNull {
		schema, ok := e.schemas[name].(object)
		if !ok {
			continue
		}
		if e.plain[name] {
			schema = maps.Clone(schema)
			e.schemas[name+twin] = schema
		}
		schema["nullable"] = true
	}
}

// older is a part of a document in the words of OpenAPI 3.0. What is shown as an example stays as it is.
func (e elder) older(part any) any {
	switch v := part.(type) {
	case []any:
		for i := range v {
			v[i] = e.older(v[i])
		}
	case object:
		for name := range v {
			if name != "example" && !strings.HasPrefix(name, "x-") {
				v[name] = e.older(v[name])
			}
		}
		return e.olderSchema(v)
	}
	return part
}

// olderSchema says in the words of JSON Schema's draft of 3.0 what newer ones say otherwise.
func (e elder) olderSchema(v object) any {
	if types, ok := v["type"].([]any); ok && len(types) == 2 && types[1] == "null" {
		v["type"], v["nullable"] = types[0], true
	}
	if either, ok := v["anyOf"].([]any); ok && len(either) == 2 {
		if none, ok := either[1].(object); ok && none["type"] == "null" {
			name, isRef := refToOrNull(v)
			v["allOf"], v["nullable"], v["type"] = either[:1], true, e.typeOf(either[0])
			delete(v, "anyOf")
			if isRef && e.plain[name] {
				v["allOf"] = []any{object{"$ref": schemaRef + name + twin}}
			}
		}
	}
	if shown, ok := v["examples"].([]any); ok {
		v["example"] = shown[0]
		delete(v, "examples")
	}
	if bound, ok := v["exclusiveMinimum"].(float64); ok {
		v["minimum"], v["exclusiveMinimum"] = bound, true
	}
	if target, ok := v["$ref"]; ok && len(v) > 1 {
		delete(v, "$ref")
		v["allOf"] = []any{object{"$ref": target}}
	}
	return v
}

// typeOf is the type of a schema, or of the one that it refers to: nullable needs one beside it.
func (e elder) typeOf(schema any) any {
	v, _ := schema.(object)
	if name, ok := v["$ref"].(string); ok {
		v, _ = e.schemas[strings.TrimPrefix(name, schemaRef)].(object)
	}
	if types, ok := v["type"].([]any); ok {
		return types[0]
	}
	return v["type"]
}
