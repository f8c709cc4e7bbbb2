package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Suppliers are suppliers with contact persons and the items they supply.
func Suppliers() rest.Group {
	return rest.Group{Tag: "Suppliers", Scope: "suppliers",
		Doc: "Suppliers with contact persons and the items they supply: prices, minimum quantities, lead times.",
		Ops: []rest.Op{
			rest.List("listSuppliers", "/suppliers", "Suppliers by number.",
				rest.Lists[listSuppliersIn](shownSupplier, purchasing.ListSuppliers)).
				CachedRows(purchasing.Suppliers),
			rest.Create("createSupplier", "/suppliers",
				"Creates a supplier; without a number it gets the next of the series.",
				rest.Creates[newSupplier](shownSupplier, purchasing.CreateSupplier)).
				Raises(purchasing.ErrSupplierExists, purchasing.ErrUnknownCode, purchasing.ErrSupplierEmail).
				Example(
					`{"supplierNumber": "50001", "name": "Nordic Steel AB", "countryCode": "SE", "leadTimeDays": 10}`),
			rest.Get("getSupplier", "/suppliers/{supplierNumber}", "One supplier.",
				shownSupplier.Of(purchasing.FindSupplier)).
				CachedOne(purchasing.Suppliers).Raises(purchasing.ErrSupplierNotFound),
			rest.Patch("updateSupplier", "/suppliers/{supplierNumber}", "Changes a supplier.",
				rest.Edits[supplierFields](shownSupplier, purchasing.ChangeSupplier)).
				Raises(purchasing.ErrSupplierNotFound, purchasing.ErrUnknownCode, purchasing.ErrSupplierEmail).
				Example(`{"phone": "+46 8 123 45 67"}`),
			rest.Delete("deleteSupplier", "/suppliers/{supplierNumber}",
				"Deletes a supplier that no document names; items whose primary supplier it was have none then.",
				rest.Gone(purchasing.DeleteSupplier)).
				Extension().Raises(purchasing.ErrSupplierNotFound, purchasing.ErrSupplierInUse),

			rest.List("listSupplierContacts", "/suppliers/{supplierNumber}/contacts", "The people at a supplier.",
				shownSupplierContact.Parts(purchasing.Contacts)).
				Raises(purchasing.ErrSupplierNotFound),
			rest.Create("createSupplierContact", "/suppliers/{supplierNumber}/contacts", "Adds a contact person.",
				rest.Given[supplierContactFields](shownSupplierContact, purchasing.CreateContact)).
				Raises(purchasing.ErrSupplierNotFound, purchasing.ErrUnknownCode, purchasing.ErrContactEmail).
				Example(`{"name": "Anna Berg", "email": "anna@example.com", "isPrimary": true}`),
			rest.Patch("updateSupplierContact", "/suppliers/{supplierNumber}/contacts/{contactId}",
				"Changes a contact person.",
				rest.EditsPart[rest.PartID, supplierContactFields](shownSupplierContact, purchasing.ChangeContact)).
				Raises(purchasing.ErrSupplierNotFound, purchasing.ErrContactNotFound, purchasing.ErrUnknownCode,
					purchasing.ErrContactEmail).
				Example(`{"role": "Sales"}`),
			rest.Delete("deleteSupplierContact", "/suppliers/{supplierNumber}/contacts/{contactId}",
				"Removes a contact person.", rest.GonePart[rest.PartID](purchasing.DeleteContact)).
				Raises(purchasing.ErrSupplierNotFound, purchasing.ErrContactNotFound),

			rest.List("listSupplierItems", "/suppliers/{supplierNumber}/items",
				"The items of a supplier by number: prices, minimum quantities, lead times.", listSupplierItems).
				Cached().Raises(purchasing.ErrSupplierNotFound),
			rest.Patch("updateSupplierItems", "/suppliers/{supplierNumber}/items",
				"Creates or changes up to 200 items of a supplier, row by row: what a row does not name stays as it is.",
				updateSupplierItems).
				Raises(purchasing.ErrSupplierNotFound, catalog.ErrNotFound, purchasing.ErrItemDuplicate,
					purchasing.ErrItemValidity, purchasing.ErrUnknownCode, catalog.ErrTooManyDecimals,
					limit.ErrQuantity, limit.ErrAmount).
				Example(
					`{"items": [{"itemNumber": "A-100", "unitPrice": "61.50", "minOrderQuantity": "10", "isPrimary": true}]}`),
			rest.Delete("deleteSupplierItem", "/suppliers/{supplierNumber}/items/{itemNumber}",
				"Removes an item of a supplier; one whose primary supplier it was has none then.",
				rest.GonePart[rest.Part](purchasing.DeleteItem)).
				Extension().Raises(purchasing.ErrSupplierNotFound, purchasing.ErrItemNotFound),
		}}
}

