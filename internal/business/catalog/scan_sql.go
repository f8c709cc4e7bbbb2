package catalog

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// Scanned is the item that a scanned or typed code means, and how many base units one scan is: an item's number or GTIN
// is one, the GTIN of one of its units is what that unit holds. Where several items carry a GTIN, the one with the
// least number is meant.
// Refusal: Item.NotFound.
func Scanned(tx *db.Tx, code string) (Item, dec.Dec, error) {
	code = strings.TrimSpace(code)
	ways := []string{"number_key = :key"}
	if ValidGTIN(code) {
		ways = append(ways, "gtin <> '' and gtin = :gtin", "units <> '' and instr(units, :gtin) > 0")
	}
	for _, where := range ways {
		i, found, err := items.One(tx, "catalog.Scanned", where+" order by number_key limit 1",
			db.Args{"key": record.Fold(code), "gtin": code})
		if err != nil {
			return i, 0, err
		}
		if !found {
			continue
		}
		for _, u := range i.Units {
			if u.GTIN == code && where == ways[len(ways)-1] {
				return i, u.Factor, nil
			}
		}
		return i, dec.One, nil
	}
	return Item{}, 0, missing(code)
}
