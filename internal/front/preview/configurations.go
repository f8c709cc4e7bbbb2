package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/engine/configure"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Configurations are made-to-order products as customers want them.
func Configurations() rest.Group {
	wrong := []fault.Code{catalog.ErrNotFound, party.ErrNotFound, catalog.ErrTooManyDecimals, limit.ErrQuantity,
		limit.ErrAmount, configuration.ErrNotConfigurable, configuration.ErrWarehouseNotFound}
	return rest.Group{Tag: "Configurations", Scope: "configurations",
		Doc: "Made-to-order products: choices priced, checked, saved, and turned into sales orders.", Ops: []rest.Op{
			rest.List("listConfigurations", "/configurations",
				"Saved configurations that are not ordered yet, by number.",
				rest.Lists[listConfigurationsIn](byDigits(configurationRow), configuration.List)).Cached(),
			rest.Create("createConfiguration", "/configurations", "Saves choices that keep to the rules.",
				createConfiguration).
				Raises(append(wrong, configuration.ErrInvalid, configuration.ErrExists)...).
				Example(
					`{"itemNumber": "DESK", "customerNumber": "C-1001", "quantity": "1", "values": [{"featureCode": "top", "optionCode": "oak"}, {"featureCode": "width", "number": "160"}]}`),
			rest.Do("calculateConfiguration", "/configurations/calculate",
				"Prices choices, and says which break a rule and which are left. Nothing is saved.",
				calculateConfiguration).
				NoIdempotencyKey().Scoped("configurations:read").Raises(wrong...).
				Example(
					`{"itemNumber": "DESK", "quantity": "1", "values": [{"featureCode": "top", "optionCode": "oak"}, {"featureCode": "width", "number": "160"}]}`),
			rest.Get("getConfiguration", "/configurations/{configurationNumber}",
				"One configuration, with its price now and what of it no longer fits.", getConfiguration).
				Raises(configuration.ErrNotFound),
			rest.Patch("updateConfiguration", "/configurations/{configurationNumber}",
				"Changes title, customer, quantity or choices before it is ordered; values replace those there are.",
				updateConfiguration).
				Raises(append(wrong, configuration.ErrNotFound, configuration.ErrAlreadyOrdered, configuration.ErrInUse,
					configuration.ErrInvalid)...).Example(`{"quantity": "2"}`).Extension(),
			rest.Delete("deleteConfiguration", "/configurations/{configurationNumber}",
				"Deletes a configuration that is not ordered.", rest.Gone(configuration.Delete)).
				Raises(configuration.ErrNotFound, configuration.ErrAlreadyOrdered, configuration.ErrInUse),
			rest.Do("orderConfiguration", "/configurations/{configurationNumber}/order",
				"Turns a configuration into a sales order of its customer.", orderConfiguration).Creates().
				Raises(configuration.ErrNotFound, configuration.ErrCustomerRequired, configuration.ErrAlreadyOrdered,
					configuration.ErrInvalid, party.ErrInactive, catalog.ErrInactive, sales.ErrNoPrice,
					sales.ErrWarehouseNotFound).
				Example(`{"customerReference": "PO 4711"}`),
		}}
}

var choicesOf = rest.Written[[]wire.Choice, []configure.Value]()

// ConfigurationValue is a choice with the names it was made with.
type ConfigurationValue struct {
	wire.Chosen
	ItemNumber rest.Text `json:"itemNumber" doc:"That the choice puts into the product."`
}

var (
	configurationValues = rest.Shown[[]ConfigurationValue, []configuration.Value]()
	brokenShown         = rest.Shown[[]wire.ConfigurationError, []configure.Broken]()
	linesIn             = rest.ShownIn[[]ConfigurationPriceLine, []configure.Impact]()
	choicesLeft         = rest.Shown[[]FeatureChoices, []configuration.Alternatives]()
)

// ConfigurationPriceLine is one line of the explanation of a price.
type ConfigurationPriceLine struct {
	wire.Impact
	Amount dec.Fixed `json:"amount" doc:"On one base unit, in the terms of unitPrice: the lines come to it."`
}

// ConfigurationPrice are the priced fields; all are null in lists.
type ConfigurationPrice struct {
	CurrencyCode                  rest.Text                `json:"currencyCode"`
	BasePricePerUnit              *dec.Fixed               `json:"basePricePerUnit" doc:"Null: there is no price."`
	ConfigurationSurchargePerUnit *dec.Fixed               `json:"configurationSurchargePerUnit" doc:"What the choices add."`
	UnitPrice                     *dec.Fixed               `json:"unitPrice" doc:"basePricePerUnit and configurationSurchargePerUnit, as an order line gets it."`
	IsPriceIncludingTax           *bool                    `json:"isPriceIncludingTax" doc:"Of the three prices per unit."`
	TotalPrice                    *dec.Fixed               `json:"totalPrice" doc:"Of the quantity, without tax."`
	PriceListName                 rest.Text                `json:"priceListName"`
	PriceSource                   *price.Source            `json:"priceSource"`
	PriceLines                    []ConfigurationPriceLine `json:"priceLines" doc:"How the unit price comes about."`
}

