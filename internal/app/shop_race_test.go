package app_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/checkout"
	"kontor/internal/business/promotion"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
	trial "kontor/internal/front/payment/testing"
)

// market is a store on the web, open on one node or on two that share a database. Visitors meet now this node, now
// that.
type market struct {
	*site
	key, tenant string
	account     payment.Account   // at the Test provider, whose part the test plays
	items       map[string]string // ids by number
	crowd       *client           // that all visitors share, but for the address
	turn, lost  atomic.Int64      // requests, and those that were not answered

	mu    sync.Mutex
	nodes []*process
}

// eachMarket runs a race on each engine: on one node with files, on two nodes with PostgreSQL. In the end money, goods
// and orders must agree.
func eachMarket(t *testing.T, prepare func(tx *db.Tx) error, race func(m *market)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			m := openMarket(t, engine, prepare)
			race(m)
			m.settle()
		})
	}
}

func openMarket(t *testing.T, engine string, prepare func(tx *db.Tx) error) *market {
	t.Helper()
	m := &market{site: newSite(t, engine), items: map[string]string{}}
	m.env = append(m.env, "KONTOR_COMMERCE_RATE=0")
	m.key = m.makeCompany("acme")
	m.inside(func(tx *db.Tx) error {
		m.tenant = tx.Company
		method, err := checkout.FindMethod(tx, "TEST")
		if err != nil {
			return err
		}
		m.account = method.Account(tx)
		return prepare(tx)
	})
	m.nodes = []*process{m.serve()}
	if engine == "postgres" {
		m.nodes = append(m.nodes, m.serve())
	}
	m.crowd = newClient(t, "", m.key)
	return m
}

func nothing(*db.Tx) error { return nil }

// open is the data as the program itself has it, while no node does.
func (m *market) open() *app.App {
	m.Helper()
	place := datadir.Dir{Data: filepath.Join(m.dir, "data")}
	for _, v := range m.env {
		if at, ok := strings.CutPrefix(v, "KONTOR_DATABASE_URL="); ok {
			place.DatabaseURL = at
		}
	}
	kontor, err := app.Open(m.Context(), place, slog.New(slog.DiscardHandler))
	if err != nil {
		m.Fatal(err)
	}
	return kontor
}

// inside does something in the company's data while no node is open.
func (m *market) inside(fn func(tx *db.Tx) error) {
	m.Helper()
	kontor := m.open()
	if err := errors.Join(kontor.InCompany(m.Context(), "acme", fn), kontor.Close(m.Context())); err != nil {
		m.Fatal(err)
	}
}

// at is a client of a node.
func (m *market) at(node int) *client {
	m.mu.Lock()
	defer m.mu.Unlock()
	c := *m.crowd
	c.url = m.nodes[node%len(m.nodes)].url
	return &c
}

// sells puts an item on the shelf and into the store.
func (m *market) sells(item, price string, quantity int) {
	m.Helper()
	c := m.at(0)
	c.must(201, "POST", "/preview/items", fmt.Sprintf(`{"itemNumber": %q, "name": "Thing %s", "salesPrice": %q}`, item,
		item, price))
	c.must(204, "PUT", "/preview/item-channels/"+item+"/WEB", fmt.Sprintf(`{"isPublished": true, "slug": %q}`,
		strings.ToLower(item)))
	c.must(201, "POST", "/preview/inventory/adjustments",
		fmt.Sprintf(`{"warehouseCode": "MAIN", "locationCode": "A-01", "itemNumber": %q, "quantity": %d}`, item,
			quantity))
	head := []string{"X-Api-Key:", "X-Tenant-Id: " + m.tenant, "X-Channel: WEB"}
	token := c.one(c.must(200, "GET", "/ecom/session", "", head...), "sessionToken")
	m.items[item] = c.one(c.must(200, "GET", "/ecom/catalog/products/"+strings.ToLower(item), "",
		append(head, "Authorization: Bearer "+token)...), "id")
}

// persist asks whichever node is next until one answers, as a front end does that never gives up: with the same
// Idempotency-Key.
func (m *market) persist(method, path, body string, headers ...string) (answer, error) {
	h := []string{"X-Api-Key:", "Idempotency-Key:"}
	if method == http.MethodPost {
		h[1] = "Idempotency-Key: " + newKey()
	}
	h = append(h, headers...)
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		a, err := m.at(int(m.turn.Add(1))).try(method, path, body, h...)
		var wrong errNotPromised
		switch {
		case errors.As(err, &wrong):
			return a, err
		case err == nil && a.status != http.StatusServiceUnavailable:
			return a, nil
		case time.Since(start) > time.Minute:
			return a, fmt.Errorf("%s %s: no answer after a minute: %w %s", method, path, err, a)
		}
		m.lost.Add(1)
	}
}

