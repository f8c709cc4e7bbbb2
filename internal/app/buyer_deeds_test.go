package app_test

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/freight"
	"kontor/internal/business/invoicing"
	"kontor/internal/business/party"
	"kontor/internal/business/production"
	"kontor/internal/business/promotion"
	"kontor/internal/business/quoting"
	"kontor/internal/business/reference"
	"kontor/internal/business/returns"
	"kontor/internal/business/shipping"
	"kontor/internal/business/stock"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
	trial "kontor/internal/front/payment/testing"
)

// tempting is what changes what a cart comes to, and is no goods.
func tempting() []deed {
	return []deed{
		inside("a code grants otherwise", func(m *merchant, tx *db.Tx) error {
			_, err := promotion.Change(tx, m.word("TEN|ONCE|MINE"), func(d *promotion.Discount) error {
				d.Percent, d.IsActive = dec.Must(m.word("10|20|33.3|100")), m.IntN(3) > 0
				d.LimitTotal, d.LimitCustomer = m.IntN(4), m.IntN(2)
				d.Scope = pick(m.Rand, promotion.Scope{}, promotion.Scope{Included: promotion.Goods{Items: []string{"A", "D"}}},
					promotion.Scope{CustomerGroups: []string{"TRADE"}})
				return nil
			})
			return err
		}),
		inside("an amount is another", func(m *merchant, tx *db.Tx) error {
			_, err := promotion.Change(tx, "OFF25", func(d *promotion.Discount) error {
				d.Amount, d.CurrencyCode = dec.Must(m.word("25|7.77|500")), m.word("SEK|SEK|EUR")
				d.MinValue = dec.Must(m.word("0|50"))
				d.IsActive, d.ValidTo = m.IntN(4) > 0, pick(m.Rand, "", "", tx.Today(), tx.Today().AddDays(-1))
				return nil
			})
			return err
		}),
		inside("a gift card is corrected", func(m *merchant, tx *db.Tx) error {
			found, err := promotion.ListCards(tx, promotion.Filter{}, record.Page{Number: 1, Size: 10})
			if err != nil || len(found.Items) == 0 {
				return err
			}
			slices.SortFunc(found.Items, func(a, b promotion.Card) int { return cmp.Compare(a.Code, b.Code) })
			card := found.Items[m.IntN(len(found.Items))]
			if m.IntN(4) == 0 {
				_, err = promotion.ChangeCard(tx, card.ID, func(c *promotion.Card) error {
					c.IsActive, c.ExpiresOn = m.IntN(2) > 0, pick(m.Rand, "", tx.Today(), tx.Today().AddDays(-1))
					return nil
				})
				return err
			}
			_, err = promotion.CorrectCard(tx, card.ID, dec.Must(m.word("25.50|-20|300|-1000")), "by hand")
			return err
		}),
		inside("freight is another", func(m *merchant, tx *db.Tx) error {
			found, err := freight.List(tx, "", record.Page{Number: 1, Size: 10})
			if err != nil || len(found.Items) == 0 {
				return err
			}
			slices.SortFunc(found.Items, func(a, b freight.Rate) int {
				return cmp.Compare(a.MethodCode+a.CountryCode, b.MethodCode+b.CountryCode)
			})
			_, err = freight.Change(tx, found.Items[m.IntN(len(found.Items))].ID, func(r *freight.Rate) error {
				free := dec.Must(m.word("100|250.5"))
				r.Steps[0].Price, r.FreeFrom = dec.Must(m.word("0|49|12.34")), pick(m.Rand, nil, &free)
				r.IsPriceIncludingTax, r.IsActive, r.TaxCode = m.IntN(2) > 0, m.IntN(5) > 0, m.word("STD|RED|ZERO")
				return nil
			})
			return err
		}),
		inside("tax is another", func(m *merchant, tx *db.Tx) error {
			return reference.SaveTaxCodes(tx, reference.TaxCode{Code: m.word("STD|RED"), Name: "Tax", IsActive: true,
				Rates: []reference.TaxRate{{Country: "SE", Percent: dec.Must(m.word("25|12|6"))},
					{Country: "DE", Percent: dec.Must(m.word("0|19"))}}})
		}),
		inside("the rate of the euro is another", func(m *merchant, tx *db.Tx) error {
			return reference.SaveRates(tx, "EUR", reference.RatePoint{Date: tx.Today(),
				Rate: dec.Rate{Amount: dec.Must(m.word("10.5|11.2345|12")), Units: dec.One}})
		}),
		sends("PUT", "/items/K/configuration", choices("25"), choices("30"), choices("0"),
			strings.ReplaceAll(choices("25"), `"oak"`, `"elm"`)),
	}
}

