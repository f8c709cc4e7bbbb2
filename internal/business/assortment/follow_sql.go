package assortment

import (
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// changesSince are the changes after a stamp, the oldest first.
func changesSince(tx *db.Tx, from db.Time, limit int) ([]change, error) {
	return db.Rows(tx, `-- assortment.changesSince
		select stamp, resource, id, business_key, kind from change
		where company = :company and stamp > :from and resource in (:resources) order by stamp limit :limit`,
		db.Args{"from": int64(from), "resources": followed(), "limit": limit},
		func(r db.Row, c *change) error {
			var kind string
			err := r.Scan(&c.stamp, &c.resource, &c.id, &c.key, &kind)
			c.deleted = kind == "deleted"
			return err
		})
}

// newestMove is when stock last moved or was reserved.
func newestMove(tx *db.Tx) (db.Time, error) {
	return db.Value[db.Time](tx, `-- assortment.newestMove
		select changed_at from stock_level where company = :company order by changed_at desc limit 1`, nil)
}

// firstMove is when stock first moved after a stamp, of what did not move again; 0 = it has not.
func firstMove(tx *db.Tx, from db.Time) (db.Time, error) {
	return db.Value[db.Time](tx, `-- assortment.firstMove
		select changed_at from stock_level where company = :company and changed_at > :from order by changed_at limit 1`,
		db.Args{"from": int64(from)})
}

// movedSince are the items whose stock moved, or was reserved, after one stamp and up to another.
func movedSince(tx *db.Tx, from, until db.Time) ([]string, error) {
	return db.Column[string](tx, `-- assortment.movedSince
		select distinct item_id from stock_level where company = :company and changed_at > :from and changed_at <= :until`,
		db.Args{"from": int64(from), "until": int64(until)})
}

// itemsOf are the items of categories or brands.
func itemsOf(tx *db.Tx, column string, codes []string) ([]string, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	return db.Column[string](tx, `-- assortment.itemsOf
		select id from item where company = :company and `+column+` in (:codes)`, db.Args{"codes": codes})
}

// itemsHaving are the items that have a value of some attribute.
func itemsHaving(tx *db.Tx, attributes []string) ([]string, error) {
	if len(attributes) == 0 {
		return nil, nil
	}
	return db.Column[string](tx, `-- assortment.itemsHaving
		select distinct item_id from item_attribute where company = :company and attribute_key in (:keys)`,
		db.Args{"keys": attributes})
}

// idsOf are the items with these folded numbers.
func idsOf(tx *db.Tx, keys []string) ([]string, error) {
	return db.Column[string](tx, `-- assortment.idsOf
		select id from item where company = :company and number_key in (:keys)`, db.Args{"keys": keys})
}

// parentsOf are the parents of items.
func parentsOf(tx *db.Tx, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	numbers, err := db.Column[string](tx, `-- assortment.parentsOf
		select distinct variant_of from item where company = :company and id in (:ids) and variant_of <> ''`,
		db.Args{"ids": ids})
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	return idsOf(tx, record.FoldAll(numbers))
}

// kinOf are the parents and the variants of items.
func kinOf(tx *db.Tx, ids []string) ([]string, error) {
	var numbers, parents []string
	err := db.Each2(tx, `-- assortment.kinOf
		select number, variant_of from item where company = :company and id in (:ids)`, db.Args{"ids": ids},
		func(number, parent string) error {
			numbers = append(numbers, number)
			if parent != "" {
				parents = append(parents, parent)
			}
			return nil
		})
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	out, err := db.Column[string](tx, `-- assortment.kinOf variants
		select id from item where company = :company and variant_of <> '' and variant_of in (:numbers)`,
		db.Args{"numbers": numbers})
	if err != nil || len(parents) == 0 {
		return out, err
	}
	above, err := idsOf(tx, record.FoldAll(parents))
	return append(out, above...), err
}

// dataOf tells the company's data from what it was before a restore.
func dataOf(tx *db.Tx) (string, error) {
	return db.Value[string](tx, `-- assortment.dataOf
		select generation from company_state where company = :company`, nil)
}

// smallEnough reports whether a channel has so few publications that a request can wait for its index.
func smallEnough(tx *db.Tx, c channel.Channel) (bool, error) {
	var n int
	_, err := tx.One(`-- assortment.smallEnough
		select count(*) from (select 1 from publication where company = :company and channel_key = :channel limit :most) as part`,
		db.Args{"channel": record.Fold(c.Code), "most": smallShop + 1}, &n)
	return n <= smallShop, err
}