// buyer is a visitor with a cart.
type buyer struct {
	*market
	name, token string
	payment     string // checkout session
	ref         string // of the payment at the provider
}

func (b *buyer) ask(method, path, body string) (answer, error) {
	h := []string{"X-Tenant-Id: " + b.tenant, "X-Channel: WEB"}
	if b.token != "" {
		h = append(h, "Authorization: Bearer "+b.token)
	}
	return b.persist(method, path, body, h...)
}

// does is ask where the status has to be this one.
func (b *buyer) does(status int, method, path, body string) (answer, error) {
	a, err := b.ask(method, path, body)
	if err == nil && a.status != status {
		err = fmt.Errorf("%s: %s %s: want %d, got %s", b.name, method, path, status, a)
	}
	return a, err
}

// shops goes from the store's door to where nothing but the order is missing: one of each item is in the cart. Without
// a way to pay, gift cards have to.
func (m *market) shops(name, code, pay string, items ...string) (*buyer, error) {
	b := &buyer{market: m, name: name}
	a, err := b.does(200, "GET", "/ecom/session", "")
	if err != nil {
		return b, err
	}
	b.token = strings.Join(a.at("sessionToken"), "")
	var lines []string
	for _, i := range items {
		lines = append(lines, fmt.Sprintf(`{"itemId": %q, "quantity": 1}`, m.items[i]))
	}
	steps := [][3]string{
		{"POST", "/ecom/cart/items/batch", `{"items": [` + strings.Join(lines, ", ") + `]}`},
		{"PUT", "/ecom/checkout/contact",
			fmt.Sprintf(`{"email": "%s@example.com", "firstName": "Anna", "lastName": %q}`, name, name)},
		{"PUT", "/ecom/checkout/addresses",
			`{"billing": {"name": "Anna", "street1": "Storgatan 1", "postalCode": "111 22", "city": "Stockholm", "countryCode": "SE"}}`},
		{"PUT", "/ecom/checkout/delivery", `{"shippingMethodCode": "PICKUP"}`},
	}
	if pay != "" {
		steps = append(steps, [3]string{"PUT", "/ecom/checkout/payment", fmt.Sprintf(`{"paymentMethodCode": %q}`, pay)})
	}
	if code != "" {
		steps = append(steps, [3]string{"POST", "/ecom/checkout/apply-code", fmt.Sprintf(`{"code": %q}`, code)})
	}
	for _, s := range steps {
		if _, err := b.does(200, s[0], s[1], s[2]); err != nil {
			return b, err
		}
	}
	return b, nil
}

// pays starts a payment with a test card; "" leaves the card to the provider's page.
func (b *buyer) pays(card string) (answer, error) {
	data := ""
	if card != "" {
		data = fmt.Sprintf(`, "data": {"card": %q}`, card)
	}
	a, err := b.ask("POST", "/ecom/checkout/sessions",
		`{"returnUrl": "https://shop.example.com/done", "method": "TEST"`+data+`}`)
	if err == nil && a.status == 201 {
		b.payment, b.ref = strings.Join(a.at("id"), ""), strings.Join(a.at("clientKey"), "")
	}
	return a, err
}

func (b *buyer) places() (answer, error) {
	if b.payment == "" {
		return b.ask("POST", "/ecom/checkout/place", `{"termsAccepted": true}`)
	}
	return b.ask("POST", "/ecom/checkout/place", fmt.Sprintf(`{"termsAccepted": true, "checkoutSessionId": %q}`,
		b.payment))
}

// reports sends a callback as the Test provider does. The address that it was given is of a node that may be gone:
// whoever stands before the nodes leads it to one that is there.
func (m *market) reports(d trial.Delivery) error {
	to, err := url.Parse(d.Address)
	if err != nil {
		return err
	}
	var h []string
	for name, value := range d.Header {
		h = append(h, name+": "+value)
	}
	a, err := m.persist("POST", to.RequestURI(), string(d.Body), h...)
	if err == nil && a.status != 204 {
		err = fmt.Errorf("a callback is answered %s", a)
	}
	return err
}

