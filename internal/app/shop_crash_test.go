package app_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	trial "kontor/internal/front/payment/testing"
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

// A node is killed eight times while 150 people buy. Whoever is not answered asks again: in the end everybody has one
// order, and what was paid is what the order says.
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

// buys goes the whole way to an order: paid in advance, by card, by card without coming back from the provider, and by
// a card that is declined first.
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
	out.number, out.toPay = strings.Join(out.placing.at("orderNumber"), ""),
		dec.Must(out.placing.at("totals.amountToPay")[0])
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
		if number := fmt.Sprint(dig(o, "orderNumber")); mine[number] == "" ||
			fmt.Sprint(dig(o, "totalAmountIncludingTax"), " ", dig(o, "lineCount")) != "200.00 2" {
			m.Errorf("nobody was told of this order: %v", o)
		}
	}
	for _, item := range []string{"A-1", "A-2"} {
		if got := c.one(c.must(200, "GET", "/preview/items/"+item+"/availability", ""),
			"totalAllocatedQuantity"); got != fmt.Sprint(len(all)) {
			m.Errorf("%s: %s are promised to %d buyers", item, got, len(all))
		}
	}
}

// settle closes the nodes, lets what they left be done, and compares money, orders and jobs.
func (m *market) settle() {
	m.Helper()
	for _, p := range m.nodes {
		if err := p.stop(); err != nil {
			m.Errorf("a node ended with %v: %s", err, tail(p.log.String()))
		}
	}
	m.finish()
	m.inside(m.compare)
	if out := m.kontor("verify"); strings.Contains(out, "payment ") {
		m.Errorf("verify: %s", out)
	}
}

// finish does the jobs about money that are still to be done.
func (m *market) finish() {
	m.Helper()
	kontor := m.open()
	ctx, stop := context.WithCancel(m.Context())
	ended := make(chan struct{})
	go func() { kontor.Work().Run(ctx); close(ended) }()
	defer func() {
		stop()
		<-ended
		if err := kontor.Close(m.Context()); err != nil {
			m.Error(err)
		}
	}()
	open := 0
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(20 * time.Millisecond) {
		err := kontor.InCompany(m.Context(), "acme", func(tx *db.Tx) (err error) {
			open, err = unsettled(tx)
			return err
		})
		if err != nil {
			m.Fatal(err)
		}
		if open == 0 {
			return
		}
	}
	m.Errorf("%d payments have neither become orders nor gone back", open)
}

// unsettled is how many payments are still to become orders, and how much money is still to move.
func unsettled(tx *db.Tx) (open int, err error) {
	_, err = tx.One(`-- app_test.unsettled
		select (select count(*) from payment where company = :company and order_id = '' and is_dropped = 0 and amount > 0 and status in ('Authorized', 'Captured'))
			+ (select count(*) from payment_transfer where company = :company and status = 'Open')`, nil, &open)
	return open, err
}

// compare holds every payment against its order, and orders against what their buyers were told.
func (m *market) compare(tx *db.Tx) error {
	var orders, refunds, letters, failed int
	err := tx.Each(`-- app_test.compare
		select p.id, p.provider, p.amount, p.captured, p.refunded, coalesce(o.order_number, ''), coalesce(o.receipt, ''), coalesce(o.payment_id, '')
		from payment p left join checkout_order o on o.company = :company and o.order_id = p.order_id
		where p.company = :company`, nil, func(r db.Row) error {
		var id, provider, order, receipt, paidBy string
		var amount, captured, refunded dec.Dec
		if err := r.Scan(&id, &provider, &amount, &captured, &refunded, &order, &receipt, &paidBy); err != nil {
			return err
		}
		if refunded > 0 {
			refunds++
		}
		switch {
		case captured > amount || order == "" && captured != refunded:
			m.Errorf("payment %s over %s, order %q: %s was taken, %s went back", id, amount, order, captured, refunded)
		case order != "" && (paidBy != id || refunded != 0 || provider == "Test" && captured != amount):
			m.Errorf("order %s was paid by %q; payment %s: %s of %s was taken, %s went back", order, paidBy, id,
				captured, amount, refunded)
		case order != "" && !strings.Contains(receipt, fmt.Sprintf(`"amountToPay":%q`, amount)):
			m.Errorf("order %s was paid with %s, and its buyer was told %s", order, amount, receipt)
		}
		return nil
	})
	if err != nil {
		return err
	}
	// Strangers cause other mails; those of an order are about its number, that of money without an order about itself.
	_, err = tx.One(`-- app_test.compare jobs
		select (select count(*) from checkout_order where company = :company),
			(select count(*) from job where company = :company and kind = 'mail' and (subject in ('Refund', 'Återbetalning')
				or subject in (select order_number from checkout_order where company = :company))),
			(select count(*) from job where company = :company and status = 'Failed')`, nil, &orders, &letters, &failed)
	if err != nil || letters == orders+refunds && failed == 0 {
		return err
	}
	m.Errorf("%d orders and %d refunds are told in %d mails; %d jobs have failed", orders, refunds, letters, failed)
	return tx.Each(`-- app_test.compare transfers
		select payment_id, kind, amount, reason, status from payment_transfer where company = :company order by payment_id, id`,
		nil, func(r db.Row) error {
			var payment, kind, reason, status string
			var amount dec.Dec
			err := r.Scan(&payment, &kind, &amount, &reason, &status)
			m.Logf("payment %s: %s of %s, %s: %s", payment, kind, amount, status, reason)
			return err
		})
}
