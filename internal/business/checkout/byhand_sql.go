package checkout

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

var handRefunds = record.TableOf(HandRefunds, record.Layout[HandRefund]{
	Fixed:    "order_id, order_number, invoice, amount, currency",
	Changing: "transferred_on",
	Missing:  func(id string) error { return ErrRefundNotFound.Because("there is no refund %s", id) },
})

// FindHandRefund reads a refund that people transfer. Refund.NotFound.
func FindHandRefund(tx *db.Tx, id string) (HandRefund, error) { return handRefunds.Find(tx, id) }

// FindHandRefunds reads refunds that people transfer by their ids, in the order of these; what there is none of is left
// out.
func FindHandRefunds(tx *db.Tx, ids []string) ([]HandRefund, error) {
	return handRefunds.Where(tx, "checkout.FindHandRefunds", "id in (:ids) order by id", db.Args{"ids": ids})
}

// HandRefundFilter narrows a list of refunds that people transfer; its zero value takes all.
type HandRefundFilter struct {
	Waits *bool // not transferred yet
}

// ListHandRefunds reads refunds that people transfer: those that wait come first, the oldest of them before the others.
func ListHandRefunds(tx *db.Tx, f HandRefundFilter, p record.Page) (record.Found[HandRefund], error) {
	q := handRefunds.Query("checkout.ListHandRefunds")
	q.Key = []string{"transferred_on", "id"}
	q.Sorts = map[string][]string{"transferred": {"transferred_on", "id"}, "since": {"id"}}
	if f.Waits != nil && *f.Waits {
		q.Where("transferred_on = ''", nil)
	} else if f.Waits != nil {
		q.Where("transferred_on <> ''", nil)
	}
	return record.ListOf(tx, q, p, handRefunds.Scan)
}

// HandRefundsOf are the refunds of an order that people transfer, the oldest first.
func HandRefundsOf(tx *db.Tx, orderID string) ([]HandRefund, error) {
	return handRefunds.Where(tx, "checkout.HandRefundsOf", "order_id = :order order by id", db.Args{"order": orderID})
}
