package backoffice

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"kontor/internal/business/configuration"
	"kontor/internal/business/notice"
	"kontor/internal/business/paper"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/page"
)

// quoteLinks are the pages that a quote's link opens, without a password, for whoever was sent it.
func (o Office) quoteLinks() []page.Page {
	return []page.Page{
		page.Handler{Path: notice.QuotePage, Show: o.showOffer, Take: o.answerOffer},
		page.Handler{Path: notice.QuotePage + "/pdf", Show: o.printOffer},
	}
}

// offer is a quote that its link has opened.
type offer struct {
	quoting.Quote
	company, seller string
	home            string // the seller's country
	isOpen          bool
	token           string
	chosen          []*configuration.Configuration // of the lines; nil where one is not made to order
	units           []string                       // of the lines, as the customer calls them
}

// openOffer reads the quote that a link opens. Whoever follows one is counted before it costs anything, and once more
// where it is none.
// Quote.LinkInvalid, RateLimit.Exceeded, Auth.TooManyAttempts.
func (o Office) openOffer(w http.ResponseWriter, r *http.Request, token string) (f offer, err error) {
	if err := o.Stranger(r); err != nil {
		return f, err
	}
	f.token = token
	var id string
	if f.company, id, err = quoting.OpenLink(o.Keys, token, o.Store.Now()); err != nil {
		return f, cmp.Or(o.Entrance.MissedLink(r.Context(), o.attempt(w, r)), err)
	}
	return f, o.readOffer(r.Context(), &f, id)
}

// readOffer reads the quote of a link that is one.
func (o Office) readOffer(ctx context.Context, f *offer, id string) error {
	err := o.served(ctx, f.company, quoting.ErrLink.Because("the link has expired: ask for a new one"))
	if err != nil {
		return err
	}
	return o.Store.Read(ctx, db.Request{Company: f.company, Actor: db.Actor{Kind: "link", ID: id}},
		func(tx *db.Tx) error {
			q, found, err := quoting.FindID(tx, id)
			if err == nil && (!found || q.Status == quoting.Draft) {
				err = quoting.ErrLink.Because("the quote is not there any more: ask for a new one")
			}
			if err != nil {
				return err
			}
			s, err := paper.SenderOf(tx)
			f.Quote, f.seller, f.home, f.isOpen = q, cmp.Or(s.Profile.LegalName, tx.Info.Name), tx.Info.Country,
				q.IsOpen(tx.Today()) && q.ReplacedBy == ""
			if err != nil {
				return err
			}
			if f.chosen, err = quoting.Chosen(tx, q.Lines); err != nil {
				return err
			}
			reader, err := paper.QuoteReaderOf(tx, q)
			f.units = each.Of(q.Lines, func(l quoting.Line) string { return s.UnitWord(reader.Language, l.Unit) })
			return err
		})
}

// served refuses with gone what is of a company that is not served any more.
func (o Office) served(ctx context.Context, company string, gone error) error {
	is, err := o.Serves(ctx, company)
	if err == nil && !is {
		err = gone
	}
	return err
}

// as is who answers by the link.
func (f offer) as() db.Request {
	return db.Request{Company: f.company,
		Actor: db.Actor{Kind: "link", ID: f.ID, Name: cmp.Or(f.ContactName, f.ContactEmail, f.CustomerName)}}
}

func closedLink(s *page.Site, w http.ResponseWriter, r *http.Request, err error) error {
	if fault.As(err).Kind == fault.Internal {
		return err
	}
	s.Card(w, r, page.Card{Title: "This link is not valid any more", Problem: err})
	return nil
}

// reply is what the reader of a quote says to it.
type reply struct {
	reason  string
	joining party.Customer
}

