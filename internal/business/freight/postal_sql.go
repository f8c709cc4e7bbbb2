package freight

import "kontor/internal/foundation/db"

func scanTown(r db.Row, t *Town) error {
	return r.Scan(&t.CountryCode, &t.PostalCode, &t.City, &t.Region, &t.Place)
}

func townsAt(tx *db.Tx, country, code string) (all []Town, err error) {
	err = tx.Each(`-- freight.townsAt
		select country, code, city, region, place from postal_code
		where company = :company and country = :country and code = :code order by place, city`,
		db.Args{"country": country, "code": code}, func(r db.Row) error {
			all = append(all, Town{})
			return scanTown(r, &all[len(all)-1])
		})
	return all, err
}

// townsWith are the towns in the countries with one of the postal codes.
func townsWith(tx *db.Tx, countries, codes []string) (all []Town, err error) {
	err = tx.Each(`-- freight.townsWith
		select country, code, city, region, place from postal_code
		where company = :company and country in (:countries) and code in (:codes)`,
		db.Args{"countries": countries, "codes": codes}, func(r db.Row) error {
			all = append(all, Town{})
			return scanTown(r, &all[len(all)-1])
		})
	return all, err
}

func writeTowns(tx *db.Tx, rows []Town) error {
	return tx.Upsert("postal_code", "country, code, city, region, place", len(rows), func(i int) []any {
		t := rows[i]
		return []any{t.CountryCode, t.PostalCode, t.City, t.Region, t.Place}
	}, `on conflict (company, country, code, city) do update set region = excluded.region, place = excluded.place`)
}

// EachTown reads all towns by country and postal code.
func EachTown(tx *db.Tx, fn func(Town) error) error {
	return tx.Each(`-- freight.EachTown
		select country, code, city, region, place from postal_code
		where company = :company order by country, code, place, city`, nil, func(r db.Row) error {
		var t Town
		if err := scanTown(r, &t); err != nil {
			return err
		}
		return fn(t)
	})
}
