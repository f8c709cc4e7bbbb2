package app_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor/internal/app"
	"kontor/internal/app/apptest"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/freight"
	"kontor/internal/business/identity"
	"kontor/internal/business/party"
	"kontor/internal/business/promotion"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/payment"
)

// bazaar is a store on a busy day: buyers gather, order, pay, wait and send back, while a merchant changes whatever his
// store shows and a clerk works off, or undoes, what came in. One of them acts at a time.
type bazaar struct {
	*merchant
	clerk    *clerk
	buyers   []*shopper
	items    map[string]string // ids by number
	account  payment.Account   // at the Test provider, whose part the test plays
	accepted []*purchase       // in the order in which they came
	seed     uint64
	step     uint64
	story    story // what everybody heard
	known    map[string]bool
}

// shopper is one of the buyers: somebody at a screen, who has an account with the store or not.
type shopper struct {
	*bazaar
	name, email, customer, country string
	head                           []string   // of his session
	tabs                           [][]string // of the sessions in which he has signed in
	screen                         screen
	lines                          []string // of his cart, as he saw it last
	payment, ref                   string   // that he has started, and its name at the provider
	quotes, returns, addresses     []string // ids that he was told of
}

// screen is what a buyer was shown last: what his goods and their freight come to, what of it gift cards pay, and what
// his way to pay costs, as far as he has chosen one.
type screen struct{ total, cards, fee string }

// purchase is an order that a store has accepted.
type purchase struct {
	by                *shopper
	id, number        string
	total, net, toPay dec.Dec
	cards, fee        dec.Dec
	codes             []string // discount codes
	payment           string
	byCard            map[string]dec.Dec // what each gift card pays
	isPaidAtProvider  bool
}

// newBazaar opens the store, fills it, and lets the buyers in.
func newBazaar(t *testing.T, place datadir.Dir, seed uint64) *bazaar {
	t.Helper()
	m := &merchant{Rand: rand.New(rand.NewPCG(seed, 0)), place: place, goods: strings.Fields("A-1 A-1-S A-1-L K"),
		deeds: slices.Concat(merchandising(), tempting(), serving())}
	first := m.node(t, 1<<25)
	m.shop, m.nodes = newShopIn(t, first), []*app.App{first}
	m.serve(1 << 25)
	t.Cleanup(m.close)
	verbs := dealings()
	var names []string
	for _, name := range slices.Sorted(maps.Keys(verbs)) {
		names = append(names, slices.Repeat([]string{name}, often(name))...)
	}
	b := &bazaar{merchant: m, seed: seed, items: map[string]string{}, known: map[string]bool{},
		story: story{names: map[string]string{}}}
	b.clerk = &clerk{Rand: m.Rand, seed: [2]uint64{seed, 1}, shop: m.shop, verbs: verbs, names: names,
		numbers: map[string][]string{}, taken: map[string]int{}}
	b.inside(m.opens, b.clerk.fills, b.furnishes)
	m.goods = append(m.goods, "A", "D", "B", "S", "M", "V")
	for _, number := range m.goods {
		m.must(204, "PUT", "/preview/item-channels/"+number+"/WEB", `{"isPublished": true}`)
		b.items[number] = b.rows("id from item where company = :company and number = '" + number + "'")[0][0]
	}
	m.must(200, "PUT", "/preview/items/K/configuration", choices("25"))
	m.enters("who reviews", `{}`)
	m.visitors = slices.Repeat(m.visitors, 3)
	b.letsIn()
	return b
}

// letsIn opens a session for each buyer, and signs in whom the store knows.
func (b *bazaar) letsIn() {
	b.buyers = []*shopper{{name: "a guest", country: "SE"}, {name: "a guest abroad", country: "DE"},
		{name: "Ida, on credit", email: "ida@example.com", customer: "C-1", country: "SE"},
		{name: "Bo, who asks Anna", email: "bo@example.com", customer: "C-2", country: "SE"},
		{name: "Anna, who approves", email: "anna@example.com", customer: "C-2", country: "SE"},
		{name: "Uwe, in euros", email: "uwe@example.com", customer: "C-3", country: "DE"}}
	for _, s := range b.buyers {
		s.bazaar = b
		s.comes()
		if s.email != "" {
			s.signsIn()
		}
	}
}

// comes opens a session.
func (s *shopper) comes() {
	s.head = []string{"X-Api-Key:", "Idempotency-Key:", "X-Tenant-Id: " + s.company.ID, "X-Channel: WEB"}
	token := s.one(s.must(200, "GET", "/ecom/session", "", s.head...), "sessionToken")
	s.head = append(s.head, "Authorization: Bearer "+token)
	s.lines, s.screen, s.payment, s.ref = nil, screen{}, "", ""
	s.asks("PATCH", "/session", fmt.Sprintf(`{"countryCode": %q}`, s.country))
}

