package purchasing

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const supplierFields = "name, organization_number, vat_number, vat_validated_at, is_active, contact_person, phone, order_email, website, " +
	"street1, street2, postal_code, city, country_code, currency_code, language_code, payment_term_code, delivery_term_code, " +
	"lead_time_days, our_customer_number, notes"

const supplierColumns = record.RootColumns + ", number, " + supplierFields

var (
	supplierRow      = db.Map[Supplier](supplierColumns)
	supplierFieldRow = db.Map[Supplier](supplierFields)
)

func (s *Supplier) search() string {
	return record.SearchText(s.Number, s.Name, s.OrganizationNumber, s.City)
}

// FindSupplier reads a supplier by its number. Supplier.NotFound.
func FindSupplier(tx *db.Tx, supplierNumber string) (Supplier, error) {
	return readSupplier(tx, supplierNumber, `-- purchasing.FindSupplier
		select `+supplierColumns+` from supplier where company = :company and number_key = :key`)
}

func lockSupplier(tx *db.Tx, supplierNumber string) (Supplier, error) {
	return readSupplier(tx, supplierNumber, `-- purchasing.lockSupplier
		select `+supplierColumns+` from supplier where company = :company and number_key = :key for update`)
}

func shareSupplier(tx *db.Tx, supplierNumber string) (Supplier, error) {
	return readSupplier(tx, supplierNumber, `-- purchasing.shareSupplier
		select `+supplierColumns+` from supplier where company = :company and number_key = :key for share`)
}

func readSupplier(tx *db.Tx, supplierNumber, query string) (s Supplier, err error) {
	err = tx.Each(query, db.Args{"key": record.Fold(supplierNumber)},
		func(r db.Row) error { return supplierRow.Scan(r, &s) })
	if err == nil && s.ID == "" {
		err = ErrSupplierNotFound.Because("no supplier has the number %q", supplierNumber)
	}
	return s, err
}

// FindSuppliers reads the suppliers with these numbers, by folded number; unknown ones are absent.
func FindSuppliers(tx *db.Tx, numbers []string) (map[string]Supplier, error) {
	return collectSuppliers(tx, numbers, `-- purchasing.FindSuppliers
		select `+supplierColumns+` from supplier where company = :company and number_key in (:keys)`)
}

// LockSuppliers is FindSuppliers with their roots locked, in the order of their ids, until the commit.
func LockSuppliers(tx *db.Tx, numbers []string) (map[string]Supplier, error) {
	return collectSuppliers(tx, numbers, `-- purchasing.LockSuppliers
		select `+supplierColumns+
		` from supplier where company = :company and number_key in (:keys) order by id for update`)
}

func collectSuppliers(tx *db.Tx, numbers []string, query string) (map[string]Supplier, error) {
	out := make(map[string]Supplier, len(numbers))
	if len(numbers) == 0 {
		return out, nil
	}
	return out, tx.Each(query, db.Args{"keys": record.FoldAll(numbers)}, func(r db.Row) error {
		var s Supplier
		err := supplierRow.Scan(r, &s)
		out[record.Fold(s.Number)] = s
		return err
	})
}

// SupplierFilter narrows a list of suppliers; its zero value takes all.
type SupplierFilter struct {
	Search   string // number, name, organisation number, city
	IsActive *bool
}

// ListSuppliers are the suppliers by number.
func ListSuppliers(tx *db.Tx, f SupplierFilter, p record.Page) (record.Found[Supplier], error) {
	q := record.Query{Name: "purchasing.ListSuppliers", Select: supplierColumns, From: "supplier",
		Key: []string{"number_key"}, Stamp: "changed_at", Resources: []string{Suppliers.Name},
		Sorts: map[string][]string{"number": {"number_key"}, "name": {"lower(name)", "number_key"}}}
	q.Search("search", f.Search)
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, supplierRow.Scan)
}

func insertSupplier(tx *db.Tx, s Supplier) error {
	return tx.Insert("supplier", supplierColumns+", number_key, search", 1, func(int) []any {
		return append(supplierRow.Of(&s), record.Fold(s.Number), s.search())
	})
}

func updateSupplier(tx *db.Tx, s Supplier) error {
	return tx.Run(`-- purchasing.updateSupplier
		update supplier set `+supplierFieldRow.Set()+`, search = :search where company = :company and id = :id`,
		supplierFieldRow.Args(&s, db.Args{"id": s.ID, "search": s.search()}))
}

func taken(tx *db.Tx, supplierNumber string) (bool, error) {
	var one int64
	return tx.One(`-- purchasing.taken
		select 1 from supplier where company = :company and number_key = :key`,
		db.Args{"key": record.Fold(supplierNumber)}, &one)
}

func removeSupplier(tx *db.Tx, id string) error {
	if err := tx.Delete(db.Args{"supplier_id": id}, "supplier_contact", "supplier_item"); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "supplier")
}

// firstNaming is the number of some document of a table that names a supplier, "" if none does.
func firstNaming(tx *db.Tx, table, supplierID string) (found string, err error) {
	_, err = tx.One(`-- purchasing.firstNaming
		select number from `+table+` where company = :company and supplier_id = :id limit 1`, db.Args{"id": supplierID},
		&found)
	return found, err
}

// lockNaming are the items that name a supplier as their primary one, locked in the order of their ids.
func lockNaming(tx *db.Tx, supplierNumber string) ([]catalog.Item, error) {
	numbers, err := texts(tx, `-- purchasing.lockNaming
		select number from item where company = :company and supplier_number <> '' and supplier_number = :number order by id`,
		db.Args{"number": supplierNumber})
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	found, err := catalog.LockMany(tx, numbers)
	items := make([]catalog.Item, 0, len(numbers))
	for _, n := range numbers {
		items = append(items, found[record.Fold(n)])
	}
	return items, err
}

// primaryOf are the numbers of the items whose primary supplier this is.
func primaryOf(tx *db.Tx, supplierNumber string) ([]string, error) {
	return texts(tx, `-- purchasing.primaryOf
		select i.number from supplier s join item i on i.company = s.company and i.supplier_number = s.number
		where s.company = :company and s.number_key = :key and i.supplier_number <> '' order by i.id`,
		db.Args{"key": record.Fold(supplierNumber)})
}

func texts(tx *db.Tx, query string, args db.Args) (all []string, err error) {
	return all, tx.Each(query, args, func(r db.Row) error {
		var text string
		err := r.Scan(&text)
		all = append(all, text)
		return err
	})
}
