package ecom

import (
	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/channel"
	"kontor/internal/business/pricing"
	"kontor/internal/business/storefront"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/mail"
	"kontor/internal/front/rest"
)

// PricesAndStock is what products cost and whether they can be had.
func PricesAndStock() rest.Group {
	return rest.Group{Tag: "PricesAndStock", Scope: rest.ScopeSession,
		Doc: "Prices and stock as the visitor sees them.", Ops: []rest.Op{
			rest.Get("listPrices", "/catalog/prices", "The prices of several items, in the order asked.", listPrices).
				Raises(catalog.ErrTooManyDecimals, limit.ErrQuantity),
			rest.Get("getPrice", "/catalog/prices/{itemId}", "The price of an item with its volume breaks.", getPrice).
				Raises(assortment.ErrNotFound, pricing.ErrUnknownUnit, catalog.ErrTooManyDecimals, limit.ErrQuantity),
			rest.Get("listStock", "/catalog/stock", "The stock of several items, in the order asked.", listStock),
			rest.Get("getStock", "/catalog/stock/{itemId}", "The stock of an item as the store shows it.", getStock).
				Raises(assortment.ErrNotFound),
			rest.Do("notifyBackInStock", "/catalog/stock/{itemId}/notify",
				"Sends a mail, once, when the item can be had again.", notifyBackInStock).
				Answers(202).Extension().Raises(assortment.ErrNotFound, mail.ErrInvalid).
				Example(`{"email": "buyer@example.com"}`),
		}}
}

// Price is what an item costs the visitor.
type Price struct {
	ItemID                string       `json:"itemId" format:"uuid"`
	UnitCode              rest.Text    `json:"unitCode" of:"Unit" doc:"The price is for one of it."`
	UnitPrice             *dec.Fixed   `json:"unitPrice" doc:"Without tax; of a product with variants, what the variant costs that costs least. Null: no price, it cannot be bought."`
	UnitPriceIncludingTax *dec.Fixed   `json:"unitPriceIncludingTax"`
	ComparePrice          *dec.Fixed   `json:"comparePrice" doc:"The list price, as the session shows prices, where the price is lower."`
	CurrencyCode          string       `json:"currencyCode"`
	TaxPercent            dec.Dec      `json:"taxPercent"`
	IsPriceIncludingTax   bool         `json:"isPriceIncludingTax" of:"IncludesTax" doc:"Which of the two the session shows."`
	PriceSource           price.Source `json:"priceSource" of:"-"`
	Breaks                []PriceBreak `json:"breaks" doc:"Quantities from which on the price is another; empty where it is one for all."`
}

// PriceBreak is the price from a quantity on.
type PriceBreak struct {
	MinQuantity           dec.Dec   `json:"minQuantity" doc:"In base units."`
	UnitPrice             dec.Fixed `json:"unitPrice"`
	UnitPriceIncludingTax dec.Fixed `json:"unitPriceIncludingTax"`
}

var shownPrice = rest.Shown[Price, assortment.Price]()

func priceOf(p assortment.Price) Price {
	out := shownPrice(p)
	out.PriceSource = p.Quote.Source
	return out
}

// Stock is what the store has of an item.
type Stock struct {
	ItemID       string             `json:"itemId" format:"uuid"`
	Status       *assortment.Status `json:"status" doc:"Null: the store shows no stock."`
	Quantity     *dec.Dec           `json:"quantity" doc:"In base units, where the store shows quantities."`
	ExpectedDate rest.Date          `json:"expectedDate"`
}

// stockOf shows stock as a store does; nil where it shows none.
func stockOf(s assortment.Stock, display channel.StockDisplay) *Stock {
	shown := s.Shown(display)
	if shown == nil {
		return nil
	}
	return &Stock{ItemID: s.ItemID, Status: &shown.Status, Quantity: shown.Quantity,
		ExpectedDate: rest.Date(shown.Expected)}
}

// rowsOf is everything that was asked for, as one page.
func rowsOf[T any](rows []T) rest.Paged[T] {
	return rest.Paged[T]{Items: rows, TotalCount: len(rows), Page: 1, PageSize: max(len(rows), 1),
		TotalPages: min(len(rows), 1)}
}

