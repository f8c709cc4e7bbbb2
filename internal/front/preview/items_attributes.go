package preview

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/rest"
)

func itemAttributes() []rest.Op {
	return []rest.Op{
		rest.List("listItemAttributes", "/items/{itemNumber}/attributes", "Attribute values of an item.",
			listItemAttributes).
			NoDelta(whyNoDelta).Raises(catalog.ErrNotFound),
		rest.Put("putItemAttribute", "/items/{itemNumber}/attributes/{attributeCode}",
			"Sets an attribute's value or values.", putItemAttribute).
			Raises(catalog.ErrNotFound, catalog.ErrAttributeNotFound, catalog.ErrInvalidValue).
			Example(`{"value": "Red"}`),
		rest.Delete("deleteItemAttribute", "/items/{itemNumber}/attributes/{attributeCode}", "Clears an attribute.",
			rest.OfPart[rest.Part](changedItem, catalog.ClearValues)).
			Raises(catalog.ErrNotFound, catalog.ErrAttributeNotFound, catalog.ErrValueNotFound),
		rest.List("listAttributes", "/attributes", "Attribute definitions by code, active ones only.", listAttributes).
			Cached(), rest.Get("getAttribute", "/attributes/{code}", "One attribute definition.", shownAttribute.Of(catalog.FindAttribute)).
			CachedOne(catalog.Attributes).Raises(catalog.ErrAttributeNotFound),
	}
}

// ItemAttribute is what an item has of an attribute, on the wire.
type ItemAttribute struct {
	AttributeCode string           `json:"attributeCode"`
	Name          string           `json:"name"`
	DataType      catalog.DataType `json:"dataType"`
	Unit          rest.Text        `json:"unit"`
	Values        []string         `json:"values"`
}

func valueShown(v catalog.Value) ItemAttribute {
	return ItemAttribute{AttributeCode: v.Attribute.Code, Name: v.Attribute.Name, DataType: v.Attribute.DataType,
		Unit: rest.Text(v.Attribute.Unit), Values: v.Values}
}

// attributesAsked reads the attribute filters of a list, each code:value.
func attributesAsked(filters []string) ([]catalog.AttributeIs, error) {
	var asked []catalog.AttributeIs
	for _, f := range filters {
		code, value, ok := strings.Cut(f, ":")
		if !ok || strings.TrimSpace(code) == "" || strings.TrimSpace(value) == "" {
			return nil, fault.ErrInvalid.At("attribute", "%q is not of the form code:value, such as colour:Red", f)
		}
		asked = append(asked, catalog.AttributeIs{Code: strings.TrimSpace(code), Value: strings.TrimSpace(value)})
	}
	return asked, nil
}

func listItemAttributes(tx *db.Tx, in rest.Parts) (rest.Paged[ItemAttribute], error) {
	i, err := catalog.Find(tx, in.Of)
	if err != nil {
		return rest.Paged[ItemAttribute]{}, err
	}
	values, err := catalog.ValuesOf(tx, i.ID)
	return rest.PageOfAll(values, in.Paging, valueShown), err
}

type putItemAttributeRequest struct {
	Value  jsontext.Value   `json:"value" doc:"A text, a number or a boolean, by the attribute's dataType."`
	Values []jsontext.Value `json:"values" maxItems:"200" doc:"Instead of value, for attributes with isMultiValue."`
}

func putItemAttribute(tx *db.Tx, in rest.With[rest.Part, putItemAttributeRequest]) (rest.NoContent, error) {
	given, field := in.Body.Values, "values"
	switch one := in.Body.Value; {
	case len(one) == 0 && given == nil:
		return rest.NoContent{}, catalog.ErrInvalidValue.At("value", "is required: send value, or values for several")
	case len(one) > 0 && given != nil:
		return rest.NoContent{}, catalog.ErrInvalidValue.At("values", "stands beside value: send one of the two")
	case len(one) > 0:
		given, field = []jsontext.Value{one}, "value"
	}
	values, err := scalars(given, field)
	if err != nil {
		return rest.NoContent{}, err
	}
	i, err := catalog.PutValues(tx, in.At.Of, in.At.Key, values)
	return changedItem.One(tx, i, err)
}

// scalars are JSON texts, numbers and booleans as text; numbers keep the digits they were written with.
func scalars(given []jsontext.Value, field string) ([]string, error) {
	var wrong fault.List
	out := make([]string, len(given))
	for n, v := range given {
		at := field
		if field == "values" {
			at = fmt.Sprintf("values[%d]", n)
		}
		switch v.Kind() {
		case '"':
			text, err := jsontext.AppendUnquote(nil, v)
			if err != nil {
				return nil, err
			}
			if out[n] = string(text); strings.ContainsFunc(out[n], isControl) {
				wrong.Add(catalog.ErrInvalidValue, at,
					"holds a control character; only line breaks and tabs are allowed")
			}
		case '0', 't', 'f':
			out[n] = v.String()
		default:
			wrong.Add(catalog.ErrInvalidValue, at, "must be a text, a number or a boolean")
		}
	}
	return out, wrong.Err()
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }

// Attribute is the definition of an attribute on the wire.
type Attribute struct {
	rest.Tag
	Code                   string           `json:"code"`
	Name                   string           `json:"name"`
	Description            rest.Text        `json:"description"`
	Group                  rest.Text        `json:"group"`
	DataType               catalog.DataType `json:"dataType"`
	Unit                   rest.Text        `json:"unit"`
	HasPredefinedValues    bool             `json:"hasPredefinedValues" of:"-"`
	AllowedValues          *[]string        `json:"allowedValues" of:"-" doc:"Null where any value of the type is allowed."`
	IsMultiValue           bool             `json:"isMultiValue"`
	IsVisibleOnProductPage bool             `json:"isVisibleOnProductPage" of:"IsVisible"`
	MinValue               *dec.Dec         `json:"minValue" doc:"Null is no lower bound."`
	MaxValue               *dec.Dec         `json:"maxValue"`
	Pattern                rest.Text        `json:"pattern" doc:"Regular expression (RE2) that a text must match in full."`
	rest.Stamps
	Links rest.Links `json:"links" of:"Code" self:"/preview/attributes/"`
}

var shownAttribute = rest.Shows(attributeShown)

var attributeOf = rest.Shown[Attribute, catalog.Attribute]()

func attributeShown(a catalog.Attribute) Attribute {
	out := attributeOf(a)
	out.HasPredefinedValues = len(a.AllowedValues) > 0
	if out.HasPredefinedValues {
		out.AllowedValues = &a.AllowedValues
	}
	return out
}

type listAttributesIn struct {
	rest.Paging
	Search string `query:"search" doc:"Part of code or name."`
}

func listAttributes(tx *db.Tx, in listAttributesIn) (rest.Paged[Attribute], error) {
	found, err := catalog.ListAttributes(tx, in.Search, in.Record())
	return rest.PageOf(found, in.Paging, attributeShown), err
}
