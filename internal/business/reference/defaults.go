package reference

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

var settings = record.Define("settings", "company_default", "Settings")

// SaveDefaults sets what the company uses where a document names nothing. Every code named must exist
// (Reference.UnknownCode).
func SaveDefaults(tx *db.Tx, d Defaults) error {
	b, err := Of(tx)
	if err != nil {
		return err
	}
	if err := d.check(b); err != nil {
		return err
	}
	before, err := readDefaults(tx, true)
	if err != nil {
		return err
	}
	if d.Root = before.Root; d.Root.ID == "" {
		d.Root = record.New(tx)
		err = settings.Created(tx, d.Root, "defaults", d)
	} else {
		err = settings.Changed(tx, &d.Root, "defaults", before, d)
	}
	if err != nil || d.Root == before.Root {
		return err
	}
	if err := writeDefaults(tx, d); err != nil {
		return err
	}
	return record.BumpEpoch(tx)
}

func (d *Defaults) check(b *Book) error {
	c := checker{book: b}
	named(&c, "warehouseCode", "warehouse", d.Warehouse, b.Warehouse)
	named(&c, "orderTypeCode", "order type", d.OrderType, b.OrderType)
	named(&c, "shippingMethodCode", "shipping method", d.ShippingMethod, b.ShippingMethod)
	named(&c, "paymentTermCode", "payment term", d.PaymentTerm, b.PaymentTerm)
	named(&c, "deliveryTermCode", "delivery term", d.DeliveryTerm, b.DeliveryTerm)
	named(&c, "taxCode", "tax code", d.TaxCode, b.TaxCode)
	named(&c, "unitCode", "unit", d.Unit, b.Unit)
	named(&c, "customerGroupCode", "customer group", d.CustomerGroup, b.CustomerGroup)
	named(&c, "ticketQueueCode", "ticket queue", d.TicketQueue, b.TicketQueue)
	if d.BillPercent < 0 || d.BillPercent > dec.Int(100) {
		c.Add(fault.ErrInvalid, "billPercent", "must be between 0 and 100")
	}
	if d.BillAmount < 0 {
		c.Add(fault.ErrInvalid, "billAmount", "must not be negative")
	}
	limit.Total.Check(&c.List, "billAmount", d.BillAmount)
	return c.Err()
}

func named[T any](c *checker, field, kind, code string, find func(string) (T, bool)) {
	_, ok := find(code)
	c.known(field, kind, code, ok)
}
