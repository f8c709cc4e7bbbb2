package catalog

import (
	"regexp"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// DataType is what the values of an attribute are.
type DataType string

// The types of values.
const (
	Text          DataType = "Text"
	WholeNumber   DataType = "WholeNumber"
	DecimalNumber DataType = "DecimalNumber"
	Boolean       DataType = "Boolean"
	Date          DataType = "Date"
	URL           DataType = "Url"
	HTML          DataType = "Html"
	Color         DataType = "Color"
)

// Values are the types, in the order they are shown.
func (DataType) Values() []DataType {
	return []DataType{Text, WholeNumber, DecimalNumber, Boolean, Date, URL, HTML, Color}
}

// Attribute defines a property that items may have values of.
type Attribute struct {
	record.Root
	Code, Name, Description string
	Group                   string `db:"group_name"`
	DataType                DataType
	Unit                    string   // of measure, for display
	AllowedValues           []string `db:",json"` // empty: any value that the other rules allow
	IsMultiValue            bool
	IsVisible               bool // on the product page
	MinValue, MaxValue      *dec.Dec
	Pattern                 string // RE2, which a value must match as a whole
	IsActive                bool
}

// SaveAttribute creates an attribute, or changes the one of the same code. Its code and, while items
// have values of it, its data type stay. Refusals: Attribute.Invalid for each rule broken.
func SaveAttribute(tx *db.Tx, a Attribute) (Attribute, error) {
	_, err := attributes.Put(tx, &a, func(before Attribute, a *Attribute) error {
		wrong := checkAttribute(a)
		if before.ID != "" && a.DataType != before.DataType {
			used, err := attributeUsed(tx, a.Code)
			if err != nil {
				return err
			}
			wrong.If(used, ErrAttributeInvalid, "dataType",
				"stays %s while items have values of %s: make another attribute", before.DataType, before.Code)
		}
		return wrong.Err()
	})
	return a, err
}

// checkAttribute holds a definition against its own rules; allowed values are brought to their plain form.
func checkAttribute(a *Attribute) *fault.List {
	var wrong fault.List
	wrong.If(a.Code == "" || a.Name == "", ErrAttributeInvalid, "name", "an attribute needs a code and a name")
	oneOf(&wrong, "dataType", a.DataType)
	number := a.DataType == WholeNumber || a.DataType == DecimalNumber
	wrong.If(!number && (a.MinValue != nil || a.MaxValue != nil), ErrAttributeInvalid, "minValue",
		"bounds are for numbers, not for %s", a.DataType)
	wrong.If(a.MinValue != nil && a.MaxValue != nil && *a.MinValue > *a.MaxValue, ErrAttributeInvalid, "maxValue",
		"must not be below minValue")
	if a.Pattern != "" {
		if _, err := regexp.Compile(whole(a.Pattern)); err != nil {
			wrong.Add(ErrAttributeInvalid, "pattern", "is not a regular expression (RE2): %v", err)
		}
	}
	if !wrong.Empty() {
		return &wrong
	}
	c := checkerOf(*a)
	c.allowed = nil // they are what is being defined
	a.AllowedValues = slices.Clone(a.AllowedValues)
	for n, v := range a.AllowedValues {
		plain, problem := c.plain(v)
		if problem.Is() {
			wrong.Add(ErrAttributeInvalid, "allowedValues", "%q %s", v, problem)
			continue
		}
		a.AllowedValues[n] = plain
	}
	return &wrong
}
