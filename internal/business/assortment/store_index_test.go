package assortment_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/business/sales"
	"kontor/internal/business/stock"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// follow lets the loop behind the requests look once.
func (s *shop) follow() {
	s.Helper()
	if err := s.index.Follow(context.Background(), s.reader); err != nil {
		s.Fatal(err)
	}
}

// checked holds the store index against the books.
func (s *shop) checked() {
	s.Helper()
	if err := assortment.Check(context.Background(), s.index, s.reader, func(text string) {
		s.Error(text)
	}); err != nil {
		s.Fatal(err)
	}
}

// Whatever changes in the books, the store index shows it to the next request, and to who looks behind the requests.
func TestStoreIndexFollows(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		a := s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		s.item("B", "White paint", "PAINT", "", "50", nil)
		s.follow()
		s.same(s.numbers(assortment.Wish{Text: "hammer"}), "A")
		steps := []struct {
			what string
			do   func(tx *db.Tx) error
			wish assortment.Wish
			want string
		}{
			{"an item's name", func(tx *db.Tx) error {
				_, err := catalog.Change(tx, "B", func(i *catalog.Item) error { i.Name = "Rubber hammer"; return nil })
				return err
			}, assortment.Wish{Text: "rubber"}, "B"},
			{"a brand's name", func(tx *db.Tx) error {
				_, err := catalog.ChangeBrand(tx, "BOSCH", func(b *catalog.Brand) error {
					b.Name = "Wikinger"
					return nil
				})
				return err
			}, assortment.Wish{Text: "wikinger"}, "A"},
			{"a category above", func(tx *db.Tx) error {
				_, err := catalog.ChangeCategory(tx, "TOOLS", func(c *catalog.Category) error {
					c.Name = "Utensilien"
					return nil
				})
				return err
			}, assortment.Wish{Text: "utensilien"}, "A"},
			{"an attribute's value", func(tx *db.Tx) error {
				_, err := catalog.PutValues(tx, "B", "color", []string{"turquoise"})
				return err
			}, assortment.Wish{Text: "turquoise"}, "B"},
			{"what an attribute shows", func(tx *db.Tx) error {
				_, err := catalog.SaveAttribute(tx, catalog.Attribute{Code: "color", Name: "Colour",
					DataType: catalog.Text, IsActive: true, IsMultiValue: true})
				return err
			}, assortment.Wish{Text: "turquoise"}, ""},
			{"a price", func(tx *db.Tx) error {
				_, err := pricing.SetPrices(tx, "BASE", []pricing.Line{line("A", "1")}, pricing.Upsert)
				return err
			}, assortment.Wish{Sort: assortment.ByPrice}, "A B"},
			{"stock", func(tx *db.Tx) error {
				_, err := stock.Receive(tx, stock.Receipt,
					[]stock.Move{{ItemID: a.ID, Item: "A", Tracking: catalog.None, Warehouse: "MAIN", Location: "A",
						Quantity: dec.One}})
				return err
			}, assortment.Wish{InStock: true}, "A"},
			{"stock again", func(tx *db.Tx) error {
				_, err := stock.Issue(tx, []stock.Move{{ItemID: a.ID, Item: "A", Tracking: catalog.None,
					Warehouse: "MAIN", Location: "A", Quantity: dec.One}})
				return err
			}, assortment.Wish{InStock: true}, ""},
			{"a synonym", func(tx *db.Tx) error {
				_, err := assortment.SaveSynonyms(tx,
					[]assortment.Synonym{{Words: []string{"basher"}, Means: []string{"hammer"}}})
				return err
			}, assortment.Wish{Text: "basher", Sort: assortment.ByName}, "A B"},
			{"a withdrawal", func(tx *db.Tx) error { return channel.Withdraw(tx, "B", "WEB") }, assortment.Wish{}, "A"},
			{"a deletion", func(tx *db.Tx) error { return catalog.Delete(tx, "B") },
				assortment.Wish{Text: "rubber hammer"}, "A"},
		}
		for n, step := range steps {
			s.write(step.do)
			s.woken()
			if n%2 == 0 {
				s.follow()
			}
			var got []string
			s.numbersAs("", step.wish, &got)
			if text := fmt.Sprint(got); text != fmt.Sprint(wordsOf(step.want)) {
				t.Errorf("after %s: %v, want %q", step.what, got, step.want)
			}
		}
		s.checked()
	})
}

