package party

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const addressFields = "name, contact_person, street1, street2, postal_code, city, country_code, email, phone, " +
	"is_default, modified_at, changed_at"

const addressColumns = "id, created_at, " + addressFields

var addressRow = db.Map[Address](addressColumns)

// Addresses reads a page of a customer's delivery addresses, oldest first. Customer.NotFound.
func Addresses(tx *db.Tx, number string, p record.Page) (record.Found[Address], error) {
	c, err := Find(tx, number)
	if err != nil {
		return record.Found[Address]{}, err
	}
	q := record.Query{Name: "party.Addresses", Select: addressColumns, From: "customer_address",
		Key: []string{"id"}, Stamp: "changed_at"}
	q.Where("customer_id = :customer", db.Args{"customer": c.ID})
	return record.ListOf(tx, q, p, addressRow.Scan)
}

// DefaultAddress is the customer's default delivery address, nil when there is none.
func DefaultAddress(tx *db.Tx, customerID string) (*Address, error) {
	found, err := DefaultAddresses(tx, []string{customerID})
	return found[customerID], err
}

// DefaultAddresses are the default delivery addresses of customers by their ids; those without one are absent.
func DefaultAddresses(tx *db.Tx, customerIDs []string) (map[string]*Address, error) {
	return db.ByKey(tx, `-- party.DefaultAddresses
		select `+addressColumns+`, customer_id from customer_address
		where company = :company and customer_id in (:customers) and is_default = 1`,
		db.Args{"customers": customerIDs}, func(r db.Row, id *string, a **Address) error {
			*a = &Address{}
			return r.Scan(append(addressRow.Of(*a), id)...)
		})
}

// FindAddress reads one delivery address of a customer. CustomerAddress.NotFound.
func FindAddress(tx *db.Tx, customerID, id string) (a Address, err error) {
	found, err := tx.One(`-- party.FindAddress
		select `+addressColumns+
		` from customer_address where company = :company and customer_id = :customer and id = :id`,
		db.Args{"customer": customerID, "id": strings.ToLower(id)}, addressRow.Of(&a)...)
	return a, ErrAddressNotFound.When(!found, err, "the customer has no delivery address %q", id)
}

// CreateAddress adds a delivery address; the first is the default. Customer.NotFound, Customer.UnknownCode.
func CreateAddress(tx *db.Tx, number string, a Address) (Address, error) {
	owner, err := customers.Lock(tx, number)
	if err != nil {
		return a, err
	}
	if err := a.check(Address{}); err != nil {
		return a, err
	}
	current, err := DefaultAddress(tx, owner.ID)
	if err != nil {
		return a, err
	}
	at := tx.Stamp()
	a.ID, a.CreatedAt, a.ModifiedAt, a.ChangedAt = record.NewID(), at, 0, at
	a.IsDefault = a.IsDefault || current == nil
	return a, saveAddress(tx, owner, nil, a)
}

// UpdateAddress changes a delivery address. The default stays one until another is made it.
// CustomerAddress.NotFound, Customer.UnknownCode.
func UpdateAddress(tx *db.Tx, number, id string, edit func(*Address) error) (Address, error) {
	owner, err := customers.Lock(tx, number)
	if err != nil {
		return Address{}, err
	}
	before, err := FindAddress(tx, owner.ID, id)
	if err != nil {
		return before, err
	}
	a := before
	if err := edit(&a); err != nil {
		return a, err
	}
	if err := a.check(before); err != nil {
		return a, err
	}
	a.IsDefault = a.IsDefault || before.IsDefault
	if a == before {
		return a, tx.Match(owner.ID, owner.ETag())
	}
	a.ModifiedAt = max(tx.Stamp(), before.ChangedAt+1)
	a.ChangedAt = a.ModifiedAt
	return a, saveAddress(tx, owner, &before, a)
}

// DeleteAddress removes a delivery address; where it was the default, the oldest left becomes it.
// Customer.NotFound, CustomerAddress.NotFound.
func DeleteAddress(tx *db.Tx, number, id string) error {
	owner, err := customers.Lock(tx, number)
	if err != nil {
		return err
	}
	before, err := FindAddress(tx, owner.ID, id)
	if err != nil {
		return err
	}
	if err := tx.Delete(db.Args{"customer_id": owner.ID, "id": id}, "customer_address"); err != nil {
		return err
	}
	if before.IsDefault {
		if _, err := tx.Exec(`-- party.DeleteAddress heir
			update customer_address set is_default = 1, modified_at = :stamp, changed_at = :stamp
			where company = :company and customer_id = :customer
				and id = (select min(id) from customer_address where company = :company and customer_id = :customer)`,
			db.Args{"customer": owner.ID, "stamp": tx.Stamp()}); err != nil {
			return err
		}
	}
	return Resource.Touched(tx, &owner.Root, owner.Number, "address deleted",
		map[string][2]any{"deliveryAddress": {before, nil}})
}

// saveAddress writes an address, new when before is nil, and reports it as a change of its customer.
func saveAddress(tx *db.Tx, owner Customer, before *Address, a Address) error {
	if a.IsDefault {
		if _, err := tx.Exec(`-- party.saveAddress
			update customer_address set is_default = 0, modified_at = :stamp, changed_at = :stamp
			where company = :company and customer_id = :customer and id <> :id and is_default = 1`,
			db.Args{"customer": owner.ID, "id": a.ID, "stamp": a.ChangedAt}); err != nil {
			return err
		}
	}
	err := tx.Upsert("customer_address", addressColumns+", customer_id", 1, func(int) []any {
		return append(addressRow.Of(&a), owner.ID)
	}, db.Overwriting("customer_id, id", addressFields))
	if err != nil {
		return err
	}
	if before == nil {
		return Resource.Touched(tx, &owner.Root, owner.Number, "address created",
			map[string][2]any{"deliveryAddress": {nil, a}})
	}
	return Resource.Touched(tx, &owner.Root, owner.Number, "address changed", record.Diff(*before, a))
}
