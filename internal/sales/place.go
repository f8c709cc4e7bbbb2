package sales

import (
	"fmt"

	"kontor/internal/catalog"
	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/dec"
	"kontor/internal/fault"
	"kontor/internal/number"
	"kontor/internal/party"
	"kontor/internal/record"
	"kontor/internal/reference"
	"kontor/internal/stock"
)

// Placing is an order as a caller asks for it. What is left out comes from the customer, then from the company.
type Placing struct {
	Head
	Number            string // empty: the next of the series
	CustomerNumber    string
	CurrencyCode      string
	DeliveryAddressID string // of the customer, instead of Head.DeliveryAddress
	ChannelCode       string // of a web shop; empty for orders of the ERP and the integration API
	ChannelName       string
	Lines             []NewLine
	// Draft keeps the order in the ERP: nothing is reserved, and no API shows it, until PlaceDraft.
	Draft bool
}

// NewLine is a line as a caller asks for it: an item, or free text with a price.
type NewLine struct {
	Item                  string // number
	Description           string // empty: the item's name
	Quantity              dec.Dec
	Unit                  string   // empty: the item's sales unit, else its base unit
	UnitPrice             *dec.Dec // nil: priced by the rule
	IsPriceIncludingTax   bool     // of UnitPrice
	DiscountPercent       *dec.Dec // nil: the rule's, or none
	TaxCode               string   // empty: the item's, else the company's
	RequestedDeliveryDate day.Date
	WarehouseCode         string // empty: the order's
	ConfigurationNumber   string
	ExternalLineID        string
}

// maxLines is how many lines an order may have.
const maxLines = 5_000

// Place makes an order and reserves what there is for it. An order type that says autoRelease releases it at once.
// Everything that is wrong is reported together: Customer.NotFound, Customer.Inactive, Item.NotFound, Item.Inactive,
// SalesOrder.UnknownCode, SalesOrderLine.NoPrice and more; then SalesOrder.ExternalNumberExists,
// SalesOrder.AlreadyExists, and with stock.AllOrNothing Inventory.InsufficientStock.
func Place(tx *db.Tx, p Placing, m stock.Mode) (Order, error) {
	orders, err := PlaceMany(tx, []Placing{p}, m)
	if err != nil {
		return Order{}, err
	}
	return *orders[0], nil
}

// PlaceMany is Place for an import: all or none, with a constant number of statements for what the orders have in common.
// Stock is given out in the order of the slice. Lines with a price need no price look-up.
func PlaceMany(tx *db.Tx, ps []Placing, m stock.Mode) ([]*Order, error) {
	d, err := openDesk(tx, ps)
	if err != nil {
		return nil, err
	}
	orders := make([]*Order, len(ps))
	for i := range ps {
		path := ""
		if len(ps) > 1 {
			path = fmt.Sprintf("orders[%d].", i)
		}
		if orders[i], err = d.write(&ps[i], path); err != nil {
			return nil, err
		}
	}
	if err := d.wrong.Err(); err != nil {
		return nil, err
	}
	return orders, enter(tx, orders, m)
}

// enter reserves stock for new orders, numbers and stores them.
func enter(tx *db.Tx, orders []*Order, m stock.Mode) error {
	if err := takeExternalNumbers(tx, orders); err != nil {
		return err
	}
	var ws []want
	for _, o := range orders {
		if o.Status != Draft {
			ws = append(ws, wants(o)...)
		}
	}
	if err := reserve(tx, ws, m, func(want) {}); err != nil {
		return err
	}
	changes := make([]record.Change, len(orders))
	for i, o := range orders {
		derive(o, func(*Line) {})
		if err := insertNumbered(tx, o); err != nil {
			return err
		}
		changes[i] = record.Change{Root: &o.Root, Key: o.Number, Action: "created", After: o.logged(), Draft: o.Status == Draft}
	}
	if err := insertLines(tx, orders); err != nil {
		return err
	}
	if err := Orders.ReportMany(tx, changes); err != nil {
		return err
	}
	for _, o := range orders {
		if o.Status != Released {
			continue
		}
		now, err := announced(tx, o)
		if err != nil {
			return err
		}
		*o = now
	}
	return nil
}

// insertNumbered writes the head under the number the caller gave, or the next of the series that no caller took.
func insertNumbered(tx *db.Tx, o *Order) error {
	given := o.Number != ""
	for {
		if !given {
			n, err := number.Next(tx, "order", func(string) (bool, error) { return false, nil })
			if err != nil {
				return err
			}
			o.Number = n
		}
		written, err := insertOrder(tx, o)
		switch {
		case err != nil || written:
			return err
		case given:
			return ErrExists.Because("a sales order with the number %q exists already", o.Number)
		}
	}
}

