package pricing_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// shop is a company with a few items, customers and codes, as seen through the room.
type shop struct {
	t     *testing.T
	store *db.Store
	costs map[string]dec.Dec // by item number
}

func open(t *testing.T, s *db.Store) *shop {
	sh := &shop{t: t, store: s, costs: map[string]dec.Dec{}}
	db.On(s, pricing.ForgetItem)
	db.On(s, pricing.ForgetCustomer)
	db.On(s, func(tx *db.Tx, e pricing.CostsWanted) error {
		items, err := catalog.FindByID(tx, e.ItemIDs)
		for id, i := range items {
			if c, ok := sh.costs[i.Number]; ok {
				e.Costs[id] = c
			}
		}
		return err
	})
	db.On(s, func(tx *db.Tx, e pricing.ChannelsWanted) error {
		e.Known["web"] = pricing.Channel{Code: "WEB", CurrencyCode: "SEK", PriceListCode: "WEBLIST"}
		e.Known["eu"] = pricing.Channel{Code: "EU", CurrencyCode: "EUR"}
		return nil
	})
	sh.write(func(tx *db.Tx) error {
		return cmp.Or(
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true},
				reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2, IsActive: true}),
			reference.SaveRates(tx, "EUR",
				reference.RatePoint{Date: "2026-01-01", Rate: dec.Rate{Amount: dec.Int(10), Units: dec.One}}),
			reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "WHOLESALE", Name: "Wholesale",
				IsActive: true}),
			reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Piece", IsActive: true},
				reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true}),
			party.CreateMany(tx, []party.Customer{{Number: "C1", Name: "One", IsActive: true},
				{Number: "C2", Name: "Two", IsActive: true, GroupCode: "WHOLESALE", CurrencyCode: "EUR"}}),
			catalog.CreateMany(tx, []catalog.Item{item("A", "100"), item("B", "50"), item("C", "")}),
		)
	})
	return sh
}

func item(number, salesPrice string) catalog.Item {
	i := catalog.New()
	i.Number, i.Name, i.BaseUnit, i.TaxCode, i.SalesPrice = number, "Item "+number, "PCS", "STD", amount(salesPrice)
	i.Units = []catalog.Unit{{Code: "BOX", Factor: dec.Int(12)}}
	return i
}

func amount(s string) *dec.Dec {
	if s == "" {
		return nil
	}
	d := dec.Must(s)
	return &d
}

func (s *shop) try(fn func(tx *db.Tx) error) error {
	return s.store.Write(context.Background(), dbtest.Request(), fn)
}

func (s *shop) write(fn func(tx *db.Tx) error) {
	s.t.Helper()
	if err := s.try(fn); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) read(fn func(tx *db.Tx) error) {
	s.t.Helper()
	dbtest.Read(s.t, s.store, fn)
}

// list makes a price list of crowns, changed by change.
func (s *shop) list(code string, kind pricing.Type, change func(*pricing.List)) pricing.List {
	s.t.Helper()
	l := pricing.List{Code: code, Name: "List " + code, Type: kind, CurrencyCode: "sek", IsActive: true}
	if change != nil {
		change(&l)
	}
	s.write(func(tx *db.Tx) (err error) { l, err = pricing.Create(tx, l); return err })
	return l
}

// fixed is a line "item price [from-to] [@first..last]".
func fixed(text string) pricing.Line {
	l := pricing.Line{}
	l.Strategy = price.Fixed
	for i, w := range strings.Fields(text) {
		switch {
		case i == 0:
			l.Item = w
		case strings.HasPrefix(w, "@"):
			first, last, _ := strings.Cut(w[1:], "..")
			l.ValidFrom, l.ValidTo = day.Date(first), day.Date(last)
		case strings.Contains(w, "-"):
			low, high, _ := strings.Cut(w, "-")
			l.MinQuantity, l.MaxQuantity = dec.Must(low), amount(high)
		default:
			l.UnitPrice = amount(w)
		}
	}
	return l
}

func calculated(item string, s price.Strategy, percentage, fixedAmount string) pricing.Line {
	l := pricing.Line{Item: item}
	l.Strategy, l.Percentage, l.FixedAmount = s, amount(percentage), amount(fixedAmount)
	return l
}

