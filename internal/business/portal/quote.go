package portal

import (
	"fmt"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/quoting"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/mail"
)

// What the portal refuses of quotes: the codes of quotes, as requests that are wrong.
var (
	ErrQuoteStatus  = fault.New(fault.Invalid, quoting.ErrInvalidStatus.Name)
	ErrQuoteExpired = fault.New(fault.Invalid, quoting.ErrExpired.Name)
)

// FindQuote reads a quote that the visitor's customer sees, by its id. Quote.NotFound.
func FindQuote(tx *db.Tx, id string) (quoting.Quote, error) {
	if err := NeedFor(tx, ReadQuotes, quoting.ErrNotFound, id); err != nil {
		return quoting.Quote{}, err
	}
	q, found, err := quoting.FindID(tx, id)
	if err == nil && (!found || !q.IsShownTo(storefront.Of(tx).Customer.ID)) {
		err = Missing(quoting.ErrNotFound, id)
	}
	return q, err
}

// MayDecide reports whether the visitor may accept or decline a quote now.
func MayDecide(tx *db.Tx, q *quoting.Quote) (accept, decline bool) {
	v, open := storefront.Of(tx), q.IsOpen(tx.Today())
	return open && Permits(v, CreateOrders), open && Permits(v, CreateQuotes)
}

// AcceptQuote makes an order of a quote. Where the order needs a colleague's approval, it waits for that.
// Quote.NotFound, Quote.InvalidStatus and Quote.Expired.
func AcceptQuote(tx *db.Tx, id string) error {
	q, err := decideOn(tx, CreateOrders, id)
	if err != nil {
		return err
	}
	v := storefront.Of(tx)
	hold, err := NeedsApproval(tx, v, q.TotalIncludingTax(), q.CurrencyCode)
	if err != nil {
		return err
	}
	_, o, err := quoting.Accept(tx, q.Number, quoting.Acceptance{Unreleased: hold, ByReader: true})
	if err != nil || !hold {
		return asInvalid(err)
	}
	return HoldForApproval(tx, v, o)
}

// DeclineQuote declines a quote, with a reason where there is one. Quote.NotFound, Quote.InvalidStatus and
// Quote.Expired.
func DeclineQuote(tx *db.Tx, id, reason string) error {
	q, err := decideOn(tx, CreateQuotes, id)
	if err != nil {
		return err
	}
	_, err = quoting.Decline(tx, q.Number, reason)
	return asInvalid(err)
}

// decideOn finds the quote of somebody who may decide on it. One past its day is expired, whether the daily job has
// come by or not.
func decideOn(tx *db.Tx, p Permission, id string) (quoting.Quote, error) {
	if err := NeedFor(tx, p, quoting.ErrNotFound, id); err != nil {
		return quoting.Quote{}, err
	}
	q, err := FindQuote(tx, id)
	switch {
	case err != nil:
	case q.ReplacedBy != "":
		err = ErrQuoteExpired.Because("quote %s was replaced by %s: decide on that one", q.Number, q.ReplacedBy)
	case q.Status == quoting.Expired && q.ValidUntil >= tx.Today(): // by a version that was given up
		err = ErrQuoteExpired.Because("the quote %s was withdrawn: ask for a new one", q.Number)
	case q.Status == quoting.Expired, q.Status == quoting.Sent && !q.IsOpen(tx.Today()):
		err = ErrQuoteExpired.Because("the quote %s was valid until %s: ask for a new one", q.Number, q.ValidUntil)
	case q.Status != quoting.Sent:
		err = asInvalid(quoting.Undecidable(&q))
	}
	return q, err
}

// asInvalid turns the conflicts of quotes, and of the orders that they become, into what the portal answers for them.
func asInvalid(err error) error {
	f := fault.As(err)
	if err == nil || f.Kind != fault.Conflict {
		return err
	}
	invalid := *f
	invalid.Kind = fault.Invalid
	return &invalid
}

// WantedLine is a product that a customer wants a price for.
type WantedLine struct {
	ItemID   string
	Quantity dec.Dec // in the unit the product is sold by
	Note     string
}

// RequestQuote makes a draft of what the customer asks for, which the store prices. Permission.Denied, Quote.Invalid,
// Item.NotFound, and what is wrong with quantities.
func RequestQuote(tx *db.Tx, message string, wanted []WantedLine) (quoting.Quote, error) {
	if err := Need(tx, CreateQuotes); err != nil {
		return quoting.Quote{}, err
	}
	if message == "" && len(wanted) == 0 {
		return quoting.Quote{}, quoting.ErrInvalid.At("lines",
			"say in a message what you want a price for, or name products in lines")
	}
	v := storefront.Of(tx)
	ids := each.Of(wanted, func(w WantedLine) string { return w.ItemID })
	sold, err := assortment.Articles(tx, v.Viewer(), ids)
	if err != nil {
		return quoting.Quote{}, err
	}
	var wrong fault.List
	lines := make([]quoting.NewLine, len(wanted))
	for i, w := range wanted {
		a, ok := sold[w.ItemID]
		if !ok {
			wrong.Add(catalog.ErrNotFound, fmt.Sprintf("lines[%d].itemId", i),
				"the store has no product with the id %q", w.ItemID)
			continue
		}
		if _, sold := a.Item.Factor(a.Unit()); !sold {
			wrong.Add(catalog.ErrNotFound, fmt.Sprintf("lines[%d].itemId", i),
				"%s cannot be ordered at present: ask for it in the message", a.Name)
			continue
		}
		lines[i] = quoting.NewLine{Item: a.Item.Number, Description: a.Name, Quantity: w.Quantity, Notes: w.Note}
	}
	if err := wrong.Err(); err != nil {
		return quoting.Quote{}, err
	}
	n := quoting.New{Head: quoting.Head{CustomerNumber: v.Customer.Number, ContactName: v.Contact.Name,
		CurrencyCode: v.Channel.CurrencyCode}, Lines: lines,
		Request: &quoting.Request{Message: message, ChannelCode: v.Channel.Code}}
	if mail.IsAddress(v.Contact.Email) {
		n.ContactEmail = v.Contact.Email
	}
	return quoting.Create(tx, n)
}
