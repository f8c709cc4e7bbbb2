package catalog

import (
	"fmt"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// CustomersWanted is fired before items are called by numbers of other customers than before: who keeps customers
// answers in Known by which number each is known, and keeps them from going until the commit.
type CustomersWanted struct {
	Numbers []string
	Known   map[string]string // folded number -> number; what does not exist is absent
}

// callers are those cross references of an item, by their places, that name customers which it did not name before.
func callers(was Item, i *Item) (places []int) {
	had := map[string]bool{"": true}
	for _, r := range was.CrossReferences {
		had[r.CustomerNumber] = true
	}
	for n, r := range i.CrossReferences {
		if !had[r.CustomerNumber] {
			places = append(places, n)
		}
	}
	return places
}

// customersOf asks for the customers that the cross references of the tasks newly name.
func customersOf(tx *db.Tx, tasks []*task) (map[string]string, error) {
	wanted := CustomersWanted{Known: map[string]string{}}
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		for _, n := range callers(t.was(), &t.after) {
			wanted.Numbers = append(wanted.Numbers, t.after.CrossReferences[n].CustomerNumber)
		}
	}
	if len(wanted.Numbers) == 0 {
		return nil, nil
	}
	return wanted.Known, tx.Fire(wanted)
}

// ForgetCustomer takes the numbers by which a customer who is being deleted called items off them: they would be those
// of whoever gets the customer's number next.
func ForgetCustomer(tx *db.Tx, customer string) error {
	called, err := calledBy(tx, customer)
	if err != nil || len(called) == 0 {
		return err
	}
	out, err := Save(tx, each.Of(called, func(number string) Draft {
		return Draft{Number: number, Edit: func(i *Item) error {
			i.CrossReferences = slices.DeleteFunc(slices.Clone(i.CrossReferences),
				func(r CrossReference) bool { return r.CustomerNumber == customer })
			return nil
		}}
	}), UpdateOnly)
	if err != nil {
		return err
	}
	return each.Do(out, func(o Outcome) error { return o.Err })
}

// checkCustomers writes each customer that a cross reference newly names as it is on record, or says that there is
// none.
func (s *surroundings) checkCustomers(wrong *fault.List, was Item, i *Item) {
	for _, n := range callers(was, i) {
		number := &i.CrossReferences[n].CustomerNumber
		known, ok := s.customers[record.Fold(*number)]
		wrong.If(!ok, ErrUnknownCode, fmt.Sprintf("crossReferences[%d].customerNumber", n),
			"no customer has the number %q", *number)
		if ok {
			*number = known
		}
	}
}
