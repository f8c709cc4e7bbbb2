// Package cart is what visitors of a store have gathered: one cart for each session, priced afresh whenever it is
// looked at by the price rule that orders go by.
//
// A cart is kept as its lines and codes alone; what they cost, and whether they can be had, is looked up. Only the
// price last shown is remembered with a line, so that another one can be announced. A cart ends with its session, or
// with the order that is made of it. It is a visitor's own affair, no record that other systems follow: it has no
// change rows.
//
// Whoever changes a cart or decides on it locks its row first. Locks are taken in this order: carts by id, codes,
// orders, stock levels, number series.
package cart

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/configuration"
	"kontor/internal/business/freight"
	"kontor/internal/business/promotion"
	"kontor/internal/engine/price"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

// What this room refuses.
var (
	ErrEmpty          = fault.New(fault.Conflict, "Cart.Empty")
	ErrFull           = fault.New(fault.Conflict, "Cart.TooManyLines")
	ErrLineNotFound   = fault.New(fault.NotFound, "CartLine.NotFound")
	ErrNotSellable    = fault.New(fault.Invalid, "Product.NotFound")
	ErrNotPurchasable = fault.New(fault.Invalid, "Cart.NotPurchasable")
	ErrQuantity       = fault.New(fault.Invalid, "Cart.QuantityNotSold")
	ErrDate           = fault.New(fault.Invalid, "Cart.DateInThePast")
	ErrAlreadyApplied = fault.New(fault.Invalid, "Code.AlreadyApplied")
	ErrCodeNotFound   = fault.New(fault.NotFound, "Code.NotFound")
	ErrTooManyCodes   = fault.New(fault.Invalid, "Code.TooMany")
)

// MaxLines is how many lines a cart may have, maxCodes how many codes.
const (
	MaxLines = 200
	maxCodes = 20
)

// Message is something the visitor should know, with a code by which a storefront may say it in its own words.
type Message struct {
	Code   string `json:"code"`
	LineID string `json:"lineId,omitempty"` // "" = about the cart
	Text   string `json:"text"`
}

// Codes of messages and warnings. What a code of the promotions no longer grants is told by the code it would be
// refused with.
const (
	PriceChanged    = "Cart.PriceChanged"
	LinesMovedIn    = "Cart.LinesMovedIn"
	LinesLeftOut    = "Cart.LinesLeftOut"
	NoLongerSold    = "Cart.NoLongerSold"
	NoLongerMade    = "Cart.NoLongerMade"
	NoPrice         = "Cart.NoPrice"
	TooLittleStock  = "Inventory.InsufficientStock"
	NoSuchDelivery  = "Cart.DeliveryNotPossible"
	UnsoldQuantity  = "Cart.QuantityNotSold"
	longestMessages = 20 // kept for the next look
)

// Line is an item in a cart. What is in the terms of its price is with tax where IsPriceIncludingTax.
type Line struct {
	row
	Item       *catalog.Item       // shared: not to be changed
	Article    *assortment.Article // as the store shows it; empty where it no longer does
	IsSellable bool                // else it costs nothing and counts nowhere
	Factor     dec.Dec             // base units of one Unit
	// Configuration is what was chosen of a configured item, by the present schema; nil of any other.
	Configuration *configuration.Configuration

	Quote               price.Quote
	UnitPrice           dec.Dec // in the terms of the price
	IsPriceIncludingTax bool
	PriceListCode       string
	DiscountPercent     dec.Dec
	Gross               dec.Dec // what it costs before codes, in the terms of the price
	Discount            dec.Dec // what codes take off, in the terms of the price
	TaxCode             string
	TaxPercent          dec.Dec
	Net, Tax            dec.Dec // after codes
	DiscountNet         dec.Dec // what codes take off without tax
	DiscountTax         dec.Dec // and the tax that goes with it

	Stock    *assortment.Stock // nil where the item is not kept in stock, or nobody asked
	Warnings []Message

	isDirty bool // not written as it is
}

// IsMadeToOrder reports that the line's goods are made for whoever buys them.
func (l *Line) IsMadeToOrder() bool { return l.ConfigurationNumber != "" }

// TakesStock reports that the line is served from what lies in a warehouse.
func (l *Line) TakesStock() bool { return l.Item.InStock() && !l.IsMadeToOrder() }

// row is what is kept of a line.
type row struct {
	ID                  string
	ItemID              string
	Quantity            dec.Dec // in Unit
	Unit                string
	ConfigurationNumber string `db:"configuration"`
	Note                string
	seen                seen
}

