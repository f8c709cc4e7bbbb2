package ecom

import (
	"context"

	"kontor/internal/business/assortment"
	"kontor/internal/business/cart"
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/media"
	"kontor/internal/business/pricing"
	"kontor/internal/business/promotion"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/tax"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/rest"
	"kontor/internal/front/wire"
)

// additions are the refusals of what is put into a cart.
var additions = []fault.Code{cart.ErrNotSellable, cart.ErrNotPurchasable, cart.ErrQuantity, pricing.ErrUnknownUnit,
	catalog.ErrTooManyDecimals, configuration.ErrNotFound, configuration.ErrNotConfigurable, configuration.ErrInvalid,
	cart.ErrFull, limit.ErrQuantity, limit.ErrAmount}

// CartGroup is the visitor's cart.
func CartGroup(files *media.Library) rest.Group {
	c := carts{files}
	return rest.Group{Tag: "Cart", Scope: rest.ScopeSession,
		Doc: "The visitor's cart, priced afresh whenever it is read.", Ops: []rest.Op{
			rest.Stream("getCart", "/cart", "The session's cart, priced; a price that has changed is announced once.",
				c.get).Tagging(),
			rest.Drafted(rest.Create("addCartItem", "/cart/items",
				"Puts an item into the cart; one that lies there already in the same configuration raises its line.",
				c.add).
				Raises(additions...).Example(`{"itemId": "019a9d2e-7c3f-7b51-9d2c-1f4e8a6b0c11", "quantity": "2"}`),
				c.draft),
			rest.Batch("addCartItems", "/cart/items/batch",
				"Puts up to 200 items into the cart, each accepted or refused by itself.", c.addMany).
				Raises(additions...).
				Example(`{"items": [{"itemId": "019a9d2e-7c3f-7b51-9d2c-1f4e8a6b0c11", "quantity": "2"}]}`),
			rest.Patch("updateCartItem", "/cart/items/{lineId}", "Changes the quantity or note of a line.", c.update).
				Raises(cart.ErrLineNotFound, cart.ErrNotSellable, cart.ErrQuantity, catalog.ErrTooManyDecimals,
					limit.ErrQuantity, limit.ErrAmount).
				Example(`{"quantity": "3"}`),
			rest.Delete("removeCartItem", "/cart/items/{lineId}", "Takes a line out of the cart.",
				rest.Done(cart.Remove)).
				Raises(cart.ErrLineNotFound), rest.Delete("clearCart", "/cart",
				"Empties the cart: lines, codes, reference and note.", clearCart),
			rest.Patch("updateCart", "/cart", "Changes reference, note and requested delivery date of the order to be.",
				c.describe).
				Raises(cart.ErrDate).Extension().Example(`{"reference": "PO 4711"}`),
			rest.Get("getCartSummary", "/cart/summary", "How much lies in the cart, and what it costs.",
				getCartSummary).
				Extension(),
		}}
}

// carts shows carts, whose pictures are addressed by the files.
type carts struct{ files *media.Library }

// Cart is the visitor's cart.
type Cart struct {
	rest.Located
	ID                    string     `json:"id" format:"uuid"`
	CurrencyCode          string     `json:"currencyCode"`
	Reference             rest.Text  `json:"reference"`
	Note                  rest.Text  `json:"note"`
	RequestedDeliveryDate rest.Date  `json:"requestedDeliveryDate"`
	Lines                 []CartLine `json:"lines"`
	Codes                 []CartCode `json:"codes"`
	Sums
	Freight             *dec.Fixed    `json:"freight" doc:"Without tax; null until a delivery method is chosen."`
	FreightIncludingTax *dec.Fixed    `json:"freightIncludingTax"`
	Total               dec.Fixed     `json:"total" doc:"Without tax: subtotal less discountTotal and freight."`
	Messages            []CartMessage `json:"messages"`
}

