package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// Orders are sales orders with lines, fulfilment status and shipments. Drafts live in the ERP only.
func Orders() rest.Group {
	return rest.Group{Tag: "Orders", Scope: "sales-orders",
		Doc: "Sales orders with lines, fulfilment status and shipments.", Ops: []rest.Op{
			rest.List("listOrders", "/orders", "Sales orders, newest first.",
				rest.Lists[listOrdersIn](shownOrderRow, sales.List)).CachedRows(sales.Orders),
			rest.Create("createOrder", "/orders",
				"Places a sales order: prices its lines and reserves what there is in stock.", createOrder).
				Raises(party.ErrNotFound, party.ErrInactive, party.ErrAddressNotFound, catalog.ErrNotFound,
					catalog.ErrInactive, catalog.ErrTooManyDecimals, sales.ErrNoPrice, sales.ErrUnknownCode,
					sales.ErrUnknownUnit, sales.ErrInvalid, sales.ErrLineInvalid, configuration.ErrNotFound,
					configuration.ErrAlreadyOrdered, configuration.ErrInvalid, sales.ErrWarehouseNotFound,
					sales.ErrExternalExists, sales.ErrExists, party.ErrUnknownCode, limit.ErrQuantity, limit.ErrAmount).
				Example(
					`{"customerNumber": "C-1001", "customerReference": "PO 4711", "lines": [{"itemNumber": "A-100", "quantity": "3"}]}`),
			rest.Get("getOrder", "/orders/{orderNumber}", "One sales order with lines.", shownOrder.Of(sales.Find)).
				Raises(sales.ErrNotFound).CachedOne(sales.Orders), rest.Patch("updateOrder", "/orders/{orderNumber}",
				"Changes an order's head while it is Placed or Released.",
				rest.Edits[orderChange](shownOrder, sales.Change)).
				Raises(sales.ErrNotFound, sales.ErrInvalidStatus, sales.ErrUnknownCode, sales.ErrExternalExists,
					sales.ErrInvalid, party.ErrAddressNotFound, party.ErrUnknownCode).
				Example(`{"customerReference": "PO 4712"}`),
			rest.Create("createOrderLine", "/orders/{orderNumber}/lines",
				"Adds a line to an order that is Placed or Released.", createOrderLine).
				Raises(sales.ErrNotFound, sales.ErrInvalidStatus, catalog.ErrNotFound, catalog.ErrInactive,
					catalog.ErrTooManyDecimals, sales.ErrNoPrice, sales.ErrUnknownCode, sales.ErrUnknownUnit,
					sales.ErrLineInvalid, configuration.ErrNotFound, configuration.ErrAlreadyOrdered,
					configuration.ErrInvalid, sales.ErrWarehouseNotFound, limit.ErrQuantity, limit.ErrAmount).
				Example(`{"itemNumber": "A-100", "quantity": "2"}`),
			rest.Patch("updateOrderLine", "/orders/{orderNumber}/lines/{lineNumber}",
				"Changes a line; unknown fields are ignored.", updateOrderLine).
				Raises(sales.ErrNotFound, sales.ErrLineNotFound, sales.ErrInvalidStatus, sales.ErrAlreadyShipped,
					sales.ErrAlreadyInvoiced, catalog.ErrTooManyDecimals, sales.ErrNoPrice, sales.ErrUnknownCode,
					sales.ErrUnknownUnit, sales.ErrLineInvalid, limit.ErrQuantity, limit.ErrAmount).
				IgnoresUnknown().Example(`{"quantity": "5"}`),
			rest.Delete("deleteOrderLine", "/orders/{orderNumber}/lines/{lineNumber}", "Removes an undelivered line.",
				rest.OfLine(rest.Tagged[sales.Order](), sales.DeleteLine)).
				Raises(sales.ErrNotFound, sales.ErrLineNotFound, sales.ErrInvalidStatus, sales.ErrAlreadyShipped,
					sales.ErrAlreadyInvoiced, sales.ErrLastLine),
			rest.Do("releaseOrder", "/orders/{orderNumber}/release",
				"Releases an order to the warehouse and allocates stock.", shownOrder.Of(sales.Release)).
				Raises(sales.ErrNotFound, sales.ErrInvalidStatus),
			rest.Do("cancelOrder", "/orders/{orderNumber}/cancel",
				"Cancels an undelivered order and frees what is allocated to it.", shownOrder.Of(sales.Cancel)).
				Raises(sales.ErrNotFound, sales.ErrInvalidStatus, sales.ErrHasDeliveries, sales.ErrHasOpenShipments),
			rest.Do("closeOrder", "/orders/{orderNumber}/close", "Closes an order; what is undelivered is given up.",
				shownOrder.Of(sales.Close)).
				Raises(sales.ErrNotFound, sales.ErrInvalidStatus, sales.ErrHasOpenShipments).Extension(),
			orderShipments(),
		}}
}

