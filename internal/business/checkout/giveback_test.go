package checkout_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	paying "kontor/internal/front/payment/testing"
)

// sends makes the shop one that ships, bills and takes goods back, as the house wires it.
func (s *shop) sends() {
	s.Helper()
	db.On(s.store, func(tx *db.Tx, e returns.Crediting) error {
		var lines []invoicing.ReturnedLine
		for _, l := range e.Return.Lines {
			lines = append(lines, invoicing.ReturnedLine{OrderLine: l.OrderLine, Quantity: l.ToCredit})
		}
		open, err := invoicing.CreditReturn(tx, e.Return.Number, e.Return.OrderNumber, lines)
		*e.Open = open
		return err
	})
	db.On(s.store, checkout.PayInvoice(s.payments))
	db.On(s.store, checkout.FreeCredited)
	db.On(s.store, checkout.GiveBackReturned)
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		return reference.SaveDefaults(tx, reference.Defaults{Warehouse: "MAIN", TaxCode: "STD", Unit: "PCS",
			AllowSkipPack: true, AllowSkipBook: true})
	})
}

// billed is the invoice of an order that was shipped.
func (s *shop) billed(order string) (number string) {
	s.Helper()
	test.Ship(s, s.store, order)
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		i, err := invoicing.FromOrders(tx, []string{order}, tx.Today(), invoicing.BookedAtOnce())
		number = i.Number
		return err
	})
	return number
}

// cameBack is the open credit note of so many pieces of an order's first line.
func (s *shop) cameBack(order string, pieces int64) (note string) {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		r, err := returns.Create(tx, returns.New{OrderNumber: order, Reason: returns.Defective,
			Lines: []returns.NewLine{{OrderLine: 1, Quantity: dec.Int(pieces)}}})
		if err != nil {
			return err
		}
		for _, verb := range []func(*db.Tx, string) (returns.Return, error){returns.Approve,
			func(tx *db.Tx, n string) (returns.Return, error) { return returns.Receive(tx, n, nil) }, returns.Credit} {
			if _, err := verb(tx, r.Number); err != nil {
				return err
			}
		}
		return nil
	})
	o := test.Find(s, s.store, order)
	return o.InvoiceNumbers[len(o.InvoiceNumbers)-1]
}

func (s *shop) book(note string) error {
	return test.Attempt(s.store, func(tx *db.Tx) error { _, err := invoicing.Book(tx, note); return err })
}

func (s *shop) balance(invoice string) (balance dec.Dec) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		i, err := invoicing.Find(tx, invoice)
		balance = i.Balance()
		return err
	})
	return balance
}

func (s *shop) card(id string) (balance dec.Dec) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) error {
		c, err := promotion.FindCard(tx, id)
		balance = c.Balance
		return err
	})
	return balance
}

// withCard is a visitor who is ready to buy so many saws, and has a gift card of 100 applied.
func (s *shop) withCard(method string, saws int) (v *visitor, card string) {
	s.Helper()
	items := make([]string, saws)
	for i := range items {
		items[i] = "SAW"
	}
	v = s.ready("anna@example.com", method, items...)
	v.do(func(tx *db.Tx) error {
		c, err := promotion.Issue(tx, promotion.Card{CurrencyCode: "SEK", Initial: dec.Int(100)})
		if err != nil {
			return err
		}
		card = c.ID
		return cart.Apply(tx, c.Code)
	})
	return v, card
}

// Three saws of 125 are bought with a card of 100 and money for the rest. What comes back is paid back in money as long
// as money paid it, then onto the card, once however often it is asked for and by whatever is at work beside.
func TestReturnedGoodsArePaidBack(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 50)
		for _, method := range []string{"TEST", "HELD", "TEST", "HELD"} {
			v, card := s.withCard(method, 3)
			p := v.pay(paying.CardSucceeds)
			placed, err := v.place("")
			if err != nil {
				t.Fatal(err)
			}
			invoice := s.billed(placed.OrderNumber)
			notes := []string{s.cameBack(placed.OrderNumber, 1), s.cameBack(placed.OrderNumber, 1),
				s.cameBack(placed.OrderNumber, 1)}
			var all sync.WaitGroup
			for i := range 9 {
				all.Go(func() {
					if err := s.book(notes[i%3]); err != nil && !fault.Is(err, invoicing.ErrInvalidStatus) {
						t.Error(err)
					}
				})
			}
			all.Go(s.work)
			all.Go(s.work)
			all.Go(func() {
				if err := s.deliver(p, paying.CardTwice); err != nil {
					t.Error(err)
				}
			})
			all.Wait()
			s.makeDue()
			s.work()
			p = s.payment(p.ID)
			if p.Captured != dec.Int(275) || p.Refunded != dec.Int(275) || p.Settled != 0 ||
				s.card(card) != dec.Int(100) || s.balance(invoice) != 0 {
				t.Errorf("%s: %s of %s went back, %s settled, card %s, balance %s", method, p.Refunded, p.Captured,
					p.Settled, s.card(card), s.balance(invoice))
			}
			for _, m := range s.transfers(p.ID) {
				if m.Status != checkout.Done {
					t.Errorf("%+v", m)
				}
				if err := s.payments.Move(context.Background(), office{s}, m.ID); err != nil {
					t.Error(err)
				}
			}
			if again := s.payment(p.ID); again.Refunded != dec.Int(275) {
				t.Errorf("done again, %s went back", again.Refunded)
			}
		}
	})
}

