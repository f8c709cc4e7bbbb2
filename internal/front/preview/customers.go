package preview

import (
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Customers are customers with contact persons and delivery addresses.
func Customers() rest.Group {
	return rest.Group{Tag: "Customers", Scope: "customers",
		Doc: "Customers with contact persons and delivery addresses.", Ops: []rest.Op{
			rest.List("listCustomers", "/customers", "Customers by number.",
				rest.Lists[listCustomersIn](shownCustomer, party.List)).
				CachedRows(party.Resource),
			rest.Create("createCustomer", "/customers",
				"Creates a customer; without a number it gets the next of the series.",
				rest.Creates[newCustomer](shownCustomer, party.Create)).
				Raises(party.ErrExists, party.ErrUnknownCode, limit.ErrAmount).
				Example(`{"customerNumber": "C-1001", "name": "Nordic Tools AB", "countryCode": "SE"}`),
			rest.Get("getCustomer", "/customers/{customerNumber}", "One customer.", shownCustomer.Of(party.Find)).
				Raises(party.ErrNotFound), rest.Patch("updateCustomer", "/customers/{customerNumber}",
				"Changes a customer.",
				rest.Edits[customerFields](shownCustomer, party.Update)).
				Raises(party.ErrNotFound, party.ErrUnknownCode, limit.ErrAmount).Example(`{"phone": "+46 8 123 45 67"}`),
			rest.Delete("deleteCustomer", "/customers/{customerNumber}", "Deletes a customer that no document names.",
				rest.Gone(party.Delete)).
				Raises(party.ErrNotFound, party.ErrInUse),

			rest.List("listCustomerContacts", "/customers/{customerNumber}/contacts", "The people at a customer.",
				shownContact.Parts(party.Contacts)).
				Raises(party.ErrNotFound),
			rest.Create("createCustomerContact", "/customers/{customerNumber}/contacts", "Adds a contact person.",
				rest.Given[contactFields](shownContact, party.CreateContact)).
				Raises(party.ErrNotFound, party.ErrPortalEmail, party.ErrEmailInvalid, party.ErrEmailTaken,
					party.ErrUnknownCode).
				Example(`{"name": "Anna Berg", "email": "anna@example.com", "isPrimary": true}`),
			rest.Patch("updateCustomerContact", "/customers/{customerNumber}/contacts/{contactId}",
				"Changes a contact person.",
				rest.EditsPart[rest.PartID, contactFields](shownContact, party.UpdateContact)).
				Raises(party.ErrNotFound, party.ErrContactNotFound, party.ErrPortalEmail, party.ErrEmailInvalid,
					party.ErrEmailTaken, party.ErrUnknownCode).
				Example(`{"role": "Purchaser"}`),
			rest.Delete("deleteCustomerContact", "/customers/{customerNumber}/contacts/{contactId}",
				"Removes a contact person.", rest.GonePart[rest.PartID](party.DeleteContact)).
				Raises(party.ErrNotFound, party.ErrContactNotFound),

			rest.List("listCustomerAddresses", "/customers/{customerNumber}/delivery-addresses",
				"Where a customer wants goods sent.", shownAddress.Parts(party.Addresses)).
				Raises(party.ErrNotFound),
			rest.Create("createCustomerAddress", "/customers/{customerNumber}/delivery-addresses",
				"Adds a delivery address; the first is the default.",
				rest.Given[addressFields](shownAddress, party.CreateAddress)).
				Raises(party.ErrNotFound, party.ErrUnknownCode).
				Example(
					`{"name": "Nordic Tools, gate 3", "street1": "Hamngatan 1", "postalCode": "111 47", "city": "Stockholm", "countryCode": "SE"}`),
			rest.Patch("updateCustomerAddress", "/customers/{customerNumber}/delivery-addresses/{addressId}",
				"Changes a delivery address.",
				rest.EditsPart[rest.PartID, addressFields](shownAddress, party.UpdateAddress)).
				Raises(party.ErrNotFound, party.ErrAddressNotFound, party.ErrUnknownCode).
				Example(`{"isDefault": true}`),
			rest.Delete("deleteCustomerAddress", "/customers/{customerNumber}/delivery-addresses/{addressId}",
				"Removes a delivery address.", rest.GonePart[rest.PartID](party.DeleteAddress)).
				Raises(party.ErrNotFound, party.ErrAddressNotFound),
		}}
}

// customerKnown is what is written of a customer as it is shown.
type customerKnown struct {
	Name               string                 `json:"name" req:"true" text:"name" example:"Nordic Tools AB"`
	OrganizationNumber rest.Text              `json:"organizationNumber"`
	VATNumber          rest.Text              `json:"vatNumber"`
	IsActive           bool                   `json:"isActive" default:"true" doc:"Inactive customers cannot be placed on new orders."`
	InvoiceEmail       rest.Text              `json:"invoiceEmail" text:"email"`
	InvoiceDelivery    *party.InvoiceDelivery `json:"invoiceDelivery" doc:"How invoices come by mail: None, Pdf, or PdfAndXml with the electronic invoice (Peppol BIS Billing 3.0) beside it, where that can be made; null: those of a store's orders as PDF, and no others."`
	Phone              rest.Text              `json:"phone"`
	wire.Place
	DefaultCurrencyCode rest.Text `json:"defaultCurrencyCode" of:"CurrencyCode" doc:"ISO 4217; null is the company's currency."`
	CustomerGroupCode   rest.Text `json:"customerGroupCode" of:"GroupCode"`
	PaymentTermCode     rest.Text `json:"paymentTermCode"`
	DeliveryTermCode    rest.Text `json:"deliveryTermCode"`
	Notes               rest.Text `json:"notes" text:"note" doc:"Internal."`
}

// customerFields are what may be written of a customer.
type customerFields struct {
	customerKnown
	CreditLimit *dec.Dec `json:"creditLimit" min:"0" doc:"What orders on invoice may bring what is owed to at most, with tax, in the company's currency; null is no limit. Checked where a store's order is placed; orders of this API and of the back office are not refused."`
}

type newCustomer struct {
	CustomerNumber rest.Text `json:"customerNumber" of:"Number" doc:"Left out: the next of the series."`
	customerFields
}

// Customer is a customer on the wire.
type Customer struct {
	rest.WideTag
	CustomerNumber string `json:"customerNumber" of:"Number"`
	customerKnown
	CreditLimit       *dec.Fixed `json:"creditLimit" doc:"In the company's currency; null is no limit."`
	CustomerGroupName rest.Text  `json:"customerGroupName" of:"-"`
	PaymentTermName   rest.Text  `json:"paymentTermName" of:"-"`
	DeliveryTermName  rest.Text  `json:"deliveryTermName" of:"-"`
	ID                string     `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/customers/"`
}

// RecordKey is the customer's number.
func (c Customer) RecordKey() string { return c.CustomerNumber }

var customerShown = rest.ShownIn[Customer, party.Customer]()

func customerOf(book *reference.Book, c party.Customer) Customer {
	group, _ := book.CustomerGroup(c.GroupCode)
	payment, _ := book.PaymentTerm(c.PaymentTermCode)
	delivery, _ := book.DeliveryTerm(c.DeliveryTermCode)
	out := customerShown(book.Base().Decimals, c)
	out.CustomerGroupName, out.PaymentTermName = rest.Text(group.Name), rest.Text(payment.Name)
	out.DeliveryTermName = rest.Text(delivery.Name)
	return out
}

var shownCustomer = byBook(customerOf)

type listCustomersIn struct {
	rest.Paging
	Search   string `query:"search" doc:"Part of number, name, organisation number or e-mail."`
	IsActive *bool  `query:"isActive"`
}