// all lets so many buyers do something, several at a time.
func (m *market) all(n int, fn func(i int) error) {
	m.Helper()
	failed := make(chan error, n)
	together(n, 32, func(i int) { failed <- fn(i) })
	for range n {
		if err := <-failed; err != nil {
			m.Error(err)
		}
	}
	if m.Failed() {
		m.FailNow()
	}
}

// size is how many there are of something, fewer where there is no time.
func size(n int) int {
	if testing.Short() {
		return n / 5
	}
	return n
}

// 500 buyers each want one of two things in one cart, in this order or that; there are 100 of each.
func TestTheLastGoodsAreSoldOnce(t *testing.T) {
	eachMarket(t, nothing, func(m *market) {
		people, goods := size(500), size(100)
		m.sells("A-1", "100.00", goods)
		m.sells("A-2", "60.00", goods)
		buyers := make([]*buyer, people)
		m.all(people, func(i int) (err error) {
			items := []string{"A-1", "A-2"}
			if i%2 == 1 {
				slices.Reverse(items)
			}
			buyers[i], err = m.shops(fmt.Sprint("buyer-", i), "", "PREPAYMENT", items...)
			return err
		})
		answers := make([]answer, people)
		m.all(people, func(i int) (err error) {
			b := buyers[i]
			if i%3 == 0 { // with a card: the goods are held before the order is placed
				if answers[i], err = b.pays(trial.CardSucceeds); err != nil || answers[i].status != 201 {
					return err
				}
			}
			answers[i], err = b.places()
			return err
		})
		want := []string{fmt.Sprintf("%dx201", goods), fmt.Sprintf("%dx409 Inventory.InsufficientStock", people-goods)}
		slices.Sort(want)
		if got := outcomes(answers); got != strings.Join(want, " ") {
			m.Errorf("of %d goods for %d buyers: %s", goods, people, got)
		}
		for _, a := range answers {
			if a.status == 409 && len(a.at("lineIds[*]")) == 0 {
				m.Fatalf("a refusal names no line: %s", a)
			}
		}
		c := m.at(0)
		for _, item := range []string{"A-1", "A-2"} {
			a := c.must(200, "GET", "/preview/items/"+item+"/availability", "")
			if got := c.one(a, "totalAllocatedQuantity") + " of " +
				c.one(a, "totalQuantityOnHand"); got != fmt.Sprintf("%d of %d", goods, goods) {
				m.Errorf("%s: %s are promised", item, got)
			}
		}
		if orders := len(c.all("/preview/orders")); orders != goods {
			m.Errorf("%d orders", orders)
		}
	})
}

// Who shops in several tabs puts goods in his cart and says who he is at the same time, on one node and on another: all
// of it is in the order.
func TestACartInSeveralTabs(t *testing.T) {
	eachMarket(t, nothing, func(m *market) {
		const tabs = 8
		m.sells("A-1", "100.00", 10_000)
		m.sells("A-2", "60.00", 10_000)
		m.all(size(40), func(i int) error {
			b, err := m.shops(fmt.Sprint("buyer-", i), "", "PREPAYMENT", "A-1")
			if err != nil {
				return err
			}
			says := func(name string) error {
				_, err := b.does(200, "PUT", "/ecom/checkout/contact",
					fmt.Sprintf(`{"email": "%s@example.com", "firstName": "Anna", "lastName": %q}`, b.name, name))
				return err
			}
			failed := make([]error, tabs)
			together(tabs, tabs, func(n int) {
				item := []string{"A-1", "A-2"}[n%2]
				_, err := b.does(201, "POST", "/ecom/cart/items",
					fmt.Sprintf(`{"itemId": %q, "quantity": 1}`, m.items[item]))
				failed[n] = errors.Join(err, says(fmt.Sprint("Tab ", n)))
			})
			if err := errors.Join(append(failed, says("Last"))...); err != nil {
				return err
			}
			placed, err := b.places()
			if err == nil && placed.status != 201 {
				err = fmt.Errorf("%s: %s", b.name, placed)
			}
			if err != nil {
				return err
			}
			number := strings.Join(placed.at("orderNumber"), "")
			order, err := b.does(200, "GET", "/ecom/checkout/orders/"+number, "")
			if err != nil {
				return err
			}
			got := fmt.Sprint(order.at("contact.lastName"), order.at("lines[*].quantity"))
			if got != fmt.Sprintf("[Last] [%d %d]", 1+tabs/2, tabs/2) {
				err = fmt.Errorf("%s ordered %s: %s", b.name, got, order)
			}
			return err
		})
	})
}

