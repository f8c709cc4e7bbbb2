package assortment

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// readAttributes reads the attributes that products can be chosen by, as product pages order them.
func readAttributes(tx *db.Tx) (out []attribute, err error) {
	return db.Rows(tx, `-- assortment.readAttributes
		select code, name, data_type from attribute where company = :company and is_active = 1 and is_visible = 1
			and data_type in ('Text', 'WholeNumber', 'DecimalNumber', 'Boolean', 'Color') order by group_name, name, code_key`,
		nil, func(r db.Row, a *attribute) error {
			return r.Scan(&a.code, &a.name, &a.kind)
		})
}

// readPlain reads a part of the listed products of categories and brands, of all where none are named: as they are
// featured, then by number; and counts them.
func readPlain(tx *db.Tx, c channel.Channel, categories, brands []string, offset, limit int) (Found, error) {
	args := db.Args{"channel": record.Fold(c.Code), "categories": categories, "brands": brands, "offset": offset,
		"limit": limit}
	where := ` from ` + shown + ` where p.company = :company and p.channel_key = :channel and ` + visible + ` and ` +
		listed
	if len(categories) > 0 {
		where += ` and i.category_code in (:categories)`
	}
	if len(brands) > 0 {
		where += ` and i.brand_code in (:brands)`
	}
	out := Found{}
	_, err := tx.One(`-- assortment.readPlain count
		select count(*)`+where, args, &out.Total)
	if err != nil {
		return out, err
	}
	out.IDs, err = db.Column[string](tx, `-- assortment.readPlain
		select i.id`+where+` order by p.is_featured desc, p.sort_order, p.item_key limit :limit offset :offset`, args)
	return out, err
}
