package catalog

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// SuppliersWanted is fired before items get other primary suppliers: who keeps suppliers answers in Known by which
// number each is known, and keeps all of them, those that the items had before included, from changing until the
// commit.
type SuppliersWanted struct {
	Numbers []string
	Known   map[string]string // folded number -> number; what does not exist is absent
}

// SuppliersChosen is fired after items have got other primary suppliers.
type SuppliersChosen struct{ Choices []Choice }

// Choice is an item whose primary supplier becomes another; "" is none.
type Choice struct {
	Item          Item
	Before, After string // numbers of suppliers
}

// suppliersOf asks for the suppliers that the tasks take from items and give to them.
func suppliersOf(tx *db.Tx, tasks []*task) (map[string]string, error) {
	wanted := SuppliersWanted{Known: map[string]string{}}
	for _, t := range tasks {
		was := t.was().SupplierNumber
		if t.err != nil || was == t.after.SupplierNumber {
			continue
		}
		note(&wanted.Numbers, "", was)
		note(&wanted.Numbers, "", t.after.SupplierNumber)
	}
	if len(wanted.Numbers) == 0 {
		return nil, nil
	}
	return wanted.Known, tx.Fire(wanted)
}

// tellSuppliers fires SuppliersChosen for the tasks that were written.
func tellSuppliers(tx *db.Tx, tasks []*task) error {
	var e SuppliersChosen
	for _, t := range tasks {
		if was := t.was().SupplierNumber; t.err == nil && was != t.after.SupplierNumber {
			e.Choices = append(e.Choices, Choice{t.after, was, t.after.SupplierNumber})
		}
	}
	if len(e.Choices) == 0 {
		return nil
	}
	return tx.Fire(e)
}

// SetSuppliers writes the choices of the room that keeps suppliers, which has locked the items (LockMany) and knows the
// suppliers: nobody is asked, and nobody is told.
func SetSuppliers(tx *db.Tx, choices []Choice) error {
	pairs := make([]record.Pair[Item], len(choices))
	for n := range choices {
		before := choices[n].Item
		choices[n].Item.SupplierNumber = choices[n].After
		pairs[n] = record.Pair[Item]{Before: &before, After: &choices[n].Item}
	}
	return items.SaveMany(tx, pairs...)
}
