package checkout_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/checkout"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/payment"
	"kontor/internal/foundation/record"
	paying "kontor/internal/front/payment/testing"
)

// bought is an order of a visitor who has paid for it.
type bought struct {
	*shop
	number, payment string
}

// buys lets a visitor order these items, each a piece on a line of its own item.
func (s *shop) buys(method string, items ...string) bought {
	s.Helper()
	v := s.ready("anna@example.com", method, items...)
	return s.placed(v)
}

func (s *shop) placed(v *visitor) bought {
	s.Helper()
	p := v.pay(paying.CardSucceeds)
	placed, err := v.place(p.ID)
	if err != nil {
		s.Fatal(err)
	}
	s.work()
	return bought{s, placed.OrderNumber, p.ID}
}

func (b bought) do(fn func(tx *db.Tx) error) {
	b.Helper()
	dbtest.Write(b, b.store, fn)
}

// back takes so many pieces of the order's first line back.
func (b bought) back(pieces int64) error {
	return test.Attempt(b.store, func(tx *db.Tx) error {
		r, err := returns.Create(tx, returns.New{OrderNumber: b.number, Reason: returns.CustomerRemorse,
			Lines: []returns.NewLine{{OrderLine: 1, Quantity: dec.Int(pieces)}}})
		if err != nil {
			return err
		}
		_, e1 := returns.Approve(tx, r.Number)
		_, e2 := returns.Receive(tx, r.Number, nil)
		return errors.Join(e1, e2)
	})
}

func (b bought) bill() (number string) {
	b.Helper()
	b.do(func(tx *db.Tx) error {
		i, err := invoicing.FromOrders(tx, []string{b.number}, tx.Today(), invoicing.BookedAtOnce())
		number = i.Number
		return err
	})
	return number
}

// has wants so much of the order's payment to have gone back, and to stand on invoices.
func (b bought) has(refunded, settled string) {
	b.Helper()
	b.work()
	p := b.shop.payment(b.payment)
	if p.Refunded != dec.Must(refunded) || p.Settled != dec.Must(settled) {
		b.Errorf("%s: of %s taken %s went back and %s stand on invoices, want %s and %s", p.Method, p.Captured,
			p.Refunded, p.Settled, refunded, settled)
	}
}

// owes wants an invoice to have this open amount.
func (b bought) owes(invoice, want string) {
	b.Helper()
	if is := b.balance(invoice); is != dec.Must(want) {
		b.Errorf("invoice %s has %s open, want %s", invoice, is, want)
	}
}

// later lets an hour go by for the jobs that wait for it.
func (s *shop) later() {
	s.Helper()
	dbtest.Write(s, s.store, func(tx *db.Tx) error {
		_, err := tx.Exec(
			"-- checkout_test.later\nupdate job set run_at = run_at - :hour where company = :company and status = 'Waiting'",
			db.Args{"hour": time.Hour.Microseconds()})
		return err
	})
}

func TestGoodsThatComeBackUnbilledArePaidBack(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 50)
		for _, method := range []string{"TEST", "HELD"} {
			back, all := "125", "250"
			if method == "HELD" { // nothing was taken yet
				back, all = "0", "0"
			}
			b := s.buys(method, "SAW", "SAW")
			test.Ship(s, s.store, b.number)
			if err := b.back(1); err != nil {
				t.Fatal(err)
			}
			b.has(back, "0")
			i := b.bill()
			b.has(back, "125")
			b.owes(i, "0")

			b = s.buys(method, "SAW", "SAW")
			test.Ship(s, s.store, b.number)
			if err := errors.Join(b.back(1), b.back(1)); err != nil {
				t.Fatal(err)
			}
			b.has(all, "0")
			if p := s.payment(b.payment); method == "HELD" && p.Status != payment.Cancelled {
				t.Errorf("the money is held still: %s", p.Status)
			}
		}
	})
}

func TestOrdersMadeSmallerArePaidBack(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 50)
		s.supply("NAIL", 50)
		remove := func(b bought) {
			b.do(func(tx *db.Tx) error { _, err := sales.DeleteLine(tx, b.number, 2); return err })
		}
		b := s.buys("TEST", "SAW", "NAIL")
		remove(b)
		b.has("0", "0")
		s.later()
		b.has("125", "0")

		// What takes its place within the hour is paid by it.
		b = s.buys("TEST", "SAW", "NAIL")
		remove(b)
		b.do(func(tx *db.Tx) error {
			_, _, err := sales.AddLine(tx, b.number, sales.NewLine{Item: "SAW", Quantity: dec.One})
			return err
		})
		s.later()
		b.has("0", "0")

		// What is given up will not be sent: two of three were there.
		b = s.buys("TEST", "SAW", "SAW", "SAW")
		b.do(func(tx *db.Tx) error {
			sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{b.number}})
			if err != nil {
				return err
			}
			_, e1 := shipping.PickGoods(tx, sh.Number, []shipping.Pick{{OrderLine: 1, Quantity: dec.Int(2)}})
			_, e2 := shipping.HandOver(tx, sh.Number, 0)
			_, e3 := sales.Close(tx, b.number)
			return errors.Join(e1, e2, e3)
		})
		b.has("125", "0")
		b.owes(b.bill(), "0")
		b.has("125", "250")
	})
}

