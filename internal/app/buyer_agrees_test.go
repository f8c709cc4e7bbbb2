package app_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/letters"
)

// asks the store for something, at one node or another. Whatever it answers adds up.
func (s *shopper) asks(method, path, body string, more ...string) answer {
	s.Helper()
	s.next()
	a := s.send(method, "/ecom"+path, body, append(s.head, more...)...)
	s.tells(fmt.Sprintf("  %s %s: %d %s %s", method, pathless.ReplaceAllString(path, "{id}"), a.status, a.code(),
		strings.Join(slices.Concat(a.at("totalIncludingTax"), a.at("totals.totalIncludingTax"), a.at("amountToPay")), " ")))
	if a.status >= 500 || a.status == 429 {
		s.wrong("%s: %s %s %s: %s", s.name, method, path, body, a)
	}
	if a.status == 204 && strings.HasPrefix(path, "/cart") {
		s.screen = screen{} // what is left comes to something that he was not shown yet
	}
	if a.status < 300 {
		s.sees(a)
	}
	return a
}

var pathless = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// sees what an answer shows of his cart or checkout.
func (s *shopper) sees(a answer) {
	if inner := dig(a.body, "cart"); inner != nil {
		a = answerOf(inner)
	}
	lines := a.at("lines[*].lineId")
	switch {
	case len(a.at("amountToPay")) > 0:
		s.cartAddsUp(a)
		s.lines = lines
		s.screen = screen{total: s.one(a, "totalIncludingTax"), cards: s.one(a, "giftCardTotal"), fee: s.screen.fee}
	case len(a.at("totals.amountToPay")) > 0 && len(a.at("orderNumber")) == 0:
		s.totalsAddUp(a)
		fee := s.one(a, "totals.feeIncludingTax")
		total := dec.Must(s.one(a, "totals.totalIncludingTax")).Sub(dec.Must(fee))
		s.screen = screen{total: total.Fixed(2), cards: s.one(a, "totals.giftCardTotal"), fee: fee}
	}
}

// sum is what amounts at some paths of an answer come to.
func sum(a answer, paths ...string) (total dec.Dec) {
	for _, path := range paths {
		for _, text := range a.at(path) {
			if text != "null" {
				total = total.Add(dec.Must(text))
			}
		}
	}
	return total
}

// adds reports where amounts at some paths do not come to the amounts at others.
func (s *shopper) adds(a answer, what, to string, minus ...string) {
	s.Helper()
	if is, want := sum(a, strings.Fields(what)...).Sub(sum(a, minus...)), sum(a, strings.Fields(to)...); is != want {
		s.wrong("%s: %s less %v are %s, %s is %s: %s", s.name, what, minus, is, to, want, a)
	}
}

var amount = regexp.MustCompile(`^\d+\.\d\d$`)

// areMoney reports amounts that are none of a currency with two digits, or below zero.
func (s *shopper) areMoney(a answer, paths string) {
	for _, path := range strings.Fields(paths) {
		for _, text := range a.at(path) {
			if text != "null" && !amount.MatchString(text) {
				s.wrong("%s: %s is %q: %s", s.name, path, text, a)
			}
		}
	}
}

func (s *shopper) cartAddsUp(a answer) {
	s.areMoney(a, `subtotal discountTotal freight taxTotal total totalIncludingTax giftCardTotal amountToPay
		subtotalIncludingTax discountTotalIncludingTax freightIncludingTax lines[*].lineTotal lines[*].discountAmount
		lines[*].lineTotalIncludingTax codes[*].amount`)
	s.adds(a, "lines[*].lineTotal lines[*].discountAmount", "subtotal")
	s.adds(a, "lines[*].discountAmount", "discountTotal")
	s.adds(a, "subtotal freight", "total", "discountTotal")
	s.adds(a, "lines[*].lineTotalIncludingTax freightIncludingTax", "totalIncludingTax")
	s.adds(a, "subtotalIncludingTax freightIncludingTax", "totalIncludingTax", "discountTotalIncludingTax")
	s.adds(a, "total taxTotal", "totalIncludingTax")
	s.adds(a, "amountToPay giftCardTotal", "totalIncludingTax")
	s.codesAddUp(a, "")
}

