package production

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const bomLineColumns = "item_id, item, quantity, scrap_percent, valid_from, valid_to"

const bomColumns = record.RootColumns + ", item_id, item"

var (
	bomLineRow = db.Map[BOMLine](bomLineColumns)
	bomRow     = db.Map[BOM](bomColumns)
)

// lockBOMs makes whoever changes a bill of materials wait for whoever does already, until the end of the transaction.
// PostgreSQL alone is asked: elsewhere there is one writer.
func lockBOMs(tx *db.Tx) error {
	if tx.Alone() {
		return nil
	}
	return tx.Each(`-- production.lockBOMs
		select pg_advisory_xact_lock(hashtextextended('boms ' || :company, 0))`, nil, func(db.Row) error { return nil })
}

// bomOf is the bill of materials of an item, lockBOM the same for a change.
func bomOf(tx *db.Tx, itemID string) (BOM, bool, error) { return readBOM(tx, itemID, "") }

func lockBOM(tx *db.Tx, itemID string) (BOM, bool, error) { return readBOM(tx, itemID, " for update") }

func readBOM(tx *db.Tx, itemID, lock string) (b BOM, found bool, err error) {
	found, err = tx.One(`-- production.readBOM
		select `+bomColumns+` from bom where company = :company and item_id = :item`+lock,
		db.Args{"item": itemID}, bomRow.Of(&b)...)
	if err != nil || !found {
		return b, found, err
	}
	list := []BOM{b}
	err = readBOMLines(tx, list)
	return list[0], true, err
}

// bomsOf are the bills of materials of items.
func bomsOf(tx *db.Tx, itemIDs []string) (list []BOM, err error) {
	list, err = db.Rows(tx, `-- production.bomsOf
		select `+bomColumns+` from bom where company = :company and item_id in (:items)`,
		db.Args{"items": itemIDs}, bomRow.Scan)
	if err != nil {
		return nil, err
	}
	return list, readBOMLines(tx, list)
}

func readBOMLines(tx *db.Tx, list []BOM) error {
	return record.ReadParts(tx, list, "bom_line", "bom_id", "line", bomLineRow,
		func(b *BOM) *[]BOMLine { return &b.Lines })
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

func insertBOM(tx *db.Tx, b *BOM) error {
	err := tx.Insert("bom", bomColumns+", item_key, search", 1, func(int) []any {
		return append(bomRow.Of(b), record.Fold(b.Item), b.search())
	})
	if err != nil {
		return err
	}
	return insertBOMLines(tx, b)
}

func (b *BOM) search() string {
	parts := []string{b.Item}
	for _, l := range b.Lines {
		parts = append(parts, l.Item)
	}
	return record.SearchText(parts...)
}

func insertBOMLines(tx *db.Tx, b *BOM) error {
	return tx.Insert("bom_line", bomLineColumns+", bom_id, line", len(b.Lines), func(i int) []any {
		return append(bomLineRow.Of(&b.Lines[i]), b.ID, i+1)
	})
}

func replaceBOMLines(tx *db.Tx, b *BOM) error {
	_, err := tx.Exec(`-- production.replaceBOMLines
		update bom set search = :search where company = :company and id = :id`,
		db.Args{"id": b.ID, "search": b.search()})
	if err == nil {
		err = removeBOMLines(tx, b.ID)
	}
	if err == nil {
		err = insertBOMLines(tx, b)
	}
	return err
}

func removeBOM(tx *db.Tx, id string) error {
	if err := removeBOMLines(tx, id); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": id}, "bom")
}

func removeBOMLines(tx *db.Tx, id string) error { return tx.Delete(db.Args{"bom_id": id}, "bom_line") }

// ListBOMs reads bills of materials by item, with their lines. shown is searched in the numbers of items and of their
// components.
func ListBOMs(tx *db.Tx, shown string, p record.Page) (record.Found[BOM], error) {
	q := record.Query{Name: "production.ListBOMs", Select: bomRow.Select("b"), From: "bom b",
		Key: []string{"b.item_key"}, Stamp: "b.changed_at", Resources: []string{BOMs.Name},
		Sorts: map[string][]string{"item": {"b.item_key"}}}
	q.SearchAny(shown, "instr(b.search, {word}) > 0",
		"b.item_id in (select i.id from item i where i.company = :company and instr(i.search, {word}) > 0)")
	found, err := record.ListOf(tx, q, p, bomRow.Scan)
	if err != nil {
		return found, err
	}
	return found, readBOMLines(tx, found.Items)
}

// usedIn names an item whose bill of materials has the item as a component, or the item itself where it has one; "" for
// none.
func usedIn(tx *db.Tx, itemID string) (item string, err error) {
	_, err = tx.One(`-- production.usedIn
		select item from (select item, item_key from bom where company = :company and item_id = :item
			union all select b.item, b.item_key from bom_line l join bom b on b.company = l.company and b.id = l.bom_id
			where l.company = :company and l.item_id = :item) as used order by item_key limit 1`,
		db.Args{"item": itemID}, &item)
	return item, err
}
