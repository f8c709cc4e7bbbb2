package sales

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/number"
	"kontor/internal/foundation/record"
)

// Placing is an order as a caller asks for it. What is left out comes from the customer, then from the company.
type Placing struct {
	Head
	Number            string // empty: the next of the series
	CustomerNumber    string
	Known             *party.Customer // the customer, where this transaction holds it already: party.ReferMany
	CurrencyCode      string
	DeliveryAddressID string // of the customer, instead of Head.DeliveryAddress
	ChannelCode       string // of a web shop; empty for orders of the ERP and the integration API
	ChannelName       string
	Language          string  // BCP 47, in which the buyer placed it; empty where that is not known
	At                db.Time // when it was placed; 0 = now
	Lines             []NewLine
	// Unreleased keeps the order Placed although its type releases by itself: it waits for its money.
	Unreleased bool
}

// NewLine is a line as a caller asks for it: an item, or free text with a price.
type NewLine struct {
	Item                  string        // number
	Known                 *catalog.Item // it, where this transaction has read it
	Description           string        // empty: the item's name
	Quantity              dec.Dec
	Unit                  string   // empty: the item's sales unit, else its base unit
	UnitPrice             *dec.Dec // nil: priced by the rule
	IsPriceIncludingTax   bool     // of UnitPrice
	PriceListCode         string   // that UnitPrice was read from when it was agreed
	DiscountPercent       *dec.Dec // nil: the rule's, or none
	DiscountAmount        *dec.Dec // instead, in the terms of UnitPrice, which is given then
	TaxCode               string   // empty: the item's, else the company's
	RequestedDeliveryDate day.Date
	WarehouseCode         string // empty: the order's
	ConfigurationNumber   string
	ExternalLineID        string
	MayWait               bool // for stock, though the order is placed with stock.AllOrNothing
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

// PlaceMany is Place for an import: all or none, with a constant number of statements for what the orders have in
// common.
// Stock is given out in the order of the slice. Lines with a price need no price look-up.
func PlaceMany(tx *db.Tx, ps []Placing, m stock.Mode) ([]*Order, error) {
	orders, err := compose(tx, ps)
	if err != nil {
		return nil, err
	}
	return orders, Enter(tx, orders, m)
}

// Compose writes up orders that are to leave the house at once: an imported history, a sale over the counter. They are
// checked and numbered as by PlaceMany, but neither stored nor reserved for. What is then done to them in this
// transaction (goods dispatched, invoices made) is kept in memory, and Enter stores each order once, as what it has
// become. Nobody finds them before that. Refusals: those of Place.
func Compose(tx *db.Tx, ps []Placing) ([]*Order, error) {
	orders, err := compose(tx, ps)
	if err != nil {
		return nil, err
	}
	return orders, renumber(tx, orders)
}

func compose(tx *db.Tx, ps []Placing) ([]*Order, error) {
	d, err := openEntry(tx, ps, false)
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
	if err := takeExternalNumbers(tx, orders); err != nil {
		return nil, err
	}
	var unnumbered []*Order
	for _, o := range orders {
		derive(o, func(*Line) {})
		o.fresh = &fresh{configured: d.chosen}
		if o.Number == "" {
			unnumbered = append(unnumbered, o)
		}
	}
	return orders, draw(tx, unnumbered)
}

// draw gives orders the next numbers of the series.
func draw(tx *db.Tx, orders []*Order) error {
	drawn, err := number.NextMany(tx, "order", len(orders))
	for i, n := range drawn {
		orders[i].Number, orders[i].fresh.drawn = n, true
	}
	return err
}

// renumber draws again for orders whose drawn number a caller has given to another order, before anybody notes it.
func renumber(tx *db.Tx, orders []*Order) error {
	for {
		taken, err := takenNumbers(tx, orders)
		if err != nil || len(taken) == 0 {
			return err
		}
		for _, o := range taken {
			if !o.fresh.drawn {
				return numberTaken(o)
			}
		}
		if err := draw(tx, taken); err != nil {
			return err
		}
		orders = taken
	}
}

func numberTaken(o *Order) error {
	return ErrExists.Because("a sales order with the number %q exists already", o.Number)
}

// Enter reserves what orders from Compose want still and stores them, each with all that was done to it since.
// Refusals:
// SalesOrder.AlreadyExists, and with stock.AllOrNothing Inventory.InsufficientStock.
func Enter(tx *db.Tx, orders []*Order, m stock.Mode) error {
	var ws []want
	for _, o := range orders {
		ws = append(ws, wants(o)...)
	}
	if err := reserve(tx, ws, m, func(want) {}); err != nil {
		return err
	}
	for _, o := range orders {
		derive(o, func(*Line) {})
		o.Revised(tx, len(o.fresh.acts))
	}
	if err := insertHeads(tx, orders); err != nil {
		return err
	}
	if err := insertLines(tx, orders); err != nil {
		return err
	}
	if err := each.Do(orders, func(o *Order) error { return o.ordered(tx, o.fresh.configured) }); err != nil {
		return err
	}
	changes := make([]record.Change, len(orders))
	for i, o := range orders {
		changes[i] = record.Change{Root: &o.Root, Key: o.Number, Action: "created", After: o.loggedAtFirst(),
			Then: o.fresh.acts}
		o.fresh = nil
	}
	if err := Orders.ReportMany(tx, changes); err != nil {
		return err
	}
	return announce(tx, orders)
}

// insertHeads writes the heads of new orders. A number that was drawn but that a caller has given to another order is
// drawn again, unless documents name it already.
func insertHeads(tx *db.Tx, orders []*Order) error {
	for len(orders) > 0 {
		written, err := insertOrders(tx, orders)
		if err != nil || written == int64(len(orders)) {
			return err
		}
		taken, err := takenNumbers(tx, orders)
		if err != nil {
			return err
		}
		for _, o := range taken {
			if !o.fresh.drawn || len(o.fresh.acts) > 0 {
				return numberTaken(o)
			}
		}
		if err := draw(tx, taken); err != nil {
			return err
		}
		orders = taken
	}
	return nil
}

// takeExternalNumbers makes sure that no other order has the external numbers of these.
func takeExternalNumbers(tx *db.Tx, orders []*Order) error {
	named := each.Where(orders, func(o *Order) bool { return o.ExternalNumber != "" })
	if len(named) == 0 {
		return nil
	}
	taken, err := takeExternal(tx, named)
	if err != nil {
		return err
	}
	for _, o := range named {
		if other, ok := taken[externalKey(o)]; ok && other.id != o.ID {
			return ErrExternalExists.Because(
				"order %s has the external order number %q of %s already; change that order, or send another number",
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

// loggedAtFirst is the order as it was composed.
func (o *Order) loggedAtFirst() loggedOrder {
	if len(o.fresh.acts) > 0 {
		return o.fresh.after
	}
	return o.logged()
}

func (o *Order) logged() loggedOrder {
	out := loggedOrder{Head: o.Head, CustomerNumber: o.CustomerNumber, CurrencyCode: o.CurrencyCode, Status: o.Status,
		TotalAmount: o.TotalAmount, TotalVAT: o.TotalVAT, Lines: make([]loggedLine, 0, min(len(o.Lines), maxLogged))}
	for i := range o.Lines[:min(len(o.Lines), maxLogged)] {
		l := &o.Lines[i]
		out.Lines = append(out.Lines, loggedLine{l.Number, cmp.Or(l.Item, l.Description), l.Quantity, l.UnitPrice,
			l.Allocated})
	}
	return out
}

// orderEntry is where orders are written up: what they name, read once for all of them, and everything that is wrong.
type orderEntry struct {
	tx        *db.Tx
	book      *reference.Book
	customers map[string]party.Customer // by folded number
	items     map[string]catalog.Item   // by folded number
	addresses map[string]*party.Address // default address by customer id
	estimate  bool                      // what is written up is not to be placed: see Estimate
	mayLack   bool                      // prices
	// configurations that lines name, by folded number: those of new lines locked, and found fit or not
	configurations map[string]*configuration.Configuration
	chosen         []*configuration.Configuration // those of new lines
	wrong          fault.List
}

func openEntry(tx *db.Tx, ps []Placing, isEstimate bool) (*orderEntry, error) {
	var customers, items []string
	for i := range ps {
		if ps[i].Known == nil {
			customers = append(customers, ps[i].CustomerNumber)
		}
		for _, l := range ps[i].Lines {
			if l.Item != "" && l.Known == nil {
				items = append(items, l.Item)
			}
		}
	}
	d, err := entryFor(tx, items, isEstimate)
	if err != nil {
		return nil, err
	}
	if d.customers, err = party.ReferMany(tx, customers); err != nil {
		return nil, err
	}
	for i := range ps {
		if c := ps[i].Known; c != nil {
			d.customers[record.Fold(c.Number)] = *c
		}
		for _, l := range ps[i].Lines {
			if l.Known != nil {
				d.items[record.Fold(l.Item)] = *l.Known
			}
		}
		if err := d.configured(ps[i].Lines); err != nil {
			return nil, err
		}
	}
	return d, d.readAddresses(ps)
}

// readAddresses reads the default addresses of the customers whose placings say no other.
func (d *orderEntry) readAddresses(ps []Placing) (err error) {
	var ids []string
	for i := range ps {
		c, known := d.customers[record.Fold(ps[i].CustomerNumber)]
		if known && ps[i].DeliveryAddressID == "" && ps[i].DeliveryAddress.IsZero() {
			ids = append(ids, c.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	found, err := party.DefaultAddresses(d.tx, ids)
	for _, id := range ids {
		d.addresses[id] = found[id]
	}
	return err
}

// entryFor is an order entry that knows the items named. Who deletes an item locks its stock first, as who reserves of
// it does; what is not kept in stock, and all of an estimate, which reserves nothing, is held by its own row.
func entryFor(tx *db.Tx, items []string, isEstimate bool) (*orderEntry, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	d := &orderEntry{tx: tx, book: book, addresses: map[string]*party.Address{}, estimate: isEstimate}
	if isEstimate {
		d.items, err = catalog.ReferMany(tx, items)
		return d, err
	}
	if d.items, err = catalog.FindMany(tx, items); err != nil || tx.Alone() {
		return d, err
	}
	var held []string
	for key, i := range d.items {
		if !i.InStock() {
			held = append(held, i.Number)
			delete(d.items, key)
		}
	}
	found, err := catalog.ReferMany(tx, held)
	maps.Copy(d.items, found)
	return d, err
}

// write makes the order of a placing, noting what is wrong with it under path.
func (d *orderEntry) write(p *Placing, path string) (*Order, error) {
	o := &Order{Root: record.New(d.tx), Number: p.Number, Head: p.Head, Status: Placed,
		PlacedAt: cmp.Or(p.At, d.tx.Now), ChannelCode: p.ChannelCode, ChannelName: p.ChannelName,
		Language: p.Language, NextLine: 1}
	c, known := d.customers[record.Fold(p.CustomerNumber)]
	switch {
	case !known:
		d.wrong.Add(party.ErrNotFound, path+"customerNumber", "no customer has the number %q", p.CustomerNumber)
	case !c.IsActive:
		d.wrong.Add(party.ErrInactive, path+"customerNumber",
			"customer %s is inactive and cannot be placed on new orders; activate it first", c.Number)
	}
	o.CustomerID, o.CustomerNumber, o.CustomerName = c.ID, c.Number, c.Name
	d.terms(o, &c, p.CurrencyCode, path)
	if err := d.address(o, &c, party.Postal{}, p.DeliveryAddressID, path); err != nil {
		return nil, err
	}
	if t, ok := d.book.OrderType(o.OrderTypeCode); ok && t.AutoRelease && !p.Unreleased {
		o.Status = Released
	}
	d.wrong.If(len(p.Lines) == 0 || len(p.Lines) > maxLines, ErrInvalid, path+"lines",
		"an order has 1 to %d lines, not %d", maxLines, len(p.Lines))
	if err := d.lines(o, &c, p.Lines, path); err != nil {
		return nil, err
	}
	return o, nil
}
