package app_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// merchandising is all that changes what a store shows.
func merchandising() []deed {
	var all []deed
	for _, part := range [][]deed{describing(), arranging(), charging(), stocking(), furnishing()} {
		all = append(all, part...)
	}
	return all
}

// sends is a deed that another system does: a request, whose path and body may hold words that are chosen anew each
// time (see chosen).
func sends(method, path string, bodies ...string) deed {
	return deed{method + " " + path, func(m *merchant) error {
		body := ""
		if len(bodies) > 0 {
			body = m.chosen(bodies[m.IntN(len(bodies))])
		}
		a, err := m.try(method, "/preview"+strings.ReplaceAll(m.chosen(path), " ", "%20"), body)
		if err == nil && a.status >= 500 {
			m.Error(a)
		}
		if err == nil && a.status >= 400 {
			err = errors.New(a.String())
		}
		return err
	}}
}

// inside is a deed that is done in the house itself.
func inside(name string, do func(m *merchant, tx *db.Tx) error) deed {
	return deed{name, func(m *merchant) error {
		return m.kontor.InCompany(m.Context(), "acme", func(tx *db.Tx) error { return do(m, tx) })
	}}
}

// chosen is a text with one of the choices for each word in angle brackets.
func (m *merchant) chosen(text string) string {
	for {
		before, rest, some := strings.Cut(text, "<")
		if !some {
			return text
		}
		word, after, _ := strings.Cut(rest, ">")
		text = before + m.word(word) + after
	}
}

func (m *merchant) word(of string) string {
	one := func(all ...string) string { return all[m.IntN(len(all))] }
	switch of {
	case "item":
		return one(m.goods...)
	case "product":
		return one(slices.DeleteFunc(slices.Clone(m.goods), func(n string) bool { return len(n) > 3 })...)
	case "aisle":
		return one(aisles...)
	case "maker":
		return one(makers...)
	case "aspect":
		return one(aspects...)
	case "name":
		return one(terms...) + " " + one(terms...)
	case "slug":
		return one("hammer", "paint", "bucket", "claw-hammer")
	case "price":
		return fmt.Sprintf("%d.%02d", 1+m.IntN(40), 5*m.IntN(20))
	case "yes":
		return one("true", "true", "false")
	case "few":
		return one("1", "2", "3", "8")
	case "list":
		return one("BASE", "SALE", "TRADE", "OWN")
	case "place":
		return one("MAIN", "MAIN", "SOUTH")
	}
	return one(strings.Split(of, "|")...)
}

// describing is what changes what items are.
func describing() []deed {
	return []deed{
		sends("PATCH", "/items/<item>", `{"name": "<name>"}`, `{"salesPrice": "<price>"}`, `{"salesPrice": null}`,
			`{"isActive": <yes>}`, `{"description": "<p><name></p>"}`, `{"taxCode": "<STD|EXEMPT>"}`,
			`{"gtin": "<4006381333931|7350053850019>"}`, `{"gtin": null}`, `{"manufacturerItemNumber": "WX-<few>"}`,
			`{"type": "<Stock|Service|NonStock>"}`, `{"decimalPlaces": <few>}`, `{"salesUnitCode": "<BOX|PCS>"}`),
		sends("PATCH", "/items/<item>", `{"categoryCode": "<aisle>"}`, `{"categoryCode": null}`),
		sends("PATCH", "/items/<item>", `{"brandCode": "<maker>"}`, `{"brandCode": null}`),
		sends("PATCH", "/items/<item>", `{"variantOptions": [{"name": "Size", "value": "<S|M|L>"}]}`,
			`{"variantOf": "<product>"}`, `{"variantOf": null}`),
		sends("PUT", "/items/<item>/attributes/shade", `{"value": "<red|dark red>"}`,
			`{"values": ["<red|blue, light>", "<Grün|blue, light>"]}`),
		sends("PUT", "/items/<item>/attributes/weight", `{"value": "<few>.5"}`),
		sends("PUT", "/items/<item>/attributes/sizes", `{"values": ["<few>", "<few>"]}`),
		sends("DELETE", "/items/<item>/attributes/<aspect>"),
		sends("PUT", "/items/<item>/units/BOX", `{"factor": <few>}`),
		sends("DELETE", "/items/<item>/units/BOX"),
		sends("PUT", "/items/<item>/relations/<Accessory|Similar>/<item>", `{"sortOrder": <few>}`),
		sends("DELETE", "/items/<item>/relations/<Accessory|Similar>/<item>"),
		sends("DELETE", "/items/<C-3|C-4|C-2-S>"),
	}
}

// arranging is what changes where and when they are shown.
func arranging() []deed {
	shows := sends("PUT", "/item-channels/<item>/WEB", `{"isPublished": true}`,
		`{"isPublished": <yes>, "isFeatured": <yes>, "sortOrder": <few>}`, `{"isPublished": true, "isPurchasable": <yes>}`,
		`{"isPublished": true, "slug": "<slug>"}`, `{"isPublished": true, "metaTitle": "<name>", "shortDescription": "<name>"}`,
		`{"isPublished": true, "publishFrom": "2090-01-01T00:00:00Z"}`,
		`{"isPublished": true, "publishFrom": "2020-01-01T00:00:00Z", "publishTo": "<2024|2090>-01-01T00:00:00Z"}`)
	return []deed{shows, shows,
		sends("DELETE", "/item-channels/<item>/WEB"),
		sends("PATCH", "/categories/<aisle>", `{"name": "<name>"}`, `{"isActive": <yes>}`, `{"parentCode": "<aisle>"}`,
			`{"parentCode": null}`, `{"slug": "<slug>"}`, `{"sortOrder": <few>}`),
		sends("PATCH", "/brands/<maker>", `{"name": "<name>"}`, `{"isActive": <yes>}`, `{"slug": "<slug>"}`),
		sends("DELETE", "/<categories/PAINT|brands/BAHCO>"),
		sends("POST", "/categories", `{"code": "PAINT", "name": "<name>"}`),
		sends("POST", "/brands", `{"code": "BAHCO", "name": "<name>"}`),
	}
}

