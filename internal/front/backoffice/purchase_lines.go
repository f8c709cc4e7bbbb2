package backoffice

import (
	"net/url"

	"kontor/internal/business/catalog"
	"kontor/internal/business/payable"
	"kontor/internal/business/purchasing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// besidePurchases says what a purchaser looks at before ordering an item: q is its number, the supplier and the
// warehouse are named, or those of an order are taken.
const besidePurchases = "/beside/purchases"

func besideOrder(number string) string {
	return besidePurchases + "?" + url.Values{"order": {number}}.Encode()
}

func purchaseBackground() page.Page {
	return page.Lookup{Path: besidePurchases, Permission: "purchase-orders:read",
		Find: func(c *page.Ctx, text string) ([]page.Option, error) {
			item, err := catalog.Find(c.Tx, text)
			if fault.Is(err, catalog.ErrNotFound) {
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			supplier, warehouse := c.Query("supplierNumber"), c.Query("warehouseCode")
			if number := c.Query("order"); number != "" {
				o, err := purchasing.FindOrder(c.Tx, number)
				if err != nil {
					return nil, err
				}
				supplier, warehouse = o.SupplierNumber, o.WarehouseCode
			}
			said, err := sayBackground(c, item, supplier, warehouse)
			out := make([]page.Option, len(said))
			for i, s := range said {
				out[i].Label = s
			}
			return out, err
		}}
}

// sayBackground is what stands behind an item in words, a sentence each.
func sayBackground(c *page.Ctx, item catalog.Item, supplierNumber, warehouse string) ([]string, error) {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return nil, err
	}
	w, known := book.Warehouse(warehouse)
	if !known {
		w, _ = book.Warehouse(book.Defaults().Warehouse)
	}
	all, err := purchasing.Backgrounds(c.Tx, []string{item.ID}, w.Code)
	if err != nil {
		return nil, err
	}
	said := []string{item.Name}
	offer, err := sayOffer(c, book, item.ID, supplierNumber)
	if offer != "" {
		said = append(said, offer)
	}
	b := all[item.ID]
	if b.Last != nil {
		said = append(said, c.Say("Last %s %s, %s, %s", c.Show(page.Money(b.Last.Price, b.Last.Currency)),
			b.Last.Currency, c.Show(page.Day(b.Last.On)), b.Last.Supplier))
	}
	if item.Type == catalog.Stock {
		said = append(said, c.Say("%s: %s available, %s to come, %s out in 4 weeks", w.Name, c.Show(page.Qty(b.Available)),
			c.Show(page.Qty(b.ToCome)), c.Show(page.Qty(b.Gone))))
	}
	return said, err
}

// sayOffer is how a supplier sells an item, in words.
func sayOffer(c *page.Ctx, book *reference.Book, itemID, supplierNumber string) (string, error) {
	s, err := purchasing.FindSupplier(c.Tx, supplierNumber)
	if fault.Is(err, purchasing.ErrSupplierNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	offers, err := purchasing.OffersOf(c.Tx, s, []string{itemID})
	o, found := offers[itemID]
	if !found {
		return c.Say("%s does not supply it yet", s.Name), err
	}
	said := c.Say("%s names no price", s.Name)
	if price := o.PriceOn(c.Tx.Today()); price != nil {
		currency := o.Currency(s, book)
		said = c.Say("%s: %s %s", s.Name, c.Show(page.Money(*price, currency)), currency)
	}
	if o.MinOrderQuantity != nil {
		said += ", " + c.Say("at least %s", c.Show(page.Qty(*o.MinOrderQuantity)))
	}
	if o.OrderMultiple != nil {
		said += ", " + c.Say("in multiples of %s", c.Show(page.Qty(*o.OrderMultiple)))
	}
	return said, err
}

// lineBegins are the first cells of a line: its number, its item and what it is called.
func lineBegins(o purchasing.Order, l purchasing.OrderLine) []page.Value {
	line, item := page.Count(l.Number), page.Value{}
	if purchaseMay("change lines")(o) {
		line = page.To(itoa(l.Number), page.Path("purchase-orders", o.Number, "lines", itoa(l.Number)))
	}
	if l.Item != "" {
		item = page.To(l.Item, page.Path("items", l.Item))
	}
	return []page.Value{line, item, page.T(l.Description), page.QtyOf(l.Quantity, l.Unit)}
}

// purchaseGrid are the lines of an order, with what became of each.
func purchaseGrid(c *page.Ctx, o purchasing.Order, bills []payable.Mention) page.Grid {
	grid := page.Grid{Title: "Lines", Heads: []string{"Line", "Item", "Name", "Quantity", "Confirmed", "Promised",
		"Received", "Billed", "Price", "Total"},
		Foot: []page.Value{page.T(c.Say("Total without tax")), {}, {}, {}, {}, {}, {}, {}, {}, page.Money(o.Total, "")}}
	for _, l := range o.Lines {
		grid.Rows = append(grid.Rows, append(lineBegins(o, l), page.QtyOf(l.Confirmed, l.Unit),
			page.Day(l.ConfirmedDate), page.QtyOf(l.Received, l.Unit),
			page.QtyOf(payable.Billed(bills, l.Number), l.Unit), page.Money(l.UnitPrice, ""),
			page.Money(l.LineTotal, "")))
	}
	if o.Freight > 0 || o.Tax > 0 {
		row := func(label string, v dec.Dec) []page.Value {
			return []page.Value{page.T(c.Say(label)), {}, {}, {}, {}, {}, {}, {}, {}, page.Money(v, "")}
		}
		grid.Rows = append(grid.Rows, row("Freight", o.Freight), row("Tax", o.Tax))
		grid.Foot = row("Total with freight and tax", o.Total.Add(o.Freight).Add(o.Tax))
	}
	return grid
}

// draftGrid are the lines of an order that is not sent yet, with what stands behind each.
func draftGrid(c *page.Ctx, o purchasing.Order) (page.Grid, error) {
	ids := each.Given(o.Lines, func(v purchasing.OrderLine) string { return v.ItemID })
	behind, err := purchasing.Backgrounds(c.Tx, ids, o.WarehouseCode)
	grid := page.Grid{Title: "Lines", Heads: []string{"Line", "Item", "Name", "Quantity", "Price", "Total",
		"Last price", "Last ordered", "Available", "To come", "Out in 4 weeks"},
		Foot: []page.Value{page.T(c.Say("Total without tax")), {}, {}, {}, {}, page.Money(o.Total, ""), {}, {}, {}, {},
			{}}}
	for _, l := range o.Lines {
		row := append(lineBegins(o, l), page.Money(l.UnitPrice, ""), page.Money(l.LineTotal, ""))
		b, known := behind[l.ItemID]
		if known && b.Last != nil {
			row = append(row, page.Money(b.Last.Price, b.Last.Currency), page.Day(b.Last.On))
		} else {
			row = append(row, page.None(), page.None())
		}
		if known && l.IsGoods {
			row = append(row, page.Qty(b.Available), page.Qty(b.ToCome), page.Qty(b.Gone))
		} else {
			row = append(row, page.None(), page.None(), page.None())
		}
		grid.Rows = append(grid.Rows, row)
	}
	return grid, err
}
