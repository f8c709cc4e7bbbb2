package stock

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Adjustment corrects what the books say lies at a location by a signed quantity.
type Adjustment struct {
	Kind      Kind // Adjusted (also when empty) or Scrapped
	Warehouse string
	Location  string
	Item      string // number
	Quantity  dec.Dec
	Batch     string
	Serial    string
	Notes     string
}

// Adjust books a correction at the present average cost. What it refuses with 400, every fault at
// once: Inventory.InvalidQuantity for zero or a positive Scrap, Inventory.InvalidTransactionType,
// Item.NotFound, Warehouse.NotFound, WarehouseLocation.NotFound, Batch.NotFound,
// Inventory.ItemNotStocked, .LocationInactive, .BatchRequired, .SerialRequired, .SerialQuantity,
// .NotTracked, Quantity.TooManyDecimals. With 409: Inventory.NoStockAtLocation where nothing lies,
// Inventory.InsufficientStock where too little does, Inventory.SerialInStock.
func Adjust(tx *db.Tx, a Adjustment) (Entry, error) {
	m, err := checkAdjustment(tx, &a)
	if err != nil {
		return Entry{}, err
	}
	moves := []Move{m}
	if err := expectAt(tx, moves, m.Location); err != nil {
		return Entry{}, err
	}
	p, err := openFor(tx, moves)
	if err != nil {
		return Entry{}, err
	}
	b := p.at(placeOf(Key{m.ItemID, m.Warehouse}, m.Location, m.Batch, m.Serial), m.Batch, m.Serial)
	if a.Quantity < 0 {
		err = p.enough(m, b, a.Quantity.Neg())
	} else {
		err = p.refuseSerialsInStock(tx, moves)
	}
	if err != nil {
		return Entry{}, err
	}
	p.enter(a.Kind, &m, 0, b, a.Quantity, nil)
	return p.byHand(tx)
}

// enough refuses to take more from a place than lies there.
func (p *posting) enough(m Move, b *balance, wanted dec.Dec) error {
	if b.quantity >= wanted {
		return nil
	}
	if b.quantity == 0 {
		return ErrNoStock.Because(
			"nothing of item %s lies in %s: %s wanted. GET /preview/inventory/stock?itemNumber=… shows where it is",
			m.Item, p.whereOf(b.Key, &m), wanted).In(m.Field)
	}
	return shortages{{item: m.Item, field: m.Field, where: p.whereOf(b.Key, &m), wanted: wanted, there: b.quantity,
		state: "on hand"}}.err()
}

// expectAt is expect for what comes to locations, or leaves them.
func expectAt(tx *db.Tx, moves []Move, places ...string) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	return expect(tx, comingTo(book, moves, places))
}

// byHand finishes an entry that no document causes: it is written, reported for itself, and announced.
func (p *posting) byHand(tx *db.Tx) (Entry, error) {
	if err := p.write(tx); err != nil {
		return Entry{}, err
	}
	e := p.entries[0]
	if err := Transactions.Created(tx, e.Root, e.ID, e); err != nil {
		return Entry{}, err
	}
	return e, p.announce(tx, nil)
}

// checkAdjustment holds an adjustment against every rule that needs no lock.
func checkAdjustment(tx *db.Tx, a *Adjustment) (Move, error) {
	var wrong fault.List
	switch a.Kind {
	case "":
		a.Kind = Adjusted
	case Adjusted, Scrapped:
	case Return:
		wrong.Add(ErrKind, "transactionType",
			"goods come back through a return (POST /preview/returns): use Adjustment or Scrap here")
	default:
		wrong.Add(ErrKind, "transactionType", "%s entries come from documents: use Adjustment or Scrap here", a.Kind)
	}
	switch {
	case a.Quantity == 0:
		wrong.Add(ErrQuantity, "quantity",
			"an adjustment of zero changes nothing: give what is to be added, or with a minus taken away")
	case a.Kind == Scrapped && a.Quantity > 0:
		wrong.Add(ErrQuantity, "quantity", "scrapping takes goods away: the quantity must be below zero")
	}
	m := Move{Warehouse: a.Warehouse, Location: a.Location, Item: a.Item, Batch: a.Batch, Serial: a.Serial,
		Quantity: a.Quantity, Notes: a.Notes, Field: "quantity"}
	if err := checkItem(tx, &wrong, &m); err != nil {
		return m, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return m, err
	}
	m.Location = checkPlace(&wrong, book, &m.Warehouse, "locationCode", a.Location, a.Quantity > 0)
	return m, wrong.Err()
}

// checkItem finds the item of a movement by hand and holds the movement against the way it is kept.
// The batch must exist, and is spelled as it was first.
func checkItem(tx *db.Tx, wrong *fault.List, m *Move) error {
	found, err := catalog.FindMany(tx, []string{m.Item})
	if err != nil {
		return err
	}
	item, ok := found[record.Fold(m.Item)]
	if !ok {
		wrong.Add(catalog.ErrNotFound, "itemNumber", "there is no item %s", m.Item)
		return nil
	}
	m.ItemID, m.Item, m.Tracking = item.ID, item.Number, item.Tracking
	if item.Type != catalog.Stock {
		wrong.Add(ErrNotStocked, "itemNumber", "item %s is of type %s and is not kept in stock", item.Number, item.Type)
		return nil
	}
	if err := wrong.AddError(catalog.CheckQuantity(&item, m.Quantity)); err != nil {
		return err
	}
	checkTracking(wrong, "", *m)
	if m.Batch == "" || !m.Tracking.Batches() {
		return nil
	}
	known, err := findBatches(tx, []Move{*m})
	if err != nil {
		return err
	}
	b, ok := known[batchKey{m.ItemID, record.Fold(m.Batch)}]
	if !ok {
		wrong.Add(ErrBatchNotFound, "batchNumber",
			"item %s has no batch %s: a batch is registered when its goods are received", m.Item, m.Batch)
		return nil
	}
	m.Batch = b.Number
	return nil
}

// checkPlace finds a warehouse and one of its locations, and answers the location's code. Goods may
// leave an inactive place, but not enter it.
func checkPlace(wrong *fault.List, book *reference.Book, warehouse *string, field, location string,
	entering bool) string {
	w, ok := book.Warehouse(*warehouse)
	if !ok {
		wrong.Add(reference.ErrWarehouseNotFound, "warehouseCode",
			"there is no warehouse %s: GET /preview/reference/warehouses lists them", *warehouse)
		return location
	}
	*warehouse = w.Code
	l, ok := book.Location(w.Code, location)
	switch {
	case !ok:
		wrong.Add(ErrLocation, field,
			"warehouse %s has no location %s: GET /preview/reference/warehouses/%s/locations lists them", w.Code,
			location, w.Code)
		return location
	case entering && !w.IsActive:
		wrong.Add(ErrClosed, "warehouseCode", "warehouse %s is inactive: goods may only leave it", w.Code)
	case entering && !l.IsActive:
		wrong.Add(ErrClosed, field, "location %s is inactive: goods may only leave it", l.Code)
	}
	return l.Code
}
