package stock

import (
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

// Counts is the resource of physical counts.
var Counts = record.Define("inventory-counts", "inventory_count", "InventoryCount", "inventory_count_line")

// What counts refuse.
var (
	ErrCountNotFound     = fault.New(fault.NotFound, "InventoryCount.NotFound")
	ErrCountStatus       = fault.New(fault.Conflict, "InventoryCount.InvalidStatus")
	ErrCountAlreadyOpen  = fault.New(fault.Conflict, "InventoryCount.AlreadyOpen")
	ErrCountLineNotFound = fault.New(fault.NotFound, "InventoryCountLine.NotFound")
)

// refCount is how the ledger names counts.
const refCount = "Count"

// maxCountLines bounds a count, so that it can be read and posted as a whole.
const maxCountLines = 50_000

// CountStatus is where a count stands.
type CountStatus string

// The statuses of a count.
const (
	CountOpen      CountStatus = "Open"
	CountPosted    CountStatus = "Posted"
	CountCancelled CountStatus = "Cancelled"
)

// Values are all statuses.
func (CountStatus) Values() []CountStatus {
	return []CountStatus{CountOpen, CountPosted, CountCancelled}
}

// CountMoves are the moves of a count.
var CountMoves = lifecycle.Moves[CountStatus]{
	"record": {From: []CountStatus{CountOpen}, Done: "counted"},
	"post":   {From: []CountStatus{CountOpen}, To: CountPosted, Done: "posted"},
	"cancel": {From: []CountStatus{CountOpen}, To: CountCancelled, Done: "cancelled"},
}

// Count is a physical count of stock rows of one warehouse. While it is open goods may move: a line is compared with
// what the books said at the moment it was recorded, so what moved before and after falsifies nothing.
type Count struct {
	record.Root
	Number    string
	Status    CountStatus
	Warehouse string
	Locations []string `db:",lines"` // what was asked for; none = all
	Items     []string `db:",lines"` // numbers, likewise
	IsBlind   bool     // who counts is not shown what the books say
	PostedAt  db.Time
	LineCount int
	Recorded  int         `db:"counted_count"` // lines that were counted
	Lines     []CountLine `log:"-"`
}

// CountLine is one stock row to be counted.
type CountLine struct {
	Number         int `db:"line"` // from 1, without gaps
	ItemID         string
	Item, ItemName string
	Location       string
	Batch, Serial  string
	Expected       dec.Dec  // on hand when the count began; once counted, at the moment that was recorded
	Counted        *dec.Dec // nil until counted
	RecordedAt     db.Time
	Cost           *dec.Dec // the average cost that the difference was booked at; nil before, and where there is none
	batch, serial  string   // folded
	isNew          bool
}

// Difference is what was counted less what was expected: zero while nothing was counted.
func (l *CountLine) Difference() dec.Dec {
	if l.Counted == nil {
		return 0
	}
	return l.Counted.Sub(l.Expected)
}

// Hides reports whether what the books say is kept from who counts.
func (c *Count) Hides() bool { return c.IsBlind && c.Status == CountOpen }

func (c *Count) place(l *CountLine) place {
	return place{Key{l.ItemID, c.Warehouse}, l.Location, l.batch, l.serial}
}

// NewCount is what a caller says about a count to begin.
type NewCount struct {
	Warehouse        string
	Locations, Items []string // none = all
	IsBlind          bool
}

// CreateCount opens a count with a line for each stock row that is asked for. Refusals: Warehouse.NotFound,
// WarehouseLocation.NotFound, Item.NotFound, Inventory.ItemNotStocked; InventoryCount.AlreadyOpen (409) where another
// open count has one of the rows.
func CreateCount(tx *db.Tx, n NewCount) (Count, error) {
	c := Count{Status: CountOpen, IsBlind: n.IsBlind}
	items, err := c.scope(tx, n)
	if err != nil {
		return c, err
	}
	if c.Lines, err = rowsToCount(tx, &c, items); err != nil {
		return c, err
	}
	if len(c.Lines) > maxCountLines {
		return c, fault.ErrInvalid.At("warehouseCode",
			"one count has at most %d rows: name locations or items, and count in parts", maxCountLines)
	}
	if err := refuseOpen(tx, &c, c.Lines); err != nil {
		return c, err
	}
	c.LineCount = len(c.Lines)
	if err := counts.Create(tx, &c); err != nil {
		return c, err
	}
	return c, insertCountLines(tx, &c, c.Lines)
}

// scope checks what is to be counted, and answers the ids of the items; none = all.
func (c *Count) scope(tx *db.Tx, n NewCount) (ids []string, err error) {
	var wrong fault.List
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	w, isKnown := book.Warehouse(n.Warehouse)
	wrong.If(!isKnown, reference.ErrWarehouseNotFound, "warehouseCode",
		"there is no warehouse %s: GET /preview/reference/warehouses lists them", n.Warehouse)
	c.Warehouse = w.Code
	for i, code := range n.Locations {
		l, ok := book.Location(w.Code, code)
		wrong.If(!ok && isKnown, ErrLocation, indexed("locationCodes", i), "warehouse %s has no location %s", w.Code, code)
		if ok && !slices.Contains(c.Locations, l.Code) {
			c.Locations = append(c.Locations, l.Code)
		}
	}
	found, err := catalog.FindMany(tx, n.Items)
	if err != nil {
		return nil, err
	}
	for i, itemNumber := range n.Items {
		item, ok := found[record.Fold(itemNumber)]
		switch {
		case !ok:
			wrong.Add(catalog.ErrNotFound, indexed("itemNumbers", i), "there is no item %s", itemNumber)
		case !item.InStock():
			wrong.Add(ErrNotStocked, indexed("itemNumbers", i), "item %s is of type %s and is not kept in stock",
				item.Number, item.Type)
		case !slices.Contains(ids, item.ID):
			c.Items, ids = append(c.Items, item.Number), append(ids, item.ID)
		}
	}
	return ids, wrong.Err()
}

// beginCount locks a count for a verb, and refuses where it may not happen.
func beginCount(tx *db.Tx, countNumber, verb string) (c, before Count, err error) {
	if c, before, err = counts.Begin(tx, countNumber, verb); err == nil {
		err = c.readLines(tx)
	}
	return c, before, err
}

// CancelCount gives a count up: its rows may be counted by another. Refusals: InventoryCount.NotFound,
// InventoryCount.InvalidStatus.
func CancelCount(tx *db.Tx, countNumber string) (Count, error) {
	c, before, err := beginCount(tx, countNumber, "cancel")
	if err != nil {
		return c, err
	}
	return c, closeCount(tx, &c, before, "cancel")
}

// closeCount ends a count: its rows are open to others.
func closeCount(tx *db.Tx, c *Count, before Count, verb string) error {
	if err := freeRows(tx, c.ID); err != nil {
		return err
	}
	return counts.Act(tx, verb, before, c)
}

// PostCount books what was counted more or less than was on hand when it was counted, as Adjustment entries at the
// average cost.
// Lines that were not counted stay as they are. Refusals: InventoryCount.NotFound, InventoryCount.InvalidStatus;
// Inventory.InsufficientStock where more is missing than is left by now, Inventory.SerialInStock (409).
func PostCount(tx *db.Tx, countNumber string) (Count, error) {
	c, before, err := beginCount(tx, countNumber, "post")
	if err != nil {
		return c, err
	}
	c.PostedAt = tx.Now
	differing := make([]*CountLine, 0, c.Recorded)
	for _, found := range []bool{false, true} { // what is missing first: a piece may have been found elsewhere
		for i := range c.Lines {
			if d := c.Lines[i].Difference(); d != 0 && (d > 0) == found {
				differing = append(differing, &c.Lines[i])
			}
		}
	}
	p, err := c.book(tx, differing)
	if err != nil {
		return c, err
	}
	if err := updateCosts(tx, &c, differing); err != nil {
		return c, err
	}
	if err := closeCount(tx, &c, before, "post"); err != nil {
		return c, err
	}
	// Last of all, because what was found covers back-orders and so writes orders anew.
	return c, p.announce(tx, nil)
}

// book enters the differences into the ledger.
func (c *Count) book(tx *db.Tx, differing []*CountLine) (*posting, error) {
	moves, places := make([]Move, len(differing)), make([]string, len(differing))
	var found []Move
	for i, l := range differing {
		moves[i] = Move{ItemID: l.ItemID, Item: l.Item, Warehouse: c.Warehouse, Location: l.Location, Batch: l.Batch,
			Serial: l.Serial, Quantity: l.Difference(), RefType: refCount, RefID: c.Number}
		places[i] = l.Location
		if l.Difference() > 0 {
			found = append(found, moves[i])
		}
	}
	if err := expectAt(tx, moves, places...); err != nil {
		return nil, err
	}
	batches, err := ensureBatches(tx, found)
	if err != nil {
		return nil, err
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return nil, err
	}
	var short shortages
	for i := range moves {
		l, m := differing[i], &moves[i]
		l.Batch = batches.spell(l.ItemID, l.Batch)
		b := p.at(c.place(l), l.Batch, l.Serial)
		if missing := m.Quantity.Neg(); missing > b.quantity {
			short.add(shortage{item: l.Item, where: p.whereOf(b.Key, m), wanted: missing, there: b.quantity,
				state: "on hand", remedy: fault.Say("goods have left since line %d was counted: count it again",
					l.Number)})
			continue
		}
		l.Cost = p.enter(Adjusted, m, i, b, m.Quantity, nil).UnitCost
	}
	if !short.empty() {
		return nil, short.err()
	}
	if err := p.refuseSerialsInStock(tx, found); err != nil {
		return nil, err
	}
	return p, p.write(tx)
}
