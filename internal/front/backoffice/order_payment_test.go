package backoffice_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/sales"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/mail"
	"kontor/internal/foundation/record"
)

// buyer is a visitor of the company's store, as the store's own server asks for it.
type buyer struct {
	o     *office
	token string
}

// ask makes a call of /ecom that must succeed.
func (v *buyer) ask(method, path string, body any) map[string]any {
	t := v.o.t
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(method, v.o.server.URL+"/ecom"+path, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Tenant-Id", v.o.company.ID)
	r.Header.Set("X-Channel", "WEB")
	if v.token != "" {
		r.Header.Set("Authorization", "Bearer "+v.token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s %s: %d %v %v", method, path, resp.StatusCode, out, err)
	}
	return out
}

// ordersInAdvance buys one hammer, to be paid by transfer before it is sent.
func (o *office) ordersInAdvance(codes ...string) (number string) {
	o.t.Helper()
	v := &buyer{o: o}
	v.token = v.ask("GET", "/session", nil)["sessionToken"].(string)
	found := v.ask("GET", "/catalog/search?q=hammer", nil)["items"].([]any)
	if len(found) != 1 {
		o.t.Fatalf("found %v", found)
	}
	v.ask("POST", "/cart/items", map[string]any{"itemId": found[0].(map[string]any)["id"], "quantity": "1"})
	for _, code := range codes {
		v.ask("POST", "/checkout/apply-code", map[string]any{"code": code})
	}
	v.ask("PUT", "/checkout/contact", map[string]any{"email": "ed@buyer.test", "firstName": "Ed", "lastName": "Ek"})
	v.ask("PUT", "/checkout/addresses",
		map[string]any{"billing": map[string]any{"name": "Ed Ek", "street1": "Gatan 1", "postalCode": "111 22",
			"city": "Stockholm", "countryCode": "SE"}})
	v.ask("PUT", "/checkout/delivery", map[string]any{"shippingMethodCode": "PARCEL"})
	v.ask("PUT", "/checkout/payment", map[string]any{"paymentMethodCode": "PREPAYMENT"})
	return v.ask("POST", "/checkout/place", map[string]any{"termsAccepted": true})["orderNumber"].(string)
}

// soldInAdvance is an order that is to be paid in advance, and the browser of who may do everything.
func (o *office) soldInAdvance() (b *browser, number string) {
	o.t.Helper()
	b = o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/publications")
	b.submit("/new/publications", "channelCode", "WEB", "itemNumber", "A-100")
	return b, o.ordersInAdvance()
}

// A buyer pays in advance: the order waits until somebody has seen all of the money on the account.
func TestMoneyThatCameIsRegisteredOnItsOrder(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, number := o.soldInAdvance()
		at := "/orders/" + number

		b.get(at)
		b.see("Placed", "Payment in advance", "Pending", "1,500.63", "Register a payment")
		b.get(at + "/payment")
		if got := b.value("amount"); got != "1500.63" {
			t.Errorf("the payment begins with %s, want all of it", got)
		}
		b.submit(at+"/payment", "amount", "2000")
		b.see("499.37 SEK more")
		b.submit(at+"/payment", "amount", "0.001")
		b.see("has more than the 2 decimals")
		b.submit(at+"/payment", "amount", "1000")
		b.see("The payment is registered.", "Placed", "Pending", "1,000.00")
		b.get(at + "/payment")
		if got := b.value("amount"); got != "500.63" {
			t.Errorf("the second payment begins with %s, want the rest", got)
		}
		b.submit(at + "/payment")
		b.see("The payment is registered.", "Released", "Captured", "1,500.63")
		b.get(at + "/payment")
		b.see("Order " + number + " waits for no money")

		b.get(at)
		b.submit(at + "/ship")
		shipment := b.at
		b.submit(shipment + "/pick")
		b.get(shipment + "/hand-over")
		b.submit(shipment + "/hand-over")
		b.get("/new/invoices?chosen=" + number)
		b.submit("/new/invoices")
		b.get(at)
		b.get(attr(b.find(func(n *html.Node) bool { return strings.HasPrefix(attr(n, "href"), "/invoices/") }), "href"))
		b.see("Payment in advance1,500.63", "Balance0.00 SEK")
		b.miss("PREPAYMENT")

		stock := o.signedIn("bo@acme.test", identity.Warehouse)
		stock.get(at + "/payment")
		if stock.status != http.StatusForbidden {
			t.Errorf("the warehouse registers payments: %d", stock.status)
		}
	})
}

