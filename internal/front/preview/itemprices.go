package preview

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/business/catalog"
	"kontor/internal/business/party"
	"kontor/internal/business/pricing"
	"kontor/internal/business/reference"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// itemPrices is the part of the Items group that pricing answers.
func itemPrices() []rest.Op {
	return []rest.Op{
		rest.Get("getItemPrice", "/items/{itemNumber}/price", "The price that an order line would receive.",
			getItemPrice).
			Raises(catalog.ErrNotFound, pricing.ErrUnknownCustomer, pricing.ErrUnknownCurrency,
				pricing.ErrUnknownChannel, pricing.ErrUnknownUnit, catalog.ErrTooManyDecimals, limit.ErrQuantity),
		rest.Do("calculateItemPrices", "/items/prices", "Order prices of up to 200 items in one call.",
			calculateItemPrices).
			NoIdempotencyKey().Scoped("items:read").
			Raises(catalog.ErrNotFound, pricing.ErrUnknownCustomer, pricing.ErrUnknownCurrency,
				pricing.ErrUnknownChannel, pricing.ErrUnknownUnit, catalog.ErrTooManyDecimals, limit.ErrQuantity).
			Example(
				`{"customerNumber": "C-1001", "items": [{"itemNumber": "A-100", "quantity": "12"}, {"itemNumber": "A-200"}]}`),
	}
}

// ItemPrice is the price of an item and where it comes from.
type ItemPrice struct {
	ItemNumber          string       `json:"itemNumber" of:"-"`
	CustomerNumber      rest.Text    `json:"customerNumber" of:"-"`
	Quantity            dec.Dec      `json:"quantity" of:"-"`
	UnitCode            rest.Text    `json:"unitCode" of:"Unit" doc:"The price is for one of it; null: the item has no unit."`
	CurrencyCode        string       `json:"currencyCode"`
	UnitPrice           *dec.Fixed   `json:"unitPrice" doc:"Null: no price; an order line needs its own."`
	DiscountPercent     dec.Dec      `json:"discountPercent"`
	IsPriceIncludingTax bool         `json:"isPriceIncludingTax"`
	PriceSource         price.Source `json:"priceSource" of:"Source" doc:"Type of the price list that won, ListPrice for the item's sales price, or None."`
	PriceListCode       rest.Text    `json:"priceListCode" of:"ListCode"`
	PriceListName       rest.Text    `json:"priceListName" of:"ListName"`
	MinQuantity         *dec.Dec     `json:"minQuantity" doc:"Of the line that won, in base units."`
	ValidFrom           rest.Date    `json:"validFrom"`
	ValidTo             rest.Date    `json:"validTo"`
	Breaks              []PriceBreak `json:"breaks" doc:"Quantities from which on the price is another; empty where it is one for all."`
}

// PriceBreak is the price from a quantity on.
type PriceBreak struct {
	MinQuantity dec.Dec   `json:"minQuantity" doc:"In base units."`
	UnitPrice   dec.Fixed `json:"unitPrice"`
}

var quoteIn = rest.ShownIn[ItemPrice, price.Quote]()

func itemPriceOf(book *reference.Book, r priceRow, q price.Quote) ItemPrice {
	p := quoteIn(book.Digits(q.CurrencyCode), q)
	p.ItemNumber, p.Quantity = r.item.Number, r.quantity
	if r.customer != nil {
		p.CustomerNumber = rest.Text(r.customer.Number)
	}
	if u, ok := book.Unit(q.Unit); ok {
		p.UnitCode = rest.Text(u.Code)
	}
	return p
}

// priceTerms are what a price may depend on besides the item.
type priceTerms struct {
	customerNumber, currencyCode, channelCode string
	date                                      day.Date
}

// or are the terms with others where they say nothing.
func (t priceTerms) or(others priceTerms) priceTerms {
	return priceTerms{cmp.Or(t.customerNumber, others.customerNumber), cmp.Or(t.currencyCode, others.currencyCode),
		cmp.Or(t.channelCode, others.channelCode), cmp.Or(t.date, others.date)}
}

