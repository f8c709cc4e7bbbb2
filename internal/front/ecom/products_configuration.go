package ecom

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/configure"
	"kontor/internal/engine/price"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// configurator are the operations of a made-to-order product.
func configurator() []rest.Op {
	return []rest.Op{
		rest.Get("getProductConfiguration", "/catalog/products/{slugOrId}/configuration",
			"What can be chosen of a made-to-order product, and what goes together.", getProductConfiguration).
			Raises(assortment.ErrNotFound, configuration.ErrSchemaNotFound),
		rest.Do("calculateProductConfiguration", "/catalog/products/{slugOrId}/configuration/calculate",
			"Prices choices, and says which break a rule and which are left.", calculateProductConfiguration).
			NoIdempotencyKey().Raises(assortment.ErrNotFound, configuration.ErrSchemaNotFound,
			catalog.ErrTooManyDecimals, limit.ErrQuantity, limit.ErrAmount).
			Example(
				`{"quantity": "1", "values": [{"featureCode": "top", "optionCode": "oak"}, {"featureCode": "width", "number": "160"}]}`),
	}
}

var (
	choicesOf   = rest.Written[[]wire.Choice, []configure.Value]()
	shownValues = rest.Shown[[]ChosenValue, []configuration.Value]()
	brokenShown = rest.Shown[[]wire.ConfigurationError, []configure.Broken]()
	linesIn     = rest.ShownIn[[]ConfigurationPriceLine, []configure.Impact]()
	choicesLeft = rest.Shown[[]FeatureChoices, []configuration.Alternatives]()
)

// ChosenValue is a choice with its names.
type ChosenValue struct{ wire.Chosen }

// chosenValues are what is chosen of a line of a cart.
func chosenValues(c *configuration.Configuration) []ChosenValue {
	if c == nil {
		return []ChosenValue{}
	}
	return shownValues(c.Values)
}

// ProductFeature is a thing to choose.
type ProductFeature struct {
	Code       string          `json:"code"`
	Name       string          `json:"name"`
	Type       configure.Type  `json:"type"`
	IsRequired bool            `json:"isRequired"`
	IsMeasured bool            `json:"isMeasured" doc:"Of a Number or an Option: the choice has a number, and priceImpact is for one of its unit."`
	Unit       rest.Text       `json:"unit"`
	Min        *dec.Dec        `json:"min"`
	Max        *dec.Dec        `json:"max"`
	Step       *dec.Dec        `json:"step" doc:"From min, else from 0."`
	MaxLength  *int            `json:"maxLength"`
	Options    []ProductOption `json:"options"`
}

// ProductOption is a value that a feature offers.
type ProductOption struct {
	Code         string     `json:"code"`
	Name         string     `json:"name"`
	ItemNumber   rest.Text  `json:"itemNumber"`
	PriceImpact  *dec.Fixed `json:"priceImpact" doc:"On a base unit, in the company's currency."`
	PricePercent *dec.Dec   `json:"pricePercent" doc:"Of the base price."`
	IsDefault    bool       `json:"isDefault"`
}

// ProductRule is a condition that choices must meet.
type ProductRule struct {
	Message    string `json:"message"`
	Expression string `json:"expression" doc:"In CEL, over the map values by feature code."`
}

// ProductConfiguration is what can be chosen of a product.
type ProductConfiguration struct {
	ItemID     string           `json:"itemId" format:"uuid"`
	ItemNumber string           `json:"itemNumber"`
	Features   []ProductFeature `json:"features"`
	Rules      []ProductRule    `json:"rules"`
}

// madeToOrder is a product of the store and its schema.
func madeToOrder(tx *db.Tx, slugOrID string) (*assortment.Article, *configure.Model, error) {
	v := storefront.Of(tx)
	a, err := assortment.Find(tx, v.Viewer(), slugOrID)
	if err != nil {
		return nil, nil, err
	}
	model, err := configuration.ModelOf(tx, a.Item.ID)
	if err == nil && (model == nil || !v.Channel.Store.Offers().Configurator) {
		err = configuration.ErrSchemaNotFound.Because("nothing can be chosen of %s in this store", a.Name)
	}
	return a, model, err
}

var (
	productFeatures = rest.ShownIn[[]ProductFeature, []configure.Feature]()
	productRules    = rest.Shown[[]ProductRule, []configure.Rule]()
)

func getProductConfiguration(tx *db.Tx, in rest.Key) (ProductConfiguration, error) {
	a, model, err := madeToOrder(tx, in.Key)
	if err != nil {
		return ProductConfiguration{}, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return ProductConfiguration{}, err
	}
	return ProductConfiguration{ItemID: a.Item.ID, ItemNumber: a.Item.Number,
		Features: productFeatures(book.Base().Decimals, model.Features), Rules: productRules(model.Rules)}, nil
}

type calculateProductConfigurationRequest struct {
	Quantity dec.Dec       `json:"quantity" gt:"0" default:"1" doc:"In the unit the product is sold by."`
	Values   []wire.Choice `json:"values" maxItems:"200"`
}

// ConfigurationPriceLine is one line of the explanation of a price.
type ConfigurationPriceLine struct {
	wire.Impact
	Amount dec.Fixed `json:"amount" doc:"On one unit, in the terms of unitPrice: the lines come to it."`
}

