package stock

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// ItemWarehouses are how items are replenished per warehouse.
var ItemWarehouses = record.Define("item-warehouses", "item_warehouse", "ItemWarehouse")

// What is refused of how an item is replenished.
var (
	ErrReorderQuantity        = fault.New(fault.Invalid, "ItemWarehouse.ReorderQuantityRequired")
	ErrMaxQuantity            = fault.New(fault.Invalid, "ItemWarehouse.MaxQuantityRequired")
	ErrRange                  = fault.New(fault.Invalid, "ItemWarehouse.RangeInvalid")
	ErrTransferFrom           = fault.New(fault.Invalid, "ItemWarehouse.InvalidTransfer")
	ErrItemWarehouseDuplicate = fault.New(fault.Invalid, "ItemWarehouse.DuplicateInBatch")
)

// maxLeadTime is the longest lead time that is taken, in days: ten years.
const maxLeadTime = 3650

// Importance says how much it matters that an item is in stock in a warehouse.
type Importance string

// The grades of importance.
const (
	Critical     Importance = "Critical"
	Standard     Importance = "Standard"
	Accessory    Importance = "Accessory"
	SpecialOrder Importance = "SpecialOrder"
)

// Values are the values of the type, in the order they are shown.
func (Importance) Values() []Importance {
	return []Importance{Critical, Standard, Accessory, SpecialOrder}
}

// SupplyPolicy says whether goods are kept ready or are got for an order.
type SupplyPolicy string

// The policies of supply.
const (
	ToStock SupplyPolicy = "ToStock"
	ToOrder SupplyPolicy = "ToOrder"
)

// Values are the values of the type, in the order they are shown.
func (SupplyPolicy) Values() []SupplyPolicy { return []SupplyPolicy{ToStock, ToOrder} }

// LotSizing says how much is replenished at once.
type LotSizing string

// The ways of sizing a lot.
const (
	LotForLot            LotSizing = "LotForLot"
	FixedReorderQuantity LotSizing = "FixedReorderQuantity"
	FillToMax            LotSizing = "FillToMax"
)

// Values are the values of the type, in the order they are shown.
func (LotSizing) Values() []LotSizing {
	return []LotSizing{LotForLot, FixedReorderQuantity, FillToMax}
}

// ItemWarehouse is how an item is replenished in a warehouse. Where nothing was set it is the usual, and has no root.
type ItemWarehouse struct {
	record.Root
	ItemID                string `log:"-"`
	Item                  string // number
	ItemName              string `log:"-"`
	Warehouse             string
	IsActive              bool
	Importance            Importance
	Replenishment         catalog.Replenishment // "" = the item's
	SupplyPolicy          SupplyPolicy
	LotSizing             LotSizing
	MinQuantity           *dec.Dec // the reorder point
	MaxQuantity           *dec.Dec
	ReorderQuantity       *dec.Dec
	SafetyStock           *dec.Dec // set by hand
	CalculatedSafetyStock *dec.Dec // by planning
	ServiceLevel          *dec.Dec // the share of lead times without a shortage, 0 to 1; nil = as Importance asks
	LeadTimeDays          *int
	TransferFrom          string // warehouse
	TransferDays          *int
}

// Key is how the change log names the row.
func (w ItemWarehouse) Key() string {
	return url.PathEscape(w.Item) + "/" + url.PathEscape(w.Warehouse)
}

// ETag is that of the row; where nothing was set it names the item and the warehouse.
func (w ItemWarehouse) ETag() string {
	if w.Version > 0 {
		return w.Root.ETag()
	}
	return fmt.Sprintf(`W/"%s-%s-0"`, w.ItemID, url.PathEscape(w.Warehouse))
}

// Safety is the safety stock that planning goes by: what was set by hand, else what was calculated, else nothing.
func (w ItemWarehouse) Safety() dec.Dec {
	switch {
	case w.SafetyStock != nil:
		return *w.SafetyStock
	case w.CalculatedSafetyStock != nil:
		return *w.CalculatedSafetyStock
	}
	return 0
}

// usual is what holds of an item in a warehouse where nothing was set.
func usual(item catalog.Item, warehouse string) ItemWarehouse {
	return ItemWarehouse{ItemID: item.ID, Item: item.Number, ItemName: item.Name, Warehouse: warehouse,
		IsActive: true, Importance: Standard, SupplyPolicy: ToStock, LotSizing: LotForLot}
}

// FindItemWarehouse is how an item is replenished in a warehouse. Item.NotFound, Warehouse.NotFound.
func FindItemWarehouse(tx *db.Tx, itemNumber, warehouse string) (ItemWarehouse, error) {
	item, err := catalog.Find(tx, itemNumber)
	if err != nil {
		return ItemWarehouse{}, err
	}
	return findSetting(tx, item, warehouse)
}