// takeExternalNumbers makes sure that no other order has the external numbers of these.
func takeExternalNumbers(tx *db.Tx, orders []*Order) error {
	var named []*Order
	for _, o := range orders {
		if o.ExternalNumber != "" {
			named = append(named, o)
		}
	}
	if len(named) == 0 {
		return nil
	}
	taken, err := takeExternal(tx, named)
	if err != nil {
		return err
	}
	for _, o := range named {
		if other, ok := taken[externalKey(o)]; ok && other.id != o.ID {
			return ErrExternalExists.Because("order %s has the external order number %q of %s already; change that order, or send another number",
				other.shown(), o.ExternalNumber, scopeName(o.ExternalScope))
		}
	}
	return nil
}

func scopeName(scope string) string {
	if scope == "" {
		return "no scope"
	}
	return fmt.Sprintf("scope %q", scope)
}

// loggedOrder is what the activity row of a new order keeps: who ordered what, for how much.
type loggedOrder struct {
	Head
	CustomerNumber, CurrencyCode string
	Status                       Status
	TotalAmount, TotalVAT        dec.Dec
	Lines                        []loggedLine
}

type loggedLine struct {
	Number    int
	Item      string
	Quantity  dec.Dec
	UnitPrice dec.Dec
	Allocated dec.Dec
}

func (o *Order) logged() loggedOrder {
	out := loggedOrder{Head: o.Head, CustomerNumber: o.CustomerNumber, CurrencyCode: o.CurrencyCode, Status: o.Status,
		TotalAmount: o.TotalAmount, TotalVAT: o.TotalVAT, Lines: make([]loggedLine, 0, min(len(o.Lines), maxLogged))}
	for i := range o.Lines[:min(len(o.Lines), maxLogged)] {
		l := &o.Lines[i]
		out.Lines = append(out.Lines, loggedLine{l.Number, cmpOr(l.Item, l.Description), l.Quantity, l.UnitPrice, l.Allocated})
	}
	return out
}

// desk is where orders are written up: what they name, read once for all of them, and everything that is wrong.
type desk struct {
	tx        *db.Tx
	book      *reference.Book
	customers map[string]party.Customer // by folded number
	items     map[string]catalog.Item   // by folded number
	addresses map[string]*party.Address // default address by customer id
	wrong     fault.List
}

func openDesk(tx *db.Tx, ps []Placing) (*desk, error) {
	var customers, items []string
	for i := range ps {
		customers = append(customers, ps[i].CustomerNumber)
		for j := range ps[i].Lines {
			if n := ps[i].Lines[j].Item; n != "" {
				items = append(items, n)
			}
		}
	}
	d, err := deskFor(tx, items)
	if err != nil {
		return nil, err
	}
	d.customers, err = party.FindMany(tx, customers)
	return d, err
}

// deskFor is a desk that knows the items named.
func deskFor(tx *db.Tx, items []string) (*desk, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	d := &desk{tx: tx, book: book, addresses: map[string]*party.Address{}}
	if len(items) > 0 {
		d.items, err = catalog.FindMany(tx, items)
	}
	return d, err
}

// write makes the order of a placing, noting what is wrong with it under path.
func (d *desk) write(p *Placing, path string) (*Order, error) {
	o := &Order{Root: record.New(d.tx), Number: p.Number, Head: p.Head, Status: Placed, PlacedAt: d.tx.Now,
		ChannelCode: p.ChannelCode, ChannelName: p.ChannelName, NextLine: 1}
	c, known := d.customers[record.Fold(p.CustomerNumber)]
	switch {
	case !known:
		d.wrong.Add(party.ErrNotFound, path+"customerNumber", "no customer has the number %q", p.CustomerNumber)
	case !c.IsActive:
		d.wrong.Add(party.ErrInactive, path+"customerNumber", "customer %s is inactive and cannot be placed on new orders; activate it first", c.Number)
	}
	o.CustomerID, o.CustomerNumber, o.CustomerName = c.ID, c.Number, c.Name
	d.terms(o, &c, p.CurrencyCode, path)
	if known {
		if err := d.address(o, &c, p.DeliveryAddressID, path); err != nil {
			return nil, err
		}
	}
	if t, ok := d.book.OrderType(o.OrderTypeCode); ok && t.AutoRelease {
		o.Status = Released
	}
	if p.Draft {
		o.Status, o.PlacedAt = Draft, 0
	}
	if len(p.Lines) == 0 || len(p.Lines) > maxLines {
		d.wrong.Add(ErrInvalid, path+"lines", "an order has 1 to %d lines, not %d", maxLines, len(p.Lines))
	}
	if err := d.lines(o, &c, p.Lines, path); err != nil {
		return nil, err
	}
	return o, nil
}
