package pricing

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const lineFields = record.RootColumns + `, item_number, min_quantity, max_quantity, valid_from, valid_to, strategy, unit_price, percentage,
	fixed_amount, calculated_at`

const lineColumns = lineFields + ", list_id, item_id, item_key"

var lineRow = db.Map[Line](lineFields)

func (l *Line) columns() []any { return append(lineRow.Of(l), &l.listID, &l.itemID, &l.itemKey) }

func scanLine(r db.Row, l *Line) error { return r.Scan(l.columns()...) }

// PageOfLines reads a page of a list's lines by item, minQuantity and validFrom, and the list's head. Refusal:
// PriceList.NotFound.
func PageOfLines(tx *db.Tx, listCode string, f LineFilter, p record.Page) (List, record.Found[Line], error) {
	list, err := lists.Find(tx, listCode)
	if err != nil {
		return list, record.Found[Line]{}, err
	}
	q := record.Query{Name: "pricing.PageOfLines", Select: lineColumns,
		From: "price_list_line", Key: []string{"item_key", "min_quantity", "valid_from"},
		Stamp: "changed_at"}
	q.Where("list_id = :list", db.Args{"list": list.ID})
	q.Given("item_key = :item", record.Fold(f.Item))
	q.Given("valid_from <= :on and (valid_to = '' or valid_to >= :on)", f.ValidOn)
	found, err := record.ListOf(tx, q, p, scanLine)
	if err != nil {
		return list, found, err
	}
	for i := range found.Items {
		found.Items[i].ListCode = list.Code
	}
	return list, found, nameItems(tx, found.Items)
}

// itemLines are a list's lines of an item by their keys; locking is db.ForUpdate to lock them until the commit.
func itemLines(tx *db.Tx, list List, itemNumber, locking string) ([]Line, error) {
	return db.Rows(tx, `-- pricing.itemLines
		select `+lineColumns+` from price_list_line
		where company = :company and list_id = :list and item_key = :item order by min_quantity, valid_from`+locking,
		db.Args{"list": list.ID, "item": record.Fold(itemNumber)}, func(r db.Row, l *Line) error {
			l.ListCode = list.Code
			return scanLine(r, l)
		})
}

// lockLines are a list's lines of many items, by their keys.
func lockLines(tx *db.Tx, list List, itemKeys []string) (map[string]Line, error) {
	if len(itemKeys) == 0 {
		return map[string]Line{}, nil
	}
	return db.ByKey(tx, `-- pricing.lockLines
		select `+lineColumns+` from price_list_line
		where company = :company and list_id = :list and item_key in (:items) order by item_key, min_quantity, valid_from for update`,
		db.Args{"list": list.ID, "items": itemKeys}, func(r db.Row, key *string, l *Line) error {
			l.ListCode = list.Code
			err := scanLine(r, l)
			*key = l.key()
			return err
		})
}

// linesOfItem are all lines of an item, locked. Here and below the order is one that an index serves: by id, SQLite
// would walk every line of the company.
func linesOfItem(tx *db.Tx, itemID string) ([]Line, error) {
	return everyLine(tx, `-- pricing.linesOfItem
		select `+everyColumns+` from price_list_line
		where company = :company and item_id = :item order by item_id, list_id, min_quantity, valid_from for update`,
		db.Args{"item": itemID})
}

// calculatedLines are the lines of items that are not fixed, in all lists, locked.
func calculatedLines(tx *db.Tx, itemIDs []string) ([]Line, error) {
	return everyLine(tx, `-- pricing.calculatedLines
		select `+everyColumns+` from price_list_line
		where company = :company and item_id in (:items) and strategy <> 'Fixed' order by item_id, list_id,
		min_quantity, valid_from for update`,
		db.Args{"items": itemIDs})
}

// Calculates reports whether the company has a line whose price is calculated.
func Calculates(tx *db.Tx) (any bool, err error) {
	return tx.One(`-- pricing.Calculates
		select 1 from price_list_line where company = :company and strategy <> 'Fixed' limit 1`, nil, new(int))
}

// calculatedItems are the next items that have a calculated line.
func calculatedItems(tx *db.Tx, after string) (itemIDs []string, err error) {
	return db.Column[string](tx, `-- pricing.calculatedItems
		select distinct item_id from price_list_line where company = :company and strategy <> 'Fixed'
		and item_id > :after order by item_id limit :some`, db.Args{"after": after, "some": itemsAtOnce})
}

// everyColumns are a line's, and its list's code: by a subquery, since a join would lock the lists too.
const everyColumns = lineColumns + `,
	(select p.code from price_list p where p.company = :company and p.id = price_list_line.list_id)`

func everyLine(tx *db.Tx, query string, a db.Args) (lines []Line, err error) {
	return db.Rows(tx, query, a, func(r db.Row, l *Line) error {
		return r.Scan(append(l.columns(), &l.ListCode)...)
	})
}

func insertLines(tx *db.Tx, writes []write) error {
	return tx.Insert("price_list_line", lineColumns, len(writes), func(i int) []any { return writes[i].line.columns() })
}

func deleteLines(tx *db.Tx, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	return tx.Delete(db.Args{"id": ids}, "price_list_line")
}
