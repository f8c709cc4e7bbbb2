package checkout_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	paying "kontor/internal/front/payment/testing"
)

// A started payment holds the goods, becomes one order however often that is asked for, and is nobody else's.
func TestPaidOrder(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		v := s.ready("anna@example.com", "TEST", "SAW")
		v.refused(checkout.ErrPaymentRequired, "")
		p := v.pay(paying.CardSucceeds)
		if p.Status != payment.Pending || p.Amount != dec.Int(125) || s.free("SAW") != 0 {
			t.Fatalf("%+v, %s are free", p, s.free("SAW"))
		}
		if again := v.pay(""); again.ID != p.ID {
			t.Errorf("another payment for the same cart: %s", again.ID)
		}
		other := s.ready("bo@example.com", "TEST", "SAW")
		if _, err := other.start(""); !fault.Is(err, stock.ErrInsufficient) {
			t.Errorf("the goods are held, and yet: %v", err)
		}
		other.refused(checkout.ErrSessionNotFound, p.ID)
		one, err := v.place(p.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{"", p.ID} {
			if two, err := v.place(id); err != nil || two.OrderNumber != one.OrderNumber {
				t.Errorf("asked again: %+v, %v", two, err)
			}
		}
		s.work()
		if all := s.orders(); len(all) != 1 || all[0].Status != sales.Released ||
			all[0].TotalIncludingTax() != dec.Int(125) {
			t.Errorf("%+v", all)
		}
		if p := s.payment(p.ID); p.OrderNumber != one.OrderNumber || p.Captured != dec.Int(125) || p.Refunded != 0 {
			t.Errorf("%+v", p)
		}
	})
}

// The callback alone places the order when the buyer does not come back, also when it comes twice or in the wrong
// order; and where none comes, the end of the hold does.
func TestBuyerNeverReturns(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 9)
		for _, card := range []string{paying.CardSucceeds, paying.CardTwice, paying.CardDisordered} {
			v := s.ready("anna@example.com", "TEST", "SAW")
			p := v.pay("")
			if err := errors.Join(s.deliver(p, card), s.deliver(p, card)); err != nil {
				t.Fatal(err)
			}
			s.work()
			if p = s.payment(p.ID); p.OrderNumber == "" || p.Captured != dec.Int(125) {
				t.Errorf("card %s: %+v", card, p)
			}
			if placed, err := v.place(p.ID); err != nil || placed.OrderNumber != p.OrderNumber {
				t.Errorf("the buyer comes back after all: %+v, %v", placed, err)
			}
		}
		v := s.ready("anna@example.com", "TEST", "SAW")
		p := v.pay(paying.CardSilent)
		if err := s.payments.Expire(context.Background(), office{s}, p.ID); err != nil {
			t.Fatal(err)
		}
		if p = s.payment(p.ID); p.OrderNumber == "" {
			t.Errorf("nobody told of it: %+v", p)
		}
		if n := len(s.orders()); n != 4 {
			t.Errorf("%d orders", n)
		}
	})
}

// Money for what can no longer be an order goes back: the cart was changed, the amount is another, the time was over
// and the goods are gone.
func TestMoneyGoesBack(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		s.supply("NAIL", 1)

		changed := s.ready("anna@example.com", "TEST", "NAIL")
		p := changed.pay("")
		changed.put("SAW")
		if err := s.deliver(p, paying.CardSucceeds); err != nil {
			t.Fatal(err)
		}
		changed.refused(checkout.ErrPriceChanged, p.ID)
		s.work()
		s.isRefunded(p.ID, "125")

		other := s.ready("bo@example.com", "TEST", "NAIL")
		p = other.pay(paying.CardChanged)
		if err := s.deliver(p, ""); err != nil {
			t.Fatal(err)
		}
		s.work()
		s.isRefunded(p.ID, "125.01")

		late := s.ready("cy@example.com", "TEST", "SAW")
		p = late.pay("")
		s.end(p)
		if p = s.payment(p.ID); p.Status != payment.Expired || s.free("SAW") != dec.One {
			t.Fatalf("%+v, %s are free", p, s.free("SAW"))
		}
		buyer := s.ready("di@example.com", "TEST", "SAW")
		if _, err := buyer.place(buyer.pay(paying.CardSucceeds).ID); err != nil {
			t.Fatal(err)
		}
		if err := s.deliver(p, paying.CardSucceeds); err != nil {
			t.Fatal(err)
		}
		s.work()
		s.isRefunded(p.ID, "125")
		if n := len(s.orders()); n != 1 {
			t.Errorf("%d orders", n)
		}
	})
}

