package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"kontor/internal/business/quoting"
	"kontor/internal/business/support"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/mail/mailtest"
	"kontor/internal/foundation/record"
)

// offered is a quote to an address, which a seller is responsible for, and what its history and the seller are told.
func (p press) offered(to string, seller discussion.Person) (q quoting.Quote, told func() (notes, news []string)) {
	p.Helper()
	price := dec.One
	p.in("acme", func(tx *db.Tx) (err error) {
		q, err = quoting.Create(tx, quoting.New{Head: quoting.Head{ProspectName: "Zoo", ContactEmail: to},
			Lines: []quoting.NewLine{{Description: "A cage", Quantity: dec.One, UnitPrice: &price}}})
		if err == nil {
			q, err = quoting.Send(tx, q.Number, quoting.Reader{})
		}
		if err == nil {
			err = discussion.TakeCharge(tx, discussion.About{Resource: quoting.Quotes.Name, ID: q.ID}, seller)
		}
		return err
	})
	return q, func() (notes, news []string) {
		p.in("acme", func(tx *db.Tx) error {
			about := discussion.About{Resource: quoting.Quotes.Name, ID: q.ID}
			said, err := discussion.Comments(tx, about, tx.Now+1, 50)
			for _, c := range said {
				notes = append(notes, c.AuthorName+": "+c.Body)
			}
			if err != nil {
				return err
			}
			tx.Actor.ID = seller.ID
			all, err := discussion.Notifications(tx, true, record.Page{Number: 1, Size: 50})
			for _, n := range all.Items {
				if n.Path == "/quotes/"+q.Number {
					news = append(news, string(n.Reason)+" "+n.By+": "+n.Excerpt)
				}
			}
			return err
		})
		return notes, news
	}
}

// A quote that does not reach its reader is noted in its history and told to its seller: refused at once, or reported
// later. Nobody who has not got the mail can say so, and nobody fills a history with it.
func TestAnUndeliveredQuoteIsTold(t *testing.T) {
	eachPress(t, 1, func(p press) {
		p.post.Before = func(l mailtest.Letter) error {
			if l.To[0] == "gone@example.com" {
				return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
			}
			return nil
		}
		seller := discussion.Person{ID: record.NewID(), Name: "Eva"}
		expect := func(when string, told func() ([]string, []string), times int, by, why string) {
			t.Helper()
			notes, news := told()
			holds := func(s string) bool { return strings.HasPrefix(s, by+": ") && strings.Contains(s, why) }
			if len(notes) != times || len(news) != times ||
				slices.ContainsFunc(notes, func(n string) bool { return !holds(n) }) {
				t.Errorf("%s, %d times: the history says %q, the seller is told %q", when, times, notes, news)
			}
		}
		_, told := p.offered("gone@example.com", seller)
		p.settle()
		expect("refused", told, 1, "gone@example.com", "no such mailbox")

		q, told := p.offered("full@example.com", seller)
		p.settle()
		var name string
		for _, l := range p.post.All() {
			if l.To[0] == "full@example.com" {
				name = l.Name
			}
		}
		expect("delivered", told, 0, "", "")
		for _, c := range []struct {
			mail string
			fate support.Fate
		}{
			{bounce(name, "delayed", "4.4.7", "wait"), support.Heeded},
			{bounce("record.quotes."+record.NewID()+"."+record.NewID()+"@shop.example", "failed", "5.1.1", "forged"), support.Dropped},
			{bounce("record.quotes."+q.Number+".x@shop.example", "failed", "5.1.1", "forged"), support.Dropped},
			{bounce("record.users."+q.ID+"."+record.NewID()+"@shop.example", "failed", "5.1.1", "forged"), support.Dropped},
		} {
			if fate := p.receives(c.mail); fate != c.fate {
				t.Errorf("%s is %s, not %s", c.mail, fate, c.fate)
			}
		}
		expect("delayed or forged", told, 0, "", "")
		if fate := p.receives(bounce(name, "failed", "5.2.2", "mailbox full")); fate != support.Heeded {
			t.Errorf("a report is %s", fate)
		}
		expect("reported", told, 1, "somebody@example.com", "5.2.2 550 mailbox full")
		for range 30 {
			p.receives(bounce(name, "failed", "5.2.2", "mailbox full"))
		}
		expect("reported often", told, 20, "somebody@example.com", "mailbox full")
	})
}
