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
	before, err := readDefaults(tx, db.ForUpdate)
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
	named(&c, "warehouseCode", "warehouse", &d.Warehouse, b.Warehouse, warehouses)
	named(&c, "orderTypeCode", "order type", &d.OrderType, b.OrderType, orderTypes)
	named(&c, "shippingMethodCode", "shipping method", &d.ShippingMethod, b.ShippingMethod, shippingMethods)
	named(&c, "paymentTermCode", "payment term", &d.PaymentTerm, b.PaymentTerm, paymentTerms)
	named(&c, "deliveryTermCode", "delivery term", &d.DeliveryTerm, b.DeliveryTerm, deliveryTerms)
	named(&c, "taxCode", "tax code", &d.TaxCode, b.TaxCode, taxCodes)
	named(&c, "unitCode", "unit", &d.Unit, b.Unit, units)
	named(&c, "customerGroupCode", "customer group", &d.CustomerGroup, b.CustomerGroup, customerGroups)
	named(&c, "ticketQueueCode", "ticket queue", &d.TicketQueue, b.TicketQueue, ticketQueues)
	c.If(d.BillPercent < 0 || d.BillPercent > dec.Int(100), fault.ErrInvalid, "billPercent",
		"must be between 0 and 100")
	c.If(d.BillAmount < 0, fault.ErrInvalid, "billAmount", "must not be negative")
	limit.Total.Check(&c.List, "billAmount", d.BillAmount)
	return c.Err()
}

// of is the code that a document gets which names none of the resource's; "" = none.
func (d *Defaults) of(r record.Resource) string {
	return map[string]string{warehouses.resource.Name: d.Warehouse, orderTypes.resource.Name: d.OrderType,
		shippingMethods.resource.Name: d.ShippingMethod, paymentTerms.resource.Name: d.PaymentTerm,
		deliveryTerms.resource.Name: d.DeliveryTerm, taxCodes.resource.Name: d.TaxCode, units.resource.Name: d.Unit,
		customerGroups.resource.Name: d.CustomerGroup, ticketQueues.resource.Name: d.TicketQueue}[r.Name]
}

// named makes a code that is known the one that its record has.
func named[T any](c *checker, field, word string, code *string, find func(string) (T, bool), k *kind[T]) {
	v, ok := find(*code)
	if ok {
		*code = *k.head(&v).code
	}
	c.known(field, word, *code, ok)
}