func configurationPrice(c *configuration.Calculation) ConfigurationPrice {
	fixed := func(d dec.Dec) *dec.Fixed { return &dec.Fixed{Value: d, Digits: c.Digits} }
	q := &c.Quote
	out := ConfigurationPrice{CurrencyCode: rest.Text(q.CurrencyCode), PriceListName: rest.Text(q.ListName),
		PriceSource: &q.Source, PriceLines: linesIn(c.Digits, c.Lines)}
	if q.UnitPrice == nil {
		return out
	}
	out.BasePricePerUnit, out.ConfigurationSurchargePerUnit, out.UnitPrice = fixed(q.BasePrice), fixed(q.Surcharge()),
		fixed(*q.UnitPrice)
	out.IsPriceIncludingTax, out.TotalPrice = &q.IsPriceIncludingTax, fixed(c.Total)
	return out
}

// ConfigurationVerdict is what is to be said of choices.
type ConfigurationVerdict struct {
	IsValid    *bool                         `json:"isValid" doc:"Null in lists."`
	Errors     []wire.ConfigurationError     `json:"errors" doc:"Of a configuration that was saved: what of it no longer fits."`
	Components []wire.ConfigurationComponent `json:"components"`
}

func configurationVerdict(c *configuration.Calculation, quantity dec.Dec) ConfigurationVerdict {
	valid := c.IsValid()
	return ConfigurationVerdict{IsValid: &valid, Errors: brokenShown(c.Broken),
		Components: each.Of(c.Components, func(k configuration.Component) wire.ConfigurationComponent {
			return wire.ConfigurationComponent{ItemNumber: k.ItemNumber, Quantity: k.Quantity.Mul(quantity)}
		})}
}

// Configuration is choices that were saved. In lists its price and its verdict are left out.
type Configuration struct {
	rest.WideTag
	ConfigurationNumber      string    `json:"configurationNumber" of:"Number"`
	Title                    rest.Text `json:"title"`
	Description              rest.Text `json:"description"`
	CustomerNumber           rest.Text `json:"customerNumber" doc:"Required before it can be ordered."`
	CustomerName             rest.Text `json:"customerName"`
	ItemNumber               string    `json:"itemNumber" of:"Item"`
	ItemName                 string    `json:"itemName"`
	Quantity                 dec.Dec   `json:"quantity" doc:"In the item's base unit."`
	WarehouseCode            rest.Text `json:"warehouseCode"`
	ConfigurationPriceImpact dec.Fixed `json:"configurationPriceImpact" of:"PriceImpact" doc:"What the choices add to the whole quantity, in the company's currency; in lists as last saved."`
	ConfigurationPrice       `of:"-"`
	ConfigurationVerdict     `of:"-"`
	Values                   []ConfigurationValue `json:"values"`
	OrderNumber              rest.Text            `json:"orderNumber" doc:"Null until it is ordered."`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/configurations/"`
}

var configurationRow = rest.ShownIn[Configuration, configuration.Configuration]()

// configurationNow is a configuration with its price and its verdict.
func configurationNow(tx *db.Tx, c configuration.Configuration, err error) (Configuration, error) {
	if err != nil {
		return Configuration{}, err
	}
	now, err := c.Now(tx)
	if err != nil {
		return Configuration{}, err
	}
	digits, err := baseDigits(tx)
	if err != nil {
		return Configuration{}, err
	}
	out := configurationRow(digits, c)
	out.ConfigurationPriceImpact.Value = now.Impact
	out.ConfigurationPrice, out.ConfigurationVerdict = configurationPrice(&now), configurationVerdict(&now, c.Quantity)
	return out, nil
}

type listConfigurationsIn struct {
	rest.Paging
	Search         string `query:"search" doc:"Part of number, title or description."`
	CustomerNumber string `query:"customerNumber" of:"Customer"`
	ItemNumber     string `query:"itemNumber" of:"Item"`
}

// configurationFields are what may be changed of a configuration.
type configurationFields struct {
	Title          rest.Text     `json:"title" text:"name" doc:"Left out: the item's name."`
	Description    rest.Text     `json:"description" text:"note"`
	CustomerNumber rest.Text     `json:"customerNumber"`
	Quantity       dec.Dec       `json:"quantity" gt:"0" default:"1" doc:"In the item's base unit."`
	WarehouseCode  rest.Text     `json:"warehouseCode" doc:"Where it is taken from; left out: as the order has it."`
	Values         []wire.Choice `json:"values" of:"Choices" maxItems:"200"`
}

type createConfigurationRequest struct {
	ConfigurationNumber rest.Text `json:"configurationNumber" doc:"Left out: the next of the series."`
	ItemNumber          string    `json:"itemNumber" req:"true"`
	configurationFields
}

