package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
)

// Every measured cart is filled with so many different products before the next begins, and each client opens the
// sessions of so many carts for each second before anything is measured, so that only additions are.
const (
	cartLines = 8
	cartsOpen = 80
)

// writes measures what visitors buy.
func (s *selling) writes(ctx context.Context) {
	s.row("cart", "", func() Row { return s.measureCart(ctx) })
	s.row("checkout", "", func() Row { return s.measureCheckout(ctx) })
	s.row("sold", "", func() Row { return s.measureSold(ctx) })
}

// basket is a client who fills one cart after another.
type basket struct {
	*visitor
	tokens []string
	at     int // additions
	first  int // index of the first item of the cart at hand
}

func (s *selling) basket() *basket {
	b := &basket{visitor: s.visitor(s.site.url)}
	for range 10 + int(cartsOpen*s.Seconds) {
		b.tokens = append(b.tokens, b.session())
	}
	return b
}

// add puts one more item into the cart, which every so often is another.
func (b *basket) add(items []string) {
	if b.at%cartLines == 0 {
		if len(b.tokens) == 0 {
			b.enter()
		} else {
			b.as(b.tokens[0])
			b.tokens = b.tokens[1:]
		}
		b.first = rand.IntN(len(items))
	}
	item := items[(b.first+b.at%cartLines)%len(items)]
	b.at++
	b.want(http.StatusCreated, http.MethodPost, "/ecom/cart/items", "", `{"itemId":"`+item+`","quantity":"1"}`)
}

// measureCart compares adding to a cart with a bare transaction that writes the same rows.
func (s *selling) measureCart(ctx context.Context) Row {
	const name = "POST cart item, into carts of 1 to 8 lines"
	one := s.basket()
	defer one.close()
	one.add(s.items)
	l := newCartLedger(ctx, s.site.kontor, s.firm)
	defer l.clear(context.WithoutCancel(ctx))
	ours := side{client: func(int) (func(), func()) {
		b := s.basket()
		return func() { b.add(s.items) }, b.close
	}}
	against, yardstick, end := asWeWork(ctx, l.engine.OneWriter, l.writer)
	defer end()
	handled, dismiss := s.behindHandler(yardstick, slices.Clone(one.body))
	defer dismiss()
	got := drive(ctx, s.pace("cart"), ours, yardstick, handled)
	r := rated(name, "additions/s", got[0], against, got[1], atLeast(0.50))
	r.Note = fmt.Sprintf("%.2f of the same transaction behind the bare handler, which does %.0f a second",
		median(ratios(got[0], got[2])), got[2].rate())
	return r
}

// behindHandler is a yardstick's work asked for over HTTP, by the requests that we are asked by.
func (s *selling) behindHandler(y side, body []byte) (_ side, dismiss func()) {
	workers := y.hire(s.Clients)
	idle := make(chan func(), len(workers.works))
	for _, work := range workers.works {
		idle <- work
	}
	server := serveBare(http.StatusCreated, body, func() {
		work := <-idle
		defer func() { idle <- work }()
		work()
	})
	return newTarget(server.url, "").callers(func(c *caller, _ int) func() {
		v := &visitor{c, s.firm.ID}
		v.as(strings.Repeat("x", 43)) // as long as a session's token
		return func() {
			v.want(http.StatusCreated, http.MethodPost, "/ecom/cart/items", "",
				`{"itemId":"`+s.items[0]+`","quantity":"1"}`)
		}
	}), func() { server.close(); workers.leave() }
}

// ordersNeeded is how many whole checkouts a second are asked for, on files, where a flush takes under a millisecond.
const ordersNeeded = 150

// measureCheckout measures orders a second from the opening of the session to the placed order.
func (s *selling) measureCheckout(ctx context.Context) Row {
	var count atomic.Int64
	got := drive(ctx, s.pace("checkout"), s.visitors(func(v *visitor, n int) func() {
		random := drawing(n)
		return func() { v.buy(s.items, count.Add(1), random) }
	}))
	r := Row{Work: "whole checkout of 2 lines, 8 requests", Unit: "orders/s", Value: got[0].rate(),
		P50: quantile(got[0].took, 0.5), P99: quantile(got[0].took, 0.99), CPU: median(got[0].cpu)}
	switch {
	case s.place.DatabaseURL != "":
		return r
	case s.report.FsyncMS >= 1:
		r.Note = fmt.Sprintf("%d orders/s are needed where a flush takes under 1 ms; here it takes %.2f", ordersNeeded,
			s.report.FsyncMS)
		return r
	}
	met := r.Value >= ordersNeeded
	r.Met, r.Needed = &met, fmt.Sprintf("at least %d orders/s", ordersNeeded)
	return r
}

// soldBetween is how many orders are placed between two looks at the catalogue, at most.
const soldBetween = 200

// measureSold compares reading lists and product pages after orders with reading them before: of what there is plenty
// of, an order changes nothing that they show.
func (s *selling) measureSold(ctx context.Context) Row {
	paths := slices.Concat(s.lists(), s.pages())
	readers := s.visitors(func(v *visitor, n int) func() {
		random := drawing(n)
		return func() { v.read(paths[random.IntN(len(paths))]) }
	}).hire(s.Clients)
	defer readers.leave()
	buyers := s.visitors(func(v *visitor, n int) func() {
		random := drawing(n)
		return func() { v.buy(s.items, rand.Int64(), random) }
	}).hire(s.Clients)
	defer buyers.leave()
	p := s.pace("sold")
	var before, after measured
	for n := range p.rounds + 1 { // the first warms up
		if n == 1 {
			before, after = measured{}, measured{}
		}
		readers.run(ctx, p.round, p.units, &before)
		buyers.run(ctx, p.round, soldBetween, &measured{})
		readers.run(ctx, p.round, p.units, &after)
	}
	return rated("GET lists and product pages, after orders", "requests/s", after, "before", before, atLeast(0.90))
}

// buy is a guest who comes, fills a cart, says what the checkout asks and orders.
func (v *visitor) buy(items []string, n int64, random *rand.Rand) {
	v.enter()
	first := random.IntN(len(items))
	for k := range 2 {
		body := fmt.Sprintf(`{"itemId":%q,"quantity":"%d"}`, items[(first+k)%len(items)], 1+random.IntN(3))
		v.want(http.StatusCreated, http.MethodPost, "/ecom/cart/items", "", body)
	}
	for _, step := range [...]struct{ name, body string }{
		{"contact",
			fmt.Sprintf(`{"email":"guest-%d-%x@example.com","firstName":"Anna","lastName":"Berg","phone":"08-123"}`, n,
				random.Uint32())},
		{"addresses",
			`{"billing":{"name":"Anna Berg","street1":"Storgatan 1","postalCode":"111 22","city":"Stockholm","countryCode":"SE"}}`},
		{"delivery", `{"shippingMethodCode":"PARCEL"}`},
		{"payment", `{"paymentMethodCode":"PREPAYMENT"}`},
	} {
		v.want(http.StatusOK, http.MethodPut, "/ecom/checkout/"+step.name, "", step.body)
	}
	v.want(http.StatusCreated, http.MethodPost, "/ecom/checkout/place", "", `{"termsAccepted":true}`)
}
