package wire

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/quoting"
	"kontor/internal/business/returns"
	"kontor/internal/business/shipping"
	"kontor/internal/business/support"
	"kontor/internal/engine/configure"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// Ticket is what somebody asks.
type Ticket struct {
	TicketNumber    string           `json:"ticketNumber" of:"Number"`
	Subject         string           `json:"subject"`
	Description     rest.Text        `json:"description"`
	Status          support.Status   `json:"status"`
	Source          support.Source   `json:"source" doc:"By which way it came."`
	QueueCode       string           `json:"queueCode"`
	Priority        support.Priority `json:"priority"`
	CategoryCode    rest.Text        `json:"categoryCode"`
	ContactName     rest.Text        `json:"contactName"`
	ContactEmail    rest.Text        `json:"contactEmail" doc:"Where answers are mailed to."`
	OrderNumber     rest.Text        `json:"orderNumber"`
	ItemNumber      rest.Text        `json:"itemNumber"`
	Resolution      rest.Text        `json:"resolution"`
	FirstResponseAt rest.Time        `json:"firstResponseAt" doc:"When an agent first wrote to the customer."`
	ResolvedAt      rest.Time        `json:"resolvedAt" doc:"Null once it is open again."`
	ClosedAt        rest.Time        `json:"closedAt"`
}

// Chosen is a choice with its names.
type Chosen struct {
	FeatureCode string         `json:"featureCode"`
	FeatureName string         `json:"featureName"`
	FeatureType configure.Type `json:"featureType"`
	IsMeasured  bool           `json:"isMeasured"`
	OptionCode  rest.Text      `json:"optionCode"`
	OptionName  rest.Text      `json:"optionName"`
	Text        rest.Text      `json:"text"`
	Number      *dec.Dec       `json:"number"`
	Unit        rest.Text      `json:"unit" doc:"Of the number; null where it has none."`
	Boolean     *bool          `json:"boolean"`
}

// Invoice is an invoice or a credit note without its lines. The amounts of both are positive.
type Invoice struct {
	Type           invoicing.Type          `json:"type"`
	Status         invoicing.Status        `json:"status"`
	PaymentStatus  invoicing.PaymentStatus `json:"paymentStatus"`
	CustomerNumber rest.Text               `json:"customerNumber"`
	CustomerName   rest.Text               `json:"customerName"`
	InvoiceDate    day.Date                `json:"invoiceDate"`
	DueDate        rest.Date               `json:"dueDate"`
	CurrencyCode   string                  `json:"currencyCode"`
	TotalAmount    dec.Fixed               `json:"totalAmount" doc:"Without tax."`
	TotalVAT       dec.Fixed               `json:"totalVat"`
	PaidAmount     dec.Fixed               `json:"paidAmount" doc:"Payments, and what credit notes settled."`
	Balance        dec.Fixed               `json:"balance" doc:"Still to be paid, with tax; below zero when too much was paid."`
	Comments       rest.Text               `json:"comments"`
	OrderNumbers   []string                `json:"orderNumbers"`
}

// QuoteHead is a quote as lists have it.
type QuoteHead struct {
	QuoteNumber             string         `json:"quoteNumber" of:"Number"`
	Title                   rest.Text      `json:"title"`
	Status                  quoting.Status `json:"status"`
	QuoteDate               day.Date       `json:"quoteDate"`
	ValidUntil              day.Date       `json:"validUntil" doc:"The last day on which it may be accepted."`
	CurrencyCode            string         `json:"currencyCode"`
	TotalAmount             dec.Fixed      `json:"totalAmount" doc:"Without tax."`
	TotalAmountIncludingTax dec.Fixed      `json:"totalAmountIncludingTax" of:"TotalIncludingTax"`
}

// Quote is a quote without its lines.
type Quote struct {
	QuoteHead
	Description rest.Text `json:"description"`
	SentAt      rest.Time `json:"sentAt"`
	AcceptedAt  rest.Time `json:"acceptedAt"`
	DeclinedAt  rest.Time `json:"declinedAt"`
	TotalVAT    dec.Fixed `json:"totalVat"`
}

// Return is a return without its lines.
type Return struct {
	ReturnNumber string          `json:"returnNumber" of:"Number"`
	OrderNumber  string          `json:"orderNumber"`
	Status       returns.Status  `json:"status"`
	Reason       *returns.Reason `json:"reason"`
	ReceivedDate rest.Date       `json:"receivedDate" doc:"Null until received."`
	CurrencyCode rest.Text       `json:"currencyCode"`
	TotalAmount  dec.Fixed       `json:"totalAmount" doc:"Without tax."`
	TotalVAT     dec.Fixed       `json:"totalVat"`
}

// ReturnLine is what comes back of an order line.
type ReturnLine struct {
	LineNumber      int       `json:"lineNumber" of:"Number"`
	OrderLineNumber int       `json:"orderLineNumber" of:"OrderLine"`
	ItemNumber      rest.Text `json:"itemNumber" of:"Item"`
	ItemName        rest.Text `json:"itemName"`
	Quantity        dec.Dec   `json:"quantity" doc:"As announced; once received, as received."`
	UnitPrice       dec.Fixed `json:"unitPrice"`
	LineTotal       dec.Fixed `json:"lineTotal" doc:"Without tax."`
	Condition       rest.Text `json:"condition"`
	Notes           rest.Text `json:"notes"`
}

// Shipment is a shipment without its lines.
type Shipment struct {
	ShipmentNumber     string          `json:"shipmentNumber" of:"Number"`
	Status             shipping.Status `json:"status"`
	PlannedShipDate    rest.Date       `json:"plannedShipDate"`
	ShippedDate        rest.Time       `json:"shippedDate" doc:"When the goods were handed to the carrier."`
	DeliveredDate      rest.Time       `json:"deliveredDate"`
	ShippingMethodName rest.Text       `json:"shippingMethodName"`
	TrackingNumber     rest.Text       `json:"trackingNumber" doc:"Null until booked."`
	TrackingURL        rest.Text       `json:"trackingUrl" doc:"The carrier's page; safe to show to the customer."`
	TotalWeightKg      *dec.Dec        `json:"totalWeightKg" doc:"Of the packages once one was weighed, else of the goods."`
	CreatedAt          db.Time         `json:"createdDate"`
}
