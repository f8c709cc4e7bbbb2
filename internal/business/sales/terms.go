package sales

import (
	"cmp"

	"kontor/internal/business/party"
	"kontor/internal/foundation/fault"
)

// cmpOr is the first text that is not empty.
func cmpOr(texts ...string) string { return cmp.Or(texts...) }

// terms fills in what the head leaves open from the customer, then from the company, and checks every code. Codes
// are written as the reference book spells them.
func (d *desk) terms(o *Order, c *party.Customer, currency, path string) {
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
	}
	o.InvoiceAddress.Check(&d.wrong, path+"invoiceAddress")
}

// codes checks the head's codes and copies their names. A code that was on the order before stays good when it was
// deactivated since.
func (d *desk) codes(o *Order, was *Head, path string) {
	if was == nil {
		was = &Head{}
	}
	if t, ok := d.book.OrderType(o.OrderTypeCode); ok && (t.IsActive || o.OrderTypeCode == was.OrderTypeCode) {
		o.OrderTypeCode, o.OrderTypeName = t.Code, t.Name
	} else if o.OrderTypeName = ""; o.OrderTypeCode != "" {
		d.unknown(path+"orderTypeCode", o.OrderTypeCode, "active order type", "order-types")
	}
	if w, ok := d.book.Warehouse(o.WarehouseCode); ok && (w.IsActive || o.WarehouseCode == was.WarehouseCode) {
		o.WarehouseCode, o.WarehouseName = w.Code, w.Name
	} else if o.WarehouseName = ""; o.WarehouseCode != "" {
		d.unknown(path+"warehouseCode", o.WarehouseCode, "active warehouse", "warehouses")
	}
	if t, ok := d.book.PaymentTerm(o.PaymentTermCode); ok && (t.IsActive || o.PaymentTermCode == was.PaymentTermCode) {
		o.PaymentTermCode, o.PaymentTermName = t.Code, t.Name
	} else if o.PaymentTermName = ""; o.PaymentTermCode != "" {
		d.unknown(path+"paymentTermCode", o.PaymentTermCode, "active payment term", "payment-terms")
	}
	if t, ok := d.book.DeliveryTerm(o.DeliveryTermCode); ok && (t.IsActive || o.DeliveryTermCode == was.DeliveryTermCode) {
		o.DeliveryTermCode, o.DeliveryTermName = t.Code, t.Name
	} else if o.DeliveryTermName = ""; o.DeliveryTermCode != "" {
		d.unknown(path+"deliveryTermCode", o.DeliveryTermCode, "active delivery term", "delivery-terms")
	}
	if m, ok := d.book.ShippingMethod(o.ShippingMethodCode); ok && (m.IsActive || o.ShippingMethodCode == was.ShippingMethodCode) {
		o.ShippingMethodCode, o.ShippingMethodName = m.Code, m.Name
	} else if o.ShippingMethodName = ""; o.ShippingMethodCode != "" {
		d.unknown(path+"shippingMethodCode", o.ShippingMethodCode, "active shipping method", "shipping-methods")
	}
}

func (d *desk) unknown(field, code, what, list string) {
	d.wrong.Add(ErrUnknownCode, field, "%q is no %s; GET /preview/reference/%s lists them", code, what, list)
}

// address settles where the goods go: what the caller named, else the customer's default address, else the customer's own.
func (d *desk) address(o *Order, c *party.Customer, id, path string) error {
	switch {
	case id != "" && !o.DeliveryAddress.IsZero():
		d.wrong.Add(ErrInvalid, path+"deliveryAddressId", "name deliveryAddressId or deliveryAddress, not both")
	case id != "":
		a, err := party.FindAddress(d.tx, c.ID, id)
		if fault.Is(err, party.ErrAddressNotFound) {
			d.wrong.Add(party.ErrAddressNotFound, path+"deliveryAddressId", "customer %s has no delivery address %q", c.Number, id)
			return nil
		}
		if err != nil {
			return err
		}
		o.DeliveryAddress = a.Postal
	case !o.DeliveryAddress.IsZero():
		o.DeliveryAddress.Check(&d.wrong, path+"deliveryAddress")
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

func (d *desk) defaultAddress(customerID string) (*party.Address, error) {
	if a, ok := d.addresses[customerID]; ok {
		return a, nil
	}
	a, err := party.DefaultAddress(d.tx, customerID)
	d.addresses[customerID] = a
	return a, err
}
