package checkout_test

import (
	"testing"

	"kontor/internal/business/checkout"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// waiting are the refunds that people are to transfer.
func (s *shop) waiting() (list []checkout.HandRefund) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		found, err := checkout.ListHandRefunds(tx, checkout.HandRefundFilter{Waits: new(true)},
			record.Page{Number: 1, Size: 50})
		list = found.Items
		return err
	})
	return list
}

// What goes back of a payment in advance waits until somebody has transferred it, and is transferred once. What a
// provider gives back waits for nobody.
func TestRefundsThatPeopleTransfer(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 3)
		b := s.placed(s.ready("anna@example.com", "PRE", "SAW", "SAW"))
		b.do(func(tx *db.Tx) error {
			return checkout.Arrived(tx, b.number, checkout.Arrival{Amount: dec.Int(260), Surplus: true})
		})
		b.has("10", "0")
		invoice := s.billed(b.number)
		note := s.cameBack(b.number, 1)
		if err := s.book(note); err != nil {
			t.Fatal(err)
		}
		b.has("135", "125")
		b.owes(invoice, "0")
		waiting := s.waiting()
		if len(waiting) != 2 || waiting[0].Amount != dec.Int(10) || waiting[0].Invoice != "" ||
			waiting[1].Amount != dec.Int(125) || waiting[1].Invoice != note || waiting[1].OrderNumber != b.number {
			t.Fatalf("wait: %+v", waiting)
		}
		b.do(func(tx *db.Tx) error {
			id, today := waiting[1].ID, tx.Today()
			if err := checkout.Transferred(tx, id, today.AddDays(1)); !fault.Is(err, fault.ErrInvalid) {
				t.Errorf("transferred tomorrow: %v", err)
			}
			if err := checkout.Transferred(tx, id, today); err != nil {
				return err
			}
			if err := checkout.Transferred(tx, id, today); !fault.Is(err, checkout.ErrRefundTransferred) {
				t.Errorf("transferred twice: %v", err)
			}
			return nil
		})
		b.has("135", "125")
		if left := s.waiting(); len(left) != 1 || left[0].ID != waiting[0].ID {
			t.Errorf("still wait: %+v", left)
		}
		card := s.buys("TEST", "SAW")
		card.cancel()
		card.has("125", "0")
		if left := s.waiting(); len(left) != 1 {
			t.Errorf("what the provider gives back waits: %+v", left)
		}
	})
}
