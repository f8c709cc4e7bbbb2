package laws

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"kontor/internal/app"
	"kontor/internal/foundation/limit"
)

// eachDescription goes through the descriptions of both APIs in both versions.
func eachDescription(t *testing.T, fn func(t *testing.T, text []byte, doc *openapi3.T)) {
	for name := range surfaces() {
		for _, version := range []string{"3.1", "3.0"} {
			t.Run(name+"/"+version, func(t *testing.T) {
				text, err := app.Describe(name, version)
				if err != nil {
					t.Fatal(err)
				}
				doc, err := openapi3.NewLoader().LoadFromData(text)
				if err != nil {
					t.Fatal(err)
				}
				fn(t, text, doc)
			})
		}
	}
}

// A storefront shows and mirrors nothing: no list of the commerce API takes modifiedSince, whatever its envelope.
func TestStorefrontsAskForNoDeltas(t *testing.T) {
	text, err := app.Describe("ecom", "3.1")
	if err != nil || strings.Contains(string(text), `"modifiedSince"`) {
		t.Errorf("a list of the commerce API takes modifiedSince, or cannot be described: %v", err)
	}
}

// Who generates a client is told what everything is, and shown an answer of every operation and status.
func TestEverythingIsDescribedAndShown(t *testing.T) {
	eachDescription(t, func(t *testing.T, _ []byte, doc *openapi3.T) {
		if doc.Info.Contact == nil || doc.Info.License == nil || doc.Info.Description == "" {
			t.Error("it does not say who answers for it, or under which licence")
		}
		for name, schema := range doc.Components.Schemas {
			if schema.Value.Description == "" {
				t.Errorf("the schema %s is not described", name)
			}
			eachProperty(name, schema.Value, func(at, name string, property *openapi3.Schema) {
				if property.Description == "" {
					t.Errorf("%s.%s is not described: give it a doc, or its name one in fieldwords.tsv", at, name)
				}
			})
		}
		for at, item := range doc.Paths.Map() {
			for method, o := range item.Operations() {
				whole := strings.ToUpper(o.OperationID[:1]) + o.OperationID[1:] + "Response"
				if s := doc.Components.Schemas[whole]; s != nil && s.Value.Extensions["x-go-name"] == nil {
					t.Errorf("oapi-codegen calls the whole answer of %s as a schema is called", o.OperationID)
				}
				at := method + " " + at
				if o.Description == "" || o.Summary == "" {
					t.Errorf("%s is not described", at)
				}
				for _, p := range o.Parameters {
					if p.Value.Description == "" {
						t.Errorf("%s: the parameter %s is not described: give it a doc, or its name one in fieldwords.tsv",
							at, p.Value.Name)
					}
				}
				for status, answer := range o.Responses.Map() {
					for media, content := range answer.Value.Content {
						if strings.HasSuffix(media, "json") && content.Example == nil {
							t.Errorf(
								"%s shows no answer %s: tell a story in which it is given, with -examples (internal/app/examples_test.go)",
								at, status)
						}
					}
				}
			}
		}
	})
}

// shortNames are fields that are called names and are codes, or parts of a name.
var shortNames = map[string]string{
	"CustomPartInput.name":      "of a part of the shop's own",
	"FormFieldInput.name":       "of a field in what a form sends",
	"FeatureCardInput.iconName": "of an icon of the shop's",
	"RegisterRequest.firstName": "half of a name",
	"RegisterRequest.lastName":  "half of a name",
}

// Names and titles hold 200 characters, descriptions and notes 4,000, wherever they stand: a text without
// its tag is a code, and holds 50.
func TestTextsHoldWhatTheirNamesPromise(t *testing.T) {
	eachDescription(t, func(t *testing.T, _ []byte, doc *openapi3.T) {
		seen := 0
		for name, schema := range doc.Components.Schemas {
			eachProperty(name, schema.Value, func(at, name string, property *openapi3.Schema) {
				if property.MaxLength == nil || shortNames[at+"."+name] != "" {
					return
				}
				least, called := 0, strings.ToLower(name)
				switch {
				case strings.HasSuffix(called, "name"), strings.HasSuffix(called, "title"),
					strings.HasSuffix(called, "reference"):
					least = limit.Name
				case strings.HasSuffix(called, "description"), strings.HasSuffix(called, "notes"), called == "note",
					called == "reason":
					least = limit.Note
				default:
					return
				}
				seen++
				if got := int(*property.MaxLength); got < least {
					t.Errorf("%s.%s holds %d characters, not %d: tag it with its kind of text", at, name, got, least)
				}
			})
		}
		if seen < 10 {
			t.Errorf("only %d texts were seen: the law no longer looks where they are", seen)
		}
	})
}

