package checkout_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/business/cart"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/returns"
	"kontor/internal/business/sales"
	"kontor/internal/business/shipping"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	paying "kontor/internal/front/payment/testing"
)

// sale is an order in a store that was paid for, with all that becomes of it.
type sale struct {
	*rapid.T
	bought
	id        string // of the order
	shipments []string
	returns   []string
	paid      dec.Dec // in money and by card, when it was placed
	done      []string
}

func (l *sale) any(all []string) string {
	if len(all) == 0 {
		return "NONE"
	}
	return rapid.SampledFrom(all).Draw(l.T, "which")
}

func (l *sale) order() (o sales.Order) {
	dbtest.Read(l.shop, l.store, func(tx *db.Tx) (err error) { o, err = sales.Find(tx, l.number); return err })
	return o
}

// does tries something in a transaction. What is refused changes nothing.
func (l *sale) does(what string, do func(tx *db.Tx) error) bool {
	err := office{l.shop}.Write(do)
	if err != nil && fault.As(err).Kind == fault.Internal {
		l.T.Fatalf("%s: %v; before: %q", what, err, l.done)
	}
	if err == nil {
		l.done = append(l.done, what)
	}
	return err == nil
}

func (l *sale) step() {
	o := l.order()
	invoice := l.any(o.InvoiceNumbers)
	line := 1 + rapid.IntRange(0, len(o.Lines)-1).Draw(l.T, "line")
	q := dec.Int(int64(rapid.IntRange(1, 2).Draw(l.T, "quantity")))
	switch rapid.IntRange(0, 14).Draw(l.T, "what") {
	case 0, 1:
		l.sends(line, q)
	case 2:
		l.does("fail", func(tx *db.Tx) error { _, err := shipping.Fail(tx, l.any(l.shipments)); return err })
	case 3:
		l.does("take back", func(tx *db.Tx) error { _, err := shipping.TakeBack(tx, l.any(l.shipments)); return err })
	case 4, 5:
		l.does("bill", func(tx *db.Tx) error { _, err := invoicing.FromOrders(tx, []string{l.number}, ""); return err })
	case 6, 7:
		l.does("book", func(tx *db.Tx) error { _, err := invoicing.Book(tx, invoice); return err })
	case 8:
		l.does("credit", func(tx *db.Tx) error {
			var lines []invoicing.CreditLine
			if rapid.Bool().Draw(l.T, "in part") {
				lines = []invoicing.CreditLine{{Line: line, Quantity: dec.One}}
			}
			_, err := invoicing.Credit(tx, invoice, lines)
			return err
		})
	case 9:
		l.does("withdraw", func(tx *db.Tx) error { _, err := invoicing.Cancel(tx, invoice); return err })
	case 10:
		l.comesBack(line, q)
	case 11:
		l.does("credit return", func(tx *db.Tx) error { _, err := returns.Credit(tx, l.any(l.returns)); return err })
	case 12:
		l.does("less", func(tx *db.Tx) error {
			_, _, err := sales.ChangeLine(tx, l.number, line, func(r *sales.Revision) error {
				r.Quantity = r.Quantity.Sub(dec.One)
				return nil
			})
			return err
		})
	case 13:
		l.work()
	case 14:
		if rapid.IntRange(0, 3).Draw(l.T, "end") == 0 {
			l.ends()
		}
	}
}

func (l *sale) sends(line int, q dec.Dec) {
	var sh shipping.Shipment
	sent := l.does("send", func(tx *db.Tx) (err error) {
		if sh, err = shipping.Create(tx, shipping.New{OrderNumbers: []string{l.number}}); err != nil {
			return err
		}
		var picks []shipping.Pick
		if rapid.Bool().Draw(l.T, "in part") {
			picks = []shipping.Pick{{OrderLine: line, Quantity: q}}
		}
		if _, err := shipping.PickGoods(tx, sh.Number, picks); err != nil {
			return err
		}
		_, e1 := shipping.BookCarrier(tx, sh.Number, shipping.Booking{})
		_, e2 := shipping.HandOver(tx, sh.Number, 0)
		return errors.Join(e1, e2)
	})
	if sent {
		l.shipments = append(l.shipments, sh.Number)
	}
}

func (l *sale) comesBack(line int, q dec.Dec) {
	var r returns.Return
	came := l.does("come back", func(tx *db.Tx) (err error) {
		r, err = returns.Create(tx, returns.New{OrderNumber: l.number, Reason: returns.CustomerRemorse,
			Lines: []returns.NewLine{{OrderLine: line, Quantity: q}}})
		if err != nil {
			return err
		}
		_, e1 := returns.Approve(tx, r.Number)
		_, e2 := returns.Receive(tx, r.Number, nil)
		return errors.Join(e1, e2)
	})
	if came {
		l.returns = append(l.returns, r.Number)
	}
}

