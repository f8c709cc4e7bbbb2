package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// itemWarehouses is the part of the Inventory group that says how items are replenished.
func itemWarehouses() []rest.Op {
	settings := []fault.Code{catalog.ErrNotFound, reference.ErrWarehouseNotFound, stock.ErrReorderQuantity,
		stock.ErrMaxQuantity, stock.ErrRange, stock.ErrTransferFrom, catalog.ErrTooManyDecimals, limit.ErrQuantity}
	return []rest.Op{
		rest.List("listItemWarehouses", "/item-warehouses",
			"How items are replenished per warehouse, by item and warehouse, where anything was set.",
			rest.Lists[listItemWarehousesIn](shownItemWarehouse, stock.ListItemWarehouses)).Cached(),
		rest.Batch("batchUpsertItemWarehouses", "/item-warehouses/batch",
			"Creates or replaces up to 200 rows, each for itself: what a row does not name is the usual.",
			batchItemWarehouses).
			Raises(settings...).Raises(stock.ErrItemWarehouseDuplicate).
			Example(
				`{"itemWarehouses": [{"itemNumber": "A-100", "warehouseCode": "MAIN", "lotSizing": "FillToMax", "minQuantity": "10", "maxQuantity": "50"}]}`),
		rest.Get("getItemWarehouse", "/item-warehouses/{itemNumber}/{warehouseCode}",
			"How one item is replenished in one warehouse: the usual, where nothing was set.",
			rest.OfPart[rest.Part](shownItemWarehouse, stock.FindItemWarehouse)).
			Extension().Cached().Raises(catalog.ErrNotFound, reference.ErrWarehouseNotFound),
		rest.Patch("updateItemWarehouse", "/item-warehouses/{itemNumber}/{warehouseCode}",
			"Changes how one item is replenished in one warehouse.",
			rest.EditsPart[rest.Part, itemWarehouseFields](shownItemWarehouse, stock.ChangeItemWarehouse)).
			Extension().Example(`{"safetyStock": "5"}`).
			Raises(settings...),
	}
}

// itemWarehouseFields are what may be written of a row.
type itemWarehouseFields struct {
	IsActive                  bool                   `json:"isActive" default:"true" doc:"Planning leaves inactive rows out."`
	Importance                stock.Importance       `json:"importance" default:"Standard"`
	ReplenishmentType         *catalog.Replenishment `json:"replenishmentType" of:"Replenishment" doc:"Null: the item's."`
	SupplyPolicy              stock.SupplyPolicy     `json:"supplyPolicy" default:"ToStock"`
	LotSizing                 stock.LotSizing        `json:"lotSizing" default:"LotForLot" doc:"FixedReorderQuantity needs reorderQuantity, FillToMax maxQuantity."`
	MinQuantity               *dec.Dec               `json:"minQuantity" min:"0" doc:"The reorder point."`
	MaxQuantity               *dec.Dec               `json:"maxQuantity" min:"0"`
	ReorderQuantity           *dec.Dec               `json:"reorderQuantity" min:"0"`
	SafetyStock               *dec.Dec               `json:"safetyStock" min:"0" doc:"Set by hand; null: the calculated one."`
	ServiceLevelOverride      *dec.Dec               `json:"serviceLevelOverride" of:"ServiceLevel" doc:"A share between 0 and 1."`
	LeadTimeDays              *int                   `json:"leadTimeDays" min:"0" max:"3650"`
	TransferFromWarehouseCode rest.Text              `json:"transferFromWarehouseCode" of:"TransferFrom" doc:"Where a transfer comes from."`
	TransferLeadTimeDays      *int                   `json:"transferLeadTimeDays" of:"TransferDays" min:"0" max:"3650" doc:"Null: the warehouse's transport days."`
}

// ItemWarehouse is how an item is replenished in a warehouse, on the wire.
type ItemWarehouse struct {
	rest.WideTag
	ItemNumber    string `json:"itemNumber" of:"Item"`
	ItemName      string `json:"itemName"`
	WarehouseCode string `json:"warehouseCode" of:"Warehouse"`
	WarehouseName string `json:"warehouseName" of:"-"`
	itemWarehouseFields
	CalculatedSafetyStock *dec.Dec   `json:"calculatedSafetyStock" doc:"By planning."`
	CreatedAt             rest.Time  `json:"createdDate" doc:"Null where nothing was set."`
	ModifiedAt            rest.Time  `json:"modifiedDate"`
	Links                 rest.Links `json:"links" of:"Item,Warehouse" self:"/preview/item-warehouses/"`
}

var (
	itemWarehousesFields = rest.Alike[itemWarehouseFields, stock.ItemWarehouse]()
	itemWarehouseShown   = rest.Shown[ItemWarehouse, stock.ItemWarehouse]()
)

func itemWarehouseOf(book *reference.Book, w stock.ItemWarehouse) ItemWarehouse {
	warehouse, _ := book.Warehouse(w.Warehouse)
	out := itemWarehouseShown(w)
	out.WarehouseName = warehouse.Name
	return out
}

type listItemWarehousesIn struct {
	rest.Paging
	ItemNumber    string `query:"itemNumber" of:"Item"`
	WarehouseCode string `query:"warehouseCode" of:"Warehouse"`
	IsActive      *bool  `query:"isActive"`
}

var shownItemWarehouse = byBook(itemWarehouseOf)

type batchUpsertItemWarehousesRequest struct {
	ItemWarehouses []itemWarehouseRow `json:"itemWarehouses" req:"true" minItems:"1" maxItems:"200"`
}

// itemWarehouseRow is a row of a batch. It replaces what was set.
type itemWarehouseRow struct {
	ItemNumber    string `json:"itemNumber" req:"true"`
	WarehouseCode string `json:"warehouseCode" req:"true"`
	itemWarehouseFields
}

// BatchItemWarehouses is the answer to a batch of rows.
type BatchItemWarehouses struct {
	tally
	Results []BatchItemWarehouseResult `json:"results"`
}

// BatchItemWarehouseResult is what became of a row.
type BatchItemWarehouseResult struct {
	Index         int       `json:"index"`
	ItemNumber    string    `json:"itemNumber"`
	WarehouseCode string    `json:"warehouseCode"`
	Outcome       string    `json:"outcome" doc:"created, updated or failed."`
	Error         *RowError `json:"error"`
}

func batchItemWarehouses(tx *db.Tx, in rest.Sent[batchUpsertItemWarehousesRequest]) (BatchItemWarehouses, error) {
	rows := in.Body.ItemWarehouses
	drafts := make([]stock.ItemWarehouseDraft, len(rows))
	for n, r := range rows {
		drafts[n] = stock.ItemWarehouseDraft{Item: r.ItemNumber, Warehouse: r.WarehouseCode, Replace: true,
			Edit: func(w *stock.ItemWarehouse) error {
				itemWarehousesFields.Onto(r.itemWarehouseFields, w)
				return nil
			}}
	}
	saved, err := stock.SaveItemWarehouses(tx, drafts)
	out := BatchItemWarehouses{Results: make([]BatchItemWarehouseResult, len(saved))}
	for n, s := range saved {
		out.Results[n] = BatchItemWarehouseResult{n, rows[n].ItemNumber, rows[n].WarehouseCode,
			out.outcome(s.Err, s.Created, "updated"), rowError(s.Err)}
	}
	return out, err
}
