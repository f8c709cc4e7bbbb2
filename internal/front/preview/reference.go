package preview

import (
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Reference is the codes a company works with, for reading.
func Reference() rest.Group {
	return rest.Group{Tag: "Reference", Scope: "reference",
		Doc: "The codes that other groups accept: read them once, and again with modifiedSince.", Ops: []rest.Op{
			codes("listWarehouses", "/reference/warehouses", "Warehouses by code.", reference.ListWarehouses,
				showWarehouse).Cached(),
			rest.List("listWarehouseLocations", "/reference/warehouses/{warehouseCode}/locations",
				"Locations of a warehouse by code.", listLocations).Raises(reference.ErrWarehouseNotFound).Cached(),
			codes("listCurrencies", "/reference/currencies", "Currencies by code, with their exchange rates of today.",
				reference.ListCurrencies, showCurrency),
			codes("listPaymentTerms", "/reference/payment-terms", "Payment terms by code.", reference.ListPaymentTerms,
				rest.Shown[PaymentTerm, reference.PaymentTerm]()).Cached(),
			codes("listDeliveryTerms", "/reference/delivery-terms", "Delivery terms by code.",
				reference.ListDeliveryTerms,
				rest.Shown[DeliveryTerm, reference.DeliveryTerm]()).Cached(),
			codes("listOrderTypes", "/reference/order-types", "Order types by code.", reference.ListOrderTypes,
				rest.Shown[OrderType, reference.OrderType]()).Cached(),
			codes("listShippingMethods", "/reference/shipping-methods", "Shipping methods by code.",
				reference.ListShippingMethods,
				rest.Shown[ShippingMethod, reference.ShippingMethod]()).Cached(),
			codes("listTicketQueues", "/reference/ticket-queues", "Ticket queues by code.", reference.ListTicketQueues,
				rest.Shown[TicketQueue, reference.TicketQueue]()).Cached(),
			codes("listUnits", "/reference/units", "Units of measure by code.", reference.ListUnits,
				rest.Shown[Unit, reference.Unit]()).Cached(),
			codes("listCustomerGroups", "/reference/customer-groups", "Customer groups by code.",
				reference.ListCustomerGroups,
				rest.Shown[CustomerGroup, reference.CustomerGroup]()).Cached().Extension(),
			codes("listTaxCodes", "/reference/tax-codes", "Tax codes by code, with their rates by country.",
				reference.ListTaxCodes,
				rest.Shown[TaxCode, reference.TaxCode]()).Cached().Extension(),
		}}
}

type codesIn struct {
	rest.Paging
	Search   string `query:"search" doc:"Words of code and name; every word must occur."`
	IsActive *bool  `query:"isActive" doc:"Only active codes, or only those out of use."`
}

// codes is the list of one sort of code: they differ in their rows alone.
func codes[T, Row any](id, path, doc string, list func(*db.Tx, reference.Filter, record.Page) (record.Found[T], error),
	show func(T) Row) rest.Op {
	return rest.List(id, path, doc, rest.Lists[codesIn](rest.Shows(show), list))
}

type locationsIn struct {
	codesIn
	WarehouseCode string `path:"warehouseCode"`
}

func listLocations(tx *db.Tx, in locationsIn) (rest.Paged[Location], error) {
	found, err := reference.ListLocations(tx, in.WarehouseCode,
		reference.Filter{Search: in.Search, IsActive: in.IsActive}, in.Record())
	return rest.PageOf(found, in.Paging, showLocation), err
}

// Code is what every row of reference data shows.
type Code struct {
	Code     string `json:"code" example:"MAIN"`
	Name     string `json:"name" example:"Main warehouse"`
	IsActive bool   `json:"isActive" doc:"False for a code that new documents should not use."`
	rest.Stamps
}

// PlaceAddress is where a warehouse stands.
type PlaceAddress struct{ wire.Place }

// Warehouse is a row of GET /reference/warehouses.
type Warehouse struct {
	Code
	Address       PlaceAddress `json:"address" of:"-"`
	TransportDays int          `json:"transportDays" doc:"Days goods are under way from here to a customer."`
}

var (
	warehouseOf = rest.Shown[Warehouse, reference.Warehouse]()
	placeOf     = rest.Shown[PlaceAddress, reference.Warehouse]()
	currencyOf  = rest.Shown[Currency, reference.Currency]()
)

func showWarehouse(w reference.Warehouse) Warehouse {
	out := warehouseOf(w)
	out.Address = placeOf(w)
	return out
}

// Location is a row of GET /reference/warehouses/{warehouseCode}/locations.
type Location struct {
	LocationCode string `json:"locationCode" of:"Code" doc:"The same as code." example:"A-01"`
	Code
	Zone         rest.Text `json:"zone"`
	IsPickable   bool      `json:"isPickable" doc:"Orders are picked from here."`
	IsReturns    bool      `json:"isReturns" doc:"Returned goods are put here."`
	IsQuarantine bool      `json:"isQuarantine" doc:"Goods here cover no order."`
}

var showLocation = rest.Shown[Location, reference.Location]()

// Currency is a row of GET /reference/currencies.
type Currency struct {
	Code
	Decimals     int       `json:"decimals" doc:"Digits of the minor unit (ISO 4217)."`
	ExchangeRate *dec.Dec  `json:"exchangeRate" of:"-" doc:"What one unit is worth in the base currency today; null when no rate is known."`
	RateDate     rest.Date `json:"rateDate" doc:"The day the rate was quoted."`
	IsBase       bool      `json:"isBase"`
}

func showCurrency(c reference.Currency) Currency {
	out := currencyOf(c)
	if c.Rate.Units > 0 {
		rate := c.Rate.Amount.Div(c.Rate.Units)
		out.ExchangeRate = &rate
	}
	return out
}

// PaymentTerm is a row of GET /reference/payment-terms.
type PaymentTerm struct {
	Code
	Days       int  `json:"days" doc:"Days from the invoice date to the due date."`
	EndOfMonth bool `json:"endOfMonth" doc:"The due date moves to the end of its month."`
}

// DeliveryTerm is a row of GET /reference/delivery-terms.
type DeliveryTerm struct {
	Code
	IncotermsCode rest.Text `json:"incotermsCode" doc:"Rule of Incoterms 2020."`
}

// OrderType is a row of GET /reference/order-types.
type OrderType struct {
	Code
	AutoRelease bool                    `json:"autoRelease" doc:"Orders are released as they are placed."`
	AutoShip    bool                    `json:"autoShip" doc:"A released order gets its shipment."`
	AutoInvoice reference.InvoiceMoment `json:"autoInvoice" doc:"When an order is invoiced by itself."`
}

// ShippingMethod is a row of GET /reference/shipping-methods.
type ShippingMethod struct {
	Code
	Carrier             rest.Text `json:"carrier"`
	TrackingURLTemplate rest.Text `json:"trackingUrlTemplate" doc:"The carrier's page of a parcel, with {trackingNumber} in it."`
	IsPickup            bool      `json:"isPickup" doc:"The customer fetches the goods."`
}

// TicketQueue is a row of GET /reference/ticket-queues.
type TicketQueue struct {
	Code
}

// Unit is a row of GET /reference/units.
type Unit struct {
	Code
	CommonCode rest.Text `json:"commonCode" doc:"Code of UN/ECE Recommendation 20, as electronic invoices need it." example:"H87"`
}

// CustomerGroup is a row of GET /reference/customer-groups.
type CustomerGroup struct {
	Code
}

// TaxCode is a row of GET /reference/tax-codes.
type TaxCode struct {
	Code
	Rates []TaxRate `json:"rates" doc:"By country, then by day; the latest one in force holds."`
}

// TaxRate is the percentage of a tax code in a country.
type TaxRate struct {
	CountryCode rest.Text `json:"countryCode" of:"Country" doc:"Null for every country without a rate of its own."`
	Percent     dec.Dec   `json:"percent" example:"25"`
	ValidFrom   rest.Date `json:"validFrom" doc:"Null: since ever."`
}
