package reference

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Filter narrows a list of codes.
type Filter struct {
	Search   string // words of code and name
	IsActive *bool
}

// Lists of codes, by code.
var (
	ListWarehouses      = warehouses.all
	ListPaymentTerms    = paymentTerms.all
	ListDeliveryTerms   = deliveryTerms.all
	ListOrderTypes      = orderTypes.all
	ListShippingMethods = shippingMethods.all
	ListTicketQueues    = ticketQueues.all
	ListCannedAnswers   = cannedAnswers.all
	ListUnits           = units.all
	ListCustomerGroups  = customerGroups.all
)

// ListLocations answers the locations of a warehouse by code; Warehouse.NotFound when there is none of that code.
func ListLocations(tx *db.Tx, warehouse string, f Filter, p record.Page) (record.Found[Location], error) {
	b, err := Of(tx)
	if err != nil {
		return record.Found[Location]{}, err
	}
	w, ok := b.Warehouse(warehouse)
	if !ok {
		return record.Found[Location]{}, ErrWarehouseNotFound.Because("there is no warehouse %q", warehouse)
	}
	return locations.list(tx, f, p, w.Code)
}

// ListCurrencies answers currencies by code with their rates of today.
func ListCurrencies(tx *db.Tx, f Filter, p record.Page) (record.Found[Currency], error) {
	b, err := Of(tx)
	if err != nil {
		return record.Found[Currency]{}, err
	}
	found, err := currencyKind.all(tx, f, p)
	for i := range found.Items {
		found.Items[i].derive(tx)
		b.quote(&found.Items[i])
	}
	return found, err
}

// ListTaxCodes answers tax codes by code, with their rates.
func ListTaxCodes(tx *db.Tx, f Filter, p record.Page) (record.Found[TaxCode], error) {
	b, err := Of(tx)
	if err != nil {
		return record.Found[TaxCode]{}, err
	}
	found, err := taxCodes.all(tx, f, p)
	for i := range found.Items {
		if t, ok := b.TaxCode(found.Items[i].Code); ok {
			found.Items[i].Rates = t.Rates
		}
	}
	return found, err
}