// Orders are placed and callbacks arrive 1,000 times in any order, for 100 carts. Some buyers put one more thing into
// the cart that they have paid for, some cards are declined.
func TestPlacingAgainstCallbacks(t *testing.T) {
	eachMarket(t, nothing, func(m *market) {
		people := size(100)
		m.sells("A-1", "100.00", 10*people)
		cards := []string{trial.CardSucceeds, "", trial.CardSilent, trial.CardTwice, trial.CardDisordered,
			trial.CardDeclined, trial.CardSucceeds}
		const declined, wavers = 5, 6
		buyers, sent := make([]*buyer, people), make([][]trial.Delivery, people)
		m.all(people, func(i int) (err error) {
			if buyers[i], err = m.shops(fmt.Sprint("buyer-", i), "", "TEST", "A-1"); err != nil {
				return err
			}
			if a, err := buyers[i].pays(cards[i%len(cards)]); err != nil || a.status != 201 {
				return fmt.Errorf("paying is answered %s: %w", a, err)
			}
			sent[i], err = trial.Deliveries(m.account, buyers[i].ref, trial.CardSucceeds, time.Now())
			return err
		})
		var acts []func() error
		var mu sync.Mutex
		numbers := make([]map[string]bool, people)
		for i, b := range buyers {
			numbers[i] = map[string]bool{}
			place := func() error {
				a, err := b.places()
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil:
					return err
				case a.status == 201:
					numbers[i][strings.Join(a.at("orderNumber"), "")] = true
				case i%len(cards) == wavers && (a.code() == "Checkout.PriceChanged" ||
					a.code() == "Checkout.PaymentRequired"):
				case cards[i%len(cards)] == "" || i%len(cards) == declined:
					if a.code() != "Checkout.PaymentRequired" {
						return fmt.Errorf("%s, not paid: %s", b.name, a)
					}
				default:
					return fmt.Errorf("%s: %s", b.name, a)
				}
				return nil
			}
			for n := range 10 {
				switch {
				case n == 0 && i%len(cards) == wavers:
					acts = append(acts, func() error {
						a, err := b.ask("POST", "/ecom/cart/items",
							fmt.Sprintf(`{"itemId": %q, "quantity": 1}`, m.items["A-1"]))
						if err == nil && a.status != 201 {
							err = fmt.Errorf("%s puts one more in: %s", b.name, a)
						}
						return err
					})
				case n%2 == 0 || len(sent[i]) == 0:
					acts = append(acts, place)
				default:
					acts = append(acts, func() error { return m.reports(sent[i][n/2%len(sent[i])]) })
				}
			}
		}
		seed := rand.Uint64()
		m.Logf("%d acts, seed %d", len(acts), seed)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(acts), func(i, j int) { acts[i], acts[j] = acts[j], acts[i] })
		m.all(len(acts), func(i int) error { return acts[i]() })
		orders := 0
		for i, b := range buyers {
			if i%len(cards) == wavers {
				orders += m.wavered(b, numbers[i])
				continue
			}
			want := 0
			if i%len(cards) != declined {
				want = 1
				numbers[i][m.ordered(b)] = true
			}
			orders += want
			if len(numbers[i]) != want {
				m.Errorf("%s, who paid with %q, has the orders %v", b.name, cards[i%len(cards)], numbers[i])
			}
		}
		if got := len(m.at(0).all("/preview/orders")); got != orders {
			m.Errorf("%d orders, want %d", got, orders)
		}
	})
}

// ordered waits for the order of a payment that has come in, which the provider's callback alone brings about.
func (m *market) ordered(b *buyer) string {
	m.Helper()
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(20 * time.Millisecond) {
		a, err := b.does(200, "GET", "/ecom/checkout/sessions/"+b.payment, "")
		if err != nil {
			m.Fatal(err)
		}
		if number := strings.Join(a.at("orderNumber"), ""); number != "null" {
			return number
		}
	}
	m.Fatalf("%s has paid, and no order is placed", b.name)
	return ""
}

// wavered is how many orders came of a cart that was changed while it was paid for: one of the cart as it was paid, and
// nothing is left of it, or none, and the payment is given back.
func (m *market) wavered(b *buyer, numbers map[string]bool) int {
	m.Helper()
	a, err := b.does(200, "GET", "/ecom/checkout/sessions/"+b.payment, "")
	if err != nil {
		m.Fatal(err)
	}
	if number := strings.Join(a.at("orderNumber"), ""); number != "null" {
		numbers[number] = true
	}
	if len(numbers) > 1 {
		m.Errorf("%s has the orders %v", b.name, numbers)
	}
	return len(numbers)
}

