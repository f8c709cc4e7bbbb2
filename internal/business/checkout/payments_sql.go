package checkout

import (
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
)

// PaymentFilter narrows a list of payments; its zero value takes all.
type PaymentFilter struct {
	Search   string // order number, or the provider's name of the payment
	Status   payment.Status
	Method   string // code
	IsUnheld bool   // of open orders that nothing is held for any more: see Payment.IsUnheld
}

// ListPayments reads the payments of orders that somebody moves money for, the latest first. What an invoice pays is
// none of them.
func ListPayments(tx *db.Tx, f PaymentFilter, p record.Page) (record.Found[Payment], error) {
	q := record.Query{Name: "checkout.ListPayments", Select: paymentRow.Select("p"), From: "payment p",
		Key:    []string{"p.id desc"},
		Newest: "-- checkout.ListPayments newest\nselect max(changed_at) from payment where company = :company"}
	q.Standing("p.order_id <> '' and p.amount > 0 and p.provider <> :ours", db.Args{"ours": invoiceProvider})
	q.Given("p.status = :status", f.Status)
	q.Given("p.method_key = :method", record.Fold(f.Method))
	q.SearchAny(f.Search, "instr(fold(p.order_number), {word}) > 0", "instr(fold(p.ref), {word}) > 0")
	if f.IsUnheld {
		q.Name, q.Newest = "checkout.ListPayments unheld", "" // an index has these few alone; orders decide, too
		q.Where(`p.status in ('Cancelled', 'Expired', 'Failed') and exists (
			select 1 from sales_order o where o.company = :company and o.id = p.order_id and o.status in (:open))`,
			db.Args{"open": []sales.Status{sales.Placed, sales.Released}})
	}
	return record.ListOf(tx, q, p, paymentRow.Scan)
}
