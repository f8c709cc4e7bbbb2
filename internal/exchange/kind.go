package exchange

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/table"
)

// kind is a sort of table that people exchange.
type kind struct {
	name          string
	fields        []field // in the order of the export
	shownKey      []string
	hasAttributes bool
	duplicate     fault.Code // of a row about the same as a row before it
	booker        func() booker
	export        func(tx *db.Tx, p *printer) error
}

// field is a column of a kind.
type field struct {
	name     string
	limit    int      // of its text, in characters
	others   []string // further names it is recognised by
	required bool
	shown    bool // written for people; the import passes it over
	kind     table.Kind
}

// The limits of texts are those of the API.
const (
	code     = 50
	nameText = 200
	path     = 2_000
	note     = 4_000
	manyText = 50_000 // codes of many in one cell
	htmlText = 100_000
)

func column(limit int, name string, others ...string) field {
	return field{name: name, limit: limit, others: others}
}

// number is a column of numbers, date one of days, truth one of yes and no: a workbook knows them as such.
func number(name string, others ...string) field {
	return field{name: name, limit: code, others: others, kind: table.Number}
}

func date(name string, others ...string) field {
	return field{name: name, limit: code, others: others, kind: table.Date}
}

func truth(name string, others ...string) field {
	return field{name: name, limit: code, others: others, kind: table.Truth}
}

func must(f field) field { f.required = true; return f }

func shown(f field) field { f.shown = true; return f }

// rowKinds are the kinds whose rows stand for themselves. What others refer to comes before them: importing the kinds
// in this order finds everything in place.
func rowKinds() []kind {
	return []kind{attributeKind(), brandKind(), categoryKind(), taxKind(), rateKind(), warehouseKind(), postalKind(),
		supplierKind(), itemKind(), supplierItemKind(), bomKind(), customerKind(), priceKind(), stockKind(),
		purchaseKind(), redirectKind(), synonymKind(), helpKind(), pageKind()}
}

// orders is the kind of a history of orders, which is imported by ImportOrders.
const orders = "orders"

// Kinds are what can be imported and exported, in an order in which everything that others refer to is in place.
func Kinds() []string {
	return append(each.Of(rowKinds(), func(k kind) string { return k.name }), orders)
}

func kindOf(name string) (*kind, bool) {
	all := rowKinds()
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 {
		return nil, false
	}
	return &all[i], true
}

func itemKind() kind {
	return kind{name: "items", shownKey: []string{"itemNumber"}, hasAttributes: true, duplicate: catalog.ErrDuplicate,
		booker: func() booker { return &items{} }, export: exportItems,
		fields: []field{
			must(column(code, "itemNumber", "sku", "item", "number", "articleNumber", "productCode", "stockCode")),
			column(nameText, "name", "itemName", "title", "productName"),
			column(note, "description"),
			column(code, "type", "itemType"),
			truth("isActive", "active"),
			column(code, "categoryCode", "category"),
			column(nameText, "categoryName"),
			column(code, "itemGroupCode", "itemGroup"),
			column(code, "brandCode", "brand"),
			column(nameText, "brandName"),
			column(code, "baseUnitCode", "baseUnit", "unit", "unitCode", "uom"),
			column(code, "salesUnitCode", "salesUnit"),
			column(code, "purchaseUnitCode", "purchaseUnit"),
			column(note, "units"),
			number("decimalPlaces", "decimals"),
			number("salesPrice", "price", "listPrice", "unitPrice"),
			column(code, "taxCode", "vatCode"),
			column(code, "gtin", "ean", "barcode", "upc"),
			column(code, "manufacturerItemNumber", "manufacturerNumber", "mpn"),
			column(code, "primarySupplierNumber", "supplierNumber", "supplier"),
			number("weightKg", "weight"),
			number("lengthCm", "length"),
			number("widthCm", "width"),
			number("heightCm", "height"),
			column(code, "countryOfOriginCode", "countryOfOrigin", "origin"),
			column(code, "commodityCode", "hsCode", "tariffNumber"),
			column(code, "trackingType", "tracking"),
			column(code, "replenishmentType", "replenishment"),
			truth("isConfigurable"),
			column(code, "variantOf", "parent", "parentItemNumber", "parentSku"),
			column(note, "variantOptions", "options"),
			column(manyText, "crossReferences"),
			shown(number("averageCost")),
		}}
}