// serving is what changes whom a store serves, and how they pay.
func serving() []deed {
	return []deed{
		inside("a way to pay costs otherwise", func(m *merchant, tx *db.Tx) error {
			method, err := checkout.FindMethod(tx, m.word("TEST|PREPAYMENT|INVOICE"))
			if err != nil {
				return err
			}
			method.Fee, method.FeeIncludesTax = dec.Must(m.word("0|0|29|19.90")), m.IntN(2) > 0
			method.FeeTaxCode, method.IsActive = m.word("|STD|RED"), m.IntN(6) > 0
			_, err = checkout.Save(tx, m.kontor.Providers(), method)
			return err
		}),
		inside("the store offers other things", func(m *merchant, tx *db.Tx) error {
			_, err := channel.Change(tx, "WEB", func(c *channel.Channel) error {
				f := c.Store.Offers()
				f.GuestCheckout, f.DiscountCodes, f.GiftCards = m.IntN(5) > 0, m.IntN(5) > 0, m.IntN(5) > 0
				f.Quotes, f.Returns = m.IntN(5) > 0, m.IntN(5) > 0
				over := dec.Must(m.word("50|150|1000"))
				c.Store.Features, c.Store.ApprovalOver = &f, pick(m.Rand, nil, &over, &over)
				return nil
			})
			return err
		}),
		inside("a customer is treated otherwise", func(m *merchant, tx *db.Tx) error {
			_, err := party.Update(tx, m.word("C-1|C-2|C-3"), func(c *party.Customer) error {
				limit := dec.Must(m.word("0|500|2000|9000"))
				c.CreditLimit, c.IsActive = pick(m.Rand, nil, &limit, &limit), m.IntN(8) > 0
				c.PaymentTermCode = m.word("NET30|NET30||PREPAID")
				c.GroupCode = m.word("TRADE||RETAIL")
				return nil
			})
			return err
		}),
		inside("a contact may do other things", func(m *merchant, tx *db.Tx) error {
			number := m.word("C-1|C-2|C-3")
			found, err := party.Contacts(tx, number, record.Page{Number: 1, Size: 10})
			if err != nil || len(found.Items) == 0 {
				return err
			}
			slices.SortFunc(found.Items, func(a, b party.Contact) int { return cmp.Compare(a.Email, b.Email) })
			id := found.Items[m.IntN(len(found.Items))].ID
			_, err = party.UpdateContact(tx, number, id, func(c *party.Contact) error {
				c.Role, c.HasPortalAccess = m.word("Buyer|Approver|Admin|Admin|ReadOnly"), m.IntN(8) > 0
				return nil
			})
			return err
		}),
		sends("PUT", "/item-channels/<A|D|M|A-1>/WEB", `{"isPublished": true, "allowBackorder": <yes>}`),
	}
}

// setsRight is a merchant who undoes what keeps people from buying.
func (b *bazaar) setsRight(tx *db.Tx) (err error) {
	try := func(e error) { err = cmp.Or(err, e) }
	for _, number := range b.goods {
		_, e := catalog.Change(tx, number, func(i *catalog.Item) error { i.IsActive = true; return nil })
		try(e)
		_, e = channel.Publish(tx, []channel.Publication{{ItemNumber: number, ChannelCode: "WEB", IsPublished: true,
			IsPurchasable: true}})
		try(e)
	}
	for _, code := range []string{"TEST", "PREPAYMENT", "INVOICE"} {
		m, e := checkout.FindMethod(tx, code)
		try(e)
		m.IsActive = true
		_, e = checkout.Save(tx, b.kontor.Providers(), m)
		try(e)
	}
	rates, e := freight.List(tx, "", record.Page{Number: 1, Size: 10})
	try(e)
	for _, r := range rates.Items {
		_, e := freight.Change(tx, r.ID, func(r *freight.Rate) error { r.IsActive = true; return nil })
		try(e)
	}
	for _, number := range []string{"C-1", "C-2", "C-3"} {
		_, e := party.Update(tx, number, func(c *party.Customer) error { c.IsActive = true; return nil })
		try(e)
		people, e := party.Contacts(tx, number, record.Page{Number: 1, Size: 10})
		try(e)
		for _, p := range people.Items {
			_, e := party.UpdateContact(tx, number, p.ID, func(c *party.Contact) error {
				c.HasPortalAccess, c.IsActive = true, true
				return nil
			})
			try(e)
		}
	}
	return err
}

