package assortment_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

// shop is a company with a store, as its visitors see it.
type shop struct {
	testing.TB
	store *db.Store
	index *assortment.StoreIndex
	code  string
}

func hook(s *db.Store) {
	db.On(s, channel.TellPricing)
	db.On(s, channel.WithdrawDeletedItem)
	db.On(s, pricing.ForgetItem)
	db.On(s, assortment.TellArrived)
	db.On(s, assortment.TellPlenty)
	db.On(s, func(tx *db.Tx, e pricing.CostsWanted) error {
		costs, err := stock.AverageCosts(tx, e.ItemIDs)
		for id, c := range costs {
			e.Costs[id] = c
		}
		return err
	})
}

func open(t testing.TB, s *db.Store) *shop {
	t.Helper()
	hook(s)
	sh := &shop{TB: t, store: s, code: "WEB", index: assortment.NewStoreIndex("WEB", t.TempDir())}
	sh.write(func(tx *db.Tx) error {
		return first(
			reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona", Decimals: 2, IsBase: true,
				IsActive: true},
				reference.Currency{Code: "EUR", Name: "Euro", Decimals: 2, IsActive: true}),
			reference.SaveRates(tx, "EUR",
				reference.RatePoint{Date: "2020-01-01", Rate: dec.Rate{Amount: dec.Int(10), Units: dec.One}}),
			reference.SaveCustomerGroups(tx, reference.CustomerGroup{Code: "TRADE", Name: "Trade", IsActive: true}),
			reference.SaveUnits(tx, reference.Unit{Code: "PCS", Name: "Piece", IsActive: true},
				reference.Unit{Code: "BOX", Name: "Box", IsActive: true}),
			reference.SaveTaxCodes(tx, reference.TaxCode{Code: "STD", Name: "Standard", IsActive: true,
				Rates: []reference.TaxRate{{Country: "SE", ValidFrom: "2000-01-01", Percent: dec.Int(25)},
					{Country: "DE", ValidFrom: "2000-01-01", Percent: dec.Int(19)}}}),
			reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main", IsActive: true}),
			reference.SaveLocations(tx, reference.Location{Warehouse: "MAIN", Code: "A", Name: "A", IsPickable: true,
				IsActive: true}),
			reference.SaveOrderTypes(tx, reference.OrderType{Code: "NORMAL", Name: "Normal",
				AutoInvoice: reference.OnHandOver, IsActive: true}),
			party.CreateMany(tx, []party.Customer{{Number: "C1", Name: "One", IsActive: true, GroupCode: "TRADE"},
				{Number: "C2", Name: "Two", IsActive: true, CurrencyCode: "EUR"}}),
		)
	})
	sh.write(func(tx *db.Tx) error {
		for _, code := range []string{"WEB", "OTHER"} {
			if _, err := channel.Create(tx, channel.Channel{Code: code, Name: "Shop " + code, Type: channel.WebShop,
				CurrencyCode: "SEK", WarehouseCode: "MAIN", OrderTypeCode: "NORMAL", IsActive: true,
				IsPriceIncludingTax: true, Languages: []string{"en", "sv"},
				Countries: []string{"SE", "DE"}}); err != nil {
				return err
			}
		}
		for _, c := range []catalog.Category{{Code: "TOOLS", Name: "Tools", IsActive: true},
			{Code: "HAMMERS", Name: "Hammers", ParentCode: "TOOLS", IsActive: true},
			{Code: "PAINT", Name: "Paint", IsActive: true}} {
			if _, err := catalog.CreateCategory(tx, c); err != nil {
				return err
			}
		}
		for _, code := range []string{"Bosch", "Makita"} {
			if _, err := catalog.CreateBrand(tx, catalog.Brand{Code: strings.ToUpper(code), Name: code,
				IsActive: true}); err != nil {
				return err
			}
		}
		for _, a := range []catalog.Attribute{{Code: "color", Name: "Colour", DataType: catalog.Text, IsVisible: true,
			IsActive: true, IsMultiValue: true},
			{Code: "weight", Name: "Weight", Unit: "g", DataType: catalog.DecimalNumber, IsVisible: true,
				IsActive: true, Group: "Size"},
			{Code: "secret", Name: "Margin", DataType: catalog.Text, IsActive: true}} {
			if _, err := catalog.SaveAttribute(tx, a); err != nil {
				return err
			}
		}
		_, err := pricing.Create(tx, pricing.List{Code: "BASE", Name: "Base", Type: pricing.Standard,
			CurrencyCode: "SEK", IsActive: true, IsDefault: true})
		return err
	})
	return sh
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *shop) write(fn func(tx *db.Tx) error) { s.Helper(); dbtest.Write(s, s.store, fn) }

