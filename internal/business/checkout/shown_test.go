package checkout_test

import (
	"cmp"
	"context"
	"testing"

	"pgregory.net/rapid"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/checkout"
	"kontor/internal/business/freight"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// shown is what a buyer was last shown, in parts that are shown in different places.
type shown struct{ total, byCards, fee *dec.Dec }

func (s *shown) cart(c *cart.Cart) {
	total, byCards := c.TotalIncludingTax, c.GiftCardTotal
	s.total, s.byCards = &total, &byCards
}

func (s *shown) checkout(c *checkout.Checkout) {
	s.cart(c.Cart)
	fee := c.Fee.IncludingTax
	s.fee = &fee
}

// bargain is a buyer on the way to an order, in a shop that changes its mind.
type bargain struct {
	*rapid.T
	*visitor
	rate  string   // id, of the freight
	cards []string // ids
	codes []string // TEN, and those of the cards
	seen  shown
}

// sees does what a buyer is shown a cart or checkout after. A refusal shows nothing, and changes nothing.
func (b *bargain) sees(do func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error)) {
	var c *cart.Cart
	var k *checkout.Checkout
	err := b.Write(func(tx *db.Tx) (err error) { c, k, err = do(tx); return err })
	switch {
	case err != nil && fault.As(err).Kind == fault.Internal:
		b.T.Fatal(err)
	case err != nil:
	case k != nil:
		b.seen.checkout(k)
	case c != nil:
		b.seen.cart(c)
	}
}

// code puts a code on or takes it off, as the API does: the checkout is shown after it.
func (b *bargain) code(do func(tx *db.Tx) error) {
	b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
		if err := do(tx); err != nil {
			return nil, nil, err
		}
		k, err := b.payments.Shown(tx)
		return nil, k, err
	})
}

func (b *bargain) buys() {
	item := b.ids[rapid.SampledFrom([]string{"SAW", "NAIL"}).Draw(b.T, "item")]
	method := rapid.SampledFrom([]string{"PRE", "FREE"}).Draw(b.T, "method")
	code := rapid.SampledFrom(b.codes).Draw(b.T, "code")
	switch rapid.IntRange(0, 10).Draw(b.T, "buyer") {
	case 0:
		b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
			c, out, err := cart.Add(tx, []cart.Addition{{ItemID: item, Quantity: dec.One}})
			return c, nil, cmp.Or(err, out[0].Err)
		})
	case 1:
		b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
			c, err := cart.Show(tx)
			return c, nil, err
		})
	case 9:
		b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
			if k, err := b.payments.Of(tx); err != nil || !k.HasNews() {
				return nil, k, err
			}
			k, err := b.payments.Show(tx)
			return nil, k, err
		})
	case 2:
		b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
			k, err := b.payments.ChoosePayment(tx, method)
			return nil, k, err
		})
	case 3, 4:
		b.code(func(tx *db.Tx) error { return cart.Apply(tx, code) })
	case 5:
		b.code(func(tx *db.Tx) error { return cart.TakeOff(tx, code) })
	case 6:
		b.starts(method)
	default:
		b.orders()
	}
}

// starts a payment, which says what is to be paid in money, and nothing of what gift cards pay beside it.
func (b *bargain) starts(method string) {
	o, err := b.payments.Start(context.Background(), b, checkout.Wish{Method: method,
		ReturnURL: "https://shop.example.com/done"})
	if err != nil && fault.As(err).Kind == fault.Internal {
		b.T.Fatal(err)
	}
	if err != nil {
		return
	}
	err = b.Write(func(tx *db.Tx) error {
		if _, err := b.payments.Record(tx, o); err != nil {
			return err
		}
		k, err := b.payments.Of(tx)
		if err == nil && k.Cart.GiftCardTotal == 0 {
			b.seen.checkout(k)
		}
		return err
	})
	if err != nil {
		b.T.Fatal(err)
	}
}