func customerKind() kind {
	return kind{name: "customers", shownKey: []string{"customerNumber"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return newCustomers() }, export: exportCustomers,
		fields: []field{
			must(column(code, "customerNumber", "number", "customer", "customerId")),
			column(nameText, "name", "customerName", "companyName"),
			column(code, "organizationNumber", "organisationNumber", "orgNumber", "registrationNumber"),
			column(code, "vatNumber", "vatId"),
			truth("isActive", "active"),
			column(nameText, "invoiceEmail", "email"),
			column(code, "phone", "telephone"),
			column(nameText, "street1", "street", "address", "address1"),
			column(nameText, "street2", "address2"),
			column(code, "postalCode", "postcode", "zip", "zipCode"),
			column(nameText, "city", "town"),
			column(code, "countryCode", "country", "countryName"),
			column(code, "defaultCurrencyCode", "currencyCode", "currency"),
			column(code, "customerGroupCode", "customerGroup", "group"),
			column(nameText, "customerGroupName"),
			column(code, "paymentTermCode", "paymentTerm"),
			column(code, "deliveryTermCode", "deliveryTerm"),
			number("creditLimit"),
			column(code, "invoiceDelivery"),
			column(note, "notes", "note", "comment"),
		}}
}

func priceKind() kind {
	return kind{name: "price-lists", shownKey: []string{"priceListCode", "itemNumber", "minQuantity", "validFrom"},
		duplicate: pricing.ErrDuplicate, booker: func() booker { return newPrices() }, export: exportPrices,
		fields: []field{
			must(column(code, "priceListCode", "priceList", "list", "code")),
			column(nameText, "priceListName", "name"),
			column(note, "description"),
			column(code, "type", "priceListType"),
			column(code, "currencyCode", "currency"),
			truth("isActive", "active"),
			truth("isPriceIncludingTax", "pricesIncludeTax"),
			number("priority"),
			column(code, "basePriceListCode", "parentPriceListCode"),
			date("listValidFrom"),
			date("listValidTo"),
			truth("isDefault"),
			column(manyText, "customerNumbers", "customers"),
			column(manyText, "customerGroupCodes", "customerGroups"),
			column(manyText, "channelCodes", "channels"),
			column(code, "itemNumber", "sku", "item", "articleNumber", "productCode", "stockCode"),
			number("minQuantity", "fromQuantity"),
			number("maxQuantity", "toQuantity"),
			date("validFrom"),
			date("validTo"),
			column(code, "strategy"),
			number("unitPrice", "price"),
			number("percentage", "percent"),
			number("fixedAmount"),
			shown(number("calculatedPrice")),
		}}
}

func stockKind() kind {
	return kind{name: "stock", shownKey: []string{"itemNumber", "warehouseCode", "locationCode", "batchNumber",
		"serialNumber"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return newGoods() }, export: exportStock,
		fields: []field{
			must(column(code, "itemNumber", "sku", "item", "number", "articleNumber", "productCode", "stockCode")),
			column(code, "warehouseCode", "warehouse"),
			column(code, "locationCode", "location", "bin"),
			column(code, "batchNumber", "batch", "lot"),
			column(code, "serialNumber", "serial"),
			date("expiryDate", "expiry", "bestBefore"),
			must(number("quantity", "quantityOnHand", "onHand", "qty", "stock")),
			number("unitCost", "averageCost", "cost"),
			column(note, "notes", "note"),
		}}
}
