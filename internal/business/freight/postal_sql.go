package freight

import "kontor/internal/foundation/db"

const townColumns = "country, code, city, region, place"

var townRow = db.Map[Town](townColumns)

func townsAt(tx *db.Tx, country, code string) ([]Town, error) {
	return db.Rows(tx, `-- freight.townsAt
		select `+townColumns+` from postal_code
		where company = :company and country = :country and code = :code order by place, city`,
		db.Args{"country": country, "code": code}, townRow.Scan)
}

// townsWith are the towns in the countries with one of the postal codes.
func townsWith(tx *db.Tx, countries, codes []string) ([]Town, error) {
	return db.Rows(tx, `-- freight.townsWith
		select `+townColumns+` from postal_code
		where company = :company and country in (:countries) and code in (:codes)`,
		db.Args{"countries": countries, "codes": codes}, townRow.Scan)
}

func writeTowns(tx *db.Tx, rows []Town) error {
	return tx.Upsert("postal_code", townColumns, len(rows), func(i int) []any { return townRow.Of(&rows[i]) },
		db.Overwriting("country, code, city", townColumns))
}

// EachTown reads all towns by country and postal code.
func EachTown(tx *db.Tx, fn func(Town) error) error {
	return tx.Each(`-- freight.EachTown
		select `+townColumns+` from postal_code
		where company = :company order by country, code, place, city`, nil, func(r db.Row) error {
		var t Town
		if err := townRow.Scan(r, &t); err != nil {
			return err
		}
		return fn(t)
	})
}