func (s *shop) set(list string, lines ...string) {
	s.t.Helper()
	for _, text := range lines {
		s.write(func(tx *db.Tx) error { _, err := pricing.SetPrice(tx, list, fixed(text)); return err })
	}
}

func (s *shop) save(list string, lines ...pricing.Line) []pricing.Outcome {
	s.t.Helper()
	var out []pricing.Outcome
	s.write(func(tx *db.Tx) (err error) {
		if out, err = pricing.SaveLines(tx, list, slices.Clone(lines)); err != nil {
			return err
		}
		for _, o := range out {
			err = cmp.Or(err, o.Err)
		}
		return err
	})
	return out
}

// price is what customer pays for a quantity of an item, as "price currency source".
func (s *shop) price(item, quantity, customer string, change func(*pricing.Situation)) string {
	s.t.Helper()
	var out string
	s.read(func(tx *db.Tx) error {
		i, err := catalog.Find(tx, item)
		if err != nil {
			return err
		}
		where := pricing.Situation{Date: "2026-06-15"}
		if customer != "" {
			c, err := party.Find(tx, customer)
			if err != nil {
				return err
			}
			where.Customer = &c
		}
		if change != nil {
			change(&where)
		}
		q, err := pricing.For(tx, where, []pricing.Ask{{Item: &i, Quantity: dec.Must(quantity)}})
		if err != nil {
			return err
		}
		out = "none"
		if q[0].UnitPrice != nil {
			out = q[0].UnitPrice.String()
		}
		out += " " + q[0].CurrencyCode + " " + cmp.Or(q[0].ListCode, string(q[0].Source))
		return nil
	})
	return out
}

func (s *shop) expect(got, want string) {
	s.t.Helper()
	if got != want {
		s.t.Errorf("got %s, want %s", got, want)
	}
}

// lines are a list's lines, as their keys, prices and versions.
func (s *shop) lines(list string, f pricing.LineFilter) string {
	s.t.Helper()
	var out []string
	s.read(func(tx *db.Tx) error {
		_, found, err := pricing.PageOfLines(tx, list, f, record.Page{Number: 1, Size: 200})
		for _, l := range found.Items {
			text := "null"
			if l.UnitPrice != nil {
				text = l.UnitPrice.String()
			}
			out = append(out, fmt.Sprintf("%s/%s/%s=%s", l.Item, l.MinQuantity, l.ValidFrom, text))
		}
		return err
	})
	return strings.Join(out, " ")
}

func inChannel(code string) func(*pricing.Situation) {
	return func(s *pricing.Situation) { s.ChannelCode = code }
}

func TestWhoAListIsFor(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.expect(sh.price("A", "1", "", nil), "100 SEK ListPrice")
		sh.expect(sh.price("A", "1", "C2", nil), "10 EUR ListPrice") // the customer's currency
		sh.expect(sh.price("C", "1", "", nil), "none SEK None")

		sh.list("BASE", pricing.Standard, func(l *pricing.List) { l.IsDefault, l.Priority = true, 100 })
		sh.list("WEBLIST", pricing.Standard, func(l *pricing.List) { l.Priority = 90 })
		sh.list("OTHER", pricing.Standard, func(l *pricing.List) { l.Priority = 1 })
		sh.set("BASE", "A 90", "A 80 10-")
		sh.set("WEBLIST", "A 88")
		sh.set("OTHER", "A 1")
		sh.expect(sh.price("A", "1", "", nil), "90 SEK BASE")
		sh.expect(sh.price("A", "10", "C1", nil), "80 SEK BASE")
		sh.expect(sh.price("A", "1", "", inChannel("web")), "88 SEK WEBLIST")
		sh.expect(sh.price("A", "1", "", inChannel("EU")), "9 EUR BASE") // the channel's currency

		sh.list("GROUP", pricing.CustomerGroup, func(l *pricing.List) {
			l.Priority, l.CustomerGroupCodes, l.CurrencyCode = 50, []string{"wholesale"}, "EUR"
		})
		sh.list("DEAL", pricing.Contract,
			func(l *pricing.List) { l.Priority, l.CustomerNumbers = 10, []string{"c1", "C1"} })
		sh.set("GROUP", "A 7")
		sh.set("DEAL", "A 70")
		sh.expect(sh.price("A", "1", "C1", nil), "70 SEK DEAL")
		sh.expect(sh.price("A", "1", "C2", nil), "7 EUR GROUP")
		sh.expect(sh.price("A", "1", "", nil), "90 SEK BASE")

		sh.list("WEBSALE", pricing.Campaign, func(l *pricing.List) { l.Priority, l.ChannelCodes = 5, []string{"WEB"} })
		sh.list("SALE", pricing.Campaign, func(l *pricing.List) { l.Priority, l.ValidTo = 4, "2026-06-30" })
		sh.set("WEBSALE", "A 66")
		sh.set("SALE", "B 33")
		sh.expect(sh.price("A", "1", "C1", inChannel("WEB")), "66 SEK WEBSALE")
		sh.expect(sh.price("A", "1", "C1", nil), "70 SEK DEAL")
		sh.expect(sh.price("B", "1", "", nil), "33 SEK SALE")
		sh.expect(sh.price("B", "1", "", func(s *pricing.Situation) { s.Date = "2026-07-01" }), "50 SEK ListPrice")

		sh.write(func(tx *db.Tx) error {
			_, err := pricing.Change(tx, "sale", func(l *pricing.List) error { l.IsActive = false; return nil })
			return err
		})
		sh.expect(sh.price("B", "1", "", nil), "50 SEK ListPrice")
	})
}

