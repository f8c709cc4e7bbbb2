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
func (f *filler) voices() error {
	if err := f.opinions(); err != nil {
		return err
	}
	return f.talks()
}

// opinions lets buyers say what they think, over the days up to now.
func (f *filler) opinions() error {
	all, err := written[[]opinion]("reviews.json", nil)
	if err != nil {
		return err
	}
	return f.found(func(tx *db.Tx) error {
		v := assortment.Viewer{Language: "en", Country: "NO", IncludesTax: true}
		buyers, err := buyersOf(tx)
		if err != nil {
			return err
		}
		if v.Channel, err = channel.Find(tx, "WEB"); err != nil {
			return err
		}
		for n, o := range all {
			tx.Now = db.TimeOf(f.now.AddDate(0, 0, (n*7)%days-days).Add(time.Duration(-n) * time.Hour))
			author := v
			if who := buyers[o.Item]; o.Verified && len(who) > 0 {
				c, err := party.Find(tx, who[n%len(who)])
				if err != nil {
					return err
				}
				author.Customer = &c
			}
			if err := say(tx, author, o); err != nil {
				return fmt.Errorf("the review %q: %w", o.Title, err)
			}
		}
		return nil
	})
}

// say submits a review and lets the merchant do with it what is written down.
func say(tx *db.Tx, v assortment.Viewer, o opinion) error {
	item, err := catalog.Find(tx, o.Item)
	if err != nil {
		return err
	}
	said := review.Review{ItemID: item.ID, Rating: o.Rating, Title: o.Title, Body: o.Body, AuthorName: o.Author}
	r, err := review.Submit(tx, v, said)
	switch {
	case err != nil || o.Status == review.Pending:
		return err
	case o.Status == review.Rejected:
		_, err = review.Reject(tx, r.ID, o.Reason)
		return err
	}
	if _, err = review.Publish(tx, r.ID); err == nil && o.Answer != "" {
		_, err = review.Answer(tx, r.ID, o.Answer)
	}
	return err
}

// buyersOf are the customers of the newest orders that were not cancelled by what they bought: an item, or a variant of
// it.
func buyersOf(tx *db.Tx) (map[string][]string, error) {
	found, err := sales.List(tx, sales.Filter{}, record.Page{Number: 1, Size: 200})
	if err != nil {
		return nil, err
	}
	numbers := each.Of(found.Items, func(o sales.Order) string { return o.Number })
	orders, err := sales.FindMany(tx, numbers)
	if err != nil {
		return nil, err
	}
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
	return out, nil
}

// talks are what lies on the desk of the loyal customer: a quote that waits for an answer, and two questions.
func (f *filler) talks() error {
	return f.at(f.now.AddDate(0, 0, -2), func(tx *db.Tx) error {
		q, err := quoting.Create(tx, quoting.New{
			Head: quoting.Head{Title: "Rental tents for the summer", CustomerNumber: loyal,
				ContactName: "Kari Nordmann"},
			Lines: []quoting.NewLine{{Item: "TNT-102", Quantity: dec.Int(12)}, {Item: "SLB-102", Quantity: dec.Int(24)},
				{Item: "MAT-102", Quantity: dec.Int(24)}, {Description: "Printing of your logo on the bags",
					Quantity: dec.Int(12), UnitPrice: crowns(45)}}})
		if err == nil {
			_, err = quoting.Send(tx, q.Number, quoting.Reader{})
		}
		if err == nil {
			err = support.SaveLevel(tx, func(l *support.ServiceLevel) error {
				for d := time.Monday; d <= time.Friday; d++ {
					l.Hours[d] = "08:00-16:00"
				}
				l.Goals = []support.Goal{
					{Answer: dec.Int(16), Solve: dec.Int(80)}, {Answer: dec.Int(8), Solve: dec.Int(40)},
					{Answer: dec.Int(4), Solve: dec.Int(16)}, {Answer: dec.One, Solve: dec.Int(8)}}
				return nil
			})
		}
		if err == nil {
			err = ask(tx, "Invoice with our order number",
				"Could you put our order number on the next invoices? Our accountant asks for it every time.",
				"Of course. Write it into Reference at the checkout, then it stands on the invoice.")
		}
		if err == nil {
			err = ask(tx, "Two poles are missing", "In the delivery of Monday two tents came without their poles.", "")
		}
		return err
	})
}

// ask makes a ticket of the loyal customer, with an answer where there is one.
func ask(tx *db.Tx, subject, question, answer string) error {
	t, err := support.Create(tx, support.Ticket{Subject: subject, Description: question, Source: support.Portal,
		CustomerNumber: loyal, ContactName: "Kari Nordmann", ChannelCode: "WEB"})
	if err == nil && answer != "" {
		_, _, err = support.Say(tx, t.Number, support.Message{Body: answer, AuthorType: support.Agent,
			AuthorName: "Thea Solberg"})
	}
	return err
}

func crowns(n int64) *dec.Dec { d := dec.Int(n); return &d }
