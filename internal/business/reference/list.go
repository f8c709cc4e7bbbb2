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

// ListWarehouses answers warehouses by code.
func ListWarehouses(tx *db.Tx, f Filter, p record.Page) (record.Found[Warehouse], error) {
	return warehouses.list(tx, f, p, "")
}

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
	found, err := currencyKind.list(tx, f, p, "")
	for i := range found.Items {
		found.Items[i].derive(tx)
		b.quote(&found.Items[i])
	}
	return found, err
}

// ListPaymentTerms answers payment terms by code.
func ListPaymentTerms(tx *db.Tx, f Filter, p record.Page) (record.Found[PaymentTerm], error) {
	return paymentTerms.list(tx, f, p, "")
}

// ListDeliveryTerms answers delivery terms by code.
func ListDeliveryTerms(tx *db.Tx, f Filter, p record.Page) (record.Found[DeliveryTerm], error) {
	return deliveryTerms.list(tx, f, p, "")
}

// ListOrderTypes answers order types by code.
func ListOrderTypes(tx *db.Tx, f Filter, p record.Page) (record.Found[OrderType], error) {
	return orderTypes.list(tx, f, p, "")
}

// ListShippingMethods answers shipping methods by code.
func ListShippingMethods(tx *db.Tx, f Filter, p record.Page) (record.Found[ShippingMethod], error) {
	return shippingMethods.list(tx, f, p, "")
}

// ListTicketQueues answers ticket queues by code.
func ListTicketQueues(tx *db.Tx, f Filter, p record.Page) (record.Found[TicketQueue], error) {
	return ticketQueues.list(tx, f, p, "")
}

// ListCannedAnswers answers canned answers by code.
func ListCannedAnswers(tx *db.Tx, f Filter, p record.Page) (record.Found[CannedAnswer], error) {
	return cannedAnswers.list(tx, f, p, "")
}

// ListUnits answers units by code.
func ListUnits(tx *db.Tx, f Filter, p record.Page) (record.Found[Unit], error) {
	return units.list(tx, f, p, "")
}

// ListCustomerGroups answers customer groups by code.
func ListCustomerGroups(tx *db.Tx, f Filter, p record.Page) (record.Found[CustomerGroup], error) {
	return customerGroups.list(tx, f, p, "")
}

// ListTaxCodes answers tax codes by code, with their rates.
func ListTaxCodes(tx *db.Tx, f Filter, p record.Page) (record.Found[TaxCode], error) {
	b, err := Of(tx)
	if err != nil {
		return record.Found[TaxCode]{}, err
	}
	found, err := taxCodes.list(tx, f, p, "")
	for i := range found.Items {
		if t, ok := b.TaxCode(found.Items[i].Code); ok {
			found.Items[i].Rates = t.Rates
		}
	}
	return found, err
}
