// Package configuration is items that are made as the customer wants them: the schema of each, by which the engine says
// what can be chosen, and the choices that were saved.
//
// A schema is a part of its item: a change of it is a change of the item. A saved configuration keeps the names it was
// made with, so it can be read whatever becomes of the schema; whether it still fits, and what it costs, is found out
// by the present schema until it is ordered. From then on it says what was ordered.
//
// Locks are taken in this order: items, configurations by id, then orders, stock levels and number series.
package configuration

import (
	"cmp"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/engine/configure"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Resource is the resource of this room.
var Resource = record.Define("configurations", "configuration", "Configuration")

// What this room refuses.
var (
	ErrNotFound          = fault.New(fault.NotFound, "Configuration.NotFound")
	ErrInvalid           = fault.New(fault.Invalid, "Configuration.Invalid")
	ErrExists            = fault.New(fault.Conflict, "Configuration.AlreadyExists")
	ErrNotConfigurable   = fault.New(fault.Invalid, "Configuration.NotConfigurable")
	ErrCustomerRequired  = fault.New(fault.Conflict, "Configuration.CustomerRequired")
	ErrInUse             = fault.New(fault.Conflict, "Configuration.InUse")
	ErrAlreadyOrdered    = fault.New(fault.Conflict, "Configuration.AlreadyOrdered")
	ErrSchemaNotFound    = fault.New(fault.NotFound, "ItemConfiguration.NotFound")
	ErrSchemaInvalid     = fault.New(fault.Invalid, "ItemConfiguration.Invalid")
	ErrWarehouseNotFound = fault.New(fault.Invalid, "Warehouse.NotFound")
)

// Value is a choice as it was saved, with the names of that day.
type Value struct {
	FeatureCode string         `json:"featureCode"`
	FeatureName string         `json:"featureName"`
	FeatureType configure.Type `json:"featureType"`
	IsMeasured  bool           `json:"isMeasured,omitempty"`
	ItemNumber  string         `json:"itemNumber,omitempty"`
	OptionCode  string         `json:"optionCode,omitempty"`
	OptionName  string         `json:"optionName,omitempty"`
	Text        string         `json:"text,omitempty"`
	Number      *dec.Dec       `json:"number,omitempty"`
	Unit        string         `json:"unit,omitempty"` // of the number
	Boolean     *bool          `json:"boolean,omitempty"`
}

// choice is the value as the engine takes it. The option of a feature that is not of the type Option is found by the
// engine itself.
func (v *Value) choice() configure.Value {
	c := configure.Value{Feature: v.FeatureCode, Text: v.Text, Number: v.Number, Boolean: v.Boolean}
	if v.FeatureType == configure.TypeOption {
		c.Option = v.OptionCode
	}
	return c
}

// valueOf is a choice as it is kept.
func valueOf(c *configure.Choice) Value {
	v := Value{FeatureCode: c.Of.Code, FeatureName: c.Of.Name, FeatureType: c.Of.Type, IsMeasured: c.Of.IsMeasured,
		Text: c.Text, Number: c.Number, Boolean: c.Boolean}
	if c.Option != nil {
		v.OptionCode, v.OptionName, v.ItemNumber = c.Option.Code, c.Option.Name, c.Option.ItemNumber
	}
	if c.Number != nil {
		v.Unit = c.Of.Unit
	}
	return v
}

// ValuesOf are the choices of an answer.
func ValuesOf(a *configure.Answer) []Value {
	return each.Of(a.Choices, func(c configure.Choice) Value { return valueOf(&c) })
}

// Impact is what a choice adds to the price of a base unit, as it is kept.
type Impact struct {
	Amount  dec.Dec `json:"amount,omitzero"` // in the base currency
	Percent dec.Dec `json:"percent,omitzero"`
}

// Component is what goes into a configured item.
type Component struct {
	ItemNumber string  `json:"itemNumber"`
	Quantity   dec.Dec `json:"quantity"` // for one base unit of the configured item, in the component's base unit
}

// Configuration is choices that were saved.
type Configuration struct {
	record.Root
	Number         string
	Title          string
	Description    string
	CustomerNumber string `db:"customer"` // "" = not known yet
	CustomerName   string
	ItemID         string `log:"-"`
	Item           string
	ItemName       string
	Quantity       dec.Dec     // in the item's base unit
	WarehouseCode  string      `db:"warehouse"`
	PriceImpact    dec.Dec     // of the whole quantity, in the base currency, as last saved
	Values         []Value     `db:"choices,json"`
	Impacts        []Impact    `db:",json" log:"-"`
	Components     []Component `db:",json" log:"-"`
	OrderNumber    string      // "" = not ordered yet
	IsFromCart     bool        `log:"-"` // written alone
}

// Choices are the values as the engine takes them.
func (c *Configuration) Choices() []configure.Value {
	return each.Of(c.Values, func(v Value) configure.Value { return v.choice() })
}

// Surcharges are what the choices add to the price of a base unit, as pricing.Ask takes them: for an order line, a line
// of a quote.
func (c *Configuration) Surcharges() []price.Impact {
	return each.Of(c.Impacts, func(m Impact) price.Impact { return price.Impact(m) })
}

// Draft is what a caller says of a configuration.
type Draft struct {
	Number         string // "" = the next of the series
	Title          string // "" = the item's name
	Description    string
	CustomerNumber string
	Item           string  // number
	Quantity       dec.Dec // in the item's base unit
	WarehouseCode  string
	Choices        []configure.Value
	IsFromCart     bool // of a visitor's cart: see SweepCarts
}

// Create saves choices. Refusals: Item.NotFound, Configuration.NotConfigurable, Configuration.Invalid naming everything
// that is broken, Customer.NotFound, Warehouse.NotFound, Configuration.AlreadyExists, and those of quantities.
func Create(tx *db.Tx, d Draft) (Configuration, error) {
	var wrong fault.List
	c := Configuration{Root: record.New(tx), Number: d.Number, Title: d.Title, Description: d.Description,
		CustomerNumber: d.CustomerNumber, Quantity: d.Quantity, WarehouseCode: d.WarehouseCode,
		IsFromCart: d.IsFromCart}
	item, model, err := found(tx, &wrong, d.Item)
	if err != nil {
		return c, err
	}
	c.ItemID, c.Item, c.ItemName = item.ID, item.Number, item.Name
	c.Title = cmp.Or(c.Title, item.Name)
	if err := c.evaluate(tx, &wrong, &item, model, d.Choices); err != nil {
		return c, err
	}
	if c.Number != "" {
		if err := configurations.Free(tx, &c); err != nil {
			return c, err
		}
	}
	return c, configurations.Create(tx, &c)
}

// found finds an item and its schema, and notes where there is none.
func found(tx *db.Tx, wrong *fault.List, itemNumber string) (catalog.Item, *configure.Model, error) {
	item, err := catalog.Find(tx, itemNumber)
	if fault.Is(err, catalog.ErrNotFound) {
		wrong.Add(catalog.ErrNotFound, "itemNumber", "no item has the number %q", itemNumber)
		return item, nil, wrong.Err()
	}
	if err != nil {
		return item, nil, err
	}
	model, err := ModelOf(tx, item.ID)
	if err == nil && model == nil {
		err = ErrNotConfigurable.At("itemNumber", "item %s has no choices: give it a configuration schema first",
			item.Number)
	}
	return item, model, err
}

// resolve looks up what a configuration names, noting what is wrong with that, and answers its customer; nil where it
// has none.
func (c *Configuration) resolve(tx *db.Tx, wrong *fault.List, item *catalog.Item) (customer *party.Customer,
	err error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	if c.CustomerName = ""; c.CustomerNumber != "" {
		k, err := party.Find(tx, c.CustomerNumber)
		switch {
		case fault.Is(err, party.ErrNotFound):
			wrong.Add(party.ErrNotFound, "customerNumber", "no customer has the number %q", c.CustomerNumber)
		case err != nil:
			return nil, err
		default:
			customer, c.CustomerNumber, c.CustomerName = &k, k.Number, k.Name
		}
	}
	if c.WarehouseCode != "" {
		w, ok := book.Warehouse(c.WarehouseCode)
		wrong.If(!ok, ErrWarehouseNotFound, "warehouseCode",
			"no warehouse has the code %q; GET /preview/reference/warehouses lists them", c.WarehouseCode)
		c.WarehouseCode = w.Code
	}
	if c.Quantity <= 0 {
		wrong.Add(ErrInvalid, "quantity", "must be above 0")
		return customer, nil
	}
	return customer, wrong.AddError(catalog.CheckQuantity(item, c.Quantity))
}

// evaluate checks everything a configuration says, and derives what follows from it.
func (c *Configuration) evaluate(tx *db.Tx, wrong *fault.List, item *catalog.Item, model *configure.Model,
	choices []configure.Value) error {
	customer, err := c.resolve(tx, wrong, item)
	if err != nil {
		return err
	}
	answer := model.Ask(choices)
	noteBroken(wrong, &answer)
	if err := wrong.Err(); err != nil {
		return err
	}
	c.keep(&answer)
	priced, err := Price(tx, Asking{Item: item, Customer: customer, Quantity: c.Quantity}, c.Surcharges())
	if err != nil {
		return err
	}
	c.PriceImpact = priced.Impact
	return nil
}

// noteBroken notes everything that is broken as wrong with the values.
func noteBroken(wrong *fault.List, a *configure.Answer) {
	for _, b := range a.Broken {
		wrong.Note(ErrInvalid, "values", b.Said)
	}
}

// keep takes over what an answer found.
func (c *Configuration) keep(a *configure.Answer) {
	c.Values, c.Impacts = ValuesOf(a), make([]Impact, len(a.Impacts))
	for i, m := range a.Impacts {
		c.Impacts[i] = Impact{m.Amount, m.Percent}
	}
	c.Components = Components(a)
}

// Components are what an answer's choices put into a base unit, each item once.
func Components(a *configure.Answer) (out []Component) {
	at := map[string]int{}
	for _, k := range a.Components {
		i, met := at[record.Fold(k.ItemNumber)]
		if !met {
			at[record.Fold(k.ItemNumber)] = len(out)
			out = append(out, Component{ItemNumber: k.ItemNumber, Quantity: k.Quantity})
			continue
		}
		out[i].Quantity = out[i].Quantity.Add(k.Quantity)
	}
	return out
}

// Changing is fired before the choices or the customer of a configuration change, or it is deleted: who
// has offered it as it is refuses.
type Changing struct {
	Configuration Configuration
	Deletes       bool
}

// Edit is what may be changed of a configuration.
type Edit struct {
	Title          string
	Description    string
	CustomerNumber string
	Quantity       dec.Dec
	WarehouseCode  string
	Choices        []configure.Value
}

// Change lays edit over a configuration that is not ordered yet. Refusals: Configuration.NotFound,
// Configuration.AlreadyOrdered, Configuration.InUse where it is offered with a quote, and those of Create.
func Change(tx *db.Tx, configurationNumber string, edit func(*Edit) error) (Configuration, error) {
	before, err := configurations.Lock(tx, configurationNumber)
	if err != nil {
		return before, err
	}
	if err := before.open(); err != nil {
		return before, err
	}
	c := before
	e := Edit{c.Title, c.Description, c.CustomerNumber, c.Quantity, c.WarehouseCode, c.Choices()}
	if err := edit(&e); err != nil {
		return c, err
	}
	var wrong fault.List
	item, model, err := found(tx, &wrong, c.Item)
	if err != nil {
		return c, err
	}
	c.Title, c.Description, c.CustomerNumber, c.Quantity, c.WarehouseCode = cmp.Or(e.Title, item.Name), e.Description,
		e.CustomerNumber, e.Quantity, e.WarehouseCode
	if err := c.evaluate(tx, &wrong, &item, model, e.Choices); err != nil {
		return c, err
	}
	if !c.offersAs(&before) {
		if err := tx.Fire(Changing{Configuration: before}); err != nil {
			return c, err
		}
	}
	return c, configurations.Act(tx, "changed", before, &c)
}

// open refuses what was ordered.
func (c *Configuration) open() error {
	if c.OrderNumber == "" {
		return nil
	}
	return ErrAlreadyOrdered.Because("configuration %s was ordered with order %s: make another one", c.Number,
		c.OrderNumber)
}

// offersAs reports whether what an offer rests on is the same as before.
func (c *Configuration) offersAs(before *Configuration) bool {
	return c.CustomerNumber == before.CustomerNumber && c.Same(before.Choices())
}

// Delete removes a configuration that is not ordered. Refusals: Configuration.NotFound, Configuration.AlreadyOrdered,
// Configuration.InUse.
func Delete(tx *db.Tx, configurationNumber string) error {
	return configurations.Delete(tx, configurationNumber, func(c *Configuration) error {
		if err := c.open(); err != nil {
			return err
		}
		return tx.Fire(Changing{Configuration: *c, Deletes: true})
	})
}

// Summary says what was chosen, for people: "Top: Oak, Width: 120 cm".
func (c *Configuration) Summary(yes, no string) string {
	return c.said(yes, no, func(*Value) bool { return true })
}

// Told is Summary in two: what was chosen of what there was, and what somebody typed.
func (c *Configuration) Told(yes, no string) (chosen, typed string) {
	isTyped := func(v *Value) bool { return v.Text != "" }
	return c.said(yes, no, func(v *Value) bool { return !isTyped(v) }), c.said(yes, no, isTyped)
}

func (c *Configuration) said(yes, no string, which func(*Value) bool) string {
	var out []string
	for i := range c.Values {
		if v := &c.Values[i]; which(v) {
			out = append(out, v.FeatureName+": "+v.Said(yes, no))
		}
	}
	return strings.Join(out, ", ")
}

// Said is what was chosen, for people, with their words for true and false.
func (v *Value) Said(yes, no string) string {
	var parts []string
	if v.FeatureType == configure.TypeOption {
		parts = append(parts, v.OptionName)
	}
	if v.Text != "" {
		parts = append(parts, v.Text)
	}
	if v.Number != nil {
		parts = append(parts, strings.TrimSpace(v.Number.String()+" "+v.Unit))
	}
	if v.Boolean != nil {
		parts = append(parts, map[bool]string{true: yes, false: no}[*v.Boolean])
	}
	return strings.Join(parts, " ")
}
