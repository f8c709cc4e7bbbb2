package cart_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/freight"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// shop is a company with the store WEB (prices without tax, 25 per cent) and what it sells: SAW by the piece for 100,
// NAIL by the box of 100 for 0.50 a piece, CABLE by the metre with two decimals for 10, HIDDEN, which is not published.
type shop struct {
	*testing.T
	store    *db.Store
	ids      map[string]string // item number -> id
	customer storefront.Customer
	anna     storefront.Contact
}

func each(t *testing.T, fn func(s *shop)) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := &shop{T: t, store: st, ids: map[string]string{}}
		db.On(st, channel.TellPricing)
		db.On(st, cart.MoveIn)
		db.On(st, cart.Discard)
		dbtest.Write(t, st, s.found)
		fn(s)
	})
}

func (s *shop) found(tx *db.Tx) error {
	half := dec.Must("0.5")
	items := []catalog.Item{s.item("SAW", "100"), s.item("NAIL", "0.5"), s.item("CABLE", "10"), s.item("HIDDEN", "1")}
	items[0].WeightKg = &half
	items[1].SalesUnit, items[1].Units = "BOX", []catalog.Unit{{Code: "BOX", Factor: dec.Int(100)}}
	items[2].DecimalPlaces = 2
	steps := []error{
		reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true}),
		reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
			IsActive: true},
			reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2, IsActive: true}),
		reference.SaveRates(tx, "EUR",
			reference.RatePoint{Date: "2020-01-01", Rate: dec.Rate{Amount: dec.Int(10), Units: dec.One}}),
		reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Piece", IsActive: true},
			reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
		reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
			Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Int(25)}}}),
		reference.SaveOrderTypes(tx, reference.OrderType{Code: "WEB", Name: "Web", IsActive: true}),
		reference.SaveShippingMethods(tx, reference.ShippingMethod{Code: "PARCEL", Name: "Parcel", IsActive: true}),
		catalog.CreateMany(tx, items),
	}
	_, err := channel.Create(tx, channel.Channel{Code: "WEB", Name: "Shop", Type: channel.WebShop, CurrencyCode: "SEK",
		WarehouseCode: "MAIN", OrderTypeCode: "WEB", IsActive: true})
	steps = append(steps, err)
	c, err := party.Create(tx, party.Customer{Number: "C1", Name: "Acme", IsActive: true})
	s.customer = storefront.Customer{ID: c.ID, Number: c.Number, Name: c.Name}
	steps = append(steps, err)
	p, err := party.CreateContact(tx, "C1", party.Contact{Name: "Anna", Email: "anna@example.com", IsActive: true,
		HasPortalAccess: true})
	s.anna = storefront.Contact{ID: p.ID, Name: p.Name, Email: p.Email}
	steps = append(steps, err, s.publish(tx, "SAW", "NAIL", "CABLE"))
	for _, i := range items {
		found, err := catalog.Find(tx, i.Number)
		steps, s.ids[i.Number] = append(steps, err), found.ID
	}
	for _, err := range steps {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) item(number, salesPrice string) catalog.Item {
	i := catalog.New()
	p := dec.Must(salesPrice)
	i.Number, i.Name, i.BaseUnit, i.TaxCode, i.SalesPrice = number, "Item "+number, "PCS", "STD", &p
	return i
}

func (s *shop) publish(tx *db.Tx, numbers ...string) error {
	rows := make([]channel.Publication, len(numbers))
	for i, n := range numbers {
		rows[i] = channel.Publication{ItemNumber: n, ChannelCode: "WEB", IsPublished: true, IsPurchasable: true,
			AllowBackorder: true}
	}
	out, err := channel.Publish(tx, rows)
	for _, o := range out {
		if err == nil {
			err = o.Err
		}
	}
	return err
}

// visitor is a visitor with a session.
type visitor struct {
	*shop
	token string
}

