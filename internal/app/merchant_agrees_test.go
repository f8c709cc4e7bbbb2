package app_test

import (
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"kontor/internal/foundation/dec"
)

// agrees compares what the store says to each visitor in one place with what it says in every other.
func (m *merchant) agrees() {
	for _, v := range m.visitors {
		l := look{m, v}
		cards := l.rows("products?pageSize=200")
		l.pagesAgree(cards)
		l.listsAgree(cards)
		l.facetsAgree()
		l.countsAgree()
	}
}

// look is how a visitor sees the store.
type look struct {
	*merchant
	v visitor
}

func (l look) at(path string) answer { return l.asks(l.v, "/ecom/catalog/"+path) }

// rows are the items of a list, all of which have to be there.
func (l look) rows(path string) (all []row) {
	a := l.at(path)
	if a.status != 200 {
		l.Fatalf("%s asks for %s: %s", l.v.name, path, a)
	}
	items, _ := a.body.(row)["items"].([]any)
	for _, one := range items {
		all = append(all, one.(row))
	}
	if total := fmt.Sprint(a.body.(row)["totalCount"]); total != fmt.Sprint(len(all)) && total != "<nil>" {
		l.Errorf("%s: %s says that there are %s, and shows %d", l.v.name, path, total, len(all))
	}
	return all
}

// total is how many there are behind an address.
func (l look) total(path string) string { return strings.Join(l.at(path).at("totalCount"), "") }

// pagesAgree opens every item's page, and its price and stock.
func (l look) pagesAgree(cards []row) {
	listed := map[string]row{}
	for _, c := range cards {
		listed[c["id"].(string)] = c
	}
	prices, stocks := map[any]row{}, map[any]row{}
	ids := l.ids()
	for _, p := range l.rows("prices?itemIds=" + strings.Join(ids, ",")) {
		prices[p["itemId"]] = p
	}
	for _, s := range l.rows("stock?itemIds=" + strings.Join(ids, ",")) {
		stocks[s["itemId"]] = s
	}
	for _, id := range ids {
		a, card := l.at("products/"+id), listed[id]
		page, _ := a.body.(row)
		switch {
		case a.status == 404:
			if card != nil || prices[id] != nil || stocks[id] != nil {
				l.Errorf("%s: %s has no page, but %v %v %v", l.v.name, id, card, prices[id], stocks[id])
			}
			continue
		case card == nil && page["variantOf"] == nil:
			l.Errorf("%s: %s has a page, and is in no list", l.v.name, a)
		}
		for member, is := range card {
			if !reflect.DeepEqual(is, page[member]) {
				l.Errorf("%s: %s of %v is %v in the list, %v on its page", l.v.name, member, page["itemNumber"], is, page[member])
			}
		}
		if !reflect.DeepEqual(page["price"], any(prices[id])) {
			l.Errorf("%s: the price of %v is %v on its page, %v alone", l.v.name, page["itemNumber"], page["price"], prices[id])
		}
		if stock, _ := page["stock"].(row); stock != nil && !reflect.DeepEqual(stock, stocks[id]) {
			l.Errorf("%s: the stock of %v is %v on its page, %v alone", l.v.name, page["itemNumber"], stock, stocks[id])
		}
		if by := l.rows("search?q=" + url.QueryEscape(fmt.Sprint(page["itemNumber"]))); card != nil && (len(by) == 0 ||
			by[0]["id"] != id) {
			l.Errorf("%s: who searches for %v does not find it first", l.v.name, page["itemNumber"])
		}
	}
}

// shownPrice is what a card says; nil where there is no price.
func shownPrice(card row) *dec.Dec {
	price := card["price"].(row)
	member := "unitPrice"
	if price["isPriceIncludingTax"] == true {
		member = "unitPriceIncludingTax"
	}
	if price[member] == nil {
		return nil
	}
	d := dec.Must(price[member].(string))
	return &d
}

// listsAgree compares lists that are narrowed and sorted with the whole.
func (l look) listsAgree(cards []row) {
	numbers := func(of []row, keep func(row) bool) (all []string) {
		for _, c := range of {
			if keep(c) {
				all = append(all, c["itemNumber"].(string))
			}
		}
		slices.Sort(all)
		return all
	}
	any := func(row) bool { return true }
	from, to := dec.Int(9), dec.Int(20)
	for path, keep := range map[string]func(row) bool{
		"products?priceFrom=9&priceTo=20": func(c row) bool {
			p := shownPrice(c)
			return p != nil && *p >= from && *p <= to
		},
		"products?inStock=true": func(c row) bool {
			s, _ := c["stock"].(row)
			return s == nil || s["status"] == "InStock" || s["status"] == "LowStock"
		},
		"products?sort=name": any, "products?sort=newest": any, "products?sort=-price": any, "products?sort=rating": any,
	} {
		if path == "products?inStock=true" && len(cards) > 0 && cards[0]["stock"] == nil {
			continue // nobody is told
		}
		if got, want := numbers(l.rows(path), any), numbers(cards, keep); !slices.Equal(got, want) {
			l.Errorf("%s: %s are %v, should be %v of %v", l.v.name, path, got, want, cards)
		}
	}
	var last *dec.Dec
	for _, c := range l.rows("products?sort=price") {
		p := shownPrice(c)
		if last != nil && p != nil && *p < *last {
			l.Errorf("%s: %v for %s comes after %s", l.v.name, c["itemNumber"], p, last)
		}
		if p != nil {
			last = p
		}
	}
}

// facetsAgree chooses each value of each facet: as many are found as it says.
func (l look) facetsAgree() {
	for _, f := range l.at("filters").body.(row)["facets"].([]any) {
		facet := f.(row)
		code := facet["code"].(string)
		for _, one := range facet["values"].([]any) {
			value := one.(row)
			chosen := url.QueryEscape(value["value"].(string))
			path := "products?f." + code + "=" + chosen
			switch code {
			case "category", "brand":
				path = "products?" + code + "=" + chosen
			case "rating", "price":
				continue
			}
			if is := l.total(path); is != fmt.Sprint(value["count"]) {
				l.Errorf("%s: %v of facet %s has %v products, and leads to %s", l.v.name, value["value"], code, value["count"], is)
			}
		}
	}
}

// countsAgree opens every category and brand: there are as many products behind it as it says.
func (l look) countsAgree() {
	var walk func(nodes []any)
	walk = func(nodes []any) {
		for _, one := range nodes {
			n := one.(row)
			if is := l.total("products?category=" + n["slug"].(string)); is != fmt.Sprint(n["productCount"]) {
				l.Errorf("%s: category %v has %v products, and leads to %s", l.v.name, n["code"], n["productCount"], is)
			}
			below, _ := n["children"].([]any)
			walk(below)
		}
	}
	walk(l.at("categories").body.(row)["items"].([]any))
	for _, b := range l.at("brands").body.(row)["items"].([]any) {
		if is := l.total("products?brand=" + b.(row)["slug"].(string)); is != fmt.Sprint(b.(row)["productCount"]) {
			l.Errorf("%s: brand %v has %v products, and leads to %s", l.v.name, b.(row)["code"], b.(row)["productCount"], is)
		}
	}
}
