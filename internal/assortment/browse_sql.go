package assortment

import "kontor/internal/db"

// readAttributes reads the attributes that products can be chosen by, as product pages order them.
func readAttributes(tx *db.Tx) (out []attribute, err error) {
	err = tx.Each(`-- assortment.readAttributes
		select code, name, data_type from attribute where company = :company and is_active = 1 and is_visible = 1
			and data_type in ('Text', 'WholeNumber', 'DecimalNumber', 'Boolean', 'Color') order by group_name, name, code_key`, nil, func(r db.Row) error {
		var a attribute
		err := r.Scan(&a.code, &a.name, &a.kind)
		out = append(out, a)
		return err
	})
	return out, err
}
