// Package party is who the company trades with: customers, the people who work there, and the addresses
// they want goods sent to.
package party

import (
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// Resource is the aggregate: a customer with contacts and delivery addresses.
var Resource = record.Define("customers", "customer", "Customer", "customer_contact", "customer_address")

// Codes of customers.
var (
	ErrNotFound    = fault.New(fault.NotFound, "Customer.NotFound")
	ErrExists      = fault.New(fault.Conflict, "Customer.AlreadyExists")
	ErrInUse       = fault.New(fault.Conflict, "Customer.InUse")
	ErrInactive    = fault.New(fault.Invalid, "Customer.Inactive")
	ErrUnknownCode = fault.New(fault.Invalid, "Customer.UnknownCode")
)

// Customer is a company or a person that buys.
type Customer struct {
	record.Root
	Number             string
	Name               string
	OrganizationNumber string
	VATNumber          string
	IsActive           bool // an inactive customer cannot be placed on new orders
	InvoiceEmail       string
	InvoiceDelivery    InvoiceDelivery
	Phone              string
	Street1, Street2   string
	PostalCode, City   string
	CountryCode        string // ISO 3166-1 alpha-2
	CurrencyCode       string // of new orders; empty is the company's
	GroupCode          string
	PaymentTermCode    string
	DeliveryTermCode   string
	// what may be owed at most by orders on invoice, with tax, in the company's currency; nil = no limit
	CreditLimit *dec.Dec
	Notes       string // internal
}

// InvoiceDelivery is how a customer wants to get invoices by mail. Empty: those of a store's orders come as PDF, and no
// others.
type InvoiceDelivery string

// The ways. All but ByNone bring every invoice, whoever took the order.
const (
	ByNone      InvoiceDelivery = "None"
	ByPDF       InvoiceDelivery = "Pdf"
	ByPDFAndXML InvoiceDelivery = "PdfAndXml" // with the electronic invoice beside it
)

// Values are all ways.
func (InvoiceDelivery) Values() []InvoiceDelivery {
	return []InvoiceDelivery{ByNone, ByPDF, ByPDFAndXML}
}

// Deleting is fired before a customer is deleted; a room that has documents naming it refuses with ErrInUse.
type Deleting struct{ Customer Customer }

// Postal is the customer's own address, the one invoices go to.
func (c Customer) Postal() Postal {
	return Postal{Name: c.Name, Street1: c.Street1, Street2: c.Street2, PostalCode: c.PostalCode, City: c.City,
		CountryCode: c.CountryCode, Email: c.InvoiceEmail, Phone: c.Phone}
}

// Check verifies the codes a customer names and writes them as the company spells them, and the mail address unless it
// is as it was. All that is wrong is reported at once: Customer.UnknownCode naming each field.
func (c *Customer) Check(tx *db.Tx, was Customer) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var wrong fault.List
	currency, ok := book.Currency(c.CurrencyCode)
	reference.Spell(&wrong, ErrUnknownCode, "defaultCurrencyCode", "currency of this company", &c.CurrencyCode,
		currency.Code, ok)
	group, ok := book.CustomerGroup(c.GroupCode)
	reference.Spell(&wrong, ErrUnknownCode, "customerGroupCode", "customer group", &c.GroupCode, group.Code, ok)
	term, ok := book.PaymentTerm(c.PaymentTermCode)
	reference.Spell(&wrong, ErrUnknownCode, "paymentTermCode", "payment term", &c.PaymentTermCode, term.Code, ok)
	delivery, ok := book.DeliveryTerm(c.DeliveryTermCode)
	reference.Spell(&wrong, ErrUnknownCode, "deliveryTermCode", "delivery term", &c.DeliveryTermCode, delivery.Code, ok)
	if l := c.CreditLimit; l != nil {
		wrong.If(*l < 0 || l.Decimals() > book.Digits(book.Base().Code), fault.ErrInvalid, "creditLimit",
			"must be an amount in %s, not below 0", book.Base().Code)
		limit.Total.Check(&wrong, "creditLimit", *l)
	}
	checkCountry(&wrong, "countryCode", &c.CountryCode)
	if c.InvoiceEmail != was.InvoiceEmail {
		mail.Check(&wrong, fault.ErrInvalid, "invoiceEmail", c.InvoiceEmail)
	}
	return wrong.Err()
}