// CartLine is an item in a cart.
type CartLine struct {
	LineID                string        `json:"lineId" format:"uuid"`
	ItemID                string        `json:"itemId" format:"uuid"`
	ItemNumber            rest.Text     `json:"itemNumber"`
	Slug                  rest.Text     `json:"slug" doc:"Null where the store no longer sells the item."`
	Name                  rest.Text     `json:"name"`
	ImageURL              rest.Text     `json:"imageUrl"`
	Quantity              dec.Dec       `json:"quantity"`
	Unit                  rest.Text     `json:"unit" doc:"The unit the item is sold by."`
	UnitPrice             *dec.Fixed    `json:"unitPrice" doc:"Without tax; null where the line cannot be bought."`
	UnitPriceIncludingTax *dec.Fixed    `json:"unitPriceIncludingTax"`
	LineTotal             dec.Fixed     `json:"lineTotal" doc:"Without tax, less discountAmount."`
	LineTotalIncludingTax dec.Fixed     `json:"lineTotalIncludingTax"`
	DiscountAmount        dec.Fixed     `json:"discountAmount" doc:"What discount codes take off, without tax."`
	Stock                 *CartStock    `json:"stock" doc:"Null where the store shows no stock, and of what is made to order."`
	ConfigurationNumber   rest.Text     `json:"configurationNumber"`
	Values                []ChosenValue `json:"values" doc:"What is chosen of a configured item; empty of any other."`
	Note                  rest.Text     `json:"note"`
	Warnings              []CartMessage `json:"warnings"`
}

// CartStock is the stock of a line's item, as the store shows it.
type CartStock struct {
	ItemID       string            `json:"itemId" format:"uuid"`
	Status       assortment.Status `json:"status"`
	Quantity     *dec.Dec          `json:"quantity" doc:"Where the store shows quantities."`
	ExpectedDate rest.Date         `json:"expectedDate"`
}

// CartCode is a discount code or gift card in a cart.
type CartCode struct {
	Code        string         `json:"code" secret:"true"`
	Type        promotion.Kind `json:"type" of:"Kind"`
	Amount      dec.Fixed      `json:"amount" doc:"Taken off the goods, with tax where the store shows prices so, or paid; 0 where it grants nothing at present."`
	Description rest.Text      `json:"description"`
}

// CartMessage is something the visitor should know.
type CartMessage struct {
	Code   string    `json:"code" doc:"By which a storefront may say it in its own words, such as Cart.PriceChanged."`
	LineID rest.Text `json:"lineId" format:"uuid"`
	Text   string    `json:"text"`
}

var (
	cartCodesIn  = rest.ShownIn[[]CartCode, []promotion.Applied]()
	cartMessages = rest.Shown[[]CartMessage, []cart.Message]()
)

// of is a cart on the wire.
func (s carts) of(tx *db.Tx, c *cart.Cart) Cart {
	amount := func(d dec.Dec) dec.Fixed { return dec.Fixed{Value: d, Digits: c.Digits} }
	out := Cart{Located: rest.Located{Location: "/ecom/cart"}, ID: c.KnownID(tx), CurrencyCode: c.CurrencyCode,
		Reference: rest.Text(c.Reference), Note: rest.Text(c.Note),
		RequestedDeliveryDate: rest.Date(c.RequestedDeliveryDate), Lines: make([]CartLine, len(c.Lines)),
		Codes: cartCodesIn(c.Digits, c.Codes), Total: amount(c.Total), Messages: cartMessages(c.Messages),
		Sums: Sums{amount(c.Subtotal), amount(c.DiscountTotal), amount(c.TaxTotal), amount(c.TotalIncludingTax),
			amount(c.GiftCardTotal), amount(c.AmountToPay), amount(c.Subtotal.Add(c.SubtotalTax)),
			amount(c.DiscountTotal.Add(c.DiscountTax))}}
	if c.Freight != nil {
		net, gross := amount(c.FreightNet), amount(c.FreightNet.Add(c.Freight.Tax))
		out.Freight, out.FreightIncludingTax = &net, &gross
	}
	shows := storefront.Of(tx).Channel.Store.Shows()
	for i := range c.Lines {
		l := c.Lines[i]
		w := &out.Lines[i]
		*w = CartLine{LineID: l.ID, ItemID: l.ItemID, ItemNumber: rest.Text(l.Item.Number),
			Slug: rest.Text(l.Article.Slug), Name: rest.Text(l.Item.Name), Quantity: l.Quantity,
			Unit: rest.Text(l.Unit), LineTotal: amount(l.Net), LineTotalIncludingTax: amount(l.Net.Add(l.Tax)),
			DiscountAmount: amount(l.DiscountNet), ConfigurationNumber: rest.Text(l.ConfigurationNumber),
			Note: rest.Text(l.Note), Warnings: cartMessages(l.Warnings), Values: chosenValues(l.Configuration)}
		if l.Article.Name != "" {
			w.Name = rest.Text(l.Article.Name)
		}
		if l.Article.Picture.Hash != "" {
			w.ImageURL = rest.Text(s.files.URL(tx.Company, l.Article.Picture))
		}
		if l.IsSellable {
			w.UnitPrice, w.UnitPriceIncludingTax = unitPrices(l, c.Digits)
		}
		if l.Stock != nil {
			if shown := l.Stock.Shown(shows); shown != nil {
				w.Stock = &CartStock{l.ItemID, shown.Status, shown.Quantity, rest.Date(shown.Expected)}
			}
		}
	}
	return out
}

