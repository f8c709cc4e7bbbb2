package transfer

import (
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var transfers = record.TableOf(Transfers, record.Layout[Transfer]{
	Fixed: "number",
	Changing: `status, from_warehouse, to_warehouse, shipping_method, requested_date, expected_date, notes, released_at,
		shipped_at, received_at, line_count`,
	Number:  func(t *Transfer) *string { return &t.Number },
	Series:  "transfer",
	Derived: func(t *Transfer) db.Args { return db.Args{"search": record.SearchText(t.Number)} },
	Parts: []*record.Parts[Transfer]{record.PartsOf(record.PartLayout[Transfer, Line]{
		Table: "transfer_line", Owner: "transfer_id", Place: "line",
		Columns: `line, item_id, item, item_name, unit, decimals, quantity, allocated, shipped, received, written_off`,
		Of:      func(t *Transfer) *[]Line { return &t.Lines },
	})},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "transfer",
		func(t *Transfer) (string, *Status) { return t.Number, &t.Status }),
	Missing: func(number string) error { return ErrNotFound.Because("no transfer has the number %q", number) },
	Taken: func(t *Transfer) error {
		return ErrExists.Because("a transfer with the number %q exists already", t.Number)
	},
})

// Find reads a transfer whole. Transfer.NotFound.
func Find(tx *db.Tx, number string) (Transfer, error) { return transfers.Find(tx, number) }

const parcelColumns = "parcel, line, location, batch, serial, quantity, unit_cost, received, written_off"

var parcelRow = db.Map[Parcel](parcelColumns)

// Parcels are what left with a transfer, in the order they were taken.
func Parcels(tx *db.Tx, t *Transfer) (list []Parcel, err error) {
	return db.Rows(tx, `-- transfer.Parcels
		select `+parcelColumns+` from transfer_parcel where company = :company and transfer_id = :id order by parcel`,
		db.Args{"id": t.ID}, parcelRow.Scan)
}

func insertParcels(tx *db.Tx, t *Transfer, parcels []Parcel) error {
	return tx.Insert("transfer_parcel", parcelColumns+", transfer_id", len(parcels), func(i int) []any {
		return append(parcelRow.Of(&parcels[i]), t.ID)
	})
}

// updateParcels writes what arrived, and what was written off.
func updateParcels(tx *db.Tx, t *Transfer, parcels []Parcel) error {
	_, err := tx.Update("transfer_parcel", "transfer_id, parcel, received, written_off", 2, len(parcels),
		func(i int) []any {
			p := &parcels[i]
			return []any{t.ID, p.Number, p.Received, p.WrittenOff}
		})
	return err
}

// firstMoving is the number of the first transfer that names an item, "" if none does; of one that is not done where
// isOpen.
func firstMoving(tx *db.Tx, itemID string, isOpen bool) (string, error) {
	return db.Value[string](tx, `-- transfer.firstMoving
		select t.number from transfer_line l join transfer t on t.company = l.company and t.id = l.transfer_id
		where l.company = :company and l.item_id = :item and (:any = 1 or t.status not in ('Received', 'Cancelled'))
		order by l.transfer_id limit 1`,
		db.Args{"item": itemID, "any": !isOpen})
}

// Filter says which transfers a list shows; zero fields do not filter.
type Filter struct {
	Search string // in the number
	Shown  string // what people see of it: also the warehouses
	Status Status
	From   string // code of the warehouse
	To     string
}

// List reads transfers by number, with their lines.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Transfer], error) {
	q := transfers.Query("transfer.List")
	q.Sorts = map[string][]string{
		"number": {"number_key"}, "created": {"created_at", "number_key"},
		"status": {"status", "number_key"}, "from": {"from_warehouse", "number_key"},
		"to": {"to_warehouse", "number_key"},
	}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(fold(from_warehouse), {word}) > 0",
		"instr(fold(to_warehouse), {word}) > 0")
	q.Given("status = :status", f.Status)
	q.Given("from_warehouse = :from", f.From)
	q.Given("to_warehouse = :to", f.To)
	return transfers.List(tx, q, p)
}

// eachOnTheWay tells the pieces of items that are in transit, with their transfers.
func eachOnTheWay(tx *db.Tx, itemIDs []string, tell func(number, itemID, serial string) error) error {
	return db.Each3(tx, `-- transfer.eachOnTheWay
		select t.number, l.item_id, p.serial from transfer t
			join transfer_line l on l.company = t.company and l.transfer_id = t.id
			join transfer_parcel p on p.company = l.company and p.transfer_id = l.transfer_id and p.line = l.line
		where t.company = :company and t.status in ('InTransit', 'PartiallyReceived') and l.item_id in (:items)
			and p.serial <> '' and p.quantity > p.received + p.written_off`,
		db.Args{"items": slices.Compact(slices.Sorted(slices.Values(itemIDs)))},
		tell)
}