// What sells and what is searched for is taken up behind the requests, also where the index was kept.
func TestStoreIndexLearnsWhatIsPopular(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		first := s.item("A-1", "Hammer", "TOOLS", "", "10", nil)
		second := s.item("A-2", "Hammer", "TOOLS", "", "10", nil)
		s.same(s.numbers(assortment.Wish{Text: "hammer"}), "A-1 A-2")
		order := func(item catalog.Item, lines int) {
			s.write(func(tx *db.Tx) error {
				p := sales.Placing{CustomerNumber: "C1",
					Head: sales.Head{OrderTypeCode: "NORMAL", WarehouseCode: "MAIN"}}
				for range lines {
					p.Lines = append(p.Lines, sales.NewLine{Item: item.Number, Quantity: dec.One})
				}
				_, err := sales.Place(tx, p, stock.AsMuchAsThereIs)
				return err
			})
		}
		order(second, 1)
		notes := assortment.NewNotes()
		for i := range 4 {
			s.read(func(tx *db.Tx) error {
				c := s.viewer(tx, "").Channel
				notes.Searched(tx.Company, c, fmt.Sprint("visitor ", i), "Hammer drill")
				notes.Searched(tx.Company, c, "one visitor", "my own words")
				return nil
			})
			for _, company := range notes.Companies() {
				if err := notes.Write(company, func(fn func(tx *db.Tx) error) error {
					s.write(fn)
					return nil
				}); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.follow()
		s.same(s.numbers(assortment.Wish{Text: "hammer"}), "A-2 A-1")
		s.read(func(tx *db.Tx) error {
			v := s.viewer(tx, "")
			for text, want := range map[string]string{"ham": "hammer drill", "my": ""} {
				got, err := assortment.Suggest(tx, s.fresh(tx), v, text, 5)
				if err != nil {
					return err
				}
				s.same(got.Queries, want)
			}
			return nil
		})

		folder := filepath.Join(t.TempDir(), "kept")
		s.index = assortment.NewStoreIndex(s.code, folder)
		s.follow()
		if err := s.index.Close(); err != nil {
			t.Fatal(err)
		}
		order(first, 2)
		s.index = assortment.NewStoreIndex(s.code, folder)
		s.same(s.numbers(assortment.Wish{Text: "hammer"}), "A-2 A-1")
		if !s.index.Wants(time.Now()) {
			t.Error("a store index that was kept does not want to look again")
		}
		s.follow()
		s.same(s.numbers(assortment.Wish{Text: "hammer"}), "A-1 A-2")
	})
}

func wordsOf(text string) (out []string) {
	for _, w := range []byte(text) {
		if w != ' ' {
			out = append(out, string(w))
		}
	}
	return out
}

// A store index that was kept is opened and follows on; one that is damaged, or of data that was restored since, is
// made anew.
func TestStoreIndexIsKept(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		folder := t.TempDir()
		s.index = assortment.NewStoreIndex("WEB", folder)
		s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "100", nil)
		s.follow()
		if err := s.index.Close(); err != nil {
			t.Fatal(err)
		}
		s.item("B", "Sledge hammer", "HAMMERS", "BOSCH", "90", nil)
		s.index = assortment.NewStoreIndex("WEB", folder)
		s.follow()
		s.same(s.numbers(assortment.Wish{Text: "hammer", Sort: assortment.ByName}), "A B")
		s.checked()
		if err := s.index.Close(); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "stand.json" {
				return err
			}
			return os.WriteFile(path, []byte("damaged"), 0o600)
		})
		if err != nil {
			t.Fatal(err)
		}
		s.index = assortment.NewStoreIndex("WEB", folder)
		s.follow()
		s.same(s.numbers(assortment.Wish{Text: "hammer", Sort: assortment.ByName}), "A B")
		s.checked()
		s.item("C", "Another hammer", "HAMMERS", "BOSCH", "90", nil)
		s.write(func(tx *db.Tx) error {
			_, err := tx.Exec("-- test\nupdate company_state set generation = 'x' where company = :company", nil)
			return err
		})
		s.follow()
		s.checked()
		if n := s.index.Products(); n != 3 {
			t.Errorf("%d products", n)
		}
	})
}