func (s *shopper) signsIn() (is bool) {
	a := s.asks("POST", "/auth/login", fmt.Sprintf(`{"email": %q, "password": %q}`, s.email, rightPassword))
	if is = a.status == 200; is {
		s.tabs = append(s.tabs, s.head)
	}
	return is
}

// leaves the store for good, and comes again as who knows nobody.
func (s *shopper) leaves() {
	s.asks("POST", "/auth/logout", "")
	s.comes()
	if s.email != "" {
		s.signsIn()
	}
}

// furnishes is what a store needs besides goods and prices: customers with accounts, freight, codes and gift cards.
func (b *bazaar) furnishes(tx *db.Tx) error {
	var err []error
	try := func(e error) { err = append(err, e) }
	limit, over := dec.Int(2_000), dec.Int(150)
	_, e := party.Update(tx, "C-1", func(c *party.Customer) error {
		c.PaymentTermCode, c.CreditLimit = "NET30", &limit
		c.Street1, c.PostalCode, c.City = "Storgatan 1", "111 22", "Stockholm"
		return nil
	})
	try(e)
	for _, c := range []party.Customer{{Number: "C-2", CountryCode: "SE", PaymentTermCode: "NET30"},
		{Number: "C-3", CountryCode: "DE", CurrencyCode: "EUR"}} {
		c.Name, c.Street1, c.PostalCode, c.City, c.IsActive = c.Number, "Hauptgasse 2", "222 33", "Lund", true
		_, e := party.Create(tx, c)
		try(e)
	}
	hash, e := identity.NewHasher().Hash(b.Context(), rightPassword)
	try(e)
	for _, c := range [][3]string{{"C-1", "ida", "Admin"}, {"C-2", "bo", "Buyer"}, {"C-2", "anna", "Approver"},
		{"C-3", "uwe", "Admin"}} {
		_, e := party.CreateContact(tx, c[0], party.Contact{Name: c[1], Email: c[1] + "@example.com", Role: c[2],
			HasPortalAccess: true, IsActive: true, PasswordHash: hash})
		try(e)
	}
	for _, r := range []freight.Rate{{MethodCode: "PARCEL", Steps: []freight.Step{{Price: dec.Must("49")},
		{From: dec.Int(300), Price: dec.Must("19.90")}}}, {MethodCode: "PARCEL", CountryCode: "DE",
		CurrencyCode: "EUR", Steps: []freight.Step{{Price: dec.Must("9.99")}}}, {MethodCode: "PICKUP",
		Steps: []freight.Step{{}}}} {
		r.CurrencyCode, r.Basis, r.TaxCode, r.IsActive = cmp.Or(r.CurrencyCode, "SEK"), freight.Value, "STD", true
		_, e := freight.Create(tx, r)
		try(e)
	}
	for _, d := range []promotion.Discount{{Code: "TEN", Percent: dec.Int(10), IsCombinable: true},
		{Code: "OFF25", Amount: dec.Int(25), CurrencyCode: "SEK", IsCombinable: true},
		{Code: "ONCE", Percent: dec.Must("33.3"), LimitTotal: 2}, {Code: "MINE", Percent: dec.Int(20), LimitCustomer: 1},
		{Code: "SHIP", FreeFreight: true, IsCombinable: true, MinValue: dec.Int(100), CurrencyCode: "SEK"}} {
		d.IsActive = true
		_, e := promotion.Create(tx, d)
		try(e)
	}
	for code, initial := range map[string]int64{"GIFT-A": 60, "GIFT-B": 4_000, "GIFT-E": 90} {
		c := promotion.Card{Code: code, CurrencyCode: "SEK", Initial: dec.Int(initial)}
		if code == "GIFT-E" {
			c.CurrencyCode = "EUR"
		}
		_, e := promotion.Issue(tx, c)
		try(e)
	}
	try(office["receive"](tx, strings.Fields("B 9 A-01 5 batch:B1")))
	try(office["receive"](tx, strings.Fields("S 4 A-01 5 serial:S1 serial:S2 serial:S3 serial:S4")))
	_, e = channel.Change(tx, "WEB", func(c *channel.Channel) error { c.Store.ApprovalOver = &over; return nil })
	try(e)
	method, e := checkout.FindMethod(tx, "TEST")
	b.account = method.Account(tx)
	return errors.Join(append(err, e)...)
}

// choices is what may be chosen of the item K, of which oak costs so many per cent more.
func choices(percent string) string {
	return `{"features": [{"code": "top", "name": "Top", "type": "Option", "isRequired": true,
		"options": [{"code": "pine", "name": "Pine", "isDefault": true}, {"code": "oak", "name": "Oak",
		"pricePercent": "` + percent + `"}]}]}`
}

// inside does something in the books.
func (b *bazaar) inside(all ...func(tx *db.Tx) error) {
	b.Helper()
	for _, do := range all {
		if err := b.kontor.InCompany(b.Context(), "acme", do); err != nil {
			b.Fatal(err)
		}
	}
}

// thinks anew, as the clerk does: what comes to somebody's mind follows from the day and the step alone.
func (b *bazaar) thinks(of uint64) { b.Rand = rand.New(rand.NewPCG(b.seed, b.step<<8|of)) }

