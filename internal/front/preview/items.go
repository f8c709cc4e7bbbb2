package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// Items are what can be sold, bought and made, with everything that hangs on an item.
func Items() rest.Group {
	ops := []rest.Op{
		rest.List("listItems", "/items", "Items by number.", listItems).
			CachedRows(catalog.Items, stock.LevelRows),
		rest.Create("createItem", "/items", "Creates an item; without a number it gets the next of the series.",
			createItem).
			Raises(itemFaults(catalog.ErrExists)...).
			Example(
				`{"itemNumber": "A-100", "name": "Claw hammer 450 g", "baseUnitCode": "PCS", "salesPrice": "249.00", "taxCode": "STD"}`),
		rest.Batch("batchUpsertItems", "/items/batch", "Creates or changes up to 200 items, row by row.", batchItems).
			Raises(itemFaults(catalog.ErrExists, catalog.ErrNotFound, catalog.ErrDuplicate, catalog.ErrInUse,
				catalog.ErrBaseUnitFixed)...).
			Example(
				`{"mode": "upsert", "items": [{"itemNumber": "A-100", "name": "Claw hammer 450 g", "salesPrice": "259.00"}]}`),
		rest.Get("getItem", "/items/{itemNumber}", "One item.", getItem).
			Cached().Raises(catalog.ErrNotFound),
		rest.Patch("updateItem", "/items/{itemNumber}", "Changes an item.", updateItem).
			Raises(itemFaults(catalog.ErrNotFound, catalog.ErrInUse, catalog.ErrBaseUnitFixed)...).
			Example(`{"salesPrice": "259.00"}`),
		rest.Delete("deleteItem", "/items/{itemNumber}", "Deletes an item that no document or stock uses.",
			rest.Gone(catalog.Delete)).
			Raises(catalog.ErrNotFound, catalog.ErrInUse),
	}
	ops = append(ops, itemAvailability()...)
	ops = append(ops, itemPrices()...)
	ops = append(ops, itemSuppliers()...)
	ops = append(ops, itemUnits()...)
	ops = append(ops, itemAttributes()...)
	ops = append(ops, itemRelations()...)
	ops = append(ops, itemConfiguration()...)
	return rest.Group{Tag: "Items", Scope: "items",
		Doc: "Items with units, attributes, relations, variants, suppliers, availability and prices.", Ops: ops}
}

// itemFaults are the codes that any write of an item may answer, and more.
func itemFaults(more ...fault.Code) []fault.Code {
	return append(more, catalog.ErrUnknownCode, catalog.ErrInvalid, catalog.ErrInvalidGTIN, catalog.ErrVariant,
		limit.ErrAmount)
}

// itemFields are what may be written of an item, less its price, which is shown with the currency's digits.
type itemFields struct {
	Name                   string                `json:"name" req:"true" text:"name" example:"Claw hammer 450 g"`
	Description            rest.Text             `json:"description" text:"note"`
	Type                   catalog.ItemType      `json:"type" default:"Stock" doc:"Only items of type Stock are kept in stock."`
	IsActive               bool                  `json:"isActive" default:"true" doc:"Inactive items cannot be placed on new documents."`
	CategoryCode           rest.Text             `json:"categoryCode"`
	ItemGroupCode          rest.Text             `json:"itemGroupCode" of:"GroupCode"`
	BrandCode              rest.Text             `json:"brandCode"`
	BaseUnitCode           rest.Text             `json:"baseUnitCode" of:"BaseUnit" doc:"Unit that stock and prices count in." example:"PCS"`
	SalesUnitCode          rest.Text             `json:"salesUnitCode" of:"SalesUnit" doc:"Null is the base unit."`
	PurchaseUnitCode       rest.Text             `json:"purchaseUnitCode" of:"PurchaseUnit" doc:"Null is the base unit."`
	DecimalPlaces          int                   `json:"decimalPlaces" min:"0" max:"6" doc:"Decimals that a quantity may have."`
	TaxCode                string                `json:"taxCode" doc:"Left out: the company's default." example:"STD"`
	GTIN                   rest.Text             `json:"gtin" doc:"GTIN-8, -12, -13 or -14; its check digit is verified." example:"7350053850019"`
	ManufacturerItemNumber rest.Text             `json:"manufacturerItemNumber" of:"ManufacturerNumber"`
	PrimarySupplierNumber  rest.Text             `json:"primarySupplierNumber" of:"SupplierNumber"`
	WeightKg               *dec.Dec              `json:"weightKg" min:"0"`
	LengthCm               *dec.Dec              `json:"lengthCm" min:"0"`
	WidthCm                *dec.Dec              `json:"widthCm" min:"0"`
	HeightCm               *dec.Dec              `json:"heightCm" min:"0"`
	CountryOfOriginCode    rest.Text             `json:"countryOfOriginCode" of:"OriginCountry" doc:"ISO 3166-1 alpha-2." example:"SE"`
	CommodityCode          rest.Text             `json:"commodityCode" doc:"Customs tariff number."`
	TrackingType           catalog.TrackingType  `json:"trackingType" of:"Tracking" default:"None" doc:"Fixed once stock exists."`
	ReplenishmentType      catalog.Replenishment `json:"replenishmentType" of:"Replenishment" default:"Purchase"`
	IsConfigurable         bool                  `json:"isConfigurable"`
	VariantOf              rest.Text             `json:"variantOf" doc:"itemNumber of the parent."`
	VariantOptions         []itemOption          `json:"variantOptions" maxItems:"50" doc:"The choices that make this variant."`
	CrossReferences        []itemReference       `json:"crossReferences" maxItems:"500" doc:"Numbers by which others call the item."`
}