var (
	configurationDraft = rest.Written[configurationFields, configuration.Draft]()
	configurationEdits = rest.Alike[configurationFields, configuration.Edit]()
)

func createConfiguration(tx *db.Tx, in rest.Sent[createConfigurationRequest]) (Configuration, error) {
	d := configurationDraft(in.Body.configurationFields)
	d.Number, d.Item = string(in.Body.ConfigurationNumber), in.Body.ItemNumber
	c, err := configuration.Create(tx, d)
	return configurationNow(tx, c, err)
}

func getConfiguration(tx *db.Tx, in rest.Key) (Configuration, error) {
	c, err := configuration.Find(tx, in.Key)
	return configurationNow(tx, c, err)
}

func updateConfiguration(tx *db.Tx, in rest.With[rest.Key, rest.Merge[configurationFields]]) (Configuration, error) {
	c, err := configuration.Change(tx, in.At.Key,
		rest.Laid(in.Body, configurationEdits))
	return configurationNow(tx, c, err)
}

type calculateConfigurationRequest struct {
	ItemNumber     string        `json:"itemNumber" req:"true"`
	Quantity       dec.Dec       `json:"quantity" gt:"0" default:"1" doc:"In the item's base unit."`
	CustomerNumber rest.Text     `json:"customerNumber" doc:"Whose price is wanted."`
	WarehouseCode  rest.Text     `json:"warehouseCode"`
	Values         []wire.Choice `json:"values" maxItems:"200"`
}

// ConfigurationCalculation is what is to be said of choices, without anything being saved.
type ConfigurationCalculation struct {
	ConfigurationNumber      rest.Text `json:"configurationNumber" doc:"Null: nothing is saved."`
	ItemNumber               string    `json:"itemNumber"`
	ItemName                 string    `json:"itemName"`
	Quantity                 dec.Dec   `json:"quantity"`
	CustomerNumber           rest.Text `json:"customerNumber"`
	CustomerName             rest.Text `json:"customerName"`
	WarehouseCode            rest.Text `json:"warehouseCode"`
	ConfigurationPriceImpact dec.Fixed `json:"configurationPriceImpact" doc:"What the choices add to the whole quantity, in the company's currency."`
	ConfigurationPrice
	ConfigurationVerdict
	Values  []ConfigurationValue `json:"values" doc:"The choices that are right in themselves."`
	Choices []FeatureChoices     `json:"choices" doc:"What can be chosen, with all other choices as they are."`
}

// FeatureChoices says which values of a feature can be chosen, or chosen instead.
type FeatureChoices struct {
	FeatureCode string         `json:"featureCode" of:"Feature"`
	Options     []OptionChoice `json:"options"`
}

// OptionChoice says whether a value of a feature can be chosen, or chosen instead.
type OptionChoice struct{ wire.Alternative }

func calculateConfiguration(tx *db.Tx, in rest.Sent[calculateConfigurationRequest]) (ConfigurationCalculation, error) {
	b := &in.Body
	a, model, err := configuration.Question(tx, b.ItemNumber, string(b.CustomerNumber), string(b.WarehouseCode),
		b.Quantity)
	if err != nil {
		return ConfigurationCalculation{}, err
	}
	c, err := configuration.Calculate(tx, a, model, choicesOf(b.Values))
	if err != nil {
		return ConfigurationCalculation{}, err
	}
	digits, err := baseDigits(tx)
	if err != nil {
		return ConfigurationCalculation{}, err
	}
	out := ConfigurationCalculation{ItemNumber: a.Item.Number, ItemName: a.Item.Name, Quantity: b.Quantity,
		WarehouseCode: b.WarehouseCode, ConfigurationPriceImpact: dec.Fixed{Value: c.Impact, Digits: digits},
		ConfigurationPrice: configurationPrice(&c), ConfigurationVerdict: configurationVerdict(&c, b.Quantity),
		Values: configurationValues(configuration.ValuesOf(&c.Answer)), Choices: choicesLeft(c.Alternatives())}
	if a.Customer != nil {
		out.CustomerNumber, out.CustomerName = rest.Text(a.Customer.Number), rest.Text(a.Customer.Name)
	}
	return out, nil
}

type orderConfigurationRequest struct {
	CustomerReference     rest.Text `json:"customerReference" text:"name"`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
}

// OrderedConfiguration names the order that a configuration became.
type OrderedConfiguration struct {
	rest.Located
	OrderNumber string `json:"orderNumber"`
}

func orderConfiguration(tx *db.Tx, in rest.With[rest.Key, *orderConfigurationRequest]) (OrderedConfiguration, error) {
	b := rest.OrZero(in.Body)
	o, err := sales.OrderConfiguration(tx, in.At.Key,
		sales.Head{CustomerReference: string(b.CustomerReference),
			RequestedDeliveryDate: day.Date(b.RequestedDeliveryDate)}, stock.AsMuchAsThereIs)
	return OrderedConfiguration{rest.Located{Location: rest.Self("/preview/orders/", o.Number).Self}, o.Number}, err
}
