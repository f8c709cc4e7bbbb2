package backoffice

import (
	"strconv"

	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

func itoa(n int) string { return strconv.Itoa(n) }

// lineNumber is the line that a path names.
func lineNumber(c *page.Ctx) (int, error) {
	n, err := strconv.Atoi(c.Path("line"))
	if err != nil {
		return 0, sales.ErrLineNotFound.Because("the order has no line %q", c.Path("line"))
	}
	return n, nil
}

// draftLine is a line as a form asks for it.
type draftLine struct {
	was                     int // of the document, that it was; 0 = a new one
	item, description, unit string
	configuration           string // number of choices that were saved
	quantity                dec.Dec
	price, discount         *dec.Dec
}

func (l *draftLine) fields() []page.Field {
	return []page.Field{
		page.Code("itemNumber", "Item", &l.item).Lookup(findItems),
		page.Text("description", "Description", &l.description),
		page.Decimal("quantity", "Quantity", &l.quantity).Required(),
		page.Code("unitCode", "Unit", &l.unit).At("unit"),
		page.Code("configurationNumber", "Configuration", &l.configuration).Lookup(findConfigurations), page.Maybe("unitPrice", "Price", &l.price),
		page.Maybe("discountPercent", "Discount %", &l.discount),
	}
}

func (l *draftLine) line() sales.NewLine {
	return sales.NewLine{Item: l.item, Description: l.description, Quantity: l.quantity, Unit: l.unit,
		UnitPrice: l.price, DiscountPercent: l.discount, ConfigurationNumber: l.configuration}
}

// draftOrder is an order as a form asks for it.
type draftOrder struct {
	placing sales.Placing
	lines   []draftLine
}

func newOrder() page.Page {
	return page.Form[draftOrder]{Path: "/new/orders", Title: "New order", Permission: "sales-orders:write",
		Submit: "Place the order", Settles: true,
		Load: func(c *page.Ctx) (draftOrder, error) {
			return draftOrder{placing: sales.Placing{CustomerNumber: c.Query("customer")}}, nil
		},
		Fields: func(c *page.Ctx, o *draftOrder) []page.Field {
			p := &o.placing
			return []page.Field{
				page.Code("customerNumber", "Customer", &p.CustomerNumber).Required().Lookup(findCustomers),
				page.Text("customerReference", "Customer's reference", &p.CustomerReference),
				page.Lines("lines", "Lines", &o.lines, (*draftLine).fields).Required().
					Hint(
						"Without a price the line gets the customer's. A line without an item is free text with a price."),
				page.Group("What is left empty comes from the customer, then from the company",
					page.Date("requestedDeliveryDate", "Wanted", &p.RequestedDeliveryDate),
					page.Select("orderTypeCode", "Order type", &p.OrderTypeCode, orderTypes.offered(c)),
					page.Select("warehouseCode", "Warehouse", &p.WarehouseCode, warehouses.offered(c)),
					page.Select("shippingMethodCode", "Shipping method", &p.ShippingMethodCode, shippingMethods.offered(c)),
					page.Select("paymentTermCode", "Payment term", &p.PaymentTermCode, paymentTerms.offered(c)),
					page.Select("deliveryTermCode", "Delivery term", &p.DeliveryTermCode, deliveryTerms.offered(c)),
					page.Select("currencyCode", "Currency", &p.CurrencyCode, currencies.offered(c)),
					page.Code("orderNumber", "Order number", &p.Number).
						Hint("Left empty, it gets the next of the series."),
					page.Prose("notes", "Notes to the customer", &p.Notes),
					page.Prose("internalNotes", "Internal notes", &p.InternalNotes)),
			}
		},
		Save: page.Made(draftOrder{}, func(c *page.Ctx, o draftOrder) (page.Done, error) {
			for i := range o.lines {
				o.placing.Lines = append(o.placing.Lines, o.lines[i].line())
			}
			placed, err := sales.Place(c.Tx, o.placing, stock.AsMuchAsThereIs)
			return page.Went(page.Path("orders", placed.Number), "Order %s is placed.", placed.Number), err
		})}
}

var orderCrumbs = crumbs("Orders", "/orders", "Order %s", "number")

// ofOrder is the order that the address names, for forms of a part of it.
func ofOrder[T any](c *page.Ctx, _ T) (page.Origin, error) {
	o, err := loadOrder(c)
	return page.Origin{Resource: sales.Orders, Root: o.Root}, err
}

func orderHead() page.Page {
	return page.Form[sales.Amendment]{Path: "/orders/{number}/edit", Title: "Edit order",
		Permission: "sales-orders:write", Crumbs: orderCrumbs, Of: ofOrder[sales.Amendment],
		Load: func(c *page.Ctx) (sales.Amendment, error) {
			o, err := loadOrder(c)
			return sales.Amendment{Head: o.Head}, err
		},
		Fields: func(c *page.Ctx, a *sales.Amendment) []page.Field {
			return []page.Field{
				page.Text("customerReference", "Customer's reference", &a.CustomerReference),
				page.Date("requestedDeliveryDate", "Wanted", &a.RequestedDeliveryDate),
				page.Date("orderDate", "Order date", &a.OrderDate).Required(),
				page.Select("orderTypeCode", "Order type", &a.OrderTypeCode, orderTypes.offered(c)),
				page.Select("warehouseCode", "Warehouse", &a.WarehouseCode, warehouses.offered(c)),
				page.Select("shippingMethodCode", "Shipping method", &a.ShippingMethodCode, shippingMethods.offered(c)),
				page.Select("paymentTermCode", "Payment term", &a.PaymentTermCode, paymentTerms.offered(c)),
				page.Select("deliveryTermCode", "Delivery term", &a.DeliveryTermCode, deliveryTerms.offered(c)),
				page.Check("shipTogether", "Is not shipped together with other orders", &a.ShipTogether),
				page.Group("Delivery address", postal(c, "deliveryAddress.", &a.DeliveryAddress)...),
				page.Group("Invoice address", postal(c, "invoiceAddress.", &a.InvoiceAddress)...),
				page.Group("Notes", page.Prose("notes", "Notes to the customer", &a.Notes),
					page.Prose("internalNotes", "Internal notes", &a.InternalNotes)),
			}
		},
		Save: page.Changed("number", sales.Change)}
}

func newOrderLine() page.Page {
	return page.Form[draftLine]{Path: "/orders/{number}/lines/new", Title: "Add a line",
		Permission: "sales-orders:write", Settles: true, Crumbs: orderCrumbs,
		Fields: func(_ *page.Ctx, l *draftLine) []page.Field { return l.fields() },
		Save: page.Made(draftLine{}, func(c *page.Ctx, l draftLine) (page.Done, error) {
			_, line, err := sales.AddLine(c.Tx, c.Path("number"), l.line())
			return page.Did("Line %d is added.", line.Number), err
		})}
}

// revisedLine is an order line while it is changed.
type revisedLine struct {
	sales.Revision
	number int
}

func orderLine() page.Page {
	return page.Form[revisedLine]{Path: "/orders/{number}/lines/{line}", Title: "Edit line",
		Permission: "sales-orders:write", Crumbs: orderCrumbs, Of: ofOrder[revisedLine],
		Heading: func(c *page.Ctx, l revisedLine) string { return c.Say("Line %d", l.number) },
		Load: func(c *page.Ctx) (revisedLine, error) {
			n, err := lineNumber(c)
			if err != nil {
				return revisedLine{}, err
			}
			o, err := loadOrder(c)
			if err != nil {
				return revisedLine{}, err
			}
			l := o.Line(n)
			if l == nil {
				return revisedLine{}, sales.ErrLineNotFound.Because("the order has no line %d", n)
			}
			return revisedLine{l.Revision(), n}, nil
		},
		Fields: revisedFields,
		Save: func(c *page.Ctx, lay func(*revisedLine) error) (page.Done, error) {
			n, err := lineNumber(c)
			if err != nil {
				return page.Done{}, err
			}
			_, _, err = sales.ChangeLine(c.Tx, c.Path("number"), n, func(r *sales.Revision) error {
				l := revisedLine{*r, n}
				err := lay(&l)
				*r = l.Revision
				return err
			})
			return page.Did("Saved."), atLine(err)
		}}
}

func revisedFields(c *page.Ctx, l *revisedLine) []page.Field {
	return []page.Field{
		page.Decimal("quantity", "Quantity", &l.Quantity).Required(), page.Code("unitCode", "Unit", &l.Unit).At("unit"),
		page.Maybe("unitPrice", "Price", &l.UnitPrice).Hint("Empty: the customer's price, calculated anew."),
		page.Decimal("discountPercent", "Discount %", &l.DiscountPercent),
		page.Text("description", "Description", &l.Description).Wide(), page.Select("taxCode", "Tax code", &l.TaxCode,
			taxCodes.offered(c)),
		page.Date("requestedDeliveryDate", "Wanted", &l.RequestedDeliveryDate),
		page.Select("warehouseCode", "Warehouse", &l.WarehouseCode, warehouses.offered(c)),
	}
}

// atLine gives a refusal about the quantity of a line its field.
func atLine(err error) error {
	if fault.Is(err, sales.ErrAlreadyShipped) || fault.Is(err, sales.ErrAlreadyInvoiced) {
		return atField(err, "quantity")
	}
	return err
}