// worksOff is what an office does to orders of its store, from their beginning to their end.
func (b *bazaar) worksOff() {
	what := pick(b, "sends", "sends", "sends", "sends", "makes", "bills", "books", "books", "has money", "works", "works",
		"offers", "offers", "takes back", "takes back", "credits", "credits", "stocks up", "stocks up", "stocks up",
		"sets right", "sets right")
	err := b.kontor.InCompany(b.Context(), "acme", func(tx *db.Tx) error {
		b.thinks(1)
		return b.office(tx, what)
	})
	if what == "works" {
		_, err = b.kontor.Work().RunDue(b.Context(), b.company.ID)
	}
	problem := ""
	if err != nil {
		problem = ": " + err.Error()
	}
	b.tells("the office " + what + problem)
}

func (b *bazaar) office(tx *db.Tx, what string) (err error) {
	one := func(kind string) string {
		all := b.clerk.numbers[kind]
		if len(all) == 0 {
			return "NONE"
		}
		return all[len(all)-1-b.IntN(min(len(all), 8))]
	}
	order := one("order")
	if n := len(b.accepted); n > 0 {
		order = b.accepted[n-1-b.IntN(min(n, 10))].number
	}
	switch what {
	case "sends":
		return sendOff(tx, order)
	case "makes":
		_, err = production.Finish(tx, one("work"))
	case "bills":
		_, err = invoicing.FromOrders(tx, []string{order}, "")
	case "books":
		_, err = invoicing.Book(tx, one("invoice"))
	case "has money":
		err = checkout.Arrived(tx, order, checkout.Arrival{Amount: dec.Must(pick(b, "10", "100", "75.50"))})
	case "offers":
		_, err = quoting.Send(tx, one("quote"), quoting.Reader{})
	case "takes back":
		n := one("return")
		if _, err = returns.Approve(tx, n); err == nil {
			_, err = returns.Receive(tx, n, nil)
		}
	case "credits":
		_, err = returns.Credit(tx, one("return"))
	case "works":
		err = hurried(tx)
	case "sets right":
		return b.setsRight(tx)
	case "stocks up":
		for _, item := range strings.Fields("A D M A-1 A-1-S A-1-L") {
			_, e := stock.Adjust(tx, stock.Adjustment{Warehouse: "MAIN", Location: "A-01", Item: item, Quantity: dec.Int(20)})
			err = cmp.Or(err, e)
		}
	}
	return err
}

// sendOff brings what there is of an order to its carrier.
func sendOff(tx *db.Tx, order string) error {
	s, err := shipping.Create(tx, shipping.New{OrderNumbers: []string{order}})
	if err != nil {
		return err
	}
	_, e1 := shipping.PickGoods(tx, s.Number, nil)
	_, e2 := shipping.BookCarrier(tx, s.Number, shipping.Booking{})
	_, e3 := shipping.HandOver(tx, s.Number, 0)
	return cmp.Or(e1, e2, e3)
}

// hurried makes due what waits, as if an hour had passed.
func hurried(tx *db.Tx) error {
	found, err := jobs.List(tx, jobs.Filter{Status: jobs.Waiting}, record.Page{Number: 1, Size: 200})
	for i := 0; err == nil && i < len(found.Items); i++ {
		if strings.HasPrefix(found.Items[i].Kind, "payment") {
			_, err = jobs.Retry(tx, found.Items[i].ID)
		}
	}
	return err
}

// eager is what buyers do more often than once.
var eager = map[string]int{"puts something in": 8, "looks": 3, "orders": 6, "goes all the way": 30, "changes a line": 3,
	"says how": 2, "says with what": 2, "enters a code": 4, "pays": 4, "hears from the provider": 4,
	"asks for a quote": 2, "decides on a quote": 4, "cancels": 3, "approves": 3, "sends back": 4, "wants it again": 2}