// end lets the time to pay be over.
func (s *shop) end(p *checkout.Payment) {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		_, err := tx.Exec(
			"-- checkout_test.end\nupdate stock_hold set ends_at = 1 where company = :company and owner = :owner",
			db.Args{"owner": p.ID})
		return err
	})
	was := s.clock
	s.clock = func() time.Time { return time.Now() }
	defer func() { s.clock = was }()
	if err := s.payments.Expire(context.Background(), office{s}, p.ID); err != nil {
		s.Fatal(err)
	}
}

func (s *shop) isRefunded(id, amount string) {
	s.Helper()
	if p := s.payment(id); p.OrderID != "" || p.Refunded != dec.Must(amount) || p.Captured != dec.Must(amount) {
		s.Errorf("want %s given back: %+v", amount, p)
	}
}

// A declined payment frees the goods and lets the buyer try again; a cart that was changed calls the payment off first.
func TestAnotherPayment(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 2)
		v := s.ready("anna@example.com", "TEST", "SAW")
		p := v.pay(paying.CardDeclined)
		v.refused(checkout.ErrPaymentRequired, "")
		if p = s.payment(p.ID); p.Status != payment.Failed || s.free("SAW") != dec.Int(2) {
			t.Errorf("%+v, %s are free", p, s.free("SAW"))
		}
		second := v.pay("")
		v.put("SAW")
		third := v.pay(paying.CardSucceeds)
		if third.ID == second.ID || third.Amount != dec.Int(250) {
			t.Errorf("%+v", third)
		}
		if p := s.payment(second.ID); !p.IsDropped || p.Status != payment.Cancelled {
			t.Errorf("%+v", p)
		}
		v.refused(checkout.ErrPriceChanged, second.ID)
		if _, err := v.place(""); err != nil {
			t.Fatal(err)
		}
		if _, err := v.start("4000000000000341"); !fault.Is(err, cart.ErrEmpty) {
			t.Error(err)
		}
		down := s.ready("bo@example.com", "PRE", "NAIL")
		if _, err := down.place(""); !fault.Is(err, stock.ErrInsufficient) {
			t.Error(err)
		}
	})
}

// An order that is called off gives its money back, and lets go what was only held.
func TestCancelledOrder(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 3)
		for _, method := range []string{"TEST", "HELD", "PRE"} {
			v := s.ready("anna@example.com", method, "SAW")
			if method != "PRE" {
				v.pay(paying.CardSucceeds)
			}
			placed, err := v.place("")
			if err != nil {
				t.Fatal(err)
			}
			dbtest.Write(s, s.store, func(tx *db.Tx) error {
				_, err := sales.Cancel(tx, placed.OrderNumber)
				return err
			})
			s.work()
			p := s.payment(placed.PaymentID)
			if p.Captured != p.Refunded || method != "TEST" && p.Status != payment.Cancelled {
				t.Errorf("%s: %+v", method, p)
			}
		}
		if s.free("SAW") != dec.Int(3) {
			t.Errorf("%s are free", s.free("SAW"))
		}
	})
}

// Money in advance is noted by hand, and releases the order.
func TestMoneyArrives(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		placed, err := s.ready("anna@example.com", "PRE", "SAW").place("")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"100", "25"} {
			if all := s.orders(); all[0].Status != sales.Placed {
				t.Errorf("%s before it is paid", all[0].Status)
			}
			dbtest.Write(s, s.store, func(tx *db.Tx) error {
				return checkout.Arrived(tx, placed.OrderNumber, checkout.Arrival{Amount: dec.Must(part)})
			})
		}
		if all := s.orders(); all[0].Status != sales.Released {
			t.Errorf("%s though it is paid", all[0].Status)
		}
		err = s.store.Write(s.Context(), dbtest.Request(), func(tx *db.Tx) error {
			return checkout.Arrived(tx, placed.OrderNumber, checkout.Arrival{Amount: dec.One})
		})
		if !fault.Is(err, checkout.ErrSessionNotFound) {
			t.Errorf("more money than it came to: %v", err)
		}
	})
}

