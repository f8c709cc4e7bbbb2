package app_test

import (
	"cmp"
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// shop is a house with one company, open over HTTP.
type shop struct {
	*client
	kontor  *app.App
	company identity.Company
}

// eachShop runs a race on each engine, with a shop of its own. In the end its books must agree with their sources.
func eachShop(t *testing.T, race func(s *shop)) {
	t.Helper()
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		s := newShop(t, place)
		race(s)
		err := s.kontor.Verify(t.Context(), s.company, func(finding string) { t.Errorf("verify: %s", finding) })
		if err != nil {
			t.Fatal(err)
		}
	})
}

func newShop(t *testing.T, place datadir.Dir) *shop {
	t.Helper()
	return newShopIn(t, apptest.Open(t, place, app.Serving{KeepBytes: 1 << 20}))
}

func newShopIn(t *testing.T, kontor *app.App) *shop {
	t.Helper()
	s := &shop{kontor: kontor}
	ctx := t.Context()
	var err error
	if s.company, err = kontor.CreateCompany(ctx, identity.Company{Code: "acme", Name: "Acme AB", Country: "SE",
		Currency: "SEK", Environment: identity.Test}); err != nil {
		t.Fatal(err)
	}
	var key string
	err = kontor.Control(ctx, func(tx *db.Tx) (err error) {
		_, key, err = identity.CreateKey(tx, s.company, identity.NewKey{Name: "race", Scopes: []string{"*"}},
			app.Scopes())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(kontor)
	t.Cleanup(server.Close)
	s.client = newClient(t, server.URL, key)
	return s
}

// together runs fn for 0 to n-1, several at a time, and waits for all.
func together(n, atATime int, fn func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(atATime, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	all.Wait()
}

// answers sends a request n times at the same time.
func (s *shop) answers(n int, ask func(i int) (answer, error)) []answer {
	s.Helper()
	all := make([]answer, n)
	var mu sync.Mutex
	var failed []error
	together(n, n, func(i int) {
		a, err := ask(i)
		mu.Lock()
		defer mu.Unlock()
		if all[i] = a; err != nil {
			failed = append(failed, err)
		}
	})
	for _, err := range failed {
		s.Error(err)
	}
	return all
}

// outcomes are how often each status and code was answered, such as "1x201 19x409 SalesReturn.InvalidStatus".
func outcomes(all []answer) string {
	counts := map[string]int{}
	for _, a := range all {
		counts[strings.TrimSpace(fmt.Sprint(a.status, " ", a.code()))]++
	}
	var parts []string
	for what, n := range counts {
		parts = append(parts, fmt.Sprintf("%dx%s", n, what))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func (s *shop) item(number string) {
	s.Helper()
	s.must(201, "POST", "/preview/items", fmt.Sprintf(`{"itemNumber": %q, "name": %q, "salesPrice": "10.00"}`, number,
		number))
}

func (s *shop) customer(number string) {
	s.Helper()
	s.must(201, "POST", "/preview/customers",
		fmt.Sprintf(`{"customerNumber": %q, "name": %q, "city": "Lund", "countryCode": "SE"}`, number, number))
}

func (s *shop) stock(item, location string, quantity int) {
	s.Helper()
	s.must(201, "POST", "/preview/inventory/adjustments",
		fmt.Sprintf(`{"warehouseCode": "MAIN", "locationCode": %q, "itemNumber": %q, "quantity": %d}`, location, item,
			quantity))
}

// waitingLine is a line of an order as the queue for arriving goods sees it.
type waitingLine struct {
	wanted, placed, id string
	line               int
	key                string
	quantity, got      dec.Dec
}

// lines are all lines of all orders, in the order in which they are entitled to arriving goods.
func (s *shop) lines() (lines []waitingLine, allocated dec.Dec) {
	s.Helper()
	for _, row := range s.all("/preview/orders") {
		number := fmt.Sprint(dig(row, "orderNumber"))
		o := s.must(200, "GET", "/preview/orders/"+number, "")
		for i, quantity := range o.at("lines[*].quantity") {
			l := waitingLine{placed: s.one(o, "createdDate"), id: s.one(o, "id"), line: i + 1,
				key: fmt.Sprint(number, "/", i+1)}
			if l.wanted = s.one(o, "requestedDeliveryDate"); l.wanted == "null" {
				l.wanted = s.one(o, "orderDate")
			}
			l.quantity, l.got = dec.Must(quantity), dec.Must(o.at(fmt.Sprintf("lines[%d].allocatedQuantity", i))[0])
			allocated = allocated.Add(l.got)
			lines = append(lines, l)
		}
	}
	slices.SortFunc(lines, func(a, b waitingLine) int {
		return cmp.Or(cmp.Compare(a.wanted, b.wanted), cmp.Compare(a.placed, b.placed), cmp.Compare(a.id, b.id),
			cmp.Compare(a.line, b.line))
	})
	return lines, allocated
}

// 200 orders of two lines each want 600 of an item of which 50 lie in two locations.
func TestStockIsPromisedOnce(t *testing.T) {
	eachShop(t, func(s *shop) {
		const orders = 200
		s.item("A-1")
		s.customer("C-1")
		s.stock("A-1", "A-01", 30)
		s.stock("A-1", "A-02", 20)
		placed := s.answersOf(orders, func(i int) (answer, error) {
			requested := "null"
			if i%3 == 0 {
				requested = fmt.Sprintf(`"2026-03-%02d"`, 10+i%7)
			}
			return s.try("POST", "/preview/orders", fmt.Sprintf(`{"orderNumber": "O-%d", "customerNumber": "C-1", "orderDate": "2026-03-%02d", "requestedDeliveryDate": %s,
				"lines": [{"itemNumber": "A-1", "quantity": 1}, {"itemNumber": "A-1", "quantity": 2}]}`, i, 10+i%5,
				requested))
		})
		if got := outcomes(placed); got != "200x201" {
			s.Fatalf("placing: %s", got)
		}
		if _, allocated := s.lines(); allocated != dec.Int(50) {
			s.Fatalf("%s are promised of 50", allocated)
		}
		released := s.answersOf(orders, func(i int) (answer, error) {
			return s.try("POST", fmt.Sprintf("/preview/orders/O-%d/release", i), "")
		})
		if got := outcomes(released); got != "200x200" {
			s.Fatalf("releasing: %s", got)
		}
		before, allocated := s.lines()
		if allocated != dec.Int(50) {
			s.Fatalf("%s are allocated of 50", allocated)
		}

		// 60 arrive in twelve deliveries at the same time: as if they had come at once, first come first served.
		arrived := s.answersOf(12, func(i int) (answer, error) {
			return s.try("POST", "/preview/inventory/adjustments",
				fmt.Sprintf(`{"warehouseCode": "MAIN", "locationCode": "A-0%d", "itemNumber": "A-1", "quantity": 5}`,
					1+i%2))
		})
		if got := outcomes(arrived); got != "12x201" {
			s.Fatalf("receiving: %s", got)
		}
		left := dec.Int(60)
		want := map[string]dec.Dec{}
		for _, l := range before {
			more := min(left, l.quantity.Sub(l.got))
			left = left.Sub(more)
			want[l.key] = l.got.Add(more)
		}
		after, allocated := s.lines()
		if allocated != dec.Int(110) {
			s.Errorf("%s are allocated of 110", allocated)
		}
		for _, l := range after {
			if l.got != want[l.key] {
				s.Errorf("line %s (wanted %s, placed %s) has %s, want %s", l.key, l.wanted, l.placed, l.got,
					want[l.key])
			}
		}
	})
}

// answersOf sends n requests, 16 at a time.
func (s *shop) answersOf(n int, ask func(i int) (answer, error)) []answer {
	s.Helper()
	all := make([]answer, n)
	errs := make([]error, n)
	together(n, 16, func(i int) { all[i], errs[i] = ask(i) })
	for _, err := range errs {
		if err != nil {
			s.Error(err)
		}
	}
	return all
}

// The same request 50 times at the same time happens once.
func TestOneKeyIsOneOrder(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.customer("C-1")
		all := s.answers(50, func(int) (answer, error) {
			return s.try("POST", "/preview/orders",
				`{"customerNumber": "C-1", "lines": [{"itemNumber": "A-1", "quantity": 1}]}`,
				"Idempotency-Key: the-one")
		})
		if got := outcomes(all); got != "50x201" {
			s.Fatal(got)
		}
		first := 0
		for _, a := range all {
			if a.header.Get("Idempotent-Replayed") == "" {
				first++
			}
			if string(a.raw) != string(all[0].raw) || a.header.Get("Location") != all[0].header.Get("Location") ||
				a.header.Get("ETag") != all[0].header.Get("ETag") {
				s.Errorf("two answers: %s and %s", a, all[0])
			}
		}
		if orders := s.all("/preview/orders"); first != 1 || len(orders) != 1 {
			s.Errorf("%d orders, %d answers that are no repetition", len(orders), first)
		}
	})
}

// Of 10 delivered units 3 each come back on 20 returns: three of them fit. Each is approved and received twice at once.
func TestNoUnitComesBackTwice(t *testing.T) {
	eachShop(t, func(s *shop) {
		s.item("A-1")
		s.customer("C-1")
		s.stock("A-1", "A-01", 10)
		s.must(201, "POST", "/preview/orders",
			`{"orderNumber": "O-1", "customerNumber": "C-1", "orderTypeCode": "AUTO", "lines": [{"itemNumber": "A-1", "quantity": 10}]}`)
		shipment := s.one(s.must(200, "GET", "/preview/orders/O-1", ""), "shipmentNumbers")
		s.must(200, "POST", "/preview/shipments/"+shipment+"/pick", "")
		handed := s.answers(10, func(int) (answer, error) {
			return s.try("POST", "/preview/shipments/"+shipment+"/hand-over", "")
		})
		if got := outcomes(handed); got != "1x200 9x409 Shipment.InvalidStatus" {
			s.Errorf("handing over: %s", got)
		}
		registered := s.answers(20, func(int) (answer, error) {
			return s.try("POST", "/preview/returns",
				`{"orderNumber": "O-1", "reason": "Other", "lines": [{"orderLineNumber": 1, "quantity": 3}]}`)
		})
		if got := outcomes(registered); got != "17x400 SalesReturn.QuantityExceedsDelivered 3x201" {
			s.Errorf("registering: %s", got)
		}
		var numbers []string
		for _, a := range registered {
			if a.status == 201 {
				numbers = append(numbers, s.one(a, "returnNumber"), s.one(a, "returnNumber"))
			}
		}
		for _, verb := range []string{"approve", "receive"} {
			done := s.answers(len(numbers), func(i int) (answer, error) {
				return s.try("POST", "/preview/returns/"+numbers[i]+"/"+verb, "")
			})
			if got := outcomes(done); got != "3x200 3x409 SalesReturn.InvalidStatus" {
				s.Errorf("%s: %s", verb, got)
			}
		}
		o := s.must(200, "GET", "/preview/orders/O-1", "")
		if got := s.one(o, "lines[0].returnedQuantity"); got != "9" {
			s.Errorf("%s came back of 3 times 3", got)
		}
		if got := s.must(200, "GET", "/preview/inventory/stock?itemNumber=A-1", "").
			at("items[*].quantityOnHand"); !slices.Equal(got, []string{"9"}) {
			s.Errorf("on hand: %s", got)
		}
	})
}

// Orders are released, cancelled and shipped at the same time. Whoever comes second is refused or undoes; nobody gets
// both.
func TestReleaseAgainstCancel(t *testing.T) {
	eachShop(t, func(s *shop) {
		const orders = 30
		s.item("A-1")
		s.item("A-2")
		s.customer("C-1")
		s.stock("A-1", "A-01", orders)
		s.stock("A-2", "A-01", orders)
		place := func(i int) {
			s.must(201, "POST", "/preview/orders",
				fmt.Sprintf(
					`{"orderNumber": "O-%d", "customerNumber": "C-1", "lines": [{"itemNumber": "A-%d", "quantity": 1}, {"itemNumber": "A-%d", "quantity": 1}]}`,
					i, 1+i%2, 2-i%2))
		}
		for i := range orders {
			place(i)
		}
		verbs := []string{"release", "cancel"}
		all := s.answersOf(2*orders, func(i int) (answer, error) {
			return s.try("POST", fmt.Sprintf("/preview/orders/O-%d/%s", i/2, verbs[i%2]), "")
		})
		for i := range orders {
			release, cancel := all[2*i], all[2*i+1]
			if cancel.status != 200 || release.status != 200 && release.code() != "SalesOrder.InvalidStatus" {
				s.Errorf("O-%d: released %s, cancelled %s", i, release, cancel)
			}
		}
		for _, n := range []string{"A-1", "A-2"} {
			if a := s.must(200, "GET", "/preview/items/"+n+"/availability", ""); s.one(a,
				"totalAllocatedQuantity") != "0" {
				s.Errorf("everything is cancelled, and yet promised: %s", a)
			}
		}

		for i := orders; i < 2*orders; i++ {
			place(i)
			s.must(200, "POST", fmt.Sprintf("/preview/orders/O-%d/release", i), "")
		}
		all = s.answersOf(2*orders, func(i int) (answer, error) {
			number := fmt.Sprintf("O-%d", orders+i/2)
			if i%2 == 0 {
				return s.try("POST", "/preview/orders/"+number+"/cancel", "")
			}
			return s.try("POST", "/preview/shipments", fmt.Sprintf(`{"orderNumbers": [%q]}`, number))
		})
		for i := range orders {
			got := outcomes(all[2*i : 2*i+2])
			if got != "1x200 1x400 SalesOrder.InvalidStatus" && got != "1x201 1x409 SalesOrder.HasOpenShipments" {
				s.Errorf("O-%d: %s", orders+i, got)
			}
		}
	})
}

// copyOf is what another system has of the customers: revision by number.
type copyOf map[string]string

func revision(c any) string {
	return fmt.Sprint(dig(c, "name"), " ", dig(c, "phone"), " ", dig(c, "createdDate"), " ", dig(c, "modifiedDate"))
}

// Writers keep their transactions open until pollers have looked; what commits late must not be missed.
func TestPollersMissNothing(t *testing.T) {
	eachShop(t, func(s *shop) {
		const writers, rounds = 20, 3
		for i := range writers {
			s.customer("C-" + strconv.Itoa(i))
		}
		looked := make(chan struct{}) // closed and renewed after each poll
		var mu sync.Mutex
		next := func() chan struct{} {
			mu.Lock()
			defer mu.Unlock()
			return looked
		}
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				for round := range rounds {
					if err := s.writeLate(i, round, next); err != nil {
						s.Error(err)
					}
				}
			})
		}
		done := make(chan struct{})
		go func() { all.Wait(); close(done) }()
		p := poller{shop: s, delta: copyOf{}, feed: copyOf{}}
		for running := true; running; {
			select {
			case <-done:
				running = false // and one more time, after the last commit
			default:
			}
			p.poll()
			mu.Lock()
			close(looked)
			looked = make(chan struct{})
			mu.Unlock()
		}
		truth := copyOf{}
		for _, c := range s.all("/preview/customers") {
			truth[fmt.Sprint(dig(c, "customerNumber"))] = revision(c)
		}
		p.compare("modifiedSince and deletions", p.delta, truth)
		p.compare("the change feed", p.feed, truth)
	})
}

