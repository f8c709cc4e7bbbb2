package reference

import "kontor/internal/foundation/record"

// The resources of the codes, for who shows their history.
var (
	OrderTypes      = orderTypes.resource
	PaymentTerms    = paymentTerms.resource
	DeliveryTerms   = deliveryTerms.resource
	ShippingMethods = shippingMethods.resource
	Warehouses      = warehouses.resource
	Locations       = locations.resource
	Units           = units.resource
	CustomerGroups  = customerGroups.resource
	TaxCodes        = taxCodes.resource
	Currencies      = currencyKind.resource
	TicketQueues    = ticketQueues.resource
	CannedAnswers   = cannedAnswers.resource
	Settings        = settings
)

// Rates are a currency's quotations, the oldest first.
func (b *Book) Rates(currency string) []RatePoint { return b.rates[record.Fold(currency)] }
