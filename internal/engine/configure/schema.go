// Package configure is products that are made as the customer wants them: which choices there are, which of them go
// together, what they add to the price, and what goes into the product. It is pure: a schema, choices in, an answer
// out.
//
// What goes together is said by rules in the Common Expression Language (CEL, cel.dev). A rule sees the map `values` by
// feature code:
// the code of the chosen option, the number as a double, the text, the boolean. Numbers pass to rules alone as doubles,
// each as the nearest there is; prices, measures and steps are exact decimals throughout.
package configure

import (
	"cmp"
	"slices"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fold"
)

// Type is the kind of value that a feature takes.
type Type string

// The types of features.
const (
	TypeOption  Type = "Option"
	TypeNumber  Type = "Number"
	TypeText    Type = "Text"
	TypeBoolean Type = "Boolean"
)

// Values are the types, in the order they are shown.
func (Type) Values() []Type { return []Type{TypeOption, TypeNumber, TypeText, TypeBoolean} }

// Schema is what can be chosen of a product, and what goes together.
type Schema struct {
	Features []Feature `json:"features"`
	Rules    []Rule    `json:"rules"`
}

// Feature is one thing to choose. One of type Option takes one of its options; one of another type may have a single
// option, which says what its choice costs and consists of: it counts when the number or text is given, or the boolean
// is true.
type Feature struct {
	Code       string `json:"code"`
	Name       string `json:"name"`
	Type       Type   `json:"type"`
	IsRequired bool   `json:"isRequired,omitempty"`
	// Number, Option: its number says how much of the option is wanted
	IsMeasured bool     `json:"isMeasured,omitempty"`
	Unit       string   `json:"unit,omitempty"` // of the number, as it is shown
	Min        *dec.Dec `json:"min,omitempty"`  // of the number
	Max        *dec.Dec `json:"max,omitempty"`
	Step       *dec.Dec `json:"step,omitempty"`      // from Min, or from 0
	MaxLength  int      `json:"maxLength,omitempty"` // of the text, in characters; 0 = MostText
	Options    []Option `json:"options,omitempty"`
}

// Option is one of the values that a feature offers.
type Option struct {
	Code       string `json:"code"`
	Name       string `json:"name"`
	ItemNumber string `json:"itemNumber,omitempty"` // that goes into the product
	// on a base unit, in the base currency; of a measured feature for each unit of its number
	PriceImpact  *dec.Dec `json:"priceImpact,omitempty"`
	PricePercent *dec.Dec `json:"pricePercent,omitempty"` // of the base price
	IsDefault    bool     `json:"isDefault,omitempty"`    // proposed to who chooses; nothing is chosen by itself
}

// Rule is a condition that choices must meet, in CEL, and what to say where they do not.
type Rule struct {
	Message    string `json:"message"`
	Expression string `json:"expression"`
}

// The bounds of a schema.
const (
	MostFeatures   = 100
	MostOptions    = 200 // of a feature
	MostRules      = 200
	MostText       = 1_000 // characters of a text that is chosen
	MostCode       = 50
	MostName       = 200
	MostMessage    = 500
	MostExpression = 2_000
	MostCost       = 10_000    // of a rule, as CEL estimates it: about the number of steps
	MostAsking     = 1_000_000 // of an answer: every rule once, and again for each option of what it reads
)

// mostNumber bounds the numbers that can be chosen.
const mostNumber = 999_999_999 * dec.One

// mostPercent bounds what an option may add in percent.
const mostPercent = 1_000 * dec.One

// Index is the place of a feature in the schema, -1 where it has none of the code.
func (s *Schema) Index(feature string) int {
	for i := range s.Features {
		if s.Features[i].Code == feature {
			return i
		}
	}
	return -1
}

// named is Index for who chooses, who need not write the code with its capitals, as no code of a record.
func (s *Schema) named(feature string) int {
	if i := s.Index(feature); i >= 0 {
		return i
	}
	key := fold.Key(feature)
	return slices.IndexFunc(s.Features, func(f Feature) bool { return fold.Key(f.Code) == key })
}

// Option finds an option of the feature, whose code need not be written with its capitals; nil where it has none of it.
func (f *Feature) Option(code string) *Option {
	i := slices.IndexFunc(f.Options, func(o Option) bool { return o.Code == code })
	if i < 0 && code != "" {
		key := fold.Key(code)
		i = slices.IndexFunc(f.Options, func(o Option) bool { return fold.Key(o.Code) == key })
	}
	if i < 0 {
		return nil
	}
	return &f.Options[i]
}

// Default is the option that is proposed; nil where none is.
func (f *Feature) Default() *Option {
	for i := range f.Options {
		if f.Options[i].IsDefault {
			return &f.Options[i]
		}
	}
	return nil
}

// TakesNumber reports whether a choice of the feature has a number.
func (f *Feature) TakesNumber() bool { return f.Type == TypeNumber || f.IsMeasured }

func (f *Feature) maxLength() int {
	return cmp.Or(f.MaxLength, MostText)
}