// Codes and gift cards that an order was placed with stand on it, also where they leave nothing to pay, and on the code
// that was used; called off, the order uses them no more.
func TestAnOrderSaysItsCodes(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/publications")
		b.submit("/new/publications", "channelCode", "WEB", "itemNumber", "A-100")
		b.get("/new/discount-codes")
		b.submit("/new/discount-codes", "code", "Summer", "percent", "10")
		b.see("Orders None.")
		b.get("/new/gift-cards")
		b.submit("/new/gift-cards", "initial", "5000", "code", "GIFT-1111-2222")
		number := o.ordersInAdvance("SUMMER", "gift11112222")
		at := "/orders/" + number
		b.get(at)
		b.see("Gift cards1,350.56 SEK", "Discount codeSummer", "visitor of Web shop")
		b.miss("To be paid")
		b.get("/discount-codes/Summer")
		b.see("Used1", number, "120.05 SEK", "Summer Active")
		b.get("/discount-codes/Summer/edit")
		b.submit("/discount-codes/Summer/edit", "limitTotal", "1")
		b.see("Summer Used up")
		b.get("/discount-codes/Summer/edit")
		b.submit("/discount-codes/Summer/edit", "validTo", "2020-01-01")
		b.see("Summer Expired")
		b.get("/discount-codes/Summer/edit")
		b.submit("/discount-codes/Summer/edit", "validTo", "", "limitTotal", "0")
		b.get(at + "/cancel")
		b.submit(at + "/cancel")
		b.miss("Gift cards", "Discount code")
		b.get("/discount-codes/Summer")
		b.see("Used0", "Orders None.")
	})
}

// Who calls off an order that was paid by transfer reads that the way back is his own: it waits on a list until
// somebody has noted it as transferred, once, and then the buyer hears of it.
func TestATransferGoesBackByHand(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, number := o.soldInAdvance()
		at := "/orders/" + number
		b.get(at + "/payment")
		b.submit(at + "/payment")
		b.get(at + "/cancel")
		b.see("what was paid goes back to the buyer")
		b.submit(at + "/cancel")
		o.works(t.Context())
		b.get(at)
		b.see("Paid back1,500.63 SEK", "Transfer the money back", "1,500.63 SEK go back to the buyer")
		b.get("/")
		b.see("Refunds to transfer1")
		b.get("/refunds?waits=yes")
		b.see(number, "Ed Ek", "To transfer", "1,500.63")
		b.get(attr(b.find(func(n *html.Node) bool { return strings.HasPrefix(attr(n, "href"), "/refunds/") }), "href"))
		refund := b.at
		b.see("Refund of order "+number, "ed@buyer.test", "The order is cancelled.")
		if mails := o.mailsAbout(number); slices.Contains(mails, "Återbetalning för beställning "+number) {
			t.Errorf("the buyer hears of money that nobody has transferred: %q", mails)
		}
		stock := o.signedIn("bo@acme.test", identity.Warehouse)
		stock.get(refund + "/repay")
		if stock.status != http.StatusForbidden {
			t.Errorf("the warehouse transfers refunds: %d", stock.status)
		}
		b.get(refund + "/repay")
		b.submit(refund+"/repay", "transferredOn", "2999-01-01")
		b.see("must be the day on which it was transferred, at the latest today")
		b.get(refund + "/repay")
		b.submit(refund + "/repay")
		b.see("The refund is noted as transferred.", "Transferred on", "Repay")
		if mails := o.mailsAbout(number); !slices.Contains(mails, "Återbetalning för beställning "+number) {
			t.Errorf("the buyer does not hear of the transfer: %q", mails)
		}
		b.get(refund + "/repay")
		b.see("This cannot be done to the record as it is now")
		b.get("/refunds?waits=yes")
		b.miss(number)
		b.get("/refunds")
		b.see(number, "Transferred")
		b.get("/")
		b.miss("Refunds to transfer1")
		b.get(at)
		b.see("Transferred back", "1,500.63")
		b.miss("Transfer the money back")
	})
}

