package party

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

const fields = `name, organization_number, vat_number, is_active, invoice_email, phone, street1, street2, postal_code, city, country_code,
	currency_code, group_code, payment_term_code, delivery_term_code, credit_limit, notes, invoice_delivery`

const columns = record.RootColumns + ", number, " + fields

var (
	customerRow = db.Map[Customer](columns)
	fieldRow    = db.Map[Customer](fields)
)

func (c Customer) search() string {
	return record.SearchText(c.Number, c.Name, c.OrganizationNumber, c.InvoiceEmail)
}

// Find reads a customer by its number. Customer.NotFound.
func Find(tx *db.Tx, number string) (Customer, error) { return find(tx, number, "") }

// lock is Find with the root locked until the commit.
func lock(tx *db.Tx, number string) (Customer, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, locking string) (c Customer, err error) {
	found := false
	err = tx.Each(`-- party.Find
		select `+columns+` from customer where company = :company and number_key = :key`+
		locking, db.Args{"key": record.Fold(number)}, func(r db.Row) error {
		found = true
		return customerRow.Scan(r, &c)
	})
	if err == nil && !found {
		err = ErrNotFound.Because("no customer has the number %q", number)
	}
	return c, err
}

// FindMany reads the customers with these numbers, by folded number; unknown ones are absent.
func FindMany(tx *db.Tx, numbers []string) (map[string]Customer, error) {
	keys := record.FoldAll(numbers)
	out := make(map[string]Customer, len(keys))
	err := tx.Each(`-- party.FindMany
		select `+columns+` from customer where company = :company and number_key in (:keys)`,
		db.Args{"keys": keys}, func(r db.Row) error {
			var c Customer
			err := customerRow.Scan(r, &c)
			out[record.Fold(c.Number)] = c
			return err
		})
	return out, err
}

// ByID reads a customer by id; found is false where there is none any more.
func ByID(tx *db.Tx, id string) (c Customer, found bool, err error) {
	err = tx.Each(`-- party.ByID
		select `+columns+` from customer where company = :company and id = :id`,
		db.Args{"id": id}, func(r db.Row) error {
			found = true
			return customerRow.Scan(r, &c)
		})
	return c, found, err
}

// Filter of List; zero fields do not filter.
type Filter struct {
	Shown    string // what people see of it: also the city
	Search   string // number, name, organisation number, e-mail
	IsActive *bool
}

// List reads a page of customers by number.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Customer], error) {
	q := record.Query{Name: "party.List", Select: columns, From: "customer",
		Key: []string{"number_key"}, Stamp: "changed_at", Resources: []string{Resource.Name},
		Sorts: map[string][]string{"number": {"number_key"}, "name": {"lower(name)", "number_key"}}}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(fold(city), {word}) > 0")
	q.Given("is_active = :active", f.IsActive)
	return record.ListOf(tx, q, p, customerRow.Scan)
}

// Create adds a customer; without a number it gets the next of the series. Customer.AlreadyExists,
// Customer.UnknownCode.
func Create(tx *db.Tx, c Customer) (Customer, error) {
	if err := c.Check(tx); err != nil {
		return c, err
	}
	if c.Number == "" {
		var err error
		if c.Number, err = number.Next(tx, "customer", func(n string) (bool, error) {
			return exists(tx, n)
		}); err != nil {
			return c, err
		}
	}
	c.Root = record.New(tx)
	err := insert(tx, []Customer{c})
	if tx.Unique(err) {
		return c, ErrExists.Because("a customer with the number %q exists already", c.Number)
	}
	if err != nil {
		return c, err
	}
	return c, Resource.Created(tx, c.Root, c.Number, c)
}

// CreateMany adds many customers that are known to be new, as an import does: a constant number of statements.
func CreateMany(tx *db.Tx, customers []Customer) error {
	changes := make([]record.Change, len(customers))
	for i := range customers {
		c := &customers[i]
		if err := c.Check(tx); err != nil {
			return err
		}
		c.Root = record.New(tx)
		changes[i] = record.Change{Root: &c.Root, Key: c.Number, Action: "created", After: *c}
	}
	if err := insert(tx, customers); err != nil {
		return err
	}
	return Resource.ReportMany(tx, changes)
}

func insert(tx *db.Tx, customers []Customer) error {
	return tx.Insert("customer", columns+", number_key, search", len(customers), func(i int) []any {
		return append(customerRow.Of(&customers[i]), record.Fold(customers[i].Number), customers[i].search())
	})
}

func exists(tx *db.Tx, number string) (bool, error) {
	var one int64
	return tx.One(`-- party.exists
		select 1 from customer where company = :company and number_key = :key`, db.Args{"key": record.Fold(number)},
		&one)
}

// Update changes a customer: edit gets it as it is and makes it what it shall be. Its number stays.
// Customer.NotFound, Customer.UnknownCode, Precondition.Failed.
func Update(tx *db.Tx, number string, edit func(*Customer) error) (Customer, error) {
	before, err := lock(tx, number)
	if err != nil {
		return before, err
	}
	c := before
	if err := edit(&c); err != nil {
		return c, err
	}
	if err := c.Check(tx); err != nil {
		return c, err
	}
	_, err = tx.Exec(`-- party.Update
		update customer set `+fieldRow.Set()+`, search = :search where company = :company and id = :id`,
		fieldRow.Args(&c, db.Args{"id": c.ID, "search": c.search()}))
	if err != nil {
		return c, err
	}
	return c, Resource.Changed(tx, &c.Root, c.Number, before, c)
}

// LockCredit keeps what a customer with a credit limit owes from being lent twice, until the end of the transaction:
// who comes next waits, or begins again where his snapshot is older. It is no change of the record.
func LockCredit(tx *db.Tx, id string) error {
	return tx.Run(`-- party.LockCredit
		update customer set credit_turn = credit_turn + 1 where company = :company and id = :id and credit_limit is not null`,
		db.Args{"id": id})
}

// Delete removes a customer no document names, with contacts and addresses. Customer.NotFound, Customer.InUse.
func Delete(tx *db.Tx, number string) error {
	c, err := lock(tx, number)
	if err != nil {
		return err
	}
	if err := tx.Fire(Deleting{c}); err != nil {
		return err
	}
	if err := tx.Delete(db.Args{"customer_id": c.ID}, "customer_contact", "customer_address"); err != nil {
		return err
	}
	if err := tx.Delete(db.Args{"id": c.ID}, "customer"); err != nil {
		return err
	}
	return Resource.Deleted(tx, c.Root, c.Number, c)
}
