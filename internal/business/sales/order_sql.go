package sales

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
)

// headColumns are the columns of an order besides its root.
const headColumns = `number, status, customer_id, customer, customer_name, currency, digits, channel, channel_name, language,
	reference, order_date, requested_on, order_type, order_type_name, warehouse, warehouse_name, payment_term, payment_term_name,
	delivery_term, delivery_term_name, shipping_method, shipping_method_name, delivery_address, invoice_address,
	external_number, external_scope, ship_together, notes, internal_notes, placed_at, given_up, next_line,
	delivery_status, invoiced_status, delivered_percent, planned_on, total_amount, total_vat, line_count`

const lineColumns = `line, item_id, item, description, type, decimals, quantity, unit, factor,
	unit_price, is_manual_price, includes_tax, price_list, discount_percent, discount_amount, keeps_discount, tax_code,
	tax_percent, line_total, tax_amount,
	allocated, on_shipment, delivered, returned, returned_unbilled, invoiced, invoiced_amount,
	requested_on, planned_on, warehouse, configuration, external_line`

var (
	headRow = db.Map[Order](headColumns)
	lineRow = db.Map[Line](lineColumns)
)

func (o *Order) search() string { return record.SearchText(o.Number, o.CustomerReference) }

// Find reads an order with its lines. Refuses with SalesOrder.NotFound.
func Find(tx *db.Tx, number string) (Order, error) {
	found, err := read(tx, `-- sales.Find
		select `+record.RootColumns+`, `+headColumns+`, shipments, invoices from sales_order
		where company = :company and number_key in (:keys)`, db.Args{"keys": record.Fold(number)})
	if err != nil {
		return Order{}, err
	}
	if len(found) == 0 {
		return Order{}, notFound(number)
	}
	return *found[0], nil
}

func notFound(number string) error {
	return ErrNotFound.Because("no sales order has the number %q", number)
}

// FindMany reads orders with their lines by folded number; unknown ones are missing from the answer.
func FindMany(tx *db.Tx, numbers []string) (map[string]*Order, error) {
	found, err := read(tx, `-- sales.FindMany
		select `+record.RootColumns+`, `+headColumns+`, shipments, invoices from sales_order
		where company = :company and number_key in (:keys)`,
		db.Args{"keys": record.FoldAll(numbers)})
	return byNumber(found), err
}

// LanguageOf is the language in which the first of these orders was placed of which one is known, in the order they
// were made; "" where none is.
func LanguageOf(tx *db.Tx, numbers []string) (string, error) {
	if len(numbers) == 0 {
		return "", nil
	}
	return db.Value[string](tx, `-- sales.LanguageOf
		select language from sales_order where company = :company and number_key in (:keys) and language <> ''
		order by id limit 1`, db.Args{"keys": record.FoldAll(numbers)})
}

// Lock reads orders with their lines by folded number and locks their roots in the order of their ids. Unknown ones
// are missing from the answer.
func Lock(tx *db.Tx, numbers []string) (map[string]*Order, error) {
	found, err := read(tx, `-- sales.Lock
		select `+record.RootColumns+`, `+headColumns+`, shipments, invoices from sales_order
		where company = :company and number_key in (:keys) order by id for update`,
		db.Args{"keys": record.FoldAll(numbers)})
	if err == nil {
		err = each.Do(found, func(o *Order) error { return o.Fresh(tx) })
	}
	return byNumber(found), err
}

// LockOne is Lock of one order. SalesOrder.NotFound.
func LockOne(tx *db.Tx, number string) (*Order, error) {
	found, err := Lock(tx, []string{number})
	if err != nil {
		return nil, err
	}
	o := found[record.Fold(number)]
	if o == nil {
		return nil, notFound(number)
	}
	return o, nil
}

// LockIDs is Lock by id; the orders come in the order of their ids.
func LockIDs(tx *db.Tx, ids []string) ([]*Order, error) {
	return read(tx, `-- sales.LockIDs
		select `+record.RootColumns+`, `+headColumns+`, shipments, invoices from sales_order
		where company = :company and id in (:ids) order by id for update`, db.Args{"ids": ids})
}

// UnbilledOf reads the orders of a customer of which something may still be invoiced, with their lines.
func UnbilledOf(tx *db.Tx, customerNumber string) ([]*Order, error) {
	return read(tx, `-- sales.UnbilledOf
		select `+record.RootColumns+`, `+headColumns+`, shipments, invoices from sales_order
		where company = :company and customer_key = :customer and status in (:open) and invoiced_status <> :all order by id`,
		db.Args{"customer": record.Fold(customerNumber), "open": []string{string(Placed), string(Released),
			string(Closed)}, "all": FullyInvoiced})
}

func byNumber(orders []*Order) map[string]*Order {
	return each.By(orders, func(o *Order) string { return record.Fold(o.Number) })
}

// read reads the orders of a query and their lines.
func read(tx *db.Tx, query string, a db.Args) ([]*Order, error) {
	var orders []*Order
	err := tx.Each(query, a, func(r db.Row) error {
		o := &Order{}
		orders = append(orders, o)
		var shipments, invoices string
		dest := append(append(o.Root.Scan(), headRow.Of(o)...), &shipments, &invoices)
		err := r.Scan(dest...)
		o.ShipmentNumbers, o.InvoiceNumbers = numbersOf(shipments), numbersOf(invoices)
		return err
	})
	if err != nil || len(orders) == 0 {
		return nil, err
	}
	return orders, readLines(tx, orders)
}