// codesAddUp holds codes against what they take off, with tax or without as the store shows it, and cards against what
// they pay.
func (s *shopper) codesAddUp(a answer, totals string) {
	s.adds(a, "codes[type=GiftCard].amount", totals+"giftCardTotal")
	off := sum(a, "codes[type=DiscountCode].amount")
	if off != sum(a, totals+"discountTotal") && off != sum(a, totals+"discountTotalIncludingTax") {
		s.wrong("%s: codes take off %s: %s", s.name, off, a)
	}
}

func (s *shopper) totalsAddUp(a answer) {
	s.areMoney(a, `totals.subtotal totals.discountTotal totals.freight totals.fee totals.taxTotal totals.total
		totals.totalIncludingTax totals.giftCardTotal totals.amountToPay totals.freightIncludingTax totals.feeIncludingTax`)
	s.adds(a, "totals.subtotal totals.freight totals.fee", "totals.total", "totals.discountTotal")
	s.adds(a, "totals.total totals.taxTotal", "totals.totalIncludingTax")
	s.adds(a, "totals.subtotalIncludingTax totals.freightIncludingTax totals.feeIncludingTax", "totals.totalIncludingTax",
		"totals.discountTotalIncludingTax")
	s.adds(a, "totals.amountToPay totals.giftCardTotal", "totals.totalIncludingTax")
	if len(a.at("codes")) > 0 {
		s.codesAddUp(a, "totals.")
	}
}

// pieces are what lies in the cart of a session, by what it is.
func (s *shopper) pieces(head []string) map[string]dec.Dec {
	a := s.send("GET", "/ecom/cart", "", head...)
	all := map[string]dec.Dec{}
	numbers, units, chosen, quantities := a.at("lines[*].itemNumber"), a.at("lines[*].unit"),
		a.at("lines[*].configurationNumber"), a.at("lines[*].quantity")
	for i, number := range numbers {
		what := number + " " + units[i] + " " + chosen[i]
		all[what] = all[what].Add(dec.Must(quantities[i]))
	}
	return all
}

// looksAround reads what shows the cart, which keeps nothing, at every node: all say the same.
func (s *shopper) looksAround() {
	var first map[string]answer
	for _, at := range s.urls {
		s.url = at
		said := map[string]answer{}
		for _, path := range []string{"/cart/summary", "/checkout/data", "/session"} {
			said[path] = s.send("GET", "/ecom"+path, "", s.head...)
		}
		if said["/session"].status == 401 { // he was shut out
			s.comes()
			return
		}
		if first == nil {
			first = said
			s.sumsUp(said)
			continue
		}
		for path, is := range said {
			if !bytes.Equal(is.raw, first[path].raw) {
				s.wrong("%s: %s says %s at one node and %s at another", s.name, path, first[path], is)
			}
		}
	}
}

// sumsUp compares what a session, a cart's summary and the checkout say of the same cart.
func (s *shopper) sumsUp(said map[string]answer) {
	for path, a := range said {
		if a.status != 200 {
			s.wrong("%s: %s: %s", s.name, path, a)
		}
	}
	summary, data := said["/cart/summary"], said["/checkout/data"]
	if got, want := said["/session"].at("cartSummary"), textOf(summary.body); !slices.Equal(got, want) {
		s.wrong("%s: the session says %s, the cart %s", s.name, got, want)
	}
	goods := sum(data, "totals.totalIncludingTax").Sub(sum(data, "totals.feeIncludingTax"))
	if sum(summary, "totalIncludingTax") != goods {
		s.wrong("%s: the cart's summary is %s, the checkout %s", s.name, summary, data)
	}
	s.totalsAddUp(data)
}

