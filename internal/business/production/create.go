package production

import (
	"cmp"
	"fmt"

	"kontor/internal/business/catalog"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// New is what a caller says about a work order to make.
type New struct {
	Title          string // "" = the name of what is made
	Description    string
	Type           Type     // "" = Manufacturing
	Priority       Priority // "" = Normal
	Item           string   // number of the output; none for work that makes no goods
	Quantity       dec.Dec  // of the output, in its base unit
	Warehouse      string   // "" = the company's
	Location       string
	PlannedFrom    db.Time
	PlannedTo      db.Time
	CustomerNumber string
	// Parts are the components, for one of the output; nil = those of the bill of materials.
	Parts []Part
	// Deep takes, instead of a component that has a bill of materials itself, what that is made of, through all levels.
	Deep bool
}

// Create makes a work order as a draft: nothing is reserved before it is planned. Used by the back office, by planning
// and the command line.
//
// Refuses with Item.NotFound, Warehouse.NotFound, WarehouseLocation.NotFound, WorkOrder.Invalid and
// Quantity.TooManyDecimals.
func Create(tx *db.Tx, n New) (Order, error) {
	o, err := compose(tx, n)
	if err != nil {
		return o, err
	}
	return o, orders.Create(tx, &o)
}

// compose writes an order up and refuses it where it is wrong.
func compose(tx *db.Tx, n New) (Order, error) {
	o := Order{Title: n.Title, Description: n.Description, Type: cmp.Or(n.Type, Manufacturing), Status: Draft,
		Priority: cmp.Or(n.Priority, Normal), Planned: n.Quantity, PlannedFrom: n.PlannedFrom, PlannedTo: n.PlannedTo,
		CustomerNumber: n.CustomerNumber, Location: n.Location}
	var wrong fault.List
	if err := o.place(tx, n, &wrong); err != nil {
		return o, err
	}
	wrong.If(n.PlannedTo != 0 && n.PlannedTo < n.PlannedFrom, ErrInvalid, "plannedEnd",
		"must not be before the work begins")
	if n.Item == "" {
		wrong.If(n.Quantity != 0 || o.Type == Manufacturing, ErrInvalid, "itemNumber",
			"name the item that is made, or choose another type than Manufacturing")
		wrong.If(o.Title == "", ErrInvalid, "title", "work that makes no goods needs a title")
	} else if err := o.output(tx, n, &wrong); err != nil {
		return o, err
	}
	if err := wrong.Err(); err != nil {
		return o, err
	}
	parts := n.Parts
	if parts == nil && o.ItemID != "" {
		var err error
		if parts, err = PartsOf(tx, o.ItemID, n.Deep); err != nil {
			return o, err
		}
	}
	return o, o.compose(tx, parts)
}

// place finds where the order is worked on.
func (o *Order) place(tx *db.Tx, n New, wrong *fault.List) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	code := cmp.Or(n.Warehouse, book.Defaults().Warehouse)
	w, ok := book.Warehouse(code)
	if !ok {
		wrong.Add(ErrWarehouse, "warehouseCode", "no warehouse has the code %q", code)
		return nil
	}
	o.Warehouse = w.Code
	if n.Location != "" {
		l, ok := book.Location(w.Code, n.Location)
		wrong.If(!ok, fault.New(fault.Invalid, "WarehouseLocation.NotFound"), "locationCode",
			"warehouse %s has no location %q", w.Code, n.Location)
		o.Location = l.Code
	}
	return nil
}

// output finds what is made.
func (o *Order) output(tx *db.Tx, n New, wrong *fault.List) error {
	found, err := catalog.ReferMany(tx, []string{n.Item})
	if err != nil {
		return err
	}
	item, known := found[record.Fold(n.Item)]
	if !known {
		wrong.Add(ErrItemNotFound, "itemNumber", "no item has the number %q", n.Item)
		return nil
	}
	o.ItemID, o.Item, o.Unit, o.Title = item.ID, item.Number, item.BaseUnit, cmp.Or(o.Title, item.Name)
	switch {
	case !item.InStock():
		wrong.Add(ErrInvalid, "itemNumber",
			"item %s is not kept in stock: leave it out and choose another type than Manufacturing", item.Number)
	case n.Quantity <= 0:
		wrong.Add(ErrInvalid, "quantity", "must be above 0")
	case n.Quantity.Decimals() > item.DecimalPlaces:
		wrong.Add(catalog.ErrTooManyDecimals, "quantity", "item %s is counted with at most %d decimals", item.Number,
			item.DecimalPlaces)
	}
	limit.Quantity.Check(wrong, "quantity", n.Quantity)
	return nil
}

