package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
)

// inventoryCounts is the part of the Inventory group that counts what lies in a warehouse.
func inventoryCounts() []rest.Op {
	return []rest.Op{
		rest.List("listInventoryCounts", "/inventory/counts", "Physical counts by number, without their lines.",
			rest.Lists[listCountsIn](rest.Shows(countHead), spelling(
				func(f *stock.CountFilter) []*string { return []*string{&f.Warehouse} }, stock.ListCounts))).Cached(),
		rest.Create("createInventoryCount", "/inventory/counts",
			"Starts a physical count with a line for each stock row of a warehouse, or of some of its locations and items. A row is counted by one open count at a time.",
			rest.Creates[newCount](shownCount, stock.CreateCount)).
			Raises(reference.ErrWarehouseNotFound, stock.ErrLocation, catalog.ErrNotFound, stock.ErrNotStocked,
				stock.ErrCountAlreadyOpen).
			Example(`{"warehouseCode": "MAIN", "locationCodes": ["A-01"], "isBlind": true}`),
		rest.Get("getInventoryCount", "/inventory/counts/{countNumber}", "One count with its lines.",
			shownCount.Of(stock.FindCount)).
			Raises(stock.ErrCountNotFound).CachedOne(stock.Counts),
		rest.Patch("recordInventoryCount", "/inventory/counts/{countNumber}/lines",
			"Records counted quantities, row by row. Each is compared with what is on hand at that moment; goods may move before and after. An item and place that is not listed adds a line.",
			recordCount).
			Raises(stock.ErrCountNotFound, stock.ErrCountStatus, stock.ErrCountAlreadyOpen, stock.ErrCountLineNotFound,
				stock.ErrLocation, catalog.ErrNotFound, stock.ErrBatchNotFound, stock.ErrNotStocked,
				stock.ErrBatchRequired, stock.ErrSerialRequired, stock.ErrSerialQuantity, stock.ErrNotTracked,
				stock.ErrQuantity, catalog.ErrTooManyDecimals, limit.ErrQuantity).
			Example(
				`{"lines": [{"lineNumber": 1, "countedQuantity": "12"}, {"itemNumber": "A-100", "locationCode": "A-02", "countedQuantity": "3"}]}`),
		rest.Do("postInventoryCount", "/inventory/counts/{countNumber}/post",
			"Books counted minus what was on hand when the line was recorded, once, as Adjustment entries at the average cost. Lines not counted stay as they are.",
			shownCount.Of(stock.PostCount)).
			Raises(stock.ErrCountNotFound, stock.ErrCountStatus, stock.ErrInsufficient, stock.ErrSerialInStock,
				limit.ErrQuantity, limit.ErrAmount),
		rest.Do("cancelInventoryCount", "/inventory/counts/{countNumber}/cancel",
			"Cancels a count that was not posted; its rows may be counted by another.",
			shownCount.Of(stock.CancelCount)).
			Raises(stock.ErrCountNotFound, stock.ErrCountStatus).Extension(),
	}
}

// InventoryCount is the head of a physical count.
type InventoryCount struct {
	CountNumber      string            `json:"countNumber" of:"Number"`
	Status           stock.CountStatus `json:"status"`
	WarehouseCode    string            `json:"warehouseCode" of:"Warehouse"`
	LocationCodes    []string          `json:"locationCodes" of:"Locations" doc:"What was asked for; empty: all locations."`
	ItemNumbers      []string          `json:"itemNumbers" of:"Items" doc:"What was asked for; empty: all items."`
	IsBlind          bool              `json:"isBlind" doc:"While the count is open nobody is shown what is expected."`
	LineCount        int               `json:"lineCount"`
	CountedLineCount int               `json:"countedLineCount" of:"Recorded"`
	PostedDate       rest.Time         `json:"postedDate" of:"PostedAt" doc:"Null until posted."`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/inventory/counts/"`
}

// InventoryCountDetail is a physical count with its lines.
type InventoryCountDetail struct {
	rest.Tag
	InventoryCount
	Lines []InventoryCountLine `json:"lines"`
}

