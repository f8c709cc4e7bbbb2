package sales

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// lines writes new lines onto an order and prices those that bring no price, all in one look-up.
func (d *orderEntry) lines(o *Order, c *party.Customer, ns []NewLine, path string) error {
	from := len(o.Lines)
	open := make([]unpriced, 0, len(ns))
	at := make([]string, len(ns))
	for i := range ns {
		if at[i] = path; len(ns) > 1 || from == 0 {
			at[i] = fmt.Sprintf("%slines[%d].", path, i)
		}
		l, item := d.line(o, &ns[i], at[i])
		o.Lines = append(o.Lines, l)
		if ns[i].UnitPrice == nil && item != nil {
			open = append(open, unpriced{from + i, *item, at[i]})
		}
	}
	if err := d.price(o, c, open); err != nil || !d.wrong.Empty() {
		return err
	}
	for i := range ns {
		d.amount(o, &o.Lines[from+i], at[i])
	}
	d.total(o, path)
	return nil
}

// unpriced is a line that the price rule decides on.
type unpriced struct {
	index int // among the order's lines
	item  catalog.Item
	path  string
}

// line makes one line, noting what is wrong with it. The item is nil on a free-text line and where it is unknown.
func (d *orderEntry) line(o *Order, n *NewLine, at string) (Line, *catalog.Item) {
	l := Line{Number: o.NextLine, Description: n.Description, Quantity: n.Quantity, Unit: n.Unit, Factor: dec.One,
		Decimals: dec.Scale, TaxCode: n.TaxCode, RequestedDeliveryDate: n.RequestedDeliveryDate,
		WarehouseCode: n.WarehouseCode, ExternalLineID: n.ExternalLineID, mayWait: n.MayWait}
	o.NextLine++
	item := d.item(&l, n, at)
	if n.ConfigurationNumber != "" {
		d.choose(o, &l, n.ConfigurationNumber, at)
	}
	if n.UnitPrice != nil {
		l.UnitPrice, l.IsManualPrice, l.IsPriceIncludingTax = *n.UnitPrice, true, n.IsPriceIncludingTax
		l.PriceListCode = n.PriceListCode
	} else if n.Item == "" && n.Description != "" {
		d.wrong.Add(ErrNoPrice, at+"unitPrice", "a line without an item needs its own unitPrice")
	}
	if n.DiscountPercent != nil {
		l.DiscountPercent = *n.DiscountPercent
	}
	if n.DiscountAmount != nil {
		l.DiscountAmount, l.KeepsDiscount = *n.DiscountAmount, true
	}
	d.check(o, &l, item, at)
	d.exact(&l, item, at)
	return l, item
}

// item looks up the line's item and takes from it what the line leaves open.
func (d *orderEntry) item(l *Line, n *NewLine, at string) *catalog.Item {
	if n.Item == "" {
		if n.Description == "" {
			d.wrong.Add(ErrLineInvalid, at+"itemNumber",
				"a line needs an itemNumber, or a description with a unitPrice")
		}
		return nil
	}
	item, ok := d.items[record.Fold(n.Item)]
	if !ok {
		d.wrong.Add(catalog.ErrNotFound, at+"itemNumber", "no item has the number %q", n.Item)
		return nil
	}
	if !item.IsActive {
		d.wrong.Add(catalog.ErrInactive, at+"itemNumber",
			"item %s is inactive and cannot be ordered; activate it first", item.Number)
	}
	l.ItemID, l.Item, l.Type, l.Decimals = item.ID, item.Number, item.Type, item.DecimalPlaces
	l.Description = cmp.Or(n.Description, item.Name)
	l.Unit = cmp.Or(n.Unit, item.SalesUnit, item.BaseUnit)
	l.TaxCode = cmp.Or(n.TaxCode, item.TaxCode)
	return &item
}

// check verifies what a line says, whether it is new or changed, and resolves unit, tax and warehouse. item is nil
// where the line has none.
func (d *orderEntry) check(o *Order, l *Line, item *catalog.Item, at string) {
	if l.Quantity <= 0 {
		d.wrong.Add(ErrLineInvalid, at+"quantity", "must be above 0, not %s", l.Quantity)
	}
	limit.Price.Check(&d.wrong, at+"unitPrice", l.UnitPrice)
	if l.UnitPrice < 0 {
		d.wrong.Add(ErrLineInvalid, at+"unitPrice", "must not be below 0; give a discountPercent to charge less")
	}
	if l.DiscountPercent < 0 || l.DiscountPercent > hundred {
		d.wrong.Add(ErrLineInvalid, at+"discountPercent", "must be from 0 to 100, not %s", l.DiscountPercent)
	}
	if l.DiscountAmount < 0 {
		d.wrong.Add(ErrLineInvalid, at+"discountAmount", "must not be below 0, but is %s", l.DiscountAmount)
	}
	if item != nil {
		err := catalog.CheckQuantity(item, l.Quantity)
		if err != nil {
			f := fault.As(err).Fields[0]
			d.wrong.Note(fault.New(fault.Invalid, f.Code), at+f.Path, f.Said())
		}
		if d.unit(l, item, at) && err == nil {
			limit.Quantity.Of(&d.wrong, at+"quantity", func() dec.Dec {
				l.BaseQuantity = l.Base(l.Quantity)
				return l.BaseQuantity
			})
		}
	} else {
		limit.Quantity.Check(&d.wrong, at+"quantity", l.Quantity)
	}
	d.tax(o, l, at)
	if !d.estimate {
		d.warehouse(o, l, at)
	}
}