// member is what the terms say of the request's member of that name.
func (t priceTerms) member(name string) string {
	switch name {
	case "customerNumber":
		return t.customerNumber
	case "currencyCode":
		return t.currencyCode
	}
	return t.channelCode
}

// priceRow is one question, with what it names looked up.
type priceRow struct {
	path     string     // where the request says it: "items[2]."
	own      priceTerms // what it says itself; the rest of its terms is the request's
	terms    priceTerms
	customer *party.Customer
	item     catalog.Item
	quantity dec.Dec
	unit     string
}

type getItemPriceIn struct {
	ItemNumber     string   `path:"itemNumber"`
	CustomerNumber string   `query:"customerNumber"`
	Quantity       dec.Dec  `query:"quantity" gt:"0" default:"1"`
	UnitCode       string   `query:"unitCode" doc:"Left out: the sales unit, else the base unit."`
	CurrencyCode   string   `query:"currencyCode" doc:"Left out: the customer's, else the channel's, else the company's."`
	ChannelCode    string   `query:"channelCode"`
	Date           day.Date `query:"date" doc:"Left out: today."`
}

func getItemPrice(tx *db.Tx, in getItemPriceIn) (ItemPrice, error) {
	item, err := catalog.Find(tx, in.ItemNumber)
	if err != nil {
		return ItemPrice{}, err
	}
	rows := []priceRow{{terms: priceTerms{in.CustomerNumber, in.CurrencyCode, in.ChannelCode, in.Date},
		quantity: in.Quantity, unit: in.UnitCode}}
	if err := lookUp(tx, rows, []string{item.Number}); err != nil {
		return ItemPrice{}, err
	}
	prices, err := priced(tx, rows)
	if err != nil {
		return ItemPrice{}, err
	}
	return prices[0], nil
}

// situation is what the row is priced in.
func (r *priceRow) situation() pricing.Situation {
	return pricing.Situation{Customer: r.customer, Currency: r.terms.currencyCode, ChannelCode: r.terms.channelCode,
		Date: r.terms.date}
}

// checkTerms notes what is wrong with the row's terms: at the row where it says so itself, else once for all rows.
func (r *priceRow) checkTerms(tx *db.Tx, wrong *fault.List, known map[string]party.Customer) error {
	var terms fault.List
	if number := r.terms.customerNumber; number != "" {
		c, ok := known[record.Fold(number)]
		terms.If(!ok, pricing.ErrUnknownCustomer, "customerNumber", "no customer has the number %q", number)
		r.customer = &c
	}
	if err := terms.AddError(r.situation().Check(tx)); err != nil {
		return err
	}
	for _, f := range terms.Fields() {
		switch {
		case r.own.member(f.Path) != "":
			f.Path = r.path + f.Path
		case slices.ContainsFunc(wrong.Fields(), func(o fault.Field) bool { return o.Path == f.Path }):
			continue
		}
		wrong.Note(fault.New(fault.Invalid, f.Code), f.Path, f.Said())
	}
	return nil
}

// check fills in the unit an order line would have, and notes what an order line would be refused for.
func (r *priceRow) check(wrong *fault.List) {
	r.unit = cmp.Or(r.unit, r.item.SalesUnit, r.item.BaseUnit)
	if _, ok := r.item.Factor(r.unit); !ok {
		wrong.Add(pricing.ErrUnknownUnit, r.path+"unitCode",
			"item %s is not sold in %q; GET /preview/items/%s/units lists its units", r.item.Number, r.unit,
			r.item.Number)
	}
	if r.quantity <= 0 {
		wrong.Add(fault.ErrInvalid, r.path+"quantity", "must be above 0")
	} else if err := catalog.CheckQuantity(&r.item, r.quantity); err != nil {
		f := fault.As(err).Fields[0]
		wrong.Note(fault.New(fault.Invalid, f.Code), r.path+f.Path, f.Said())
	}
}