func TestStrategies(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.costs["A"] = dec.Int(40)
		sh.list("PARENT", pricing.Campaign, func(l *pricing.List) { l.IsActive, l.Priority = false, 1 })
		sh.list("CHILD", pricing.Standard, func(l *pricing.List) { l.IsDefault, l.BasePriceListCode = true, "parent" })
		sh.set("PARENT", "A 90", "A 80 10-")

		sh.save("CHILD", calculated("A", price.ParentPriceList, "10", ""))
		sh.expect(sh.price("A", "1", "", nil), "81 SEK CHILD")
		sh.expect(sh.price("A", "10", "", nil), "72 SEK CHILD")
		sh.expect(sh.lines("CHILD", pricing.LineFilter{}), "A/0/=81")

		sh.set("PARENT", "A 60") // the shown price of those that follow moves with it
		sh.expect(sh.price("A", "1", "", nil), "54 SEK CHILD")
		sh.expect(sh.lines("CHILD", pricing.LineFilter{}), "A/0/=54")

		sh.save("CHILD", calculated("A", price.CostPlusPercent, "50", ""))
		sh.expect(sh.price("A", "1", "", nil), "60 SEK CHILD")
		sh.costs["A"] = dec.Int(42) // an order follows the cost at once, the list when it is calculated
		sh.expect(sh.price("A", "1", "", nil), "63 SEK CHILD")
		sh.expect(sh.lines("CHILD", pricing.LineFilter{}), "A/0/=60")
		sh.write(func(tx *db.Tx) error { _, err := pricing.RecalculateAll(tx, ""); return err })
		sh.expect(sh.lines("CHILD", pricing.LineFilter{}), "A/0/=63")

		sh.save("CHILD", calculated("A", price.CostPlusAmount, "", "5"), calculated("B", price.BasePriceDiscount, "20",
			""), calculated("C", price.CostPlusPercent, "20", ""))
		sh.expect(sh.price("A", "1", "", nil), "47 SEK CHILD")
		sh.expect(sh.price("B", "1", "", nil), "40 SEK CHILD")
		sh.expect(sh.price("C", "1", "", nil), "none SEK None")
		sh.expect(sh.lines("CHILD", pricing.LineFilter{}), "A/0/=47 B/0/=40 C/0/=null")

		// Parents in a circle: no price from there, and no hang.
		sh.write(func(tx *db.Tx) error {
			_, err := pricing.Change(tx, "PARENT", func(l *pricing.List) error {
				l.BasePriceListCode = "CHILD"
				return nil
			})
			return err
		})
		sh.save("CHILD", calculated("B", price.ParentPriceList, "", ""))
		sh.save("PARENT", calculated("B", price.ParentPriceList, "", ""))
		sh.expect(sh.price("B", "1", "", nil), "50 SEK ListPrice")
		sh.expect(sh.lines("CHILD", pricing.LineFilter{Item: "b"}), "B/0/=null")

		// Saying the same again changes nothing.
		again := sh.save("CHILD", calculated("A", price.CostPlusAmount, "", "5"))
		before := again[0].Line.Version
		if again = sh.save("CHILD", calculated("A", price.CostPlusAmount, "", "5")); again[0].Line.Version != before ||
			again[0].Created {
			t.Errorf("the same line again is revision %d after %d", again[0].Line.Version, before)
		}
	})
}

