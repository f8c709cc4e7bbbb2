package reference

import "kontor/internal/foundation/record"

// The resources of the codes, for who shows their history.
var (
	OrderTypes      = orderTypes.Resource
	PaymentTerms    = paymentTerms.Resource
	DeliveryTerms   = deliveryTerms.Resource
	ShippingMethods = shippingMethods.Resource
	Warehouses      = warehouses.Resource
	Locations       = locations.Resource
	Units           = units.Resource
	CustomerGroups  = customerGroups.Resource
	TaxCodes        = taxCodes.Resource
	Currencies      = currencyKind.Resource
	TicketQueues    = ticketQueues.Resource
	CannedAnswers   = cannedAnswers.Resource
	Settings        = settings
)

// Rates are a currency's quotations, the oldest first.
func (b *Book) Rates(currency string) []RatePoint { return b.rates[record.Fold(currency)] }
