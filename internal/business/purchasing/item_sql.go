package purchasing

import (
	"kontor/internal/business/catalog"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const itemFields = "their_number, their_name, unit_price, currency_code, min_order_quantity, order_multiple, " +
	"lead_time_days, valid_from, valid_to, " +
	"modified_at, changed_at"

const (
	itemFrom    = "supplier_item si join item i on i.company = si.company and i.id = si.item_id"
	itemColumns = "id, item_id, created_at, " + itemFields
)

var (
	itemRow    = db.Map[SupplierItem](itemColumns)
	itemSelect = itemRow.Select("si") + ", i.number, i.name, i.supplier_number"
)

// scanItem reads itemSelect. number is the supplier's.
func scanItem(r db.Row, i *SupplierItem, number string) error {
	var primary string
	err := r.Scan(i.into(&primary)...)
	i.IsPrimary = primary == number
	return err
}

func (i *SupplierItem) into(primary *string) []any {
	return append(itemRow.Of(i), &i.Item, &i.ItemName, primary)
}

// ItemFilter narrows a list of a supplier's items; its zero value takes all.
type ItemFilter struct {
	Search    string // the item's number and name, and the supplier's
	IsPrimary *bool
}

// ListItems are the items of a supplier by their numbers. Supplier.NotFound.
func ListItems(tx *db.Tx, supplierNumber string, f ItemFilter, p record.Page) (Supplier, record.Found[SupplierItem],
	error) {
	s, err := FindSupplier(tx, supplierNumber)
	if err != nil {
		return s, record.Found[SupplierItem]{}, err
	}
	q := record.Query{Name: "purchasing.ListItems", Select: itemSelect, From: itemFrom,
		Key: []string{"si.item_key"}, Stamp: "si.changed_at",
		Resources: []string{Suppliers.Name, catalog.Items.Name}}
	q.Where("si.supplier_id = :supplier", db.Args{"supplier": s.ID})
	q.SearchAny(f.Search, "instr(i.search, {word}) > 0", "instr(si.search, {word}) > 0")
	if f.IsPrimary != nil {
		is := "<>"
		if *f.IsPrimary {
			is = "="
		}
		q.Where("i.supplier_number "+is+" :number", db.Args{"number": s.Number})
	}
	found, err := record.ListOf(tx, q, p, func(r db.Row, i *SupplierItem) error { return scanItem(r, i, s.Number) })
	return s, found, err
}

// Source is a supplier of an item, with what it charges.
type Source struct {
	Supplier Supplier
	SupplierItem
}

// ListSources are the suppliers of an item by their numbers. Item.NotFound.
func ListSources(tx *db.Tx, itemNumber string, p record.Page) (record.Found[Source], error) {
	item, err := catalog.Find(tx, itemNumber)
	if err != nil {
		return record.Found[Source]{}, err
	}
	q := record.Query{Name: "purchasing.ListSources", Select: itemSelect +
		", s.id, s.number, s.name, s.is_active, s.currency_code, s.lead_time_days",
		From: itemFrom + " join supplier s on s.company = si.company and s.id = si.supplier_id",
		Key:  []string{"s.number_key"}, Stamp: "si.changed_at"}
	q.Where("si.item_id = :item", db.Args{"item": item.ID})
	return record.ListOf(tx, q, p, func(r db.Row, s *Source) error {
		var primary string
		err := r.Scan(append(s.into(&primary), &s.Supplier.ID, &s.Supplier.Number, &s.Supplier.Name,
			&s.Supplier.IsActive, &s.Supplier.CurrencyCode, &s.Supplier.LeadTimeDays)...)
		s.IsPrimary = primary == s.Supplier.Number
		return err
	})
}

// OffersOf are the rows of a supplier for items, by the ids of the items; what it does not supply is absent.
func OffersOf(tx *db.Tx, s Supplier, itemIDs []string) (map[string]SupplierItem, error) {
	out := make(map[string]SupplierItem, len(itemIDs))
	if len(itemIDs) == 0 {
		return out, nil
	}
	return db.ByKey(tx, `-- purchasing.OffersOf
		select `+itemSelect+` from `+itemFrom+
		` where si.company = :company and si.supplier_id = :supplier and si.item_id in (:items)`,
		db.Args{"supplier": s.ID, "items": itemIDs}, func(r db.Row, id *string, i *SupplierItem) error {
			err := scanItem(r, i, s.Number)
			*id = i.ItemID
			return err
		})
}

// suppliersOf are the numbers of those who supply an item.
func suppliersOf(tx *db.Tx, itemID string) ([]string, error) {
	return db.Column[string](tx, `-- purchasing.suppliersOf
		select s.number from supplier_item si join supplier s on s.company = si.company and s.id = si.supplier_id
		where si.company = :company and si.item_id = :item order by s.id`, db.Args{"item": itemID})
}

const itemWritten = itemColumns + ", supplier_id, item, item_key, search"

// row are the values of itemWritten.
func (i *SupplierItem) row(supplierID string) []any {
	return append(itemRow.Of(i), supplierID, i.Item, record.Fold(i.Item), record.SearchText(i.TheirNumber, i.TheirName))
}

// writeItems writes rows of a supplier, new or changed.
func writeItems(tx *db.Tx, supplierID string, rows []SupplierItem) error {
	return tx.Upsert("supplier_item", itemWritten, len(rows), func(n int) []any { return rows[n].row(supplierID) },
		db.Overwriting("id", itemFields+", search"))
}

// insertMissing makes a supplier supply items, those that it does already excepted; nothing is known of their prices.
func insertMissing(tx *db.Tx, s Supplier, at db.Time, items []catalog.Item) error {
	return tx.Upsert("supplier_item", itemWritten, len(items), func(n int) []any {
		i := SupplierItem{ID: record.NewID(), ItemID: items[n].ID, Item: items[n].Number, CreatedAt: at, ChangedAt: at}
		return i.row(s.ID)
	}, "on conflict (company, supplier_id, item_id) do nothing")
}

// stampItems marks rows of a supplier as changed, those excepted that have come at that very moment.
func stampItems(tx *db.Tx, supplierID string, at db.Time, itemIDs []string) error {
	return tx.Run(`-- purchasing.stampItems
		update supplier_item set modified_at = :stamp, changed_at = :stamp
		where company = :company and supplier_id = :supplier and item_id in (:items) and changed_at < :stamp`,
		db.Args{"supplier": supplierID, "items": itemIDs, "stamp": at})
}

func removeItems(tx *db.Tx, ids []string) error {
	return tx.Delete(db.Args{"id": ids}, "supplier_item")
}

// lastBought is how each item was ordered the last time, by item id; drafts and what was cancelled say nothing.
func lastBought(tx *db.Tx, itemIDs []string) (map[string]*Bought, error) {
	return db.ByKey(tx, `-- purchasing.lastBought
		select l.item_id, o.order_date, o.supplier_name, l.unit_price, o.currency
		from purchase_order_line l join purchase_order o on o.company = l.company and o.id = l.order_id
		where l.company = :company and l.item_id in (:items) and o.status not in ('Draft', 'Cancelled')
		order by o.order_date, l.order_id, l.line`, db.Args{"items": itemIDs},
		func(r db.Row, id *string, b **Bought) error {
			*b = &Bought{}
			return r.Scan(id, &(*b).On, &(*b).Supplier, &(*b).Price, &(*b).Currency)
		})
}
