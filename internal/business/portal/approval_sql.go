package portal

import (
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

func insertApproval(tx *db.Tx, v *storefront.Visit, o *sales.Order) error {
	return tx.Run(`-- portal.insertApproval
		insert into order_approval (company, order_id, customer_id, order_number, asked_by, asked_name, status, asked_at)
		values (:company, :order, :customer, :number, :by, :name, :status, :now)`,
		db.Args{"order": o.ID, "customer": o.CustomerID, "number": o.Number, "by": v.Contact.ID, "name": v.Contact.Name,
			"status": Waiting})
}

func updateApproval(tx *db.Tx, orderID, by string, to ApprovalStatus, reason string) error {
	return tx.Run(`-- portal.updateApproval
		update order_approval set status = :status, reason = :reason, decided_by = :by, decided_at = :now
		where company = :company and order_id = :order`, db.Args{"order": orderID, "status": to, "reason": reason,
		"by": by})
}

const approvalColumns = "a.order_id, a.order_number, a.asked_by, a.asked_name, a.asked_at, a.status, a.reason"

func scanApproval(r db.Row, a *Approval) error {
	return r.Scan(&a.OrderID, &a.OrderNumber, &a.AskedByID, &a.AskedBy, &a.AskedAt, &a.Status, &a.Reason)
}

// Approvals reads the approvals of orders by the orders' ids; orders that need none are absent.
func Approvals(tx *db.Tx, orderIDs []string) (map[string]Approval, error) {
	if len(orderIDs) == 0 {
		return map[string]Approval{}, nil
	}
	return db.ByKey(tx, `-- portal.Approvals
		select `+approvalColumns+` from order_approval a where a.company = :company and a.order_id in (:orders)`,
		db.Args{"orders": orderIDs}, func(r db.Row, order *string, a *Approval) error {
			err := scanApproval(r, a)
			*order = a.OrderID
			return err
		})
}

// WaitingApprovals reads a page of the orders of the visitor's customer that wait for approval, the newest first.
func WaitingApprovals(tx *db.Tx, p record.Page) (record.Found[Approval], error) {
	q := record.Query{Name: "portal.WaitingApprovals", Select: approvalColumns,
		From: "order_approval a join sales_order o on o.company = a.company and o.id = a.order_id",
		Key:  []string{"a.order_id desc"}}
	q.Where("a.customer_id = :customer and a.status = 'Waiting' and o.status = 'Placed'",
		db.Args{"customer": storefront.Of(tx).Customer.ID})
	return record.ListOf(tx, q, p, scanApproval)
}

// Approvers are the contacts of a customer who may approve orders.
func Approvers(tx *db.Tx, customerID string) (all []Person, err error) {
	return db.Rows(tx, `-- portal.Approvers
		select id, name, email, language_code from customer_contact
		where company = :company and customer_id = :customer and is_active = 1 and has_portal_access = 1 and role in (:roles) order by id`,
		db.Args{"customer": customerID, "roles": []string{string(storefront.Approver), string(storefront.Admin)}},
		func(r db.Row, p *Person) error {
			return r.Scan(&p.Contact.ID, &p.Contact.Name, &p.Contact.Email, &p.Language)
		})
}
