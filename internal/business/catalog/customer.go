package catalog

import (
	"fmt"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// CustomersWanted is fired before items are called by numbers of other customers than before: who keeps customers
// answers in Known by which number each is known, and keeps them from going until the commit.
type CustomersWanted struct {
	Numbers []string
	Known   map[string]string // folded number -> number; what does not exist is absent
}

// callers are the customers that the item is called by a number of.
func (i Item) callers() []string {
	var numbers []string
	for _, r := range i.CrossReferences {
		note(&numbers, "", r.CustomerNumber)
	}
	return numbers
}

// customersOf asks for the customers that the cross references of the tasks newly name.
func customersOf(tx *db.Tx, tasks []*task) (map[string]string, error) {
	wanted := CustomersWanted{Known: map[string]string{}}
	for _, t := range tasks {
		if t.err != nil {
			continue
		}
		had := t.was().callers()
		for _, number := range t.after.callers() {
			if !slices.Contains(had, number) {
				wanted.Numbers = append(wanted.Numbers, number)
			}
		}
	}
	if len(wanted.Numbers) == 0 {
		return nil, nil
	}
	return wanted.Known, tx.Fire(wanted)
}

// checkCustomers writes each customer that a cross reference newly names as it is on record, or says that there is
// none.
func (s *surroundings) checkCustomers(wrong *fault.List, was Item, i *Item) {
	had := was.callers()
	for n := range i.CrossReferences {
		number := &i.CrossReferences[n].CustomerNumber
		if *number == "" || slices.Contains(had, *number) {
			continue
		}
		known, ok := s.customers[record.Fold(*number)]
		wrong.If(!ok, ErrUnknownCode, fmt.Sprintf("crossReferences[%d].customerNumber", n),
			"no customer has the number %q", *number)
		if ok {
			*number = known
		}
	}
}
