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
	if err := without(made, rows); err != nil {
		return err
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
	add := each.Of(groups, func(g pair) reference.CustomerGroup {
		return reference.CustomerGroup{Code: g.name, Name: g.value, IsActive: true}
	})
	return true, reference.SaveCustomerGroups(tx, add...)
}

// editCustomer lays a row over a customer and holds the result against the rules of customers.
func editCustomer(tx *db.Tx, r *row, x *party.Customer) error {
	c, was := r.cells(), *x
	c.lay(x)
	c.wrong.If(x.Name == "", fault.ErrInvalid, "name", "is empty: a customer needs a name")
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
		return p.record(beside{"customerGroupName": group.Name}, c)
	})
}
