package app_test

import (
	"errors"
	"fmt"

	"kontor/internal/business/cart"
	"kontor/internal/business/checkout"
	"kontor/internal/business/promotion"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// makeDiscount makes a discount code of so many per cent, for goods of at least so much, valid to a day, for one order:
// DISCOUNT PERCENT MINIMUM [DAY]
func makeDiscount(tx *db.Tx, args []string) error {
	d := promotion.Discount{Code: args[0], Percent: dec.Must(args[1]), MinValue: dec.Must(args[2]), CurrencyCode: "SEK",
		LimitTotal: 1, IsActive: true}
	if len(args) > 3 {
		d.ValidTo = day.Date(args[3])
	}
	_, err := promotion.Create(tx, d)
	return err
}

// makeGiftCard makes a gift card: CODE AMOUNT
func makeGiftCard(tx *db.Tx, args []string) error {
	_, err := promotion.Issue(tx, promotion.Card{Code: args[0], CurrencyCode: "SEK", Initial: dec.Must(args[1])})
	return err
}

// fillCodes applies as many gift cards as a cart takes: SESSION
func fillCodes(tx *db.Tx, args []string) error {
	tx.Party = storefront.Holder(storefront.Guest{Channel: "WEB"}, args[0])
	err := storefront.Admit(tx, "session")
	for n := range 20 {
		code := fmt.Sprintf("FILL-%d", n)
		if err == nil {
			err = errors.Join(makeGiftCard(tx, []string{code, "1"}), cart.Apply(tx, code))
		}
	}
	return err
}

// noteMoney notes money that came for an order: ORDER AMOUNT
func noteMoney(tx *db.Tx, args []string) error {
	return checkout.Arrived(tx, args[0], checkout.Arrival{Amount: dec.Must(args[1])})
}
