package demo

import (
	"fmt"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/business/review"
	"kontor/internal/business/sales"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/record"
)

// opinion is a review as it is written down.
type opinion struct {
	Item, Title, Body, Author string
	Rating                    int
	Verified                  bool // said by somebody who bought it, where anybody has
	Status                    review.Status
	Reason, Answer            string
}

// voices is what others say to the company.
func (f *filler) voices() {
	f.opinions()
	f.talks()
}

// opinions lets buyers say what they think, over the days up to now.
func (f *filler) opinions() {
	all := written[[]opinion]("reviews.json", nil)
	f.found(func(tx *db.Tx) {
		v := assortment.Viewer{Language: "en", Country: "NO", IncludesTax: true}
		buyers := buyersOf(tx)
		v.Channel = halt.Must(channel.Find(tx, "WEB"))
		for n, o := range all {
			tx.Now = db.TimeOf(f.now.AddDate(0, 0, (n*7)%days-days).Add(time.Duration(-n) * time.Hour))
			author := v
			if who := buyers[o.Item]; o.Verified && len(who) > 0 {
				c := halt.Must(party.Find(tx, who[n%len(who)]))
				author.Customer = &c
			}
			if err := halt.Told(func() { say(tx, author, o) }); err != nil {
				halt.On(fmt.Errorf("the review %q: %w", o.Title, err))
			}
		}
	})
}

// say submits a review and lets the merchant do with it what is written down.
func say(tx *db.Tx, v assortment.Viewer, o opinion) {
	item := halt.Must(catalog.Find(tx, o.Item))
	said := review.Review{ItemID: item.ID, Rating: o.Rating, Title: o.Title, Body: o.Body, AuthorName: o.Author}
	r := halt.Must(review.Submit(tx, v, said))
	switch o.Status {
	case review.Pending:
	case review.Rejected:
		halt.Must(review.Reject(tx, r.ID, o.Reason))
	default:
		halt.Must(review.Publish(tx, r.ID))
		if o.Answer != "" {
			halt.Must(review.Answer(tx, r.ID, o.Answer))
		}
	}
}

// buyersOf are the customers of the newest orders that were not cancelled by what they bought: an item, or a variant of
// it.
func buyersOf(tx *db.Tx) map[string][]string {
	found := halt.Must(sales.List(tx, sales.Filter{}, record.Page{Number: 1, Size: 200}))
	numbers := each.Of(found.Items, func(o sales.Order) string { return o.Number })
	orders := halt.Must(sales.FindMany(tx, numbers))
	out := map[string][]string{}
	for _, n := range numbers {
		o := orders[record.Fold(n)]
		if o == nil || o.Status == sales.Cancelled {
			continue
		}
		for _, l := range o.Lines {
			for _, item := range []string{l.Item, lineOf(l.Item)} {
				out[item] = append(out[item], o.CustomerNumber)
			}
		}
	}
	return out
}

// talks are what lies on the desk of the loyal customer: a quote that waits for an answer, and two questions.
func (f *filler) talks() {
	f.at(f.now.AddDate(0, 0, -2), func(tx *db.Tx) {
		q := halt.Must(quoting.Create(tx, quoting.New{
			Head: quoting.Head{Title: "Rental tents for the summer", CustomerNumber: loyal,
				ContactName: "Kari Nordmann"},
			Lines: []quoting.NewLine{{Item: "TNT-102", Quantity: dec.Int(12)}, {Item: "SLB-102", Quantity: dec.Int(24)},
				{Item: "MAT-102", Quantity: dec.Int(24)}, {Description: "Printing of your logo on the bags",
					Quantity: dec.Int(12), UnitPrice: crowns(45)}}}))
		halt.Must(quoting.Send(tx, q.Number, quoting.Reader{}))
		halt.On(support.SaveLevel(tx, func(l *support.ServiceLevel) error {
			for d := time.Monday; d <= time.Friday; d++ {
				l.Hours[d] = "08:00-16:00"
			}
			l.Goals = []support.Goal{
				{Answer: dec.Int(16), Solve: dec.Int(80)}, {Answer: dec.Int(8), Solve: dec.Int(40)},
				{Answer: dec.Int(4), Solve: dec.Int(16)}, {Answer: dec.One, Solve: dec.Int(8)}}
			return nil
		}))
		ask(tx, "Invoice with our order number",
			"Could you put our order number on the next invoices? Our accountant asks for it every time.",
			"Of course. Write it into Reference at the checkout, then it stands on the invoice.")
		ask(tx, "Two poles are missing", "In the delivery of Monday two tents came without their poles.", "")
	})
}

// ask makes a ticket of the loyal customer, with an answer where there is one.
func ask(tx *db.Tx, subject, question, answer string) {
	t := halt.Must(support.Create(tx, support.Ticket{Subject: subject, Description: question, Source: support.Portal,
		CustomerNumber: loyal, ContactName: "Kari Nordmann", ChannelCode: "WEB"}))
	if answer == "" {
		return
	}
	_, _, err := support.Say(tx, t.Number, support.Message{Body: answer, AuthorType: support.Agent,
		AuthorName: "Thea Solberg"})
	halt.On(err)
}

func crowns(n int64) *dec.Dec { d := dec.Int(n); return &d }