// A gift card is spent from 50 sessions, and 20 buyers come with a coupon that can be used once.
func TestCodesAreSpentOnce(t *testing.T) {
	const worth = 1100
	codes := func(tx *db.Tx) error {
		_, err := promotion.Issue(tx, promotion.Card{Code: "GIFT-0001", CurrencyCode: "SEK", Initial: dec.Int(worth),
			IsActive: true})
		if err == nil {
			_, err = promotion.Create(tx, promotion.Discount{Code: "HALF", Percent: dec.Int(50), LimitTotal: 1,
				IsActive: true})
		}
		return err
	}
	eachMarket(t, codes, func(m *market) {
		m.sells("A-1", "100.00", 1000)
		m.spendTheCard(dec.Int(worth))
		m.useTheCoupon()
	})
}

// spendTheCard lets 50 buyers spend more than a card holds. Half of them have no other way to pay.
func (m *market) spendTheCard(worth dec.Dec) {
	m.Helper()
	const people = 50
	buyers, answers := make([]*buyer, people), make([]answer, people)
	m.all(people, func(i int) (err error) {
		buyers[i], err = m.shops(fmt.Sprint("holder-", i), "gift0001", []string{"", "PREPAYMENT"}[i%2], "A-1")
		return err
	})
	m.all(people, func(i int) (err error) {
		for range people { // what the card leaves to pay changes while others spend it
			answers[i], err = buyers[i].places()
			if code := answers[i].code(); err != nil || code != "Checkout.PriceChanged" &&
				code != "Checkout.PaymentRequired" {
				break
			}
		}
		return err
	})
	var spent dec.Dec
	for i, a := range answers {
		switch {
		case a.status == 201:
			paid, left, total := dec.Must(a.at("totals.giftCardTotal")[0]), dec.Must(a.at("totals.amountToPay")[0]),
				dec.Must(a.at("totals.totalIncludingTax")[0])
			if paid.Add(left) != total || i%2 == 0 && left != 0 {
				m.Errorf("the card pays %s of %s, %s is left: %s", paid, total, left, a)
			}
			spent = spent.Add(paid)
		case i%2 == 0 && a.code() == "Checkout.Incomplete":
		default:
			m.Errorf("%s: %s", buyers[i].name, a)
		}
	}
	if spent != worth {
		m.Errorf("%s were spent of %s", spent, worth)
	}
}

// useTheCoupon lets 20 buyers pay at half the price with a coupon for one of them. The others hear that the price has
// changed, and pay anew; what they had paid goes back to them.
func (m *market) useTheCoupon() {
	m.Helper()
	const people = 20
	buyers, answers := make([]*buyer, people), make([]answer, people)
	m.all(people, func(i int) (err error) {
		if buyers[i], err = m.shops(fmt.Sprint("saver-", i), "HALF", "TEST", "A-1"); err != nil {
			return err
		}
		a, err := buyers[i].pays(trial.CardSilent)
		if err == nil && (a.status != 201 || a.at("amount")[0] != "62.50") {
			err = fmt.Errorf("%s pays half: %s", buyers[i].name, a)
		}
		return err
	})
	var changed atomic.Int64
	m.all(people, func(i int) (err error) {
		answers[i], err = buyers[i].places()
		if code := answers[i].code(); err != nil || code != "Checkout.PriceChanged" &&
			code != "Checkout.PaymentRequired" {
			return err // the second where the job that looks after the payment was there first
		}
		changed.Add(1)
		if a, err := buyers[i].pays(trial.CardSilent); err != nil || a.status != 201 {
			return fmt.Errorf("%s pays anew: %s %w", buyers[i].name, a, err)
		}
		answers[i], err = buyers[i].places()
		return err
	})
	var totals []string
	for i, a := range answers {
		if a.status != 201 {
			m.Errorf("%s: %s", buyers[i].name, a)
			continue
		}
		totals = append(totals, a.at("totals.totalIncludingTax")...)
	}
	slices.Sort(totals)
	if len(totals) != people || totals[0] != "125.00" || totals[people-2] != "125.00" || totals[people-1] != "62.50" ||
		changed.Load() != people-1 {
		m.Errorf("one of %d has half the price, %d heard of the change: %v", people, changed.Load(), totals)
	}
}
