package sales

import (
	"cmp"

	"kontor/internal/business/party"
	"kontor/internal/foundation/fault"
)

// terms fills in what the head leaves open from the customer, then from the company, and checks every code. Codes
// are written as the reference book spells them.
func (d *orderEntry) terms(o *Order, c *party.Customer, currency, path string) {
	def := d.book.Defaults()
	o.OrderDate = cmp.Or(o.OrderDate, d.tx.Today())
	o.OrderTypeCode = cmp.Or(o.OrderTypeCode, def.OrderType)
	o.WarehouseCode = cmp.Or(o.WarehouseCode, def.Warehouse)
	o.PaymentTermCode = cmp.Or(o.PaymentTermCode, c.PaymentTermCode, def.PaymentTerm)
	o.DeliveryTermCode = cmp.Or(o.DeliveryTermCode, c.DeliveryTermCode, def.DeliveryTerm)
	o.ShippingMethodCode = cmp.Or(o.ShippingMethodCode, def.ShippingMethod)
	o.CurrencyCode = cmp.Or(currency, c.CurrencyCode, d.book.Base().Code)
	if cur, ok := d.book.Currency(o.CurrencyCode); ok && cur.IsActive {
		o.CurrencyCode = cur.Code
	} else {
		d.unknown(path+"currencyCode", o.CurrencyCode, "active currency", "currencies")
	}
	o.Digits = d.book.Digits(o.CurrencyCode)
	d.codes(o, nil, path)
	if o.InvoiceAddress.IsZero() {
		o.InvoiceAddress = c.Postal()
	} else {
		o.InvoiceAddress.Check(&d.wrong, path+"invoiceAddress", party.Postal{})
	}
}

// codes checks the head's codes and copies their names. A code that was on the order before stays good when it was
// deactivated since.
func (d *orderEntry) codes(o *Order, was *Head, path string) {
	if was == nil {
		was = &Head{}
	}
	ot, ok := d.book.OrderType(o.OrderTypeCode)
	d.code(&o.OrderTypeCode, &o.OrderTypeName, was.OrderTypeCode, listed{ot.Code, ot.Name, ok, ot.IsActive},
		path+"orderTypeCode", "active order type", "order-types")
	w, ok := d.book.Warehouse(o.WarehouseCode)
	d.code(&o.WarehouseCode, &o.WarehouseName, was.WarehouseCode, listed{w.Code, w.Name, ok, w.IsActive},
		path+"warehouseCode", "active warehouse", "warehouses")
	pt, ok := d.book.PaymentTerm(o.PaymentTermCode)
	d.code(&o.PaymentTermCode, &o.PaymentTermName, was.PaymentTermCode, listed{pt.Code, pt.Name, ok, pt.IsActive},
		path+"paymentTermCode", "active payment term", "payment-terms")
	dt, ok := d.book.DeliveryTerm(o.DeliveryTermCode)
	d.code(&o.DeliveryTermCode, &o.DeliveryTermName, was.DeliveryTermCode, listed{dt.Code, dt.Name, ok, dt.IsActive},
		path+"deliveryTermCode", "active delivery term", "delivery-terms")
	m, ok := d.book.ShippingMethod(o.ShippingMethodCode)
	d.code(&o.ShippingMethodCode, &o.ShippingMethodName, was.ShippingMethodCode, listed{m.Code, m.Name, ok, m.IsActive},
		path+"shippingMethodCode", "active shipping method", "shipping-methods")
}

// listed is a row of a list of codes, if the list has it.
type listed struct {
	code, name        string
	isThere, isActive bool
}

// code spells a code as its list does and takes its name over. One that was on the order before may be inactive by now.
func (d *orderEntry) code(code, name *string, was string, row listed, field, what, list string) {
	if row.isThere && (row.isActive || *code == was) {
		*code, *name = row.code, row.name
		return
	}
	if *name = ""; *code != "" {
		d.unknown(field, *code, what, list)
	}
}

func (d *orderEntry) unknown(field, code, what, list string) {
	d.wrong.Add(ErrUnknownCode, field, "%q is no %s; GET /preview/reference/%s lists them", code, what, list)
}

// address settles where the goods go: what the caller named, else the customer's default address, else the customer's
// own. Of no customer, or an unknown one, only what the caller named is looked at.
func (d *orderEntry) address(o *Order, c *party.Customer, was party.Postal, id, path string) error {
	switch {
	case id != "" && !o.DeliveryAddress.IsZero():
		d.wrong.Add(ErrInvalid, path+"deliveryAddressId", "name deliveryAddressId or deliveryAddress, not both")
	case o.DeliveryAddress.IsZero() && c.ID == "":
	case id != "":
		a, err := party.FindAddress(d.tx, c.ID, id)
		if fault.Is(err, party.ErrAddressNotFound) {
			d.wrong.Add(party.ErrAddressNotFound, path+"deliveryAddressId", "customer %s has no delivery address %q",
				c.Number, id)
			return nil
		}
		if err != nil {
			return err
		}
		o.DeliveryAddress = a.Postal
	case !o.DeliveryAddress.IsZero():
		o.DeliveryAddress.Check(&d.wrong, path+"deliveryAddress", was)
	default:
		a, err := d.defaultAddress(c.ID)
		if err != nil {
			return err
		}
		o.DeliveryAddress = c.Postal()
		if a != nil {
			o.DeliveryAddress = a.Postal
		}
	}
	return nil
}

func (d *orderEntry) defaultAddress(customerID string) (*party.Address, error) {
	if a, ok := d.addresses[customerID]; ok {
		return a, nil
	}
	a, err := party.DefaultAddress(d.tx, customerID)
	d.addresses[customerID] = a
	return a, err
}
