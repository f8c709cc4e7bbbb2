package reference

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
	Settings        = settings
)
