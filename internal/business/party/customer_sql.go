package party

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var customers = record.TableOf(Resource, record.Layout[Customer]{
	Fixed: "number",
	Changing: "name, organization_number, vat_number, is_active, invoice_email, phone, street1, street2, postal_code, city, " +
		"country_code, currency_code, group_code, payment_term_code, delivery_term_code, credit_limit, notes, invoice_delivery",
	Number: func(c *Customer) *string { return &c.Number },
	Series: "customer",
	Derived: func(c *Customer) db.Args {
		return db.Args{"search": record.SearchText(c.Number, c.Name, c.OrganizationNumber, c.InvoiceEmail)}
	},
	Owned:   []string{"customer_contact.customer_id", "customer_address.customer_id"},
	Missing: func(number string) error { return ErrNotFound.Because("no customer has the number %q", number) },
	Taken: func(c *Customer) error {
		return ErrExists.Because("a customer with the number %q exists already", c.Number)
	},
})

// Find reads a customer by its number. Customer.NotFound.
func Find(tx *db.Tx, number string) (Customer, error) { return customers.Find(tx, number) }

// FindMany reads the customers with these numbers, by folded number; unknown ones are absent.
func FindMany(tx *db.Tx, numbers []string) (map[string]Customer, error) {
	return customers.FindMany(tx, numbers)
}

// ReferMany is FindMany for customers that others are about to name: they cannot be deleted before the commit.
func ReferMany(tx *db.Tx, numbers []string) (map[string]Customer, error) {
	return customers.ReferMany(tx, numbers)
}

// ByID reads a customer by id; found is false where there is none any more.
func ByID(tx *db.Tx, id string) (c Customer, found bool, err error) { return customers.ByID(tx, id) }

// Filter of List; zero fields do not filter.
type Filter struct {
	Shown    string // what people see of it: also the city
	Search   string // number, name, organisation number, e-mail
	IsActive *bool
}

// List reads a page of customers by number.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Customer], error) {
	q := customers.Query("party.List")
	q.Sorts = map[string][]string{"number": {"number_key"}, "name": {"lower(name)", "number_key"}}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(fold(city), {word}) > 0")
	q.Active(f.IsActive)
	return record.ListOf(tx, q, p, customers.Scan)
}

// Create adds a customer; without a number it gets the next of the series. Customer.AlreadyExists,
// Customer.UnknownCode.
func Create(tx *db.Tx, c Customer) (Customer, error) {
	if err := c.Check(tx, Customer{}); err != nil {
		return c, err
	}
	return c, customers.Create(tx, &c)
}

// CreateMany adds many customers that are known to be new, as an import does: a constant number of statements.
func CreateMany(tx *db.Tx, list []Customer) error {
	for i := range list {
		if err := list[i].Check(tx, Customer{}); err != nil {
			return err
		}
		list[i].Root = record.New(tx)
	}
	return customers.CreateMany(tx, record.Pointers(list)...)
}

// Update changes a customer: edit gets it as it is and makes it what it shall be. Its number stays.
// Customer.NotFound, Customer.UnknownCode, Precondition.Failed.
func Update(tx *db.Tx, number string, edit func(*Customer) error) (Customer, error) {
	_, c, err := customers.Change(tx, number, edit, func(was Customer, c *Customer) error { return c.Check(tx, was) })
	return c, err
}

// LockCredit keeps what a customer with a credit limit owes from being lent twice, until the end of the transaction:
// who comes next waits, or begins again where his snapshot is older. It is no change of the record.
func LockCredit(tx *db.Tx, id string) error {
	return tx.Run(`-- party.LockCredit
		update customer set credit_turn = credit_turn + 1 where company = :company and id = :id and credit_limit is not null`,
		db.Args{"id": id})
}

// Delete removes a customer no document names, with contacts and addresses; the activity log names those people no
// longer. Customer.NotFound, Customer.InUse.
func Delete(tx *db.Tx, number string) error {
	return customers.Delete(tx, number, func(c *Customer) error {
		if err := tx.Fire(Deleting{*c}); err != nil {
			return err
		}
		return c.erase(tx)
	})
}

// Everybody puts all whom a deletion takes out of the activity log into a map, by id: contacts, and customers who are
// persons.
func Everybody(tx *db.Tx, into map[string]string) error {
	if err := people.Everybody(tx, into); err != nil {
		return err
	}
	return db.Each3(tx, `-- party.Everybody whole
		select id, name, number from customer where company = :company and organization_number = ''`, nil,
		func(id, name, number string) error {
			into[id] = name + ", " + Resource.Name + " " + number
			return nil
		})
}