// writeLate changes, creates and deletes customers and commits only after pollers have looked once or several times.
func (s *shop) writeLate(writer, round int, next func() chan struct{}) error {
	request := db.Request{Company: s.company.ID, Actor: db.Actor{Kind: "system", ID: "race", Name: "race"}}
	return s.kontor.Store().Write(s.Context(), request, func(tx *db.Tx) error {
		made := fmt.Sprintf("N-%d-%d", writer, round)
		if _, err := party.Create(tx, party.Customer{Number: made, Name: made, IsActive: true}); err != nil {
			return err
		}
		_, err := party.Update(tx, "C-"+strconv.Itoa(writer), func(c *party.Customer) error {
			c.Phone = strconv.Itoa(round)
			return nil
		})
		if err != nil {
			return err
		}
		if round > 0 {
			if err := party.Delete(tx, fmt.Sprintf("N-%d-%d", writer, round-1)); err != nil {
				return err
			}
		}
		for range 1 + (writer+round)%3 {
			<-next()
		}
		return nil
	})
}

// poller keeps two copies of the customers, each in one of the two ways.
type poller struct {
	*shop
	delta                copyOf
	watermark, deletions string

	feed   copyOf
	cursor string
}

func (p *poller) poll() {
	p.pollDelta()
	p.pollFeed()
}