// orders places the order: where that works, it costs what was shown. Where it is refused because it costs something
// else, the buyer is shown that.
func (b *bargain) orders() {
	placed, err := b.place("")
	if fault.Is(err, checkout.ErrPriceChanged) {
		b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
			k, err := b.payments.Of(tx)
			return nil, k, err
		})
		if placed, err = b.place(""); fault.Is(err, checkout.ErrPriceChanged) {
			b.T.Fatalf("refused again, though nothing has changed since: %v", err)
		}
	}
	if err != nil && fault.As(err).Kind == fault.Internal {
		b.T.Fatal(err)
	}
	if err != nil {
		return
	}
	t := placed.Receipt.Totals
	fee := t.Fee.Add(t.FeeTax)
	if got := t.TotalIncludingTax.Sub(fee); got != *b.seen.total || t.GiftCardTotal != *b.seen.byCards {
		b.T.Fatalf("the order comes to %s, %s of it by card; shown were %s and %s", got, t.GiftCardTotal, *b.seen.total,
			*b.seen.byCards)
	}
	if fee != 0 && fee != *b.seen.fee {
		b.T.Fatalf("the way to pay costs %s; shown was %s", fee, *b.seen.fee)
	}
	b.begins()
}

// begins is another visit, in which all is said and shown.
func (b *bargain) begins() {
	b.visitor = b.shop.ready("anna@example.com", "PRE", "SAW")
	b.sees(func(tx *db.Tx) (*cart.Cart, *checkout.Checkout, error) {
		k, err := b.payments.ChoosePayment(tx, "PRE")
		return nil, k, err
	})
}

// changes is the shop's doing.
func (b *bargain) changes() {
	amount := dec.Int(rapid.Int64Range(1, 9).Draw(b.T, "amount") * 20)
	what := rapid.IntRange(0, 6).Draw(b.T, "shop")
	b.office(func(tx *db.Tx) (err error) {
		switch what {
		case 0:
			err = b.price(tx, amount)
		case 1:
			err = b.freight(tx, amount)
		case 2:
			err = b.fee(tx, amount)
		case 3:
			err = b.discount(tx, dec.Int(10), false)
		case 4:
			err = b.discount(tx, amount.Div(dec.Int(2)), true)
		case 5:
			err = b.tax(tx, amount.Div(dec.Int(10)))
		case 6:
			if rapid.Bool().Draw(b.T, "less") {
				amount = amount.Neg()
			}
			card := rapid.SampledFrom(b.cards).Draw(b.T, "card")
			if _, err = promotion.CorrectCard(tx, card, amount, "by hand"); fault.Is(err, promotion.ErrCardBalance) {
				err = nil
			}
		}
		return err
	})
}

func (b *bargain) office(do func(tx *db.Tx) error) {
	if err := (office{b.shop}).Write(do); err != nil {
		b.T.Fatal(err)
	}
}

func (b *bargain) price(tx *db.Tx, amount dec.Dec) error {
	_, err := catalog.Change(tx, "SAW", func(i *catalog.Item) error { i.SalesPrice = &amount; return nil })
	return err
}

func (b *bargain) freight(tx *db.Tx, amount dec.Dec) error {
	_, err := freight.Change(tx, b.rate, func(r *freight.Rate) error { r.Steps[0].Price = amount; return nil })
	return err
}

// fee is what paying in advance costs. Another way is free.
func (b *bargain) fee(tx *db.Tx, amount dec.Dec) error {
	m := checkout.Method{Code: "PRE", Name: "In advance", Provider: "Prepayment", IsActive: true, Fee: amount,
		FeeTaxCode: "STD"}
	_, err := checkout.Save(tx, b.providers(), m)
	m.Code, m.Fee = "FREE", 0
	_, e := checkout.Save(tx, b.providers(), m)
	return cmp.Or(err, e)
}

func (b *bargain) discount(tx *db.Tx, percent dec.Dec, isActive bool) error {
	_, err := promotion.Change(tx, "TEN", func(d *promotion.Discount) error {
		d.Percent, d.IsActive = percent, isActive
		return nil
	})
	return err
}