// unit resolves the line's unit, or says that the item is not sold in it.
func (d *orderEntry) unit(l *Line, item *catalog.Item, at string) bool {
	factor, ok := item.Factor(l.Unit)
	if !ok {
		d.wrong.Add(ErrUnknownUnit, at+"unitCode",
			"item %s is not sold in %q; GET /preview/items/%s/units lists its units", item.Number, l.Unit, item.Number)
		return false
	}
	if u, ok := d.book.Unit(l.Unit); ok {
		l.Unit = u.Code
	}
	l.Factor = factor
	return true
}

// exact refuses a quantity whose decimals, with those of the unit's factor, are more than can be counted: parts of it
// would come to another quantity of the item than the whole. item is nil where the line has none.
func (d *orderEntry) exact(l *Line, item *catalog.Item, at string) {
	if item == nil {
		return
	}
	l.Decimals = min(item.DecimalPlaces, dec.Scale-l.Factor.Decimals())
	if n := l.Quantity.Decimals(); n > l.Decimals && n <= item.DecimalPlaces {
		d.wrong.Add(catalog.ErrTooManyDecimals, at+"quantity",
			"%s %s of item %s cannot be counted exactly: a factor of %s leaves room for %d decimals", l.Quantity, l.Unit,
			item.Number, l.Factor, l.Decimals)
	}
}

// amount holds what a line comes to with tax, before its discount, against the bound of amounts, once it has its price.
func (d *orderEntry) amount(o *Order, l *Line, at string) {
	limit.Amount.Of(&d.wrong, at+"quantity",
		func() dec.Dec { return l.withTax(l.gross(l.Quantity, o.Digits), o.Digits) })
}

// total holds what the lines come to with tax, before their discounts, against the bound of totals.
func (d *orderEntry) total(o *Order, path string) {
	if d.wrong.Empty() {
		limit.Total.Of(&d.wrong, path+"lines", func() (sum dec.Dec) {
			for i := range o.Lines {
				l := &o.Lines[i]
				sum = sum.Add(l.withTax(l.gross(l.Quantity, o.Digits), o.Digits))
			}
			return sum
		})
	}
}

// tax resolves the line's tax code, and its percentage in the country the goods go to on the day of the order.
func (d *orderEntry) tax(o *Order, l *Line, at string) {
	l.TaxCode = cmp.Or(l.TaxCode, d.book.Defaults().TaxCode)
	if l.TaxCode == "" {
		l.TaxPercent = 0
		return
	}
	code, ok := d.book.TaxCode(l.TaxCode)
	if !ok {
		d.unknown(at+"taxCode", l.TaxCode, "tax code", "tax-codes")
		return
	}
	l.TaxCode = code.Code
	l.TaxPercent = code.Percent(destination(o), o.OrderDate)
}

// destination is the country whose tax an order carries.
func destination(o *Order) string {
	return cmp.Or(o.DeliveryAddress.CountryCode, o.InvoiceAddress.CountryCode)
}

// warehouse resolves where the line's goods are taken from. What does not travel needs no warehouse, but shows the
// order's.
func (d *orderEntry) warehouse(o *Order, l *Line, at string) {
	own := l.WarehouseCode != ""
	l.WarehouseCode = cmp.Or(l.WarehouseCode, o.WarehouseCode)
	w, ok := d.book.Warehouse(l.WarehouseCode)
	switch {
	case ok && w.IsActive:
		l.WarehouseCode = w.Code
	case own:
		d.unknown(at+"warehouseCode", l.WarehouseCode, "active warehouse", "warehouses")
	case !ok && l.WarehouseCode == "" && l.Ships():
		d.wrong.Add(ErrWarehouseNotFound, at+"warehouseCode",
			"name a warehouse on the line or on the order: the company has no default warehouse")
	}
}

// price asks the price rule for lines without a price of their own, as far as what it needs is known.
func (d *orderEntry) price(o *Order, c *party.Customer, lines []unpriced) error {
	lines = slices.DeleteFunc(lines, func(u unpriced) bool {
		l := &o.Lines[u.index]
		_, sold := u.item.Factor(l.Unit)
		return l.Quantity <= 0 || !sold
	})
	if _, ok := d.book.Currency(o.CurrencyCode); !ok || len(lines) == 0 || c.ID == "" && !d.estimate {
		return nil
	}
	if c.ID == "" {
		c = nil
	}
	asks := make([]pricing.Ask, len(lines))
	for i := range lines {
		u := &lines[i]
		l := &o.Lines[u.index]
		asks[i] = pricing.Ask{Item: &u.item, Quantity: l.Quantity, Unit: l.Unit, Impacts: d.surcharges(l)}
	}
	quotes, err := pricing.For(d.tx, pricing.Situation{Customer: c, Currency: o.CurrencyCode,
		ChannelCode: o.ChannelCode, Date: o.OrderDate}, asks)
	if err != nil {
		return err
	}
	for i, u := range lines {
		l, q := &o.Lines[u.index], &quotes[i]
		if q.UnitPrice == nil && d.mayLack {
			continue
		}
		if q.UnitPrice == nil {
			d.wrong.Add(ErrNoPrice, u.path+"unitPrice",
				"item %s has no price in %s; give the line a unitPrice, or the item a price", l.Item, o.CurrencyCode)
			continue
		}
		l.UnitPrice, l.IsManualPrice, l.IsPriceIncludingTax, l.PriceListCode = *q.UnitPrice, false,
			q.IsPriceIncludingTax, q.ListCode
		l.DiscountPercent = cmp.Or(l.DiscountPercent, q.DiscountPercent)
	}
	return nil
}
