package promotion_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/pricing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// open prepares a company with items A and B in the categories TOOLS and TOOLS-SAW, the brands X and Y, and the channel
// WEB.
func open(t *testing.T, s *db.Store) {
	t.Helper()
	db.On(s, func(_ *db.Tx, e pricing.ChannelsWanted) error {
		e.Known["web"] = pricing.Channel{Code: "WEB"}
		return nil
	})
	dbtest.Write(t, s, func(tx *db.Tx) error {
		steps := []error{
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true},
				reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2, IsActive: true}),
			reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "WHOLESALE", Name: "Wholesale",
				IsActive: true}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true}),
		}
		for _, c := range []catalog.Category{{Code: "TOOLS", Name: "Tools", IsActive: true},
			{Code: "TOOLS-SAW", Name: "Saws", ParentCode: "TOOLS", IsActive: true}} {
			_, err := catalog.CreateCategory(tx, c)
			steps = append(steps, err)
		}
		_, err := catalog.CreateBrand(tx, catalog.Brand{Code: "X", Name: "X", IsActive: true})
		steps = append(steps, err, catalog.CreateMany(tx, []catalog.Item{item("A", "TOOLS-SAW"), item("B", "")}))
		for _, err := range steps {
			if err != nil {
				return err
			}
		}
		return nil
	})
}

func item(number, category string) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.TaxCode, i.CategoryCode = number, "Item "+number, "STD", category
	return i
}

func goods() []promotion.Good {
	return []promotion.Good{{Item: "a", Category: "tools-saw", Brand: "x", Amount: dec.Int(100)},
		{Item: "b", Amount: dec.Int(50)}}
}

func guest() promotion.Situation {
	return promotion.Situation{ChannelCode: "web", CurrencyCode: "SEK", Value: dec.Int(150),
		Terms: promotion.Terms{Digits: 2}}
}

func make1(t *testing.T, s *db.Store, d promotion.Discount) promotion.Discount {
	t.Helper()
	d.IsActive = true
	dbtest.Write(t, s, func(tx *db.Tx) (err error) { d, err = promotion.Create(tx, d); return err })
	return d
}

func issue(t *testing.T, s *db.Store, code, amount string) (c promotion.Card) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) (err error) {
		c, err = promotion.Issue(tx, promotion.Card{Code: code, Initial: dec.Must(amount)})
		return err
	})
	return c
}

func evaluate(t *testing.T, s *db.Store, sit promotion.Situation, codes ...string) (r promotion.Reduction) {
	t.Helper()
	keys := make([]string, len(codes))
	for i, c := range codes {
		keys[i] = promotion.Key(c)
	}
	dbtest.Read(t, s, func(tx *db.Tx) (err error) { r, err = promotion.Evaluate(tx, sit, keys, goods()); return err })
	return r
}

// problem is the code that the first of the codes would be refused with; "" when it grants something.
func problem(r promotion.Reduction) string {
	if len(r.Applied) == 0 {
		return "nothing"
	}
	if p := r.Applied[len(r.Applied)-1].Problem; p != nil {
		return p.Code
	}
	return ""
}

func verify(t *testing.T, s *db.Store) {
	t.Helper()
	dbtest.Read(t, s, func(tx *db.Tx) error {
		return promotion.Verify(tx, func(what string) { t.Error(what) })
	})
}

func TestWhatACodeIsFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		var today day.Date
		dbtest.Read(t, s, func(tx *db.Tx) error { today = tx.Today(); return nil })
		ten := dec.Int(10)
		for _, c := range []struct {
			d    promotion.Discount
			sit  func(*promotion.Situation)
			want string
			off  string // both lines
		}{
			{d: promotion.Discount{Code: "ALL", Percent: ten}, off: "10 5"},
			{d: promotion.Discount{Code: "SAW", Percent: ten,
				Scope: promotion.Scope{Included: promotion.Goods{Categories: []string{"tools"}}}}, off: "10 0"},
			{d: promotion.Discount{Code: "NO-SAW", Amount: ten, CurrencyCode: "sek",
				Scope: promotion.Scope{Excluded: promotion.Goods{Categories: []string{"TOOLS"}}}}, off: "0 10"},
			{d: promotion.Discount{Code: "ITEM", Percent: ten,
				Scope: promotion.Scope{Included: promotion.Goods{Items: []string{"b"}, Brands: []string{"x"}}}},
				off: "10 5"},
			{d: promotion.Discount{Code: "NONE", Percent: ten,
				Scope: promotion.Scope{Included: promotion.Goods{Brands: []string{"X"}},
					Excluded: promotion.Goods{Items: []string{"A"}}}}, want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "PAST", Percent: ten, ValidTo: today.AddDays(-1)}, want: "Code.Expired"},
			{d: promotion.Discount{Code: "TODAY", Percent: ten, ValidFrom: today, ValidTo: today}, off: "10 5"},
			{d: promotion.Discount{Code: "SOON", Percent: ten, ValidFrom: today.AddDays(1)},
				want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "MIN", Percent: ten, MinValue: dec.Must("150.01"), CurrencyCode: "SEK"},
				want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "MIN2", Percent: ten, MinValue: dec.Must("150"), CurrencyCode: "SEK"},
				off: "10 5"},
			{d: promotion.Discount{Code: "EURO", Amount: ten, CurrencyCode: "EUR"}, want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "GROUP", Percent: ten,
				Scope: promotion.Scope{CustomerGroups: []string{"wholesale"}}}, want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "GROUP2", Percent: ten,
				Scope: promotion.Scope{CustomerGroups: []string{"wholesale"}}},
				sit: func(s *promotion.Situation) { s.CustomerGroup = "Wholesale" }, off: "10 5"},
			{d: promotion.Discount{Code: "WEB", Percent: ten, Scope: promotion.Scope{Channels: []string{"web"}}},
				off: "10 5"},
			{d: promotion.Discount{Code: "WEB2", Percent: ten, Scope: promotion.Scope{Channels: []string{"web"}}},
				sit: func(s *promotion.Situation) { s.ChannelCode = "B2B" }, want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "OFF", Percent: ten},
				sit: func(s *promotion.Situation) { s.NoDiscounts = true }, want: "Code.NotApplicable"},
			{d: promotion.Discount{Code: "FREIGHT", FreeFreight: true}, off: "0 0"},
		} {
			make1(t, s, c.d)
			sit := guest()
			if c.sit != nil {
				c.sit(&sit)
			}
			r := evaluate(t, s, sit, strings.ToLower(c.d.Code))
			if got := problem(r); got != c.want {
				t.Errorf("%s: %q, want %q", c.d.Code, got, c.want)
			}
			if c.off == "" {
				c.off = "0 0"
			}
			if got := r.ByLine[0].String() + " " + r.ByLine[1].String(); got != c.off {
				t.Errorf("%s takes off %s, want %s", c.d.Code, got, c.off)
			}
			if r.FreeFreight != (c.d.Code == "FREIGHT") {
				t.Errorf("%s: free freight %t", c.d.Code, r.FreeFreight)
			}
		}
	})
}

func TestCodesTogether(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		make1(t, s, promotion.Discount{Code: "SINGLE", Percent: dec.Int(10)})
		make1(t, s, promotion.Discount{Code: "ONE", Percent: dec.Int(10), IsCombinable: true})
		make1(t, s, promotion.Discount{Code: "TWO", Amount: dec.Int(15), CurrencyCode: "SEK", IsCombinable: true})
		issue(t, s, "GIFT-1", "100")
		issue(t, s, "GIFT-2", "20")
		for _, c := range []struct {
			codes []string
			want  string // of the last one
		}{{[]string{"ONE", "TWO"}, ""}, {[]string{"SINGLE", "ONE"}, "Code.NotApplicable"},
			{[]string{"ONE", "SINGLE"}, "Code.NotApplicable"}, {[]string{"SINGLE", "GIFT-1"}, ""}} {
			r := evaluate(t, s, guest(), c.codes...)
			if got := problem(r); got != c.want {
				t.Errorf("%v: %q, want %q", c.codes, got, c.want)
			}
			if r.Applied[0].Problem != nil {
				t.Errorf("%v: the first one stays, not %v", c.codes, r.Applied[0].Problem)
			}
		}
		r := evaluate(t, s, guest(), "GIFT-2", "TWO", "GIFT-1")
		if paid := r.Pay(dec.Int(90)); paid != dec.Int(90) || r.Applied[0].Amount != dec.Int(20) ||
			r.Applied[2].Amount != dec.Int(70) {
			t.Errorf("paid %s: %+v", paid, r.Applied)
		}
		if r := evaluate(t, s, guest(), "nobody's"); len(r.Applied) != 0 {
			t.Errorf("a code that nobody knows: %+v", r.Applied)
		}
	})
}

