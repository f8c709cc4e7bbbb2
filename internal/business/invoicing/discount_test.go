package invoicing_test

import (
	"testing"

	"kontor/internal/business/invoicing"
	"kontor/internal/business/sales"
	test "kontor/internal/business/shipping/shippingtest"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault/faulttest"
)

// An amount that is taken off a line is borne by its parts to the minor unit: by the invoices of what left in parts,
// and by the credit notes for parts of those.
func TestADiscountIsSharedByTheParts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		off, price := q("10"), q("33.33")
		line := test.Line("A", "7")
		line.UnitPrice, line.DiscountAmount = &price, &off
		o := test.Order(t, s, "STD", line)
		if o.TotalAmount != q("223.31") || o.Lines[0].DiscountPercent != q("4.286143") {
			t.Fatalf("ordered %s, %s %%", o.TotalAmount, o.Lines[0].DiscountPercent)
		}
		deliver := func(quantity string) { ship(t, s, o.Number, quantity) }
		var sum, discount dec.Dec
		invoice := func(want string) (i invoicing.Invoice) {
			t.Helper()
			i, err := bill(s, o.Number)
			if err != nil {
				t.Fatal(err)
			}
			if i.TotalAmount != q(want) {
				t.Errorf("%s of it costs %s, not %s", i.Lines[0].Quantity, i.TotalAmount, want)
			}
			return i
		}
		deliver("2")
		first := invoice("63.8") // 2/7 of the discount are 2.857
		deliver("3")
		second := invoice("95.71")
		if _, err := cancel(s, first.Number); err != nil {
			t.Fatal(err)
		}
		deliver("2")
		last := invoice("127.6")
		for _, i := range []invoicing.Invoice{second, last} {
			sum, discount = sum.Add(i.TotalAmount), discount.Add(i.Lines[0].DiscountAmount)
		}
		if sum != o.TotalAmount || discount != off {
			t.Errorf("the invoices come to %s less %s", sum, discount)
		}
		booked, err := book(s, last.Number)
		if err != nil {
			t.Fatal(err)
		}
		var back dec.Dec
		for _, quantity := range []string{"1", "1", "1", "1"} {
			n, err := credit(s, booked.Number, invoicing.CreditLine{Line: 1, Quantity: q(quantity)})
			if err != nil {
				t.Fatal(err)
			}
			back = back.Add(n.TotalAmount).Add(n.TotalVAT)
		}
		if back != booked.TotalIncludingTax() {
			t.Errorf("%s of %s were credited", back, booked.TotalIncludingTax())
		}
		dbtest.Read(t, s, func(tx *db.Tx) error { return invoicing.Verify(tx, func(m string) { t.Error(m) }) })
	})
}

// Parts of a price below the minor unit never take back more than there is, nor less than nothing.
func TestCreditsOfTinyPrices(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		price := q("0.005")
		line := test.Line("A", "5")
		line.UnitPrice = &price
		o := test.Order(t, s, "STD", line)
		test.Ship(t, s, o.Number)
		i, err := bill(s, o.Number)
		if err == nil {
			i, err = book(s, i.Number)
		}
		if err != nil {
			t.Fatal(err)
		}
		var back dec.Dec
		for range 5 {
			n, err := credit(s, i.Number, invoicing.CreditLine{Line: 1, Quantity: dec.One})
			if err != nil {
				t.Fatal(err)
			}
			if n.TotalAmount < 0 || n.TotalVAT < 0 {
				t.Errorf("credited %s and %s", n.TotalAmount, n.TotalVAT)
			}
			back = back.Add(n.TotalIncludingTax())
		}
		if back != i.TotalIncludingTax() {
			t.Errorf("%s of %s were credited", back, i.TotalIncludingTax())
		}
		test.Sound(t, s, invoicing.Verify)
	})
}