// unitPrices are the price of a line without and with tax. The one that the books keep is shown as it is.
func unitPrices(l *cart.Line, digits int) (net, gross *dec.Fixed) {
	n, vat := tax.Line(l.UnitPrice, l.TaxPercent, digits, l.IsPriceIncludingTax)
	is, other := dec.Fixed{Value: l.UnitPrice, Digits: digits}, dec.Fixed{Value: n, Digits: digits}
	if l.IsPriceIncludingTax {
		return &other, &is
	}
	other.Value = n.Add(vat)
	return &is, &other
}

func (s carts) get(_ context.Context, st *rest.Streaming, _ struct{}) (Cart, error) {
	return seen(st, func(tx *db.Tx) (*cart.Cart, bool, error) {
		c, err := cart.Of(tx)
		return c, err == nil && c.HasNews(tx), err
	}, cart.Show, func(tx *db.Tx, c *cart.Cart) (Cart, error) { return s.of(tx, c), nil })
}

// seen shows what its visitor looks at: in a snapshot where nothing is to be remembered of it, else in a transaction
// that remembers it.
func seen[T, Out any](st *rest.Streaming, look func(*db.Tx) (T, bool, error), show func(*db.Tx) (T, error),
	out func(*db.Tx, T) (Out, error)) (shown Out, err error) {
	hasNews := false
	err = st.Read(func(tx *db.Tx) error {
		is, news, err := look(tx)
		if hasNews = news; err == nil && !news {
			shown, err = out(tx, is)
		}
		return err
	})
	if err != nil || !hasNews {
		return shown, err
	}
	err = st.Write(func(tx *db.Tx) error {
		is, err := show(tx)
		if err == nil {
			shown, err = out(tx, is)
		}
		return err
	})
	return shown, err
}

// shown is the cart after a change, or the error of the change.
func (s carts) shown(tx *db.Tx, c *cart.Cart, err error) (Cart, error) {
	if err != nil {
		return Cart{}, err
	}
	return s.of(tx, c), nil
}

// newCartItem is something to be put in a cart.
type newCartItem struct {
	ItemID              string        `json:"itemId" req:"true" format:"uuid"`
	Quantity            dec.Dec       `json:"quantity" req:"true" gt:"0"`
	Unit                rest.Text     `json:"unit" doc:"Of the quantity; left out: the one the item is sold by, in which the cart counts."`
	ConfigurationNumber rest.Text     `json:"configurationNumber" doc:"Of a line that lies in the cart, or one of the customer's; one that was ordered is made again."`
	Values              []wire.Choice `json:"values" of:"Choices" maxItems:"200" doc:"Of a configurable item: what is chosen. They are checked and saved as a configuration."`
	Note                rest.Text     `json:"note" text:"note"`
}

var (
	addition    = rest.Written[newCartItem, cart.Addition]()
	additionsOf = rest.Written[[]newCartItem, []cart.Addition]()
)

type addCartItemIn struct {
	Body newCartItem

	draft *cart.Draft
	shown Cart // the draft's
}

// draft works the addition out ahead.
func (s carts) draft(tx *db.Tx, in *addCartItemIn) (err error) {
	in.draft, err = cart.Prepare(tx, []cart.Addition{addition(in.Body)})
	if in.draft != nil {
		in.shown = s.of(tx, in.draft.Cart())
	}
	return err
}

func (s carts) add(tx *db.Tx, in addCartItemIn) (Cart, error) {
	if done, err := in.draft.Put(tx); done || err != nil {
		return in.shown, err
	}
	c, out, err := cart.Add(tx, []cart.Addition{addition(in.Body)})
	if err == nil {
		err = out[0].Err
	}
	return s.shown(tx, c, err)
}

type addCartItemsRequest struct {
	Items []newCartItem `json:"items" req:"true" minItems:"1" maxItems:"200"`
}