func TestWhatNoCodeCanBe(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		make1(t, s, promotion.Discount{Code: "Ten 10", Percent: dec.Int(10)})
		bad := promotion.Discount{Code: "-", Percent: dec.Int(101), Amount: dec.Must("1.001"), ValidFrom: "2026-02-01",
			ValidTo: "2026-01-01", LimitTotal: -1, LimitCustomer: -1, MinValue: dec.Int(-1), CurrencyCode: "XXX",
			Scope: promotion.Scope{Channels: []string{"none"}, CustomerGroups: []string{"none"},
				Included: promotion.Goods{Items: []string{"none"}, Categories: []string{"none"},
					Brands: []string{"none"}}}}
		refused := func(want string, fn func(tx *db.Tx) error) *fault.Fault {
			t.Helper()
			err := s.Write(context.Background(), dbtest.Request(), fn)
			f := fault.As(err)
			if err == nil || f.Code != want {
				t.Errorf("want %s, got %v", want, err)
			}
			return f
		}
		f := refused("Request.Invalid", func(tx *db.Tx) error { _, err := promotion.Create(tx, bad); return err })
		if len(f.Fields) != 13 {
			t.Errorf("%d things are wrong: %+v", len(f.Fields), f.Fields)
		}
		refused("DiscountCode.AlreadyExists", func(tx *db.Tx) error {
			_, err := promotion.Create(tx, promotion.Discount{Code: "ten-10", FreeFreight: true})
			return err
		})
		refused("GiftCard.AlreadyExists", func(tx *db.Tx) error {
			_, err := promotion.Issue(tx, promotion.Card{Code: "TEN10", Initial: dec.One})
			return err
		})
		refused("Request.Invalid", func(tx *db.Tx) error {
			_, err := promotion.Issue(tx, promotion.Card{Initial: 0})
			return err
		})
		refused("DiscountCode.NotFound", func(tx *db.Tx) error { _, err := promotion.Find(tx, "none"); return err })
		refused("GiftCard.NotFound", func(tx *db.Tx) error { _, err := promotion.FindCard(tx, "none"); return err })
		c := issue(t, s, "", "100")
		refused("GiftCard.BalanceTooLow", func(tx *db.Tx) error {
			_, err := promotion.CorrectCard(tx, c.ID, dec.Must("-100.01"), "")
			return err
		})
		refused("Request.Invalid", func(tx *db.Tx) error {
			_, err := promotion.CorrectCard(tx, c.ID, dec.Must("0.001"), "")
			return err
		})
		dbtest.Write(t, s, func(tx *db.Tx) error {
			c, err := promotion.CorrectCard(tx, c.ID, dec.Must("-99.99"), "a mistake")
			if err == nil && c.Balance != dec.Must("0.01") {
				t.Errorf("balance %s", c.Balance)
			}
			return err
		})
		verify(t, s)
	})
}

