package stock

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/engine/costing"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// Holding is what one warehouse has of an item.
type Holding struct {
	Warehouse     string
	Replenishment catalog.Replenishment // there: its own, or the item's
	Level
}

// Availability is an item with what the active warehouses have of it, by warehouse code.
type Availability struct {
	ItemID        string
	Item          string // number
	Tracking      catalog.TrackingType
	Replenishment catalog.Replenishment
	Holdings      []Holding
}

// AvailabilityFilter narrows ListAvailability; zero fields do not filter.
type AvailabilityFilter struct {
	Items     []string // numbers
	Warehouse string
}

// warehouses are the codes of the active warehouses that f asks for.
func (f AvailabilityFilter) warehouses(book *reference.Book) []string {
	codes := []string{}
	for _, w := range book.Warehouses() {
		if w.IsActive && (f.Warehouse == "" || record.Fold(f.Warehouse) == record.Fold(w.Code)) {
			codes = append(codes, w.Code)
		}
	}
	return codes
}

// ListAvailability reads a page of items by number, each with all its warehouses. An item is listed
// once anything of it has moved in an active warehouse.
func ListAvailability(tx *db.Tx, f AvailabilityFilter, p record.Page) (record.Found[Availability], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return record.Found[Availability]{}, err
	}
	codes := f.warehouses(book)
	found, err := listItems(tx, f.Items, codes, p)
	if err != nil || len(found.Items) == 0 {
		return found, err
	}
	return found, fillHoldings(tx, found.Items, codes)
}

// AvailabilityOf reads one item. Refusal: Item.NotFound.
func AvailabilityOf(tx *db.Tx, itemNumber string) (Availability, error) {
	item, err := catalog.Find(tx, itemNumber)
	if err != nil {
		return Availability{}, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return Availability{}, err
	}
	one := []Availability{{ItemID: item.ID, Item: item.Number, Tracking: item.Tracking,
		Replenishment: item.Replenishment}}
	err = fillHoldings(tx, one, AvailabilityFilter{}.warehouses(book))
	return one[0], err
}

// AverageCosts is the average cost of items over their warehouses, weighted by stock. An item that
// never came in at a cost is absent.
func AverageCosts(tx *db.Tx, itemIDs []string) (map[string]dec.Dec, error) {
	levels, err := Levels(tx, itemIDs)
	if err != nil {
		return nil, err
	}
	holdings := map[string][]costing.Holding{}
	for k, l := range levels {
		holdings[k.ItemID] = append(holdings[k.ItemID], costing.Holding{OnHand: l.OnHand, Average: l.Average})
	}
	costs := make(map[string]dec.Dec, len(holdings))
	for id, h := range holdings {
		if cost, known := costing.WeightedAverage(h); known {
			costs[id] = cost
		}
	}
	return costs, nil
}

// Row is one balance as people see it, with its share of what is allocated in the warehouse: goods are
// promised from the places they would be taken from first.
type Row struct {
	Key
	Item            string // number
	Location        string
	Batch, Serial   string
	Expiry          day.Date
	OnHand          dec.Dec
	Allocated       dec.Dec
	Average         dec.Dec
	CreatedAt       db.Time
	ChangedAt       db.Time // of the level: cost and allocation are part of the row
	batch, serial   string  // folded
	levelsAllocated dec.Dec
}

// RowFilter narrows ListRows; zero fields do not filter.
type RowFilter struct{ Item, Warehouse, Location, Batch, Serial string }

// ListRows reads a page of balances by item, warehouse, location, batch and serial number: those with
// stock, and for a delta also those that became empty since.
func ListRows(tx *db.Tx, f RowFilter, p record.Page) (record.Found[Row], error) {
	book, err := reference.Of(tx)
	if err != nil {
		return record.Found[Row]{}, err
	}
	found, err := listRows(tx, book, f, p)
	if err != nil {
		return found, err
	}
	return found, shareAllocated(tx, book, found.Items)
}

// shareAllocated spreads each level's allocation over its balances in the order of taking, and fills
// in the rows' shares.
func shareAllocated(tx *db.Tx, book *reference.Book, rows []Row) error {
	var keys []Key
	for _, r := range rows {
		if r.levelsAllocated > 0 {
			keys = append(keys, r.Key)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	left := map[Key]dec.Dec{}
	for _, r := range rows {
		left[r.Key] = r.levelsAllocated
	}
	p := &posting{book: book, balances: map[place]*balance{}}
	if err := p.loadAll(tx, sorted(keys)); err != nil {
		return err
	}
	share := map[place]dec.Dec{}
	for _, k := range sorted(keys) {
		for _, b := range p.takeableAt(k) {
			n := min(b.quantity, left[k])
			share[b.place] = n
			left[k] = left[k].Sub(n)
		}
	}
	for i := range rows {
		r := &rows[i]
		r.Allocated = share[place{r.Key, r.Location, r.batch, r.serial}]
	}
	return nil
}

// Lying is some of an item that lies somewhere.
type Lying struct {
	Location string
	Quantity dec.Dec // in the item's base unit
}

// Takeable is where items lie in a warehouse, in the order in which they are taken where nobody names a location.
func Takeable(tx *db.Tx, warehouse string, items []string) (map[string][]Lying, error) {
	if len(items) == 0 {
		return nil, nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	keys := each.Of(items, func(id string) Key { return Key{id, warehouse} })
	p := &posting{book: book, balances: map[place]*balance{}}
	if err := p.loadAll(tx, sorted(keys)); err != nil {
		return nil, err
	}
	out := map[string][]Lying{}
	for _, k := range sorted(keys) {
		for _, b := range p.takeableAt(k) {
			lies := out[k.ItemID]
			if n := len(lies); n > 0 && lies[n-1].Location == b.Location { // another batch
				lies[n-1].Quantity = lies[n-1].Quantity.Add(b.quantity)
				continue
			}
			out[k.ItemID] = append(lies, Lying{b.Location, b.quantity})
		}
	}
	return out, nil
}

// EntryFilter narrows ListEntries; zero fields do not filter.
type EntryFilter struct {
	Item, Warehouse, Location string
	Kind                      Kind
	RefType, RefID            string
	From, To                  day.Date // inclusive, in the company's time zone
}

// moments are the instants a filter's days begin and end at.
func (f EntryFilter) moments(tx *db.Tx) (from, before db.Time) {
	if f.From != "" {
		from = tx.BeginningOf(f.From)
	}
	if f.To != "" {
		before = tx.BeginningOf(f.To.AddDays(1))
	}
	return from, before
}

// spelled are the warehouses that have a location, and the ways they spell its code; where none has it, both are what
// no goods lie at.
func spelled(book *reference.Book, location string) (places, codes []string) {
	places, codes = []string{""}, []string{location}
	for _, w := range book.Warehouses() {
		if l, ok := book.Location(w.Code, location); ok {
			places, codes = append(places, w.Code), append(codes, l.Code)
		}
	}
	return places, codes
}
