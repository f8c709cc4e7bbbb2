package transfer

import (
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const headColumns = "number, " + changing

// changing are the columns of the head that a verb may change.
const changing = `status, from_warehouse, to_warehouse, shipping_method, requested_date, expected_date, notes,
	released_at, shipped_at, received_at,
	line_count`

var (
	headRow     = db.Map[Transfer](record.RootColumns + ", " + headColumns)
	changingRow = db.Map[Transfer](changing)
)

// Find reads a transfer whole. Transfer.NotFound.
func Find(tx *db.Tx, number string) (Transfer, error) { return find(tx, number, "") }

// lock is Find for a change.
func lock(tx *db.Tx, number string) (Transfer, error) { return find(tx, number, " for update") }

func find(tx *db.Tx, number, lock string) (Transfer, error) {
	var t Transfer
	ok, err := tx.One(`-- transfer.Find
		select `+record.RootColumns+`, `+headColumns+` from transfer where company = :company and number_key = :key`+
		lock, db.Args{"key": record.Fold(number)}, headRow.Of(&t)...)
	if err == nil && !ok {
		err = ErrNotFound.Because("no transfer has the number %q", number)
	}
	if err != nil {
		return t, err
	}
	list := []Transfer{t}
	err = readLines(tx, list)
	return list[0], err
}

const lineColumns = "line, item_id, item, item_name, unit, decimals, quantity, allocated, shipped, received, written_off"

var lineRow = db.Map[Line](lineColumns)

func readLines(tx *db.Tx, list []Transfer) error {
	return record.ReadParts(tx, list, "transfer_line", "transfer_id", "line", lineRow,
		func(t *Transfer) *[]Line { return &t.Lines })
}

func isTaken(tx *db.Tx, number string) (bool, error) {
	var one int
	return tx.One(`-- transfer.isTaken
		select 1 from transfer where company = :company and number_key = :key`, db.Args{"key": record.Fold(number)},
		&one)
}

func insert(tx *db.Tx, t *Transfer) error {
	err := tx.Insert("transfer", record.RootColumns+", "+headColumns+", number_key, search", 1, func(int) []any {
		return append(headRow.Of(t), record.Fold(t.Number), record.SearchText(t.Number))
	})
	if err != nil {
		return err
	}
	return insertLines(tx, t)
}

func insertLines(tx *db.Tx, t *Transfer) error {
	return tx.Insert("transfer_line", lineColumns+", transfer_id", len(t.Lines), func(i int) []any {
		return append(lineRow.Of(&t.Lines[i]), t.ID)
	})
}

func replaceLines(tx *db.Tx, t *Transfer) error {
	_, err := tx.Exec(`-- transfer.replaceLines
		delete from transfer_line where company = :company and transfer_id = :id`, db.Args{"id": t.ID})
	if err != nil {
		return err
	}
	return insertLines(tx, t)
}

// update writes what a verb may have changed of the head; the funnel bumps the revision.
func update(tx *db.Tx, t *Transfer) error {
	return tx.Run(`-- transfer.update
		update transfer set `+changingRow.Set()+` where company = :company and id = :id`,
		changingRow.Args(t, db.Args{"id": t.ID}))
}

func updateLines(tx *db.Tx, t *Transfer) error {
	_, err := tx.Update("transfer_line", "transfer_id, line, allocated, shipped, received, written_off", 2,
		len(t.Lines), func(i int) []any {
			l := &t.Lines[i]
			return []any{t.ID, l.Number, l.Allocated, l.Shipped, l.Received, l.WrittenOff}
		})
	return err
}

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

// firstMoving is the number of some transfer that names an item, "" if none does; of one that is not done where isOpen.
func firstMoving(tx *db.Tx, itemID string, isOpen bool) (found string, err error) {
	_, err = tx.One(`-- transfer.firstMoving
		select t.number from transfer_line l join transfer t on t.company = l.company and t.id = l.transfer_id
		where l.company = :company and l.item_id = :item and (:any = 1 or t.status not in ('Received', 'Cancelled')) limit 1`,
		db.Args{"item": itemID, "any": !isOpen}, &found)
	return found, err
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
	q := record.Query{Name: "transfer.List", Select: record.Columns("t") + ", " + headColumns, From: "transfer t",
		Key: []string{"t.number_key"}, Stamp: "t.changed_at", Resources: []string{Transfers.Name},
		Sorts: map[string][]string{
			"number": {"t.number_key"}, "created": {"t.created_at", "t.number_key"},
			"status": {"t.status", "t.number_key"}, "from": {"t.from_warehouse", "t.number_key"},
			"to": {"t.to_warehouse", "t.number_key"},
		}}
	q.Search("t.search", f.Search)
	q.SearchAny(f.Shown, "instr(t.search, {word}) > 0", "instr(fold(t.from_warehouse), {word}) > 0",
		"instr(fold(t.to_warehouse), {word}) > 0")
	q.Given("t.status = :status", f.Status)
	q.Given("t.from_warehouse = :from", f.From)
	q.Given("t.to_warehouse = :to", f.To)
	found, err := record.ListOf(tx, q, p, headRow.Scan)
	if err != nil {
		return found, err
	}
	return found, readLines(tx, found.Items)
}

// eachOnTheWay tells the pieces of items that are in transit, with their transfers.
func eachOnTheWay(tx *db.Tx, itemIDs []string, tell func(number, itemID, serial string) error) error {
	return tx.Each(`-- transfer.eachOnTheWay
		select t.number, l.item_id, p.serial from transfer t
			join transfer_line l on l.company = t.company and l.transfer_id = t.id
			join transfer_parcel p on p.company = l.company and p.transfer_id = l.transfer_id and p.line = l.line
		where t.company = :company and t.status in ('InTransit', 'PartiallyReceived') and l.item_id in (:items)
			and p.serial <> '' and p.quantity > p.received + p.written_off`,
		db.Args{"items": slices.Compact(slices.Sorted(slices.Values(itemIDs)))}, func(r db.Row) error {
			var number, itemID, serial string
			if err := r.Scan(&number, &itemID, &serial); err != nil {
				return err
			}
			return tell(number, itemID, serial)
		})
}