// charging is what changes prices.
func charging() []deed {
	prices := sends("PUT", "/price-lists/<list>/lines/<item>", `{"unitPrice": "<price>"}`,
		`{"unitPrice": "<price>", "minQuantity": <few>}`, `{"unitPrice": "<price>", "validFrom": "<2020|2090>-01-01"}`,
		`{"unitPrice": "<price>", "validTo": "<2020|2090>-01-01"}`)
	return []deed{prices, prices,
		sends("DELETE", "/price-lists/<list>/lines/<item>"),
		sends("PATCH", "/price-lists/<list>", `{"isActive": <yes>}`, `{"priority": <few>}`, `{"currencyCode": "EUR"}`,
			`{"isPriceIncludingTax": <yes>}`, `{"validTo": "<2020|2090>-01-01"}`, `{"validTo": null}`),
		sends("PATCH", "/price-lists/SALE", `{"channelCodes": ["WEB"]}`, `{"channelCodes": []}`),
		sends("PATCH", "/customers/C-1", `{"customerGroupCode": "TRADE"}`, `{"customerGroupCode": null}`,
			`{"defaultCurrencyCode": "<SEK|EUR>"}`, `{"defaultCurrencyCode": null}`),
	}
}

// stocking is what changes how much there is.
func stocking() []deed {
	moves := sends("POST", "/inventory/adjustments",
		`{"warehouseCode": "<place>", "locationCode": "A-01", "itemNumber": "<item>", "quantity": <few>}`,
		`{"warehouseCode": "<place>", "locationCode": "A-01", "itemNumber": "<item>", "quantity": -<few>}`)
	orders := sends("POST", "/orders", `{"customerNumber": "C-1", "lines": [{"itemNumber": "<item>", "quantity": <few>},
		{"itemNumber": "<item>", "quantity": <few>}]}`)
	return []deed{moves, moves, moves, orders, orders,
		inside("an order is cancelled", func(_ *merchant, tx *db.Tx) error {
			found, err := sales.List(tx, sales.Filter{Status: sales.Placed}, record.Page{Number: 1, Size: 1})
			if err == nil && len(found.Items) > 0 {
				_, err = sales.Cancel(tx, found.Items[0].Number)
			}
			return err
		}),
	}
}

// furnishing is what changes the store itself.
func furnishing() []deed {
	return []deed{
		sends("PATCH", "/channels/WEB", `{"isPriceIncludingTax": <yes>}`, `{"warehouseCode": "<place>"}`,
			`{"priceListCode": "SALE"}`, `{"priceListCode": null}`, `{"languages": ["sv", "en"]}`,
			`{"languages": ["en", "sv"]}`),
		inside("stock is shown otherwise", func(m *merchant, tx *db.Tx) error {
			_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
				c.Store.StockDisplay = pick(m.Rand, channel.ShowNone, channel.ShowStatus, channel.ShowQuantity)
				c.Store.StockWarehouses = pick(m.Rand, nil, []string{"MAIN", "SOUTH"}, []string{"SOUTH"})
				c.Store.LowStock = pick(m.Rand, 0, dec.Int(2))
				return nil
			})
			return err
		}),
		inside("an attribute is shown otherwise", func(m *merchant, tx *db.Tx) error {
			a, err := catalog.FindAttribute(tx, m.word("aspect"))
			if err == nil {
				a.IsVisible, a.IsActive, a.Name = m.IntN(3) > 0, m.IntN(3) > 0, m.word("name")
				_, err = catalog.SaveAttribute(tx, a)
			}
			return err
		}),
		inside("a synonym is said", func(m *merchant, tx *db.Tx) error {
			_, err := assortment.SaveSynonyms(tx, []assortment.Synonym{{Words: []string{"sledge"},
				Means: []string{m.word("claw|paint|bucket")}, Language: m.word("en|sv|")}})
			return err
		}),
		inside("a synonym is forgotten", func(_ *merchant, tx *db.Tx) error {
			found, err := assortment.ListSynonyms(tx, "", record.Page{Number: 1, Size: 1})
			if err == nil && len(found.Items) > 0 {
				err = assortment.DeleteSynonym(tx, found.Items[0].ID)
			}
			return err
		}),
		{"a review is written", func(m *merchant) error {
			ids := m.ids()
			a := m.send("POST", "/ecom/reviews", fmt.Sprintf(
				`{"productId": %q, "rating": %d, "title": "So", "body": "It is so.", "authorName": "Anna"}`,
				ids[m.IntN(len(ids))], 1+m.IntN(5)), m.visitors[m.IntN(3)].head...)
			if a.status != 202 {
				return errors.New(a.String())
			}
			return m.kontor.InCompany(m.Context(), "acme", func(tx *db.Tx) error {
				_, err := review.Publish(tx, m.one(a, "reviewId"))
				return err
			})
		}},
		inside("a review is rejected", func(m *merchant, tx *db.Tx) error {
			found, err := review.List(tx, review.Filter{Status: review.Published}, record.Page{Number: 1, Size: 1})
			if err == nil && len(found.Items) > 0 {
				_, err = review.Reject(tx, found.Items[0].ID, "no")
			}
			return err
		}),
	}
}
