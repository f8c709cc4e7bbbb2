package checkout_test

import (
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// together bills several orders by one invoice, and waits until it is paid.
func (b bought) together(others ...bought) (invoice string) {
	b.Helper()
	numbers := []string{b.number}
	for _, o := range others {
		numbers = append(numbers, o.number)
	}
	b.do(func(tx *db.Tx) error {
		i, err := invoicing.FromOrders(tx, numbers, tx.Today(), invoicing.BookedAtOnce())
		invoice = i.Number
		return err
	})
	b.work()
	return invoice
}

// Orders of one customer may be billed by one invoice. Each pays for its own goods there: money of one that is still to
// be sent waits for its other bills, and none goes back of the other's.
func TestOrdersThatAreBilledTogetherPayForThemselves(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		for _, method := range []string{"TEST", "HELD"} {
			s.supply("SAW", 4)
			first, second := s.buys(method, "SAW", "SAW", "SAW"), s.buys(method, "SAW")
			first.leavesInPart(1)
			second.leavesInPart(1)
			s.owesNothing(first.together(second))
			first.has("0", "125")
			second.has("0", "125")
			s.supply("SAW", 2)
			first.leavesInPart(2)
			s.owesNothing(first.together())
			first.has("0", "375")
			second.has("0", "125")
		}
	})
}

// Goods of one of them that come back are paid back as their own order paid for them: not in money because another has
// paid that bill in money, which left nothing for the card later.
func TestOrdersThatAreBilledTogetherArePaidBackForThemselves(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		s.supply("SAW", 3)
		v, card := s.withCard("TEST", 2)
		first, second := s.placed(v), s.buys("TEST", "SAW")
		first.leavesInPart(1)
		second.leavesInPart(1)
		both := first.together(second)
		s.supply("SAW", 1)
		first.leavesInPart(1)
		own := first.bill()
		first.has("0", "150")
		for range 2 {
			if err := s.book(s.cameBack(first.number, 1)); err != nil {
				t.Fatal(err)
			}
			s.work()
		}
		first.has("150", "0")
		second.has("0", "125")
		s.owesNothing(both)
		s.owesNothing(own)
		if s.card(card) != dec.Int(100) {
			t.Errorf("%s on the card", s.card(card))
		}
	})
}

func (s *shop) owesNothing(invoice string) {
	s.Helper()
	if is := s.balance(invoice); is != 0 {
		s.Errorf("invoice %s has %s open", invoice, is)
	}
}
