package checkout

import (
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// HandRefund is money that goes back to a buyer and that no provider moves: the books count it as given back, and
// somebody transfers it. Its id is that of the transfer that it carries out.
type HandRefund struct {
	record.Root
	OrderID, OrderNumber string
	Invoice              string // the credit note that it pays out; "" = none
	Amount               dec.Dec
	Currency             string
	TransferredOn        day.Date // "" = it waits
}

// HandRefunds is the resource of refunds that people transfer.
var HandRefunds = record.Define("refunds", "hand_refund", "Refund")

// Refusals of refunds that people transfer.
var (
	ErrRefundNotFound    = fault.New(fault.NotFound, "Refund.NotFound")
	ErrRefundTransferred = fault.New(fault.Conflict, "Refund.InvalidStatus")
)

// leaveToPeople asks people to transfer what a refund gives back. The buyer hears of it when they have.
func leaveToPeople(tx *db.Tx, p *Payment, m *Transfer, amount dec.Dec) error {
	r := HandRefund{Root: record.New(tx), OrderID: p.OrderID, OrderNumber: p.OrderNumber, Invoice: m.Invoice,
		Amount: amount, Currency: p.Currency}
	r.ID = m.ID
	return handRefunds.Create(tx, &r)
}

// Transferred notes on which day somebody transferred a refund, and tells the buyer. Refusals: Refund.NotFound,
// Refund.InvalidStatus where it was before, Request.Invalid.
func Transferred(tx *db.Tx, id string, on day.Date) error {
	r, err := handRefunds.Do(tx, id, "repay", func(r *HandRefund) error {
		switch {
		case r.TransferredOn != "":
			return ErrRefundTransferred.Because("the refund of order %s was transferred on %s already", r.OrderNumber,
				r.TransferredOn)
		case on == "" || on > tx.Today():
			return fault.ErrInvalid.At("transferredOn",
				"must be the day on which it was transferred, at the latest today")
		}
		r.TransferredOn = on
		return nil
	})
	if err != nil {
		return err
	}
	m, err := readTransfer(tx, id)
	if err != nil {
		return err
	}
	p, err := readPayment(tx, m.PaymentID)
	if err != nil {
		return err
	}
	return mailRefund(tx, p, m, r.Amount)
}

// NotTransferred takes back that a refund was transferred: it was noted by mistake, or the bank sent the money back. It
// waits again, and the buyer, who was told otherwise, hears nothing of it. Refusals: Refund.NotFound,
// Refund.InvalidStatus where it waits.
func NotTransferred(tx *db.Tx, id string) error {
	_, err := handRefunds.Do(tx, id, "reopen", func(r *HandRefund) error {
		if r.TransferredOn == "" {
			return ErrRefundTransferred.Because("the refund of order %s was not transferred yet", r.OrderNumber)
		}
		r.TransferredOn = ""
		return nil
	})
	return err
}