// OrderRow is a sales order in the list.
type OrderRow struct {
	rest.Tag
	OrderNumber             string               `json:"orderNumber" of:"Number"`
	Status                  sales.Status         `json:"status" doc:"Commercial state only."`
	DeliveryStatus          sales.DeliveryStatus `json:"deliveryStatus" of:"Delivery"`
	DeliveredPercentage     dec.Dec              `json:"deliveredPercentage" of:"DeliveredPercent"`
	CustomerNumber          string               `json:"customerNumber"`
	CustomerName            string               `json:"customerName"`
	CustomerReference       rest.Text            `json:"customerReference"`
	OrderDate               day.Date             `json:"orderDate"`
	RequestedDeliveryDate   rest.Date            `json:"requestedDeliveryDate"`
	PlannedDeliveryDate     rest.Date            `json:"plannedDeliveryDate" doc:"The requested date, else the order date, once everything is reserved or delivered."`
	CurrencyCode            string               `json:"currencyCode"`
	TotalAmount             dec.Fixed            `json:"totalAmount" doc:"Without tax."`
	TotalAmountIncludingTax dec.Fixed            `json:"totalAmountIncludingTax" of:"TotalIncludingTax"`
	LineCount               int                  `json:"lineCount"`
	ChannelCode             rest.Text            `json:"channelCode" doc:"Of web shops; null for orders of the ERP and this API."`
	ChannelName             rest.Text            `json:"channelName"`
	ExternalOrderNumber     rest.Text            `json:"externalOrderNumber" of:"ExternalNumber"`
	ExternalOrderScope      rest.Text            `json:"externalOrderScope" of:"ExternalScope"`
	ID                      string               `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/orders/"`
}

// Order is a sales order with its lines.
type Order struct {
	OrderRow
	TotalVAT           dec.Fixed            `json:"totalVat"`
	InvoicedStatus     sales.InvoicedStatus `json:"invoicedStatus" of:"Invoicing"`
	OrderTypeCode      rest.Text            `json:"orderTypeCode"`
	OrderTypeName      rest.Text            `json:"orderTypeName"`
	WarehouseCode      rest.Text            `json:"warehouseCode"`
	WarehouseName      rest.Text            `json:"warehouseName"`
	PaymentTermCode    rest.Text            `json:"paymentTermCode"`
	PaymentTermName    rest.Text            `json:"paymentTermName"`
	DeliveryTermCode   rest.Text            `json:"deliveryTermCode"`
	DeliveryTermName   rest.Text            `json:"deliveryTermName"`
	ShippingMethodCode rest.Text            `json:"shippingMethodCode"`
	ShippingMethodName rest.Text            `json:"shippingMethodName"`
	DeliveryAddress    *postalFields        `json:"deliveryAddress"`
	InvoiceAddress     *postalFields        `json:"invoiceAddress"`
	Notes              rest.Text            `json:"notes"`
	InternalNotes      rest.Text            `json:"internalNotes"`
	ShipmentNumbers    []string             `json:"shipmentNumbers"`
	InvoiceNumbers     []string             `json:"invoiceNumbers"`
	Lines              []OrderLine          `json:"lines"`
}

// RecordKey is the order's number.
func (o OrderRow) RecordKey() string { return o.OrderNumber }

var shownOrderRow = rest.Shows(rest.Shown[OrderRow, sales.Order]())

var shownOrder = rest.Shows(rest.Shown[Order, sales.Order]())

type listOrdersIn struct {
	rest.Paging
	Search         string       `query:"search" doc:"Part of order number or customer reference."`
	Status         sales.Status `query:"status"`
	CustomerNumber string       `query:"customerNumber"`
	ChannelCode    string       `query:"channelCode"`
	OrderDateFrom  day.Date     `query:"orderDateFrom" of:"From" doc:"Inclusive."`
	OrderDateTo    day.Date     `query:"orderDateTo" of:"To" doc:"Inclusive."`
}

// orderFields are what may be written of an order's head, on creation and later.
type orderFields struct {
	CustomerReference     rest.Text     `json:"customerReference" text:"name"`
	RequestedDeliveryDate rest.Date     `json:"requestedDeliveryDate"`
	OrderTypeCode         rest.Text     `json:"orderTypeCode" doc:"Left out: the company's default."`
	WarehouseCode         rest.Text     `json:"warehouseCode" doc:"Left out: the company's default."`
	PaymentTermCode       rest.Text     `json:"paymentTermCode" doc:"Left out: the customer's, else the company's."`
	DeliveryTermCode      rest.Text     `json:"deliveryTermCode" doc:"Left out: the customer's, else the company's."`
	ShippingMethodCode    rest.Text     `json:"shippingMethodCode" doc:"Left out: the company's default."`
	DeliveryAddressID     rest.Text     `json:"deliveryAddressId" format:"uuid" doc:"One of the customer's delivery addresses, instead of deliveryAddress."`
	DeliveryAddress       *postalFields `json:"deliveryAddress" doc:"Left out: the customer's default delivery address, else its own."`
	InvoiceAddress        *postalFields `json:"invoiceAddress" doc:"Left out: the customer's own."`
	ExternalOrderNumber   rest.Text     `json:"externalOrderNumber" of:"ExternalNumber" doc:"Unique together with its scope."`
	ExternalOrderScope    rest.Text     `json:"externalOrderScope" of:"ExternalScope" doc:"Names the external system."`
	Notes                 rest.Text     `json:"notes" text:"note"`
	InternalNotes         rest.Text     `json:"internalNotes" text:"note"`
}

type newOrder struct {
	OrderNumber    rest.Text `json:"orderNumber" of:"Number" doc:"Left out: the next of the series."`
	CustomerNumber string    `json:"customerNumber" req:"true"`
	OrderDate      rest.Date `json:"orderDate" doc:"Left out: today."`
	CurrencyCode   rest.Text `json:"currencyCode" doc:"ISO 4217. Left out: the customer's, else the company's."`
	orderFields
	Lines []newOrderLine `json:"lines" req:"true" minItems:"1" maxItems:"5000"`
}

var placing = rest.Written[newOrder, sales.Placing]()

func createOrder(tx *db.Tx, in rest.Sent[newOrder]) (Order, error) {
	o, err := sales.Place(tx, placing(in.Body), stock.AsMuchAsThereIs)
	return shownOrder.One(tx, o, err)
}

// orderChange is what a PATCH of an order may hold. Customer and currency decided the prices, so they stay.
type orderChange struct {
	OrderDate day.Date `json:"orderDate"`
	orderFields
}