// itemOption is a choice on the wire.
type itemOption struct {
	Name  string `json:"name" req:"true" text:"name" example:"Colour"`
	Value string `json:"value" req:"true" text:"name" example:"Red"`
}

// itemReference is a cross reference on the wire.
type itemReference struct {
	Type           catalog.ReferenceType `json:"type" req:"true"`
	Value          string                `json:"value" req:"true"`
	CustomerNumber rest.Text             `json:"customerNumber" doc:"Of references of type Customer, and only there."`
}

type itemBody struct {
	itemFields
	SalesPrice *dec.Dec `json:"salesPrice" min:"0" doc:"List price in the base currency; price lists come before it."`
}

type newItem struct {
	ItemNumber rest.Text `json:"itemNumber" doc:"Left out: the next of the series." example:"A-100"`
	itemBody
}

// Item is an item on the wire, as lists show it.
type Item struct {
	rest.WideTag
	ItemNumber string `json:"itemNumber" of:"Number"`
	itemFields
	SalesPrice  *dec.Fixed `json:"salesPrice" doc:"List price in the base currency; price lists come before it."`
	AverageCost dec.Fixed  `json:"averageCost" of:"-" doc:"Average cost over the warehouses, weighted by stock. A change of it is no change of the item."`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/items/"`
}

// ItemDetail is an item with its attribute values.
type ItemDetail struct {
	Item
	Attributes []ItemAttribute `json:"attributes"`
}

var (
	itemBodies = rest.Alike[itemBody, catalog.Item]()
	itemIn     = rest.ShownIn[Item, catalog.Item]()
)

func itemOf(digits int, costs map[string]dec.Dec, i catalog.Item) Item {
	out := itemIn(digits, i)
	out.AverageCost = dec.Fixed{Value: costs[i.ID], Digits: digits}
	return out
}

// shownItem is i with everything its detail shows, or the error that came with it.
func shownItem(tx *db.Tx, i catalog.Item, err error) (ItemDetail, error) {
	if err != nil {
		return ItemDetail{}, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return ItemDetail{}, err
	}
	costs, err := stock.AverageCosts(tx, []string{i.ID})
	if err != nil {
		return ItemDetail{}, err
	}
	values, err := catalog.ValuesOf(tx, i.ID)
	if err != nil {
		return ItemDetail{}, err
	}
	return ItemDetail{Item: itemOf(book.Base().Decimals, costs, i), Attributes: each.Of(values, valueShown)}, nil
}

type listItemsIn struct {
	rest.Paging
	Search        string           `query:"search" doc:"Part of number, name, gtin or manufacturer's number."`
	CategoryCode  string           `query:"categoryCode" doc:"With the categories below it."`
	BrandCode     string           `query:"brandCode"`
	ItemGroupCode string           `query:"itemGroupCode"`
	Type          catalog.ItemType `query:"type"`
	IsActive      *bool            `query:"isActive"`
	Attribute     []string         `query:"attribute" max:"500" maxItems:"20" doc:"code:value; repeat it to ask for several, all of which must hold." example:"[\"colour:Red\"]"`
}

// RecordKey is the item's number.
func (i Item) RecordKey() string { return i.ItemNumber }

func listItems(tx *db.Tx, in listItemsIn) (rest.Paged[Item], error) {
	var none rest.Paged[Item]
	attributes, err := attributesAsked(in.Attribute)
	if err != nil {
		return none, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return none, err
	}
	found, err := catalog.List(tx, catalog.Filter{Search: in.Search, CategoryCode: in.CategoryCode,
		BrandCode: in.BrandCode, GroupCode: in.ItemGroupCode, Type: in.Type, IsActive: in.IsActive,
		Attributes: attributes}, in.Record())
	if err != nil {
		return none, err
	}
	ids := each.Of(found.Items, func(i catalog.Item) string { return i.ID })
	costs, err := stock.AverageCosts(tx, ids)
	digits := book.Base().Decimals
	return rest.PageOf(found, in.Paging, func(i catalog.Item) Item { return itemOf(digits, costs, i) }), err
}

func createItem(tx *db.Tx, in rest.Sent[newItem]) (ItemDetail, error) {
	i := catalog.New()
	i.Number = string(in.Body.ItemNumber)
	itemBodies.Onto(in.Body.itemBody, &i)
	i, err := catalog.Create(tx, i)
	return shownItem(tx, i, err)
}

func getItem(tx *db.Tx, in rest.Key) (ItemDetail, error) {
	i, err := catalog.Find(tx, in.Key)
	return shownItem(tx, i, err)
}

func updateItem(tx *db.Tx, in rest.With[rest.Key, rest.Merge[itemBody]]) (ItemDetail, error) {
	i, err := catalog.Change(tx, in.At.Key, func(i *catalog.Item) error {
		b := itemBodies.Of(*i)
		if err := in.Body.Onto(&b); err != nil {
			return err
		}
		itemBodies.Onto(b, i)
		return nil
	})
	return shownItem(tx, i, err)
}
