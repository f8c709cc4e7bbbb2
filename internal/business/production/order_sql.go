package production

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/lifecycle"
	"kontor/internal/foundation/record"
)

var orders = record.TableOf(Orders, record.Layout[Order]{
	Fixed: `number, type, item_id, item, unit, customer_number, order_id, order_number, order_line, configuration,
		warehouse`,
	Changing: `title, description, status, priority, planned, produced, scrapped, cost, planned_from_at, planned_to_at,
		began_at, ended_at, location`,
	Number: func(o *Order) *string { return &o.Number },
	Series: "work-order",
	Derived: func(o *Order) db.Args {
		return db.Args{"item_key": record.Fold(o.Item), "search": record.SearchText(o.Number, o.Title)}
	},
	Parts: []*record.Parts[Order]{record.PartsOf(record.PartLayout[Order, Line]{
		Table: "work_order_line", Owner: "work_order_id", Place: "line",
		Columns: `line, item_id, item, item_name, unit, decimals, is_stocked, per_unit, scrap_percent, required, reserved,
			issued, issued_cost, used, used_cost`,
		Of:      func(o *Order) *[]Line { return &o.Lines },
		Derived: func(o *Order, l *Line) db.Args { return db.Args{"waiting": o.waits(l)} },
	})},
	Step: lifecycle.Step(Moves, ErrInvalidStatus, "work order",
		func(o *Order) (string, *Status) { return o.Number, &o.Status }),
	Missing: func(number string) error { return ErrNotFound.Because("no work order has the number %q", number) },
})

// Find reads a work order whole. WorkOrder.NotFound.
func Find(tx *db.Tx, number string) (Order, error) { return orders.Find(tx, number) }

// waits is what a waiting order lacks of a component: what goods that arrive are looked up by.
func (o *Order) waits(l *Line) dec.Dec {
	if o.Status != Waiting {
		return 0
	}
	return l.Missing()
}

// piece is what moved for an order: a component in, or output out.
type piece struct {
	completion    int // 0 = issued ahead
	line          int // 0 = output
	itemID, item  string
	batch, serial string
	quantity      dec.Dec // below zero: put back
	unitCost      dec.Dec
}

// insertPieces notes what moved, after what was noted before.
func insertPieces(tx *db.Tx, o *Order, pieces []piece) error {
	if len(pieces) == 0 {
		return nil
	}
	var last int
	_, err := tx.One(`-- production.insertPieces last
		select coalesce(max(seq), 0) from work_order_move where company = :company and work_order_id = :id`,
		db.Args{"id": o.ID}, &last)
	if err != nil {
		return err
	}
	columns := "work_order_id, seq, completion, line, item_id, item, batch, batch_key, serial, serial_key, quantity, unit_cost"
	return tx.Insert("work_order_move", columns, len(pieces), func(i int) []any {
		p := &pieces[i]
		return []any{o.ID, last + 1 + i, p.completion, p.line, p.itemID, p.item, p.batch, record.Fold(p.batch),
			p.serial, record.Fold(p.serial), p.quantity, p.unitCost}
	})
}

// Completion is a part of a work order that was completed.
type Completion struct {
	Number             int     `db:"completion"`
	At                 db.Time `db:"completed_at"`
	Quantity, Scrapped dec.Dec
	Cost               dec.Dec
}

const completionColumns = "completion, completed_at, quantity, scrapped, cost"

var completionRow = db.Map[Completion](completionColumns)

// Completions are the parts of an order, the first one first.
func Completions(tx *db.Tx, o *Order) (list []Completion, err error) {
	return db.Rows(tx, `-- production.Completions
		select `+completionColumns+` from work_order_completion
		where company = :company and work_order_id = :id order by completion`, db.Args{"id": o.ID}, completionRow.Scan)
}

func insertCompletion(tx *db.Tx, o *Order, c *Completion) error {
	return tx.Insert("work_order_completion", completionColumns+", work_order_id", 1, func(int) []any {
		return append(completionRow.Of(c), o.ID)
	})
}

func lastCompletion(tx *db.Tx, o *Order) (int, error) {
	return db.Value[int](tx, `-- production.lastCompletion
		select coalesce(max(completion), 0) from work_order_completion where company = :company and work_order_id = :id`,
		db.Args{"id": o.ID})
}

// Filter says which work orders a list shows.
type Filter struct {
	Search string // in number and title
	Shown  string // what people see of it: also the output, and the sales order
	Status Status
	Type   Type
	Item   string // number of the output
	Order  string // number of the sales order
}

// List reads work orders, the newest first, with their components.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Order], error) {
	q := orders.Query("production.List")
	q.Key = []string{"id desc"}
	q.Sorts = map[string][]string{"number": {"number_key"}, "status": {"status", "number_key"}}
	q.Search("search", f.Search)
	q.SearchAny(f.Shown, "instr(search, {word}) > 0", "instr(item_key, {word}) > 0",
		"instr(fold(order_number), {word}) > 0")
	q.Given("status = :status", f.Status)
	q.Given("type = :type", f.Type)
	q.Given("item_id = (select i.id from item i where i.company = :company and i.number_key = :item)", record.Fold(f.Item))
	q.Given("order_id = (select s.id from sales_order s where s.company = :company and s.number_key = :order)", record.Fold(f.Order))
	return orders.List(tx, q, p)
}