// What the bank sent back, or was noted by mistake, waits again, and those that wait are noted together, each once.
func TestRefundsAreNotedTogether(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, number := o.soldInAdvance()
		b.get("/orders/" + number + "/payment")
		b.submit("/orders/" + number + "/payment")
		b.get("/orders/" + number + "/cancel")
		b.submit("/orders/" + number + "/cancel")
		o.works(t.Context())
		note := func() string {
			b.get("/refunds")
			chosen := b.find(func(n *html.Node) bool { return attr(n, "name") == "chosen" })
			if chosen == nil {
				return ""
			}
			b.get("/new/transferred?chosen=" + attr(chosen, "value"))
			b.see(number + ", 1,500.63 SEK")
			return attr(chosen, "value")
		}
		b.get("/new/transferred")
		b.submit("/new/transferred")
		b.see("choose at least one refund")
		id := note()
		b.submit("/new/transferred", "refunds", "")
		b.see("choose at least one refund")
		note()
		b.submit("/new/transferred")
		b.see("Refunds noted as transferred: 1.")
		b.get("/new/transferred?chosen=" + id)
		b.submit("/new/transferred")
		b.see("The refund of order " + number + " was transferred on")
		if note() != "" {
			t.Error("what was transferred can be chosen")
		}
		b.get("/refunds/" + id + "/reopen")
		b.submit("/refunds/" + id + "/reopen")
		b.see("The refund waits again.", "To transfer", "Reopen")
		if note() != id {
			t.Error("what waits again cannot be chosen")
		}
	})
}

// Whose unpaid order is called off hears that nothing comes, and that there is nothing to pay.
func TestABuyerHearsThatHisOrderIsCalledOff(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, number := o.soldInAdvance()
		b.get("/orders/" + number + "/cancel")
		b.submit("/orders/" + number + "/cancel")
		b.see("The order is cancelled.")
		want := []string{"Beställning " + number + " är avbeställd", "Orderbekräftelse " + number}
		if mails := o.mailsAbout(number); !slices.Equal(mails, want) {
			t.Errorf("the mails are %q, want %q", mails, want)
		}
		b.get("/jobs?kind=mail&q=" + number)
		b.see("1–2 of 2")
	})
}

// The list of refunds, and the way to a transfer, in a real browser.
func TestRefundsInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b, number := o.soldInAdvance()
	b.get("/orders/" + number + "/payment")
	b.submit("/orders/" + number + "/payment")
	b.get("/orders/" + number + "/cancel")
	b.submit("/orders/" + number + "/cancel")
	o.works(t.Context())
	w.do("sign in", w.to("/sign-in"), typed("email", "anna@acme.test"), typed("password", password+"\r"), said("nav"))
	w.do("the order", w.to("/orders/"+number), said("main"))
	w.looksAt("refund-order")
	w.do("the list", w.to("/refunds"), said(`main a[href^="/refunds/"]`))
	w.looksAt("refund-list")
	w.do("one", click(`main a[href^="/refunds/"]`), said(`main a[href$="/repay"]`))
	w.looksAt("refund")
	w.do("its form", click(`main a[href$="/repay"]`), said("#f-transferredOn"))
	w.looksAt("refund-form")
	w.do("its transfer", click(".form button.primary"), said(".flash"))
	w.see("Transferred", "The refund is noted as transferred.")
}

