// Package promotion is what lowers what a buyer pays: discount codes, which reduce the lines they cover before tax, and
// gift cards, which are a means of payment and change no tax.
//
// What was granted is taken when the order is placed, in its transaction and under the lock of the code's row, so that
// a limit and a balance hold however many buyers come at once; it is given back when the order is cancelled. Codes are
// looked up without regard to case, spaces and hyphens, since people type them from paper.
//
// Locks are taken in this order: discount codes by id, gift cards by id; after a cart, before orders.
package promotion

import (
	"strings"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// The resources of this room. A gift card's code is worth money: its change rows carry its id instead.
var (
	Codes = record.Define("discount-codes", "discount_code", "DiscountCode")
	Cards = record.Define("gift-cards", "gift_card", "GiftCard")
)

// What this room refuses.
var (
	ErrInvalid       = fault.New(fault.Invalid, "Code.Invalid")
	ErrExpired       = fault.New(fault.Invalid, "Code.Expired")
	ErrNotApplicable = fault.New(fault.Invalid, "Code.NotApplicable")
	ErrUsedUp        = fault.New(fault.Invalid, "Code.UsedUp")

	ErrNotFound     = fault.New(fault.NotFound, "DiscountCode.NotFound")
	ErrExists       = fault.New(fault.Conflict, "DiscountCode.AlreadyExists")
	ErrUnknownCode  = fault.New(fault.Invalid, "DiscountCode.UnknownCode")
	ErrCardNotFound = fault.New(fault.NotFound, "GiftCard.NotFound")
	ErrCardExists   = fault.New(fault.Conflict, "GiftCard.AlreadyExists")
	ErrCardBalance  = fault.New(fault.Conflict, "GiftCard.BalanceTooLow")
)

// Kind is what a code is.
type Kind string

// The kinds of codes.
const (
	DiscountCode Kind = "DiscountCode"
	GiftCard     Kind = "GiftCard"
)

// Values are all kinds.
func (Kind) Values() []Kind { return []Kind{DiscountCode, GiftCard} }

// Scope is whom and what a discount code is for. An empty list does not narrow it. Where something is included, only
// that is covered; what is excluded is not covered whatever includes it.
type Scope struct {
	Channels       []string `json:"channels,omitempty"` // codes
	CustomerGroups []string `json:"customerGroups,omitempty"`
	Included       Goods    `json:"included,omitzero"`
	Excluded       Goods    `json:"excluded,omitzero"`
}

// Goods names items by their numbers, categories with all below them and brands by their codes.
type Goods struct {
	Items      []string `json:"items,omitempty"`
	Categories []string `json:"categories,omitempty"`
	Brands     []string `json:"brands,omitempty"`
}

func (g Goods) isEmpty() bool { return len(g.Items)+len(g.Categories)+len(g.Brands) == 0 }

// Discount is a discount code.
type Discount struct {
	record.Root
	Code        string
	Description string
	// Percent of the goods covered, or Amount off them in CurrencyCode, with tax where the store shows prices so: one
	// of the two, or neither where it only frees of freight.
	Percent, Amount dec.Dec
	CurrencyCode    string  `db:"currency"` // of Amount and MinValue
	MinValue        dec.Dec // of all goods of the cart, as the store shows prices; 0 = none
	FreeFreight     bool
	IsCombinable    bool // with other combinable discount codes; gift cards go with all
	ValidFrom       day.Date
	ValidTo         day.Date // the last day
	LimitTotal      int      // orders it may be used for; 0 = no limit
	LimitCustomer   int      // by the same customer, or e-mail address
	Scope           Scope    `db:",json"`
	IsActive        bool

	Used int `log:"-"` // orders that stand; derived from the uses
}

// Card is a gift card.
type Card struct {
	record.Root
	Code         string `log:"-"`
	CurrencyCode string `db:"currency"`
	Initial      dec.Dec
	ExpiresOn    day.Date // the last day it may be spent; "" = never
	Recipient    string
	Note         string
	IsActive     bool

	Balance dec.Dec // the sum of its movements
}

// MovementKind is why a gift card's balance changed.
type MovementKind string

// The kinds of movements.
const (
	Issued    MovementKind = "Issued"
	Spent     MovementKind = "Spent"
	GivenBack MovementKind = "GivenBack"
	Corrected MovementKind = "Corrected"
)

// Values are all kinds of movements.
func (MovementKind) Values() []MovementKind {
	return []MovementKind{Issued, Spent, GivenBack, Corrected}
}

// Key is the form in which codes are compared: folded, without spaces and hyphens.
func Key(code string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '\t' || r == '\u00a0' || r == '\u2011' {
			return -1
		}
		return r
	}, record.Fold(code))
}
