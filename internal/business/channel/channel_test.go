package channel_test

import (
	"fmt"
	"testing"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// shop prepares a company with the channel WEB and items I1 to I4, of which I3 and I4 share a name.
func shop(t *testing.T, s *db.Store) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) error {
		if err := reference.SaveWarehouses(tx, reference.Warehouse{Code: "MAIN", Name: "Main",
			IsActive: true}); err != nil {
			return err
		}
		if err := reference.SaveCurrencies(tx, reference.Currency{Code: "SEK", Name: "Krona",
			IsActive: true}); err != nil {
			return err
		}
		if err := reference.SaveOrderTypes(tx, reference.OrderType{Code: "WEB", Name: "Web",
			IsActive: true}); err != nil {
			return err
		}
		if _, err := channel.Create(tx, web("WEB")); err != nil {
			return err
		}
		var items []catalog.Item
		for i, name := range []string{"Hammer 500 g", "Ölkanne", "Nail", "Nail"} {
			item := catalog.New()
			item.Number, item.Name = fmt.Sprint("I", i+1), name
			items = append(items, item)
		}
		return catalog.CreateMany(tx, items)
	})
}

func web(code string) channel.Channel {
	return channel.Channel{Code: code, Name: "Shop " + code, Type: channel.WebShop, CurrencyCode: "sek",
		WarehouseCode: "main", OrderTypeCode: "web", IsActive: true}
}

func publish(t *testing.T, s *db.Store, rows ...channel.Publication) (out []channel.Outcome) {
	t.Helper()
	dbtest.Write(t, s, func(tx *db.Tx) (err error) { out, err = channel.Publish(tx, rows); return err })
	return out
}

func on(item, slug string) channel.Publication {
	return channel.Publication{ItemNumber: item, ChannelCode: "web", Slug: slug, IsPublished: true}
}

func redirects(t *testing.T, s *db.Store) map[string]string {
	t.Helper()
	found := map[string]string{}
	dbtest.Read(t, s, func(tx *db.Tx) error {
		return tx.Each("-- test\nselect from_path, to_path from redirect where company = :company", nil,
			func(r db.Row) error {
				var from, to string
				err := r.Scan(&from, &to)
				found[from] = to
				return err
			})
	})
	return found
}

func TestChannelRules(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		dbtest.Write(t, s, func(tx *db.Tx) error {
			c, err := channel.Find(tx, "web")
			if err != nil || c.Code != "WEB" || c.CurrencyCode != "SEK" || c.WarehouseCode != "MAIN" ||
				c.Paths.Product != "/products/{slug}" {
				t.Errorf("channel: %+v %v", c, err)
			}
			if _, err := channel.Create(tx, web("Web")); !fault.Is(err, channel.ErrExists) {
				t.Errorf("the same code in another case: %v", err)
			}
			bad := web("X")
			bad.CurrencyCode, bad.WarehouseCode, bad.Type, bad.Domain, bad.Countries = "USD", "", "Shop", "https://x",
				[]string{"SE", "se"}
			if _, err := channel.Create(tx, bad); len(fault.As(err).Fields) != 5 {
				t.Errorf("not everything is named: %v", err)
			}
			if _, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
				c.PriceListCode = "NONE"
				return nil
			}); !fault.Is(err, channel.ErrUnknownCode) {
				t.Errorf("unknown price list: %v", err)
			}
			wanted := pricing.ChannelsWanted{Known: map[string]pricing.Channel{}}
			if err := channel.TellPricing(tx, wanted); err != nil || len(wanted.Known) != 1 ||
				wanted.Known["web"].CurrencyCode != "SEK" {
				t.Errorf("pricing hears %v %v", wanted.Known, err)
			}
			if _, err := channel.Change(tx, "none", nil); !fault.Is(err, channel.ErrNotFound) {
				t.Errorf("unknown channel: %v", err)
			}
			if _, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
				c.Domain = "Shop.Example.com"
				return nil
			}); err != nil {
				t.Error(err)
			}
			taken := web("TWO")
			taken.Domain = "shop.example.com"
			if _, err := channel.Create(tx, taken); !fault.Is(err, channel.ErrDomainTaken) {
				t.Errorf("domain of another channel: %v", err)
			}
			return nil
		})
	})
}