// More than is missing is taken from who means it, and what is too much goes back to the buyer.
func TestTooMuchMoneyArrives(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		placed, err := s.ready("anna@example.com", "PRE", "SAW").place("")
		if err != nil {
			t.Fatal(err)
		}
		arrive := func(a checkout.Arrival) error {
			return s.store.Write(s.Context(), dbtest.Request(), func(tx *db.Tx) error {
				return checkout.Arrived(tx, placed.OrderNumber, a)
			})
		}
		if err := arrive(checkout.Arrival{Amount: dec.Int(150)}); !fault.Is(err, checkout.ErrSurplus) {
			t.Errorf("not asked: %v", err)
		}
		if err := arrive(checkout.Arrival{Amount: dec.Int(150), Surplus: true}); err != nil {
			t.Fatal(err)
		}
		s.work()
		if p := s.payment(placed.PaymentID); p.Captured != dec.Int(150) || p.Refunded != dec.Int(25) ||
			p.Status != payment.Captured {
			t.Errorf("%s taken, %s given back, %s", p.Captured, p.Refunded, p.Status)
		}
		if all := s.orders(); all[0].Status != sales.Released {
			t.Errorf("%s though it is paid", all[0].Status)
		}
	})
}

// Wherever a process dies between the intent, the provider and the record, the payment is found again, or is over with
// its time.
func TestKilledBetween(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 2)
		v := s.ready("anna@example.com", "TEST", "SAW")
		w := checkout.Wish{ReturnURL: "https://shop.example.com/done",
			Data: map[string]string{"card": paying.CardSucceeds}}
		o, err := v.payments.Start(context.Background(), v, w) // and never recorded
		if err != nil {
			t.Fatal(err)
		}
		v.refused(checkout.ErrPaymentRequired, "")
		if p := v.pay(""); p.ID != o.Payment.ID || p.Ref == "" {
			t.Errorf("not the same payment: %+v", p)
		}
		bo := s.ready("bo@example.com", "TEST", "SAW")
		if o, err = bo.payments.Start(context.Background(), bo, w); err != nil {
			t.Fatal(err)
		}
		s.end(&o.Payment) // it is started again with the same id, found paid, and becomes the order
		if p := s.payment(o.Payment.ID); p.OrderNumber == "" {
			t.Errorf("%+v", p)
		}
	})
}

