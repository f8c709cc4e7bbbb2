package assortment

import (
	"cmp"
	"slices"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// articlesAfter reads the next published articles of a channel by item number, whether or not their window is open.
func articlesAfter(tx *db.Tx, c channel.Channel, after string, limit int) ([]*Article, error) {
	return db.Rows(tx, `-- assortment.articlesAfter
		`+articlesOf+published+` and p.item_key > :after order by p.item_key limit :limit`,
		db.Args{"channel": record.Fold(c.Code), "after": after, "limit": limit}, scanArticle)
}

// articlesWith reads the published articles among items, whether or not their window is open.
func articlesWith(tx *db.Tx, c channel.Channel, ids []string) ([]*Article, error) {
	return db.Rows(tx, `-- assortment.articlesWith
		`+articlesAmong+published+` and i.id in (:ids)`, db.Args{"channel": record.Fold(c.Code), "ids": ids}, scanArticle)
}

// among are those of the folded item numbers of which a channel shows the item now.
func among(tx *db.Tx, c channel.Channel, keys []string) (map[string]bool, error) {
	if len(keys) == 0 {
		return map[string]bool{}, nil
	}
	return db.Set[string](tx, `-- assortment.among
		select p.item_key from `+shown+
		` where p.company = :company and p.channel_key = :channel and p.item_key in (:keys) and `+visible,
		db.Args{"channel": record.Fold(c.Code), "keys": keys})
}

// standingVariants are the visible variants of items, by the parent's folded number: of each what its parent's
// document says of it, and its price and stock follow from, since there may be thousands.
func standingVariants(tx *db.Tx, c channel.Channel, parents []string) (map[string][]*Article, error) {
	if len(parents) == 0 {
		return map[string][]*Article{}, nil
	}
	out, err := db.Grouped(tx, `-- assortment.standingVariants
		select i.id, i.number, i.number_key, i.type, i.base_unit, i.sales_unit, i.decimal_places, i.sales_price, i.tax_code,
			i.gtin, i.manufacturer_number, i.units, i.cross_references, i.variant_of, i.variant_options, p.allow_backorder
		from item i cross join publication p where p.company = :company and p.channel_key = :channel and i.company = :company
			and p.item_key = i.number_key and `+visible+` and i.variant_of <> '' and i.variant_of in (:parents)`,
		db.Args{"channel": record.Fold(c.Code), "parents": parents}, func(r db.Row, parent *string, at **Article) error {
			a, own := &Article{}, part{}
			i := &a.Item
			err := r.Scan(&i.ID, &i.Number, &own.key, &i.Type, &i.BaseUnit, &i.SalesUnit, &i.DecimalPlaces,
				&i.SalesPrice, &i.TaxCode, &i.GTIN, &i.ManufacturerNumber, db.JSON{At: &i.Units},
				db.JSON{At: &i.CrossReferences}, &i.VariantOf, db.JSON{At: &i.VariantOptions}, &own.allowBackorder)
			own.itemID, own.isKept = i.ID, i.InStock()
			a.parts = []part{own}
			*at, *parent = a, record.Fold(i.VariantOf)
			return err
		})
	for _, all := range out {
		slices.SortFunc(all, func(a, b *Article) int { return cmp.Compare(a.parts[0].key, b.parts[0].key) })
	}
	return out, err
}

// propertiesOf are the values that items have of active attributes that are shown, by item id.
func propertiesOf(tx *db.Tx, ids []string) (map[string][]property, error) {
	if len(ids) == 0 {
		return map[string][]property{}, nil
	}
	return db.Grouped(tx, `-- assortment.propertiesOf
		select v.item_id, a.code, a.name, a.unit, a.data_type, v.value
		from item_attribute v join attribute a on a.company = v.company and a.code_key = v.attribute_key
		where v.company = :company and v.item_id in (:ids) and a.is_active = 1 and a.is_visible = 1`,
		db.Args{"ids": ids}, func(r db.Row, id *string, p *property) error {
			return r.Scan(id, &p.code, &p.name, &p.unit, &p.kind, &p.value)
		})
}

// popularFor is how far back orders count for what is popular.
const popularFor = 90 * 24 * time.Hour

// popularityOf is on how many lines of recent orders items stand, by id. It begins with the orders: SQLite, which keeps
// to the order of a cross join, would otherwise go through all lines there ever were.
func popularityOf(tx *db.Tx) (map[string]uint32, error) {
	since := day.Of(tx.Now.Time().Add(-popularFor), time.UTC)
	return db.Pairs[string, uint32](tx, `-- assortment.popularityOf
		select l.item_id, count(*) from sales_order o cross join sales_order_line l
		where l.company = o.company and l.order_id = o.id and o.company = :company and o.order_date >= :since
		and o.status <> 'Cancelled' and l.item_id <> '' group by l.item_id`,
		db.Args{"since": since})
}