// seen is the price of a line as it was last shown.
type seen struct {
	price       *dec.Dec // nil = none yet
	isInclusive bool
	currency    string
}

// Cart is a cart as it stands now.
type Cart struct {
	ID                    string // "" = nothing was ever put in
	SessionID             string
	CurrencyCode          string
	Digits                int // minor digits of the currency
	Reference             string
	Note                  string
	RequestedDeliveryDate day.Date
	Lines                 []*Line
	Codes                 []promotion.Applied
	Freight               *freight.Method // nil = none chosen, or the chosen one is not possible
	WeightKg              dec.Dec
	// of the goods after codes, in the terms of their prices: what free freight is measured by
	Value dec.Dec

	// Without tax: Total = Subtotal - DiscountTotal + FreightNet.
	Subtotal, DiscountTotal, FreightNet, Total dec.Dec
	TaxTotal, TotalIncludingTax                dec.Dec
	// of Subtotal and DiscountTotal: with freight's, TaxTotal = SubtotalTax - DiscountTax
	SubtotalTax, DiscountTax dec.Dec
	GiftCardTotal            dec.Dec // a means of payment: it changes no tax
	AmountToPay              dec.Dec
	Messages                 []Message

	notices []Message // kept since the last look
	keys    []string  // of the codes
	shown   shown

	version int64
	isNew   bool                           // made by this transaction
	sold    map[string]*assortment.Article // found already, by item id

	// Steps are what its buyer has said on the way to the order, as whoever keeps the checkout has it; nil = not read.
	// They change with the version of the cart, and are shared: not to be changed.
	Steps any

	delivery *destination    // where it goes; nil = not found out yet
	deps     db.Dependencies // of what it costs
}

// destination is where a cart goes, as it was found out for a visitor. Where who is signed in has said nothing of it,
// it is what the customer's record says, which changes without the cart.
type destination struct {
	Delivery
	customerID string          // "" = a guest
	deps       db.Dependencies // of what the record says
}

// Delivery is where a cart is to go, and how, as far as that is known. The zero value is the visitor's country and no
// freight.
type Delivery struct {
	CountryCode, PostalCode, Method string
	Email                           string // of the buyer, for codes that are limited by it
}

// DeliveryWanted asks whoever keeps the checkout of a cart where it goes. The answer is written to Delivery.
type DeliveryWanted struct {
	Cart     *Cart
	Delivery *Delivery
}

// IsEmpty reports whether nothing in the cart can be bought.
func (c *Cart) IsEmpty() bool {
	return !slices.ContainsFunc(c.Lines, func(l *Line) bool { return l.IsSellable })
}

// PieceCount is how many pieces lie in the cart, each line in its own unit.
func (c *Cart) PieceCount() (n dec.Dec) {
	for i := range c.Lines {
		if c.Lines[i].IsSellable {
			n = n.Add(c.Lines[i].Quantity)
		}
	}
	return n
}

// Fingerprint is another as soon as something is another that the buyer agrees to by paying: what is bought, what it
// costs, the codes, the delivery.
func (c *Cart) Fingerprint() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s|%s|%s|%s\n", c.ID, c.CurrencyCode, c.TotalIncludingTax, c.AmountToPay)
	for i := range c.Lines {
		if l := c.Lines[i]; l.IsSellable {
			fmt.Fprintf(&b, "%q|%q|%s|%q|%s|%t|%s|%s|%s|%s\n", l.ItemID, l.ConfigurationNumber, l.Quantity, l.Unit,
				l.UnitPrice, l.IsPriceIncludingTax, l.DiscountPercent, l.Discount, l.Net, l.Tax)
			if l.Configuration != nil { // what is bought may be another at the same price
				fmt.Fprintln(&b, l.Configuration.Version)
			}
		}
	}
	for _, a := range c.Codes {
		if a.Problem == nil {
			fmt.Fprintf(&b, "%s|%s|%t\n", a.ID, a.Amount, a.Frees)
		}
	}
	if c.Freight != nil {
		fmt.Fprintf(&b, "%q|%s|%s\n", c.Freight.Code, c.Freight.PriceNet, c.Freight.Tax)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// Close ends a cart that was taken, and of which an order was made. The session's next one is another.
func (c *Cart) Close(tx *db.Tx) error {
	changed(tx, c.ID)
	parts := []string{"cart_line"}
	if len(c.keys) > 0 {
		parts = append(parts, "cart_code")
	}
	if err := tx.Delete(db.Args{"cart_id": c.ID}, parts...); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": c.ID}, "cart")
}
