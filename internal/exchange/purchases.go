package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kontor/internal/business/purchasing"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// purchaseHeads are the columns of a purchase order's head, which stand in each row of its lines, in the first of them,
// or in a table of their own.
var purchaseHeads = []string{"supplierNumber", "supplierReference", "orderDate", "currencyCode", "warehouseCode",
	"status", "taxAmount", "freightAmount", "notes", "netAmount"}

// purchaseKind is a row for each line of a purchase order of the past. What came of a line at another time, to another
// place or of another batch stands in rows of its own: they name the line, and no quantity.
func purchaseKind() kind {
	return kind{name: "purchase-orders", shownKey: []string{"orderNumber", "lineNumber", "itemNumber"},
		duplicate: purchasing.ErrLineInvalid, booker: func() booker { return &purchases{} }, export: exportPurchases,
		fields: []field{
			must(column(code, "orderNumber", "purchaseOrderNumber", "purchaseOrderId", "purchaseOrder", "poNumber")),
			column(code, "supplierNumber", "supplier", "supplierId", "vendor", "vendorNumber", "vendorId"),
			column(nameText, "supplierReference"),
			date("orderDate"),
			column(code, "currencyCode", "currency"),
			column(code, "warehouseCode", "warehouse"),
			column(code, "status"),
			number("taxAmount", "tax", "taxAmt"),
			number("freightAmount", "freight"),
			column(note, "notes", "note", "comment"),
			shown(number("netAmount", "subTotal", "total")),
			number("lineNumber", "line"),
			column(code, "itemNumber", "sku", "item", "articleNumber", "productCode", "productId", "stockCode"),
			column(nameText, "description", "itemName"),
			number("quantity", "orderQty", "orderedQuantity", "qty"),
			number("unitPrice", "price"),
			date("expectedDeliveryDate", "expectedDate", "dueDate"),
			number("confirmedQuantity"),
			date("confirmedDate"),
			number("receivedQuantity", "receivedQty", "stockedQty"),
			date("receivedDate", "receiptDate"),
			column(code, "locationCode", "location", "bin"),
			column(code, "batchNumber", "batch", "lot"),
			column(manyText, "serialNumbers", "serials"),
			shown(number("lineTotal")),
		}}
}

// purchases books purchase orders of the past, each whole and in one transaction: one that is there is left alone.
type purchases struct {
	plain
	stay, close bool
	apart       *sheet          // heads in a table of their own
	apartBy     map[string]*row // by folded order number
	first       heads
	sum         purchaseSum
}

// open opens the table of heads, if there is one, and answers which columns of the lines' table were mapped: a column
// is looked for in both.
func (p *purchases) open(lines *table.Reader, k *kind, o Options) (map[string]string, error) {
	p.stay, p.close = o.Stay, o.Close
	if o.Heads == nil {
		return o.Mapping, nil
	}
	ofHeads, ofLines := map[string]string{}, map[string]string{}
	for to, from := range o.Mapping {
		name, _ := k.target(to)
		isHead := slices.Contains(purchaseHeads, name) || name == "orderNumber"
		if isHead && o.Heads.Index(from) >= 0 {
			ofHeads[to] = from
		}
		if lines.Index(from) >= 0 && (!isHead || name == "orderNumber") || ofHeads[to] == "" {
			ofLines[to] = from
		}
	}
	var err error
	if p.apart, err = openSheet(o.Heads, k, ofHeads, false); err != nil {
		return nil, fmt.Errorf("the table of heads: %w", err)
	}
	p.apart.comma = o.Comma
	return ofLines, nil
}

// prepare reads the heads that stand in a table of their own.
func (p *purchases) prepare(*db.Tx, *sheet) error {
	p.first, p.apartBy = newHeads("orderNumber", purchaseHeads...), map[string]*row{}
	if p.apart == nil {
		return nil
	}
	for {
		r, err := p.apart.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the table of heads: %w", err)
		}
		key := record.Fold(r.get("orderNumber"))
		if other := p.apartBy[key]; r.err == nil && other != nil {
			r.refuse(fault.ErrInvalid.Because("the table of heads names order %s in row %d and in row %d: name it once",
				r.get("orderNumber"), other.line, r.line))
		}
		p.apartBy[key] = r
	}
}

func (p *purchases) admit(r *row) error {
	if head := p.apartBy[p.whole(r)]; head != nil && head.err != nil {
		return head.err
	}
	if err := p.first.admit(r); err != nil {
		return err
	}
	p.sum.add(p, r)
	return nil
}

func (p *purchases) key(r *row) string {
	if n := r.get("lineNumber"); n != "" && r.get("quantity") != "" {
		return p.whole(r) + "\n" + n
	}
	return fmt.Sprint(p.whole(r), "\n\n", r.line)
}

// whole is the order that a row is a line of.
func (*purchases) whole(r *row) string { return record.Fold(r.get("orderNumber")) }

