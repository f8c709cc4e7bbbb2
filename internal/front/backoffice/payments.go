package backoffice

import (
	"cmp"

	"kontor/internal/business/checkout"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// payments are what buyers of stores have paid, or said that they will: somebody looks there for the order that a
// provider calls by a name of its own.
func payments() []page.Page {
	return []page.Page{page.List[checkout.Payment]{Path: "/payments", Title: "Payments", Permission: "invoices:read",
		Menu: true, Search: "Order number, the provider's reference",
		Filters: []page.Filter{page.Choice("status", "Status", page.Options(payment.Statuses())),
			page.ChoiceOf("method", "Payment method", func(c *page.Ctx) []page.Option {
				found, _ := checkout.ListMethods(c.Tx, inDropDown)
				return options(found.Items, methodOption)
			}), page.Flag("unheld", "Open orders", "Nothing is held", "All")},
		Find: func(c *page.Ctx, q page.Query) (record.Found[checkout.Payment], error) {
			return checkout.ListPayments(c.Tx, checkout.PaymentFilter{Search: q.Search, Method: q.Get("method"),
				Status: payment.Status(q.Get("status")), IsUnheld: q.Is("unheld")}, q.Page)
		},
		Href: func(p checkout.Payment) string { return page.Path("orders", p.OrderNumber) },
		Columns: func(p checkout.Payment) []page.Column {
			return []page.Column{page.Col("Order", page.T(p.OrderNumber)),
				page.Minor("Payment method", page.T(p.Method).Called(func(c *page.Ctx) page.Value {
					return methodName(c, p.Method)
				})), page.Col("Status", paymentBadge(p.Status)),
				page.Col("Amount", page.Money(p.Amount, p.Currency)),
				page.Minor("Paid", page.Money(p.Captured, p.Currency)),
				page.Minor("Paid back", page.Money(p.Refunded, p.Currency).If(p.Refunded > 0)),
				page.Minor("Reference", page.T(p.Ref).If(p.Ref != p.ID)), // which money by hand has none beside
				page.Minor("Since", page.At(p.CreatedAt))}
		}}}
}

func methodOption(m checkout.Method) (value, label string) { return m.Code, cmp.Or(m.Name, m.Code) }
