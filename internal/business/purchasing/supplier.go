package purchasing

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// maxLeadTime is the longest lead time that is taken, in days: ten years.
const maxLeadTime = 3650

// Supplier is a company that the company buys from.
type Supplier struct {
	record.Root
	Number             string
	Name               string
	OrganizationNumber string
	VATNumber          string
	VATValidatedAt     db.Time // when the number was found in VIES, the register of the EU; 0 = it was not
	IsActive           bool    // an inactive supplier cannot be used on new purchase orders
	ContactPerson      string
	Phone              string
	OrderEmail         string // where purchase orders are sent
	Website            string
	Street1, Street2   string
	PostalCode, City   string
	CountryCode        string // ISO 3166-1 alpha-2
	CurrencyCode       string // ISO 4217, of new orders and of prices that name none; empty is the company's
	LanguageCode       string // ISO 639-1, of what is sent to it
	PaymentTermCode    string
	DeliveryTermCode   string
	LeadTimeDays       *int
	OurCustomerNumber  string // by which the supplier knows the company
	Notes              string // internal
}

// Postal is the supplier's address.
func (s Supplier) Postal() party.Postal {
	return party.Postal{Name: s.Name, ContactPerson: s.ContactPerson, Street1: s.Street1, Street2: s.Street2,
		PostalCode: s.PostalCode, City: s.City, CountryCode: s.CountryCode, Email: s.OrderEmail, Phone: s.Phone}
}

// Document is a table of documents that name suppliers. Each row has a number.
type Document struct{ Table, Called string }

// Documents are the tables of documents that name a supplier by its id, in a column supplier_id that begins an index,
// and what one of them is called. A supplier that stands in one is not deleted. A law compares them with the schema.
func Documents() []Document {
	return []Document{{"purchase_order", "purchase order"}, {"supplier_invoice", "supplier invoice"}}
}

// CreateSupplier adds a supplier; without a number it gets the next of the series. Items that named this number before
// there was such a supplier are supplied by it. Supplier.AlreadyExists, Supplier.UnknownCode, Supplier.EmailInvalid.
func CreateSupplier(tx *db.Tx, s Supplier) (Supplier, error) {
	if err := s.check(tx); err != nil {
		return s, err
	}
	if s.Number == "" {
		var err error
		if s.Number, err = number.Next(tx, "supplier", suppliers.IsTaken); err != nil {
			return s, err
		}
	}
	adopted, err := lockNaming(tx, s.Number)
	if err != nil {
		return s, err
	}
	s.Root = record.New(tx)
	if err := suppliers.Create(tx, &s); err != nil {
		return s, err
	}
	return s, insertMissing(tx, s, s.CreatedAt, adopted)
}

// ChangeSupplier lays edit over a supplier; its number stays. A VAT number that is changed has not been looked up.
// Supplier.NotFound, Supplier.UnknownCode, Supplier.EmailInvalid, Precondition.Failed.
func ChangeSupplier(tx *db.Tx, supplierNumber string, edit func(*Supplier) error) (Supplier, error) {
	_, s, err := suppliers.Change(tx, supplierNumber, edit, func(before Supplier, s *Supplier) error {
		if s.VATNumber != before.VATNumber {
			s.VATValidatedAt = 0
		}
		return s.check(tx)
	})
	return s, err
}

// ValidateVAT notes that somebody has found the supplier's VAT number in VIES, the register of the EU.
// Supplier.NotFound, Supplier.NoVatNumber.
func ValidateVAT(tx *db.Tx, supplierNumber string) (Supplier, error) {
	before, err := suppliers.Lock(tx, supplierNumber)
	if err != nil {
		return before, err
	}
	s := before
	if s.VATNumber == "" {
		return s, ErrNoVATNumber.Because("supplier %s has no VAT number to look up: give it one first", s.Number)
	}
	s.VATValidatedAt = tx.Now
	return s, suppliers.Act(tx, "VAT number found", before, &s)
}

// DeleteSupplier removes a supplier that no document names, with its items and its contacts, whom the activity log
// names no longer; items whose primary supplier it was have none then. Supplier.NotFound, Supplier.InUse.
func DeleteSupplier(tx *db.Tx, supplierNumber string) error {
	supplied, err := primaryOf(tx, supplierNumber)
	if err != nil {
		return err
	}
	items, err := catalog.LockMany(tx, supplied)
	if err != nil {
		return err
	}
	s, err := suppliers.Lock(tx, supplierNumber)
	if err != nil {
		return err
	}
	if err := refuseNamed(tx, s); err != nil {
		return err
	}
	if err := people.EraseAll(tx, s.ID); err != nil {
		return err
	}
	choices := each.Of(supplied,
		func(n string) catalog.Choice { return catalog.Choice{Item: items[record.Fold(n)], Before: s.Number} })
	if err := catalog.SetSuppliers(tx, choices); err != nil {
		return err
	}
	return suppliers.Drop(tx, &s)
}

func refuseNamed(tx *db.Tx, s Supplier) error {
	for _, d := range Documents() {
		found, err := firstNaming(tx, d.Table, s.ID)
		if err != nil {
			return err
		}
		if found != "" {
			return ErrSupplierInUse.Because("supplier %s stands on %s %s: set isActive to false instead of deleting it",
				s.Number, d.Called, found)
		}
	}
	return nil
}

// Use reads a supplier for a document that is about to name it: it stays until the commit. Supplier.NotFound as it is,
// for whoever calls to say which field named it; Supplier.Inactive.
func Use(tx *db.Tx, supplierNumber string) (Supplier, error) {
	found, err := suppliers.ShareMany(tx, []string{supplierNumber})
	s, known := found[record.Fold(supplierNumber)]
	if err == nil && !known {
		err = suppliers.Missing(supplierNumber)
	}
	if err == nil && !s.IsActive {
		err = ErrSupplierInactive.At("supplierNumber",
			"supplier %s is inactive: choose another, or set it active first", s.Number)
	}
	return s, err
}

// check verifies the codes that a supplier names and writes them as the company spells them. All that is wrong is
// reported at once.
func (s *Supplier) check(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var wrong fault.List
	currency, ok := book.Currency(s.CurrencyCode)
	reference.Spell(&wrong, ErrUnknownCode, "currencyCode", "currency of this company", &s.CurrencyCode, currency.Code, ok)
	term, ok := book.PaymentTerm(s.PaymentTermCode)
	reference.Spell(&wrong, ErrUnknownCode, "paymentTermCode", "payment term", &s.PaymentTermCode, term.Code, ok)
	delivery, ok := book.DeliveryTerm(s.DeliveryTermCode)
	reference.Spell(&wrong, ErrUnknownCode, "deliveryTermCode", "delivery term", &s.DeliveryTermCode, delivery.Code, ok)
	s.CountryCode = strings.ToUpper(s.CountryCode)
	if _, ok := reference.Country(s.CountryCode); !ok && s.CountryCode != "" {
		wrong.Add(ErrUnknownCode, "countryCode", "%q is no country: write its ISO 3166-1 alpha-2 code, such as SE",
			s.CountryCode)
	}
	party.CheckLanguage(&wrong, ErrUnknownCode, &s.LanguageCode)
	mail.Check(&wrong, ErrSupplierEmail, "purchaseOrderEmail", s.OrderEmail)
	checkLeadTime(&wrong, s.LeadTimeDays)
	return wrong.Err()
}

func checkLeadTime(wrong *fault.List, days *int) {
	wrong.If(days != nil && (*days < 0 || *days > maxLeadTime), fault.ErrInvalid, "leadTimeDays",
		"must be between 0 and %d days", maxLeadTime)
}
