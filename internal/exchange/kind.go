package exchange

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
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

	record reflect.Type // that has it; nil = what is read and written of the column is the booker's and the export's
	called string       // what the record calls it; "" = as the column
	at     []int        // where in the record, once it was looked for
	key    bool         // what a row is about: it is written, and never laid over a record
	kept   bool         // an empty cell leaves what is there
	coded  bool         // in another spelling it is the same
	apart  bool         // the record has no such field
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

// of are the columns that hold what a record of type T has: each the field of the same name, or the one that as names.
// The import lays them over a record (cells.lay) and the export writes them (printer.record), as the field's type says.
func of[T any](fields ...field) []field {
	for i := range fields {
		if f := &fields[i]; !f.apart {
			f.record = reflect.TypeFor[T]()
		}
	}
	return fields
}

// apart is a column among those of a record that the booker reads itself, and the export writes beside the record.
func apart(f field) field { f.apart = true; return f }

// as is a column of a field that the record calls otherwise.
func as(called string, f field) field { f.called = called; return f }

// key is a column that says which record a row is about.
func key(f field) field { f.key = true; return f }

// kept is a column of a text that is never cleared: an empty cell leaves it.
func kept(f field) field { f.kept = true; return f }

// coded is a column of a code, which is the same in another spelling.
func coded(f field) field { f.coded = true; return f }

// in is the field of a record.
func (f *field) in(record reflect.Value) reflect.Value {
	if f.at == nil {
		name := cmp.Or(f.called, f.name)
		found, ok := f.record.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, name) })
		if !ok {
			panic(fmt.Sprintf("exchange: %s has no %s", f.record, name))
		}
		f.at = found.Index
	}
	return record.FieldByIndex(f.at)
}

// rowKinds are the kinds whose rows stand for themselves. What others refer to comes before them: importing the kinds
// in this order finds everything in place.
func rowKinds() []kind {
	return []kind{attributeKind(), brandKind(), categoryKind(), taxKind(), rateKind(), warehouseKind(), postalKind(),
		supplierKind(), customerKind(), itemKind(), supplierItemKind(), bomKind(), priceKind(), stockKind(),
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
		fields: of[catalog.Item](
			must(key(as("Number", column(code, "itemNumber", "sku", "item", "number", "articleNumber", "productCode",
				"stockCode")))),
			column(nameText, "name", "itemName", "title", "productName"),
			column(note, "description"),
			column(code, "type", "itemType"),
			truth("isActive", "active"),
			coded(column(code, "categoryCode", "category")),
			apart(column(nameText, "categoryName")),
			as("GroupCode", column(code, "itemGroupCode", "itemGroup")),
			coded(column(code, "brandCode", "brand")),
			apart(column(nameText, "brandName")),
			coded(as("BaseUnit", column(code, "baseUnitCode", "baseUnit", "unit", "unitCode", "uom"))),
			coded(as("SalesUnit", column(code, "salesUnitCode", "salesUnit"))),
			coded(as("PurchaseUnit", column(code, "purchaseUnitCode", "purchaseUnit"))),
			apart(column(note, "units")),
			number("decimalPlaces", "decimals"),
			number("salesPrice", "price", "listPrice", "unitPrice"),
			coded(column(code, "taxCode", "vatCode")),
			column(code, "gtin", "ean", "barcode", "upc"),
			as("ManufacturerNumber", column(code, "manufacturerItemNumber", "manufacturerNumber", "mpn")),
			as("SupplierNumber", column(code, "primarySupplierNumber", "supplierNumber", "supplier")),
			number("weightKg", "weight"),
			number("lengthCm", "length"),
			number("widthCm", "width"),
			number("heightCm", "height"),
			coded(as("OriginCountry", column(code, "countryOfOriginCode", "countryOfOrigin", "origin"))),
			column(code, "commodityCode", "hsCode", "tariffNumber"),
			as("Tracking", column(code, "trackingType", "tracking")),
			as("Replenishment", column(code, "replenishmentType", "replenishment")),
			truth("isConfigurable"),
			coded(column(code, "variantOf", "parent", "parentItemNumber", "parentSku")),
			apart(column(note, "variantOptions", "options")),
			apart(column(manyText, "crossReferences")),
			apart(shown(number("averageCost"))),
		)}
}

func customerKind() kind {
	return kind{name: "customers", shownKey: []string{"customerNumber"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return newCustomers() }, export: exportCustomers,
		fields: of[party.Customer](
			must(key(as("Number", column(code, "customerNumber", "number", "customer", "customerId")))),
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
			as("CurrencyCode", column(code, "defaultCurrencyCode", "currencyCode", "currency")),
			as("GroupCode", column(code, "customerGroupCode", "customerGroup", "group")),
			apart(column(nameText, "customerGroupName")),
			column(code, "paymentTermCode", "paymentTerm"),
			column(code, "deliveryTermCode", "deliveryTerm"),
			number("creditLimit"),
			column(code, "invoiceDelivery"),
			column(note, "notes", "note", "comment"),
		)}
}

func priceKind() kind {
	return kind{name: "price-lists", shownKey: []string{"priceListCode", "itemNumber", "minQuantity", "validFrom"},
		duplicate: pricing.ErrDuplicate, booker: func() booker { return &prices{heads: headsOf(priceHead())} },
		export: exportPrices,
		fields: append(priceHead(), of[pricing.Line](
			key(as("Item", column(code, "itemNumber", "sku", "item", "articleNumber", "productCode", "stockCode"))),
			number("minQuantity", "fromQuantity"),
			number("maxQuantity", "toQuantity"),
			date("validFrom"),
			date("validTo"),
			column(code, "strategy"),
			number("unitPrice", "price"),
			number("percentage", "percent"),
			number("fixedAmount"),
			apart(shown(number("calculatedPrice"))),
		)...)}
}

// priceHead are the columns of a price list's head.
func priceHead() []field {
	return of[pricing.List](
		must(key(as("Code", column(code, "priceListCode", "priceList", "list", "code")))),
		kept(as("Name", column(nameText, "priceListName", "name"))),
		column(note, "description"),
		column(code, "type", "priceListType"),
		kept(column(code, "currencyCode", "currency")),
		truth("isActive", "active"),
		truth("isPriceIncludingTax", "pricesIncludeTax"),
		number("priority"),
		column(code, "basePriceListCode", "parentPriceListCode"),
		as("ValidFrom", date("listValidFrom")),
		as("ValidTo", date("listValidTo")),
		truth("isDefault"),
		column(manyText, "customerNumbers", "customers"),
		column(manyText, "customerGroupCodes", "customerGroups"),
		column(manyText, "channelCodes", "channels"),
	)
}

func stockKind() kind {
	return kind{name: "stock", shownKey: []string{"itemNumber", "warehouseCode", "locationCode", "batchNumber",
		"serialNumber"}, duplicate: fault.ErrInvalid,
		booker: func() booker { return &goods{placed: map[string]goodsRow{}, noted: map[int]bool{}} },
		export: exportStock,
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
