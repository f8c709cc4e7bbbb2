package catalog

import (
	"fmt"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// ItemType says whether an item is kept in stock.
type ItemType string

// The types of items.
const (
	Stock    ItemType = "Stock"
	NonStock ItemType = "NonStock"
	Service  ItemType = "Service"
)

// Values are the values of the type, in the order they are shown.
func (ItemType) Values() []ItemType { return []ItemType{Stock, NonStock, Service} }

// TrackingType says how single pieces of an item are told apart in stock.
type TrackingType string

// The ways of tracking.
const (
	None           TrackingType = "None"
	Batch          TrackingType = "Batch"
	Serial         TrackingType = "Serial"
	BatchAndSerial TrackingType = "BatchAndSerial"
)

// Values are the values of the type, in the order they are shown.
func (TrackingType) Values() []TrackingType {
	return []TrackingType{None, Batch, Serial, BatchAndSerial}
}

// Batches reports whether every movement must name a batch.
func (t TrackingType) Batches() bool { return t == Batch || t == BatchAndSerial }

// Serials reports whether every movement must name a serial number.
func (t TrackingType) Serials() bool { return t == Serial || t == BatchAndSerial }

// Replenishment says where new stock of an item comes from.
type Replenishment string

// The ways of replenishment.
const (
	Purchase    Replenishment = "Purchase"
	Manufacture Replenishment = "Manufacture"
	Transfer    Replenishment = "Transfer"
	Assembly    Replenishment = "Assembly"
	Subcontract Replenishment = "Subcontract"
)

// Values are the values of the type, in the order they are shown.
func (Replenishment) Values() []Replenishment {
	return []Replenishment{Purchase, Manufacture, Transfer, Assembly, Subcontract}
}

// ReferenceType says whose number a cross reference is.
type ReferenceType string

// The types of cross references.
const (
	GtinReference         ReferenceType = "Gtin"
	ManufacturerReference ReferenceType = "Manufacturer"
	CompetitorReference   ReferenceType = "Competitor"
	CustomerReference     ReferenceType = "Customer"
)

// Values are the values of the type, in the order they are shown.
func (ReferenceType) Values() []ReferenceType {
	return []ReferenceType{GtinReference, ManufacturerReference, CompetitorReference, CustomerReference}
}

// Option is one choice that makes a variant: name Colour, value Red.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// CrossReference is a number by which somebody else calls the item.
type CrossReference struct {
	Type           ReferenceType `json:"type"`
	Value          string        `json:"value"`
	CustomerNumber string        `json:"customerNumber,omitempty"`
}

// Unit is a unit an item is also sold or bought in; Factor is base units per unit.
type Unit struct {
	Code   string  `json:"unitCode"`
	Factor dec.Dec `json:"factor"`
	GTIN   string  `json:"gtin,omitempty"`
}

// Item is something that can stand on a document line. Its units, options and cross references are
// replaced, never changed in place: copies of an item share them.
type Item struct {
	record.Root

	Number             string
	Name               string
	Description        string
	Type               ItemType
	IsActive           bool
	CategoryCode       string
	GroupCode          string
	BrandCode          string
	BaseUnit           string
	SalesUnit          string
	PurchaseUnit       string
	DecimalPlaces      int      // decimals a quantity may have, 0 to 6
	SalesPrice         *dec.Dec // list price in the base currency; nil is none
	TaxCode            string
	GTIN               string
	ManufacturerNumber string
	SupplierNumber     string
	WeightKg           *dec.Dec
	LengthCm           *dec.Dec
	WidthCm            *dec.Dec
	HeightCm           *dec.Dec
	OriginCountry      string
	CommodityCode      string
	Tracking           TrackingType
	Replenishment      Replenishment
	IsConfigurable     bool
	VariantOf          string // number of the parent

	VariantOptions  []Option         `db:",json"`
	CrossReferences []CrossReference `db:",json"`
	Units           []Unit           `db:",json"` // besides the base unit, by code
}

// New is an item with the values that a caller may leave out.
func New() Item {
	return Item{Type: Stock, IsActive: true, Tracking: None, Replenishment: Purchase}
}

// Factor is how many base units one unit is: 1 for the base unit and for none. ok is false for a unit
// the item has no factor for.
func (i *Item) Factor(unit string) (factor dec.Dec, ok bool) {
	if unit == "" || strings.EqualFold(unit, i.BaseUnit) {
		return dec.One, true
	}
	if n := i.unit(unit); n >= 0 {
		return i.Units[n].Factor, true
	}
	return 0, false
}

// unit is the place of a unit among the item's units, -1 if it has none.
func (i *Item) unit(code string) int {
	key := record.Fold(code)
	return slices.IndexFunc(i.Units, func(u Unit) bool { return record.Fold(u.Code) == key })
}

// InStock reports whether the ledger of stock follows the item.
func (i *Item) InStock() bool { return i.Type == Stock }

// CheckQuantity refuses, on the field "quantity", one that is above the bound of quantities, Quantity.TooLarge, or has
// more decimals than the item's decimalPlaces: Quantity.TooManyDecimals.
func CheckQuantity(i *Item, q dec.Dec) error { return CheckQuantityAt("quantity", i, q) }

// CheckQuantityAt is CheckQuantity for a quantity that was given in another field.
func CheckQuantityAt(field string, i *Item, q dec.Dec) error {
	var wrong fault.List
	if limit.Quantity.Check(&wrong, field, q); !wrong.Empty() {
		return wrong.Err()
	}
	if q.Decimals() <= i.DecimalPlaces {
		return nil
	}
	if i.DecimalPlaces == 0 {
		return ErrTooManyDecimals.At(field, "%s is not a whole number: item %s is counted in whole units", q, i.Number)
	}
	return ErrTooManyDecimals.At(field, "%s has more than %d decimals, which is what item %s is counted in", q,
		i.DecimalPlaces, i.Number)
}

// Filter narrows a list of items; its zero value takes all.
type Filter struct {
	Search       string // number, name, gtin, manufacturer's number
	CategoryCode string // with its subtree
	GroupCode    string
	BrandCode    string
	Type         ItemType
	IsActive     *bool
	Attributes   []AttributeIs // all must hold
}

// AttributeIs asks for items that have a value of an attribute.
type AttributeIs struct{ Code, Value string }

// Create makes an item; without a number it draws the next of the series. Refusals: Item.AlreadyExists,
// and one fault naming every field that breaks a rule (Item.UnknownCode, Item.InvalidGtin, ...).
func Create(tx *db.Tx, i Item) (Item, error) {
	out, err := Save(tx, []Draft{{Number: i.Number, Draws: i.Number == "", Edit: func(j *Item) error {
		units := j.Units
		*j = i
		j.Units = append(units, i.Units...)
		return nil
	}}}, CreateOnly)
	if err != nil {
		return i, err
	}
	return out[0].Item, out[0].Err
}

// Change lays edit over an item. Refusals: Item.NotFound and those of Create.
func Change(tx *db.Tx, itemNumber string, edit func(*Item) error) (Item, error) {
	out, err := Save(tx, []Draft{{Number: itemNumber, Edit: edit}}, UpdateOnly)
	if err != nil {
		return Item{}, err
	}
	return out[0].Item, out[0].Err
}

// CreateMany makes the items of an import with a constant number of statements and fills in their
// roots. One bad item refuses all of them, naming it: items[3].taxCode.
func CreateMany(tx *db.Tx, items []Item) error {
	drafts := each.Of(items,
		func(i Item) Draft { return Draft{Number: i.Number, Edit: func(j *Item) error { *j = i; return nil }} })
	out, err := Save(tx, drafts, CreateOnly)
	if err != nil {
		return err
	}
	var wrong fault.List
	for n, o := range out {
		if o.Err != nil {
			f := fault.As(o.Err)
			if f.Kind == fault.Internal {
				return o.Err
			}
			wrong.Add(fault.Code{Kind: f.Kind, Name: f.Code}, fmt.Sprintf("items[%d]", n), "item %s: %s",
				items[n].Number, f.Said())
			continue
		}
		items[n] = o.Item
	}
	return wrong.Err()
}

// Delete removes an item with its attribute values and relations. Refusals: Item.NotFound, Item.InUse
// while a variant, or whoever listens to Deleting, needs it.
func Delete(tx *db.Tx, itemNumber string) error {
	return items.Delete(tx, itemNumber, func(i *Item) error {
		variant, err := firstVariant(tx, i.Number)
		if err != nil {
			return err
		}
		if variant != "" {
			return ErrInUse.Because("item %s has variants, %s among them: delete them first, or set isActive to false",
				i.Number, variant)
		}
		if err := tx.Fire(Deleting{*i}); err != nil {
			return err
		}
		return dropRelations(tx, *i)
	})
}