func (s *shop) visit() *visitor {
	s.Helper()
	v := &visitor{shop: s}
	r := dbtest.Request()
	r.Party = storefront.Guest{Channel: "WEB"}
	err := s.store.Write(context.Background(), r, func(tx *db.Tx) (err error) {
		v.token, err = storefront.Open(tx)
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	return v
}

// try does something in a transaction of the visitor.
func (v *visitor) try(fn func(tx *db.Tx) error) error {
	r := dbtest.Request()
	r.Party = storefront.Holder(storefront.Guest{Channel: "WEB"}, v.token)
	return v.store.Write(context.Background(), r, func(tx *db.Tx) error {
		if err := storefront.Admit(tx, "session"); err != nil {
			return err
		}
		return fn(tx)
	})
}

func (v *visitor) do(fn func(tx *db.Tx) error) {
	v.Helper()
	if err := v.try(fn); err != nil {
		v.Fatal(err)
	}
}

// refused does something that is refused with a code.
func (v *visitor) refused(code string, fn func(tx *db.Tx) error) {
	v.Helper()
	if err := v.try(fn); err == nil || fault.As(err).Code != code {
		v.Errorf("want %s, got %v", code, err)
	}
}

func (v *visitor) adding(item, quantity string) func(tx *db.Tx) error {
	return func(tx *db.Tx) error {
		_, out, err := cart.Add(tx, []cart.Addition{{ItemID: v.ids[item], Quantity: dec.Must(quantity)}})
		if err == nil {
			err = out[0].Err
		}
		return err
	}
}

func (v *visitor) adds(item, quantity string) { v.Helper(); v.do(v.adding(item, quantity)) }

// sees is the cart as it is shown, in words: its lines, totals and messages.
func (v *visitor) sees() (c *cart.Cart) {
	v.Helper()
	v.do(func(tx *db.Tx) (err error) { c, err = cart.Show(tx); return err })
	return c
}

func words(c *cart.Cart) string {
	var b strings.Builder
	for _, l := range c.Lines {
		fmt.Fprintf(&b, "%s %s %s %s+%s", l.Item.Number, l.Quantity, l.Unit, l.Net, l.Tax)
		for _, w := range l.Warnings {
			b.WriteString(" !" + w.Code)
		}
		b.WriteString("; ")
	}
	fmt.Fprintf(&b, "%s", c.TotalIncludingTax)
	for _, m := range c.Messages {
		b.WriteString(" (" + m.Code + ")")
	}
	return b.String()
}

func (v *visitor) wants(what, want string) {
	v.Helper()
	if got := words(v.sees()); got != want {
		v.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func (v *visitor) signsIn() {
	v.Helper()
	v.do(func(tx *db.Tx) error { return storefront.SignIn(tx, v.customer, v.anna) })
}

func TestFillingACart(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		v.wants("nothing", "0")
		v.adds("SAW", "1")
		v.adds("NAIL", "2")
		v.adds("SAW", "2")
		v.wants("the same again raises the line", "SAW 3 PCS 300+75; NAIL 2 BOX 100+25; 500")
		v.do(func(tx *db.Tx) error {
			_, out, err := cart.Add(tx, []cart.Addition{{ItemID: v.ids["NAIL"], Quantity: dec.Int(300), Unit: "pcs"},
				{ItemID: v.ids["CABLE"], Quantity: dec.Must("1.25")}})
			if out[0].Err != nil || out[0].IsNew || out[1].Err != nil || !out[1].IsNew {
				s.Errorf("%+v", out)
			}
			return err
		})
		v.wants("300 pieces are three boxes", "SAW 3 PCS 300+75; NAIL 5 BOX 250+62.5; CABLE 1.25 PCS 12.5+3.13; 703.13")

		for _, c := range []struct{ item, quantity, unit, want string }{
			{"SAW", "1.5", "", "Quantity.TooManyDecimals"}, {"SAW", "0", "", "Cart.QuantityNotSold"},
			{"SAW", "1", "BOX", "ItemUnit.UnknownUnit"}, {"NAIL", "250", "PCS", "Cart.QuantityNotSold"},
			{"NAIL", "0.5", "", "Cart.QuantityNotSold"}, {"CABLE", "1.234", "", "Quantity.TooManyDecimals"},
			{"CABLE", "737869762899", "", "Quantity.TooLarge"}, {"SAW", "100000001", "", "Quantity.TooLarge"},
			{"HIDDEN", "1", "", "Product.NotFound"}, {"NONE", "1", "", "Product.NotFound"},
		} {
			v.refused(c.want, func(tx *db.Tx) error {
				_, out,
					err := cart.Add(tx, []cart.Addition{{ItemID: v.ids[c.item], Quantity: dec.Must(c.quantity),
					Unit: c.unit}})
				if err != nil {
					return err
				}
				return out[0].Err
			})
		}
		c := v.sees()
		v.do(func(tx *db.Tx) error {
			_, err := cart.Change(tx, c.Lines[1].ID, func(e *cart.Edit) error {
				e.Quantity, e.Note = dec.Int(1), "no rust"
				return nil
			})
			return err
		})
		v.refused("Cart.QuantityNotSold", func(tx *db.Tx) error {
			_, err := cart.Change(tx, c.Lines[1].ID, func(e *cart.Edit) error {
				e.Quantity = dec.Must("1.5")
				return nil
			})
			return err
		})
		v.do(func(tx *db.Tx) error { return cart.Remove(tx, c.Lines[0].ID) })
		v.refused("CartLine.NotFound", func(tx *db.Tx) error { return cart.Remove(tx, c.Lines[0].ID) })
		v.wants("changed", "NAIL 1 BOX 50+12.5; CABLE 1.25 PCS 12.5+3.13; 78.13")
		v.do(func(tx *db.Tx) error {
			_, err := cart.Describe(tx, func(d *cart.Details) error {
				d.Reference, d.RequestedDeliveryDate = "PO 1", tx.Today()
				return nil
			})
			return err
		})
		v.refused("Cart.DateInThePast", func(tx *db.Tx) error {
			_, err := cart.Describe(tx, func(d *cart.Details) error {
				d.RequestedDeliveryDate = "2020-01-01"
				return nil
			})
			return err
		})
		if c := v.sees(); c.Reference != "PO 1" || c.Lines[0].Note != "no rust" {
			s.Errorf("%+v", c)
		}
		v.do(func(tx *db.Tx) error { return cart.Clear(tx) })
		v.wants("emptied", "0")
		if w := s.visit(); w.sees().ID == v.sees().ID {
			s.Error("two visitors share a cart")
		}
	})
}

// The price is looked up at every read; another one is announced once, and what is no longer sold costs nothing.
func TestWhatChangesMeanwhile(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		v.adds("SAW", "1")
		v.adds("CABLE", "1")
		v.wants("as it was put in", "SAW 1 PCS 100+25; CABLE 1 PCS 10+2.5; 137.5")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := catalog.Change(tx, "SAW", func(i *catalog.Item) error {
				p := dec.Int(90)
				i.SalesPrice = &p
				return nil
			})
			return err
		})
		v.do(func(tx *db.Tx) error {
			c, err := cart.Of(tx)
			if !c.HasNews(tx) {
				s.Error("another price is news")
			}
			return err
		})
		v.wants("announced", "SAW 1 PCS 90+22.5; CABLE 1 PCS 10+2.5; 125 (Cart.PriceChanged)")
		v.wants("once", "SAW 1 PCS 90+22.5; CABLE 1 PCS 10+2.5; 125")
		v.do(func(tx *db.Tx) error {
			c, err := cart.Of(tx)
			if c.HasNews(tx) {
				s.Error("what was shown is no news")
			}
			return err
		})
		dbtest.Write(t, s.store, func(tx *db.Tx) error { return channel.Withdraw(tx, "SAW", "WEB") })
		v.wants("withdrawn", "SAW 1 PCS 0+0 !Cart.NoLongerSold; CABLE 1 PCS 10+2.5; 12.5")
		v.do(func(tx *db.Tx) error {
			c, err := cart.Summary(tx)
			if c.PieceCount() != dec.One || c.IsEmpty() {
				s.Errorf("%s pieces", c.PieceCount())
			}
			return err
		})
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := channel.Publish(tx, []channel.Publication{{ItemNumber: "CABLE", ChannelCode: "WEB",
				IsPublished: true, IsPurchasable: true}})
			return err
		})
		v.wants("none in stock, and no back-orders",
			"SAW 1 PCS 0+0 !Cart.NoLongerSold; CABLE 1 PCS 10+2.5 !Inventory.InsufficientStock; 12.5")
	})
}