func TestLines(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.list("P/1", pricing.Standard, nil)
		sh.set("P/1", "B 5", "A 9 @2026-07-01..", "A 8 10-20", "A 7", "a 6.5 0-9")
		sh.expect(sh.lines("p/1", pricing.LineFilter{}), "A/0/=6.5 A/0/2026-07-01=9 A/10/=8 B/0/=5")
		sh.expect(sh.lines("P/1", pricing.LineFilter{Item: "a", ValidOn: "2026-06-30"}), "A/0/=6.5 A/10/=8")

		get := func(item string, key pricing.LineKey) (l pricing.Line, err error) {
			sh.read(func(tx *db.Tx) error { _, l, err = pricing.FindLine(tx, "P/1", item, key); return nil })
			return l, err
		}
		ten, july := dec.Int(10), day.Date("2026-07-01")
		if l, err := get("A", pricing.LineKey{}); err != nil || l.MaxQuantity == nil || *l.MaxQuantity != dec.Int(9) ||
			l.ItemName != "Item A" || l.ModifiedAt == 0 {
			t.Errorf("the ordinary price is %+v, %v", l, err)
		}
		if l, err := get("A", pricing.LineKey{MinQuantity: &ten}); err != nil || *l.UnitPrice != dec.Int(8) {
			t.Errorf("from ten it is %+v, %v", l, err)
		}
		if l, err := get("A", pricing.LineKey{ValidFrom: &july}); err != nil || *l.UnitPrice != dec.Int(9) {
			t.Errorf("from July it is %+v, %v", l, err)
		}
		if _, err := get("A", pricing.LineKey{MinQuantity: &ten, ValidFrom: &july}); !fault.Is(err,
			pricing.ErrLineNotFound) {
			t.Errorf("no such line: %v", err)
		}

		remove := func(key pricing.LineKey) error {
			return sh.try(func(tx *db.Tx) error { return pricing.DeleteLine(tx, "P/1", "A", key) })
		}
		if err := remove(pricing.LineKey{}); err != nil {
			t.Error(err)
		}
		// a retry must not take another line
		if err := remove(pricing.LineKey{}); !fault.Is(err, pricing.ErrAmbiguous) {
			t.Errorf("deleting again: %v", err)
		}
		if err := remove(pricing.LineKey{MinQuantity: &ten}); err != nil {
			t.Error(err)
		}
		sh.save("P/1", calculated("C", price.BasePriceDiscount, "10", ""))
		err := sh.try(func(tx *db.Tx) error { return pricing.DeleteLine(tx, "P/1", "C", pricing.LineKey{}) })
		if !fault.Is(err, pricing.ErrNotFixed) {
			t.Errorf("deleting a calculated line: %v", err)
		}
		err = sh.try(func(tx *db.Tx) error { _, err := pricing.SetPrice(tx, "P/1", fixed("C 1")); return err })
		if !fault.Is(err, pricing.ErrNotFixed) {
			t.Errorf("writing over a calculated line: %v", err)
		}
	})
}

func TestBatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.list("L", pricing.Standard, nil)
		sh.set("L", "A 1")
		sh.save("L", calculated("C", price.BasePriceDiscount, "10", ""))
		batch := func(mode pricing.Mode, texts ...string) string {
			lines := make([]pricing.Line, len(texts))
			for i, text := range texts {
				lines[i] = fixed(text)
			}
			var out []string
			sh.write(func(tx *db.Tx) error {
				got, err := pricing.SetPrices(tx, "L", lines, mode)
				for _, o := range got {
					switch {
					case o.Err != nil:
						out = append(out, strings.TrimPrefix(fault.As(o.Err).Code, "PriceListLine."))
					case o.Created:
						out = append(out, "created")
					default:
						out = append(out, "updated")
					}
				}
				return err
			})
			return strings.Join(out, " ")
		}
		sh.expect(batch(pricing.Upsert, "A 2", "B 3", "b 4", "X 5", "A 6 10-5", "A 7 @2026-02-01..2026-01-01", "C 8",
			"B 9 10-"),
			"updated created DuplicateInBatch UnknownItem QuantityRange.Invalid ValidityRange.Invalid NotFixedPrice created")
		sh.expect(batch(pricing.CreateOnly, "A 3", "A 4 100-"), "AlreadyExists created")
		sh.expect(batch(pricing.UpdateOnly, "A 5", "B 6 77-"), "updated NoSuchLine")
		sh.expect(sh.lines("L", pricing.LineFilter{}), "A/0/=5 A/100/=4 B/0/=3 B/10/=9 C/0/=null")
		err := sh.try(func(tx *db.Tx) error {
			_, err := pricing.SetPrices(tx, "NONE", nil, pricing.Upsert)
			return err
		})
		if !fault.Is(err, pricing.ErrNotFound) {
			t.Errorf("unknown list: %v", err)
		}
	})
}

func TestHead(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.list("One", pricing.Standard, func(l *pricing.List) { l.IsDefault = true })
		two := sh.list("Two", pricing.Standard,
			func(l *pricing.List) { l.IsDefault, l.BasePriceListCode = true, "ONE" })
		if two.CurrencyCode != "SEK" || two.BasePriceListCode != "One" {
			t.Errorf("codes are not spelled as their owners do: %+v", two)
		}
		defaults := map[string]bool{}
		sh.read(func(tx *db.Tx) error {
			found, err := pricing.Page(tx, pricing.ListFilter{Search: "list o"}, record.Page{Number: 1, Size: 50})
			for _, l := range found.Items {
				defaults[l.Code] = l.IsDefault
			}
			return err
		})
		if want := map[string]bool{"One": false, "Two": true}; !maps.Equal(defaults, want) {
			t.Errorf("defaults are %v, want %v", defaults, want)
		}

		wrong := []struct {
			name   string
			change func(*pricing.List)
			fields string
		}{
			{"taken", func(l *pricing.List) { l.Code = "TWO" }, "PriceList.AlreadyExists"},
			{"everything at once", func(l *pricing.List) {
				l.CurrencyCode, l.BasePriceListCode, l.ValidFrom, l.ValidTo = "XXX", "NONE", "2026-02-01", "2026-01-01"
			}, "currencyCode validTo basePriceListCode"},
			{"its own parent", func(l *pricing.List) { l.BasePriceListCode = "new" }, "basePriceListCode"},
			{"a parent of another kind",
				func(l *pricing.List) { l.BasePriceListCode, l.IsPriceIncludingTax = "ONE", true },
				"basePriceListCode"},
			{"whom it cannot be for", func(l *pricing.List) {
				l.Type, l.IsDefault, l.CustomerGroupCodes, l.ChannelCodes = pricing.Contract, true,
					[]string{"WHOLESALE"}, []string{"WEB"}
			}, "customerGroupCodes channelCodes isDefault"},
			{"whom nobody knows",
				func(l *pricing.List) { l.Type, l.CustomerNumbers = pricing.Contract, []string{"C1", "C9"} },
				"customerNumbers[1]"},
			{"no such channel", func(l *pricing.List) { l.ChannelCodes = []string{"NONE"} }, "channelCodes[0]"},
		}
		for _, c := range wrong {
			l := pricing.List{Code: "NEW", Name: "New", Type: pricing.Standard, CurrencyCode: "SEK"}
			c.change(&l)
			err := sh.try(func(tx *db.Tx) error { _, err := pricing.Create(tx, l); return err })
			if err == nil {
				t.Errorf("%s: was accepted", c.name)
				continue
			}
			f := fault.As(err)
			got := f.Code
			if len(f.Fields) > 0 {
				var fields []string
				for _, w := range f.Fields {
					fields = append(fields, w.Path)
				}
				got = strings.Join(fields, " ")
			}
			if got != c.fields {
				t.Errorf("%s: %s, want %s (%v)", c.name, got, c.fields, err)
			}
		}
	})
}