// shopping is what a buyer does, by its name.
var shopping = map[string]func(s *shopper){
	"puts something in":       (*shopper).putsIn,
	"puts much in":            (*shopper).putsMuchIn,
	"changes a line":          (*shopper).changes,
	"takes a line out":        (*shopper).takesOut,
	"empties the cart":        func(s *shopper) { s.asks("DELETE", "/cart", "") },
	"writes a note":           func(s *shopper) { s.asks("PATCH", "/cart", `{"reference": "PO 7", "note": "ring"}`) },
	"looks":                   func(s *shopper) { s.asks("GET", "/cart", "") },
	"reads the checkout":      func(s *shopper) { s.asks("GET", "/checkout/data", "") },
	"says who":                (*shopper).saysWho,
	"says where":              (*shopper).saysWhere,
	"says how":                (*shopper).saysHow,
	"says with what":          func(s *shopper) { s.says(s.wayToPay()) },
	"enters a code":           (*shopper).entersCode,
	"takes a code off":        func(s *shopper) { s.asks("DELETE", "/checkout/codes/"+s.code(), "") },
	"wants it shown":          (*shopper).wantsShown,
	"pays":                    (*shopper).pays,
	"hears from the provider": (*shopper).hears,
	"orders":                  (*shopper).orders,
	"goes all the way":        (*shopper).goesAllTheWay,
	"leaves and comes back":   (*shopper).leaves,
	"comes by another door":   (*shopper).comesAgain,
	"asks for a quote":        (*shopper).asksForQuote,
	"decides on a quote":      (*shopper).decides,
	"wants it again":          (*shopper).wantsAgain,
	"cancels":                 (*shopper).cancels,
	"approves":                (*shopper).approves,
	"sends back":              (*shopper).sendsBack,
	"keeps an address":        (*shopper).keepsAddress,
}

// own is one of what a buyer knows of his; something else where there is nothing.
func (s *shopper) own(all []string) string {
	if len(all) == 0 {
		return "019a9d2e-7c3f-7b51-9d2c-1f4e8a6b0c11"
	}
	return all[len(all)-1-s.IntN(min(len(all), 4))]
}

func (s *shopper) code() string {
	return pick(s, "TEN", "OFF25", "ONCE", "MINE", "SHIP", "GIFT-A", "GIFT-B", "GIFT-E")
}

func (s *shopper) item() string { return pick(s, s.goods...) }

// wish is something that is put into the cart.
func (s *shopper) wish() string {
	number, quantity, more := s.item(), pick(s, "1", "1", "2", "3", "7"), ""
	switch {
	case number == "K":
		more = fmt.Sprintf(`, "values": [{"featureCode": "top", "optionCode": %q}]`, pick(s, "pine", "oak", "oak"))
	case number == "D":
		quantity = pick(s, "0.25", "1.5", "2")
	case number == "A" && s.IntN(3) == 0:
		more = fmt.Sprintf(`, "unit": %q`, pick(s, "BOX", "PCS"))
	}
	return fmt.Sprintf(`{"itemId": %q, "quantity": %q%s}`, s.items[number], quantity, more)
}

func (s *shopper) putsIn() { s.asks("POST", "/cart/items", s.wish()) }

func (s *shopper) putsMuchIn() {
	s.asks("POST", "/cart/items/batch", fmt.Sprintf(`{"items": [%s, %s, %s]}`, s.wish(), s.wish(), s.wish()))
}

func (s *shopper) changes() {
	s.asks("PATCH", "/cart/items/"+s.own(s.lines), fmt.Sprintf(`{"quantity": %q}`, pick(s, "1", "2", "5", "0.75")))
}

func (s *shopper) takesOut() { s.asks("DELETE", "/cart/items/"+s.own(s.lines), "") }

func (s *shopper) saysWho() {
	email := cmp.Or(s.email, strings.ReplaceAll(s.name, " ", "-")+"@example.com")
	s.asks("PUT", "/checkout/contact", fmt.Sprintf(`{"email": %q, "firstName": "Kim", "lastName": %q}`, email, s.name))
}

func address(country string) string {
	return fmt.Sprintf(`{"name": "Kim", "street1": "Ring 1", "postalCode": %q, "city": "Stadt", "countryCode": %q}`,
		map[string]string{"SE": "111 22", "DE": "20095"}[country], country)
}