// eachProperty calls fn with the properties of a schema and of those that stand in it without a name.
func eachProperty(at string, s *openapi3.Schema, fn func(at, name string, property *openapi3.Schema)) {
	for name, p := range s.Properties {
		fn(at, name, p.Value)
		if p.Ref == "" {
			eachProperty(at+"."+name, p.Value, fn)
		}
	}
	if s.Items != nil && s.Items.Ref == "" {
		eachProperty(at+"[]", s.Items.Value, fn)
	}
}

// A field that takes a mail address says so (text:"email"), so that all have one length and one form. Only what is sent
// has a length.
func TestMailAddressesAreAKindOfField(t *testing.T) {
	eachDescription(t, func(t *testing.T, _ []byte, doc *openapi3.T) {
		found := 0
		check := func(at, name string, property *openapi3.Schema) {
			if property.MaxLength == nil || !strings.HasSuffix(strings.ToLower(name), "email") {
				return
			}
			if found++; property.Format != "email" {
				t.Errorf("%s.%s takes any text: tag it text:\"email\"", at, name)
			}
		}
		for name, schema := range doc.Components.Schemas {
			eachProperty(name, schema.Value, check)
		}
		for at, item := range doc.Paths.Map() {
			for _, o := range item.Operations() {
				if o.RequestBody != nil && o.RequestBody.Value.Content.Get("application/json") != nil {
					eachProperty(at, o.RequestBody.Value.Content.Get("application/json").Schema.Value, check)
				}
			}
		}
		if found < 5 {
			t.Errorf("only %d fields of mail addresses were found", found)
		}
	})
}

// namesOfOthers are fields that hold what somebody else calls something, or may hold a name instead.
var namesOfOthers = []string{"externalBookingId", "externalLineId", "pickupPointId", "referenceId", "slugOrId"}

// A field that takes an id of ours says so (format:"uuid"), so that all take capitals, and refuse what is none.
func TestIdsAreAKindOfField(t *testing.T) {
	eachDescription(t, func(t *testing.T, _ []byte, doc *openapi3.T) {
		found := 0
		check := func(at, name string, taken *openapi3.Schema) {
			if taken.MaxLength == nil || name != "id" && !strings.HasSuffix(name, "Id") ||
				slices.Contains(namesOfOthers, name) || slices.Contains(namesOfOthers, at+"."+name) {
				return
			}
			if found++; taken.Format != "uuid" {
				t.Errorf("%s.%s takes any text: tag it format:\"uuid\"", at, name)
			}
		}
		for name, schema := range doc.Components.Schemas {
			eachProperty(name, schema.Value, check)
		}
		for at, item := range doc.Paths.Map() {
			for _, o := range item.Operations() {
				for _, p := range o.Parameters {
					check(at, p.Value.Name, p.Value.Schema.Value)
				}
			}
		}
		if found < 5 {
			t.Errorf("only %d fields of ids were found", found)
		}
	})
}

// What an optional list means that is left out, an empty list does not mean: it is refused.
func TestAnEmptyListIsNotOneLeftOut(t *testing.T) {
	eachDescription(t, func(t *testing.T, _ []byte, doc *openapi3.T) {
		for name, schema := range doc.Components.Schemas {
			eachProperty(name, schema.Value, func(at, name string, property *openapi3.Schema) {
				if property.Items != nil && strings.HasPrefix(property.Description, "Left out: ") && property.MinItems == 0 {
					t.Errorf("%s.%s may be empty: tag it minItems:\"1\"", at, name)
				}
			})
		}
	})
}

// The examples are answers: they have every field of the schema and no other, and values that fit it.
func TestExamplesFitTheirSchemas(t *testing.T) {
	eachDescription(t, func(t *testing.T, _ []byte, doc *openapi3.T) {
		if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
			t.Error(err)
		}
	})
}