func TestPublishCreatesAndReplaces(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		out := publish(t, s, on("i1", ""), on("I2", ""), on("I3", ""), on("I4", ""))
		for i, want := range []string{"hammer-500-g", "olkanne", "nail", "nail-i4"} {
			if out[i].Err != nil || !out[i].IsNew || out[i].Slug != want || out[i].ChannelCode != "WEB" {
				t.Errorf("row %d: %+v, want slug %s", i, out[i], want)
			}
		}
		if out[0].Key() != "I1/WEB" || out[0].Version != 1 {
			t.Errorf("key %s, version %d", out[0].Key(), out[0].Version)
		}
		again := publish(t, s, on("I1", ""))
		if again[0].IsNew || again[0].Version != 1 || again[0].Slug != "hammer-500-g" {
			t.Errorf("the same again: %+v", again[0])
		}
		changed := on("I1", "")
		changed.Title = "The hammer"
		if out := publish(t, s, changed); out[0].Version != 2 || out[0].ModifiedAt == 0 {
			t.Errorf("changed: %+v", out[0])
		}
	})
}

func TestPublishRefusesRowByRow(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		publish(t, s, on("I3", "taken"))
		window := on("I1", "")
		window.PublishFrom, window.PublishTo = 20, 10
		elsewhere := on("I2", "")
		elsewhere.ChannelCode = "NONE"
		out := publish(t, s, on("NONE", ""), elsewhere, window, on("I2", "Not A Slug"), on("I4", "taken"),
			on("I4", "free"))
		for i, want := range []fault.Code{channel.ErrUnknownItem, channel.ErrUnknownChannel, channel.ErrWindowInvalid,
			channel.ErrSlugInvalid, channel.ErrSlugTaken, channel.ErrDuplicateInBatch} {
			if !fault.Is(out[i].Err, want) {
				t.Errorf("row %d: %v, want %s", i, out[i].Err, want.Name)
			}
		}
		if out := publish(t, s, on("I1", "one"), on("NONE", "")); out[0].Err != nil || out[1].Err == nil {
			t.Errorf("a bad row stopped a good one: %v %v", out[0].Err, out[1].Err)
		}
	})
}

func TestChangedSlugsLeaveRedirectsWithoutChainsOrLoops(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		publish(t, s, on("I1", "a"))
		publish(t, s, on("I1", "b"))
		publish(t, s, on("I1", "c"))
		if got := fmt.Sprint(redirects(t, s)); got != "map[/products/a:/products/c /products/b:/products/c]" {
			t.Errorf("after a, b, c: %s", got)
		}
		publish(t, s, on("I1", "a"))
		if got := fmt.Sprint(redirects(t, s)); got != "map[/products/b:/products/a /products/c:/products/a]" {
			t.Errorf("back at a: %s", got)
		}
		publish(t, s, on("I2", "b"))
		if got := fmt.Sprint(redirects(t, s)); got != "map[/products/c:/products/a]" {
			t.Errorf("another item lives at b: %s", got)
		}
		dbtest.Write(t, s, func(tx *db.Tx) error {
			return channel.RedirectSlug(tx, catalog.SlugChanged{Kind: "category", Code: "T", Old: "tools",
				New: "hand-tools"})
		})
		if to := redirects(t, s)["/categories/tools"]; to != "/categories/hand-tools" {
			t.Errorf("category leads to %q", to)
		}
	})
}

func TestWithdrawLeavesADeletion(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		shop(t, s)
		publish(t, s, on("I1", ""), on("I2", ""))
		dbtest.Write(t, s, func(tx *db.Tx) error {
			if err := channel.Withdraw(tx, "i1", "Web"); err != nil {
				return err
			}
			if err := channel.Withdraw(tx, "i1", "Web"); !fault.Is(err, channel.ErrPublicationNotFound) {
				t.Errorf("withdrawn twice: %v", err)
			}
			item, err := catalog.Find(tx, "I2")
			if err != nil {
				return err
			}
			return channel.WithdrawDeletedItem(tx, catalog.Deleting{Item: item})
		})
		dbtest.Read(t, s, func(tx *db.Tx) error {
			gone, err := record.Deletions(tx, 0, "item-channels", record.Page{Number: 1, Size: 10})
			if err != nil || gone.Total != 2 || gone.Items[0].BusinessKey != "I1/WEB" ||
				gone.Items[1].BusinessKey != "I2/WEB" {
				t.Errorf("deletions: %+v %v", gone, err)
			}
			left, err := channel.ListPublications(tx, channel.PublicationFilter{}, record.Page{Number: 1, Size: 10})
			if err != nil || left.Total != 0 {
				t.Errorf("left: %+v %v", left, err)
			}
			return nil
		})
	})
}