func (s *shopper) saysWhere() {
	there := ""
	if s.IntN(4) == 0 {
		there = `, "delivery": ` + address(pick(s, "SE", "DE"))
	}
	s.asks("PUT", "/checkout/addresses", `{"billing": `+address(s.country)+there+`}`)
}

func (s *shopper) saysHow() {
	s.asks("PUT", "/checkout/delivery", fmt.Sprintf(`{"shippingMethodCode": %q}`, pick(s, "PARCEL", "PARCEL", "PICKUP")))
}

func (s *shopper) wayToPay() string {
	way := pick(s, "PREPAYMENT", "TEST", "TEST")
	if s.customer != "" && s.IntN(2) == 0 {
		way = "INVOICE"
	}
	return way
}

func (s *shopper) says(way string) {
	s.asks("PUT", "/checkout/payment", fmt.Sprintf(`{"paymentMethodCode": %q}`, way))
}

func (s *shopper) entersCode() {
	s.asks("POST", "/checkout/apply-code", fmt.Sprintf(`{"code": %q}`, s.code()))
}

func (s *shopper) wantsShown() {
	s.asks("PATCH", "/session", pick(s, `{"isPriceIncludingTax": true}`, `{"isPriceIncludingTax": false}`,
		`{"languageCode": "sv"}`, `{"languageCode": "en"}`, `{"countryCode": "DE"}`, `{"countryCode": "SE"}`))
}

// pays starts a payment with the provider that the test plays. One that is good at once makes the order.
func (s *shopper) pays() {
	before := s.books()
	card := pick(s, trial.CardSucceeds, trial.CardSucceeds, "", trial.CardDeclined, trial.CardSilent, trial.CardTwice)
	data := ""
	if card != "" {
		data = fmt.Sprintf(`, "data": {"card": %q}`, card)
	}
	a := s.asks("POST", "/checkout/sessions", `{"returnUrl": "https://shop.example.com/done", "method": "TEST"`+data+`}`)
	if a.status == 201 {
		s.payment, s.ref = s.one(a, "id"), strings.TrimPrefix(s.one(a, "clientKey"), "null")
		s.looksAtPayment(before)
	}
}

// looksAtPayment finds the order that a payment has made, if it has.
func (s *shopper) looksAtPayment(before map[string]string) {
	a := s.asks("GET", "/checkout/sessions/"+s.payment, "")
	if n := a.at("orderNumber"); len(n) == 1 && n[0] != "null" {
		s.takes(n[0], before)
	}
}

// hears is what the provider reports of his payment, which may place the order without him.
func (s *shopper) hears() {
	if s.ref == "" {
		return
	}
	before := s.books()
	sent, err := trial.Deliveries(s.account, s.ref, trial.CardSucceeds, time.Now())
	for _, d := range sent {
		to, e := url.Parse(d.Address)
		if err = cmp.Or(err, e); err != nil {
			break
		}
		s.next()
		a := s.send("POST", to.RequestURI(), string(d.Body), "X-Api-Key:", "Idempotency-Key:",
			trial.SignatureHeader+": "+d.Header[trial.SignatureHeader])
		if a.status != 204 {
			s.wrong("a callback is answered %s", a)
		}
	}
	if err != nil {
		s.Fatal(err)
	}
	s.looksAtPayment(before)
}

// goesAllTheWay says all that is to be said, and orders.
func (s *shopper) goesAllTheWay() {
	s.saysWho()
	s.saysWhere()
	s.saysHow()
	if len(s.lines) == 0 {
		s.putsIn()
	}
	way := s.wayToPay()
	s.says(way)
	if s.IntN(2) == 0 { // of what there is too little of he wants none
		a := s.asks("GET", "/cart", "")
		for _, line := range a.at("lines[*].warnings[code=Inventory.InsufficientStock].lineId") {
			s.asks("DELETE", "/cart/items/"+line, "")
		}
	}
	if s.IntN(3) == 0 {
		s.entersCode()
	}
	if s.IntN(3) == 0 { // something comes in between
		s.does()
	}
	if way == "TEST" || s.IntN(6) == 0 {
		s.pays()
	}
	s.orders()
	if s.IntN(3) == 0 {
		s.hears()
	}
}