// While the first index of a larger store is made, what takes one is refused, and everything else answers: plain lists
// too.
func TestLargeStoreIsBuiltBehind(t *testing.T) {
	s := open(t, dbtest.Store(t, "sqlite"))
	fill(s, 1_500)
	plain := []assortment.Wish{{Limit: 50}, {Category: "hammers", Brand: "bosch", Limit: 50, Offset: 20},
		{Category: "tools", Brand: "bosch,makita", Limit: 5}}
	var before []assortment.Found
	s.read(func(tx *db.Tx) error {
		v := s.viewer(tx, "")
		for _, w := range []assortment.Wish{{Text: "P7"}, {InStock: true}, {Sort: assortment.ByPrice},
			{WantsFacets: true}} {
			_, err := assortment.Browse(tx, s.fresh(tx), v, w)
			if f := fault.As(err); !fault.Is(err, fault.ErrUnavailable) || f.RetryAfterSeconds == 0 {
				t.Errorf("before it is built, %+v: %v", w, err)
			}
		}
		for _, w := range plain {
			found, err := assortment.Browse(tx, s.fresh(tx), v, w)
			if err != nil {
				t.Error(err)
			}
			before = append(before, found)
		}
		if _, err := assortment.PageOf(tx, v, "product-7"); err != nil {
			t.Error(err)
		}
		return nil
	})
	s.follow()
	for i, w := range plain {
		var got []string
		after := s.numbersAs("", w, &got)
		if after.Total != before[i].Total || len(after.IDs) != len(before[i].IDs) || after.Total == 0 {
			t.Errorf("%+v: %d of %d before it was built, %d of %d after", w, len(before[i].IDs), before[i].Total,
				len(after.IDs), after.Total)
		}
	}
	if got := s.numbers(assortment.Wish{Text: "P7", Limit: 1}); len(got) != 1 || got[0] != "P7" {
		t.Errorf("found %v", got)
	}
	s.write(func(tx *db.Tx) error {
		_, err := catalog.ChangeCategory(tx, "TOOLS", func(c *catalog.Category) error {
			c.Name = "Implements"
			return nil
		})
		return err
	})
	s.follow()
	s.checked()
}

// fill makes and publishes products.
func fill(s *shop, n int) {
	s.Helper()
	for from := 0; from < n; from += 500 {
		s.write(func(tx *db.Tx) error {
			items, rows := make([]catalog.Item, 0, 500), make([]channel.Publication, 0, 500)
			var lines []pricing.Line
			values := map[string]map[string][]string{}
			for k := from; k < min(from+500, n); k++ {
				i := catalog.New()
				p := dec.Int(int64(10 + k%500))
				i.Number, i.Name, i.TaxCode, i.BaseUnit, i.SalesPrice = fmt.Sprintf("P%d", k),
					fmt.Sprintf("Product %d", k), "STD", "PCS", &p
				i.CategoryCode, i.BrandCode = []string{"TOOLS", "HAMMERS", "PAINT"}[k%3],
					[]string{"BOSCH", "MAKITA"}[k%2]
				i.Description = fmt.Sprintf(
					"A product of series %d for work in the workshop and at home, with a warranty of %d years", k%97,
					k%5)
				items = append(items, i)
				rows = append(rows, channel.Publication{ItemNumber: i.Number, ChannelCode: "WEB", IsPublished: true,
					IsPurchasable: true, Slug: fmt.Sprintf("product-%d", k)})
				lines = append(lines, line(i.Number, fmt.Sprint(9+k%500)))
			}
			if err := catalog.CreateMany(tx, items); err != nil {
				return err
			}
			for k, i := range items {
				values[i.ID] = map[string][]string{"color": {[]string{"red", "green", "blue", "black"}[k%4]},
					"weight": {fmt.Sprint(k % 1000)}}
			}
			if err := catalog.PutManyValues(tx, values); err != nil {
				return err
			}
			if _, err := channel.Publish(tx, rows); err != nil {
				return err
			}
			_, err := pricing.SetPrices(tx, "BASE", lines, pricing.Upsert)
			return err
		})
	}
}

