package preview

import (
	"strings"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// Inventory is stock on hand, the stock ledger, adjustments, relocations and physical counts, and how items are
// replenished.
func Inventory() rest.Group {
	ops := []rest.Op{
		rest.List("listInventoryAvailability", "/inventory/availability",
			"What is on hand, allocated and available of many items, by item and warehouse.", listAvailability).
			Raises(errTooManyItems).Cached(),
		rest.List("listStock", "/inventory/stock",
			"Stock on hand by location, batch and serial number; with modifiedSince also what has become empty.",
			rest.Lists[listStockIn](byDigits(stockRowOf), stock.ListRows)).
			Cached(),
		rest.List("listInventoryTransactions", "/inventory/transactions", "The stock ledger, newest entry first.",
			rest.Lists[listTransactionsIn](shownTransaction, stock.ListEntries)).
			Cached(),
		rest.Get("getInventoryTransaction", "/inventory/transactions/{transactionId}", "One entry of the stock ledger.",
			shownTransaction.ByID(stock.FindEntry)).
			Raises(stock.ErrNotFound).CachedOne(stock.Transactions),
		rest.Create("createInventoryAdjustment", "/inventory/adjustments",
			"Adds or takes away a quantity at a location, at the present average cost.",
			rest.Creates[newAdjustment](shownTransaction, stock.Adjust)).
			Raises(catalog.ErrNotFound, reference.ErrWarehouseNotFound, stock.ErrLocation, stock.ErrBatchNotFound,
				stock.ErrKind, stock.ErrQuantity, stock.ErrNotStocked, stock.ErrClosed, stock.ErrBatchRequired,
				stock.ErrSerialRequired, stock.ErrSerialQuantity, stock.ErrNotTracked, catalog.ErrTooManyDecimals,
				stock.ErrInsufficient, stock.ErrNoStock, stock.ErrSerialInStock, limit.ErrQuantity, limit.ErrAmount).
			Example(
				`{"warehouseCode": "MAIN", "locationCode": "A-01", "itemNumber": "A-100", "quantity": "10", "notes": "Found behind the shelf"}`),
		rest.Create("createInventoryRelocation", "/inventory/relocations",
			"Moves goods from one location of a warehouse to another.",
			rest.Creates[newRelocation](shownTransaction, stock.Relocate)).
			Raises(catalog.ErrNotFound, reference.ErrWarehouseNotFound, stock.ErrLocation, stock.ErrBatchNotFound,
				stock.ErrQuantity, stock.ErrNotStocked, stock.ErrClosed, stock.ErrSameLocation, stock.ErrBatchRequired,
				stock.ErrSerialRequired, stock.ErrSerialQuantity, stock.ErrNotTracked, catalog.ErrTooManyDecimals,
				stock.ErrInsufficient, stock.ErrNoStock, limit.ErrQuantity).
			Example(
				`{"warehouseCode": "MAIN", "itemNumber": "A-100", "fromLocationCode": "A-01", "toLocationCode": "A-02", "quantity": "4"}`),
	}
	ops = append(ops, inventoryCounts()...)
	ops = append(ops, itemWarehouses()...)
	ops = append(ops, planningOps()...)
	return rest.Group{Tag: "Inventory", Scope: "inventory", Ops: ops,
		Doc: "Stock on hand, the stock ledger, adjustments, relocations and physical counts, and how items are replenished."}
}

// itemAvailability is the part of the Items group that stock answers.
func itemAvailability() []rest.Op {
	return []rest.Op{
		rest.Get("getItemAvailability", "/items/{itemNumber}/availability",
			"What is on hand, allocated and available of one item, by warehouse.",
			shownAvailability.Of(stock.AvailabilityOf)).
			Raises(catalog.ErrNotFound).Cached(),
	}
}

var errTooManyItems = fault.New(fault.Invalid, "Inventory.TooManyItems")

// maxItems is how many itemNumbers one request may name.
const maxItems = 200

// ItemAvailability is an item with what the active warehouses have of it.
type ItemAvailability struct {
	ItemNumber             string                  `json:"itemNumber"`
	TotalQuantityOnHand    dec.Dec                 `json:"totalQuantityOnHand"`
	TotalAllocatedQuantity dec.Dec                 `json:"totalAllocatedQuantity"`
	TotalAvailableQuantity dec.Dec                 `json:"totalAvailableQuantity" doc:"On hand minus allocated."`
	Warehouses             []WarehouseAvailability `json:"warehouses"`
}

// WarehouseAvailability is what one warehouse has of an item.
type WarehouseAvailability struct {
	WarehouseCode     string                `json:"warehouseCode"`
	WarehouseName     string                `json:"warehouseName"`
	QuantityOnHand    dec.Dec               `json:"quantityOnHand"`
	AllocatedQuantity dec.Dec               `json:"allocatedQuantity"`
	AvailableQuantity dec.Dec               `json:"availableQuantity" doc:"On hand minus allocated."`
	ReplenishmentType catalog.Replenishment `json:"replenishmentType" doc:"In this warehouse: as set there (item-warehouses), else the item's."`
	TrackingType      catalog.TrackingType  `json:"trackingType"`
	RequiresSerial    bool                  `json:"requiresSerial"`
	RequiresBatch     bool                  `json:"requiresBatch"`
}

func availabilityOf(book *reference.Book, a stock.Availability) ItemAvailability {
	out := ItemAvailability{ItemNumber: a.Item, Warehouses: make([]WarehouseAvailability, len(a.Holdings))}
	for i, h := range a.Holdings {
		w, _ := book.Warehouse(h.Warehouse)
		out.Warehouses[i] = WarehouseAvailability{WarehouseCode: h.Warehouse, WarehouseName: w.Name,
			QuantityOnHand: h.OnHand, AllocatedQuantity: h.Allocated, AvailableQuantity: h.Available(),
			ReplenishmentType: h.Replenishment, TrackingType: a.Tracking, RequiresSerial: a.Tracking.Serials(),
			RequiresBatch: a.Tracking.Batches()}
		out.TotalQuantityOnHand = out.TotalQuantityOnHand.Add(h.OnHand)
		out.TotalAllocatedQuantity = out.TotalAllocatedQuantity.Add(h.Allocated)
	}
	out.TotalAvailableQuantity = out.TotalQuantityOnHand.Sub(out.TotalAllocatedQuantity)
	return out
}

var shownAvailability = byBook(availabilityOf)

type listAvailabilityIn struct {
	rest.Paging
	ItemNumbers   []string `query:"itemNumbers" max:"20000" doc:"At most 200, separated by commas; repeating the parameter adds to them."`
	WarehouseCode string   `query:"warehouseCode" doc:"Only this warehouse; the totals then cover it alone."`
}

func listAvailability(tx *db.Tx, in listAvailabilityIn) (rest.Paged[ItemAvailability], error) {
	f := stock.AvailabilityFilter{Warehouse: in.WarehouseCode}
	for _, list := range in.ItemNumbers {
		for number := range strings.SplitSeq(list, ",") {
			if number = strings.TrimSpace(number); number != "" {
				f.Items = append(f.Items, number)
			}
		}
	}
	switch {
	case len(f.Items) > maxItems:
		return rest.Paged[ItemAvailability]{},
			errTooManyItems.At("itemNumbers", "%d item numbers are too many: ask for at most %d at a time",
				len(f.Items), maxItems)
	case len(in.ItemNumbers) > 0 && len(f.Items) == 0:
		return rest.Paged[ItemAvailability]{},
			fault.ErrInvalid.At("itemNumbers",
				"names no item: give item numbers separated by commas, or leave the parameter out")
	}
	found, err := stock.ListAvailability(tx, f, in.Record())
	return shownAvailability.Page(tx, in.Paging, found, err)
}

// StockRow is what lies at one location, of one batch, under one serial number.
type StockRow struct {
	ItemNumber        string    `json:"itemNumber" of:"Item"`
	WarehouseCode     string    `json:"warehouseCode" of:"Warehouse"`
	LocationCode      string    `json:"locationCode" of:"Location"`
	QuantityOnHand    dec.Dec   `json:"quantityOnHand" of:"OnHand"`
	AllocatedQuantity dec.Dec   `json:"allocatedQuantity" of:"Allocated" doc:"This place's share of what is allocated in the warehouse: goods are promised from the places they are taken from first."`
	AverageCost       dec.Fixed `json:"averageCost" of:"Average" doc:"Of the item in the warehouse, in the company's base currency."`
	BatchNumber       rest.Text `json:"batchNumber" of:"Batch"`
	SerialNumber      rest.Text `json:"serialNumber" of:"Serial"`
	ExpiryDate        rest.Date `json:"expiryDate" of:"Expiry"`
	CreatedAt         db.Time   `json:"createdDate"`
	ModifiedAt        rest.Time `json:"modifiedDate" of:"-"`
}

type listStockIn struct {
	rest.Paging
	ItemNumber    string `query:"itemNumber" of:"Item"`
	WarehouseCode string `query:"warehouseCode" of:"Warehouse"`
	LocationCode  string `query:"locationCode" of:"Location"`
	BatchNumber   string `query:"batchNumber" of:"Batch"`
	SerialNumber  string `query:"serialNumber" of:"Serial"`
}

var stockRowIn = rest.ShownIn[StockRow, stock.Row]()

func stockRowOf(digits int, r stock.Row) StockRow {
	row := stockRowIn(digits, r)
	if r.ChangedAt > r.CreatedAt {
		row.ModifiedAt = rest.Time(r.ChangedAt)
	}
	return row
}

// InventoryTransaction is an entry of the stock ledger on the wire.
type InventoryTransaction struct {
	rest.Tag
	TransactionID      string     `json:"transactionId" of:"ID" format:"uuid" doc:"Stable: use it to deduplicate."`
	TransactionType    stock.Kind `json:"transactionType" of:"Kind"`
	TransactionDate    db.Time    `json:"transactionDate" of:"At"`
	WarehouseCode      string     `json:"warehouseCode" of:"Warehouse"`
	LocationCode       string     `json:"locationCode" of:"Location"`
	TargetLocationCode rest.Text  `json:"targetLocationCode" of:"TargetLocation" doc:"Of a Transfer within the warehouse only."`
	ItemNumber         string     `json:"itemNumber" of:"Item"`
	Quantity           dec.Dec    `json:"quantity" doc:"Signed; a Transfer within the warehouse moves it from locationCode to targetLocationCode."`
	BalanceAfter       dec.Dec    `json:"balanceAfter" doc:"What lies at locationCode afterwards, of this batch and serial number."`
	UnitCost           *dec.Fixed `json:"unitCost" doc:"In the company's base currency."`
	AverageCostAfter   dec.Fixed  `json:"averageCostAfter" of:"AverageAfter" doc:"Of the item in the warehouse."`
	BatchNumber        rest.Text  `json:"batchNumber" of:"Batch"`
	SerialNumber       rest.Text  `json:"serialNumber" of:"Serial"`
	ReferenceType      rest.Text  `json:"referenceType" of:"RefType" doc:"The kind of document that caused the entry."`
	ReferenceID        rest.Text  `json:"referenceId" of:"RefID"`
	Notes              rest.Text  `json:"notes"`
	CreatedAt          db.Time    `json:"createdDate"`
	ModifiedAt         rest.Time  `json:"modifiedDate" doc:"Always null: the ledger is append-only."`
	Links              rest.Links `json:"links" of:"ID" self:"/preview/inventory/transactions/"`
}

var shownTransaction = byDigits(rest.ShownIn[InventoryTransaction, stock.Entry]())

type listTransactionsIn struct {
	rest.Paging
	ItemNumber      string     `query:"itemNumber" of:"Item"`
	WarehouseCode   string     `query:"warehouseCode" of:"Warehouse"`
	LocationCode    string     `query:"locationCode" of:"Location" doc:"Entries that took from or put into this location."`
	TransactionType stock.Kind `query:"transactionType" of:"Kind"`
	ReferenceType   string     `query:"referenceType" of:"RefType"`
	ReferenceID     string     `query:"referenceId" of:"RefID"`
	DateFrom        day.Date   `query:"dateFrom" of:"From" doc:"First day, in the company's time zone."`
	DateTo          day.Date   `query:"dateTo" of:"To" doc:"Last day, included."`
}

type newAdjustment struct {
	WarehouseCode   string     `json:"warehouseCode" of:"Warehouse" req:"true"`
	LocationCode    string     `json:"locationCode" of:"Location" req:"true"`
	ItemNumber      string     `json:"itemNumber" of:"Item" req:"true"`
	Quantity        dec.Dec    `json:"quantity" req:"true" doc:"What is added, or with a minus taken away; not zero."`
	TransactionType stock.Kind `json:"transactionType" of:"Kind" default:"Adjustment" doc:"Adjustment, or Scrap with a quantity below zero."`
	BatchNumber     rest.Text  `json:"batchNumber" of:"Batch" doc:"Of an item tracked by batch: an existing batch."`
	SerialNumber    rest.Text  `json:"serialNumber" of:"Serial" doc:"Of an item tracked by serial number; the quantity is then 1 or -1."`
	Notes           rest.Text  `json:"notes" text:"note"`
}

type newRelocation struct {
	WarehouseCode    string    `json:"warehouseCode" of:"Warehouse" req:"true"`
	ItemNumber       string    `json:"itemNumber" of:"Item" req:"true"`
	FromLocationCode string    `json:"fromLocationCode" of:"From" req:"true"`
	ToLocationCode   string    `json:"toLocationCode" of:"To" req:"true"`
	Quantity         dec.Dec   `json:"quantity" req:"true" gt:"0"`
	BatchNumber      rest.Text `json:"batchNumber" of:"Batch"`
	SerialNumber     rest.Text `json:"serialNumber" of:"Serial"`
	Notes            rest.Text `json:"notes" text:"note"`
}