// Three saws of 125 are bought with a card of 100 and money for the rest: money goes back before the card does.
func TestUnbilledGoodsPaidByCard(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 50)
		v, card := s.withCard("TEST", 3)
		b := s.placed(v)
		test.Ship(s, s.store, b.number)
		for _, want := range []string{"125", "250", "275"} {
			if s.card(card) != 0 {
				t.Errorf("%s are on the card before the money is back", s.card(card))
			}
			if err := b.back(1); err != nil {
				t.Fatal(err)
			}
			b.has(want, "0")
		}
		if s.card(card) != dec.Int(100) {
			t.Errorf("%s on the card", s.card(card))
		}
	})
}

// credited undoes an invoice; booked says whether the credit note is, too.
func (b bought) credited(invoice string, booked bool) (note string) {
	b.Helper()
	b.do(func(tx *db.Tx) error {
		n, err := invoicing.Credit(tx, invoice, nil)
		if note = n.Number; err == nil && booked {
			_, err = invoicing.Book(tx, note)
		}
		return err
	})
	return note
}

// A paid invoice that is credited whole has no money on it: that waits for the goods to be billed again, on the order.
func TestWholeCreditFreesTheMoney(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 50)
		v, card := s.withCard("TEST", 3)
		b := s.placed(v)
		test.Ship(s, s.store, b.number)
		one := b.bill()
		b.has("0", "275")
		note := b.credited(one, true)
		b.has("0", "0")
		b.owes(one, "0")
		b.owes(note, "0")
		two := b.bill()
		b.has("0", "275")
		b.owes(two, "0")
		if s.card(card) != 0 {
			t.Errorf("%s on the card", s.card(card))
		}
	})
}

// fails lets the goods of an order leave, and come back undelivered.
func (b bought) fails() (invoice string) {
	b.Helper()
	shipment, invoice := b.leaves()
	b.comesBack(shipment)
	return invoice
}

// leaves hands the goods of an order to a carrier and bills them.
func (b bought) leaves() (shipment, invoice string) {
	b.Helper()
	var sh shipping.Shipment
	b.do(func(tx *db.Tx) (err error) {
		if sh, err = shipping.Create(tx, shipping.New{OrderNumbers: []string{b.number}}); err != nil {
			return err
		}
		_, e1 := shipping.PickGoods(tx, sh.Number, nil)
		_, e2 := shipping.BookCarrier(tx, sh.Number, shipping.Booking{})
		_, e3 := shipping.HandOver(tx, sh.Number, 0)
		return errors.Join(e1, e2, e3)
	})
	invoice = b.bill()
	b.work()
	return sh.Number, invoice
}

// comesBack takes back what its carrier could not deliver.
func (b bought) comesBack(shipment string) {
	b.Helper()
	b.do(func(tx *db.Tx) error {
		_, e1 := shipping.Fail(tx, shipment)
		_, e2 := shipping.TakeBack(tx, shipment)
		return errors.Join(e1, e2)
	})
}

func (b bought) cancel() {
	b.Helper()
	b.do(func(tx *db.Tx) error { _, err := sales.Cancel(tx, b.number); return err })
}

// What is taken back undelivered and then cancelled is paid back, and no invoice says that it is still paid.
func TestCreditedAndCancelled(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		db.On(s.store, invoicing.OnTakenBack)
		s.supply("SAW", 50)
		for _, method := range []string{"TEST", "HELD"} {
			b := s.buys(method, "SAW", "SAW")
			i := b.fails()
			b.owes(i, "0")
			b.has("0", "0")
			b.cancel()
			b.has("250", "0")
			b.owes(i, "0")
		}

		// Cancelled before the credit note is booked: until then the invoice is owed, and the note is owed to the
		// buyer.
		v, card := s.withCard("TEST", 3)
		b := s.placed(v)
		sh, i := b.leaves()
		note := b.credited(i, false)
		b.comesBack(sh)
		b.cancel()
		b.has("275", "0")
		b.owes(i, "375")
		if err := s.book(note); err != nil {
			t.Fatal(err)
		}
		b.has("275", "0")
		b.owes(i, "0")
		b.owes(note, "0")
		if s.card(card) != dec.Int(100) {
			t.Errorf("%s on the card", s.card(card))
		}
	})
}