// What a visitor is shown is what the price rule of the house says, in two hundred situations.
func TestPriceRule(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		fill(s, 30)
		s.write(func(tx *db.Tx) error {
			lists := []pricing.List{{Code: "TRADE", Name: "Trade", Type: pricing.CustomerGroup, CurrencyCode: "SEK",
				IsActive: true, CustomerGroupCodes: []string{"TRADE"}},
				{Code: "SALE", Name: "Sale", Type: pricing.Campaign, CurrencyCode: "SEK", IsActive: true,
					IsPriceIncludingTax: true},
				{Code: "OWN", Name: "Own", Type: pricing.Contract, CurrencyCode: "EUR", IsActive: true,
					CustomerNumbers: []string{"C2"}}}
			for n, l := range lists {
				if _, err := pricing.Create(tx, l); err != nil {
					return err
				}
				var rows []pricing.Line
				for k := n; k < 30; k += n + 2 {
					one := line(fmt.Sprintf("P%d", k), fmt.Sprintf("%d.%02d", 3+k, k))
					many := line(fmt.Sprintf("P%d", k), fmt.Sprint(2+k))
					many.MinQuantity = dec.Int(10)
					rows = append(rows, one, many)
				}
				if _, err := pricing.SetPrices(tx, l.Code, rows, pricing.Upsert); err != nil {
					return err
				}
			}
			return nil
		})
		r := rand.New(rand.NewPCG(1, 2))
		s.read(func(tx *db.Tx) error {
			sources := map[price.Source]int{}
			for range 200 {
				v := s.viewer(tx, []string{"", "C1", "C2"}[r.IntN(3)])
				v.IncludesTax, v.Country = r.IntN(2) == 0, []string{"SE", "DE"}[r.IntN(2)]
				number, quantity := fmt.Sprintf("P%d", r.IntN(30)), dec.Int(int64(1+r.IntN(15)))
				item, err := catalog.Find(tx, number)
				if err != nil {
					return err
				}
				want, err := pricing.For(tx, pricing.Situation{Customer: v.Customer, ChannelCode: "WEB"},
					[]pricing.Ask{{Item: &item, Quantity: quantity, Unit: "PCS"}})
				if err != nil {
					return err
				}
				found, err := assortment.FindNumbers(tx, v, []string{number})
				if err != nil {
					return err
				}
				for _, a := range found {
					got, err := assortment.Prices(tx, v, []assortment.Ask{{Article: a, Quantity: quantity}})
					if err != nil {
						return err
					}
					q := got[0].Quote
					sources[q.Source]++
					kept := got[0].UnitPrice
					if q.IsPriceIncludingTax {
						kept = got[0].UnitPriceIncludingTax
					}
					if *q.UnitPrice != *want[0].UnitPrice || q.CurrencyCode != want[0].CurrencyCode ||
						*kept != *want[0].UnitPrice || len(q.Breaks) != len(want[0].Breaks) ||
						q.Source != want[0].Source {
						t.Errorf("%s x %s for %v: %+v, want %+v", number, quantity, v.Customer, q, want[0])
					}
				}
			}
			if len(sources) < 4 {
				t.Errorf("only prices of %v were met", sources)
			}
			return nil
		})
	})
}

// More changes than a request waits for are shown later, and the answers say how long they have waited; also by who
// opens what was kept before them.
func TestLaggingStoreIndexAnswers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		folder := t.TempDir()
		s.index = assortment.NewStoreIndex("WEB", folder)
		fill(s, 400)
		s.follow()
		lag := func() (lag time.Duration) {
			s.read(func(tx *db.Tx) error { s.fresh(tx); lag = tx.Lag(); return nil })
			return lag
		}
		rename := func() {
			s.write(func(tx *db.Tx) error {
				for k := range 400 {
					if _, err := catalog.Change(tx, fmt.Sprintf("P%d", k), func(i *catalog.Item) error {
						i.Name += " again"
						return nil
					}); err != nil {
						return err
					}
				}
				return nil
			})
			s.woken()
		}
		if l := lag(); l != 0 {
			t.Errorf("a store index that has followed lags by %s", l)
		}
		for _, reopened := range []bool{false, true} {
			rename()
			if reopened {
				if err := s.index.Close(); err != nil {
					t.Fatal(err)
				}
				s.read(func(tx *db.Tx) error {
					if _, err := s.index.Fresh(tx, channel.Channel{}); !errors.Is(err, assortment.ErrClosed) {
						t.Errorf("closed: %v", err)
					}
					return nil
				})
				s.index = assortment.NewStoreIndex("WEB", folder)
			}
			for range 2 {
				if l := lag(); l <= 0 || l > time.Minute || s.index.Behind() == 0 {
					t.Errorf("reopened %t: the store index lags by %s, behind since %d", reopened, l, s.index.Behind())
				}
			}
			if got := s.numbers(assortment.Wish{Text: "product 7", Limit: 1}); len(got) != 1 {
				t.Errorf("reopened %t: found %v while it lags", reopened, got)
			}
			s.follow()
			if l := lag(); l != 0 || s.index.Behind() != 0 {
				t.Errorf("reopened %t: followed, the store index lags by %s", reopened, l)
			}
			s.checked()
		}
	})
}

