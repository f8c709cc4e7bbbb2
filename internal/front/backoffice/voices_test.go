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
)

// write does something in the company's data that only visitors do.
func (o *office) write(fn func(tx *db.Tx) error) {
	o.t.Helper()
	if err := o.house.InCompany(o.t.Context(), o.company.ID, fn); err != nil {
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
			who := analytics.Visitor{Channel: ch, Session: strconv.Itoa(i % 2)}
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