// mailsAbout are the subjects of the mails about an order that were written, the newest first.
func (o *office) mailsAbout(number string) (subjects []string) {
	o.t.Helper()
	o.write(func(tx *db.Tx) error {
		found, err := jobs.List(tx, jobs.Filter{Kind: mail.Kind.Name}, record.Page{Number: 1, Size: 200})
		for i := 0; err == nil && i < len(found.Items); i++ {
			var m mail.Message
			j, err := jobs.Find(tx, found.Items[i].ID)
			if err == nil {
				err = j.Read(&m)
			}
			if err != nil {
				return err
			}
			if m.About == number {
				subjects = append(subjects, m.Subject)
			}
		}
		return err
	})
	return subjects
}

// Who sends the goods of an order reads that the money which was held for it is held no longer.
func TestAnOrderSaysThatItsMoneyIsLost(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, number := o.soldInAdvance()
		for status, isLost := range map[string]bool{"Authorized": false, "Expired": true, "Cancelled": true,
			"Failed": true} {
			o.write(func(tx *db.Tx) error {
				return tx.Run(`-- test.stands
					update payment set status = :status, changed_at = changed_at + 1 where company = :company`, db.Args{"status": status})
			})
			b.get("/orders/" + number)
			if b.see(status); isLost {
				b.see("Nothing is held for this order any more")
				b.get("/")
				b.see("Orders without payment1")
				b.get("/payments?unheld=yes")
				b.see(number, "1,500.63", status)
			} else {
				b.miss("Nothing is held for this order any more")
				b.get("/payments?unheld=yes")
				b.miss(number)
			}
		}
		b.get("/payments?status=Pending")
		b.miss(number)
		b.get("/payments?q=" + strings.ToLower(number))
		b.see(number, "Payment in advance")
		b.get("/orders/" + number + "/cancel")
		b.submit("/orders/" + number + "/cancel")
		b.get("/payments?unheld=yes")
		b.miss(number)
	})
}

// A refund that its provider could not bring to the buyer is shown to who looks after jobs, who notes that it was paid
// another way.
func TestARefundIsPaidAnotherWay(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, number := o.soldInAdvance()
		b.get("/orders/" + number + "/payment")
		b.submit("/orders/" + number + "/payment")
		var job string
		o.write(func(tx *db.Tx) error {
			order, err := sales.Find(tx, number)
			if err != nil {
				return err
			}
			p, err := checkout.PaymentOf(tx, order.ID)
			if err != nil {
				return err
			}
			err = tx.Run(`-- test.refunds
				insert into payment_transfer (company, id, payment_id, kind, amount, reason, status, created_at)
				values (:company, 'R-1', :payment, 'Refund', :amount, 'too much', 'Open', :now)`,
				db.Args{"payment": p.ID, "amount": dec.Int(100)})
			if err != nil {
				return err
			}
			job, err = jobs.Add(tx, checkout.Refunding, number, map[string]string{"id": "R-1"},
				jobs.Options{Key: "R-1"})
			if err != nil {
				return err
			}
			return tx.Run(`-- test.fails
				update job set status = 'Failed', last_error = 'The buyer''s account is closed.'
				where company = :company and id = :id`, db.Args{"id": job})
		})
		b.get("/jobs/" + job)
		b.see("The buyer's account is closed.", "Refund", "100.00", "Paid back another way")
		b.get("/jobs/" + job + "/paid-back")
		b.see("hears of it")
		b.submit("/jobs/" + job + "/paid-back")
		b.see("The money is booked as paid back.")
		b.miss("Paid back another way")
		b.get("/orders/" + number)
		b.see("Paid back", "100.00")
	})
}