// verify knows what a line costs.
func TestVerifyKnowsWhatALineCosts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		o := test.Order(t, s, "STD", test.Line("A", "2"))
		test.Ship(t, s, o.Number)
		if _, err := bill(s, o.Number); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"sales_order_line", "invoice_line"} {
			tamper(t, s, "update "+table+" set discount_amount = 1000000 where company = :company")
			found := 0
			dbtest.Read(t, s, func(tx *db.Tx) error {
				count := func(string) { found++ }
				if err := invoicing.Verify(tx, count); err != nil {
					return err
				}
				return sales.Verify(tx, count)
			})
			if found == 0 {
				t.Errorf("%s: not found", table)
			}
			tamper(t, s, "update "+table+" set discount_amount = 0 where company = :company")
		}
		sound(t, s)
	})
}

func tamper(t *testing.T, s *db.Store, statement string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error { _, err := tx.Exec(statement, nil); return err })
}

// ship delivers a quantity of the first line of an order.
func ship(t *testing.T, s *db.Store, order, quantity string) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		o, err := sales.LockOne(tx, order)
		if err != nil {
			return err
		}
		return sales.Book(tx, "ship", []*sales.Order{o}, []sales.Delta{{OrderID: o.ID, Line: 1,
			Allocated: q("-" + quantity), Delivered: q(quantity)}})
	})
}

// What leaves in parts is not billed for more than was ordered: who has paid for the order has paid for its bills. The
// tax of the parts is that of the line.
func TestPartsComeToNoMoreThanTheWhole(t *testing.T) {
	for _, c := range []struct {
		price, quantity string
		parts           []string
		total, vat      string
	}{
		{"0.07", "3", []string{"1", "2"}, "0.21", "0.05"},
		{"99.90", "2", []string{"1", "1"}, "199.8", "49.95"},
		{"0.335", "2", []string{"1", "1"}, "0.67", "0.17"},
		{"0.07", "7", []string{"1", "1", "1", "2", "1", "1"}, "0.49", "0.12"},
	} {
		dbtest.Each(t, func(t *testing.T, s *db.Store) {
			open(t, s)
			price := q(c.price)
			line := test.Line("A", c.quantity)
			line.UnitPrice = &price
			o := test.Order(t, s, "STD", line)
			var total, vat dec.Dec
			for _, part := range c.parts {
				ship(t, s, o.Number, part)
				i, err := bill(s, o.Number)
				if err != nil {
					t.Fatal(err)
				}
				total, vat = total.Add(i.TotalAmount), vat.Add(i.TotalVAT)
			}
			if o.TotalAmount != q(c.total) || o.TotalVAT != q(c.vat) || total != o.TotalAmount || vat != o.TotalVAT {
				t.Errorf("%s at %s is ordered for %s and %s of tax, and billed for %s and %s", c.quantity, c.price,
					o.TotalAmount, o.TotalVAT, total, vat)
			}
			dbtest.Read(t, s, func(tx *db.Tx) error {
				return invoicing.Verify(tx, func(text string) { t.Error(text) })
			})
		})
	}
}

// Of bills that rounding made unequal one may be undone and made anew: all of them come to the order again.
func TestABillThatIsMadeAnewComesToNoMoreEither(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		price := q("0.335")
		line := test.Line("A", "3")
		line.UnitPrice = &price
		o := test.Order(t, s, "STD", line)
		var bills []string
		make := func() {
			t.Helper()
			i, err := bill(s, o.Number)
			faulttest.None(t, err)
			_, err = book(s, i.Number)
			faulttest.None(t, err)
			bills = append(bills, i.Number)
		}
		for range 3 {
			ship(t, s, o.Number, "1")
			make()
		}
		for _, undone := range []int{1, 0, 2} { // 0.33, 0.34 and 0.34
			n, err := credit(s, bills[undone])
			faulttest.None(t, err)
			_, err = book(s, n.Number)
			faulttest.None(t, err)
			make()
			var total dec.Dec
			for _, b := range bills {
				for _, l := range find(t, s, b).Lines {
					total = total.Add(l.LineTotal).Sub(l.CreditedTotal)
				}
			}
			if total != o.TotalAmount {
				t.Errorf("ordered for %s, billed for %s", o.TotalAmount, total)
			}
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			return invoicing.Verify(tx, func(text string) { t.Error(text) })
		})
	})
}