// Who notes that money went back has the invoice before the payment, as who books a credit note: with the payment in
// hand each would wait for what the other has.
func TestMoneyIsNotedAfterItsInvoiceIsLocked(t *testing.T) {
	o := dbtest.Options(t, "postgres")
	s := opened(t, dbtest.Open(t, o))
	s.sends()
	s.supply("SAW", 5)
	v := s.ready("anna@example.com", "TEST", "SAW")
	p := v.pay(paying.CardSucceeds)
	placed, err := v.place("")
	if err != nil {
		t.Fatal(err)
	}
	invoice := s.billed(placed.OrderNumber)
	if err := s.book(s.cameBack(placed.OrderNumber, 1)); err != nil {
		t.Fatal(err)
	}
	beside := dbtest.Beside(t, o.URL)
	held, err := beside.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := held.Exec("select 1 from invoice where number = $1 for update", invoice); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.payments.Move(t.Context(), office{s}, s.transfers(p.ID)[0].ID) }()
	for waiting := false; !waiting; time.Sleep(5 * time.Millisecond) {
		err := beside.QueryRow(`select exists (select from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock')`).Scan(&waiting)
		if err != nil || len(ended) > 0 {
			t.Fatalf("the refund waits for nothing: %v", err)
		}
	}
	if _, err := held.Exec("select 1 from payment where id = $1 for update nowait", p.ID); err != nil {
		t.Errorf("it waits for the invoice with the payment in hand: %v", err)
	}
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || s.payment(p.ID).Refunded != dec.Int(125) {
		t.Errorf("%s went back: %v", s.payment(p.ID).Refunded, err)
	}
}

// makeDue lets jobs that wait for another attempt be due.
func (s *shop) makeDue() {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		_, err := tx.Exec(
			"-- checkout_test.makeDue\nupdate job set run_at = 1 where company = :company and status = 'Waiting' and kind like 'payment-%' and kind <> 'payment-expiry'", nil)
		return err
	})
}

func (s *shop) transfers(id string) (all []checkout.Transfer) {
	s.Helper()
	dbtest.Read(s, s.store, func(tx *db.Tx) (err error) { all, err = checkout.Transfers(tx, id); return err })
	return all
}

// Money goes back first, and never more than was paid too much: the buyer who still owes is set off.
func TestWhatGoesBackFirst(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 50)

		// 275 in money and 100 by card for three: two saws are 250 in money, the third 25 in money and the card.
		v, card := s.withCard("TEST", 3)
		p := v.pay(paying.CardSucceeds)
		placed, err := v.place("")
		if err != nil {
			t.Fatal(err)
		}
		invoice := s.billed(placed.OrderNumber)
		for i, want := range []string{"250", "275"} {
			if err := s.book(s.cameBack(placed.OrderNumber, int64(2-i))); err != nil {
				t.Fatal(err)
			}
			if i == 0 && s.card(card) != 0 {
				t.Error("the card was paid back before the money was")
			}
			s.work()
			if p := s.payment(p.ID); p.Refunded != dec.Must(want) || s.balance(invoice) != 0 {
				t.Errorf("%s went back, not %s; the balance is %s", p.Refunded, want, s.balance(invoice))
			}
		}
		if s.card(card) != dec.Int(100) {
			t.Errorf("%s on the card", s.card(card))
		}

		// In advance: 100 of the 250 came, and the office sent the goods all the same.
		v = s.ready("bo@example.com", "PRE", "SAW", "SAW")
		if placed, err = v.place(""); err != nil {
			t.Fatal(err)
		}
		dbtest.Write(s, s.store, func(tx *db.Tx) error {
			return checkout.Arrived(tx, placed.OrderNumber, checkout.Arrival{Amount: dec.Int(150)})
		})
		s.release(placed.OrderNumber)
		invoice = s.billed(placed.OrderNumber)
		for _, want := range []string{"25", "150"} {
			if err := s.book(s.cameBack(placed.OrderNumber, 1)); err != nil {
				t.Fatal(err)
			}
			s.work()
			if p := s.payment(placed.PaymentID); p.Refunded != dec.Must(want) || s.balance(invoice) != 0 {
				t.Errorf("%s went back, not %s; the balance is %s", p.Refunded, want, s.balance(invoice))
			}
		}
	})
}

func (s *shop) release(order string) {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error { _, err := sales.Release(tx, order); return err })
}

// What left of an order that was closed since, and came back undelivered, is paid back once the bill is undone: nothing
// will be billed in its place.
func TestUndoneBillsOfAClosedOrderArePaidBack(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		db.On(s.store, invoicing.OnTakenBack)
		s.supply("SAW", 50)
		for method, back := range map[string]string{"TEST": "150", "HELD": "25"} {
			v, card := s.withCard(method, 2)
			b := s.placed(v)
			sh := b.leavesInPart(1)
			invoice := b.bill()
			b.work()
			b.owes(invoice, "0")
			b.do(func(tx *db.Tx) error {
				_, e1 := shipping.Fail(tx, sh)
				_, e2 := sales.Close(tx, b.number)
				return errors.Join(e1, e2)
			})
			note := b.credited(invoice, false)
			b.do(func(tx *db.Tx) error { _, err := shipping.TakeBack(tx, sh); return err })
			b.work()
			if err := b.book(note); err != nil {
				t.Fatal(err)
			}
			b.has(back, "0")
			b.owes(invoice, "0")
			if s.card(card) != dec.Int(100) {
				s.Errorf("%s on the card", s.card(card))
			}
		}
	})
}