func findSetting(tx *db.Tx, item catalog.Item, warehouse string) (ItemWarehouse, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return ItemWarehouse{}, err
	}
	w, ok := book.Warehouse(warehouse)
	if !ok {
		return ItemWarehouse{}, reference.ErrWarehouseNotFound.Because("there is no warehouse %q", warehouse)
	}
	found, err := settingsOf(tx, []string{item.ID})
	if s, ok := found[Key{item.ID, w.Code}]; ok {
		return s, err
	}
	return usual(item, w.Code), err
}

// ChangeItemWarehouse lays edit over how an item is replenished in a warehouse. Item.NotFound, Warehouse.NotFound and
// the refusals of a row of SaveItemWarehouses.
func ChangeItemWarehouse(tx *db.Tx, itemNumber, warehouse string, edit func(*ItemWarehouse) error) (ItemWarehouse,
	error) {
	item, err := catalog.Lock(tx, itemNumber)
	if err != nil {
		return ItemWarehouse{}, err
	}
	before, err := findSetting(tx, item, warehouse)
	if err != nil {
		return before, err
	}
	after := before
	if err := edit(&after); err != nil {
		return after, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return after, err
	}
	if err := after.check(book, &item); err != nil {
		return after, err
	}
	saved, err := writeSettings(tx, []setting{{before, after}})
	if err != nil {
		return after, err
	}
	return saved[0], nil
}

// ItemWarehouseOutcome is what became of a row. Err is its refusal; then nothing of it was written.
type ItemWarehouseOutcome struct {
	Row     ItemWarehouse
	Created bool
	Err     error
}

// ItemWarehouseDraft is a row to be written: Edit is laid over the present one, or over what is usual where it replaces
// it.
type ItemWarehouseDraft struct {
	Item, Warehouse string
	Replace         bool
	Edit            func(*ItemWarehouse) error
}

// SaveItemWarehouses writes many rows, each for itself: a refused one leaves the others alone. Row refusals:
// Item.NotFound, Warehouse.NotFound, ItemWarehouse.DuplicateInBatch, .ReorderQuantityRequired, .MaxQuantityRequired,
// .RangeInvalid, .InvalidTransfer and a fault naming every field that breaks a rule. The error is for what stops them
// all.
func SaveItemWarehouses(tx *db.Tx, drafts []ItemWarehouseDraft) ([]ItemWarehouseOutcome, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	numbers := each.Of(drafts, func(d ItemWarehouseDraft) string { return d.Item })
	items, err := catalog.LockMany(tx, numbers)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, i := range items {
		ids = append(ids, i.ID)
	}
	present, err := settingsOf(tx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]ItemWarehouseOutcome, len(drafts))
	first := map[Key]int{}
	var rows []setting
	var at []int
	for n, d := range drafts {
		row, err := laySetting(book, items, present, d)
		if err == nil {
			key := Key{row.after.ItemID, row.after.Warehouse}
			if m, twice := first[key]; twice {
				err = ErrItemWarehouseDuplicate.At("itemNumber",
					"%s stands in row %d already for this warehouse: name it once", d.Item, m)
			} else {
				first[key] = n
			}
		}
		if err != nil {
			if fault.As(err).Kind == fault.Internal {
				return nil, err
			}
			out[n].Err = err
			continue
		}
		out[n].Created = row.before.Version == 0
		rows, at = append(rows, row), append(at, n)
	}
	saved, err := writeSettings(tx, rows)
	for k, n := range at {
		if err == nil {
			out[n].Row = saved[k]
		}
	}
	return out, err
}

// setting is a row on its way: as it was, the usual included, and as it becomes.
type setting struct{ before, after ItemWarehouse }

func laySetting(book *reference.Book, items map[string]catalog.Item, present map[Key]ItemWarehouse,
	d ItemWarehouseDraft) (s setting, err error) {
	item, ok := items[record.Fold(d.Item)]
	if !ok {
		return s, catalog.ErrNotFound.At("itemNumber", "there is no item %s", d.Item)
	}
	w, ok := book.Warehouse(d.Warehouse)
	if !ok {
		return s, reference.ErrWarehouseNotFound.At("warehouseCode",
			"there is no warehouse %s: GET /preview/reference/warehouses lists them", d.Warehouse)
	}
	if s.before, ok = present[Key{item.ID, w.Code}]; !ok {
		s.before = usual(item, w.Code)
	}
	s.after = s.before
	if d.Replace {
		s.after = usual(item, w.Code)
		s.after.Root, s.after.CalculatedSafetyStock = s.before.Root, s.before.CalculatedSafetyStock
	}
	if err := d.Edit(&s.after); err != nil {
		return s, err
	}
	return s, s.after.check(book, &item)
}

// CalculatedSafety is what planning calculates as the safety stock of an item in a warehouse; nil is none.
type CalculatedSafety struct {
	Key
	Stock *dec.Dec
}

// SetCalculatedSafety writes what planning has calculated into the rows that are there.
func SetCalculatedSafety(tx *db.Tx, calculated []CalculatedSafety) error {
	present, err := settingsOf(tx, each.Of(calculated, func(c CalculatedSafety) string { return c.ItemID }))
	if err != nil {
		return err
	}
	var rows []setting
	for _, c := range calculated {
		if w, ok := present[c.Key]; ok {
			s := setting{before: w, after: w}
			s.after.CalculatedSafetyStock = c.Stock
			rows = append(rows, s)
		}
	}
	_, err = writeSettings(tx, rows)
	return err
}

