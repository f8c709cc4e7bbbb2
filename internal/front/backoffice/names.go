package backoffice

import (
	"cmp"

	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/front/page"
)

// What a record's page says of a code is its name, as the order's page does. What no list has is shown as it is.

func calledIn[T any](c *page.Ctx, code string, find func(*reference.Book, string) (T, bool),
	name func(T) string) page.Value {
	return page.T(cmp.Or(nameIn(c, code, find, name), code))
}

func nameIn[T any](c *page.Ctx, code string, find func(*reference.Book, string) (T, bool),
	name func(T) string) string {
	book, err := reference.Of(c.Tx)
	if err != nil || code == "" {
		return ""
	}
	t, _ := find(book, code)
	return name(t)
}

func warehouseName(c *page.Ctx, code string) string {
	return cmp.Or(nameIn(c, code, (*reference.Book).Warehouse,
		func(w reference.Warehouse) string { return w.Name }), code)
}

func warehouseCalled(c *page.Ctx, code string) page.Value { return page.T(warehouseName(c, code)) }

func orderTypeCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).OrderType, func(t reference.OrderType) string { return t.Name })
}

func methodCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).ShippingMethod,
		func(m reference.ShippingMethod) string { return m.Name })
}

func paymentTermCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).PaymentTerm, func(t reference.PaymentTerm) string { return t.Name })
}

func deliveryTermCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).DeliveryTerm, func(t reference.DeliveryTerm) string { return t.Name })
}

func groupCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).CustomerGroup,
		func(g reference.CustomerGroup) string { return g.Name })
}

func queueCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).TicketQueue, func(q reference.TicketQueue) string { return q.Name })
}

func taxCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).TaxCode, func(t reference.TaxCode) string { return t.Name })
}

func unitCalled(c *page.Ctx, code string) page.Value {
	return calledIn(c, code, (*reference.Book).Unit, func(u reference.Unit) string { return u.Name })
}

// customerCalled leads to a customer by his name.
func customerCalled(c *page.Ctx, number string) page.Value {
	name := number
	if t, err := party.Find(c.Tx, number); err == nil {
		name = cmp.Or(t.Name, number)
	}
	return page.To(name, page.Path("customers", number))
}
