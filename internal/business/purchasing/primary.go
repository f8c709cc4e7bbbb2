package purchasing

import (
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// KnowSuppliers listens to catalog.SuppliersWanted: it tells which suppliers there are, and locks them.
func KnowSuppliers(tx *db.Tx, e catalog.SuppliersWanted) error {
	found, err := LockSuppliers(tx, e.Numbers)
	for key, s := range found {
		e.Known[key] = s.Number
	}
	return err
}

// FollowChoices listens to catalog.SuppliersChosen: the supplier that an item names supplies it.
func FollowChoices(tx *db.Tx, e catalog.SuppliersChosen) error {
	var numbers []string
	for _, c := range e.Choices {
		numbers = append(numbers, c.Before, c.After)
	}
	slices.Sort(numbers)
	suppliers, err := LockSuppliers(tx, slices.Compact(numbers))
	if err != nil {
		return err
	}
	return follow(tx, suppliers, e.Choices)
}

// follow reports to each of the suppliers, whose roots are locked, for which items it has become the primary one and
// for which it no longer is. One that did not supply such an item does from now on.
func follow(tx *db.Tx, suppliers map[string]Supplier, choices []catalog.Choice) error {
	gained, lost := map[string][]catalog.Item{}, map[string][]catalog.Item{}
	for _, c := range choices {
		gained[record.Fold(c.After)] = append(gained[record.Fold(c.After)], c.Item)
		lost[record.Fold(c.Before)] = append(lost[record.Fold(c.Before)], c.Item)
	}
	for _, key := range slices.Sorted(maps.Keys(suppliers)) {
		s, at := suppliers[key], tx.Stamp()
		if err := insertMissing(tx, s, at, gained[key]); err != nil {
			return err
		}
		detail := map[string][2]any{}
		var moved []string
		for _, i := range gained[key] {
			detail["items["+i.Number+"].isPrimary"] = [2]any{false, true}
			moved = append(moved, i.ID)
		}
		for _, i := range lost[key] {
			detail["items["+i.Number+"].isPrimary"] = [2]any{true, false}
			moved = append(moved, i.ID)
		}
		if len(moved) == 0 {
			continue
		}
		if err := stampItems(tx, s.ID, at, moved); err != nil {
			return err
		}
		if err := Suppliers.Touched(tx, &s.Root, s.Number, "items changed", detail); err != nil {
			return err
		}
	}
	return nil
}

// ForgetItem listens to catalog.Deleting: nobody supplies an item that is gone.
func ForgetItem(tx *db.Tx, e catalog.Deleting) error {
	numbers, err := suppliersOf(tx, e.Item.ID)
	if err != nil || len(numbers) == 0 {
		return err
	}
	suppliers, err := LockSuppliers(tx, numbers)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(suppliers)) {
		s := suppliers[key]
		rows, err := OffersOf(tx, s, []string{e.Item.ID})
		if err != nil {
			return err
		}
		row := rows[e.Item.ID]
		if err := removeItems(tx, []string{row.ID}); err != nil {
			return err
		}
		detail := map[string][2]any{"items[" + e.Item.Number + "]": {row, nil}}
		if err := Suppliers.Touched(tx, &s.Root, s.Number, "item deleted", detail); err != nil {
			return err
		}
	}
	return nil
}