// InventoryCountLine is one stock row of a count.
type InventoryCountLine struct {
	LineNumber         int       `json:"lineNumber" of:"Number"`
	ItemNumber         string    `json:"itemNumber" of:"Item"`
	ItemName           rest.Text `json:"itemName"`
	LocationCode       string    `json:"locationCode" of:"Location"`
	BatchNumber        rest.Text `json:"batchNumber" of:"Batch"`
	SerialNumber       rest.Text `json:"serialNumber" of:"Serial"`
	ExpectedQuantity   *dec.Dec  `json:"expectedQuantity" of:"-" doc:"On hand when the count was started; once the line is recorded, on hand at that moment. Null while the count is blind and open."`
	CountedQuantity    *dec.Dec  `json:"countedQuantity" of:"Counted" doc:"Null until recorded."`
	DifferenceQuantity *dec.Dec  `json:"differenceQuantity" of:"-" doc:"Counted minus expected: what posting books. Null until recorded, and while the count is blind and open."`
	RecordedDate       rest.Time `json:"recordedDate" of:"RecordedAt"`
}

var (
	countHead   = rest.Shown[InventoryCount, stock.Count]()
	countDetail = rest.Shown[InventoryCountDetail, stock.Count]()
)

var shownCount = rest.Shows(countShown)

func countShown(c stock.Count) InventoryCountDetail {
	out := countDetail(c)
	if c.Hides() {
		return out
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if out.Lines[i].ExpectedQuantity = &l.Expected; l.Counted != nil {
			out.Lines[i].DifferenceQuantity = new(l.Difference())
		}
	}
	return out
}

type listCountsIn struct {
	rest.Paging
	Status        stock.CountStatus `query:"status"`
	WarehouseCode string            `query:"warehouseCode" of:"Warehouse"`
}

type newCount struct {
	WarehouseCode string   `json:"warehouseCode" of:"Warehouse" req:"true"`
	LocationCodes []string `json:"locationCodes" of:"Locations" minItems:"1" maxItems:"5000" doc:"Left out: all locations."`
	ItemNumbers   []string `json:"itemNumbers" of:"Items" minItems:"1" maxItems:"5000" doc:"Left out: all items."`
	IsBlind       bool     `json:"isBlind" doc:"Who counts is not shown what is expected."`
}

type countedLines struct {
	Lines []countedLine `json:"lines" req:"true" minItems:"1" maxItems:"5000" doc:"A row may be named once."`
}

type countedLine struct {
	LineNumber      *int      `json:"lineNumber" of:"Line" doc:"Names the line; left out: itemNumber and locationCode do."`
	ItemNumber      rest.Text `json:"itemNumber" of:"Item"`
	LocationCode    rest.Text `json:"locationCode" of:"Location"`
	BatchNumber     rest.Text `json:"batchNumber" of:"Batch" doc:"Of an item tracked by batch."`
	IsNewBatch      bool      `json:"isNewBatch" of:"NewBatch" doc:"The books need not know the batch: it is registered when the count is posted and there is some of it. Without it an unknown batch is refused."`
	SerialNumber    rest.Text `json:"serialNumber" of:"Serial" doc:"Of an item tracked by serial number."`
	CountedQuantity dec.Dec   `json:"countedQuantity" of:"Quantity" req:"true" doc:"Zero or more, in the item's base unit."`
}

var countedRows = rest.Written[[]countedLine, []stock.Counted]()

func recordCount(tx *db.Tx, in rest.With[rest.Key, rest.Merge[countedLines]]) (InventoryCountDetail, error) {
	var body countedLines
	if err := in.Body.Onto(&body); err != nil {
		return InventoryCountDetail{}, err
	}
	rows := countedRows(body.Lines)
	for i, l := range body.Lines {
		rows[i].Named = l.LineNumber != nil
	}
	c, err := stock.RecordCount(tx, in.At.Key, rows)
	return countShown(c), err
}