// What is said of prices comes in the order of the lines, whichever of them somebody else has asked for since.
func TestNewPricesAreToldInTheOrderOfTheLines(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		v.adds("SAW", "1")
		v.adds("CABLE", "1")
		v.wants("as it was put in", "SAW 1 PCS 100+25; CABLE 1 PCS 10+2.5; 137.5")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			for _, number := range []string{"SAW", "CABLE"} {
				if _, err := catalog.Change(tx, number, func(i *catalog.Item) error {
					p := dec.Int(90)
					i.SalesPrice = &p
					return nil
				}); err != nil {
					return err
				}
			}
			return nil
		})
		other := s.visit()
		other.adds("CABLE", "1")
		other.wants("somebody else's", "CABLE 1 PCS 90+22.5; 112.5")
		v.do(func(tx *db.Tx) error {
			c, err := cart.Of(tx)
			if err == nil && (len(c.Messages) != 2 || c.Messages[0].LineID != c.Lines[0].ID ||
				c.Messages[1].LineID != c.Lines[1].ID) {
				s.Errorf("of lines %s and %s: %v", c.Lines[0].ID, c.Lines[1].ID, c.Messages)
			}
			return err
		})
	})
}

// A price that is for larger quantities holds as soon as there are so many, and a change of one's own is no surprise.
func TestPricesByQuantityAndCustomer(t *testing.T) {
	each(t, func(s *shop) {
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			amount := func(d string) *dec.Dec { x := dec.Must(d); return &x }
			if _, err := pricing.Create(tx, pricing.List{Code: "STD", Name: "Standard", Type: pricing.Standard,
				CurrencyCode: "SEK", IsActive: true, IsDefault: true}); err != nil {
				return err
			}
			if _, err := pricing.Create(tx, pricing.List{Code: "C1", Name: "Agreed", Type: pricing.Customer,
				CurrencyCode: "SEK", IsActive: true, Priority: -1, CustomerNumbers: []string{"C1"}}); err != nil {
				return err
			}
			line := func(p, from string) pricing.Line {
				return pricing.Line{Item: "SAW", Line: price.Line{Strategy: price.Fixed, UnitPrice: amount(p),
					MinQuantity: dec.Must(from)}}
			}
			if _, err := pricing.SaveLines(tx, "STD", []pricing.Line{line("100", "0"), line("80", "10")}); err != nil {
				return err
			}
			_, err := pricing.SaveLines(tx, "C1", []pricing.Line{line("70", "0")})
			return err
		})
		v := s.visit()
		v.adds("SAW", "9")
		v.wants("nine", "SAW 9 PCS 900+225; 1125")
		v.adds("SAW", "1")
		v.wants("ten", "SAW 10 PCS 800+200; 1000")
		v.signsIn()
		v.wants("the customer's own", "SAW 10 PCS 700+175; 875 (Cart.PriceChanged)")
	})
}

