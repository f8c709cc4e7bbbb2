package preview

import (
	"kontor/internal/business/invoicing"
	"kontor/internal/business/paper"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Invoices are sales invoices and credit notes, to be read only: they are made inside the ERP.
func Invoices() rest.Group {
	return rest.Group{Tag: "Invoices", Scope: "invoices",
		Doc: "Sales invoices and credit notes with lines and totals, read-only.", Ops: []rest.Op{
			rest.List("listInvoices", "/invoices",
				"Invoices and credit notes without their lines, the newest invoice date first.", listInvoices).
				Cached(),
			rest.Get("getInvoice", "/invoices/{invoiceNumber}", "One invoice with its lines.",
				shownInvoice.Of(invoicing.Find)).
				Raises(invoicing.ErrNotFound).CachedOne(invoicing.Invoices),
			rest.PrintAs("getInvoiceDocument", "/invoices/{invoiceNumber}/document",
				"The invoice as PDF in the receiver's language, or, where Accept wants XML, as an electronic invoice: Peppol BIS Billing 3.0 in UBL.",
				[]string{paper.Media, paper.MediaXML}, getInvoiceDocument).
				Extension().Raises(invoicing.ErrNotFound, invoicing.ErrInvalidStatus, paper.ErrIncomplete),
		}}
}

// InvoiceLine is one line of an invoice.
type InvoiceLine struct {
	LineNumber int `json:"lineNumber" of:"Number"`
	wire.Invoiced
}

// Invoice is an invoice or a credit note. The amounts of both are positive.
type Invoice struct {
	rest.Tag
	InvoiceNumber string `json:"invoiceNumber" of:"Number"`
	wire.Invoice
	ExternalDocumentNumber rest.Text     `json:"externalDocumentNumber" doc:"Null until booked."`
	CreditsInvoiceNumber   rest.Text     `json:"creditsInvoiceNumber" doc:"The invoice a credit note takes back."`
	Lines                  []InvoiceLine `json:"lines" doc:"Empty in lists."`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/invoices/"`
}

var shownInvoice = rest.Shows(invoiceShown)

var invoiceShown = rest.Shown[Invoice, invoicing.Invoice]()

// invoiceStatus is the status filter, which also takes two payment statuses: callers from before there
// was a paymentStatus ask for them here.
type invoiceStatus string

// Values are what the filter takes.
func (invoiceStatus) Values() []invoiceStatus {
	return []invoiceStatus{"Open", "Booked", "Cancelled", "Paid", "PartiallyPaid"}
}

type listInvoicesIn struct {
	rest.Paging
	Search          string                  `query:"search" doc:"Part of invoice number, document number or the customer's reference."`
	Status          invoiceStatus           `query:"status" doc:"Paid and PartiallyPaid are read as paymentStatus."`
	PaymentStatus   invoicing.PaymentStatus `query:"paymentStatus"`
	Type            invoicing.Type          `query:"type"`
	CustomerNumber  string                  `query:"customerNumber"`
	OrderNumber     string                  `query:"orderNumber"`
	InvoiceDateFrom day.Date                `query:"invoiceDateFrom" doc:"Inclusive."`
	InvoiceDateTo   day.Date                `query:"invoiceDateTo" doc:"Inclusive."`
}

func listInvoices(tx *db.Tx, in listInvoicesIn) (rest.Paged[Invoice], error) {
	f := invoicing.Filter{Search: in.Search, Status: invoicing.Status(in.Status), PaymentStatus: in.PaymentStatus,
		Type: in.Type, Customer: in.CustomerNumber, Order: in.OrderNumber, From: in.InvoiceDateFrom,
		To: in.InvoiceDateTo}
	if paid := invoicing.PaymentStatus(in.Status); paid == invoicing.Paid || paid == invoicing.PartiallyPaid {
		f.Status = ""
		if f.PaymentStatus != "" && f.PaymentStatus != paid {
			f.Nothing = true
		}
		f.PaymentStatus = paid
	}
	found, err := invoicing.List(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, invoiceShown), err
}

type invoiceDocumentIn struct {
	rest.Wanted
	InvoiceNumber string `path:"invoiceNumber"`
}

func getInvoiceDocument(tx *db.Tx, in invoiceDocumentIn) (rest.Document, error) {
	i, err := invoicing.Find(tx, in.InvoiceNumber)
	if err != nil {
		return rest.Document{}, err
	}
	if in.Media == paper.MediaXML {
		f, err := paper.ElectronicFor(tx, i)
		return rest.Document(f), err
	}
	f, err := paper.InvoiceFor(tx, i)
	return rest.Document(f), err
}