// writeSettings writes and reports the rows that were not there or differ, and answers all of them as they stand.
func writeSettings(tx *db.Tx, rows []setting) ([]ItemWarehouse, error) {
	out := make([]ItemWarehouse, len(rows))
	var changed []*ItemWarehouse
	var reports []record.Change
	for n, r := range rows {
		out[n] = r.after
		row := &out[n]
		if r.before.Version == 0 {
			if err := tx.Match(r.before.ItemID, r.before.ETag()); err != nil {
				return nil, err
			}
			row.Root = record.New(tx)
			reports = append(reports, record.Change{Root: &row.Root, Key: row.Key(), Action: "created", After: *row})
			changed = append(changed, row)
			continue
		}
		detail := record.Diff(r.before, r.after)
		if len(detail) == 0 {
			if err := tx.Match(row.ID, row.ETag()); err != nil {
				return nil, err
			}
			continue
		}
		reports = append(reports, record.Change{Root: &row.Root, Key: row.Key(), Action: "changed", Detail: detail})
		changed = append(changed, row)
	}
	if err := upsertSettings(tx, changed); err != nil {
		if tx.Unique(err) {
			return nil, fault.ErrUnavailable.Because(
				"another request set one of these rows at this very moment; nothing was changed, send the same request again").
				After(1)
		}
		return nil, err
	}
	return out, ItemWarehouses.ReportMany(tx, reports)
}

// check holds a row against the rules of planning and writes its warehouse as the company spells it.
func (w *ItemWarehouse) check(book *reference.Book, item *catalog.Item) error {
	var wrong fault.List
	if err := w.checkQuantities(&wrong, item); err != nil {
		return err
	}
	if l := w.ServiceLevel; l != nil && (*l < 0 || *l > dec.One) {
		wrong.Add(ErrRange, "serviceLevelOverride", "must be between 0 and 1")
	}
	for _, d := range []struct {
		field string
		days  *int
	}{{"leadTimeDays", w.LeadTimeDays}, {"transferLeadTimeDays", w.TransferDays}} {
		wrong.If(d.days != nil && (*d.days < 0 || *d.days > maxLeadTime), fault.ErrInvalid, d.field,
			"must be between 0 and %d days", maxLeadTime)
	}
	if from, ok := book.Warehouse(w.TransferFrom); ok && from.Code == w.Warehouse {
		wrong.Add(ErrTransferFrom, "transferFromWarehouseCode", "a warehouse is not supplied from itself: name another")
	} else if ok {
		w.TransferFrom = from.Code
	} else if w.TransferFrom != "" {
		wrong.Add(reference.ErrWarehouseNotFound, "transferFromWarehouseCode",
			"there is no warehouse %s: GET /preview/reference/warehouses lists them", w.TransferFrom)
	}
	return wrong.Err()
}

// checkQuantities holds each quantity against the item, and them against each other.
func (w *ItemWarehouse) checkQuantities(wrong *fault.List, item *catalog.Item) error {
	for _, q := range []struct {
		field string
		value *dec.Dec
	}{{"minQuantity", w.MinQuantity}, {"maxQuantity", w.MaxQuantity}, {"reorderQuantity", w.ReorderQuantity},
		{"safetyStock", w.SafetyStock}} {
		if q.value == nil {
			continue
		}
		wrong.If(*q.value < 0, fault.ErrInvalid, q.field, "must not be negative")
		if err := wrong.AddError(catalog.CheckQuantityAt(q.field, item, *q.value)); err != nil {
			return err
		}
	}
	wrong.If(w.LotSizing == FixedReorderQuantity && (w.ReorderQuantity == nil || *w.ReorderQuantity == 0),
		ErrReorderQuantity, "reorderQuantity", "FixedReorderQuantity orders whole multiples of it: give one above 0")
	wrong.If(w.LotSizing == FillToMax && w.MaxQuantity == nil, ErrMaxQuantity, "maxQuantity",
		"FillToMax orders up to it: give one")
	wrong.If(w.MinQuantity != nil && w.MaxQuantity != nil && *w.MaxQuantity < *w.MinQuantity, ErrRange, "maxQuantity",
		"must not be below minQuantity")
	return nil
}

// forgetSettings removes how an item was replenished.
func forgetSettings(tx *db.Tx, itemID string) error {
	found, err := settingsOf(tx, []string{itemID})
	if err != nil || len(found) == 0 {
		return err
	}
	for _, s := range slices.SortedFunc(maps.Values(found),
		func(a, b ItemWarehouse) int { return strings.Compare(a.Warehouse, b.Warehouse) }) {
		if err := ItemWarehouses.Deleted(tx, s.Root, s.Key(), s); err != nil {
			return err
		}
	}
	return tx.Delete(db.Args{"item_id": itemID}, "item_warehouse")
}
