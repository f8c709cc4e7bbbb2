package catalog

import (
	"cmp"
	"slices"
	"strings"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// AllUnits are the units of an item, the base unit first with its factor of 1.
func (i *Item) AllUnits() []Unit {
	if i.BaseUnit == "" {
		return i.Units
	}
	return append([]Unit{{Code: i.BaseUnit, Factor: dec.One, GTIN: i.GTIN}}, i.Units...)
}

// PutUnit sets how many base units one unit of an item is. Refusals: Item.NotFound,
// ItemUnit.UnknownUnit, ItemUnit.InvalidFactor, Quantity.TooLarge, Item.InvalidGtin.
func PutUnit(tx *db.Tx, itemNumber string, u Unit) (Item, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return Item{}, err
	}
	return Change(tx, itemNumber, func(i *Item) error {
		var wrong fault.List
		if i.BaseUnit == "" || !strings.EqualFold(u.Code, i.BaseUnit) {
			checkUnit(book, &wrong, i, &u, func(field string) string { return field })
			if i.unit(u.Code) < 0 {
				tx.Adds()
			}
			i.Units = withUnit(i.Units, u)
			return wrong.Err()
		}
		wrong.If(u.Factor != dec.One, ErrUnitFactor, "factor",
			"must be 1: %s is the base unit of item %s", i.BaseUnit, i.Number)
		checkUnitGTIN(&wrong, "gtin", u.GTIN)
		i.GTIN = cmp.Or(u.GTIN, i.GTIN) // the base unit's number is the item's own
		return wrong.Err()
	})
}

// CheckUnits holds the units of an item beside its base unit against the rules, each field named by at, writes their
// codes as the company does, and sorts them.
func CheckUnits(book *reference.Book, wrong *fault.List, i *Item, at func(n int, field string) string) {
	i.Units = slices.Clone(i.Units)
	seen := map[string]bool{}
	for n := range i.Units {
		u := &i.Units[n]
		checkUnit(book, wrong, i, u, func(field string) string { return at(n, field) })
		if key := record.Fold(u.Code); seen[key] {
			wrong.Add(ErrUnitFactor, at(n, "unitCode"), "%s is named twice", u.Code)
		} else {
			seen[key] = true
		}
	}
	sortUnits(i.Units)
}

func checkUnit(book *reference.Book, wrong *fault.List, i *Item, u *Unit, at func(field string) string) {
	known, ok := book.Unit(u.Code)
	switch {
	case !ok:
		wrong.Add(ErrUnknownUnit, at("unitCode"), "there is no unit %s: GET /preview/reference/units lists them",
			u.Code)
	case strings.EqualFold(known.Code, i.BaseUnit):
		wrong.Add(ErrUnitFactor, at("unitCode"), "%s is the base unit: name the others only", known.Code)
	case u.Factor <= 0:
		wrong.Add(ErrUnitFactor, at("factor"), "must be greater than 0: it counts the base units in one %s",
			known.Code)
	}
	limit.Quantity.Check(wrong, at("factor"), u.Factor)
	checkUnitGTIN(wrong, at("gtin"), u.GTIN)
	if ok {
		u.Code = known.Code
	}
}

func checkUnitGTIN(wrong *fault.List, field, gtin string) {
	wrong.If(gtin != "" && !ValidGTIN(gtin), ErrInvalidGTIN, field,
		"%s is not a GTIN of 8, 12, 13 or 14 digits ending in its check digit", gtin)
}

// DeleteUnit removes a unit from an item. Refusals: Item.NotFound, ItemUnit.NotFound, ItemUnit.InUse
// for the base unit and the units the item is sold or bought in.
func DeleteUnit(tx *db.Tx, itemNumber, code string) (Item, error) {
	return Change(tx, itemNumber, func(i *Item) error {
		for _, use := range []struct{ unit, field string }{{i.BaseUnit, "baseUnitCode"}, {i.SalesUnit, "salesUnitCode"},
			{i.PurchaseUnit, "purchaseUnitCode"}} {
			if use.unit != "" && strings.EqualFold(use.unit, code) {
				return ErrUnitInUse.Because("%s is the %s of item %s: change that first", use.unit, use.field, i.Number)
			}
		}
		n := i.unit(code)
		if n < 0 {
			return ErrUnitNotFound.Because("item %s has no unit %s", i.Number, code)
		}
		i.Units = slices.Delete(slices.Clone(i.Units), n, n+1)
		return nil
	})
}

// withUnit is units, by code, with u in place of the one of the same code.
func withUnit(units []Unit, u Unit) []Unit {
	out := slices.DeleteFunc(slices.Clone(units),
		func(v Unit) bool { return record.Fold(v.Code) == record.Fold(u.Code) })
	out = append(out, u)
	sortUnits(out)
	return out
}

func sortUnits(units []Unit) {
	slices.SortFunc(units, func(a, b Unit) int { return strings.Compare(record.Fold(a.Code), record.Fold(b.Code)) })
}