func TestAtMost200Lines(t *testing.T) {
	each(t, func(s *shop) {
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			var items []catalog.Item
			var numbers []string
			for n := range 200 {
				items = append(items, s.item(fmt.Sprintf("N%03d", n), "1"))
				numbers = append(numbers, items[n].Number)
			}
			if err := catalog.CreateMany(tx, items); err != nil {
				return err
			}
			found, err := catalog.FindMany(tx, numbers)
			for _, i := range found {
				s.ids[i.Number] = i.ID
			}
			if err != nil {
				return err
			}
			return s.publish(tx, numbers...)
		})
		v := s.visit()
		v.adds("SAW", "1")
		v.do(func(tx *db.Tx) error {
			var all []cart.Addition
			for n := range 200 {
				all = append(all, cart.Addition{ItemID: s.ids[fmt.Sprintf("N%03d", n)], Quantity: dec.One})
			}
			_, out, err := cart.Add(tx, all)
			for n, o := range out {
				if (n == 199) != fault.Is(o.Err, cart.ErrFull) {
					s.Errorf("row %d: %v", n, o.Err)
				}
			}
			return err
		})
		v.refused("Cart.TooManyLines", v.adding("CABLE", "1"))
		v.adds("SAW", "1")
		if c := v.sees(); len(c.Lines) != 200 || c.TotalIncludingTax != dec.Must("498.75") {
			s.Errorf("%d lines, %s", len(c.Lines), c.TotalIncludingTax)
		}
	})
}

