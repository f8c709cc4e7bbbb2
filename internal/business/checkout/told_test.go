package checkout_test

import (
	"context"
	"testing"

	"kontor/internal/business/checkout"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/payment"
	paying "kontor/internal/front/payment/testing"
)

// A callback that calls a payment off which is paid is asked about before anything is given up.
func TestBadNewsIsAskedAbout(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		v := s.ready("anna@example.com", "TEST", "SAW")
		p := v.pay(paying.CardSucceeds)
		for _, told := range []payment.Status{payment.Cancelled, payment.Failed, payment.Expired} {
			event := payment.Event{ID: "evt-" + string(told), State: p.At().State(), PaymentID: p.ID}
			event.Status = told
			payments := &checkout.Payments{Providers: func() payment.Providers {
				return payment.NewProviders(refunding{paying.New("https://erp.example.com/pay", s.clock), &event})
			}}
			if err := payments.Receive(context.Background(), office{s}, "Test", "TEST", payment.Callback{},
				s.clock()); err != nil {
				t.Fatal(err)
			}
			if now := s.payment(p.ID); now.Status != payment.Captured || s.free("SAW") != 0 {
				t.Errorf("%s is believed: %s, %s are free", told, now.Status, s.free("SAW"))
			}
		}
		s.work()
		if now := s.payment(p.ID); now.OrderNumber == "" {
			t.Errorf("no order: %+v", now)
		}
	})
}

// releasing is a provider that counts how often it was told to let go what it holds.
type releasing struct {
	payment.Provider
	told *int
}

func (r releasing) Release(context.Context, payment.Account, payment.Payment) error {
	*r.told++
	return nil
}

// What a provider still holds of an order that took a part of its money is let go when the order is over, and not
// before.
func TestTheRestOfHeldMoneyIsLetGo(t *testing.T) {
	each(t, func(s *shop) {
		told := 0
		s.payments.Providers = func() payment.Providers {
			all := s.providers()
			all["Test"] = releasing{all["Test"], &told}
			return all
		}
		s.sends()
		s.supply("SAW", 3)
		b := s.buys("HELD", "SAW", "SAW", "SAW")
		b.leavesInPart(1)
		b.bill()
		b.has("0", "125")
		if told != 0 {
			t.Errorf("let go while the order is open")
		}
		b.do(func(tx *db.Tx) error {
			_, err := sales.Close(tx, b.number)
			return err
		})
		b.has("0", "125")
		if told == 0 {
			t.Error("nobody told the provider that no more is taken")
		}
	})
}
