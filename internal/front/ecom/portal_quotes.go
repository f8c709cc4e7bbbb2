package ecom

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/paper"
	"kontor/internal/business/portal"
	"kontor/internal/business/quoting"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// PortalQuotes are what a customer is offered, and asks for.
func PortalQuotes() rest.Group {
	return rest.Group{Tag: "PortalQuotes", Scope: rest.ScopeCustomer,
		Doc: "The customer's quotes: asked for, read, accepted or declined.", Ops: []rest.Op{
			rest.Get("listPortalQuotes", "/portal/quotes",
				"Quotes, the newest first; drafts only where the customer asked for them.",
				needs(portal.ReadQuotes, listPortalQuotes)).
				Raises(portal.ErrDenied),
			rest.Get("getPortalQuote", "/portal/quotes/{id}", "One quote with its lines.", getPortalQuote).
				Raises(quoting.ErrNotFound), rest.Do("acceptPortalQuote", "/portal/quotes/{id}/accept",
				"Accepts a quote, which becomes an order at its prices.", rest.Done(portal.AcceptQuote)).
				Answers(204).Raises(quoting.ErrNotFound, portal.ErrQuoteStatus, portal.ErrQuoteExpired,
				catalog.ErrInactive,
				catalog.ErrTooManyDecimals,
				quoting.ErrUnknownUnit, configuration.ErrAlreadyOrdered, configuration.ErrInvalid),
			rest.Do("declinePortalQuote", "/portal/quotes/{id}/decline",
				"Declines a quote, with a reason if there is one.", declinePortalQuote).
				Answers(204).Raises(quoting.ErrNotFound, portal.ErrQuoteStatus, portal.ErrQuoteExpired).
				Example(`{"reason": "We wait until next year."}`),
			rest.Create("requestPortalQuote", "/portal/quotes/request",
				"Asks for a quote: a draft that the store prices and sends.", requestPortalQuote).
				Raises(portal.ErrDenied, quoting.ErrInvalid, quoting.ErrLineInvalid, catalog.ErrNotFound,
					catalog.ErrTooManyDecimals, limit.ErrQuantity, limit.ErrAmount).
				Example(
					`{"message": "Delivered in two parts?", "lines": [{"itemId": "019a9d2e-7c3f-7b51-9d2c-1f4e8a6b0c11", "quantity": "200"}]}`),
			rest.Print("getPortalQuotePdf", "/portal/quotes/{id}/pdf", "The quote as PDF, in the customer's language.",
				paper.Media, getPortalQuotePdf).
				Extension().Raises(quoting.ErrNotFound),
		}}
}

// PortalQuoteRow is a quote in the list.
type PortalQuoteRow struct {
	ID string `json:"id" format:"uuid"`
	wire.QuoteHead
	LineCount int `json:"lineCount" of:"-"`
}

// PortalQuotePage is a page of quotes, in the short envelope that it alone has.
type PortalQuotePage struct {
	Items      []PortalQuoteRow `json:"items"`
	Page       int              `json:"page"`
	PageSize   int              `json:"pageSize"`
	TotalCount int              `json:"totalCount"`
}

var (
	portalQuoteRow    = rest.Shown[PortalQuoteRow, quoting.Quote]()
	portalQuoteDetail = rest.Shown[PortalQuoteDetail, quoting.Quote]()
	wantedLines       = rest.Written[[]requestedQuoteLines, []portal.WantedLine]()
)

func portalQuoteRowOf(q quoting.Quote) PortalQuoteRow {
	out := portalQuoteRow(q)
	out.LineCount = len(q.Lines)
	return out
}

// PortalQuoteLine is one thing offered.
type PortalQuoteLine struct {
	ID                    string        `json:"id" format:"uuid"`
	ItemNumber            rest.Text     `json:"itemNumber" of:"Item" doc:"Null on a free-text line."`
	Description           rest.Text     `json:"description"`
	Quantity              dec.Dec       `json:"quantity"`
	UnitPrice             dec.Fixed     `json:"unitPrice"`
	DiscountPercent       dec.Dec       `json:"discountPercent"`
	LineTotal             dec.Fixed     `json:"lineTotal" doc:"Without tax."`
	LineTotalIncludingTax dec.Fixed     `json:"lineTotalIncludingTax" of:"-"`
	ConfigurationNumber   rest.Text     `json:"configurationNumber" doc:"Of a line that is made to order."`
	Values                []ChosenValue `json:"values" of:"-" doc:"What is chosen of what is made to order; empty of any other."`
}