// Forty requests at once put something into one new cart: nothing is lost, and there is one cart.
func TestAddingTogether(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				item := []string{"SAW", "CABLE"}[i%2]
				if err := v.try(v.adding(item, "1")); err != nil {
					s.Error(err)
				}
			})
		}
		wg.Wait()
		c := v.sees()
		if len(c.Lines) != 2 || c.PieceCount() != dec.Int(40) {
			s.Errorf("%d lines, %s pieces", len(c.Lines), c.PieceCount())
		}
	})
}

func TestSweepTakesCarts(t *testing.T) {
	each(t, func(s *shop) {
		v := s.visit()
		v.adds("SAW", "1")
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			if n, err := cart.Sweep(tx, tx.Now); n != 0 || err != nil {
				s.Errorf("%d living sessions were swept: %v", n, err)
			}
			n, err := cart.Sweep(tx, db.TimeOf(tx.Now.Time().Add(storefront.Lifetime+1_000_000)))
			if n != 1 {
				s.Errorf("%d sessions were swept", n)
			}
			var carts, lines int
			if _, err := tx.One(
				"-- test\nselect (select count(*) from cart where company = :company), (select count(*) from cart_line where company = :company)",
				nil, &carts, &lines); err != nil ||
				carts+lines > 0 {
				s.Errorf("%d carts and %d lines are left: %v", carts, lines, err)
			}
			return err
		})
	})
}

