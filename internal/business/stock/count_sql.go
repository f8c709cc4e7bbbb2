package stock

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var counts = record.TableOf(Counts, record.Layout[Count]{
	Fixed:    "number, warehouse, locations, items, is_blind",
	Changing: "status, posted_at, line_count, counted_count",
	Number:   func(c *Count) *string { return &c.Number },
	Series:   "count",
	Step: lifecycle.Step(CountMoves, ErrCountStatus, "count",
		func(c *Count) (string, *CountStatus) { return c.Number, &c.Status }),
	Missing: func(number string) error { return ErrCountNotFound.Because("no count has the number %q", number) },
})

const (
	countLineFields  = "line, item_id, item, item_name, location, batch, serial, expected, counted, recorded_at, cost"
	countLineColumns = countLineFields + ", batch_key, serial_key"
)

var countLineRow = db.Map[CountLine](countLineFields)

func (l *CountLine) columns() []any { return append(countLineRow.Of(l), &l.batch, &l.serial) }

// insertCountLines adds lines. Those of two counts that begin at once meet on their rows, in one order for all.
func insertCountLines(tx *db.Tx, c *Count, lines []CountLine) error {
	lines = slices.Clone(lines)
	slices.SortFunc(lines, func(a, b CountLine) int {
		return cmp.Or(cmp.Compare(a.ItemID, b.ItemID), cmp.Compare(a.Location, b.Location),
			cmp.Compare(a.batch, b.batch), cmp.Compare(a.serial, b.serial))
	})
	err := tx.Insert("inventory_count_line", countLineColumns+", count_id, warehouse", len(lines), func(i int) []any {
		return append(lines[i].columns(), c.ID, c.Warehouse)
	})
	if tx.Unique(err) {
		return ErrCountAlreadyOpen.Because(
			"another count has just taken up one of these stock rows: a row is counted by one open count at a time")
	}
	return err
}

func updateCountLines(tx *db.Tx, c *Count, lines []CountLine) error {
	_, err := tx.Update("inventory_count_line", "count_id, line, expected, counted, recorded_at", 2, len(lines),
		func(i int) []any {
			l := &lines[i]
			return []any{c.ID, l.Number, l.Expected, l.Counted, l.RecordedAt}
		})
	return err
}

// updateCosts writes what differences were booked at. The lines are closed with it.
func updateCosts(tx *db.Tx, c *Count, lines []*CountLine) error {
	_, err := tx.Update("inventory_count_line", "count_id, line, is_open, cost, batch", 2, len(lines), func(i int) []any {
		return []any{c.ID, lines[i].Number, false, lines[i].Cost, lines[i].Batch}
	})
	return err
}

// freeRows lets other counts have the rows of this one.
func freeRows(tx *db.Tx, countID string) error {
	return tx.Run(`-- stock.freeRows
		update inventory_count_line set is_open = 0 where company = :company and count_id = :count and is_open = 1`,
		db.Args{"count": countID})
}

// FindCount reads a count whole. Refusal: InventoryCount.NotFound.
func FindCount(tx *db.Tx, countNumber string) (c Count, err error) {
	if c, err = counts.Find(tx, countNumber); err == nil {
		err = c.readLines(tx)
	}
	return c, err
}

// lockCount is FindCount for a change.
func lockCount(tx *db.Tx, countNumber string) (c Count, err error) {
	if c, err = counts.Lock(tx, countNumber); err == nil {
		err = c.readLines(tx)
	}
	return c, err
}

func (c *Count) readLines(tx *db.Tx) (err error) {
	c.Lines, err = db.Rows(tx, `-- stock.readLines
		select `+countLineColumns+`
		from inventory_count_line where company = :company and count_id = :id order by line`, db.Args{"id": c.ID},
		func(r db.Row, l *CountLine) error { return r.Scan(l.columns()...) })
	return err
}

// rowsToCount are lines for the stock rows of a count, in the order of a walk: by location, then by item. items are
// ids; none = all.
func rowsToCount(tx *db.Tx, c *Count, items []string) ([]CountLine, error) {
	where, args := "", db.Args{"warehouse": c.Warehouse, "most": maxCountLines + 1}
	if len(c.Locations) > 0 {
		where += " and b.location in (:locations)"
		args["locations"] = c.Locations
	}
	if len(items) > 0 {
		where += " and b.item_id in (:items)"
		args["items"] = items
	}
	var lines []CountLine
	err := tx.Each(`-- stock.rowsToCount
		select b.item_id, b.item, b.location, b.batch, b.serial, b.batch_key, b.serial_key, b.quantity
		from stock_balance b
		where b.company = :company and b.warehouse = :warehouse and +b.quantity > 0`+where+`
		order by b.location, b.item_key, b.batch_key, b.serial_key limit :most`, args, func(r db.Row) error {
		l := CountLine{Number: len(lines) + 1}
		err := r.Scan(&l.ItemID, &l.Item, &l.Location, &l.Batch, &l.Serial, &l.batch, &l.serial, &l.Expected)
		lines = append(lines, l)
		return err
	})
	if err != nil {
		return nil, err
	}
	return lines, nameLines(tx, lines)
}

// nameLines gives lines the names of their items. Joined with them, PostgreSQL has gone through all items for each of
// ten thousand rows, as long as it had not looked at either table.
func nameLines(tx *db.Tx, lines []CountLine) error {
	names := make(map[string]string, len(lines))
	err := eachOf(tx, each.Once(lines, func(l CountLine) string { return l.ItemID }), `-- stock.nameLines
		select id, name from item where company = :company and id in (:items)`, db.Args{}, func(r db.Row) error {
		var id, name string
		err := r.Scan(&id, &name)
		names[id] = name
		return err
	})
	if err != nil {
		return err
	}
	for i := range lines {
		lines[i].ItemName = names[lines[i].ItemID]
	}
	return nil
}

