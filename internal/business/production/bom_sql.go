package production

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const bomLineColumns = "item_id, item, quantity, scrap_percent, valid_from, valid_to"

var bomLineRow = db.Map[BOMLine](bomLineColumns)

var boms = record.TableOf(BOMs, record.Layout[BOM]{
	Fixed: "item_id, item",
	Key:   "item_key",
	KeyOf: func(b *BOM) string { return b.Item },
	Derived: func(b *BOM) db.Args {
		parts := []string{b.Item}
		for _, l := range b.Lines {
			parts = append(parts, l.Item)
		}
		return db.Args{"search": record.SearchText(parts...)}
	},
	Parts: []*record.Parts[BOM]{record.PartsOf(record.PartLayout[BOM, BOMLine]{
		Table: "bom_line", Owner: "bom_id", Place: "line", Columns: bomLineColumns,
		Of: func(b *BOM) *[]BOMLine { return &b.Lines },
	})},
})

// bomOf is the bill of materials of an item; lock is db.ForUpdate, or "".
func bomOf(tx *db.Tx, itemID, lock string) (BOM, bool, error) {
	list, err := boms.Where(tx, "production.bomOf", "item_id = :item"+lock, db.Args{"item": itemID})
	if err != nil || len(list) == 0 {
		return BOM{}, false, err
	}
	err = boms.Whole(tx, list)
	return list[0], true, err
}

// bomsOf are the bills of materials of items.
func bomsOf(tx *db.Tx, itemIDs []string) ([]BOM, error) {
	list, err := boms.Where(tx, "production.bomsOf", "item_id in (:items)", db.Args{"items": itemIDs})
	if err != nil {
		return nil, err
	}
	return list, boms.Whole(tx, list)
}

// component is a line with the item that is made of it.
type component struct {
	parent string
	BOMLine
}

// componentsOf are the components of items, on whatever day.
func componentsOf(tx *db.Tx, itemIDs []string) (list []component, err error) {
	return db.Rows(tx, `-- production.componentsOf
		select `+bomLineRow.Select("l")+`, b.item_id
		from bom b join bom_line l on l.company = b.company and l.bom_id = b.id
		where b.company = :company and b.item_id in (:items) order by b.item_key, l.line`, db.Args{"items": itemIDs},
		func(r db.Row, c *component) error {
			return r.Scan(append(bomLineRow.Of(&c.BOMLine), &c.parent)...)
		})
}

// ListBOMs reads bills of materials by item, with their lines. shown is searched in the numbers of items and of their
// components.
func ListBOMs(tx *db.Tx, shown string, p record.Page) (record.Found[BOM], error) {
	q := boms.Query("production.ListBOMs")
	q.Sorts = map[string][]string{"item": {"item_key"}}
	q.SearchAny(shown, "instr(search, {word}) > 0",
		"item_id in (select i.id from item i where i.company = :company and instr(i.search, {word}) > 0)")
	return boms.List(tx, q, p)
}

// usedIn names an item whose bill of materials has the item as a component, or the item itself where it has one; "" for
// none.
func usedIn(tx *db.Tx, itemID string) (string, error) {
	return db.Value[string](tx, `-- production.usedIn
		select item from (select item, item_key from bom where company = :company and item_id = :item
			union all select b.item, b.item_key from bom_line l join bom b on b.company = l.company and b.id = l.bom_id
			where l.company = :company and l.item_id = :item) as used order by item_key limit 1`,
		db.Args{"item": itemID})
}