func (b *bargain) tax(tx *db.Tx, percent dec.Dec) error {
	return reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
		Rates: []reference.TaxRate{{Country: "SE", Percent: percent}}})
}

// issues makes a gift card that pays for everything, and one that does not.
func (b *bargain) issues(tx *db.Tx) error {
	for _, initial := range []int64{5_000, 60} {
		c, err := promotion.Issue(tx, promotion.Card{CurrencyCode: "SEK", Initial: dec.Int(initial)})
		if err != nil {
			return err
		}
		b.cards, b.codes = append(b.cards, c.ID), append(b.codes, c.Code)
	}
	return nil
}

// Whatever the shop changes on the way, nobody pays another sum than the one last shown, in money or by gift card, and
// who was shown it is not asked a second time.
func TestNobodyPaysAnotherSumThanShown(t *testing.T) {
	s := opened(t, dbtest.Store(t, "sqlite"))
	s.supply("SAW", 100_000)
	s.supply("NAIL", 100_000)
	var rate freight.Rate
	dbtest.Write(t, s.store, func(tx *db.Tx) (err error) {
		rate, err = freight.Create(tx, freight.Rate{MethodCode: "PARCEL", CurrencyCode: "SEK", Basis: freight.Value,
			Steps: []freight.Step{{Price: dec.Int(40)}}, TaxCode: "STD", IsActive: true})
		if err == nil {
			_, err = promotion.Create(tx, promotion.Discount{Code: "TEN", Percent: dec.Int(10), IsActive: true})
		}
		return err
	})
	rapid.Check(t, func(r *rapid.T) {
		b := &bargain{T: r, visitor: &visitor{shop: s}, rate: rate.ID, codes: []string{"TEN"}}
		b.office(func(tx *db.Tx) error {
			return cmp.Or(b.price(tx, dec.Int(100)), b.freight(tx, dec.Int(40)), b.fee(tx, dec.Int(20)),
				b.discount(tx, dec.Int(10), true), b.tax(tx, dec.Int(25)), b.issues(tx))
		})
		b.begins()
		for range rapid.IntRange(5, 30).Draw(r, "steps") {
			if rapid.IntRange(0, 3).Draw(r, "who") == 0 {
				b.changes()
			} else {
				b.buys()
			}
		}
	})
}

// A code's answer shows the whole checkout: what the way to pay costs in it is what the buyer agrees to, until he is
// shown something else.
func TestTheFeeBesideACodeIsShown(t *testing.T) {
	s := opened(t, dbtest.Store(t, "sqlite"))
	s.supply("SAW", 100)
	b := &bargain{visitor: &visitor{shop: s}}
	do := func(w interface {
		Write(do func(tx *db.Tx) error) error
	}, act func(tx *db.Tx) error) {
		t.Helper()
		if err := w.Write(act); err != nil {
			t.Fatal(err)
		}
	}
	taxed := func(percent int64) {
		t.Helper()
		do(office{s}, func(tx *db.Tx) error { return b.tax(tx, dec.Int(percent)) })
	}
	do(office{s}, func(tx *db.Tx) error {
		_, err := promotion.Create(tx, promotion.Discount{Code: "TEN", Percent: dec.Int(10), IsActive: true})
		return cmp.Or(err, b.fee(tx, dec.Int(20)), b.tax(tx, dec.Int(4)))
	})
	b.visitor = s.ready("anna@example.com", "PRE", "SAW")
	do(b, func(tx *db.Tx) error { _, err := b.payments.ChoosePayment(tx, "PRE"); return err })
	taxed(18)
	do(b, func(tx *db.Tx) error {
		if err := cart.Apply(tx, "TEN"); err != nil {
			return err
		}
		_, err := b.payments.Shown(tx)
		return err
	})
	taxed(4)
	do(b, func(tx *db.Tx) error { _, err := cart.Show(tx); return err })
	if _, err := b.place(""); !fault.Is(err, checkout.ErrPriceChanged) {
		t.Errorf("the fee is another than was shown, and the order's answer is %v", err)
	}
}
