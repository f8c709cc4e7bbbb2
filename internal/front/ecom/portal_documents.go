package ecom

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/paper"
	"kontor/internal/business/portal"
	"kontor/internal/business/shipping"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// PortalInvoices are a customer's booked invoices and credit notes.
func PortalInvoices() rest.Group {
	return rest.Group{Tag: "PortalInvoices", Scope: rest.ScopeCustomer,
		Doc: "The customer's invoices and credit notes.", Ops: []rest.Op{
			rest.List("listPortalInvoices", "/portal/invoices",
				"Booked invoices and credit notes without their lines, the newest first.", listPortalInvoices),
			rest.Get("getPortalInvoice", "/portal/invoices/{id}", "One invoice with its lines.",
				shownPortalInvoice.ByID(portal.FindInvoice)).
				Raises(invoicing.ErrNotFound), rest.Print("getPortalInvoicePdf", "/portal/invoices/{id}/pdf",
				"The invoice as PDF, in the customer's language.", paper.Media, getPortalInvoicePdf).
				Raises(invoicing.ErrNotFound),
		}}
}

// PortalInvoiceLine is a line of an invoice.
type PortalInvoiceLine struct {
	LineNumber  int       `json:"lineNumber" of:"Number"`
	OrderNumber rest.Text `json:"orderNumber"`
	wire.Invoiced
}

// PortalInvoice is an invoice or a credit note. The amounts of both are positive.
type PortalInvoice struct {
	ID                     string    `json:"id" format:"uuid"`
	InvoiceNumber          string    `json:"invoiceNumber" of:"Document" doc:"The number on the invoice."`
	ExternalDocumentNumber rest.Text `json:"externalDocumentNumber" doc:"The same number."`
	wire.Invoice
	TotalAmountIncludingTax dec.Fixed           `json:"totalAmountIncludingTax" of:"TotalIncludingTax"`
	CreditsInvoiceNumber    rest.Text           `json:"creditsInvoiceNumber" of:"CreditsDocument" doc:"The number on the invoice that a credit note takes back."`
	Pdf                     string              `json:"pdf" of:"-" doc:"Path of the PDF."`
	Lines                   []PortalInvoiceLine `json:"lines" doc:"Empty in lists."`
	CreatedAt               db.Time             `json:"createdDate"`
}

var (
	portalInvoice      = rest.Shown[PortalInvoice, invoicing.Invoice]()
	shownPortalInvoice = rest.Shows(portalInvoiceOf)
)

func portalInvoiceOf(i invoicing.Invoice) PortalInvoice {
	out := portalInvoice(i)
	out.Pdf = rest.Self("/ecom/portal/invoices/", i.ID, "pdf").Self
	return out
}

type listPortalInvoicesIn struct {
	rest.Paging
	Search        string                  `query:"search" doc:"Part of invoice number, document number or reference."`
	PaymentStatus invoicing.PaymentStatus `query:"paymentStatus"`
	Type          invoicing.Type          `query:"type"`
}

func listPortalInvoices(tx *db.Tx, in listPortalInvoicesIn) (rest.Paged[PortalInvoice], error) {
	f := invoicing.Filter{Customer: storefront.Of(tx).Customer.Number, Status: invoicing.Booked, Search: in.Search,
		PaymentStatus: in.PaymentStatus, Type: in.Type}
	found, err := invoicing.List(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, portalInvoiceOf), err
}

// PortalShipments are the shipments to a customer.
func PortalShipments() rest.Group {
	return rest.Group{Tag: "PortalShipments", Scope: rest.ScopeCustomer,
		Doc: "Shipments to the customer, with tracking.", Ops: []rest.Op{
			rest.List("listPortalShipments", "/portal/shipments", "Shipments with tracking, the newest first.",
				listPortalShipments),
			rest.Get("getPortalShipment", "/portal/shipments/{id}", "One shipment.",
				shownPortalShipment.ByID(portal.FindShipment)).
				Raises(shipping.ErrNotFound),
		}}
}

// PortalShipmentLine is what a shipment holds of an order line.
type PortalShipmentLine struct {
	OrderNumber     string    `json:"orderNumber"`
	OrderLineNumber int       `json:"orderLineNumber" of:"OrderLine"`
	ItemID          rest.Text `json:"itemId" format:"uuid"`
	ItemNumber      string    `json:"itemNumber" of:"Item"`
	ItemName        string    `json:"itemName"`
	Quantity        dec.Dec   `json:"quantity"`
	Unit            rest.Text `json:"unit"`
}

// PortalPackage is a parcel of a shipment.
type PortalPackage struct {
	PackageNumber  int       `json:"packageNumber" of:"Number"`
	TrackingNumber rest.Text `json:"trackingNumber"`
	WeightKg       *dec.Dec  `json:"weightKg"`
}

// PortalShipment is a shipment to the customer.
type PortalShipment struct {
	ID string `json:"id" format:"uuid"`
	wire.Shipment
	OrderNumbers    []string             `json:"orderNumbers"`
	DeliveryAddress *PortalPostal        `json:"deliveryAddress"`
	Lines           []PortalShipmentLine `json:"lines"`
	Packages        []PortalPackage      `json:"packages" doc:"Empty in lists."`
}

var (
	shipmentShown       = rest.Shown[PortalShipment, shipping.Shipment]()
	shownPortalShipment = rest.Shows(portalShipmentOf)
)

type listPortalShipmentsIn struct {
	rest.Paging
	Search string          `query:"search" doc:"Part of shipment or tracking number."`
	Status shipping.Status `query:"status"`
}

// portalShipmentOf is a shipment with what was picked for it, not what was to be.
func portalShipmentOf(s shipping.Shipment) PortalShipment {
	held := s.Held()
	s.Lines = each.Of(held, func(h shipping.Held) shipping.Line {
		l := *h.Line
		l.Quantity = h.Quantity
		return l
	})
	return shipmentShown(s)
}

func listPortalShipments(tx *db.Tx, in listPortalShipmentsIn) (rest.Paged[PortalShipment], error) {
	f := shipping.Filter{CustomerID: storefront.Of(tx).Customer.ID, Search: in.Search, Status: in.Status}
	found, err := shipping.List(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, portalShipmentOf), err
}