// What is known of codes can be changed, found and listed; a change is logged without the code of a gift card.
func TestKeepingCodes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		make1(t, s, promotion.Discount{Code: "SUMMER", Percent: dec.Int(10), Description: "Summer sale"})
		c := issue(t, s, "SECRET-CODE", "100")
		dbtest.Write(t, s, func(tx *db.Tx) error {
			d, err := promotion.Change(tx, "summer", func(d *promotion.Discount) error {
				d.IsActive, d.Code = false, "WINTER"
				return nil
			})
			if err != nil || d.Code != "SUMMER" || d.IsActive || d.Version != 2 {
				t.Errorf("%+v %v", d, err)
			}
			again, err := promotion.Change(tx, "summer", func(d *promotion.Discount) error { return nil })
			if err != nil || again.Version != 2 {
				t.Errorf("a change of nothing: %+v %v", again, err)
			}
			_, err = promotion.ChangeCard(tx, c.ID, func(c *promotion.Card) error {
				c.Recipient, c.Balance = "Anna", dec.Int(1_000)
				return nil
			})
			return err
		})
		if got := problem(evaluate(t, s, guest(), "SUMMER")); got != "Code.Invalid" {
			t.Errorf("an inactive code: %q", got)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			page := record.Page{Number: 1, Size: 50}
			codes, err := promotion.List(tx, promotion.Filter{Search: "summer"}, page)
			if err != nil || codes.Total != 1 || codes.Items[0].Percent != dec.Int(10) {
				t.Errorf("%+v %v", codes, err)
			}
			cards, err := promotion.ListCards(tx, promotion.Filter{Search: "anna"}, page)
			if err != nil || cards.Total != 1 || cards.Items[0].Balance != dec.Int(100) {
				t.Errorf("%+v %v", cards, err)
			}
			return tx.Each(
				"-- test\nselect business_key, detail from activity where company = :company and resource = 'gift-cards'",
				nil, func(r db.Row) error {
					var key, detail string
					err := r.Scan(&key, &detail)
					if strings.Contains(strings.ToUpper(key+detail), "SECRET") {
						t.Errorf("the log tells a gift card's code: %s %s", key, detail)
					}
					return err
				})
		})
		verify(t, s)
	})
}

// order redeems codes for an order as placing it does: evaluated under their locks.
func order(s *db.Store, id string, sit promotion.Situation, due dec.Dec, codes ...string) (applied []promotion.Applied,
	err error) {
	err = s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
		keys := make([]string, len(codes))
		for i, c := range codes {
			keys[i] = promotion.Key(c)
		}
		if err := promotion.Lock(tx, keys); err != nil {
			return err
		}
		r, err := promotion.Evaluate(tx, sit, keys, goods())
		if err != nil {
			return err
		}
		r.Pay(due)
		applied = r.Applied
		return promotion.Redeem(tx, promotion.Redemption{OrderID: id, OrderNumber: id, CustomerID: sit.CustomerID,
			Email: sit.Email, CurrencyCode: sit.CurrencyCode, Applied: applied})
	})
	return applied, err
}

// Fifty buyers spend one gift card at once: together they get what is on it, and never more.
func TestManySpendOneGiftCard(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		c := issue(t, s, "GIFT", "100")
		paid := make([]dec.Dec, 50)
		var wg sync.WaitGroup
		for i := range paid {
			wg.Go(func() {
				applied, err := order(s, fmt.Sprint("order-", i), guest(), dec.Int(7), "GIFT")
				if err != nil {
					t.Error(err)
					return
				}
				paid[i] = applied[0].Amount
			})
		}
		wg.Wait()
		if sum := dec.Sum(paid...); sum != dec.Int(100) {
			t.Errorf("%s were paid from a card of 100", sum)
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			c, err := promotion.FindCard(tx, c.ID)
			moves, err2 := promotion.Movements(tx, c.ID)
			if c.Balance != 0 || len(moves) != 16 || moves[15].Amount != dec.Int(-2) {
				t.Errorf("balance %s after %d movements", c.Balance, len(moves))
			}
			if err == nil {
				err = err2
			}
			return err
		})
		verify(t, s)
	})
}

// A card that two have read before either spent it: the slower one is refused, not overdrawn.
func TestSpendingWhatSomebodyElseSpent(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		issue(t, s, "GIFT", "100")
		r := evaluate(t, s, guest(), "GIFT")
		r.Pay(dec.Int(60))
		for i, want := range []string{"", "Code.UsedUp"} {
			err := s.Write(context.Background(), dbtest.Request(), func(tx *db.Tx) error {
				return promotion.Redeem(tx, promotion.Redemption{OrderID: fmt.Sprint(i), CurrencyCode: "SEK",
					Applied: r.Applied})
			})
			if got := fault.As(err).Code; err == nil && want != "" || err != nil && got != want {
				t.Errorf("order %d: %v, want %q", i, err, want)
			}
		}
		verify(t, s)
	})
}