func (p *purchases) book(tx *db.Tx, rows []*row) error {
	groups := p.first.groups(rows)
	numbers := each.Of(groups, func(g []*row) string { return g[0].get("orderNumber") })
	known, err := purchasing.KnownOrders(tx, numbers)
	if err != nil {
		return err
	}
	var past []purchasing.Past
	var of [][]*row
	for _, g := range groups {
		next, err := p.read(g)
		if err != nil {
			refuseAll(g, g[0], err)
			continue
		}
		if there, ok := known[p.whole(g[0])]; ok {
			for _, r := range g {
				if record.Fold(there.Supplier) != record.Fold(next.SupplierNumber) {
					r.refuse(purchasing.ErrOrderExists.Because("a purchase order %s to supplier %s exists already",
						there.Number, there.Supplier))
				}
				r.became(unchanged)
			}
			continue
		}
		past, of = append(past, next), append(of, g)
	}
	refused, err := purchasing.EnterPast(tx, past, p.stay)
	if err != nil {
		return err
	}
	for n, g := range of {
		if refused[n] != nil {
			refuseAll(g, g[0], refused[n])
			continue
		}
		for _, r := range g {
			r.became(created)
		}
	}
	return nil
}

// read makes an order of the rows of its lines.
func (p *purchases) read(rows []*row) (purchasing.Past, error) {
	o := purchasing.Past{Closes: p.close}
	o.Number = rows[0].get("orderNumber")
	if err := p.head(rows[0], &o); err != nil {
		return o, err
	}
	numbered, at := 0, map[int]int{}
	for _, r := range rows {
		l, err := pastLine(r)
		if err != nil {
			return o, err
		}
		i, again := at[l.number]
		if again = again && l.number > 0 && r.get("quantity") == ""; !again {
			i = len(o.Lines)
			o.Lines, o.Numbers = append(o.Lines, l.NewLine), append(o.Numbers, l.number)
			at[l.number] = i
		}
		if l.number > 0 && !again {
			numbered++
		}
		if l.confirmed != nil && !again {
			o.Confirmed = append(o.Confirmed, purchasing.ConfirmedLine{Line: i, Quantity: *l.confirmed,
				Date: l.confirmedOn})
		}
		if l.arrived.Quantity == 0 {
			continue
		}
		l.arrived.Line, l.arrived.On = i, cmp.Or(l.arrived.On, max(o.OrderDate, o.Lines[i].ExpectedDate))
		o.Arrived = append(o.Arrived, l.arrived)
	}
	switch numbered {
	case 0:
		o.Numbers = nil
	case len(o.Lines):
	default:
		return o, fault.ErrInvalid.At("lineNumber", "is missing in some rows of order %s: number all lines or none",
			o.Number)
	}
	return o, nil
}

// head reads what the rows of an order, or the table of heads, say of it.
func (p *purchases) head(r *row, o *purchasing.Past) error {
	sources := []*row{p.first.of(r)}
	if apart := p.apartBy[p.whole(r)]; apart != nil {
		sources = append(sources, apart)
	}
	for _, from := range sources {
		c := from.cells()
		c.given("supplierNumber", &o.SupplierNumber)
		c.given("supplierReference", &o.SupplierReference)
		if from.get("orderDate") != "" {
			c.date("orderDate", &o.OrderDate)
		}
		c.given("currencyCode", &o.CurrencyCode)
		c.given("warehouseCode", &o.WarehouseCode)
		o.Status = statusOf(from, o.Status)
		c.number("taxAmount", &o.Tax)
		c.number("freightAmount", &o.Freight)
		c.given("notes", &o.Notes)
		if err := c.wrong.Err(); err != nil {
			return err
		}
	}
	var wrong fault.List
	wrong.If(o.SupplierNumber == "", fault.ErrInvalid, "supplierNumber", "is empty: every order is one supplier's")
	wrong.If(o.OrderDate == "", fault.ErrInvalid, "orderDate", "is empty: an order of the past has its day")
	return wrong.Err()
}

// statusOf is the status that a row says an order has. Those of other programs say nothing: then it follows from the
// lines, as it does from Sent to Received.
func statusOf(r *row, otherwise purchasing.OrderStatus) purchasing.OrderStatus {
	i := slices.IndexFunc(otherwise.Values(), func(s purchasing.OrderStatus) bool {
		return strings.EqualFold(string(s), r.get("status"))
	})
	if i < 0 {
		return otherwise
	}
	return otherwise.Values()[i]
}

// pastRow is what a row says of a line.
type pastRow struct {
	purchasing.NewLine
	number      int // 0 = none is given
	confirmed   *dec.Dec
	confirmedOn day.Date
	arrived     purchasing.PastArrival
}

// pastLine reads a row of a line.
func pastLine(r *row) (l pastRow, err error) {
	c := r.cells()
	l.Item, l.Description = r.get("itemNumber"), r.get("description")
	c.number("quantity", &l.Quantity)
	c.optional("unitPrice", &l.UnitPrice)
	c.date("expectedDeliveryDate", &l.ExpectedDate)
	c.optional("confirmedQuantity", &l.confirmed)
	c.date("confirmedDate", &l.confirmedOn)
	c.whole("lineNumber", &l.number)
	c.wrong.If(r.get("lineNumber") != "" && l.number < 1 && c.wrong.Empty(), fault.ErrInvalid, "lineNumber",
		"must be above 0")
	a := &l.arrived
	c.number("receivedQuantity", &a.Quantity)
	c.date("receivedDate", &a.On)
	a.Location, a.Batch = r.get("locationCode"), r.get("batchNumber")
	c.list("serialNumbers", &a.Serials)
	return l, c.wrong.Err()
}