// refuseOpen refuses rows that another open count has, naming some of them.
func refuseOpen(tx *db.Tx, c *Count, lines []CountLine) error {
	wanted := make(map[place]bool, len(lines))
	for i := range lines {
		wanted[c.place(&lines[i])] = true
	}
	var said fault.All
	more := 0
	err := eachOf(tx, each.Once(lines, func(l CountLine) string { return l.ItemID }), `-- stock.refuseOpen
		select l.item_id, l.item, l.location, l.batch_key, l.serial_key, c.number
		from inventory_count_line l join inventory_count c on c.company = l.company and c.id = l.count_id
		where l.company = :company and l.is_open = 1 and l.item_id in (:items) and l.warehouse = :warehouse
		order by c.number_key, l.line`, db.Args{"warehouse": c.Warehouse}, func(r db.Row) error {
		at := place{Key: Key{Warehouse: c.Warehouse}}
		var item, other string
		err := r.Scan(&at.ItemID, &item, &at.Location, &at.Batch, &at.Serial, &other)
		switch {
		case !wanted[at]:
		case len(said) < 5:
			said = append(said, fault.Say("item %s in %s by count %s", item, at.Location, other))
		default:
			more++
		}
		return err
	})
	if err != nil || len(said) == 0 {
		return err
	}
	if more > 0 {
		said = append(said, fault.Say("and %d more", more))
	}
	return ErrCountAlreadyOpen.Because(
		"a stock row is counted by one open count at a time, post or cancel the other first: %s", said)
}

// CountFilter narrows ListCounts; zero fields do not filter.
type CountFilter struct {
	Search    string // in the number
	Status    CountStatus
	Warehouse string // as the book spells it
}

// ListCounts reads a page of counts by number, without their lines.
func ListCounts(tx *db.Tx, f CountFilter, p record.Page) (record.Found[Count], error) {
	q := counts.Query("stock.ListCounts")
	q.Sorts = map[string][]string{"number": {"number_key"}, "status": {"status", "number_key"},
		"warehouse": {"warehouse", "number_key"}}
	q.Search("number_key", f.Search)
	q.Given("status = :status", f.Status)
	q.Given("warehouse = :warehouse", f.Warehouse)
	return counts.List(tx, q, p)
}

// verifyCounts holds counts against the ledger: what a posted one found more or less than was there stands in it, once.
func verifyCounts(tx *db.Tx, report func(string)) error {
	err := tx.Each(`-- stock.verifyCounts
		select c.number, l.item, l.location, l.batch, l.serial, l.counted - l.expected, coalesce(e.quantity, 0)
		from inventory_count_line l join inventory_count c on c.company = l.company and c.id = l.count_id
			left join (select ref_id, item_id, location, batch, serial, sum(quantity) as quantity from stock_entry
				where company = :company and ref_type = :count group by ref_id, item_id, location, batch, serial) e
				on e.ref_id = c.number and e.item_id = l.item_id and e.location = l.location and e.batch = l.batch and e.serial = l.serial
		where l.company = :company and c.status = :posted and l.counted is not null and l.counted - l.expected <> coalesce(e.quantity, 0)
		order by c.number_key, l.line`, db.Args{"count": refCount, "posted": CountPosted}, func(r db.Row) error {
		var count, item, location, batch, serial string
		var found, booked dec.Dec
		err := r.Scan(&count, &item, &location, &batch, &serial, &found, &booked)
		report(fmt.Sprintf("count %s: item %s in %s differed by %s, the ledger says %s", count, item,
			place{Location: location, Batch: batch, Serial: serial}, found, booked))
		return err
	})
	if err != nil {
		return err
	}
	return tx.Each(`-- stock.verifyCounts heads
		select c.number, c.status, c.line_count, c.counted_count, count(l.line), count(l.counted), coalesce(sum(l.is_open), 0)
		from inventory_count c left join inventory_count_line l on l.company = c.company and l.count_id = c.id
		where c.company = :company group by c.number, c.status, c.line_count, c.counted_count, c.number_key order by c.number_key`,
		nil, func(r db.Row) error {
			var number string
			var status CountStatus
			var lines, counted, hasLines, hasCounted, open int
			if err := r.Scan(&number, &status, &lines, &counted, &hasLines, &hasCounted, &open); err != nil {
				return err
			}
			if lines != hasLines || counted != hasCounted {
				report(fmt.Sprintf("count %s: %d of %d lines are stored as counted, %d of %d are", number, counted,
					lines, hasCounted, hasLines))
			}
			if want := map[bool]int{true: hasLines}[status == CountOpen]; open != want {
				report(fmt.Sprintf("count %s is %s: %d of its rows are kept from other counts, it should be %d", number,
					status, open, want))
			}
			return nil
		})
}

// openCountOf is the number of the first open count that names an item, "" if none does.
func openCountOf(tx *db.Tx, itemID string) (string, error) {
	return db.Value[string](tx, `-- stock.openCountOf
		select c.number from inventory_count_line l join inventory_count c on c.company = l.company and c.id = l.count_id
		where l.company = :company and l.item_id = :item and l.is_open = 1
		order by l.count_id limit 1`, db.Args{"item": itemID})
}
