package portal

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"strings"

	"kontor/internal/business/channel"
	"kontor/internal/business/sales"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// ReturnCode is printed on the papers of an order, the return slip and the delivery note: with the order's number it
// authorises the return of a guest. It follows from the order's id, which nobody can guess; its 50 bits cannot be
// guessed, and attempts are counted besides.
func ReturnCode(orderID string) string {
	sum := sha256.Sum256([]byte("return slip\x00" + orderID))
	return base32.StdEncoding.EncodeToString(sum[:])[:10]
}

// ReturnCodes are the return codes of orders by their numbers: of those that were placed in a store which takes
// returns. They are laid into the parcel with the goods.
func ReturnCodes(tx *db.Tx, numbers []string) (map[string]string, error) {
	orders, err := sales.FindMany(tx, numbers)
	if err != nil {
		return nil, err
	}
	codes := map[string]string{}
	for _, o := range orders {
		store, err := channel.Find(tx, o.ChannelCode)
		switch {
		case fault.Is(err, channel.ErrNotFound):
		case err != nil:
			return nil, err
		case store.Store.Offers().Returns:
			codes[o.Number] = ReturnCode(o.ID)
		}
	}
	return codes, nil
}

// Slip is by what an order is named that is to be returned: by its id, which only its own customer may, or by its
// number and the code of the return slip.
type Slip struct{ OrderID, OrderNumber, Code string }

// Named reports whether the slip names an order without a sign-in.
func (s Slip) Named() bool { return s.OrderID == "" && s.OrderNumber != "" && s.Code != "" }

// FindReturnable reads the order of a slip. Auth.InvalidCredential for a guest without one, Permission.Denied,
// SalesOrder.NotFound, SalesReturn.WrongCode.
func FindReturnable(tx *db.Tx, s Slip) (o sales.Order, err error) {
	if !s.Named() {
		if err := storefront.NeedSignIn(tx); err != nil {
			return o, err
		}
		if err := Need(tx, CreateReturns); err != nil {
			return o, err
		}
		if s.OrderID == "" {
			return o, ErrReturnCode.At("orderId", "name the order by its orderId, or by orderNumber and returnCode")
		}
		return FindOrder(tx, strings.ToLower(s.OrderID)) // RFC 9562, section 4: a uuid is "case insensitive on input"
	}
	found, err := sales.FindMany(tx, []string{s.OrderNumber})
	if err != nil {
		return o, err
	}
	if !storefront.Of(tx).Channel.Store.Offers().Returns {
		return o, ErrDenied.Because("this store takes no returns here: ask it")
	}
	given := strings.ToUpper(strings.ReplaceAll(s.Code, " ", ""))
	known := found[record.Fold(s.OrderNumber)]
	want := ReturnCode("nobody's")
	if known != nil {
		want = ReturnCode(known.ID)
	}
	if subtle.ConstantTimeCompare([]byte(given), []byte(want)) != 1 || known == nil {
		return o, ErrReturnCode.At("returnCode",
			"the order's number and this code do not belong together: both stand on the return slip")
	}
	return *known, nil
}