// books is what an order changes in them: how many there are, what is promised to orders, what gift cards hold, how
// often codes were used.
func (b *bazaar) books() map[string]string {
	all := map[string]string{}
	for _, found := range b.rows("'orders ' || cast(count(*) as text) from checkout_order where company = :company",
		"'promised ' || item || ' ' || cast(sum(allocated) as text) from stock_level where company = :company "+
			"group by item",
		"'held ' || item_id || ' ' || cast(sum(quantity) as text) from stock_hold where company = :company "+
			"group by item_id",
		"'card ' || code || ' ' || cast(balance as text) from gift_card where company = :company",
		"'code ' || code || ' ' || cast(used as text) from discount_code where company = :company") {
		for _, row := range found {
			at := strings.LastIndex(row, " ")
			all[row[:at]] = row[at+1:]
		}
	}
	for number, id := range b.items { // what is held for who pays just now is promised to no order
		p, h := millionths(all["promised "+number]), millionths(all["held "+id])
		all["promised "+number] = fmt.Sprint(int64(p - h))
		delete(all, "held "+id)
	}
	return all
}

func millionths(text string) (n dec.Dec) {
	_, _ = fmt.Sscan(text, (*int64)(&n))
	return n
}

// orders what lies in the cart: it costs what was shown, or is refused, and then nothing is changed.
func (s *shopper) orders() {
	before := s.books()
	key, body := "Idempotency-Key: "+newKey(), `{"termsAccepted": true}`
	if s.payment != "" && s.IntN(2) == 0 {
		body = fmt.Sprintf(`{"termsAccepted": true, "checkoutSessionId": %q}`, s.payment)
	}
	shown := s.screen
	a := s.asks("POST", "/checkout/place", body, key)
	if a.code() == "Checkout.PriceChanged" {
		s.nothingChanged(before, a)
		s.asks("GET", "/checkout/data", "")
		shown = s.screen
		if a = s.asks("POST", "/checkout/place", body, key); a.code() == "Checkout.PriceChanged" && s.payment == "" {
			s.wrong("%s is refused again, though nothing has changed since: %s", s.name, a)
		}
	}
	if a.status != 201 {
		s.nothingChanged(before, a)
		return
	}
	if again := s.asks("POST", "/checkout/place", body, key); !bytes.Equal(again.raw, a.raw) {
		s.wrong("%s orders once more under its key: %s, before: %s", s.name, again, a)
	}
	if again := s.asks("POST", "/checkout/place", body); s.one(again, "orderNumber") != s.one(a, "orderNumber") {
		s.wrong("%s orders once more: %s, before: %s", s.name, again, a)
	}
	if p := s.takes(s.one(a, "orderNumber"), before); p != nil && !p.isPaidAtProvider {
		if is := (screen{p.total.Sub(p.fee).Fixed(2), p.cards.Fixed(2), p.fee.Fixed(2)}); shown.total != "" &&
			(is.total != shown.total || is.cards != shown.cards || is.fee != shown.fee && p.fee != 0) {
			s.wrong("%s was shown %v and pays %v: %s", s.name, shown, is, a)
		}
	}
}

// nothingChanged compares the books with what they were before a refusal.
func (s *shopper) nothingChanged(before map[string]string, a answer) {
	if after := s.books(); a.status >= 400 && !maps.Equal(before, after) {
		s.wrong("%s is refused, %s, but\n%v became\n%v", s.name, a, before, after)
	}
}