// refunding is the Test provider of somebody who gives money back on its pages.
type refunding struct {
	payment.Provider
	event *payment.Event
}

func (r refunding) Receive(context.Context, payment.Account, payment.Callback, time.Time) (payment.Event, error) {
	return *r.event, nil
}

// Money that went back at the provider's is on no invoice any more, and does not go back again.
func TestRefundedAtTheProvider(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 9)
		_, tell := s.bounces()
		b := s.buys("TEST", "SAW", "SAW")
		i := s.billed(b.number)
		b.has("0", "250")
		p := s.payment(b.payment)
		event := payment.Event{ID: "evt-1", State: p.At().State(), PaymentID: p.ID}
		event.Refunded = dec.Int(125)
		for range 2 {
			if err := tell(event); err != nil {
				t.Fatal(err)
			}
		}
		b.has("125", "125")
		b.owes(i, "125")
		if err := s.book(s.cameBack(b.number, 1)); err != nil {
			t.Fatal(err)
		}
		b.has("125", "125")
		b.owes(i, "0")
	})
}

// Three at 0.97 are 3.64 with tax, whether they are billed together or one by one. Three at 0.333 are 1.25, and one by
// one less: that goes back with the last bill.
func TestBillsOfPartsComeToNoMore(t *testing.T) {
	t.Run("as much", func(t *testing.T) { partsCost(t, "0.97", "0", "1.21", "2.43", "3.64") })
	t.Run("less", func(t *testing.T) { partsCost(t, "0.333", "0.01", "0.41", "0.83", "1.24") })
}

// partsCost has somebody buy three of an item, which are billed one by one: what stands on bills after each, and what
// goes back with the last.
func partsCost(t *testing.T, price, back string, billed ...string) {
	each(t, func(s *shop) {
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		dbtest.Write(s, s.store, func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "SAW", func(i *catalog.Item) error {
				price := dec.Must(price)
				i.SalesPrice = &price
				return nil
			})
			return err
		})
		s.supply("SAW", 3)
		b := s.buys("TEST", "SAW", "SAW", "SAW")
		for k, want := range billed {
			b.do(func(tx *db.Tx) error {
				sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{b.number}})
				if err != nil {
					return err
				}
				_, e1 := shipping.PickGoods(tx, sh.Number, []shipping.Pick{{OrderLine: 1, Quantity: dec.One}})
				_, e2 := shipping.HandOver(tx, sh.Number, 0)
				return errors.Join(e1, e2)
			})
			b.owes(b.bill(), "0")
			gone := "0"
			if k == len(billed)-1 {
				gone = back
			}
			b.has(gone, want)
			s.supply("SAW", 1) // what was picked short is reserved again
		}
	})
}

// What verify says about money that does not agree.
func TestVerifySeesMoney(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := opened(t, st)
		s.sends()
		s.supply("SAW", 9)
		v, _ := s.withCard("TEST", 3)
		b := s.placed(v)
		s.billed(b.number)
		b.has("0", "275")
		s.agree()
		for query, want := range map[string]string{
			"update payment set settled = 0 where company = :company":                                    "stored as standing on invoices",
			"update payment set refunded = 100000000 where company = :company":                           "stand on invoices as paid",
			"update checkout_order set cards_settled = 1 where company = :company":                       "that gift cards paid",
			"update payment set captured = captured + 1000000, amount = amount where company = :company": "neither needed nor on its way back",
			`insert into payment_transfer (company, id, payment_id, kind, amount, status, created_at)
				select company, 'secret', id, 'Refund', 1000000, 'Done', created_at from payment where company = :company`: "are stored as given back",
		} {
			var said []string
			failed := errors.New("not to be kept")
			err := test.Attempt(s.store, func(tx *db.Tx) error {
				if _, err := tx.Exec("-- checkout_test.tamper\n"+query, nil); err != nil {
					return err
				}
				return errors.Join(checkout.Verify(tx, func(text string) { said = append(said, text) }), failed)
			})
			if !errors.Is(err, failed) || !strings.Contains(strings.Join(said, "\n"), want) {
				t.Errorf("%s: %q, %v", query, said, err)
			}
		}
	})
}

