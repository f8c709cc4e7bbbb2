package backoffice_test

import (
	"strconv"
	"testing"

	"kontor/internal/business/analytics"
	"kontor/internal/business/assistant"
	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/review"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/chat/chattest"
)

// write does something in the company's data that only visitors do.
func (o *office) write(fn func(tx *db.Tx) error) {
	o.t.Helper()
	if err := o.kontor.InCompany(o.t.Context(), o.company.ID, fn); err != nil {
		o.t.Fatal(err)
	}
}

// A review is published, rejected with a reason and answered; an article is written, voted on and shown by topic; what
// nobody could answer is led to an article and a ticket.
func TestVoicesAreHeard(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b := o.signedIn("anna@acme.test", identity.Admin)
		goods(b)
		b.get("/new/publications")
		b.submit("/new/publications", "itemNumber", "A-100", "channelCode", "WEB")
		id := ""
		o.write(func(tx *db.Tx) error {
			item, err := catalog.Find(tx, "A-100")
			if err != nil {
				return err
			}
			ch, err := channel.Find(tx, "WEB")
			if err != nil {
				return err
			}
			r, err := review.Submit(tx, assortment.Guest(tx, ch),
				review.Review{ItemID: item.ID, Rating: 4, Title: "Sturdy", Body: "It holds.", AuthorName: "Kim"})
			id = r.ID
			return err
		})
		at := "/reviews/" + id
		b.get("/reviews?status=Pending")
		b.see("A-100", "Sturdy", "Kim", "Pending")
		b.get(at)
		b.submit(at + "/publish")
		b.see("Published", "It holds.", "4 of 5 stars")
		b.get(at + "/answer")
		b.submit(at+"/answer", "text", "Thank you, Kim.")
		b.see("Thank you, Kim.")
		b.get(at + "/reject")
		b.submit(at+"/reject", "text", "")
		if b.status != 422 {
			t.Errorf("rejected without a reason: %d", b.status)
		}
		b.submit(at+"/reject", "text", "Not about the item")
		b.see("Rejected", "Not about the item")

		b.get("/new/help-articles")
		b.submit("/new/help-articles", "title", "How to return", "slug", "how-to-return", "topic", "Returns",
			"htmlContent", "<p>Send it <b>back</b>.<script>alert(1)</script></p>")
		b.get("/help-articles/how-to-return")
		b.see("Send it back", "Returns")
		b.miss("alert(1)")
		b.get("/new/help-articles")
		b.submit("/new/help-articles", "title", "Another", "slug", "how-to-return")
		b.see("there is an article with this address already")
		b.get("/help-articles?topic=returns")
		b.see("How to return", "Helped")

		o.write(func(tx *db.Tx) error {
			return assistant.Keep(tx, assistant.Message{ID: record.NewID(), SessionID: record.NewID(), AskedAt: tx.Now,
				Question: "Do you rent out tents?", Answer: "I do not know."})
		})
		b.get("/questions")
		b.see("Do you rent out tents?", "Not answered")
		if got := b.ends("/new/help-articles?about=Do+you+rent+out+tents%3F"); got == "" ||
			b.value("title") != "Do you rent out tents?" {
			t.Errorf("the article begins with %q", b.value("title"))
		}
		b.get("/stores/WEB")
		b.see("/ecom/catalog/feed", "X-Channel: WEB")
	})
}

// The traffic page draws what was counted, and bears an empty store and a strange question.
func TestTrafficIsDrawn(t *testing.T) {
	o := opened(t, "sqlite")
	b := o.signedIn("anna@acme.test", identity.Admin)
	goods(b)
	seen := analytics.NewTraffic()
	o.write(func(tx *db.Tx) error {
		ch, err := channel.Find(tx, "WEB")
		if err != nil {
			return err
		}
		for i, path := range []string{"/chairs", "/chairs", "/tables", "/chairs"} {
			who := analytics.Visitor{Channel: ch, Session: strconv.Itoa(i % 2), Zone: tx.Info.Zone}
			seen.Views(tx.Company, who, tx.Now,
				[]analytics.Viewed{{URL: path + "?email=kim@example.com", Referrer: "https://search.example/?q=chairs",
					At: tx.Now}})
			seen.Events(tx.Company, who, tx.Now, []analytics.Happened{{Type: "add_to_cart", At: tx.Now}})
		}
		return seen.Write(tx.Company, func(fn func(tx *db.Tx) error) error { return fn(tx) })
	})
	for _, language := range []string{"en", "sv"} {
		b.language = language
		b.get("/traffic?store=WEB&days=7")
		b.see("/chairs", "/tables", "search.example", "addtocart", "200")
		b.miss("kim@")
		check(b, "/traffic")
		b.get("/traffic?store=NONE&days=-4")
		if b.status != 200 {
			t.Errorf("a store that is none answers %d", b.status)
		}
	}
}

// A model is set up for a store's assistant: its key is shown to nobody and goes to no other address, and who tries it
// is told what is wrong.
func TestAModelIsTried(t *testing.T) {
	on(t, func(t *testing.T, o *office) {
		b, s := o.signedIn("anna@acme.test", identity.Admin), chattest.Serve(t)
		form, at := "/stores/WEB/assistant", "/stores/WEB"
		b.get(at)
		b.see("The assistant's answers", "Built in")
		b.miss("Try the model")
		b.get(form)
		b.submit(form, "isUsed", "true", "address", "nowhere", "name", "")
		if b.status != 422 {
			t.Errorf("a model without a name or address: %d", b.status)
		}
		b.see("must be an address of the form https://host/path", "must name the model")
		b.get(form)
		b.submit(form, "isUsed", "true", "address", s.URL+"/v1/", "name", "small", "key", "sk-secret")
		b.see("Saved.", "small", s.URL+"/v1", "Try the model")
		b.miss("sk-secret")
		b.get(form)
		b.miss("sk-secret")
		for mode, says := range map[string]string{"": "It works.", "401": "does not accept the key",
			"die": "cannot be reached, or broke off", "junk": "What came back is no answer"} {
			s.Say(mode, "You may return what you bought within 30 days. [1]")
			b.get(at)
			b.submit(form + "/try")
			b.see(says)
			b.miss("sk-secret")
		}
		s.Say("", "Come and see our wonderful offers!")
		b.get(at)
		b.submit(form + "/try")
		b.see("not as it must")
		if q, _ := s.Last(); q.Authorization != "Bearer sk-secret" {
			t.Errorf("the key that was sent is %q", q.Authorization)
		}
		b.get(form)
		b.submit(form, "name", "smaller")
		b.get(at)
		b.submit(form + "/try")
		if q, _ := s.Last(); q.Authorization != "Bearer sk-secret" || q.Model != "smaller" {
			t.Errorf("after another name %q is asked with %q", q.Model, q.Authorization)
		}
		other := chattest.Serve(t)
		b.get(form)
		b.submit(form, "address", other.URL+"/v1")
		b.get(at)
		b.submit(form + "/try")
		if q, n := other.Last(); n != 1 || q.Authorization != "" {
			t.Errorf("another server was given the key: %q", q.Authorization)
		}
	})
}
