package checkout_test

import (
	"context"
	"testing"

	"kontor/internal/business/checkout"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
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

// ledgered is a provider that counts what was taken of a payment, as those abroad do; or that counts nothing and adds
// to what it is handed, as Test does. While its answer to the first capture is on its way, meanwhile happens.
type ledgered struct {
	payment.Provider
	taken     map[string]dec.Dec // by the ids of captures, of which it knows one again; nil = it counts nothing
	meanwhile *func()
}

func (l ledgered) Capture(ctx context.Context, a payment.Account, p payment.Payment,
	c payment.Capture) (s payment.State, err error) {
	if l.taken == nil {
		s, err = l.Provider.Capture(ctx, a, p, c)
	} else {
		l.taken[c.ID] = c.Amount
		s = p.State()
		s.Status, s.Captured = payment.Authorized, 0
		for _, amount := range l.taken {
			s.Captured = s.Captured.Add(amount)
		}
		if s.Captured == p.Amount {
			s.Status = payment.Captured
		}
	}
	if do := *l.meanwhile; do != nil {
		*l.meanwhile = nil
		do()
	}
	return s, err
}

// Two bills of an order are paid at the same moment: the answer that is written last knows of the first capture alone,
// and takes nothing away from what the other brought.
func TestAnOvertakenCaptureTakesNothingAway(t *testing.T) { overtake(t, true) }

// The same where nobody but us counts what was taken.
func TestAnOvertakenCaptureIsCountedWhereNobodyElseCounts(t *testing.T) { overtake(t, false) }

func overtake(t *testing.T, counts bool) {
	each(t, func(s *shop) {
		var meanwhile func()
		var taken map[string]dec.Dec
		if counts {
			taken = map[string]dec.Dec{}
		}
		s.payments.Providers = func() payment.Providers {
			all := s.providers()
			all["Test"] = ledgered{all["Test"], taken, &meanwhile}
			return all
		}
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		s.supply("SAW", 2)
		b := s.buys("HELD", "SAW", "SAW")
		b.leavesInPart(1)
		first := b.bill()
		s.supply("SAW", 1)
		b.leavesInPart(1)
		second := b.bill()
		move := func(invoice string) {
			var id string
			dbtest.Read(t, s.store, func(tx *db.Tx) error {
				all, err := checkout.Transfers(tx, b.payment)
				for _, m := range all {
					if m.Invoice == invoice {
						id = m.ID
					}
				}
				return err
			})
			if err := s.payments.Move(context.Background(), office{s}, id); err != nil {
				t.Error(err)
			}
		}
		meanwhile = func() { move(second) }
		move(first)
		if p := s.payment(b.payment); p.Captured != p.Amount || p.Status != payment.Captured {
			t.Errorf("%s of %s are said to be taken, the payment is %s", p.Captured, p.Amount, p.Status)
		}
		b.owes(first, "0")
		b.owes(second, "0")
		b.has("0", "250")
	})
}

// Who takes money once is asked once: a second bill while the first capture is under way would be taken in its place,
// and the rest let go.
func TestMoneyThatIsTakenOnceIsAskedForOnce(t *testing.T) {
	each(t, func(s *shop) {
		s.takesOnce()
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		s.supply("SAW", 2)
		s.supply("NAIL", 1)
		b := s.buys("HELD", "SAW", "SAW", "NAIL")
		b.do(func(tx *db.Tx) error { _, err := sales.DeleteLine(tx, b.number, 2); return err })
		b.leavesInPart(1)
		first := b.bill()
		s.supply("SAW", 1)
		b.leavesInPart(1)
		second := b.bill()
		dbtest.Read(t, s.store, func(tx *db.Tx) error {
			all, err := checkout.Transfers(tx, b.payment)
			if len(all) != 1 || all[0].Amount != dec.Int(250) {
				t.Errorf("what is to be taken: %+v", all)
			}
			return err
		})
		b.has("0", "250")
		b.owes(first, "0")
		b.owes(second, "0")
	})
}