type calculateItemPricesRequest struct {
	CustomerNumber rest.Text  `json:"customerNumber" doc:"Of all rows that name none."`
	CurrencyCode   rest.Text  `json:"currencyCode"`
	ChannelCode    rest.Text  `json:"channelCode"`
	Date           rest.Date  `json:"date" doc:"Left out: today."`
	Items          []priceAsk `json:"items" req:"true" minItems:"1" maxItems:"200"`
}

// priceAsk is one row of a price calculation; what it leaves out is taken from the body.
type priceAsk struct {
	ItemNumber     string    `json:"itemNumber" req:"true"`
	Quantity       *dec.Dec  `json:"quantity" gt:"0" doc:"Left out: 1."`
	UnitCode       rest.Text `json:"unitCode"`
	CustomerNumber rest.Text `json:"customerNumber"`
	CurrencyCode   rest.Text `json:"currencyCode"`
	ChannelCode    rest.Text `json:"channelCode"`
	Date           rest.Date `json:"date"`
}

// ItemPrices are prices in the order of the rows that asked.
type ItemPrices struct {
	Items []ItemPrice `json:"items"`
}

func calculateItemPrices(tx *db.Tx, in rest.Sent[calculateItemPricesRequest]) (ItemPrices, error) {
	b := in.Body
	all := priceTerms{string(b.CustomerNumber), string(b.CurrencyCode), string(b.ChannelCode), day.Date(b.Date)}
	rows, numbers := make([]priceRow, len(b.Items)), make([]string, len(b.Items))
	for n, a := range b.Items {
		own := priceTerms{string(a.CustomerNumber), string(a.CurrencyCode), string(a.ChannelCode), day.Date(a.Date)}
		rows[n] = priceRow{path: fmt.Sprintf("items[%d].", n), own: own, terms: own.or(all), quantity: dec.One,
			unit: string(a.UnitCode)}
		if a.Quantity != nil {
			rows[n].quantity = *a.Quantity
		}
		numbers[n] = a.ItemNumber
	}
	if err := lookUp(tx, rows, numbers); err != nil {
		return ItemPrices{}, err
	}
	prices, err := priced(tx, rows)
	return ItemPrices{prices}, err
}

// lookUp finds the items and customers that the rows name, and checks each row. All that is wrong is reported at once.
func lookUp(tx *db.Tx, rows []priceRow, numbers []string) error {
	items, err := catalog.FindMany(tx, numbers)
	if err != nil {
		return err
	}
	known, err := party.FindMany(tx, each.Given(rows, func(r priceRow) string { return r.terms.customerNumber }))
	if err != nil {
		return err
	}
	var wrong fault.List
	for n := range rows {
		r := &rows[n]
		if err := r.checkTerms(tx, &wrong, known); err != nil {
			return err
		}
		item, ok := items[record.Fold(numbers[n])]
		if !ok {
			wrong.Add(catalog.ErrNotFound, r.path+"itemNumber", "no item has the number %q", numbers[n])
			continue
		}
		r.item = item
		r.check(&wrong)
	}
	return wrong.Err()
}

// priced prices rows, those with the same terms together: for one customer a constant number of statements.
func priced(tx *db.Tx, rows []priceRow) ([]ItemPrice, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return nil, err
	}
	together := map[priceTerms][]int{}
	for n, r := range rows {
		together[r.terms] = append(together[r.terms], n)
	}
	out := make([]ItemPrice, len(rows))
	for _, places := range together {
		asks := make([]pricing.Ask, len(places))
		for i, n := range places {
			asks[i] = pricing.Ask{Item: &rows[n].item, Quantity: rows[n].quantity, Unit: rows[n].unit}
		}
		quotes, err := pricing.For(tx, rows[places[0]].situation(), asks)
		if err != nil {
			return nil, err
		}
		for i, n := range places {
			out[n] = itemPriceOf(book, rows[n], quotes[i])
		}
	}
	return out, nil
}
