package backoffice_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/business/quoting"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
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

// Who edits the lines of a draft changes what he sees: the tax of a line and what the customer noted to it stay with it
// where rows go and come, and another item has its own tax.
func TestALineThatIsEditedKeepsWhatTheFormDoesNotShow(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/items")
		b.submit("/new/items", "itemNumber", "A-200", "name", "Nail", "salesPrice", "2", "baseUnitCode", "PCS", "taxCode",
			"STD")
		var at, number string
		o.write(func(tx *db.Tx) error {
			line := func(item, code, note string) quoting.NewLine {
				return quoting.NewLine{Item: item, Quantity: dec.One, TaxCode: code, Notes: note}
			}
			q, err := quoting.Create(tx, quoting.New{Head: quoting.Head{CustomerNumber: "C-1"}, Lines: []quoting.NewLine{
				line("A-100", "", ""), line("A-100", "RED", "The red one"), line("A-200", "ZERO", "Many")}})
			number, at = q.Number, "/quotes/"+q.Number
			return err
		})
		lines := func(want ...string) {
			t.Helper()
			var got []string
			o.write(func(tx *db.Tx) error {
				q, err := quoting.Find(tx, number)
				for _, l := range q.Lines {
					got = append(got, strings.Join([]string{l.Item, l.TaxCode, l.Notes}, "/"))
				}
				return err
			})
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("the lines are %q, not %q", got, want)
			}
		}
		b.get(at + "/lines")
		b.submit(at+"/lines", "lines[1].quantity", "2", "lines[0].itemNumber", "", "lines[0].description", "",
			"lines[0].quantity", "", "lines[0].unitCode", "")
		lines("A-100/RED/The red one", "A-200/ZERO/Many")
		b.get(at + "/lines")
		b.submit(at+"/lines", "lines[1].itemNumber", "A-100", "lines[2].itemNumber", "A-200", "lines[2].quantity", "1")
		lines("A-100/RED/The red one", "A-100/STD/Many", "A-200/STD/")
	})
}
