package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

func itemConfiguration() []rest.Op {
	return []rest.Op{
		rest.Get("getItemConfiguration", "/items/{itemNumber}/configuration",
			"What can be chosen of a made-to-order item, and what goes together.", getItemConfiguration).
			Raises(catalog.ErrNotFound, configuration.ErrSchemaNotFound),
		rest.Put("putItemConfiguration", "/items/{itemNumber}/configuration",
			"Replaces what can be chosen of an item: features and rules whole; without features nothing can.",
			putItemConfiguration).
			Answers(200).Extension().Raises(catalog.ErrNotFound, configuration.ErrSchemaInvalid, limit.ErrAmount).
			Example(`{"features": [{"code": "top", "name": "Top", "type": "Option", "isRequired": true, "options": [{"code": "pine", "name": "Pine", "isDefault": true},
				{"code": "oak", "name": "Oak", "pricePercent": "25"}]}, {"code": "width", "name": "Width", "type": "Number", "isRequired": true, "unit": "cm", "min": "80", "max": "240"}],
				"rules": [{"message": "Oak is at most 200 cm wide", "expression": "values.top != 'oak' || values.width <= 200"}]}`),
	}
}

// featureFields are a thing to choose, but for its options.
type featureFields struct {
	Code       string         `json:"code" req:"true" example:"top"`
	Name       string         `json:"name" req:"true" text:"name" example:"Top"`
	Type       configure.Type `json:"type" req:"true"`
	IsRequired bool           `json:"isRequired"`
	IsMeasured bool           `json:"isMeasured" doc:"Of a Number or an Option: the choice has a number, and priceImpact is for one of its unit."`
	Unit       rest.Text      `json:"unit" doc:"Of the number, as it is shown." example:"cm"`
	Min        *dec.Dec       `json:"min" doc:"Of the number."`
	Max        *dec.Dec       `json:"max"`
	Step       *dec.Dec       `json:"step" doc:"From min, else from 0."`
	MaxLength  *int           `json:"maxLength" min:"1" max:"1000" doc:"Of the text, in characters; null: 1000."`
}

// configurationFeature is a thing to choose.
type configurationFeature struct {
	featureFields
	Options []configurationOption `json:"options" doc:"Of a feature of another type than Option: none, or the one that says what its choice costs."`
}

type configurationFeatureInput struct {
	featureFields
	Options []configurationOptionInput `json:"options" maxItems:"200" doc:"Of a feature of another type than Option: none, or the one that says what its choice costs."`
}

// optionFields are a value that a feature offers, but for what it costs.
type optionFields struct {
	Code         string    `json:"code" req:"true" example:"oak"`
	Name         string    `json:"name" req:"true" text:"name" example:"Oak"`
	ItemNumber   rest.Text `json:"itemNumber" doc:"That goes into the product."`
	PricePercent *dec.Dec  `json:"pricePercent" doc:"Of the base price."`
	IsDefault    bool      `json:"isDefault" doc:"Proposed to who chooses; nothing is chosen by itself."`
}

// configurationOption is a value that a feature offers.
type configurationOption struct {
	optionFields
	PriceImpact *dec.Fixed `json:"priceImpact" doc:"On a base unit, in the company's currency."`
}

type configurationOptionInput struct {
	optionFields
	PriceImpact *dec.Dec `json:"priceImpact" doc:"On a base unit, in the company's currency."`
}

// configurationRule is a condition that choices must meet.
type configurationRule struct {
	Message    string `json:"message" req:"true" text:"note" doc:"What is said where it is broken."`
	Expression string `json:"expression" req:"true" text:"note" doc:"In CEL, over the map values by feature code; true where the choices go together. One that reads a choice that was not made holds."`
}

// ItemConfiguration is what can be chosen of an item.
type ItemConfiguration struct {
	rest.Tag
	ItemNumber string                 `json:"itemNumber"`
	Features   []configurationFeature `json:"features"`
	Rules      []configurationRule    `json:"rules"`
	Links      rest.Links             `json:"links"`
}

var (
	featuresIn      = rest.ShownIn[[]configurationFeature, []configure.Feature]()
	featuresWritten = rest.Written[[]configurationFeatureInput, []configure.Feature]()
	rulesOf         = rest.Shown[[]configurationRule, []configure.Rule]()
	rulesWritten    = rest.Written[[]configurationRule, []configure.Rule]()
)

func itemConfigurationOf(tx *db.Tx, item catalog.Item, s configure.Schema) (ItemConfiguration, error) {
	digits, err := baseDigits(tx)
	return ItemConfiguration{Tag: rest.Tag{Value: item.ETag()}, ItemNumber: item.Number,
		Features: featuresIn(digits, s.Features), Rules: rulesOf(s.Rules),
		Links: rest.Links{Self: rest.Self("/preview/items/", item.Number).Self + "/configuration"}}, err
}

func getItemConfiguration(tx *db.Tx, in rest.Key) (ItemConfiguration, error) {
	item, s, err := configuration.SchemaOf(tx, in.Key)
	if err != nil {
		return ItemConfiguration{}, err
	}
	return itemConfigurationOf(tx, item, s)
}

type putItemConfigurationRequest struct {
	ItemNumber rest.Text                   `json:"itemNumber" doc:"Not needed: the path names the item."`
	Features   []configurationFeatureInput `json:"features" maxItems:"100" doc:"None: nothing can be chosen any more."`
	Rules      []configurationRule         `json:"rules" maxItems:"200"`
}

func putItemConfiguration(tx *db.Tx, in rest.With[rest.Key, putItemConfigurationRequest]) (ItemConfiguration, error) {
	s := configure.Schema{Features: featuresWritten(in.Body.Features), Rules: rulesWritten(in.Body.Rules)}
	item, err := configuration.SaveSchema(tx, in.At.Key, s)
	if err != nil {
		return ItemConfiguration{}, err
	}
	return itemConfigurationOf(tx, item, s)
}