// next is the node at which the next thing is done.
func (b *bazaar) next() {
	b.turn++
	b.kontor, b.url = b.nodes[b.turn%len(b.nodes)], b.urls[b.turn%len(b.urls)]
}

// passes is one step of the day: somebody does something, and everything must be right afterwards.
func (b *bazaar) passes() {
	b.step++
	b.thinks(0)
	b.next()
	switch n := b.IntN(12); {
	case n < 2:
		b.does()
		said := b.done[len(b.done)-1]
		if _, problem, is := strings.Cut(said, ": "); is {
			said = strings.TrimSuffix(said, problem) + strings.Join(codes.FindAllString(problem, 3), " ")
		}
		b.tells("the merchant: " + said)
	case n < 3:
		b.hearsOf()
		b.tells("the clerk: " + b.clerk.does())
	case n < 5:
		b.hearsOf()
		b.worksOff()
	default:
		s := b.buyers[b.IntN(len(b.buyers))]
		act := b.acts()
		name := act[b.IntN(len(act))]
		s.tells(s.name + " " + name)
		shopping[name](s)
		s.looksAround()
	}
}

var codes = regexp.MustCompile(`"code": ?"[^"]+"`)

// acts are what a buyer may think of, as often as he does.
func (b *bazaar) acts() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(shopping)) {
		all = append(all, slices.Repeat([]string{name}, cmp.Or(eager[name], 1))...)
	}
	return all
}

func (b *bazaar) tells(text string) { b.story.told = append(b.story.told, b.story.retold(text)) }

// wrong is something that must not be.
func (b *bazaar) wrong(format string, args ...any) {
	b.Helper()
	b.Errorf(format, args...)
}

// latest is what was told last.
func (b *bazaar) latest() string {
	return strings.Join(b.story.told[max(0, len(b.story.told)-60):], "\n")
}

// hearsOf lets the clerk know what documents have come in.
func (b *bazaar) hearsOf() {
	kinds := []string{"order", "shipment", "invoice", "return", "quote", "work"}
	var asked []string
	for _, table := range strings.Fields("sales_order shipment invoice sales_return quote work_order") {
		asked = append(asked, "number from "+table+" where company = :company order by created_at, number")
	}
	for i, found := range b.rows(asked...) {
		for _, number := range found {
			if name := kinds[i] + " " + number; !b.known[name] {
				b.known[name] = true
				if numbers := b.clerk.numbers; !slices.Contains(numbers[kinds[i]], number) {
					numbers[kinds[i]] = append(numbers[kinds[i]], number)
				}
			}
		}
	}
}

// rows are what the books answer to questions of one column each.
func (b *bazaar) rows(asked ...string) (all [][]string) {
	b.Helper()
	b.inside(func(tx *db.Tx) error {
		all = nil
		for _, what := range asked {
			var found []string
			err := tx.Each("-- app_test.rows whole\nselect "+what, nil, func(r db.Row) error {
				var text string
				err := r.Scan(&text)
				found = append(found, text)
				return err
			})
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			all = append(all, found)
		}
		return nil
	})
	return all
}

// Whatever buyers, a merchant and a clerk do, in whatever order: carts say the same everywhere, sums agree, nobody pays
// another sum than he was shown, what is refused leaves nothing behind, and nobody learns of what is another's. Both
// engines tell the same story.
func TestBuyersBesideAMerchant(t *testing.T) {
	steps, seed := longer(t, 60)
	stories := map[string]*story{}
	t.Run("days", func(t *testing.T) {
		for _, engine := range dbtest.Engines() {
			told := &story{}
			stories[engine] = told
			t.Run(engine, func(t *testing.T) {
				t.Parallel()
				b := newBazaar(t, apptest.Place(t, engine), seed)
				b.goesBy(steps)
				*told = b.story
			})
		}
	})
	one, other := stories["sqlite"], stories["postgres"]
	if t.Failed() || one == nil || other == nil || len(other.told) == 0 {
		return
	}
	for k, said := range one.told {
		if k >= len(other.told) || other.told[k] != said {
			t.Fatalf("with seed %d, after\n%s\nSQLite:     %s\nPostgreSQL: %s", seed,
				strings.Join(one.told[max(0, k-20):k], "\n"), said, other.told[min(k, len(other.told)-1)])
		}
	}
}

// goesBy is the day.
func (b *bazaar) goesBy(steps int) {
	failed := func(k int) {
		if b.Failed() {
			b.Fatalf("with seed %d, after %d steps; the latest that happened:\n%s", b.seed, k, b.latest())
		}
	}
	for k := 1; k <= steps; k++ {
		b.passes()
		failed(k)
		if k%40 == 0 {
			b.clerk.verify()
			b.staysTheSame()
			failed(k)
		}
	}
	b.closes()
	failed(steps)
	b.Logf("%d orders in %d steps", len(b.accepted), steps)
}