// ends gives the order up, whichever way it may be.
func (l *sale) ends() {
	if !l.does("cancel", func(tx *db.Tx) error { _, err := sales.Cancel(tx, l.number); return err }) {
		l.does("close", func(tx *db.Tx) error { _, err := sales.Close(tx, l.number); return err })
	}
}

// settles lets everything come to its end: what may be billed is, what is drawn up is booked, and the jobs are done.
func (l *sale) settles() {
	l.ends()
	for _, r := range l.returns {
		l.does("credit return", func(tx *db.Tx) error { _, err := returns.Credit(tx, r); return err })
	}
	for range 3 {
		for _, number := range l.order().InvoiceNumbers {
			l.does("book", func(tx *db.Tx) error { _, err := invoicing.Book(tx, number); return err })
		}
		l.does("bill", func(tx *db.Tx) error { _, err := invoicing.FromOrders(tx, []string{l.number}, ""); return err })
		l.work()
		l.later()
	}
	l.ends()
	l.work()
}

// keeps is what the seller has of the buyer's money and gift card, what he has billed, and what he has conceded of it
// without goods that came back: whoever makes such a credit note pays it out, or not.
func (l *sale) keeps() (money, card, billed, conceded dec.Dec) {
	p := l.shop.payment(l.payment)
	dbtest.Read(l.shop, l.store, func(tx *db.Tx) error {
		o, err := sales.Find(tx, l.number)
		if err != nil {
			return err
		}
		found, err := invoicing.FindMany(tx, o.InvoiceNumbers)
		for _, i := range found {
			switch {
			case i.Status != invoicing.Booked:
			case isConcession(i):
				conceded = conceded.Add(i.TotalIncludingTax())
			case i.Type == invoicing.CreditNote:
				billed = billed.Sub(i.TotalIncludingTax())
			default:
				billed = billed.Add(i.TotalIncludingTax())
			}
		}
		card, _ = promotion.GiftCardsPaid(tx, l.id)
		return err
	})
	return p.Captured.Sub(p.Refunded), card, billed, conceded
}

// isConcession reports whether a credit note is one that somebody made of a part of an invoice.
func isConcession(i *invoicing.Invoice) bool {
	return i.Type == invoicing.CreditNote && i.ReturnNumber == "" && !i.Lines[0].Rebill
}

// buys is a visitor's order of these items, paid by a method and, where card is above 0, by a gift card first.
func (l *sale) buys(method string, items []string, card int64) {
	v := l.shop.ready("anna@example.com", method, items...)
	if card > 0 {
		v.do(func(tx *db.Tx) error {
			c, err := promotion.Issue(tx, promotion.Card{CurrencyCode: "SEK", Initial: dec.Int(card)})
			return errors.Join(err, cart.Apply(tx, c.Code))
		})
	}
	p, err := v.start(paying.CardSucceeds)
	if err != nil {
		l.T.Fatal(err)
	}
	placed, err := v.place(p.ID)
	if err != nil {
		l.T.Fatal(err)
	}
	l.work()
	l.number, l.id, l.payment = placed.OrderNumber, placed.OrderID, p.ID
	l.paid = placed.Receipt.Totals.TotalIncludingTax
}

// Whatever becomes of an order that was paid for, in whatever turn: once it is over, all is billed and the jobs are
// done, the seller has what he billed, and no more; and no less, unless that was not paid.
func TestMoneyOfAnOrderEndsWhereItBelongs(t *testing.T) {
	s := opened(t, dbtest.Store(t, "sqlite"))
	s.sends()
	db.On(s.store, invoicing.OnTakenBack)
	s.supply("SAW", 100_000)
	s.supply("NAIL", 100_000)
	rapid.Check(t, func(r *rapid.T) {
		l := &sale{T: r, bought: bought{shop: s}}
		items := rapid.SliceOfN(rapid.SampledFrom([]string{"SAW", "NAIL"}), 1, 5).Draw(r, "items")
		l.buys(rapid.SampledFrom([]string{"TEST", "HELD"}).Draw(r, "method"), items,
			rapid.SampledFrom([]int64{0, 0, 60}).Draw(r, "card"))
		for range rapid.IntRange(3, 25).Draw(r, "steps") {
			l.step()
		}
		l.settles()
		money, card, billed, conceded := l.keeps()
		if status := l.order().Status; status.IsOpen() {
			r.Fatalf("the order is %s after %q", status, l.done)
		}
		if has := money.Add(card); has > min(billed, l.paid) || has < min(billed.Sub(conceded), l.paid) {
			r.Fatalf("of %s that were paid %s and %s by card are kept for %s that were billed, of which %s are conceded, after %q",
				l.paid, money, card, billed, conceded, l.done)
		}
	})
	s.agree()
}