// pollDelta reads what was changed since the watermark of the last poll, then what was deleted since the last date
// seen. One page holds it all: pages of a list from which others delete meanwhile are not exact.
func (p *poller) pollDelta() {
	mark := ""
	for page := 1; ; page++ {
		path := fmt.Sprintf("/preview/customers?pageSize=200&page=%d", page)
		if p.watermark != "" {
			path += "&modifiedSince=" + p.watermark
		}
		a := p.must(200, "GET", path, "")
		if page == 1 {
			mark = a.header.Get("Sync-Watermark")
		}
		items, _ := dig(a.body, "items").([]any)
		for _, c := range items {
			p.delta[fmt.Sprint(dig(c, "customerNumber"))] = revision(c)
		}
		if dig(a.body, "hasNextPage") != true {
			break
		}
	}
	p.watermark = mark
	path := "/preview/deletions?resource=customers"
	if p.deletions != "" {
		path += "&deletedSince=" + p.deletions
	}
	for _, d := range p.all(path) {
		delete(p.delta, fmt.Sprint(dig(d, "businessKey")))
		p.deletions = fmt.Sprint(dig(d, "deletedDate"))
	}
}

// pollFeed reads what changed behind the cursor, and fetches what is named.
func (p *poller) pollFeed() {
	for {
		path := "/preview/changes?resource=customers&limit=7"
		if p.cursor != "" {
			path += "&after=" + p.cursor
		}
		a := p.must(200, "GET", path, "")
		keys := a.at("items[*].businessKey")
		for _, key := range keys {
			c := p.send("GET", "/preview/customers/"+key, "")
			if c.status == 404 {
				delete(p.feed, key)
				continue
			}
			p.feed[key] = revision(c.body)
		}
		p.cursor = p.one(a, "nextCursor")
		if len(keys) == 0 {
			return
		}
	}
}

func (p *poller) compare(way string, have, want copyOf) {
	p.Helper()
	for key, revision := range want {
		if have[key] != revision {
			p.Errorf("%s: %s is %q, want %q", way, key, have[key], revision)
		}
	}
	for key := range have {
		if want[key] == "" {
			p.Errorf("%s: %s is gone and still in the copy", way, key)
		}
	}
}
