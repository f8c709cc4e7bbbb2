package portal

import (
	"cmp"

	"kontor/internal/business/channel"
	"kontor/internal/business/party"
	"kontor/internal/business/reference"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/letters"
	"kontor/internal/foundation/mail"
)

// ApprovalStatus is where the approval of an order stands.
type ApprovalStatus string

// The statuses of an approval.
const (
	Waiting  ApprovalStatus = "Waiting"
	Accepted ApprovalStatus = "Approved"
	Rejected ApprovalStatus = "Rejected"
)

// Values are all statuses.
func (ApprovalStatus) Values() []ApprovalStatus {
	return []ApprovalStatus{Waiting, Accepted, Rejected}
}

// Approval is the question whether an order is to be.
type Approval struct {
	OrderID     string
	OrderNumber string
	AskedByID   string // contact
	AskedBy     string // name
	AskedAt     db.Time
	Status      ApprovalStatus
	Reason      string
}

// Standing is how the question stands for an order: it waits no longer where the store went ahead with the order
// itself, or it was cancelled before anybody decided.
func (a Approval) Standing(o *sales.Order) ApprovalStatus {
	if a.Status == Waiting && o.Status != sales.Placed {
		return ""
	}
	return a.Status
}

// Approved is fired when an order was approved. Who wants it kept unreleased for another reason, such as money that is
// outstanding, sets Wait; else it is released where its type releases by itself.
type Approved struct {
	Order *sales.Order
	Wait  *bool
}

// NeedsApproval reports whether an order of the visitor over this total, tax included, has to be approved by a
// colleague. The store's limit is in its own currency: who pays in another is held against it at the day's rate, and
// asks where there is none.
func NeedsApproval(tx *db.Tx, v *storefront.Visit, total dec.Dec, currency string) (bool, error) {
	over := v.Channel.Store.ApprovalOver
	if over == nil || !v.SignedIn() || v.Contact.Role != storefront.Buyer {
		return false, nil
	}
	if currency == v.Channel.CurrencyCode {
		return total > *over, nil
	}
	book, err := reference.Of(tx)
	if err != nil {
		return false, err
	}
	from, isKnown := book.RateOn(currency, tx.Today())
	to, ok := book.RateOn(v.Channel.CurrencyCode, tx.Today())
	if !isKnown || !ok {
		return true, nil
	}
	digits := book.Digits(v.Channel.CurrencyCode)
	return dec.Capped(func() dec.Dec { return dec.Convert(total, from, to, digits) }) > *over, nil
}

// HoldForApproval asks the colleagues who may approve to approve an order that was placed unreleased, in its
// transaction.
func HoldForApproval(tx *db.Tx, v *storefront.Visit, o *sales.Order) error {
	if err := insertApproval(tx, v, o); err != nil {
		return err
	}
	approvers, err := Approvers(tx, o.CustomerID)
	if err != nil {
		return err
	}
	for _, a := range approvers {
		language := cmp.Or(a.Language, v.Language)
		letter := letters.Approval{OrderNumber: o.Number, By: v.Contact.Name, Link: v.Channel.OrderURL(o.ID, o.Number),
			Total: o.TotalIncludingTax(), Currency: o.CurrencyCode, Digits: o.Digits}
		to := mail.Address{Name: a.Contact.Name, Email: a.Contact.Email}
		if to.Confirmed, err = isConfirmed(tx, a.Contact.ID); err != nil {
			return err
		}
		if err := mail.Enqueue(tx, letters.OrderApprovalWanted(language, channel.Letterhead(tx, v.Channel), to,
			letter)); err != nil {
			return err
		}
	}
	return nil
}

// IsWaiting reports whether an order waits to be approved.
func IsWaiting(tx *db.Tx, orderID string) (bool, error) {
	found, err := Approvals(tx, []string{orderID})
	return found[orderID].Status == Waiting, err
}