// FeatureChoices says which values of a feature can be chosen, or chosen instead.
type FeatureChoices struct {
	FeatureCode string                `json:"featureCode" of:"Feature"`
	Options     []FeatureOptionChoice `json:"options"`
}

// FeatureOptionChoice says whether a value of a feature can be chosen, or chosen instead.
type FeatureOptionChoice struct{ wire.Alternative }

// ProductCalculation is what is to be said of choices.
type ProductCalculation struct {
	ItemID                        string                        `json:"itemId" format:"uuid"`
	ItemNumber                    string                        `json:"itemNumber"`
	Quantity                      dec.Dec                       `json:"quantity"`
	Unit                          rest.Text                     `json:"unit" doc:"Prices per unit are for one of it."`
	IsValid                       bool                          `json:"isValid"`
	Errors                        []wire.ConfigurationError     `json:"errors"`
	ConfigurationPriceImpact      dec.Fixed                     `json:"configurationPriceImpact" doc:"What the choices add to the whole quantity, in the company's currency."`
	CurrencyCode                  string                        `json:"currencyCode"`
	BasePricePerUnit              *dec.Fixed                    `json:"basePricePerUnit" doc:"Null: there is no price."`
	ConfigurationSurchargePerUnit *dec.Fixed                    `json:"configurationSurchargePerUnit" doc:"What the choices add."`
	UnitPrice                     *dec.Fixed                    `json:"unitPrice" doc:"basePricePerUnit and configurationSurchargePerUnit, as an order line gets it."`
	UnitPriceIncludingTax         *dec.Fixed                    `json:"unitPriceIncludingTax"`
	IsPriceIncludingTax           bool                          `json:"isPriceIncludingTax" doc:"Of basePricePerUnit, configurationSurchargePerUnit and unitPrice."`
	TotalPrice                    *dec.Fixed                    `json:"totalPrice" doc:"Of the quantity, without tax."`
	TotalPriceIncludingTax        *dec.Fixed                    `json:"totalPriceIncludingTax"`
	PriceListName                 rest.Text                     `json:"priceListName"`
	PriceSource                   price.Source                  `json:"priceSource"`
	PriceLines                    []ConfigurationPriceLine      `json:"priceLines" doc:"How the unit price comes about."`
	Values                        []ChosenValue                 `json:"values" doc:"The choices that are right in themselves."`
	Components                    []wire.ConfigurationComponent `json:"components"`
	Choices                       []FeatureChoices              `json:"choices" doc:"What can be chosen, with all other choices as they are."`
}

func calculateProductConfiguration(tx *db.Tx,
	in rest.With[rest.Key, calculateProductConfigurationRequest]) (ProductCalculation, error) {
	article, model, err := madeToOrder(tx, in.At.Key)
	if err != nil {
		return ProductCalculation{}, err
	}
	if err := catalog.CheckQuantity(&article.Item, in.Body.Quantity); err != nil {
		return ProductCalculation{}, err
	}
	viewer := storefront.Of(tx).Viewer()
	a := configuration.Asking{Item: &article.Item, Customer: viewer.Customer, Quantity: in.Body.Quantity,
		Unit: article.Unit(), Situation: viewer.Situation(), Country: viewer.Country}
	c, err := configuration.Calculate(tx, a, model, choicesOf(in.Body.Values))
	if err != nil {
		return ProductCalculation{}, err
	}
	factor, _ := article.Item.Factor(a.Unit)
	out := ProductCalculation{ItemID: article.Item.ID, ItemNumber: article.Item.Number, Quantity: in.Body.Quantity,
		Unit: rest.Text(a.Unit), IsValid: c.IsValid(), Errors: brokenShown(c.Broken),
		Values: shownValues(configuration.ValuesOf(&c.Answer)), Choices: choicesLeft(c.Alternatives()),
		Components: each.Of(c.Components, func(k configuration.Component) wire.ConfigurationComponent {
			return wire.ConfigurationComponent{ItemNumber: k.ItemNumber,
				Quantity: k.Quantity.Mul(factor).Mul(in.Body.Quantity)}
		})}
	book, err := reference.Of(tx)
	out.ConfigurationPriceImpact.Digits = book.Base().Decimals
	out.price(&c)
	return out, err
}

// price fills in the priced fields.
func (p *ProductCalculation) price(c *configuration.Calculation) {
	fixed := func(d dec.Dec) *dec.Fixed { return &dec.Fixed{Value: d, Digits: c.Digits} }
	q := &c.Quote
	p.CurrencyCode, p.PriceListName, p.PriceSource, p.IsPriceIncludingTax = q.CurrencyCode, rest.Text(q.ListName),
		q.Source, q.IsPriceIncludingTax
	p.ConfigurationPriceImpact.Value, p.PriceLines = c.Impact, linesIn(c.Digits, c.Lines)
	if q.UnitPrice == nil {
		return
	}
	p.BasePricePerUnit, p.ConfigurationSurchargePerUnit, p.UnitPrice = fixed(q.BasePrice), fixed(q.Surcharge()),
		fixed(*q.UnitPrice)
	net, vat := tax.Line(*q.UnitPrice, c.TaxPercent, c.Digits, q.IsPriceIncludingTax)
	p.UnitPriceIncludingTax = fixed(net.Add(vat))
	p.TotalPrice, p.TotalPriceIncludingTax = fixed(c.Total), fixed(c.Total.Add(c.Tax))
}
