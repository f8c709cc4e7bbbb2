package backoffice_test

import (
	"net/http"
	"regexp"
	"testing"

	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/newsletter"
	"kontor/internal/foundation/db"
)

// subscribe asks for the newsletter of the store WEB.
func (o *office) subscribe(email string) {
	o.t.Helper()
	err := o.kontor.InCompany(o.t.Context(), o.company.ID, func(tx *db.Tx) error {
		c, err := channel.Find(tx, "WEB")
		if err == nil {
			err = newsletter.Subscribe(tx, c, newsletter.Wish{Email: email, Name: "Bo", Language: "en",
				Source: "footer"})
		}
		return err
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

var (
	confirms = regexp.MustCompile(`https?://[^\s/]+(/newsletter/confirm\?token=\S+)`)
	leaves   = regexp.MustCompile(`https?://[^\s/]+(/ecom/newsletter/unsubscribe\?token=[^\s>]+)`)
)

// The reader of an address confirms it by the mailed link, and unsubscribes by the one in every mail: only the buttons
// do it. The office sees both, ends subscriptions by hand, and forgets people.
func TestSubscribersComeAndGo(t *testing.T) {
	o, post := openedWithMail(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	o.subscribe("bo@reader.test")
	link := post.Find(t, "bo@reader.test", confirms)[1]
	guest := o.browser()
	guest.get(link)
	guest.see("Newsletter", "bo@reader.test", "Yes, subscribe")
	b.get("/subscribers")
	b.see("bo@reader.test", "Pending", "footer")
	guest.submit("/newsletter/confirm")
	guest.see("Thank you", "bo@reader.test")
	guest.get(link)
	guest.see("Thank you", "bo@reader.test")

	r, err := http.NewRequest("GET", guest.base+post.Find(t, "bo@reader.test", leaves)[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	guest.do(r)
	guest.see("Newsletter", "bo@reader.test", "Unsubscribe")
	b.get("/subscribers?status=Confirmed")
	b.see("bo@reader.test")
	guest.submit("/newsletter/unsubscribe")
	guest.see("does not come to bo@reader.test any more")
	b.get("/subscribers?status=Unsubscribed")
	b.see("bo@reader.test")
	guest.get(link[:len(link)-2] + "xx")
	guest.see("This link is not valid any more")
	guest.miss("Look at the fields that are marked")

	o.subscribe("eva@reader.test")
	b.get("/subscribers?search=eva")
	b.see("eva@reader.test", "Pending")
	at := regexp.MustCompile(`/subscribers/[0-9a-f-]{36}`).FindString(b.text)
	b.get(at)
	b.see("Mail the confirmation again", "Confirmation mailed")
	b.get(at + "/unsubscribe")
	b.submit(at + "/unsubscribe")
	b.see("The subscription has ended.", "Unsubscribed")
	b.get(at + "/erase")
	b.submit(at + "/erase")
	b.see("The subscriber is erased.")
	b.get("/activity")
	b.miss("eva@reader.test", "bo@reader.test")
}

// What it looks like, on a desk and on a phone.
func TestTheNewsletterInABrowser(t *testing.T) {
	o := opened(t, "sqlite")
	w := o.shown()
	b := o.signedIn("anna@acme.test", identity.Admin)
	store(b)
	for _, email := range []string{"bo@reader.test", "a.rather.long.name.of.somebody@mail.of.a.large.company.test",
		"eva@reader.test"} {
		o.subscribe(email)
	}
	w.do("sign in", w.to("/subscribers"), typed("email", "anna@acme.test"), typed("password", password+"\r"),
		said("table"))
	w.looksAt("subscribers")
	w.do("one of them", click("table a[href^='/subscribers/']"), said(".facts, dl"))
	w.looksAt("subscriber")
}