func (f offer) card(a *reply) page.Card {
	address := "?" + url.Values{"token": {f.token}}.Encode()
	c := page.Card{Host: f.seller, Title: "Quote", Lead: "%s offers you:", Args: []any{f.seller},
		Text:  f.Description,
		Links: []page.Link{{Label: "Read it as PDF", Href: notice.QuotePage + "/pdf" + address}},
		Facts: []page.Fact{{Label: "Number", Value: page.T(f.Number)}, {Label: "Title", Value: page.T(f.Title)},
			{Label: "Date", Value: page.Day(f.QuoteDate)}, {Label: "Valid until", Value: page.Day(f.ValidUntil)},
			{Label: "Without tax", Value: page.Money(f.TotalAmount, f.CurrencyCode)},
			{Label: "Tax", Value: page.Money(f.TotalVAT, f.CurrencyCode)},
			{Label: "To be paid", Value: page.Money(f.TotalIncludingTax(), f.CurrencyCode).Strong()}},
		Grid: &page.Grid{Title: "Lines", Heads: []string{"Item", "Quantity", "Price", "Total"}}}
	for i := range f.Lines {
		l := &f.Lines[i]
		price := l.UnitPrice
		if l.IsPriceIncludingTax {
			price = paper.WithoutTax(price, l.TaxPercent)
		}
		item := page.T(l.Description)
		if f.chosen[i] != nil {
			item = page.Each(item, page.T(f.chosen[i].Summary("✓", "–")))
		}
		c.Grid.Rows = append(c.Grid.Rows, []page.Value{item, page.QtyOf(l.Quantity, f.units[i]),
			linePrice(price, false, l.DiscountPercent, 0), page.Money(l.LineTotal, "")})
	}
	switch {
	case f.OrderNumber != "":
		c.Lead, c.Args = "Thank you: the quote of %s has become order %s.", []any{f.seller, f.OrderNumber}
	case f.Status == quoting.Declined:
		c.Lead = "You have declined what %s offered you."
	case f.ReplacedBy != "":
		c.Lead, c.Args = "%s has replaced this quote by another, %s.", []any{f.seller, f.ReplacedBy}
	case !f.isOpen:
		c.Lead = "The quote of %s is not valid any more: ask for a new one."
	default:
		c.Action, c.Hidden = notice.QuotePage, [][2]string{{"token", f.token}}
		c.Buttons = []page.Button{{Label: "Accept", Name: "answer", Value: "accept"},
			{Label: "Decline", Name: "answer", Value: "decline", Tone: page.Bad}}
		if f.IsProspect() {
			a.joining = party.Customer{Name: f.CustomerName, InvoiceEmail: f.ContactEmail, CountryCode: f.home}
			c.Fields = append(c.Fields, page.Group("Who orders", joiningFields(&a.joining)...))
		}
		c.Fields = append(c.Fields, page.Prose("reason", "If you decline: why?", &a.reason))
	}
	return c
}

func (o Office) showOffer(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	f, err := o.openOffer(w, r, r.URL.Query().Get("token"))
	if err != nil {
		return closedLink(s, w, r, err)
	}
	s.Card(w, r, f.card(new(reply)))
	return nil
}

func (o Office) answerOffer(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	f, err := o.openOffer(w, r, r.PostForm.Get("token"))
	if err != nil {
		return closedLink(s, w, r, err)
	}
	var a reply
	card := f.card(&a)
	return s.Answer(w, r, card, func() (_ *page.Card, to string, err error) {
		if card.Action != "" {
			err = o.Store.Write(r.Context(), f.as(),
				func(tx *db.Tx) error { return f.answer(tx, r.PostForm.Get("answer"), a) })
		}
		return nil, notice.QuotePage + "?" + url.Values{"token": {f.token}}.Encode(), err
	})
}

// answer does what the reader said.
func (f offer) answer(tx *db.Tx, said string, a reply) error {
	switch said {
	case "accept":
	case "decline":
		_, err := quoting.Decline(tx, f.Number, a.reason)
		return err
	default:
		return quoting.ErrInvalid.At("answer",
			"say whether you accept the quote or decline it: press one of the two buttons")
	}
	if f.IsProspect() {
		if _, err := quoting.Enlist(tx, f.Number, a.joining); err != nil {
			return err
		}
	}
	_, _, err := quoting.Accept(tx, f.Number, quoting.Acceptance{ByReader: true})
	return err
}

func (o Office) printOffer(s *page.Site, w http.ResponseWriter, r *http.Request) error {
	f, err := o.openOffer(w, r, r.URL.Query().Get("token"))
	if err != nil {
		return closedLink(s, w, r, err)
	}
	var printed paper.File
	err = o.Store.Read(r.Context(), f.as(), db.Into(&printed,
		func(tx *db.Tx) (paper.File, error) { return paper.QuoteFor(tx, f.Quote) }))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", paper.Media)
	w.Header().Set("Content-Length", strconv.Itoa(len(printed.Body)))
	_, err = w.Write(printed.Body)
	return err
}