func (s *shop) read(fn func(tx *db.Tx) error) { s.Helper(); dbtest.Read(s, s.store, fn) }

// item makes an item and publishes it.
func (s *shop) item(number, name, category, brand, price string, change func(*catalog.Item)) catalog.Item {
	s.Helper()
	i := catalog.New()
	i.Number, i.Name, i.CategoryCode, i.BrandCode, i.BaseUnit, i.TaxCode = number, name, category, brand, "PCS", "STD"
	if price != "" {
		d := dec.Must(price)
		i.SalesPrice = &d
	}
	if change != nil {
		change(&i)
	}
	s.write(func(tx *db.Tx) (err error) { i, err = catalog.Create(tx, i); return err })
	s.publish(number, nil)
	return i
}

func (s *shop) publish(number string, change func(*channel.Publication)) {
	s.Helper()
	p := channel.Publication{ItemNumber: number, ChannelCode: s.code, IsPublished: true, IsPurchasable: true}
	if change != nil {
		change(&p)
	}
	s.write(func(tx *db.Tx) error {
		out, err := channel.Publish(tx, []channel.Publication{p})
		if err == nil {
			err = out[0].Err
		}
		return err
	})
}

func (s *shop) receive(i catalog.Item, quantity string) {
	s.Helper()
	s.write(func(tx *db.Tx) error { return received(tx, i, quantity) })
}

func received(tx *db.Tx, i catalog.Item, quantity string) error {
	cost := dec.Int(10)
	_, err := stock.Receive(tx, stock.Receipt,
		[]stock.Move{{ItemID: i.ID, Item: i.Number, Tracking: i.Tracking, Warehouse: "MAIN", Location: "A",
			Quantity: dec.Must(quantity), UnitCost: &cost}})
	return err
}

func (s *shop) viewer(tx *db.Tx, customer string) assortment.Viewer {
	c, err := channel.Find(tx, s.code)
	if err != nil {
		s.Fatal(err)
	}
	v := assortment.Viewer{Channel: c, Language: "en", Country: "SE", IncludesTax: true}
	if customer != "" {
		p, err := party.Find(tx, customer)
		if err != nil {
			s.Fatal(err)
		}
		v.Customer = &p
	}
	return v
}

// numbers are the item numbers of what a wish finds, in its order.
func (s *shop) numbers(w assortment.Wish) (out []string) {
	s.Helper()
	s.numbersAs("", w, &out)
	return out
}

func (s *shop) numbersAs(customer string, w assortment.Wish, out *[]string) (found assortment.Found) {
	s.Helper()
	if w.Limit == 0 {
		w.Limit = 50
	}
	s.read(func(tx *db.Tx) error {
		v := s.viewer(tx, customer)
		var err error
		if found, err = assortment.Browse(tx, s.fresh(tx), v, w); err != nil {
			return err
		}
		cards, err := assortment.Cards(tx, v, found.IDs)
		*out = nil
		for _, c := range cards {
			*out = append(*out, c.Item.Number)
		}
		return err
	})
	return found
}

// fresh is the store index as a request of this transaction finds it.
func (s *shop) fresh(tx *db.Tx) assortment.Edition {
	s.Helper()
	e, err := s.index.Fresh(tx, s.viewer(tx, "").Channel)
	if err != nil {
		s.Fatal(err)
	}
	return e
}

// reader reads as the loop behind the requests does.
func (s *shop) reader(fn func(tx *db.Tx) error) error {
	r := dbtest.Request()
	r.AsksCommitted = true
	return s.store.Read(context.Background(), r, fn)
}

// woken says on PostgreSQL that this process has committed; app does it by a subscription.
func (s *shop) woken() { s.index.Wake() }

func (s *shop) same(got []string, want string) {
	s.Helper()
	if text := strings.Join(got, " "); text != want {
		s.Errorf("got %q, want %q", text, want)
	}
}

