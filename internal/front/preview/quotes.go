package preview

import (
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/party"
	"kontor/internal/business/quoting"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// Quotes are offers that may become sales orders.
func Quotes() rest.Group {
	head := []fault.Code{quoting.ErrInvalid, quoting.ErrUnknownCode, party.ErrNotFound, party.ErrInactive}
	lines := []fault.Code{catalog.ErrNotFound, catalog.ErrInactive, catalog.ErrTooManyDecimals, quoting.ErrLineInvalid,
		quoting.ErrNoPrice, quoting.ErrUnknownUnit, configuration.ErrNotFound, configuration.ErrAlreadyOrdered,
		configuration.ErrInvalid, limit.ErrQuantity, limit.ErrAmount}
	ordering := []fault.Code{quoting.ErrNotFound, quoting.ErrInvalidStatus, quoting.ErrCustomerRequired,
		party.ErrInactive, catalog.ErrInactive, catalog.ErrTooManyDecimals, quoting.ErrUnknownUnit,
		configuration.ErrAlreadyOrdered, configuration.ErrInvalid}
	return rest.Group{Tag: "Quotes", Scope: "quotes",
		Doc: "Quotes with lines and validity: sent to a customer or a prospect, accepted as a sales order.",
		Ops: []rest.Op{
			rest.List("listQuotes", "/quotes", "Quotes by number, drafts included.",
				rest.Lists[listQuotesIn](shownQuote, quoting.List)).Cached(),
			rest.Create("createQuote", "/quotes",
				"Creates a draft quote, for a customer or for a prospect who is none yet.",
				rest.Creates[newQuote](shownQuote, quoting.Create)).
				Raises(append(head, lines...)...).
				Example(
					`{"title": "Workshop 2026", "customerNumber": "C-1001", "validUntil": "2026-12-31", "lines": [{"itemNumber": "A-100", "quantity": "3"}]}`),
			rest.Get("getQuote", "/quotes/{quoteNumber}", "One quote with its lines.", shownQuote.Of(quoting.Find)).
				Raises(quoting.ErrNotFound).CachedOne(quoting.Quotes), rest.Patch("updateQuote", "/quotes/{quoteNumber}",
				"Changes a draft's head. Where customer, date or currency change, prices that were not given are looked up anew. "+
					"A prospect's quote may get its customerNumber while it is Sent too.",
				rest.Edits[quoteFields](shownQuote, quoting.Change)).
				Raises(append(head, quoting.ErrNotFound, quoting.ErrInvalidStatus, quoting.ErrLineInvalid,
					configuration.ErrAlreadyOrdered, configuration.ErrInvalid)...).
				Example(`{"title": "Workshop 2027"}`),
			rest.Delete("deleteQuote", "/quotes/{quoteNumber}", "Deletes a draft.",
				rest.Gone(quoting.Delete)).Extension().
				Raises(quoting.ErrNotFound, quoting.ErrInvalidStatus),
			rest.Put("putQuoteLines", "/quotes/{quoteNumber}/lines", "Replaces all lines of a draft.",
				rest.Given[putQuoteLinesRequest](shownQuote, quoting.PutLines)).
				Answers(200).
				Raises(append(lines, quoting.ErrNotFound, quoting.ErrInvalidStatus, quoting.ErrUnknownCode)...).
				Example(`{"lines": [{"itemNumber": "A-100", "quantity": "5", "discountPercent": "10"}]}`),
			rest.Do("sendQuote", "/quotes/{quoteNumber}/send",
				"Sends a draft to the customer: prices and lines stay as they are from then on. "+
					"Where the customer has an e-mail address, the quote goes there with a link to accept or decline it.",
				sendQuote).
				Raises(quoting.ErrNotFound, quoting.ErrInvalidStatus, quoting.ErrEmpty, quoting.ErrNoPrice),
			rest.Do("acceptQuote", "/quotes/{quoteNumber}/accept",
				"Records that the customer accepts: the quote becomes a sales order at its prices.", acceptQuote).
				Raises(append(ordering, quoting.ErrExpired)...),
			rest.Do("declineQuote", "/quotes/{quoteNumber}/decline",
				"Records that the customer declines, with the reason.",
				rest.Told[declineQuoteRequest](shownQuote, quoting.Decline)).
				Raises(quoting.ErrNotFound, quoting.ErrInvalidStatus, quoting.ErrExpired).
				Example(`{"reason": "Too expensive"}`),
			rest.Do("convertQuote", "/quotes/{quoteNumber}/convert",
				"Makes a sales order of the quote, without waiting for the customer's answer.",
				convertedQuote.Of(quoting.Convert)).Creates().
				Raises(append(ordering, quoting.ErrEmpty, quoting.ErrNoPrice)...),
		}}
}

// QuoteLine is one thing offered.
type QuoteLine struct {
	LineNumber          int       `json:"lineNumber" of:"Number"`
	ItemNumber          rest.Text `json:"itemNumber" of:"Item" doc:"Null on a free-text line."`
	Description         rest.Text `json:"description"`
	Quantity            dec.Dec   `json:"quantity"`
	Unit                rest.Text `json:"unit"`
	UnitPrice           dec.Fixed `json:"unitPrice"`
	DiscountPercent     dec.Dec   `json:"discountPercent"`
	TaxPercent          dec.Dec   `json:"taxPercent"`
	LineTotal           dec.Fixed `json:"lineTotal" doc:"Without tax."`
	ConfigurationNumber rest.Text `json:"configurationNumber" doc:"Of a line that is made to order."`
}

// Quote is a quote with its lines.
type Quote struct {
	rest.Tag
	wire.Quote
	CustomerNumber         rest.Text   `json:"customerNumber" doc:"Null for a prospect."`
	CustomerName           string      `json:"customerName" doc:"The prospect's, where there is no customer."`
	DeclinedReason         rest.Text   `json:"declinedReason"`
	ConvertedToOrderNumber rest.Text   `json:"convertedToOrderNumber" of:"OrderNumber" doc:"Null until the quote has become an order."`
	Lines                  []QuoteLine `json:"lines"`
	rest.Stamps
	Links rest.Links `json:"links" of:"Number" self:"/preview/quotes/"`
}

var shownQuote = rest.Shows(quoteOf)

var quoteOf = rest.Shown[Quote, quoting.Quote]()

type listQuotesIn struct {
	rest.Paging
	Search         string         `query:"search" doc:"Part of number or title."`
	Status         quoting.Status `query:"status"`
	CustomerNumber string         `query:"customerNumber" of:"Customer"`
}

// quoteFields are what may be said of a quote's head.
type quoteFields struct {
	Title          rest.Text `json:"title" text:"name"`
	Description    rest.Text `json:"description" text:"note"`
	CustomerNumber rest.Text `json:"customerNumber" doc:"Or prospectName."`
	ProspectName   rest.Text `json:"prospectName" text:"name" doc:"Of somebody who is no customer yet. A quote is accepted only once it has a customerNumber."`
	QuoteDate      rest.Date `json:"quoteDate" doc:"Left out: today. Prices are those of this day."`
	ValidUntil     rest.Date `json:"validUntil" doc:"Left out: 30 days after quoteDate."`
	CurrencyCode   rest.Text `json:"currencyCode" doc:"Left out: the customer's, else the company's."`
}

type newQuoteLine struct {
	ItemNumber          rest.Text `json:"itemNumber" of:"Item" doc:"Or description with unitPrice."`
	Description         rest.Text `json:"description" text:"note" doc:"Left out: the item's name."`
	Quantity            dec.Dec   `json:"quantity" req:"true" gt:"0"`
	UnitCode            rest.Text `json:"unitCode" of:"Unit" doc:"Left out: the item's sales unit."`
	UnitPrice           *dec.Dec  `json:"unitPrice" doc:"Without tax. Left out: by the price rule."`
	DiscountPercent     *dec.Dec  `json:"discountPercent"`
	TaxCode             rest.Text `json:"taxCode" doc:"Left out: the item's, else the company's."`
	ConfigurationNumber rest.Text `json:"configurationNumber" doc:"Choices that were saved: they raise the price of the rule, and the order has them."`
}

type newQuote struct {
	quoteFields
	Lines []newQuoteLine `json:"lines" maxItems:"5000"`
}

type putQuoteLinesRequest struct {
	Lines []newQuoteLine `json:"lines" req:"true" maxItems:"5000"`
}

func sendQuote(tx *db.Tx, in rest.Key) (Quote, error) {
	q, err := quoting.Send(tx, in.Key, quoting.Reader{})
	return quoteOf(q), err
}

func acceptQuote(tx *db.Tx, in rest.Key) (Quote, error) {
	q, _, err := quoting.Accept(tx, in.Key, quoting.Acceptance{})
	return quoteOf(q), err
}

type declineQuoteRequest struct {
	Reason rest.Text `json:"reason" text:"note"`
}

// ConvertedQuote names the order that a quote has become.
type ConvertedQuote struct {
	rest.Located `of:"OrderNumber" self:"/preview/orders/"`
	OrderNumber  string `json:"orderNumber"`
}

var convertedQuote = rest.Shows(rest.Shown[ConvertedQuote, quoting.Quote]())