// The last use of a coupon goes to one of forty, and one customer uses it no more often than it may.
func TestTheLastUseGoesOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		make1(t, s, promotion.Discount{Code: "LAST", Percent: dec.Int(10), LimitTotal: 3})
		make1(t, s, promotion.Discount{Code: "MINE", Percent: dec.Int(10), LimitCustomer: 2})
		var granted, mine atomic.Int64
		var wg sync.WaitGroup
		for i := range 40 {
			wg.Go(func() {
				code, count := "LAST", &granted
				sit := guest()
				if i%2 == 1 {
					code, count = "MINE", &mine
					if sit.CustomerID = "c-1"; i%4 == 1 {
						sit.CustomerID = "c-2" // another record of the same person
					}
					sit.Email = "Anna@example.com"
				}
				applied, err := order(s, fmt.Sprint("order-", i), sit, 0, code)
				if err != nil {
					t.Error(err)
				} else if applied[0].Problem == nil {
					count.Add(1)
				} else if applied[0].Problem.Code != "Code.UsedUp" {
					t.Error(applied[0].Problem)
				}
			})
		}
		wg.Wait()
		if granted.Load() != 3 || mine.Load() != 2 {
			t.Errorf("%d and %d uses of 3 and 2", granted.Load(), mine.Load())
		}
		verify(t, s)
	})
}

func TestGivingBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		c := issue(t, s, "GIFT", "100")
		make1(t, s, promotion.Discount{Code: "ONCE", Percent: dec.Int(10), LimitTotal: 1})
		for range 2 { // redeeming for the same order again takes nothing more
			if _, err := order(s, "order-1", guest(), dec.Int(80), "GIFT"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := order(s, "order-1", guest(), 0, "ONCE"); err != nil {
			t.Fatal(err)
		}
		state := func(balance string, used int, paid string) {
			t.Helper()
			dbtest.Read(t, s, func(tx *db.Tx) error {
				card, err := promotion.FindCard(tx, c.ID)
				if err != nil || card.Balance != dec.Must(balance) {
					t.Errorf("balance %s, want %s (%v)", card.Balance, balance, err)
				}
				d, err := promotion.Find(tx, "ONCE")
				if err != nil || d.Used != used {
					t.Errorf("used %d times, want %d (%v)", d.Used, used, err)
				}
				p, err := promotion.GiftCardsPaid(tx, "order-1")
				if p != dec.Must(paid) {
					t.Errorf("gift cards paid %s, want %s", p, paid)
				}
				return err
			})
			verify(t, s)
		}
		state("20", 1, "80")
		dbtest.Write(t, s, func(tx *db.Tx) error { return promotion.PutBack(tx, "order-1", dec.Int(30)) })
		state("50", 1, "50")
		for range 2 {
			dbtest.Write(t, s, func(tx *db.Tx) error { return promotion.GiveBack(tx, "order-1") })
			state("100", 0, "0")
		}
		dbtest.Read(t, s, func(tx *db.Tx) error {
			moves, err := promotion.Movements(tx, c.ID)
			for _, m := range moves[1:] { // after it was issued
				if m.OrderNumber != "order-1" {
					t.Errorf("%s of %s names the order %q", m.Kind, m.Amount, m.OrderNumber)
				}
			}
			return err
		})
		if got := problem(evaluate(t, s, guest(), "ONCE")); got != "" {
			t.Errorf("a use that was given back: %q", got)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error { return promotion.GiveBack(tx, "order-of-nobody") })
	})
}

// What the ledger does not say is found.
func TestVerifyFindsWhatIsWrong(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		open(t, s)
		issue(t, s, "GIFT", "100")
		make1(t, s, promotion.Discount{Code: "ONCE", Percent: dec.Int(10)})
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if _, err := tx.Exec("-- test\nupdate gift_card set balance = balance + 1 where company = :company",
				nil); err != nil {
				return err
			}
			_, err := tx.Exec("-- test\nupdate discount_code set used = 7 where company = :company", nil)
			return err
		})
		var found []string
		dbtest.Read(t, s, func(tx *db.Tx) error {
			return promotion.Verify(tx, func(what string) { found = append(found, what) })
		})
		if len(found) != 2 {
			t.Errorf("found %q", found)
		}
	})
}