// What is not published, not in its window or not active is behind no door: neither by id nor slug, number, list,
// search, suggestion, relation, price nor stock.
func TestVisibility(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		seen := s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		hidden := map[string]catalog.Item{}
		for _, n := range []string{"DRAFT", "EARLY", "LATE", "OFF", "ELSEWHERE"} {
			hidden[n] = s.item(n, "Claw hammer "+n, "HAMMERS", "BOSCH", "100", nil)
		}
		now := db.Time(0)
		s.read(func(tx *db.Tx) error { now = tx.Now; return nil })
		const hour = db.Time(3_600_000_000)
		s.publish("DRAFT", func(p *channel.Publication) { p.IsPublished = false })
		s.publish("EARLY", func(p *channel.Publication) { p.PublishFrom = now + hour })
		s.publish("LATE", func(p *channel.Publication) { p.PublishTo = now - hour })
		s.write(func(tx *db.Tx) error {
			if _, err := catalog.Change(tx, "OFF", func(i *catalog.Item) error {
				i.IsActive = false
				return nil
			}); err != nil {
				return err
			}
			return channel.Withdraw(tx, "ELSEWHERE", "WEB")
		})
		s.code = "OTHER"
		s.publish("ELSEWHERE", nil)
		s.code = "WEB"
		var ids []string
		slugs := map[string]string{}
		for n, i := range hidden {
			ids = append(ids, i.ID)
			slugs[n] = catalog.Slug("Claw hammer " + n)
			s.write(func(tx *db.Tx) error {
				_, err := catalog.PutRelation(tx, "A", "Accessory", n, 0)
				return err
			})
		}
		s.woken()
		s.same(s.numbers(assortment.Wish{}), "A")
		s.same(s.numbers(assortment.Wish{Text: "hammer"}), "A")
		s.read(func(tx *db.Tx) error {
			v := s.viewer(tx, "")
			found, err := assortment.Articles(tx, v, append(ids, seen.ID))
			if err != nil || len(found) != 1 || found[seen.ID].Name != "Claw hammer" {
				t.Errorf("sellable: %v %v", found, err)
			}
			cards, err := assortment.Cards(tx, v, append(ids, seen.ID))
			if err != nil || len(cards) != 1 {
				t.Errorf("cards: %d %v", len(cards), err)
			}
			for n, i := range hidden {
				for _, door := range []string{i.ID, slugs[n]} {
					if _, err := assortment.PageOf(tx, v, door); !fault.Is(err, assortment.ErrNotFound) {
						t.Errorf("%s by %s: %v", n, door, err)
					}
				}
				rows, err := assortment.Lookup(tx, func() (assortment.Edition, error) { return s.fresh(tx), nil }, v,
					[]string{n})
				if err != nil || rows[0].Card != nil {
					t.Errorf("%s by number: %v %v", n, rows[0].Card, err)
				}
			}
			related, err := assortment.Relatives(tx, v, seen.ID, "", record.Page{Number: 1, Size: 50})
			if err != nil || related.Total != 0 {
				t.Errorf("related: %d %v", related.Total, err)
			}
			sg, err := assortment.Suggest(tx, s.fresh(tx), v, "haml", 5)
			if err != nil || len(sg.Products) > 1 {
				t.Errorf("suggested: %d %v", len(sg.Products), err)
			}
			roots, err := assortment.Categories(tx, s.fresh(tx), v)
			if err != nil || roots[1].Products != 1 {
				t.Errorf("counted: %+v %v", roots[1], err)
			}
			books, err := assortment.Categories(tx, assortment.Edition{}, v)
			if err != nil || books[1].Products != 1 || books[1].Children[0].Products != 1 {
				t.Errorf("counted from the books: %+v %v", books[1], err)
			}
			return nil
		})
	})
}