// waitedFor are those of the items that a work order waits for.
func waitedFor(tx *db.Tx, items []string) ([]string, error) {
	return db.Column[string](tx, `-- production.waitedFor
		select i.id from item i where i.company = :company and i.id in (:items) and exists (select 1 from work_order_line l
			where l.company = :company and l.item_id = i.id and l.waiting > 0)`, db.Args{"items": items})
}

// allWaitedFor are all items that a work order waits for.
func allWaitedFor(tx *db.Tx) ([]string, error) {
	return db.Column[string](tx, `-- production.allWaitedFor whole
		select distinct item_id from work_order_line where company = :company and waiting > 0`, nil)
}

// waitingFor are the next orders that would get something if so much of each item were free, the earliest first. The
// sum of what stands before a component counts none beyond that, so that an absurdly large one cannot overflow it.
func waitingFor(tx *db.Tx, r reserving, free dec.Dec, most int) ([]waiting, error) {
	after := place{}
	if r.After != nil {
		after = *r.After
	}
	return db.Rows(tx, `-- production.waitingFor
		select distinct begins, id, number from (
			select w.begins, w.id, w.number, sum(case when l.waiting < :free then l.waiting else :free end) over (
					partition by l.item_id, w.warehouse order by w.begins, w.id, l.line rows unbounded preceding)
				- case when l.waiting < :free then l.waiting else :free end as ahead
			from work_order_line l join (select company, id, number, warehouse,
					coalesce(planned_from_at, created_at) as begins from work_order) w
				on w.company = l.company and w.id = l.work_order_id
			where l.company = :company and l.item_id in (:items) and l.waiting > 0) queue
		where ahead < :free and (begins, id) > (:begins, :id)
		order by begins, id limit :most`,
		db.Args{"items": r.Items, "free": free, "begins": int64(after.Begins), "id": after.ID, "most": most},
		func(r db.Row, w *waiting) error { return r.Scan(&w.Begins, &w.ID, &w.number) })
}

// OfOrder are the orders that are made for a sales order and were not given up.
func OfOrder(tx *db.Tx, orderID string) ([]string, error) {
	return db.Column[string](tx, `-- production.OfOrder
		select number from work_order where company = :company and order_id = :order and status <> 'Cancelled' order by id`,
		db.Args{"order": orderID})
}

// lineAt is a line of a sales order whose goods come into a warehouse.
type lineAt struct {
	line      int
	warehouse string
}

// comingFor is what open work orders will make for the lines of a sales order, in base units.
func comingFor(tx *db.Tx, orderID string) (map[lineAt]dec.Dec, error) {
	return db.Sums(tx, `-- production.comingFor
		select order_line, warehouse, planned - produced - scrapped from work_order
		where company = :company and order_id = :order and status not in ('Completed', 'Closed', 'Cancelled')`,
		db.Args{"order": orderID}, func(r db.Row, at *lineAt, q *dec.Dec) error {
			return r.Scan(&at.line, &at.warehouse, q)
		})
}

// openWith names an open work order that makes an item or takes it as a component; "" for none. Of all orders where all
// is set.
func openWith(tx *db.Tx, itemID string, all bool) (string, error) {
	over := []string{string(Completed), string(Closed), string(Cancelled)}
	if all {
		over = []string{""}
	}
	return db.Value[string](tx, `-- production.openWith
		select min(number) from (select w.number from work_order w where w.company = :company and w.item_id = :item
		and w.status not in (:over)
			union all select w.number from work_order_line l join work_order w on w.company = l.company and w.id = l.work_order_id
			where l.company = :company and l.item_id = :item and w.status not in (:over)) as found having min(number) is not null`,
		db.Args{"item": itemID, "over": over})
}

// held are the components an order has out of stock, by batch and serial number.
func (o *Order) held(tx *db.Tx) (pieces, error) {
	return db.Sums(tx, `-- production.held
		select item_id, batch_key, serial_key, quantity from work_order_move where company = :company and work_order_id = :id and line > 0`,
		db.Args{"id": o.ID}, func(r db.Row, k *pieceKey, q *dec.Dec) error {
			return r.Scan(&k.itemID, &k.batch, &k.serial, q)
		})
}

// itemsMadeToOrder are those of the items that a warehouse has made for orders alone: its supply policy is ToOrder, and
// it is, or else the item is, manufactured or assembled.
func itemsMadeToOrder(tx *db.Tx, items []string) (map[stock.Key]bool, error) {
	if len(items) == 0 {
		return map[stock.Key]bool{}, nil
	}
	return db.ByKey(tx, `-- production.itemsMadeToOrder
		select w.item_id, w.warehouse from item_warehouse w join item i on i.company = w.company and i.id = w.item_id
		where w.company = :company and w.item_id in (:items) and w.is_active = 1 and w.supply_policy = :toOrder
			and case when w.replenishment <> '' then w.replenishment else i.replenishment end in (:made)`,
		db.Args{"items": items, "toOrder": stock.ToOrder, "made": []string{string(catalog.Manufacture),
			string(catalog.Assembly)}}, func(r db.Row, k *stock.Key, is *bool) error {
			*is = true
			return r.Scan(&k.ItemID, &k.Warehouse)
		})
}
