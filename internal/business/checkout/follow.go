package checkout

import (
	"crypto/subtle"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Trail is by what somebody without an account follows an order: its number with the e-mail address that it was placed
// with, or with the key of the link in its mails.
type Trail struct{ OrderNumber, Email, Key string }

// Follow is the order of a trail, of this store. Whatever does not fit is one and the same refusal, so that nobody
// finds out which orders there are; the commerce API counts who tries. The orders of accounts are followed there, or by
// their links.
// SalesOrder.NotFound.
func Follow(tx *db.Tx, t Trail) (sales.Order, *Placed, error) {
	found, err := sales.FindMany(tx, []string{t.OrderNumber})
	if err != nil {
		return sales.Order{}, nil, err
	}
	o := found[record.Fold(t.OrderNumber)]
	if o == nil {
		o = &sales.Order{} // which nothing fits
	}
	placed, err := receiptOf(tx, o.ID)
	if err != nil {
		return *o, nil, err
	}
	fits := record.Fold(o.ChannelCode) == record.Fold(storefront.Of(tx).Channel.Code)
	if t.Key != "" {
		given := strings.ToLower(strings.TrimSpace(t.Key))
		fits = subtle.ConstantTimeCompare([]byte(given), []byte(channel.OrderKey(o.ID))) == 1 && fits
	} else {
		email := strings.TrimSpace(t.Email)
		guest, err := guestNumber(tx, email)
		if err != nil {
			return *o, nil, err
		}
		fits = fits && placed != nil && record.Fold(email) == record.Fold(placed.Receipt.Contact.Email) &&
			guest != "" && record.Fold(guest) == record.Fold(o.CustomerNumber)
	}
	if !fits || o.ID == "" {
		return sales.Order{}, nil,
			ErrOrderNotFound.Because(
				"no order of this store has this number together with this e-mail address, or this link: both stand in the confirmation")
	}
	return *o, placed, nil
}