// comesAgain opens another session, puts something in, and signs in: what lay in his carts before is moved into it.
func (s *shopper) comesAgain() {
	if s.email == "" {
		return
	}
	had := map[string]dec.Dec{}
	for _, tab := range s.tabs {
		for what, n := range s.pieces(tab) {
			had[what] = had[what].Add(n)
		}
	}
	earlier := s.tabs
	s.comes()
	s.putsIn()
	for what, n := range s.pieces(s.head) {
		had[what] = had[what].Add(n)
	}
	if !s.signsIn() {
		return // he may no longer come in
	}
	now := s.asks("GET", "/cart", "")
	leftOut := len(now.at("messages[code=Cart.LinesLeftOut].code")) > 0
	if is := s.pieces(s.head); !leftOut && fmt.Sprint(is) != fmt.Sprint(had) {
		s.wrong("%s had %v in all, and has %v: %s", s.name, had, is, now)
	}
	for _, tab := range earlier {
		if rest := s.pieces(tab); len(rest) > 0 {
			s.wrong("%s has %v also where it was before", s.name, rest)
		}
	}
	s.tabs = [][]string{s.head}
}

func (s *shopper) asksForQuote() {
	a := s.asks("POST", "/portal/quotes/request", fmt.Sprintf(
		`{"message": "How much?", "lines": [{"itemId": %q, "quantity": "2"}, {"itemId": %q, "quantity": "3"}]}`,
		s.items[s.item()], s.items[s.item()]))
	if a.status == 201 {
		s.quotes = append(s.quotes, s.one(a, "quoteId"))
	}
}

// decides on a quote, which becomes an order at what it says.
func (s *shopper) decides() {
	id := s.own(s.quotes)
	q := s.asks("GET", "/portal/quotes/"+id, "")
	if s.IntN(4) == 0 {
		s.asks("POST", "/portal/quotes/"+id+"/decline", `{"reason": "No"}`)
		return
	}
	a := s.asks("POST", "/portal/quotes/"+id+"/accept", "")
	if a.status != 204 {
		return
	}
	if s.one(q, "canAccept") != "true" {
		s.wrong("what cannot be accepted was: %s", q)
	}
	q = s.asks("GET", "/portal/quotes/"+id, "")
	o := s.must(200, "GET", "/preview/orders/"+s.one(q, "orderNumber"), "")
	if s.one(o, "totalAmount") != s.one(q, "totalAmount") { // the taxes are those of the order's day
		s.wrong("the quote was %s\nthe order is %s", q, o)
	}
}

func (s *shopper) ordered() (ids []string) {
	for _, p := range s.accepted {
		if p.by == s {
			ids = append(ids, p.id)
		}
	}
	return ids
}

func (s *shopper) wantsAgain() {
	s.asks("POST", "/portal/orders/"+s.own(s.ordered())+"/reorder", "")
	s.asks("GET", "/cart", "") // of which the answer before says nothing
}

func (s *shopper) cancels() { s.asks("POST", "/portal/orders/"+s.own(s.ordered())+"/cancel", "") }

func (s *shopper) approves() {
	a := s.asks("GET", "/portal/order-approvals", "")
	if id := a.at("items[0].id"); len(id) == 1 {
		if s.IntN(4) == 0 {
			s.asks("POST", "/portal/order-approvals/"+id[0]+"/reject", `{"reason": "Too dear"}`)
			return
		}
		s.asks("POST", "/portal/order-approvals/"+id[0]+"/approve", "")
	}
}

func (s *shopper) sendsBack() {
	a := s.asks("POST", "/portal/returns", fmt.Sprintf(`{"orderId": %q, "reason": "CustomerRemorse",
		"lines": [{"orderLineNumber": %d, "quantity": "1"}]}`, s.own(s.ordered()), 1+s.IntN(2)))
	if a.status == 201 {
		s.returns = append(s.returns, s.one(a, "id"))
	}
}

func (s *shopper) keepsAddress() {
	a := s.asks("POST", "/portal/addresses", address(pick(s, "SE", "DE")))
	if a.status == 201 {
		s.addresses = append(s.addresses, s.one(a, "id"))
		s.asks("POST", "/portal/addresses/"+s.one(a, "id")+"/default", "")
	}
}