type listPricesIn struct {
	ItemIDs  []string `query:"itemIds" split:"comma" req:"true" format:"uuid" maxItems:"100" doc:"Up to 100 ids, separated by commas."`
	Quantity dec.Dec  `query:"quantity" gt:"0" default:"1" doc:"Of each, in the unit it is sold by."`
}

func listPrices(tx *db.Tx, in listPricesIn) (rest.Paged[Price], error) {
	v := storefront.Of(tx).Viewer()
	found, err := assortment.Articles(tx, v, in.ItemIDs)
	if err != nil {
		return rest.Paged[Price]{}, err
	}
	var asks []assortment.Ask
	for _, a := range each.Given(in.ItemIDs, func(id string) *assortment.Article { return found[id] }) {
		if err := catalog.CheckQuantity(&a.Item, in.Quantity); err != nil {
			return rest.Paged[Price]{}, err
		}
		asks = append(asks, assortment.Ask{Article: a, Quantity: in.Quantity})
	}
	prices, err := assortment.Prices(tx, v, asks)
	rows := each.Of(prices, priceOf)
	return rowsOf(rows), err
}

type getPriceIn struct {
	ItemID   string  `path:"itemId" format:"uuid"`
	Quantity dec.Dec `query:"quantity" gt:"0" default:"1"`
	UnitCode string  `query:"unitCode" doc:"Left out: the unit it is sold by."`
}

func articleOf(tx *db.Tx, v assortment.Viewer, itemID string) (*assortment.Article, error) {
	found, err := assortment.Articles(tx, v, []string{itemID})
	a, ok := found[itemID]
	if err == nil && !ok {
		err = assortment.ErrNotFound.Because("the store has no product %q", itemID)
	}
	return a, err
}

func getPrice(tx *db.Tx, in getPriceIn) (Price, error) {
	v := storefront.Of(tx).Viewer()
	a, err := articleOf(tx, v, in.ItemID)
	if err != nil {
		return Price{}, err
	}
	if err := catalog.CheckQuantity(&a.Item, in.Quantity); err != nil {
		return Price{}, err
	}
	if err := pricing.CheckUnit(&a.Item, in.UnitCode); err != nil {
		return Price{}, err
	}
	prices, err := assortment.Prices(tx, v, []assortment.Ask{{Article: a, Quantity: in.Quantity, Unit: in.UnitCode}})
	if err != nil {
		return Price{}, err
	}
	return priceOf(prices[0]), nil
}

type listStockIn struct {
	ItemIDs []string `query:"itemIds" split:"comma" req:"true" format:"uuid" maxItems:"100" doc:"Up to 100 ids, separated by commas."`
}

func listStock(tx *db.Tx, in listStockIn) (rest.Paged[Stock], error) {
	v := storefront.Of(tx).Viewer()
	found, err := assortment.Articles(tx, v, in.ItemIDs)
	if err != nil {
		return rest.Paged[Stock]{}, err
	}
	articles := each.Given(in.ItemIDs, func(id string) *assortment.Article { return found[id] })
	stocks, err := assortment.Stocks(tx, v, articles)
	return rowsOf(each.Of(stocks, func(s assortment.Stock) Stock { return rowOf(s, v.Channel.Store.Shows()) })), err
}

// rowOf is stock as a row of its own, which says nothing where the store shows none.
func rowOf(s assortment.Stock, display channel.StockDisplay) Stock {
	if shown := stockOf(s, display); shown != nil {
		return *shown
	}
	return Stock{ItemID: s.ItemID}
}

func getStock(tx *db.Tx, in rest.ID) (Stock, error) {
	v := storefront.Of(tx).Viewer()
	a, err := articleOf(tx, v, in.ID)
	if err != nil {
		return Stock{}, err
	}
	stocks, err := assortment.Stocks(tx, v, []*assortment.Article{a})
	if err != nil {
		return Stock{}, err
	}
	return rowOf(stocks[0], v.Channel.Store.Shows()), nil
}

type notifyBackInStockRequest struct {
	Email string `json:"email" req:"true" text:"email"`
}

func notifyBackInStock(tx *db.Tx, in rest.With[rest.ID, notifyBackInStockRequest]) (rest.NoContent, error) {
	return rest.NoContent{}, assortment.Notify(tx, storefront.Of(tx).Viewer(), in.At.ID, in.Body.Email)
}