// takes note of an order that the store has accepted, and looks whether everything says the same of it; nil where it
// was known before.
func (s *shopper) takes(number string, before map[string]string) *purchase {
	if slices.ContainsFunc(s.accepted, func(p *purchase) bool { return p.number == number }) {
		return nil
	}
	s.lines, s.payment, s.ref = nil, "", ""
	a := s.asks("GET", "/checkout/orders/"+number, "")
	if a.status != 200 {
		s.wrong("%s has ordered %s: %s", s.name, number, a)
		return nil
	}
	p := &purchase{by: s, id: s.one(a, "orderId"), number: number, total: sum(a, "totals.totalIncludingTax"),
		net: sum(a, "totals.total"), toPay: sum(a, "totals.amountToPay"), cards: sum(a, "totals.giftCardTotal"),
		fee: sum(a, "totals.feeIncludingTax"), codes: a.at("codes[type=DiscountCode].code"),
		payment: strings.Join(a.at("payment.paymentMethodCode"), ""), byCard: map[string]dec.Dec{}}
	for i, code := range a.at("codes[type=GiftCard].code") {
		p.byCard[code] = dec.Must(a.at("codes[type=GiftCard].amount")[i])
	}
	p.isPaidAtProvider = p.payment == "TEST" && p.toPay > 0
	s.accepted = append(s.accepted, p)
	s.totalsAddUp(a)
	s.adds(a, "lines[*].lineTotal", "totals.total")
	s.adds(a, "lines[*].lineTotalIncludingTax", "totals.totalIncludingTax")
	o := s.must(200, "GET", "/preview/orders/"+number, "")
	for at, want := range map[string]dec.Dec{"totalAmountIncludingTax": p.total, "totalAmount": p.net} {
		if sum(o, at) != want {
			s.wrong("%s was told %s, the order is %s", s.name, a, o)
		}
	}
	s.adds(o, "lines[*].lineTotal", "totalAmount")
	if s.books()["orders"] != before["orders"] { // else a job has placed it, as its payment was good
		s.tookOnce(p, before, o)
	}
	s.isWritten(p, a)
	if s.email != "" {
		if mine := s.asks("GET", "/portal/orders/"+p.id, ""); mine.status == 200 &&
			sum(mine, "totalAmountIncludingTax") != p.total {
			s.wrong("%s was told %s, and reads %s", s.name, a, mine)
		}
	}
	return p
}

// tookOnce compares what the books had before an order with what they have with it.
func (s *shopper) tookOnce(p *purchase, before map[string]string, o answer) {
	want, after := maps.Clone(before), s.books()
	less := func(name string, by dec.Dec) {
		want[name] = fmt.Sprint(int64(millionths(before[name]) - by))
	}
	want["orders"] = fmt.Sprint(int64(millionths(before["orders"]) + 1))
	for code, paid := range p.byCard {
		less("card "+code, paid)
	}
	for _, code := range p.codes {
		less("code "+code, -1)
	}
	for i, item := range o.at("lines[*].itemNumber") {
		if got := dec.Must(o.at("lines[*].allocatedQuantity")[i]); item != "null" && got != 0 {
			factor := dec.One
			if o.at("lines[*].unit")[i] == "BOX" {
				factor = s.boxOf(item)
			}
			want["promised "+item] = fmt.Sprint(int64(millionths(want["promised "+item]) + got.Mul(factor)))
		}
	}
	if !maps.Equal(want, after) {
		s.wrong("%s orders %s: of\n%v became\n%v instead of\n%v", s.name, o, before, after, want)
	}
}

// boxOf is how many pieces of an item are in a box.
func (b *bazaar) boxOf(item string) dec.Dec {
	return sum(b.must(200, "GET", "/preview/items/"+item+"/units", ""), "items[unitCode=BOX].factor")
}

// isWritten reads the letter that confirms an order: it says what the order comes to.
func (s *shopper) isWritten(p *purchase, a answer) {
	letters := s.rows("payload from job where company = :company and kind = 'mail' and payload like '%" + p.number +
		"%'")[0]
	currency := s.one(a, "currencyCode")
	said := slices.ContainsFunc(letters, func(text string) bool {
		return strings.Contains(text, moneyIn("sv", p.total, currency)) || strings.Contains(text, moneyIn("en", p.total,
			currency))
	})
	if !said {
		s.wrong("no letter of %d tells %s that %s comes to %s %s:\n%s", len(letters), s.name, p.number, p.total, currency,
			strings.Join(letters, "\n"))
	}
}

func moneyIn(language string, amount dec.Dec, currency string) string {
	return letters.Money(language, amount, 2, currency)
}

// staysTheSame opens the house anew, without anything that was kept: everybody is shown what he was shown before, and
// nobody is shown what is another's.
func (b *bazaar) staysTheSame() {
	for _, s := range b.buyers {
		s.looksForOthers()
	}
	seen := b.seesAll()
	b.anew(0)
	for what, is := range b.seesAll() {
		if seen[what] != is {
			b.wrong("%s: shown\n%s\nis\n%s", what, seen[what], is)
		}
	}
	b.anew(1 << 25)
}

