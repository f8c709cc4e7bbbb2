package app_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/dec"
	trial "kontor/internal/payment/testing"
)

// replace puts a new process in the place of a node.
func (m *market) replace(node int) {
	m.Helper()
	m.mu.Lock()
	old := m.nodes[node%len(m.nodes)]
	m.mu.Unlock()
	old.kill()
	fresh := m.serve()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nodes[node%len(m.nodes)] = fresh
}

// bought is what became of a buyer.
type bought struct {
	*buyer
	number  string
	toPay   dec.Dec // what the buyer was told
	placing answer
}

// A node is killed eight times while 150 people buy. Whoever is not answered asks again: in the end everybody has one order, and
// what was paid is what the order says.
func TestKilledWhilePeopleBuy(t *testing.T) {
	heavy(t)
	eachMarket(t, nothing, func(m *market) {
		const people, kills = 150, 8
		m.sells("A-1", "100.00", 2*people)
		m.sells("A-2", "60.00", 2*people)
		all := make([]bought, people)
		var done atomic.Int64
		toKill := make(chan int, people)
		var killer sync.WaitGroup
		killer.Go(func() {
			for node := range toKill {
				m.replace(node)
			}
		})
		together(people, 8, func(i int) {
			var err error
			if all[i], err = m.buys(i); err != nil {
				m.Error(err)
			}
			if n := done.Add(1); n%(people/(kills+1)) == 0 && n < people {
				toKill <- int(n)
			}
		})
		m.Logf("%d requests were sent, %d of them not answered", m.turn.Load(), m.lost.Load())
		close(toKill)
		killer.Wait()
		if m.Failed() {
			return
		}
		m.reckon(all)
	})
}

// buys goes the whole way to an order: paid in advance, by card, by card without coming back from the provider, and by a card that
// is declined first.
func (m *market) buys(i int) (bought, error) {
	b, err := m.shops(fmt.Sprint("buyer-", i), "", []string{"PREPAYMENT", "TEST"}[min(i%4, 1)], "A-1", "A-2")
	if err != nil {
		return bought{}, err
	}
	out := bought{buyer: b}
	if i%4 == 3 {
		if err := b.mustPay(trial.CardDeclined); err != nil {
			return out, err
		}
		if a, err := b.places(); err != nil || a.code() != "Checkout.PaymentRequired" {
			return out, fmt.Errorf("%s, declined: %s %w", b.name, a, err)
		}
	}
	if i%4 > 0 {
		if err := b.mustPay(trial.CardSucceeds); err != nil {
			return out, err
		}
	}
	if i%4 == 2 {
		sent, err := trial.Deliveries(m.account, b.ref, "", time.Now())
		if err != nil {
			return out, err
		}
		for _, d := range append(sent, sent...) {
			if err := m.reports(d); err != nil {
				return out, err
			}
		}
	}
	if out.placing, err = b.places(); err != nil || out.placing.status != 201 {
		return out, fmt.Errorf("%s: %s %w", b.name, out.placing, err)
	}
	out.number, out.toPay = strings.Join(out.placing.at("orderNumber"), ""), dec.Must(out.placing.at("totals.amountToPay")[0])
	return out, nil
}

func (b *buyer) mustPay(card string) error {
	a, err := b.pays(card)
	if err == nil && a.status != 201 {
		err = fmt.Errorf("%s pays: %s", b.name, a)
	}
	return err
}

// reckon compares what buyers were told with the orders, and with the goods that are promised.
func (m *market) reckon(all []bought) {
	m.Helper()
	mine := map[string]string{}
	for _, b := range all {
		if other := mine[b.number]; other != "" {
			m.Errorf("%s and %s have both been told of the order %s", b.name, other, b.number)
		}
		mine[b.number] = b.name
		if a, err := b.places(); err != nil || a.status != 201 || strings.Join(a.at("orderNumber"), "") != b.number {
			m.Errorf("%s asks again for %s, and hears: %s %v", b.name, b.number, a, err)
		}
		if b.toPay != dec.Int(200) {
			m.Errorf("%s was told to pay %s", b.name, b.toPay)
		}
	}
	c := m.at(0)
	orders := c.all("/preview/orders")
	if len(orders) != len(all) {
		m.Errorf("%d orders are there, of %d buyers", len(orders), len(all))
	}
	for _, o := range orders {
		if number := fmt.Sprint(dig(o, "orderNumber")); mine[number] == "" || fmt.Sprint(dig(o, "totalAmountIncludingTax"), " ", dig(o, "lineCount")) != "200.00 2" {
			m.Errorf("nobody was told of this order: %v", o)
		}
	}
	for _, item := range []string{"A-1", "A-2"} {
		if got := c.one(c.must(200, "GET", "/preview/items/"+item+"/availability", ""), "totalAllocatedQuantity"); got != fmt.Sprint(len(all)) {
			m.Errorf("%s: %s are promised to %d buyers", item, got, len(all))
		}
	}
}