// supplierFields are what may be written of a supplier.
type supplierFields struct {
	Name               string    `json:"name" req:"true" text:"name" example:"Nordic Steel AB"`
	OrganizationNumber rest.Text `json:"organizationNumber"`
	VATNumber          rest.Text `json:"vatNumber" doc:"Another number has not been found in VIES yet."`
	IsActive           bool      `json:"isActive" default:"true" doc:"Inactive suppliers cannot be used on new purchase orders."`
	ContactPerson      rest.Text `json:"contactPerson" text:"name"`
	Phone              rest.Text `json:"phone"`
	PurchaseOrderEmail rest.Text `json:"purchaseOrderEmail" of:"OrderEmail" text:"email" doc:"Where purchase orders are sent."`
	Website            rest.Text `json:"website" text:"path"`
	wire.Place
	CurrencyCode      rest.Text `json:"currencyCode" doc:"ISO 4217, of purchase orders and of prices that name none; null is the company's currency."`
	LanguageCode      rest.Text `json:"languageCode" doc:"ISO 639-1, of what is sent to the supplier." example:"sv"`
	PaymentTermCode   rest.Text `json:"paymentTermCode"`
	DeliveryTermCode  rest.Text `json:"deliveryTermCode"`
	LeadTimeDays      *int      `json:"leadTimeDays" min:"0" max:"3650" doc:"From order to delivery. Planning goes by the lead time of the supplier's item alone."`
	OurCustomerNumber rest.Text `json:"ourCustomerNumber" doc:"By which the supplier knows this company."`
	Notes             rest.Text `json:"notes" text:"note" doc:"Internal."`
}

type newSupplier struct {
	SupplierNumber rest.Text `json:"supplierNumber" of:"Number" doc:"Left out: the next of the series."`
	supplierFields
}

// Supplier is a supplier on the wire.
type Supplier struct {
	rest.WideTag
	SupplierNumber string `json:"supplierNumber" of:"Number"`
	supplierFields
	IsVATNumberValidated bool      `json:"isVatNumberValidated" of:"-" doc:"Somebody of the company has found the number in VIES, the register of the EU."`
	PaymentTermName      rest.Text `json:"paymentTermName" of:"-"`
	DeliveryTermName     rest.Text `json:"deliveryTermName" of:"-"`
	ID                   string    `json:"id" format:"uuid"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/suppliers/"`
}

// RecordKey is the supplier's number.
func (s Supplier) RecordKey() string { return s.SupplierNumber }

var supplierShown = rest.Shown[Supplier, purchasing.Supplier]()

func supplierOf(book *reference.Book, s purchasing.Supplier) Supplier {
	payment, _ := book.PaymentTerm(s.PaymentTermCode)
	delivery, _ := book.DeliveryTerm(s.DeliveryTermCode)
	out := supplierShown(s)
	out.IsVATNumberValidated = s.VATValidatedAt > 0
	out.PaymentTermName, out.DeliveryTermName = rest.Text(payment.Name), rest.Text(delivery.Name)
	return out
}

var shownSupplier = byBook(supplierOf)

type listSuppliersIn struct {
	rest.Paging
	Search   string `query:"search" doc:"Part of number, name, organisation number or city."`
	IsActive *bool  `query:"isActive"`
}

// itemSuppliers is the part of the Items group that purchasing answers.
func itemSuppliers() []rest.Op {
	return []rest.Op{
		rest.List("listItemSuppliers", "/items/{itemNumber}/suppliers",
			"Suppliers of an item by number, with prices and lead times.", listItemSuppliers).
			Cached().Raises(catalog.ErrNotFound),
	}
}