// seesAll is what everybody is shown of what is his.
func (b *bazaar) seesAll() map[string]string {
	seen := map[string]string{}
	for _, s := range b.buyers {
		if a := s.send("GET", "/ecom/cart", "", s.head...); a.status == 200 { // which tells news once
			s.sees(a)
		}
		for _, path := range []string{"/cart", "/cart/summary", "/checkout/data", "/session", "/portal/orders",
			"/portal/invoices", "/portal/shipments", "/portal/returns", "/portal/quotes", "/portal/addresses",
			"/portal/dashboard", "/portal/context", "/portal/order-approvals"} {
			a := s.send("GET", "/ecom"+path, "", s.head...)
			if a.status >= 500 {
				s.wrong("%s: %s: %s", s.name, path, a)
			}
			seen[s.name+" asks for "+path] = cmp.Or(a.code(), string(a.raw))
		}
	}
	return seen
}

// looksForOthers asks for what is another customer's, by its id and number, and changes it: there is nothing.
func (s *shopper) looksForOthers() {
	for _, other := range s.buyers {
		if other == s || other.customer != "" && other.customer == s.customer || s.IntN(3) > 0 {
			continue
		}
		none := "019a9d2e-7c3f-7b51-9d2c-1f4e8a6b0c11"
		for _, id := range append(last(other.ordered()), none) {
			s.isNone("GET", "/portal/orders/"+id, "POST", "/portal/orders/"+id+"/cancel", "POST", "/portal/orders/"+id+
				"/reorder", "POST", "/portal/order-approvals/"+id+"/approve")
		}
		for _, id := range last(other.quotes) {
			s.isNone("GET", "/portal/quotes/"+id, "POST", "/portal/quotes/"+id+"/accept", "POST", "/portal/quotes/"+id+
				"/decline")
		}
		for _, id := range last(other.returns) {
			s.isNone("GET", "/portal/returns/"+id, "GET", "/portal/returns/"+id+"/slip")
		}
		for _, id := range last(other.addresses) {
			s.isNone("DELETE", "/portal/addresses/"+id, "POST", "/portal/addresses/"+id+"/default")
		}
		for _, id := range last(other.lines) {
			s.isNone("DELETE", "/cart/items/"+id)
		}
		if other.payment != "" {
			s.isNone("GET", "/checkout/sessions/"+other.payment)
		}
		for _, p := range s.accepted {
			if p.by == other {
				s.isNone("GET", "/checkout/orders/"+p.number)
			}
		}
	}
}

func last(all []string) []string { return all[max(0, len(all)-2):] }

// isNone asks for what there must not be for this buyer.
func (s *shopper) isNone(asked ...string) {
	for i := 0; i < len(asked); i += 2 {
		s.next()
		a := s.send(asked[i], "/ecom"+asked[i+1], "", s.head...)
		isGuest := a.status == 401 && strings.HasPrefix(asked[i+1], "/portal/")
		if a.status != 404 && !isGuest {
			s.wrong("%s asks %s %s, which is another's: %s", s.name, asked[i], asked[i+1], a)
		}
	}
}

// closes ends the day: what is left of one item is wanted by all at once, all orders are brought to their ends, and the
// books agree with what was accepted.
func (b *bazaar) closes() {
	b.wantTheLast()
	b.settles()
	b.clerk.verify()
	for _, p := range b.accepted {
		b.balances(p)
	}
}

