package purchasing

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

var suppliers = record.TableOf(Suppliers, record.Layout[Supplier]{
	Fixed: "number",
	Changing: `name, organization_number, vat_number, vat_validated_at, is_active, contact_person, phone, order_email,
		website, street1, street2, postal_code, city, country_code, currency_code, language_code, payment_term_code,
		delivery_term_code, lead_time_days, our_customer_number, notes`,
	Number: func(s *Supplier) *string { return &s.Number },
	Derived: func(s *Supplier) db.Args {
		return db.Args{"search": record.SearchText(s.Number, s.Name, s.OrganizationNumber, s.City)}
	},
	Owned: []string{"supplier_contact.supplier_id", "supplier_item.supplier_id"},
	Missing: func(number string) error {
		return ErrSupplierNotFound.Because("no supplier has the number %q", number)
	},
	Taken: func(s *Supplier) error {
		return ErrSupplierExists.Because("a supplier with the number %q exists already", s.Number)
	},
})

// FindSupplier reads a supplier by its number. Supplier.NotFound.
func FindSupplier(tx *db.Tx, supplierNumber string) (Supplier, error) {
	return suppliers.Find(tx, supplierNumber)
}

// FindSuppliers reads the suppliers with these numbers, by folded number; unknown ones are absent.
func FindSuppliers(tx *db.Tx, numbers []string) (map[string]Supplier, error) {
	return suppliers.FindMany(tx, numbers)
}

// LockSuppliers is FindSuppliers with their roots locked, in the order of their ids, until the commit.
func LockSuppliers(tx *db.Tx, numbers []string) (map[string]Supplier, error) {
	return suppliers.LockMany(tx, numbers)
}

// SupplierFilter narrows a list of suppliers; its zero value takes all.
type SupplierFilter struct {
	Search   string // number, name, organisation number, city
	IsActive *bool
}

// ListSuppliers are the suppliers by number.
func ListSuppliers(tx *db.Tx, f SupplierFilter, p record.Page) (record.Found[Supplier], error) {
	q := suppliers.Query("purchasing.ListSuppliers")
	q.Sorts = map[string][]string{"number": {"number_key"}, "name": {"lower(name)", "number_key"}}
	q.Search("search", f.Search)
	q.Given("is_active = :active", f.IsActive)
	return suppliers.List(tx, q, p)
}

// firstNaming is the number of the first document of a table that names a supplier, "" if none does.
func firstNaming(tx *db.Tx, table, supplierID string) (string, error) {
	return db.Value[string](tx, `-- purchasing.firstNaming
		select number from `+table+` where company = :company and supplier_id = :id order by id limit 1`, db.Args{"id": supplierID})
}

// lockNaming are the items that name a supplier as their primary one, locked in the order of their ids.
func lockNaming(tx *db.Tx, supplierNumber string) ([]catalog.Item, error) {
	numbers, err := db.Column[string](tx, `-- purchasing.lockNaming
		select number from item where company = :company and supplier_number <> '' and supplier_number = :number order by id`,
		db.Args{"number": supplierNumber})
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	found, err := catalog.LockMany(tx, numbers)
	return each.Of(numbers, func(n string) catalog.Item { return found[record.Fold(n)] }), err
}

// primaryOf are the numbers of the items whose primary supplier this is.
func primaryOf(tx *db.Tx, supplierNumber string) ([]string, error) {
	return db.Column[string](tx, `-- purchasing.primaryOf
		select i.number from supplier s join item i on i.company = s.company and i.supplier_number = s.number
		where s.company = :company and s.number_key = :key and i.supplier_number <> '' order by i.id`,
		db.Args{"key": record.Fold(supplierNumber)})
}

// VerifySuppliers holds what items say of their primary suppliers against what those supply. It reports every
// difference in a sentence and changes nothing.
func VerifySuppliers(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- purchasing.VerifySuppliers
		select i.number, s.number from item i join supplier s on s.company = i.company and s.number = i.supplier_number
		where i.company = :company and i.supplier_number <> '' and not exists (
			select 1 from supplier_item si where si.company = i.company and si.supplier_id = s.id and si.item_id = i.id)
		order by i.number_key`, nil,
		"item %s: its primary supplier is %s, who does not supply it", new(string), new(string))
}