// Many buyers for fewer goods, over carts of two lines: never more is sold than there is.
func TestFewerThanBuyers(t *testing.T) {
	each(t, func(s *shop) {
		const buyers, saws, nails = 12, 5, 7
		s.supply("SAW", saws)
		s.supply("NAIL", nails)
		var all sync.WaitGroup
		for i := range buyers {
			items := []string{"SAW", "NAIL"}
			if i%2 == 1 {
				items = []string{"NAIL", "SAW"}
			}
			v := s.ready(fmt.Sprintf("b%d@example.com", i), "PRE", items...)
			all.Go(func() {
				if _, err := v.place(""); err != nil && !fault.Is(err, stock.ErrInsufficient) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := len(s.orders()); n != saws || s.free("SAW") != 0 || s.free("NAIL") != dec.Int(nails-saws) {
			t.Errorf("%d orders of %d, %s saws and %s nails are left", n, saws, s.free("SAW"), s.free("NAIL"))
		}
	})
}

// Buyers, callbacks, jobs and changed carts in any order, at once: one order for each cart at most, and money and
// orders agree.
func TestInterleavings(t *testing.T) {
	each(t, func(s *shop) {
		rounds, err := strconv.Atoi(cmp.Or(os.Getenv("KONTOR_CHECKOUT_ROUNDS"), "25"))
		if err != nil {
			t.Fatal(err)
		}
		s.supply("SAW", int64(rounds)*2)
		s.supply("NAIL", int64(rounds))
		for round := range rounds {
			seed := rand.Uint64()
			luck := rand.New(rand.NewPCG(seed, 0))
			v := s.ready("anna@example.com", []string{"TEST", "HELD"}[luck.IntN(2)], "SAW")
			p := v.pay("")
			card := []string{paying.CardSucceeds, paying.CardTwice, paying.CardDisordered, paying.CardDeclined,
				paying.CardChanged}[luck.IntN(5)]
			acts := []func() error{
				func() error { return s.deliver(p, card) },
				func() error { return s.deliver(p, card) },
				func() error { _, err := v.place(""); return err },
				func() error { _, err := v.place(p.ID); return err },
				func() error { return s.payments.Conclude(context.Background(), office{s}, p.ID) },
				func() error { _, err := v.start(""); return err },
			}
			if luck.IntN(3) == 0 {
				acts = append(acts, func() error { return s.payments.Expire(context.Background(), office{s}, p.ID) })
			}
			if luck.IntN(3) == 0 {
				acts = append(acts, func() error { v.put("NAIL"); return nil })
			}
			luck.Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
			before := len(s.orders())
			var all sync.WaitGroup
			for _, act := range acts {
				all.Go(func() {
					if err := act(); err != nil && fault.As(err).Kind == fault.Internal {
						t.Errorf("seed %d: %v", seed, err)
					}
				})
			}
			all.Wait()
			s.work()
			if n := len(s.orders()) - before; n > 1 {
				t.Fatalf("round %d, seed %d: %d orders of one cart", round, seed, n)
			}
			p = s.payment(p.ID)
			if p.OrderID == "" && p.Captured != p.Refunded || p.OrderID != "" && p.Refunded > 0 {
				t.Errorf("round %d, seed %d, card %s: %+v", round, seed, card, p)
			}
		}
	})
}

// overtaken gives transactions to who is overtaken between the look at the cart and what follows it.
type overtaken struct {
	*visitor
	by func()
}

func (o overtaken) Read(fn func(tx *db.Tx) error) error {
	err := o.visitor.Read(fn)
	o.by()
	return err
}

// Who finds the cart ordered since he looked at it is answered the order it became, like whoever comes later.
func TestWhoIsOvertakenIsAnsweredTheOrder(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 1)
		v := s.ready("anna@example.com", "PRE", "SAW")
		var first *checkout.Placed
		second, err := v.placeOn(overtaken{v, func() {
			if first != nil {
				return
			}
			var err error
			if first, err = v.place(""); err != nil {
				s.Fatal(err)
			}
		}}, "")
		if err != nil || second.OrderID != first.OrderID || len(s.orders()) != 1 {
			s.Errorf("%+v, not %+v: %v", second, first, err)
		}
	})
}

// wrongly is a provider that starts no payment.
type wrongly struct {
	payment.Provider
	answers error
}

func (w wrongly) Start(context.Context, payment.Account, payment.Intent) (payment.Started, error) {
	return payment.Started{}, w.answers
}

// Whatever a provider answers instead of starting a payment is one of the refusals that starting promises.
func TestAProviderThatStartsNothing(t *testing.T) {
	each(t, func(s *shop) {
		s.supply("SAW", 9)
		for answer, want := range map[fault.Code]fault.Code{
			payment.ErrNotFound: payment.ErrMisconfigured, payment.ErrWrongState: payment.ErrMisconfigured,
			payment.ErrMismatch: payment.ErrMisconfigured, payment.ErrDeclined: payment.ErrDeclined,
			payment.ErrUnavailable: payment.ErrUnavailable} {
			s.payments.Providers = func() payment.Providers {
				return payment.NewProviders(wrongly{paying.New("https://erp.example.com/pay", s.clock), answer.Because("No.")})
			}
			if _, err := s.ready("a@example.com", "TEST", "SAW").start(""); !fault.Is(err, want) {
				t.Errorf("%v: %v", answer, err)
			}
		}
	})
}
