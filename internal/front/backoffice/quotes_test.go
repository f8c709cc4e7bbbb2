package backoffice_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"kontor/internal/business/identity"
)

// A prospect is offered something, asks for another version, and accepts that one by the link in the mail: a customer
// and an order are made of it, once. The link of the version before opens, and accepts nothing.
func TestAQuoteIsAnsweredByItsLink(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	b.get("/new/quotes")
	b.submit("/new/quotes", "prospectName", "Newcomer AB", "title", "A workshop", "contactEmail", "buyer@newcomer.test",
		"description", "Carriage paid.",
		"lines[0].itemNumber", "A-100", "lines[0].quantity", "2")
	b.see("is made.", "Newcomer AB", "A workshop", "2,401.00", "Draft", "Margin")
	first := b.at
	b.get(first + "/lines")
	b.submit(first+"/lines", "lines[0].unitPrice", "1000")
	b.see("Saved.", "2,000.00")
	b.get(first + "/edit")
	b.submit(first+"/edit", "validUntil", "2020-01-01")
	b.get(first + "/send")
	b.submit(first+"/send", "contactName", "Bo Ek")
	b.see("was valid until 2020-01-01, and nobody can accept it any more")
	b.get(first + "/edit")
	b.submit(first+"/edit", "validUntil", time.Now().AddDate(0, 1, 0).Format(time.DateOnly))
	b.get(first + "/send")
	b.submit(first+"/send", "contactName", "Bo Ek")
	b.see("The quote is sent.", "Sent", "Link for the customer")
	old := linkTo(t, post, "buyer@newcomer.test")

	b.get(first + "/revise")
	b.submit(first + "/revise")
	b.see("is made.", "Draft", "-2")
	second := b.at
	b.get(first)
	b.see("Expired", "Replaced by")
	b.get(second + "/send")
	b.submit(second + "/send")
	link := linkTo(t, post, "buyer@newcomer.test")

	guest := o.browser()
	guest.get(old)
	guest.see("has replaced this quote by another")
	if guest.find(byName("answer")) != nil {
		t.Error("a version that was replaced can be answered")
	}
	guest.get(link)
	guest.see("offers you:", "Carriage paid.", "Hammer", "2 st", "2,500.00", "Who orders")
	if strings.Contains(guest.text, "Kontor") {
		t.Error("the customer reads the name of the seller's program")
	}
	if told := guest.header.Get("Referrer-Policy"); told != "same-origin" {
		t.Errorf("the address with its secret is told to others: %q", told)
	}
	guest.submit("/quote", "answer", "accept", "organizationNumber", "556000-1111", "city", "Lund")
	guest.see("Thank you", "has become order")
	guest.get(strings.Replace(link, "/quote?", "/quote/pdf?", 1))
	if guest.status != http.StatusOK || !strings.HasPrefix(guest.text, "%PDF-") {
		t.Errorf("the printed quote is %d %.20q", guest.status, guest.text)
	}
	guest.get(link[:len(link)-2] + "xx")
	guest.see("This link is not valid any more")
	b.get(second)
	b.see("Accepted", "Newcomer AB", "Order", "Bo Ek")
	b.get("/orders?search=Newcomer")
	b.see("Newcomer AB", "2,000.00")
	b.get("/quotes?status=Accepted")
	b.see("Newcomer AB")
}
