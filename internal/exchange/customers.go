package exchange

import (
	"maps"
	"slices"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// customers books customers. A customer group that is not there is made where the row says its name. A country that
// nobody knows is left out, with a warning: old systems let people write anything there.
type customers struct {
	plain
	nowhere map[string]int // countries that are none -> rows
}

func newCustomers() customers { return customers{nowhere: map[string]int{}} }

// admit brings the country into its code.
func (b customers) admit(r *row) error {
	at, given := r.columns["countryCode"], r.get("countryCode")
	if given == "" {
		return nil
	}
	code, known := reference.CountryNamed(given)
	if r.values[at] = code; !known {
		b.nowhere[given]++
	}
	return nil
}

func (b customers) warnings() []fault.Said {
	var all []fault.Said
	for _, name := range slices.Sorted(maps.Keys(b.nowhere)) {
		all = append(all, fault.Say("country %q is not known and was left out (%d rows)", name, b.nowhere[name]))
	}
	return all
}

func (customers) key(r *row) string { return record.Fold(r.get("customerNumber")) }

func (customers) book(tx *db.Tx, rows []*row) error {
	made, err := makeGroups(tx, rows)
	if err != nil {
		return err
	}
	numbers := each.Of(rows, func(r *row) string { return r.get("customerNumber") })
	known, err := party.FindMany(tx, numbers)
	if err != nil {
		return err
	}
	var fresh []party.Customer
	for _, r := range rows {
		before, exists := known[record.Fold(r.get("customerNumber"))]
		c := before
		if !exists {
			c = party.Customer{Number: r.get("customerNumber"), IsActive: true}
		}
		if err := editCustomer(tx, r, &c); err != nil {
			if fault.As(err).Kind == fault.Internal {
				return err
			}
			r.refuse(err)
			continue
		}
		switch {
		case !exists:
			fresh = append(fresh, c)
			r.became(created)
		case c == before:
			r.became(unchanged)
		default:
			after, err := party.Update(tx, c.Number,
				func(now *party.Customer) error { return editCustomer(tx, r, now) })
			if err != nil {
				return err
			}
			r.became(revised(before.Version, after.Version))
		}
	}
	if made && refusedOf(rows) {
		return errWithout
	}
	return party.CreateMany(tx, fresh)
}

// makeGroups makes the customer groups that rows name and that are not there.
func makeGroups(tx *db.Tx, rows []*row) (made bool, err error) {
	groups, err := unknown(tx, rows, "customerGroupCode", "customerGroupName",
		func(tx *db.Tx, keys []string) (map[string]bool, error) {
			book, err := reference.Of(tx)
			there := map[string]bool{}
			for _, key := range keys {
				if err == nil {
					_, there[key] = book.CustomerGroup(key)
				}
			}
			return there, err
		})
	if err != nil || len(groups) == 0 {
		return false, err
	}
	add := make([]reference.CustomerGroup, len(groups))
	for n, g := range groups {
		add[n] = reference.CustomerGroup{Code: g.name, Name: g.value, IsActive: true}
	}
	return true, reference.SaveCustomerGroups(tx, add...)
}

// editCustomer lays a row over a customer and holds the result against the rules of customers.
func editCustomer(tx *db.Tx, r *row, x *party.Customer) error {
	c, was := r.cells(), *x
	c.text("name", &x.Name)
	c.text("organizationNumber", &x.OrganizationNumber)
	c.text("vatNumber", &x.VATNumber)
	c.flag("isActive", &x.IsActive)
	c.text("invoiceEmail", &x.InvoiceEmail)
	c.text("phone", &x.Phone)
	c.text("street1", &x.Street1)
	c.text("street2", &x.Street2)
	c.text("postalCode", &x.PostalCode)
	c.text("city", &x.City)
	c.text("countryCode", &x.CountryCode)
	c.text("defaultCurrencyCode", &x.CurrencyCode)
	c.text("customerGroupCode", &x.GroupCode)
	c.text("paymentTermCode", &x.PaymentTermCode)
	c.text("deliveryTermCode", &x.DeliveryTermCode)
	limit := x.CreditLimit
	if c.optional("creditLimit", &limit); limit == nil || x.CreditLimit == nil || *limit != *x.CreditLimit {
		x.CreditLimit = limit
	}
	choice(c, "invoiceDelivery", &x.InvoiceDelivery)
	c.text("notes", &x.Notes)
	if x.Name == "" {
		c.wrong.Add(fault.ErrInvalid, "name", "is empty: a customer needs a name")
	}
	if err := c.wrong.AddError(x.Check(tx, was)); err != nil {
		return err
	}
	return c.wrong.Err()
}

func exportCustomers(tx *db.Tx, p *printer) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	return eachOf(tx, pageOf, party.List, func(c party.Customer) error {
		group, _ := book.CustomerGroup(c.GroupCode)
		return p.row(c.Number, c.Name, c.OrganizationNumber, c.VATNumber, flag(c.IsActive), c.InvoiceEmail, c.Phone,
			c.Street1, c.Street2, c.PostalCode, c.City, c.CountryCode, c.CurrencyCode, c.GroupCode, group.Name,
			c.PaymentTermCode, c.DeliveryTermCode, optional(c.CreditLimit), string(c.InvoiceDelivery), c.Notes)
	})
}