// CartBatch is what became of many additions, and the cart with them.
type CartBatch struct {
	AddedCount  int               `json:"addedCount"`
	RaisedCount int               `json:"raisedCount"`
	FailedCount int               `json:"failedCount"`
	Results     []CartBatchResult `json:"results"`
	Cart        Cart              `json:"cart"`
}

// CartBatchResult is what became of a row.
type CartBatchResult struct {
	Index   int           `json:"index"`
	ItemID  string        `json:"itemId"`
	LineID  rest.Text     `json:"lineId" format:"uuid"`
	Outcome string        `json:"outcome" doc:"added, raised or failed."`
	Error   *CartRowError `json:"error"`
}

// CartRowError is why a row failed.
type CartRowError struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// cartRowError shows why a row failed. What is our own fault is the error of all.
func cartRowError(err error) (*CartRowError, error) {
	f := fault.As(err)
	if f.Kind == fault.Internal {
		return nil, err
	}
	return &CartRowError{f.Code, f.Detail}, nil
}

func (s carts) addMany(tx *db.Tx, in rest.Sent[addCartItemsRequest]) (CartBatch, error) {
	rows := additionsOf(in.Body.Items)
	c, done, err := cart.Add(tx, rows)
	if err == nil && len(done) == 1 && done[0].Err != nil {
		c, err = cart.Show(tx)
	}
	if err != nil {
		return CartBatch{}, err
	}
	out := CartBatch{Results: make([]CartBatchResult, len(done))}
	for i, o := range done {
		r := CartBatchResult{Index: i, ItemID: rows[i].ItemID, LineID: rest.Text(o.LineID)}
		switch {
		case o.Err != nil:
			if r.Error, err = cartRowError(o.Err); err != nil {
				return CartBatch{}, err
			}
			r.Outcome = "failed"
			out.FailedCount++
		case o.IsNew:
			r.Outcome = "added"
			out.AddedCount++
		default:
			r.Outcome = "raised"
			out.RaisedCount++
		}
		out.Results[i] = r
	}
	out.Cart = s.of(tx, c)
	return out, nil
}

type cartLineFields struct {
	Quantity dec.Dec   `json:"quantity" gt:"0" doc:"In the line's unit; DELETE takes the line out."`
	Note     rest.Text `json:"note" text:"note"`
}

var cartLines = rest.Alike[cartLineFields, cart.Edit]()

func (s carts) update(tx *db.Tx, in rest.With[rest.ID, rest.Merge[cartLineFields]]) (Cart, error) {
	c, err := cart.Change(tx, in.At.ID, rest.Laid(in.Body, cartLines))
	return s.shown(tx, c, err)
}

func clearCart(tx *db.Tx, _ struct{}) (rest.NoContent, error) {
	return rest.NoContent{}, cart.Clear(tx)
}

type cartFields struct {
	Reference             rest.Text `json:"reference" text:"name" doc:"The buyer's own, such as an order number."`
	Note                  rest.Text `json:"note" text:"note"`
	RequestedDeliveryDate rest.Date `json:"requestedDeliveryDate"`
}

var cartDetails = rest.Alike[cartFields, cart.Details]()

func (s carts) describe(tx *db.Tx, in rest.Sent[rest.Merge[cartFields]]) (Cart, error) {
	c, err := cart.Describe(tx, rest.Laid(in.Body, cartDetails))
	return s.shown(tx, c, err)
}

// CartSummary is the cart in a line.
type CartSummary struct {
	LineCount         int       `json:"lineCount"`
	ItemCount         dec.Dec   `json:"itemCount" doc:"Pieces of all lines, each in its own unit."`
	Total             dec.Fixed `json:"total"`
	TotalIncludingTax dec.Fixed `json:"totalIncludingTax"`
	CurrencyCode      string    `json:"currencyCode"`
}

func getCartSummary(tx *db.Tx, _ struct{}) (CartSummary, error) { return summaryOf(tx) }

// summaryOf is the visitor's cart in a line. A line that can no longer be bought is not counted.
func summaryOf(tx *db.Tx) (CartSummary, error) {
	c, err := cart.Summary(tx)
	if err != nil {
		return CartSummary{}, err
	}
	s := CartSummary{ItemCount: c.PieceCount(), Total: dec.Fixed{Value: c.Total, Digits: c.Digits},
		TotalIncludingTax: dec.Fixed{Value: c.TotalIncludingTax, Digits: c.Digits}, CurrencyCode: c.CurrencyCode}
	for i := range c.Lines {
		if c.Lines[i].IsSellable {
			s.LineCount++
		}
	}
	return s, nil
}