// Lists are narrowed and sorted as wished; facets count without their own choice.
func TestBrowse(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		b := s.item("B", "Sledge hammer", "HAMMERS", "MAKITA", "300", nil)
		s.item("C", "Drill", "TOOLS", "MAKITA", "200", nil)
		s.item("D", "White paint", "PAINT", "", "50", nil)
		s.write(func(tx *db.Tx) error {
			for _, v := range [][]string{{"A", "color", "red"}, {"B", "color", "blue"}, {"C", "color", "blue", "red"},
				{"D", "color", "1..3"}, {"A", "weight", "450"}, {"B", "weight", "5000"}, {"A", "secret", "low"}} {
				if _, err := catalog.PutValues(tx, v[0], v[1], v[2:]); err != nil {
					return err
				}
			}
			return nil
		})
		s.publish("D", func(p *channel.Publication) { p.IsFeatured = true })
		s.receive(b, "7")
		s.woken()
		s.same(s.numbers(assortment.Wish{}), "D A C B")
		s.same(s.numbers(assortment.Wish{Sort: assortment.ByPriceDown}), "B C A D")
		s.same(s.numbers(assortment.Wish{Sort: assortment.ByName, Offset: 1, Limit: 2}), "C B")
		s.same(s.numbers(assortment.Wish{Category: "tools", Sort: assortment.ByPrice}), "A C B")
		s.same(s.numbers(assortment.Wish{Category: "HAMMERS", Sort: assortment.ByPrice}), "A B")
		s.same(s.numbers(assortment.Wish{Category: "nothing"}), "")
		s.same(s.numbers(assortment.Wish{Brand: "makita", InStock: true}), "B")
		s.same(s.numbers(assortment.Wish{Choices: []assortment.Choice{{Attribute: "color", Values: []string{"red"}}},
			Sort: assortment.ByPrice}), "A C")
		s.same(s.numbers(assortment.Wish{Choices: []assortment.Choice{{Attribute: "color", Values: []string{"red", "1..3"}}},
			Sort: assortment.ByPrice}), "D A C")
		// Values of an attribute are any of them, however many choices name them and however they are written; a
		// range beside them must hold as well.
		of := func(attribute string, values ...string) assortment.Wish {
			w := assortment.Wish{Sort: assortment.ByPrice}
			for _, v := range values {
				w.Choices = append(w.Choices, assortment.Choice{Attribute: attribute, Values: []string{v}})
			}
			return w
		}
		s.same(s.numbers(of("color", "red", "1..3")), "D A C")
		s.same(s.numbers(of("weight", "450", "5000")), "A B")
		s.same(s.numbers(of("weight", "450", "1000..", "5000")), "B")
		s.same(s.numbers(of("weight", "400..500", "1000..")), "")
		s.same(
			s.numbers(
				assortment.Wish{Choices: []assortment.Choice{{Attribute: "WEIGHT", Values: []string{"400..500"}}}}),
			"A")
		s.same(
			s.numbers(assortment.Wish{Choices: []assortment.Choice{{Attribute: "weight", Values: []string{"5000.0"}}}}),
			"B")
		s.same(s.numbers(assortment.Wish{Choices: []assortment.Choice{{Attribute: "secret", Values: []string{"low"}}}}),
			"")
		from, to := dec.Int(125), dec.Int(250)
		s.same(s.numbers(assortment.Wish{PriceFrom: &from, PriceTo: &to, Sort: assortment.ByPrice}), "A C")
		var got []string
		f := s.numbersAs("", assortment.Wish{Brand: "makita", WantsFacets: true,
			Choices: []assortment.Choice{{Attribute: "color", Values: []string{"blue"}}}}, &got)
		counts := map[string]string{}
		for _, one := range f.Facets {
			if one.IsRange {
				counts[one.Code] = one.Min.String() + ".." + one.Max.String()
				continue
			}
			slices.SortFunc(one.Values, func(a, b search.FacetValue) int { return strings.Compare(a.Value, b.Value) })
			for _, v := range one.Values {
				counts[one.Code] += fmt.Sprintf("%s:%d ", v.Value, v.Count)
			}
		}
		for code, want := range map[string]string{"brand": "MAKITA:2 ", "color": "blue:2 red:1 ", "price": "250..375",
			"category": "HAMMERS:1 TOOLS:2 "} {
			if counts[code] != want {
				t.Errorf("facet %s: %q, want %q", code, counts[code], want)
			}
		}
		if _, ok := counts["secret"]; ok {
			t.Error("an attribute that is not shown is a facet")
		}
		s.read(func(tx *db.Tx) error {
			_, err := assortment.Browse(tx, s.fresh(tx), s.viewer(tx, ""),
				assortment.Wish{Choices: []assortment.Choice{{Attribute: "weight", Values: []string{"heavy"}},
					{Attribute: "color", Values: []string{"1..2"}}}})
			if f := fault.As(err); f.Code != "Catalog.UnknownFilter" || len(f.Fields) != 2 {
				t.Errorf("nonsense: %v", err)
			}
			return nil
		})
	})
}

