package checkout_test

import (
	"context"
	"testing"

	"kontor/internal/business/checkout"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	paying "kontor/internal/front/payment/testing"
)

// unreached is a provider whose refunds may fail after it took them, as happens where the buyer's account is closed.
type unreached struct {
	refunding
	isClosed *bool
}

func (u unreached) Refund(ctx context.Context, a payment.Account, p payment.Payment,
	r payment.Refund) (payment.Refunded, error) {
	if *u.isClosed {
		return payment.Refunded{}, payment.ErrDeclined.Because("The refund did not reach the buyer.")
	}
	return u.Provider.Refund(ctx, a, p, r)
}

// bounces makes the store's provider one whose refunds fail later, and answers how it tells of one.
func (s *shop) bounces() (isClosed *bool, tell func(e payment.Event) error) {
	isClosed = new(bool)
	event := payment.Event{}
	s.payments.Providers = func() payment.Providers {
		return payment.NewProviders(unreached{refunding{paying.New("https://erp.example.com/pay", s.clock), &event},
			isClosed})
	}
	return isClosed, func(e payment.Event) error {
		event = e
		return s.payments.Receive(context.Background(), office{s}, "Test", "TEST", payment.Callback{}, s.clock())
	}
}

// failedRefunds are the jobs of refunds that have failed.
func (s *shop) failedRefunds() (all []jobs.Job) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		found, err := jobs.List(tx, jobs.Filter{Kind: checkout.Refunding.Name, Status: jobs.Failed},
			record.Page{Number: 1, Size: 10})
		all = found.Items
		return err
	})
	return all
}

// What was paid back for goods that came back and did not reach the buyer is owed to him again, until somebody has paid
// it another way.
func TestARefundThatDoesNotReachTheBuyer(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 9)
		isClosed, tell := s.bounces()
		b := s.buys("TEST", "SAW", "SAW")
		i := s.billed(b.number)
		if err := s.book(s.cameBack(b.number, 2)); err != nil {
			t.Fatal(err)
		}
		m := s.transfers(b.payment)[0]
		failed := payment.Event{ID: "evt-1", PaymentID: b.payment,
			Failed: payment.FailedRefund{ID: m.ID, Amount: dec.Int(250)}}
		if err := tell(failed); !fault.Is(err, fault.ErrUnavailable) {
			t.Errorf("a refund that is just being made is told as failed: %v", err)
		}
		b.has("250", "0")
		b.owes(i, "0")

		*isClosed = true
		for range 2 {
			if err := tell(failed); err != nil {
				t.Fatal(err)
			}
		}
		b.has("0", "250")
		b.owes(i, "-250")
		s.agree()
		all := s.failedRefunds()
		if len(all) != 1 || all[0].Subject != b.number {
			t.Fatalf("nobody is told: %+v", all)
		}
		failed.ID = "evt-2"
		if err := tell(failed); err != nil {
			t.Errorf("told again once the job has failed: %v", err)
		}
		b.has("0", "250")

		b.do(func(tx *db.Tx) error { _, err := checkout.PaidBack(tx, all[0].ID); return err })
		b.has("250", "0")
		b.owes(i, "0")
		s.agree()
		err := test.Attempt(s.store, func(tx *db.Tx) error {
			_, err := checkout.PaidBack(tx, all[0].ID)
			return err
		})
		if !fault.Is(err, jobs.ErrInvalidStatus) {
			t.Errorf("paid back twice: %v", err)
		}
	})
}

// A refund that was made at the provider's and failed there is money that pays the invoice again.
func TestARefundOfAnotherThatFails(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 9)
		_, tell := s.bounces()
		b := s.buys("TEST", "SAW", "SAW")
		i := s.billed(b.number)
		p := s.payment(b.payment)
		made := payment.Event{ID: "evt-1", State: p.At().State(), PaymentID: p.ID}
		made.Refunded = dec.Int(125)
		if err := tell(made); err != nil {
			t.Fatal(err)
		}
		b.has("125", "125")
		b.owes(i, "125")
		for range 2 {
			err := tell(payment.Event{ID: "re-1 failed", State: payment.State{Ref: p.Ref},
				Failed: payment.FailedRefund{Amount: dec.Int(125)}})
			if err != nil {
				t.Fatal(err)
			}
		}
		b.has("0", "250")
		b.owes(i, "0")
		err := tell(payment.Event{ID: "re-2 failed", PaymentID: p.ID,
			Failed: payment.FailedRefund{ID: "nobody's", Amount: dec.Int(125)}})
		if err != nil {
			t.Fatal(err)
		}
		b.has("0", "250")
		s.agree()
	})
}
