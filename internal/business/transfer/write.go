package transfer

import (
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// New is what a caller says about a transfer to be made. Without a number it gets the next of the series.
type New struct {
	Number string
	Head
	Lines []NewLine
}

// NewLine is a line to be put on a transfer.
type NewLine struct {
	Item     string // number
	Quantity dec.Dec
}

// Create writes a draft: nothing is reserved before it is released. Refusals (400): Warehouse.NotFound,
// Transfer.SameWarehouse, Inventory.LocationInactive for a destination that is closed, Transfer.UnknownCode,
// Item.NotFound, Inventory.ItemNotStocked, TransferLine.Invalid, Quantity.TooManyDecimals, Quantity.TooLarge; (409)
// Transfer.AlreadyExists.
func Create(tx *db.Tx, n New) (Transfer, error) {
	t := Transfer{Number: n.Number, Status: Draft, Head: n.Head}
	if err := t.compose(tx, n.Lines, nil); err != nil {
		return t, err
	}
	return t, transfers.Create(tx, &t)
}

// Drawn is a draft while it is being changed.
type Drawn struct {
	Head
	Lines []NewLine
}

// Change lays edit over a draft; lines are replaced as a whole. Refusals: Transfer.NotFound, Transfer.InvalidStatus and
// those of Create.
func Change(tx *db.Tx, transferNumber string, edit func(*Drawn) error) (Transfer, error) {
	t, before, err := transfers.Begin(tx, transferNumber, "change")
	if err != nil {
		return t, err
	}
	d := Drawn{Head: t.Head}
	for _, l := range t.Lines {
		d.Lines = append(d.Lines, NewLine{l.Item, l.Quantity})
	}
	if err := edit(&d); err != nil {
		return t, err
	}
	t.Head = d.Head
	if err := t.compose(tx, d.Lines, &before); err != nil {
		return t, err
	}
	return t, transfers.Changed(tx, before, &t)
}

// compose writes head and lines up, and says everything that is wrong with them. A code that was on the transfer before
// stays good.
func (t *Transfer) compose(tx *db.Tx, lines []NewLine, before *Transfer) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var wrong fault.List
	t.codes(book, &wrong, before)
	numbers := each.Of(lines, func(l NewLine) string { return l.Item })
	items, err := catalog.ReferMany(tx, numbers)
	if err != nil {
		return err
	}
	wrong.If(len(lines) > MaxLines, ErrInvalid, "lines", "a transfer has at most %d lines; write another one", MaxLines)
	t.Lines = nil
	for i, n := range lines {
		at := fmt.Sprintf("lines[%d].", i)
		item, known := items[record.Fold(n.Item)]
		switch {
		case !known:
			wrong.Add(catalog.ErrNotFound, at+"itemNumber", "there is no item %s", n.Item)
		case item.Type != catalog.Stock:
			wrong.Add(stock.ErrNotStocked, at+"itemNumber", "item %s is of type %s and is not kept in stock",
				item.Number, item.Type)
		}
		l := Line{Number: i + 1, ItemID: item.ID, Item: item.Number, ItemName: item.Name, Unit: item.BaseUnit,
			Decimals: item.DecimalPlaces, Quantity: n.Quantity}
		if known {
			l.check(&wrong, at, n.Quantity)
		}
		t.Lines = append(t.Lines, l)
	}
	t.derive()
	return wrong.Err()
}

// codes holds the warehouses and the shipping method against the company's.
func (t *Transfer) codes(book *reference.Book, wrong *fault.List, before *Transfer) {
	for _, w := range []struct {
		field string
		code  *string
	}{{"fromWarehouseCode", &t.From}, {"toWarehouseCode", &t.To}} {
		found, ok := book.Warehouse(*w.code)
		if !ok {
			wrong.Add(reference.ErrWarehouseNotFound, w.field,
				"there is no warehouse %s: GET /preview/reference/warehouses lists them", *w.code)
			continue
		}
		if *w.code = found.Code; w.code == &t.To && !found.IsActive {
			wrong.Add(stock.ErrClosed, w.field, "warehouse %s is inactive: goods may only leave it", found.Code)
		}
	}
	wrong.If(record.Fold(t.From) == record.Fold(t.To), ErrSameWarehouse, "toWarehouseCode",
		"the goods are in %s already: name another warehouse", t.To)
	if t.ShippingMethod == "" {
		return
	}
	m, ok := book.ShippingMethod(t.ShippingMethod)
	if ok && (m.IsActive || before != nil && before.ShippingMethod == m.Code) {
		t.ShippingMethod = m.Code
		return
	}
	wrong.Add(ErrUnknownCode, "shippingMethodCode", "%q is no %s; GET /preview/reference/%s lists them",
		t.ShippingMethod, "active shipping method", "shipping-methods")
}

// check notes what is wrong with a quantity of a line.
func (l *Line) check(wrong *fault.List, at string, q dec.Dec) {
	switch {
	case q <= 0:
		wrong.Add(ErrLineInvalid, at+"quantity", "must be above 0")
	case q.Decimals() > l.Decimals:
		wrong.Add(catalog.ErrTooManyDecimals, at+"quantity", "item %s is counted with at most %d decimals", l.Item,
			l.Decimals)
	}
	limit.Quantity.Check(wrong, at+"quantity", q)
}

// save derives, writes the transfer and reports the verb with what it changed.
func save(tx *db.Tx, t *Transfer, before Transfer, verb string) error {
	t.derive()
	if t.Status == Received && t.ReceivedAt == 0 {
		t.ReceivedAt = tx.Now
	}
	return transfers.Act(tx, verb, before, t)
}

// tell lets the destination know what is to come. It is the last word of a verb: levels are locked.
func (t *Transfer) tell(tx *db.Tx) error {
	return stock.Expect(tx, stock.RefTransfer, t.Number, t.expectations())
}

// itemsOf are the items of the lines, by id.
func (t *Transfer) itemsOf(tx *db.Tx) (map[string]catalog.Item, error) {
	ids := each.Of(t.Lines, func(l Line) string { return l.ItemID })
	return catalog.FindByID(tx, ids)
}