// Variants stand under their parent: lists show it, searching for their numbers finds it, its page has them.
func TestVariants(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.item("SHIRT", "Shirt", "TOOLS", "", "100", nil)
		for _, size := range []string{"M", "L"} {
			i := s.item("SHIRT-"+size, "Shirt "+size, "TOOLS", "", "120", func(i *catalog.Item) {
				i.VariantOf, i.VariantOptions = "SHIRT", []catalog.Option{{Name: "Size", Value: size}}
				if size == "L" {
					i.GTIN = "4006381333931"
				}
			})
			if size == "L" {
				s.receive(i, "3")
			}
		}
		s.woken()
		s.same(s.numbers(assortment.Wish{}), "SHIRT")
		s.same(s.numbers(assortment.Wish{Text: "4006381333931"}), "SHIRT")
		s.same(s.numbers(assortment.Wish{InStock: true}), "SHIRT")
		s.write(func(tx *db.Tx) error {
			_, e1 := catalog.PutValues(tx, "SHIRT-M", "weight", []string{"200"})
			_, e2 := catalog.PutValues(tx, "SHIRT-L", "weight", []string{"900"})
			return errors.Join(e1, e2)
		})
		s.woken()
		for weight, want := range map[string]string{"100..300": "SHIRT", "900..": "SHIRT", "300..800": ""} {
			var got []string
			f := s.numbersAs("", assortment.Wish{WantsFacets: true,
				Choices: []assortment.Choice{{Attribute: "weight", Values: []string{weight}}}}, &got)
			s.same(got, want)
			if i := slices.IndexFunc(f.Facets, func(f assortment.Facet) bool { return f.Code == "weight" }); i < 0 ||
				!f.Facets[i].IsRange || f.Facets[i].Min != dec.Int(200) || f.Facets[i].Max != dec.Int(900) {
				t.Errorf("%s: %+v", weight, f.Facets)
			}
		}
		s.read(func(tx *db.Tx) error {
			v := s.viewer(tx, "")
			p, err := assortment.PageOf(tx, v, "shirt")
			if err != nil {
				return err
			}
			if p.Variants != 2 || p.Buyable() || len(p.Choices) != 2 || len(p.Options) != 1 ||
				strings.Join(p.Options[0].Values, " ") != "L M" || p.Stock.Status != assortment.LowStock {
				t.Errorf("page: %d %v %+v %+v", p.Variants, p.Options, p.Stock, p.Choices)
			}
			if own, err := assortment.PageOf(tx, v, "shirt-m"); err != nil || own.Item.VariantOf != "SHIRT" ||
				!own.Buyable() {
				t.Errorf("a variant's own page: %v", err)
			}
			rows, err := assortment.Lookup(tx, func() (assortment.Edition, error) { return s.fresh(tx), nil }, v,
				[]string{"shirt-m", "4006381333931", "nothing"})
			if err != nil || rows[0].Card.Item.Number != "SHIRT-M" || rows[1].Card.Item.Number != "SHIRT-L" ||
				rows[1].Type != assortment.GTIN || rows[2].Card != nil {
				t.Errorf("looked up: %+v %v", rows, err)
			}
			return nil
		})
		s.write(func(tx *db.Tx) error { return catalog.Delete(tx, "SHIRT-M") })
		s.publish("SHIRT", func(p *channel.Publication) { p.IsPublished = false })
		s.woken()
		s.same(s.numbers(assortment.Wish{}), "SHIRT-L")
	})
}

// A store that says only whether goods can be had shows the same card and page after an order that leaves plenty, of a
// variant too, and another one as soon as there is little. One that says how many there are counts each.
func TestAnOrderThatLeavesPlenty(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		s.item("SHIRT", "Shirt", "TOOLS", "", "100", nil)
		m := s.item("SHIRT-M", "Shirt M", "TOOLS", "", "120", func(i *catalog.Item) { i.VariantOf = "SHIRT" })
		sell := func(quantity string) {
			s.write(func(tx *db.Tx) error {
				_, err := stock.Issue(tx, []stock.Move{{ItemID: m.ID, Item: m.Number, Tracking: m.Tracking,
					Warehouse: "MAIN", Quantity: dec.Must(quantity)}})
				return err
			})
		}
		var page *assortment.Page
		look := func(want assortment.Status, quantity string, isSame bool) {
			t.Helper()
			s.read(func(tx *db.Tx) error {
				v := s.viewer(tx, "")
				p, err := assortment.PageOf(tx, v, "shirt")
				if err != nil {
					return err
				}
				cards, err := assortment.Cards(tx, v, []string{p.Item.ID})
				for _, got := range []assortment.Stock{p.Stock, cards[0].Stock, p.Choices[0].Stock} {
					if got.Status != want || quantity == "" && got.Quantity != nil ||
						quantity != "" && got.Quantity.String() != quantity {
						t.Errorf("%s %v, not %s %s", got.Status, got.Quantity, want, quantity)
					}
				}
				if tx.Versions() != nil && isSame != (p == page) {
					t.Errorf("the same page: %v, not %v", p == page, isSame)
				}
				page = p
				return err
			})
		}
		s.receive(m, "100")
		look(assortment.InStock, "", false)
		sell("40")
		look(assortment.InStock, "", true)
		sell("55")
		look(assortment.LowStock, "", false)
		sell("5")
		look(assortment.OutOfStock, "", false)
		s.write(func(tx *db.Tx) error {
			_, err := channel.Change(tx, s.code, func(c *channel.Channel) error {
				c.Store.StockDisplay = channel.ShowQuantity
				return nil
			})
			return err
		})
		s.receive(m, "100")
		look(assortment.InStock, "100", false)
		sell("1")
		look(assortment.InStock, "99", false)
	})
}