// Deleting an item or a customer leaves no price and no assignment behind.
func TestForget(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.list("DEAL", pricing.Contract, func(l *pricing.List) { l.CustomerNumbers = []string{"C1", "C2"} })
		sh.set("DEAL", "A 70", "B 40")
		sh.write(func(tx *db.Tx) error { return catalog.Delete(tx, "A") })
		sh.expect(sh.lines("DEAL", pricing.LineFilter{}), "B/0/=40")
		sh.write(func(tx *db.Tx) error { return party.Delete(tx, "C1") })
		sh.read(func(tx *db.Tx) error {
			l, err := pricing.Find(tx, "DEAL")
			if !slices.Equal(l.CustomerNumbers, []string{"C2"}) || l.Version != 2 {
				t.Errorf("the list is for %v at revision %d", l.CustomerNumbers, l.Version)
			}
			return err
		})
	})
}

// Clients that write the same new lines at once, in any order, get one line each with every change in its history;
// lists that become the default at once leave one default.
func TestRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		sh := open(t, s)
		sh.list("L", pricing.Standard, nil)
		const writers = 8
		failed := make(chan error, 2*writers)
		for i := range writers {
			lines := []pricing.Line{fixed(fmt.Sprint("A ", i+1)), fixed(fmt.Sprint("B ", i+1))}
			if i%2 == 0 {
				slices.Reverse(lines)
			}
			go func() {
				failed <- sh.try(func(tx *db.Tx) error {
					_, err := pricing.SetPrices(tx, "L", lines, pricing.Upsert)
					return err
				})
			}()
			go func() {
				failed <- sh.try(func(tx *db.Tx) error {
					_, err := pricing.Create(tx, pricing.List{Code: fmt.Sprint("D", i), Name: "Default",
						Type: pricing.Standard, CurrencyCode: "SEK", IsDefault: true})
					return err
				})
			}()
		}
		for range 2 * writers {
			if err := <-failed; err != nil {
				t.Error(err)
			}
		}
		sh.read(func(tx *db.Tx) error {
			_, found, err := pricing.PageOfLines(tx, "L", pricing.LineFilter{}, record.Page{Number: 1, Size: 50})
			if err != nil {
				return err
			}
			for _, l := range found.Items {
				if l.Version != writers {
					t.Errorf("the line of %s is revision %d after %d changes", l.Item, l.Version, writers)
				}
			}
			lists, err := pricing.Page(tx, pricing.ListFilter{}, record.Page{Number: 1, Size: 50})
			defaults := 0
			for _, l := range lists.Items {
				if l.IsDefault {
					defaults++
				}
			}
			if len(found.Items) != 2 || lists.Total != writers+1 || defaults != 1 {
				t.Errorf("%d lines, %d lists, %d of them default", len(found.Items), lists.Total, defaults)
			}
			return err
		})
	})
}

// A unit's quantity counts its base units against the breaks, and its price is the base price times its factor.
func TestUnits(t *testing.T) {
	sh := open(t, dbtest.Store(t, "sqlite"))
	sh.list("BASE", pricing.Standard, func(l *pricing.List) { l.IsDefault = true })
	sh.set("BASE", "A 10", "A 9 24-")
	sh.read(func(tx *db.Tx) error {
		i, err := catalog.Find(tx, "A")
		if err != nil {
			return err
		}
		q, err := pricing.For(tx, pricing.Situation{}, []pricing.Ask{{Item: &i, Quantity: dec.One, Unit: "box"},
			{Item: &i, Quantity: dec.Int(2), Unit: "BOX"}})
		if err != nil {
			return err
		}
		if *q[0].UnitPrice != dec.Int(120) || *q[1].UnitPrice != dec.Int(108) {
			t.Errorf("a box costs %s, of two boxes one %s", q[0].UnitPrice, q[1].UnitPrice)
		}
		q, err = pricing.For(tx, pricing.Situation{}, []pricing.Ask{{Item: &i, Quantity: dec.One, Unit: "KG"}})
		if err != nil || q[0].UnitPrice != nil || !fault.Is(pricing.CheckUnit(&i, "KG"), pricing.ErrUnknownUnit) {
			t.Errorf("a unit the item has not: %+v, %v", q, err)
		}
		_, err = pricing.For(tx, pricing.Situation{Currency: "XXX"}, nil)
		if !fault.Is(err, pricing.ErrUnknownCurrency) {
			t.Errorf("a currency the company has not: %v", err)
		}
		return nil
	})
}
