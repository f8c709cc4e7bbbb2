package cart

import (
	"slices"

	"kontor/internal/business/promotion"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
)

// Apply puts a discount code or gift card on the cart of this transaction's visit. Code.Invalid, Code.Expired,
// Code.NotApplicable, Code.UsedUp, Code.AlreadyApplied, Code.TooMany.
func Apply(tx *db.Tx, code string) error {
	id, err := Lock(tx, storefront.Of(tx).Session.ID)
	if err != nil {
		return err
	}
	keys, err := codesOf(tx, id)
	if err != nil {
		return err
	}
	key := promotion.Key(code)
	switch {
	case slices.Contains(keys, key):
		return ErrAlreadyApplied.At("code", "%s lies in the cart already", code)
	case len(keys) >= maxCodes:
		return ErrTooManyCodes.At("code", "a cart takes at most %d codes: take one off first", maxCodes)
	}
	if err := insertCode(tx, id, key); err != nil {
		return err
	}
	c, err := Summary(tx) // with the code: what it grants, or why not
	if err != nil {
		return err
	}
	i := slices.IndexFunc(c.Codes, func(a promotion.Applied) bool { return promotion.Key(a.Code) == key })
	if i < 0 {
		return promotion.Unknown(code)
	}
	if p := c.Codes[i].Problem; p != nil {
		return p
	}
	return c.Saw(tx)
}

// TakeOff takes a code off the cart. Code.NotFound.
func TakeOff(tx *db.Tx, code string) error {
	id, err := Lock(tx, storefront.Of(tx).Session.ID)
	if err != nil {
		return err
	}
	found, err := removeCode(tx, id, promotion.Key(code))
	if err == nil && !found {
		err = ErrCodeNotFound.Because("%q does not lie in the cart", code)
	}
	if err != nil {
		return err
	}
	c, err := Summary(tx)
	if err != nil {
		return err
	}
	return c.Saw(tx)
}
