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
			listCounts).Cached(),
		rest.Create("createInventoryCount", "/inventory/counts",
			"Starts a physical count with a line for each stock row of a warehouse, or of some of its locations and items. A row is counted by one open count at a time.",
			createCount).
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
	CountNumber      string            `json:"countNumber"`
	Status           stock.CountStatus `json:"status"`
	WarehouseCode    string            `json:"warehouseCode"`
	LocationCodes    []string          `json:"locationCodes" doc:"What was asked for; empty: all locations."`
	ItemNumbers      []string          `json:"itemNumbers" doc:"What was asked for; empty: all items."`
	IsBlind          bool              `json:"isBlind" doc:"While the count is open nobody is shown what is expected."`
	LineCount        int               `json:"lineCount"`
	CountedLineCount int               `json:"countedLineCount"`
	PostedDate       rest.Time         `json:"postedDate" doc:"Null until posted."`
	CreatedDate      db.Time           `json:"createdDate"`
	ModifiedDate     rest.Time         `json:"modifiedDate"`
	Links            rest.Links        `json:"links"`
}

// InventoryCountDetail is a physical count with its lines.
type InventoryCountDetail struct {
	rest.Tag
	InventoryCount
	Lines []InventoryCountLine `json:"lines"`
}

// InventoryCountLine is one stock row of a count.
type InventoryCountLine struct {
	LineNumber         int       `json:"lineNumber"`
	ItemNumber         string    `json:"itemNumber"`
	ItemName           rest.Text `json:"itemName"`
	LocationCode       string    `json:"locationCode"`
	BatchNumber        rest.Text `json:"batchNumber"`
	SerialNumber       rest.Text `json:"serialNumber"`
	ExpectedQuantity   *dec.Dec  `json:"expectedQuantity" doc:"On hand when the count was started; once the line is recorded, on hand at that moment. Null while the count is blind and open."`
	CountedQuantity    *dec.Dec  `json:"countedQuantity" doc:"Null until recorded."`
	DifferenceQuantity *dec.Dec  `json:"differenceQuantity" doc:"Counted minus expected: what posting books. Null until recorded, and while the count is blind and open."`
	RecordedDate       rest.Time `json:"recordedDate"`
}

func countHead(c stock.Count) InventoryCount {
	return InventoryCount{CountNumber: c.Number, Status: c.Status, WarehouseCode: c.Warehouse,
		LocationCodes: notNull(c.Locations), ItemNumbers: notNull(c.Items), IsBlind: c.IsBlind, LineCount: c.LineCount,
		CountedLineCount: c.Recorded, PostedDate: rest.Time(c.PostedAt), CreatedDate: c.CreatedAt,
		ModifiedDate: rest.Time(c.ModifiedAt), Links: rest.Self("/preview/inventory/counts/",
			c.Number)}
}

func notNull(s []string) []string { return append([]string{}, s...) }

var shownCount = rest.Shows(countShown)

func countShown(c stock.Count) InventoryCountDetail {
	out := InventoryCountDetail{Tag: rest.Tag{Value: c.ETag()}, InventoryCount: countHead(c),
		Lines: make([]InventoryCountLine, len(c.Lines))}
	for i := range c.Lines {
		l := &c.Lines[i]
		line := InventoryCountLine{LineNumber: l.Number, ItemNumber: l.Item, ItemName: rest.Text(l.ItemName),
			LocationCode: l.Location, BatchNumber: rest.Text(l.Batch), SerialNumber: rest.Text(l.Serial),
			CountedQuantity: l.Counted, RecordedDate: rest.Time(l.RecordedAt)}
		if !c.Hides() {
			expected := l.Expected
			if line.ExpectedQuantity = &expected; l.Counted != nil {
				difference := l.Difference()
				line.DifferenceQuantity = &difference
			}
		}
		out.Lines[i] = line
	}
	return out
}

type listCountsIn struct {
	rest.Paging
	Status        stock.CountStatus `query:"status"`
	WarehouseCode string            `query:"warehouseCode"`
}

func listCounts(tx *db.Tx, in listCountsIn) (rest.Paged[InventoryCount], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return rest.Paged[InventoryCount]{}, err
	}
	f := stock.CountFilter{Status: in.Status, Warehouse: in.WarehouseCode}
	if w, ok := book.Warehouse(in.WarehouseCode); ok {
		f.Warehouse = w.Code
	}
	found, err := stock.ListCounts(tx, f, in.Record())
	return rest.PageOf(found, in.Paging, countHead), err
}

type newCount struct {
	WarehouseCode string   `json:"warehouseCode" req:"true"`
	LocationCodes []string `json:"locationCodes" maxItems:"5000" doc:"Left out: all locations."`
	ItemNumbers   []string `json:"itemNumbers" maxItems:"5000" doc:"Left out: all items."`
	IsBlind       bool     `json:"isBlind" doc:"Who counts is not shown what is expected."`
}

func createCount(tx *db.Tx, in rest.Sent[newCount]) (InventoryCountDetail, error) {
	b := in.Body
	c, err := stock.CreateCount(tx, stock.NewCount{Warehouse: b.WarehouseCode, Locations: b.LocationCodes,
		Items: b.ItemNumbers, IsBlind: b.IsBlind})
	return countShown(c), err
}

type countedLines struct {
	Lines []countedLine `json:"lines" req:"true" minItems:"1" maxItems:"5000" doc:"A row may be named once."`
}

type countedLine struct {
	LineNumber      *int      `json:"lineNumber" doc:"Names the line; left out: itemNumber and locationCode do."`
	ItemNumber      rest.Text `json:"itemNumber"`
	LocationCode    rest.Text `json:"locationCode"`
	BatchNumber     rest.Text `json:"batchNumber" doc:"Of an item tracked by batch."`
	SerialNumber    rest.Text `json:"serialNumber" doc:"Of an item tracked by serial number."`
	CountedQuantity dec.Dec   `json:"countedQuantity" req:"true" doc:"Zero or more, in the item's base unit."`
}

func recordCount(tx *db.Tx, in rest.With[rest.Key, rest.Merge[countedLines]]) (InventoryCountDetail, error) {
	var body countedLines
	if err := in.Body.Onto(&body); err != nil {
		return InventoryCountDetail{}, err
	}
	rows := make([]stock.Counted, len(body.Lines))
	for i, l := range body.Lines {
		quantity := l.CountedQuantity
		rows[i] = stock.Counted{Item: string(l.ItemNumber), Location: string(l.LocationCode),
			Batch: string(l.BatchNumber), Serial: string(l.SerialNumber), Quantity: &quantity}
		if l.LineNumber != nil {
			rows[i].Line, rows[i].Named = *l.LineNumber, true
		}
	}
	c, err := stock.RecordCount(tx, in.At.Key, rows)
	return countShown(c), err
}