// Approve lets an order go ahead that a colleague placed. OrderApproval.NotFound, OrderApproval.InvalidStatus.
func Approve(tx *db.Tx, orderID string) error {
	o, err := decide(tx, orderID, Accepted, "")
	if err != nil {
		return err
	}
	wait := false
	if err := tx.Fire(Approved{o, &wait}); err != nil {
		return err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	if t, _ := book.OrderType(o.OrderTypeCode); wait || !t.AutoRelease {
		return nil
	}
	_, err = sales.Release(tx, o.Number)
	return err
}

// Reject calls off an order that a colleague placed, for a reason that they are shown. OrderApproval.NotFound,
// OrderApproval.InvalidStatus.
func Reject(tx *db.Tx, orderID, reason string) error {
	o, err := decide(tx, orderID, Rejected, reason)
	if err != nil {
		return err
	}
	_, err = sales.Cancel(tx, o.Number)
	return err
}

// decide locks an order of the visitor's customer that waits, and notes what becomes of it.
func decide(tx *db.Tx, orderID string, to ApprovalStatus, reason string) (*sales.Order, error) {
	v := storefront.Of(tx)
	if err := NeedFor(tx, ApproveOrders, ErrNoApproval, orderID); err != nil {
		return nil, err
	}
	found, err := sales.LockIDs(tx, []string{orderID})
	if err != nil {
		return nil, err
	}
	asked, err := Approvals(tx, []string{orderID})
	if err != nil {
		return nil, err
	}
	a, ok := asked[orderID]
	if !ok || len(found) == 0 || found[0].CustomerID != v.Customer.ID {
		return nil, Missing(ErrNoApproval, orderID)
	}
	o := found[0]
	switch {
	case a.Status != Waiting:
		return nil, ErrDecided.Because("order %s no longer waits for approval: it is %s, the approval %s", o.Number,
			o.Status, a.Status)
	case o.Status != sales.Placed: // the store went ahead with it, or somebody called it off
		return nil, ErrDecided.Because("order %s no longer waits for approval: it is %s", o.Number, o.Status)
	}
	if err := updateApproval(tx, orderID, v.Contact.Name, to, reason); err != nil {
		return nil, err
	}
	return o, tellBuyer(tx, o, a.AskedByID, letters.Decision{IsApproved: to == Accepted, By: v.Contact.Name,
		Reason: reason})
}

// tellBuyer mails who placed an order what a colleague decided about it, if they still come in here.
func tellBuyer(tx *db.Tx, o *sales.Order, contactID string, d letters.Decision) error {
	p, err := party.FindContact(tx, o.CustomerID, contactID)
	if fault.Is(err, party.ErrContactNotFound) || err == nil && (!p.IsActive || !p.HasPortalAccess) {
		return nil
	}
	if err != nil {
		return err
	}
	v := storefront.Of(tx)
	store, err := channel.Find(tx, o.ChannelCode)
	if fault.Is(err, channel.ErrNotFound) {
		store, err = v.Channel, nil
	}
	if err != nil {
		return err
	}
	d.OrderNumber, d.Link = o.Number, store.OrderURL(o.ID, o.Number)
	d.Total, d.Currency, d.Digits = o.TotalIncludingTax(), o.CurrencyCode, o.Digits
	to := mail.Address{Name: p.Name, Email: p.Email}
	if to.Confirmed, err = isConfirmed(tx, p.ID); err != nil {
		return err
	}
	return mail.Enqueue(tx, letters.OrderDecided(cmp.Or(p.LanguageCode, v.Language), channel.Letterhead(tx, store), to,
		d))
}

// CancelOrder calls off an order of the visitor's customer that the warehouse has not got yet. SalesOrder.NotFound,
// SalesOrder.InvalidStatus.
func CancelOrder(tx *db.Tx, id string) error {
	if err := NeedFor(tx, CreateOrders, sales.ErrNotFound, id); err != nil {
		return err
	}
	found, err := sales.LockIDs(tx, []string{id})
	if err != nil {
		return err
	}
	if len(found) == 0 || found[0].CustomerID != storefront.Of(tx).Customer.ID {
		return Missing(sales.ErrNotFound, id)
	}
	if o := found[0]; o.Status != sales.Placed {
		return sales.ErrInvalidStatus.Because(
			"order %s is %s: it can be cancelled here while it is Placed; ask the store", o.Number, o.Status)
	}
	_, err = sales.Cancel(tx, found[0].Number)
	return err
}