// PartsOf are the parts that an item's bill of materials has today; deep follows it through all levels, down to what
// has none.
func PartsOf(tx *db.Tx, itemID string, deep bool) ([]Part, error) {
	parts := []Part{}
	if !deep {
		b, _, err := bomOf(tx, itemID, "")
		for _, l := range b.On(tx.Today()) {
			parts = append(parts, Part{Item: l.Item, Quantity: l.Quantity, ScrapPercent: l.ScrapPercent})
		}
		return parts, err
	}
	nodes, err := Tree(tx, itemID, tx.Today())
	at := map[string]int{}
	for _, n := range nodes {
		if n.IsMade {
			continue
		}
		i, seen := at[n.ItemID]
		if !seen {
			at[n.ItemID] = len(parts)
			parts = append(parts, Part{Item: n.Item, Quantity: n.Quantity})
			continue
		}
		parts[i].Quantity = parts[i].Quantity.Add(n.Quantity)
	}
	return parts, err
}

// compose writes the components.
func (o *Order) compose(tx *db.Tx, parts []Part) error {
	var wrong fault.List
	wrong.If(len(parts) > mostLines, ErrInvalid, "lines", "a work order has at most %d components, not %d", mostLines,
		len(parts))
	numbers := each.Of(parts, func(p Part) string { return p.Item })
	items, err := catalog.ReferMany(tx, numbers)
	if err != nil {
		return err
	}
	o.Lines = nil
	for i, p := range parts {
		at := fmt.Sprintf("lines[%d].", i)
		item, known := items[record.Fold(p.Item)]
		switch {
		case !known:
			wrong.Add(ErrItemNotFound, at+"itemNumber", "no item has the number %q", p.Item)
		case item.ID == o.ItemID:
			wrong.Add(ErrInvalid, at+"itemNumber", "nothing can be a part of itself: take item %s out", item.Number)
		case p.Quantity <= 0:
			wrong.Add(ErrInvalid, at+"quantity", "must be above 0")
		}
		limit.Quantity.Check(&wrong, at+"quantity", p.Quantity)
		checkScrap(&wrong, at+"scrapPercent", p.ScrapPercent)
		l := Line{Number: i + 1, ItemID: item.ID, Item: item.Number, ItemName: item.Name, Unit: item.BaseUnit,
			Decimals: item.DecimalPlaces, IsStocked: item.InStock(), PerUnit: p.Quantity, ScrapPercent: p.ScrapPercent}
		o.Lines = append(o.Lines, l)
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	for i := range o.Lines {
		l := &o.Lines[i]
		limit.Quantity.Of(&wrong, fmt.Sprintf("lines[%d].quantity", i), func() dec.Dec {
			l.Required = l.need(max(o.Planned, o.once()))
			return l.Required
		})
	}
	return wrong.Err()
}

// once is how often work that makes no goods takes its components.
func (o *Order) once() dec.Dec {
	if o.ItemID == "" {
		return dec.One
	}
	return 0
}

// Draw is what may be altered of a draft.
type Draw struct {
	Title, Description     string
	Priority               Priority
	Quantity               dec.Dec
	PlannedFrom, PlannedTo db.Time
	Location               string
	Parts                  []Part
}

// Change lets edit alter an order that was not planned yet.
//
// Refuses with WorkOrder.NotFound, WorkOrder.InvalidStatus and what Create refuses with.
func Change(tx *db.Tx, orderNumber string, edit func(*Draw) error) (Order, error) {
	o, before, err := orders.Begin(tx, orderNumber, "change")
	if err != nil {
		return o, err
	}
	d := Draw{o.Title, o.Description, o.Priority, o.Planned, o.PlannedFrom, o.PlannedTo, o.Location, nil}
	for _, l := range o.Lines {
		d.Parts = append(d.Parts, Part{l.Item, l.PerUnit, l.ScrapPercent})
	}
	if err := edit(&d); err != nil {
		return o, err
	}
	if d.Parts == nil {
		d.Parts = []Part{}
	}
	is, err := compose(tx, New{Title: d.Title, Description: d.Description, Type: o.Type, Priority: d.Priority,
		Item: o.Item, Quantity: d.Quantity, Warehouse: o.Warehouse, Location: d.Location, PlannedFrom: d.PlannedFrom,
		PlannedTo: d.PlannedTo, CustomerNumber: o.CustomerNumber, Parts: d.Parts})
	if err != nil {
		return o, err
	}
	is.Root, is.Number, is.Status = o.Root, o.Number, o.Status
	is.OrderID, is.OrderNumber, is.OrderLine, is.Configuration = o.OrderID, o.OrderNumber, o.OrderLine, o.Configuration
	return is, orders.Changed(tx, before, &is)
}