// Returns, a bill and the jobs at once: whoever comes first, the buyer has paid what he kept.
func TestRaceToPayBack(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		s.supply("SAW", 99)
		for _, method := range []string{"TEST", "HELD", "TEST", "HELD"} {
			v, card := s.withCard(method, 5)
			b := s.placed(v)
			test.Ship(s, s.store, b.number)
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					if err := b.back(1); err != nil {
						t.Error(err)
					}
				})
			}
			all.Go(func() {
				err := test.Attempt(s.store, func(tx *db.Tx) error {
					_, err := invoicing.FromOrders(tx, []string{b.number}, tx.Today(), invoicing.BookedAtOnce())
					return err
				})
				if err != nil && !fault.Is(err, invoicing.ErrNothingBillable) {
					t.Error(err)
				}
			})
			all.Go(s.work)
			all.Go(s.work)
			id := test.Find(s, s.store, b.number).ID
			for range 4 {
				all.Go(func() {
					if err := s.payments.Weigh(context.Background(), office{s}, id); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			s.makeDue()
			s.work()
			b.settled()
			s.makeDue()
			s.work()
			p := s.payment(b.payment)
			if kept := p.Captured.Sub(p.Refunded).Add(dec.Int(100)).Sub(s.card(card)); kept != dec.Int(250) {
				t.Errorf("%s: two saws cost 250, the buyer has paid %s", method, kept)
			}
			for _, n := range test.Find(s, s.store, b.number).InvoiceNumbers {
				b.owes(n, "0")
			}
		}
	})
}

// settled credits what came back after it was billed.
func (b bought) settled() {
	b.Helper()
	b.do(func(tx *db.Tx) error {
		found, err := returns.List(tx, returns.Filter{Order: b.number, Status: returns.Received},
			record.Page{Number: 1, Size: 50})
		for _, r := range found.Items {
			_, failed := returns.Credit(tx, r.Number)
			err = errors.Join(err, failed)
		}
		return err
	})
	for _, n := range test.Find(b, b.store, b.number).InvoiceNumbers {
		if err := b.book(n); err != nil && !fault.Is(err, invoicing.ErrInvalidStatus) {
			b.Error(err)
		}
	}
}

// What is only held is taken as bills are made: an order that leaves in parts is paid in parts.
func TestHeldMoneyOfAnOrderThatLeavesInParts(t *testing.T) {
	each(t, func(s *shop) {
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		s.supply("SAW", 3)
		b := s.buys("HELD", "SAW", "SAW", "SAW")
		for _, want := range []string{"125", "250", "375"} {
			b.leavesInPart(1)
			invoice := b.bill()
			b.has("0", want)
			b.owes(invoice, "0")
			s.supply("SAW", 1)
		}
	})
}

// once is a provider that takes money once, as Stripe does.
type once struct{ payment.Provider }

func (o once) Describe() payment.Description {
	d := o.Provider.Describe()
	d.CapturesOnce = true
	return d
}

func (o once) Capture(ctx context.Context, a payment.Account, p payment.Payment,
	c payment.Capture) (payment.State, error) {
	if p.Captured > 0 {
		return payment.State{}, payment.ErrWrongState.Because("The payment is captured.")
	}
	return o.Provider.Capture(ctx, a, p, c)
}

// takesOnce lets the provider take money of a payment once.
func (s *shop) takesOnce() {
	s.payments.Providers = func() payment.Providers {
		all := s.providers()
		all["Test"] = once{all["Test"]}
		return all
	}
}

// Who takes money once takes all that the order needs with its first bill, and what it then comes to less goes back.
func TestHeldMoneyThatIsTakenOnce(t *testing.T) {
	each(t, func(s *shop) {
		s.takesOnce()
		s.sends()
		db.On(s.store, sales.LockWaiting)
		db.On(s.store, sales.CoverBackorders)
		s.supply("SAW", 3)
		b := s.buys("HELD", "SAW", "SAW", "SAW")
		for _, want := range []string{"125", "250"} {
			b.leavesInPart(1)
			invoice := b.bill()
			b.has("0", want)
			b.owes(invoice, "0")
			s.supply("SAW", 1)
		}
		if p := b.shop.payment(b.payment); p.Captured != dec.Int(375) {
			t.Errorf("%s were taken", p.Captured)
		}
		b.do(func(tx *db.Tx) error {
			_, err := sales.Close(tx, b.number)
			return err
		})
		b.has("125", "250")
	})
}

// leavesInPart sends so many pieces of the order's first line.
func (b bought) leavesInPart(pieces int64) (shipment string) {
	b.Helper()
	b.do(func(tx *db.Tx) error {
		sh, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{b.number}})
		if err != nil {
			return err
		}
		shipment = sh.Number
		_, e1 := shipping.PickGoods(tx, sh.Number, []shipping.Pick{{OrderLine: 1, Quantity: dec.Int(pieces)}})
		_, e2 := shipping.BookCarrier(tx, sh.Number, shipping.Booking{})
		_, e3 := shipping.HandOver(tx, sh.Number, 0)
		return errors.Join(e1, e2, e3)
	})
	return shipment
}