// What generators stumble over: value sets closed in answers, decimals that are numbers to them, names with a star.
func TestDescriptionsFeedGenerators(t *testing.T) {
	eachDescription(t, func(t *testing.T, text []byte, doc *openapi3.T) {
		var raw map[string]any
		if err := json.Unmarshal(text, &raw); err != nil {
			t.Fatal(err)
		}
		eachAnswer(raw, func(id string, answer map[string]any) {
			if closed := closedIn(raw, answer["content"], map[string]bool{}); closed != "" {
				t.Errorf("%s answers with a value set that is closed: %s", id, closed)
			}
		})
		if strings.Contains(string(text), `"type": "number"`) {
			t.Error("something is a number, which is a float to most: say text or integer")
		}
		for at, item := range doc.Paths.Map() {
			for method, o := range item.Operations() {
				if method == "POST" && strings.Contains(at, "callbacks") && o.RequestBody == nil {
					t.Errorf("%s: a callback without a body", at)
				}
				for _, p := range o.Parameters {
					if strings.ContainsAny(p.Value.Name, "*[]") {
						t.Errorf("%s: no generator makes a name of %s", at, p.Value.Name)
					}
				}
			}
		}
		if is31 := strings.HasPrefix(doc.OpenAPI, "3.1"); !is31 && (strings.Contains(string(text), `"null"`) ||
			strings.Contains(string(text), `"examples"`)) {
			t.Error("3.0 knows neither the type null nor several examples of a schema")
		} else if !is31 {
			eachNullableReference(raw, func(name string) {
				if s := doc.Components.Schemas[name]; s == nil || !s.Value.Nullable {
					t.Errorf("null is taken where %s is referred to, and %s does not take it", name, name)
				}
			})
		}
	})
}

// eachNullableReference calls fn for each schema that is referred to where null is taken, in the words of 3.0.
func eachNullableReference(part any, fn func(name string)) {
	switch v := part.(type) {
	case []any:
		for _, one := range v {
			eachNullableReference(one, fn)
		}
	case map[string]any:
		all, _ := v["allOf"].([]any)
		if v["nullable"] == true && len(all) == 1 {
			if ref, ok := all[0].(map[string]any)["$ref"].(string); ok {
				fn(path.Base(ref))
			}
		}
		for name, one := range v {
			if name != "example" {
				eachNullableReference(one, fn)
			}
		}
	}
}

// closedIn is the first value set below a part of an answer's schema, references followed.
func closedIn(doc map[string]any, part any, seen map[string]bool) string {
	switch v := part.(type) {
	case []any:
		for _, one := range v {
			if found := closedIn(doc, one, seen); found != "" {
				return found
			}
		}
	case map[string]any:
		if target, ok := v["$ref"].(string); ok && !seen[target] {
			seen[target] = true
			schemas := doc["components"].(map[string]any)["schemas"].(map[string]any)
			return closedIn(doc, schemas[strings.TrimPrefix(target, "#/components/schemas/")], seen)
		}
		if values, ok := v["enum"].([]any); ok {
			return fmt.Sprint(values)
		}
		for name, one := range v {
			if name == "example" || name == "examples" {
				continue
			}
			if found := closedIn(doc, one, seen); found != "" {
				return found
			}
		}
	}
	return ""
}

// What a refusal says beside what every problem says (fault.With) is in the descriptions: what they do not name, no
// generated client can read.
func TestMembersOfRefusalsAreDescribed(t *testing.T) {
	named, found := map[string]bool{}, 0
	eachDescription(t, func(_ *testing.T, _ []byte, doc *openapi3.T) {
		for name := range doc.Components.Schemas["Problem"].Value.Properties {
			named[name] = true
		}
	})
	for _, s := range sources(t, false) {
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 2 {
				return true
			}
			name, ok := call.Args[0].(*ast.BasicLit)
			if with, _ := called(call); with != "With" || !ok || name.Kind != token.STRING {
				return true
			}
			if found++; !named[strings.Trim(name.Value, `"`)] {
				t.Errorf("%s: no description names the member %s of a refusal", at(call), name.Value)
			}
			return true
		})
	}
	if found < 8 {
		t.Errorf("only %d members were found", found)
	}
}
