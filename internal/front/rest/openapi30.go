package rest

import (
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
	return json.Marshal(elder{schemas}.older(doc), json.Deterministic(true), jsontext.WithIndent(" "))
}

// elder says in the words of OpenAPI 3.0 what a document with these schemas says.
type elder struct{ schemas object }

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
			v["allOf"], v["nullable"], v["type"] = either[:1], true, e.typeOf(either[0])
			delete(v, "anyOf")
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
		v, _ = e.schemas[strings.TrimPrefix(name, "#/components/schemas/")].(object)
	}
	if types, ok := v["type"].([]any); ok {
		return types[0]
	}
	return v["type"]
}