// wantTheLast lets several buyers order at once what two of them can have.
func (b *bazaar) wantTheLast() {
	b.inside(b.setsRight, func(tx *db.Tx) error {
		_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
			c.WarehouseCode, c.Store.StockWarehouses, c.Store.Features = "MAIN", nil, nil
			return nil
		})
		return err
	})
	b.item("LAST")
	b.stock("LAST", "A-01", 2)
	b.must(204, "PUT", "/preview/item-channels/LAST/WEB", `{"isPublished": true}`)
	b.items["LAST"] = b.rows("id from item where company = :company and number = 'LAST'")[0][0]
	var all []*shopper
	for k := range 6 {
		s := &shopper{bazaar: b, name: fmt.Sprint("late guest ", k), country: "SE"}
		s.comes()
		s.saysWho()
		s.saysWhere()
		for _, step := range [][3]string{{"POST", "/cart/items", `{"itemId": "` + b.items["LAST"] + `", "quantity": 1}`},
			{"PUT", "/checkout/delivery", `{"shippingMethodCode": "PICKUP"}`},
			{"PUT", "/checkout/payment", `{"paymentMethodCode": "PREPAYMENT"}`}} {
			if a := s.asks(step[0], step[1], step[2]); a.status >= 300 {
				s.wrong("%s: %s", s.name, a)
			}
		}
		all = append(all, s)
	}
	answers := b.answers(len(all), func(i int) (answer, error) {
		c := *b.client
		c.url = b.urls[i%len(b.urls)]
		return c.try("POST", "/ecom/checkout/place", `{"termsAccepted": true}`, all[i].head...)
	})
	if got := outcomes(answers); got != "2x201 4x409 Inventory.InsufficientStock" {
		b.wrong("of two pieces for six buyers: %s", got)
	}
}

// settles brings orders to their ends: what is out comes back credited or not, what was delivered is billed, bills are
// booked, and the jobs are done.
func (b *bazaar) settles() {
	try := func(do func(tx *db.Tx) error) { _ = b.kontor.InCompany(b.Context(), "acme", do) }
	for range 3 {
		for _, p := range b.accepted {
			try(func(tx *db.Tx) error { _, err := sales.Cancel(tx, p.number); return err })
			try(func(tx *db.Tx) error { _, err := sales.Close(tx, p.number); return err })
			try(func(tx *db.Tx) error { _, err := invoicing.FromOrders(tx, []string{p.number}, ""); return err })
		}
		for _, number := range b.rows("number from invoice where company = :company order by number")[0] {
			try(func(tx *db.Tx) error { _, err := invoicing.Book(tx, number); return err })
		}
		try(hurried)
		if _, err := b.kontor.Work().RunDue(b.Context(), b.company.ID); err != nil {
			b.Fatal(err)
		}
	}
}

// balances holds the money of an order against its bills: the seller has what he billed and no more, and no less unless
// that was not paid.
func (b *bazaar) balances(p *purchase) {
	var o sales.Order
	var bills map[string]*invoicing.Invoice
	var card dec.Dec
	b.inside(func(tx *db.Tx) (err error) {
		if o, err = sales.Find(tx, p.number); err != nil {
			return err
		}
		card, _ = promotion.GiftCardsPaid(tx, p.id)
		bills, err = invoicing.FindMany(tx, o.InvoiceNumbers)
		return err
	})
	if o.Status.IsOpen() {
		return // something of it is still out
	}
	var billed, conceded dec.Dec
	for _, i := range bills {
		switch total := i.TotalIncludingTax(); {
		case i.Status != invoicing.Booked:
		case len(i.OrderNumbers) != 1:
			return // with other orders: the bill's money is theirs as well
		case i.Type == invoicing.CreditNote && i.ReturnNumber == "" && !i.Lines[0].Rebill:
			conceded = conceded.Add(total)
		case i.Type == invoicing.CreditNote:
			billed = billed.Sub(total)
		default:
			billed = billed.Add(total)
		}
	}
	var kept dec.Dec
	for _, n := range b.rows("cast(captured - refunded as text) from payment where company = :company and order_id = '" +
		p.id + "'")[0] {
		kept = kept.Add(millionths(n))
	}
	if o.Invoicing == sales.FullyInvoiced && o.TotalIncludingTax() == p.total && len(bills) == 1 && billed != p.total {
		b.wrong("order %s of %s was accepted at %s and is billed at %s", p.number, p.by.name, p.total, billed)
	}
	has, most, least := kept.Add(card), max(0, min(billed, p.total)), min(billed.Sub(conceded), p.total)
	if has > most || p.isPaidAtProvider && has < least {
		b.wrong("order %s of %s, %s: of %s, %s and %s by card are kept for %s that are billed, %s of it conceded",
			p.number, p.by.name, o.Status, p.total, kept, card, billed, conceded)
	}
}