// PortalQuoteDetail is a quote with its lines.
type PortalQuoteDetail struct {
	rest.WideTag
	ID string `json:"id" format:"uuid"`
	wire.Quote
	ContactName     rest.Text         `json:"contactName" doc:"Who asked for it, or is written to."`
	CustomerMessage rest.Text         `json:"customerMessage" doc:"What was asked for."`
	CanAccept       bool              `json:"canAccept" of:"-" doc:"The quote is sent and valid, and the contact may order."`
	CanDecline      bool              `json:"canDecline" of:"-"`
	OrderID         rest.Text         `json:"orderId" of:"-" format:"uuid" doc:"Of the order that it has become; null until then."`
	OrderNumber     rest.Text         `json:"orderNumber"`
	Lines           []PortalQuoteLine `json:"lines"`
}

type listPortalQuotesIn struct {
	rest.Paging
	Status quoting.Status `query:"status"`
}

func listPortalQuotes(tx *db.Tx, in listPortalQuotesIn) (PortalQuotePage, error) {
	found, err := quoting.List(tx, quoting.Filter{CustomerID: storefront.Of(tx).Customer.ID, Status: in.Status},
		in.Record())
	p := rest.PageOf(found, in.Paging, portalQuoteRowOf)
	return PortalQuotePage{p.Items, p.Page, p.PageSize, p.TotalCount}, err
}

func getPortalQuote(tx *db.Tx, in rest.ID) (PortalQuoteDetail, error) {
	q, err := portal.FindQuote(tx, in.ID)
	if err != nil {
		return PortalQuoteDetail{}, err
	}
	out := portalQuoteDetail(q)
	out.CanAccept, out.CanDecline = portal.MayDecide(tx, &q)
	if q.OrderNumber != "" {
		o, err := sales.Find(tx, q.OrderNumber)
		if err != nil {
			return out, err
		}
		out.OrderID = rest.Text(o.ID)
	}
	chosen, err := quoting.Chosen(tx, q.Lines)
	for i, l := range q.Lines {
		out.Lines[i].LineTotalIncludingTax = dec.Fixed{Value: l.LineTotal.Add(l.TaxAmount), Digits: q.Digits}
		out.Lines[i].Values = chosenValues(chosen[i])
	}
	return out, err
}

type declinePortalQuoteRequest struct {
	Reason rest.Text `json:"reason" text:"note"`
}

func declinePortalQuote(tx *db.Tx, in rest.With[rest.ID, *declinePortalQuoteRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, portal.DeclineQuote(tx, in.At.ID, string(rest.OrZero(in.Body).Reason))
}

// RequestPortalQuoteRequest is what a customer wants a price for.
type RequestPortalQuoteRequest struct {
	Message rest.Text             `json:"message" text:"note"`
	Lines   []requestedQuoteLines `json:"lines" maxItems:"200" doc:"None where the message says it all."`
}

type requestedQuoteLines struct {
	ItemID   string    `json:"itemId" format:"uuid" req:"true"`
	Quantity dec.Dec   `json:"quantity" req:"true" gt:"0"`
	Note     rest.Text `json:"note" text:"note"`
}

// RequestPortalQuoteResponse names the quote that was asked for.
type RequestPortalQuoteResponse struct {
	rest.Located
	QuoteID     string `json:"quoteId" format:"uuid"`
	QuoteNumber string `json:"quoteNumber"`
}

func requestPortalQuote(tx *db.Tx, in rest.Sent[RequestPortalQuoteRequest]) (RequestPortalQuoteResponse, error) {
	q, err := portal.RequestQuote(tx, string(in.Body.Message), wantedLines(in.Body.Lines))
	return RequestPortalQuoteResponse{rest.Located{Location: rest.Self("/ecom/portal/quotes/", q.ID).Self}, q.ID,
		q.Number}, err
}

func getPortalQuotePdf(tx *db.Tx, in rest.ID) (rest.Document, error) {
	q, err := portal.FindQuote(tx, in.ID)
	if err != nil {
		return rest.Document{}, err
	}
	f, err := paper.QuoteFor(tx, q)
	return rest.Document(f), err
}
