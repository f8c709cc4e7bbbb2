package sales

import (
	"maps"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/stock"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// configured reads the configurations that new lines name, and locks them: each can be ordered once.
func (d *orderEntry) configured(ns []NewLine) error {
	numbers := each.Given(ns, func(n NewLine) string { return n.ConfigurationNumber })
	if len(numbers) == 0 {
		return nil
	}
	found, err := configuration.Lock(d.tx, numbers)
	if err != nil {
		return err
	}
	if d.configurations == nil {
		d.configurations = map[string]*configuration.Configuration{}
	}
	for key, c := range found {
		if d.configurations[key] == nil {
			d.configurations[key] = c
		}
	}
	return nil
}

// choose makes a new line one of a configuration, noting what keeps it from being that.
func (d *orderEntry) choose(o *Order, l *Line, configurationNumber, at string) {
	at += "configurationNumber"
	c := d.configurations[record.Fold(configurationNumber)]
	switch {
	case c == nil:
		d.wrong.Add(configuration.ErrNotFound, at, "no configuration has the number %q", configurationNumber)
	case c.OrderNumber != "":
		d.wrong.Add(configuration.ErrAlreadyOrdered, at, "configuration %s was ordered with order %s: make another one",
			c.Number, c.OrderNumber)
	case slices.Contains(d.chosen, c):
		d.wrong.Add(configuration.ErrAlreadyOrdered, at,
			"configuration %s is on another line already: raise the quantity of that line", c.Number)
	case c.ItemID != l.ItemID && l.ItemID != "":
		d.wrong.Add(ErrLineInvalid, at, "configuration %s is of item %s: name that item", c.Number, c.Item)
	case c.CustomerNumber != "" && record.Fold(c.CustomerNumber) != record.Fold(o.CustomerNumber):
		d.wrong.Add(ErrLineInvalid, at, "configuration %s is of customer %s: make another one", c.Number,
			c.CustomerNumber)
	default:
		l.ConfigurationNumber = c.Number
		d.chosen = append(d.chosen, c)
		if err := c.Refresh(d.tx); err != nil {
			d.wrong.Note(configuration.ErrInvalid, at, fault.As(err).Said())
		}
	}
}

// recall reads the configuration of a line that is to be priced anew. It was ordered: it costs what it was ordered as.
func (d *orderEntry) recall(l *Line) (err error) {
	if l.IsMadeToOrder() {
		d.configurations, err = configuration.FindMany(d.tx, []string{l.ConfigurationNumber})
	}
	return err
}

// surcharges are what the choices of a configured line add to its price.
func (d *orderEntry) surcharges(l *Line) []price.Impact {
	if c := d.configurations[record.Fold(l.ConfigurationNumber)]; c != nil && l.ConfigurationNumber != "" {
		return c.Surcharges()
	}
	return nil
}

// ordered notes with the configurations of lines that are new on the order that it has them.
func (o *Order) ordered(tx *db.Tx, all []*configuration.Configuration) error {
	var orders []configuration.Order
	for i := range o.Lines {
		l := &o.Lines[i]
		for _, c := range all {
			if l.ConfigurationNumber != "" && l.ConfigurationNumber == c.Number {
				orders = append(orders, configuration.Order{Configuration: c, Number: o.Number,
					CustomerNumber: o.CustomerNumber, CustomerName: o.CustomerName, Quantity: l.BaseQuantity})
			}
		}
	}
	return configuration.Ordered(tx, orders)
}

// configurationsOf are the numbers of the configurations that lines are of.
func configurationsOf(lines []Line) (numbers []string) {
	for i := range lines {
		if n := lines[i].ConfigurationNumber; n != "" {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// At is where a line of an order stands.
type At struct {
	OrderID string
	Line    int
}

// Chosen are the configurations of the lines of orders that are made to order.
func Chosen(tx *db.Tx, orders ...*Order) (map[At]*configuration.Configuration, error) {
	var numbers []string
	for _, o := range orders {
		numbers = append(numbers, configurationsOf(o.Lines)...)
	}
	found, err := configuration.FindMany(tx, numbers)
	out := make(map[At]*configuration.Configuration, len(found))
	for _, o := range orders {
		for i := range o.Lines {
			if l := &o.Lines[i]; l.IsMadeToOrder() {
				out[At{o.ID, l.Number}] = found[record.Fold(l.ConfigurationNumber)]
			}
		}
	}
	return out, err
}

// ChosenOf is Chosen for the orders with these numbers, which other documents' lines name.
func ChosenOf(tx *db.Tx, numbers []string) (map[At]*configuration.Configuration, error) {
	found, err := FindMany(tx, numbers)
	if err != nil {
		return nil, err
	}
	return Chosen(tx, slices.Collect(maps.Values(found))...)
}

// OrderConfiguration makes an order of a configuration, for its customer, with one line at the price of the rule.
// Refusals:
// Configuration.NotFound, Configuration.AlreadyOrdered, Configuration.CustomerRequired, Configuration.Invalid where it
// no longer fits, and those of Place.
func OrderConfiguration(tx *db.Tx, configurationNumber string, h Head, m stock.Mode) (Order, error) {
	c, err := configuration.LockOpen(tx, configurationNumber)
	if err != nil {
		return Order{}, err
	}
	if c.CustomerNumber == "" {
		return Order{}, configuration.ErrCustomerRequired.Because("configuration %s has no customer: give it one first",
			c.Number)
	}
	items, err := catalog.FindByID(tx, []string{c.ItemID})
	if err != nil {
		return Order{}, err
	}
	return Place(tx, Placing{Head: h, CustomerNumber: c.CustomerNumber,
		Lines: []NewLine{{Item: c.Item, Quantity: c.Quantity, Unit: items[c.ItemID].BaseUnit,
			WarehouseCode: c.WarehouseCode, ConfigurationNumber: c.Number}}}, m)
}