// A store index is made anew while the one before it is searched, and shows what was changed meanwhile.
func TestStoreIndexIsMadeAnewBeside(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		fill(s, 50)
		s.follow()
		looked := 0
		err := s.index.Rebuild(context.Background(), func(fn func(tx *db.Tx) error) error {
			name := fmt.Sprintf("Wrench %d", looked)
			s.write(func(tx *db.Tx) error {
				_, err := catalog.Change(tx, "P3", func(i *catalog.Item) error { i.Name = name; return nil })
				return err
			})
			s.woken()
			looked++
			if got := s.numbers(assortment.Wish{Text: name}); len(got) != 1 {
				t.Errorf("%q leads to %v while another index is made", name, got)
			}
			return s.reader(fn)
		})
		if err != nil || looked < 2 {
			t.Fatalf("looked %d times: %v", looked, err)
		}
		s.same(s.numbers(assortment.Wish{Text: fmt.Sprintf("Wrench %d", looked-1)}), "P3")
		s.checked()
	})
}

// A store index shows at once what was committed, also where somebody still writes who began before: he hides nothing
// that came after him, and what he commits is found as well.
func TestNobodyWhoStillWritesHidesAnything(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		if st.OneWriter() {
			t.Skip("with one writer nobody writes beside another")
		}
		s := open(t, st)
		a := s.item("A", "Claw hammer", "HAMMERS", "BOSCH", "10", nil)
		b := s.item("B", "Mallet", "HAMMERS", "BOSCH", "20", nil)
		s.follow()
		writes, ends, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(ended)
			s.write(func(tx *db.Tx) error {
				close(writes)
				<-ends
				return received(tx, b, "1")
			})
		}()
		<-writes
		s.receive(a, "1")
		s.woken()
		s.follow()
		s.same(s.numbers(assortment.Wish{InStock: true}), "A")
		close(ends)
		<-ended
		s.woken()
		s.follow()
		s.same(s.numbers(assortment.Wish{InStock: true}), "A B")
		s.checked()
	})
}

// Prices that begin with the day are shown from its first moment, however many they are, also where nothing else has
// changed.
func TestManyPricesTurnWithTheDay(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, st *db.Store) {
		s := open(t, st)
		fill(s, 1_200)
		s.write(func(tx *db.Tx) error {
			lines := make([]pricing.Line, 1_200)
			for k := range lines {
				lines[k] = line(fmt.Sprintf("P%d", k), "3")
				lines[k].ValidFrom = tx.Today().AddDays(1)
			}
			_, err := pricing.SetPrices(tx, "BASE", lines, pricing.Upsert)
			return err
		})
		s.woken()
		s.follow()
		tomorrow := func(fn func(tx *db.Tx) error) error {
			r := dbtest.Request()
			r.AsksCommitted, r.Now = true, db.TimeOf(time.Now().Add(24*time.Hour))
			return s.store.Read(context.Background(), r, fn)
		}
		for range 2 { // once told to look, it has nothing left to do
			if err := s.index.Follow(context.Background(), tomorrow); err != nil {
				t.Fatal(err)
			}
		}
		err := tomorrow(func(tx *db.Tx) error {
			s.fresh(tx)
			if l := tx.Lag(); l != 0 {
				t.Errorf("the prices of the day lag by %s", l)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