func TestCodesInACart(t *testing.T) {
	each(t, func(s *shop) {
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := promotion.Create(tx, promotion.Discount{Code: "TEN", Percent: dec.Int(10), IsActive: true,
				IsCombinable: true})
			if err == nil {
				_, err = promotion.Create(tx, promotion.Discount{Code: "SHIP", FreeFreight: true, IsActive: true,
					IsCombinable: true})
			}
			if err == nil {
				_, err = promotion.Issue(tx, promotion.Card{Code: "GIFT-CARD", Initial: dec.Int(100)})
			}
			if err == nil {
				_, err = freight.Create(tx, freight.Rate{MethodCode: "PARCEL", CountryCode: "SE", CurrencyCode: "SEK",
					TaxCode: "STD", IsActive: true, Basis: freight.Weight, Steps: []freight.Step{{Price: dec.Int(40)},
						{From: dec.Int(1), Price: dec.Int(80)}}})
			}
			return err
		})
		db.On(s.store, func(_ *db.Tx, e cart.DeliveryWanted) error {
			e.Delivery.CountryCode, e.Delivery.Method = "SE", "parcel"
			return nil
		})
		apply := func(code string) func(*db.Tx) error {
			return func(tx *db.Tx) error { return cart.Apply(tx, code) }
		}
		v := s.visit()
		v.refused("Code.NotApplicable", apply("ten"))
		v.adds("SAW", "2")
		v.wants("with freight by weight", "SAW 2 PCS 200+50; 350")
		v.do(apply("ten"))
		v.refused("Code.AlreadyApplied", apply("T E N"))
		v.refused("Code.Invalid", apply("eleven"))
		v.wants("the discount lowers the tax", "SAW 2 PCS 180+45; 325")
		v.do(apply("ship"))
		v.wants("free freight", "SAW 2 PCS 180+45; 225")
		v.do(apply("giftcard"))
		c := v.sees()
		if c.GiftCardTotal != dec.Int(100) || c.AmountToPay != dec.Int(125) || c.TaxTotal != dec.Int(45) ||
			c.Subtotal != dec.Int(200) || c.DiscountTotal != dec.Int(20) {
			s.Errorf("a gift card pays and changes no tax: %+v", c)
		}
		before := c.Fingerprint()
		if v.sees().Fingerprint() != before {
			s.Error("another fingerprint of the same cart")
		}
		v.do(func(tx *db.Tx) error { return cart.TakeOff(tx, "ten") })
		v.refused("Code.NotFound", func(tx *db.Tx) error { return cart.TakeOff(tx, "ten") })
		if v.sees().Fingerprint() == before {
			s.Error("the same fingerprint of another cart")
		}
		v.do(func(tx *db.Tx) error {
			c, err := cart.ReadForOrder(tx, storefront.Of(tx))
			if err == nil {
				err = c.Price(tx, storefront.Of(tx), cart.Delivery{})
			}
			if err != nil {
				return err
			}
			err = promotion.Redeem(tx, promotion.Redemption{OrderID: "order-1", CurrencyCode: "SEK", Applied: c.Codes})
			if err == nil {
				err = c.Close(tx)
			}
			return err
		})
		v.wants("the order took the cart", "0")
		v.refused("Code.UsedUp", apply("giftcard"))
		dbtest.Read(t, s.store,
			func(tx *db.Tx) error { return promotion.Verify(tx, func(what string) { s.Error(what) }) })
	})
}

// Of a discount that is spread over lines, the lines' parts add up to it, with and without tax.
func TestTotalsAddUp(t *testing.T) {
	each(t, func(s *shop) {
		dbtest.Write(t, s.store, func(tx *db.Tx) error {
			_, err := promotion.Create(tx, promotion.Discount{Code: "ODD", Amount: dec.Must("33.37"),
				CurrencyCode: "SEK", IsActive: true})
			return err
		})
		v := s.visit()
		v.adds("SAW", "3")
		v.adds("NAIL", "7")
		v.adds("CABLE", "0.33")
		v.do(func(tx *db.Tx) error { return cart.Apply(tx, "odd") })
		c := v.sees()
		var off, net, vat dec.Dec
		for _, l := range c.Lines {
			off, net, vat = off.Add(l.Discount), net.Add(l.Net), vat.Add(l.Tax)
		}
		if off != dec.Must("33.37") || c.DiscountTotal != off || c.Total != net || c.TaxTotal != vat ||
			c.Subtotal.Sub(c.DiscountTotal) != net || c.TotalIncludingTax != net.Add(vat) ||
			c.Subtotal.Add(c.SubtotalTax).
				Sub(c.DiscountTotal.Add(c.DiscountTax)) != c.TotalIncludingTax ||
			slices.ContainsFunc(c.Lines, func(l *cart.Line) bool { return l.Discount.Decimals() > 2 }) {
			s.Errorf("%+v", c)
		}
	})
}