func readLines(tx *db.Tx, orders []*Order) error {
	ids, byID := make([]string, len(orders)), make(map[string]*Order, len(orders))
	for i, o := range orders {
		ids[i], byID[o.ID] = o.ID, o
		o.Lines = make([]Line, 0, o.LineCount)
	}
	var id string
	return tx.Each(`-- sales.readLines
		select `+lineColumns+`, order_id from sales_order_line where company = :company and order_id in (:ids) order by order_id, line`,
		db.Args{"ids": ids}, func(r db.Row) error {
			var l Line
			if err := r.Scan(append(lineRow.Of(&l), &id)...); err != nil {
				return err
			}
			l.BaseQuantity = l.Base(l.Quantity)
			o := byID[id]
			o.Lines = append(o.Lines, l)
			return nil
		})
}

// insertOrders writes the heads of new orders and counts those whose number was free.
func insertOrders(tx *db.Tx, orders []*Order) (written int64, err error) {
	return tx.InsertNew("sales_order", record.RootColumns+
		", number_key, customer_key, channel_key, search, shipments, invoices, "+headColumns, len(orders),
		func(i int) []any {
			o := orders[i]
			return append(append(o.Root.Scan(), record.Fold(o.Number), record.Fold(o.CustomerNumber),
				record.Fold(o.ChannelCode), o.search(), columnOf(o.ShipmentNumbers), columnOf(o.InvoiceNumbers)),
				headRow.Of(o)...)
		}, "on conflict (company, number_key) do nothing")
}

// takenNumbers are those of new orders whose number another order has.
func takenNumbers(tx *db.Tx, orders []*Order) (taken []*Order, err error) {
	byKey := make(map[string]*Order, len(orders))
	keys := make([]string, len(orders))
	for i, o := range orders {
		keys[i] = record.Fold(o.Number)
		if byKey[keys[i]] != nil {
			taken = append(taken, o)
		}
		byKey[keys[i]] = o
	}
	err = db.Each2(tx, `-- sales.takenNumbers
		select id, number_key from sales_order where company = :company and number_key in (:keys)`,
		db.Args{"keys": keys}, func(id, key string) error {
			if o := byKey[key]; o != nil && o.ID != id {
				taken = append(taken, o)
			}
			return nil
		})
	return taken, err
}

var updateHead = `-- sales.updateHead
	update sales_order set search = :search, ` + headRow.Set() + ` where company = :company and id = :id`

// writeHead writes every column of the head again.
func writeHead(tx *db.Tx, o *Order) error {
	return tx.Run(updateHead, headRow.Args(o, db.Args{"id": o.ID, "search": o.search()}))
}

// insertLines writes the lines of new orders.
func insertLines(tx *db.Tx, orders []*Order) error {
	var rows []want
	for _, o := range orders {
		for i := range o.Lines {
			rows = append(rows, want{order: o, line: &o.Lines[i]})
		}
	}
	return tx.Later(func() error {
		return tx.Insert("sales_order_line", allLineColumns, len(rows), func(i int) []any { return rows[i].values() })
	})
}

// writeLines writes every column of lines again, or new lines.
func writeLines(tx *db.Tx, rows []want) error {
	return tx.Upsert("sales_order_line", allLineColumns, len(rows), func(i int) []any { return rows[i].values() },
		replaceLine)
}

const allLineColumns = lineColumns + ", order_id, waiting, wanted_on"

func (w want) values() []any {
	return append(lineRow.Of(w.line), w.order.ID, waiting(w.order, w.line), wanted(w.order, w.line))
}

var replaceLine = db.Overwriting("order_id, line", allLineColumns)

func deleteLines(tx *db.Tx, o *Order, lines []int64) error {
	if len(lines) == 0 {
		return nil
	}
	return tx.Delete(db.Args{"order_id": o.ID, "line": lines}, "sales_order_line")
}

// quantityColumns are what a booking changes on a line.
const quantityColumns = `order_id, line, allocated, on_shipment, delivered, returned, returned_unbilled, invoiced,
	invoiced_amount, planned_on, waiting, wanted_on`

// writeQuantities writes the touched lines of all bookings in one go, and the heads that changed.
func writeQuantities(tx *db.Tx, bookings []*booking) error {
	var rows []want
	for _, b := range bookings {
		for i := range b.order.Lines {
			if l := &b.order.Lines[i]; b.touched(l.Number) {
				rows = append(rows, want{order: b.order, line: l})
			}
		}
	}
	_, err := tx.Update("sales_order_line", quantityColumns, 2, len(rows), func(i int) []any {
		o, l := rows[i].order, rows[i].line
		return []any{o.ID, l.Number, l.Allocated, l.OnShipment, l.Delivered, l.Returned, l.ReturnedUnbilled, l.Invoiced,
			l.InvoicedAmount, l.PlannedDeliveryDate, waiting(o, l), wanted(o, l)}
	})
	if err != nil {
		return err
	}
	changed := each.Where(bookings, (*booking).headChanged)
	return writeDerived(tx, each.Of(changed, func(b *booking) *Order { return b.order }))
}

// writeDerived writes what derive makes of the heads of orders.
func writeDerived(tx *db.Tx, orders []*Order) error {
	_, err := tx.Update("sales_order", `id, status, given_up, placed_at, delivery_status, invoiced_status,
		delivered_percent, planned_on, total_amount, total_vat, line_count`, 1, len(orders), func(i int) []any {
		o := orders[i]
		return []any{o.ID, o.Status, o.GivenUp, o.PlacedAt, o.Delivery, o.Invoicing,
			o.DeliveredPercent, o.PlannedDeliveryDate, o.TotalAmount, o.TotalVAT, o.LineCount}
	})
	return err
}

// readAfter reads the next orders by id.
func readAfter(tx *db.Tx, id string) ([]*Order, error) {
	return read(tx, `-- sales.readAfter
		select `+record.RootColumns+`, `+headColumns+`, shipments, invoices from sales_order
		where company = :company and id > :id order by id limit 500`, db.Args{"id": id})
}
