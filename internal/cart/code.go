package cart

import (
	"slices"
	"time"

	"kontor/internal/db"
	"kontor/internal/promotion"
	"kontor/internal/storefront"
)

// Whoever tries codes is stopped after so many wrong ones, until the first of them is so long ago.
const (
	maxMisses  = 10
	missWindow = 10 * time.Minute
)

// Apply puts a discount code or gift card on the cart of this transaction's visit. Code.Invalid, Code.Expired,
// Code.NotApplicable, Code.UsedUp, Code.AlreadyApplied, Code.TooMany. Wrong codes are counted by Try, which comes before, since
// a refusal leaves nothing behind.
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

// Try counts a code that nobody knows against the visitor, and refuses all codes with RateLimit.Exceeded after ten wrong ones in
// ten minutes, right or wrong, so that codes cannot be found by trying. It is a transaction of its own, before the one that
// applies the code.
func Try(tx *db.Tx, code string) error {
	id, err := Lock(tx, storefront.Of(tx).Session.ID)
	if err != nil {
		return err
	}
	misses, since, err := missesOf(tx, id)
	if err != nil {
		return err
	}
	ends := db.TimeOf(since.Time().Add(missWindow))
	if since != 0 && ends <= tx.Now {
		misses, since = 0, 0
	}
	if misses >= maxMisses {
		wait := int(ends.Time().Sub(tx.Now.Time())/time.Second) + 1
		f := ErrTooManyTries.Because("%d wrong codes were tried in the last minutes: try again in %d seconds", maxMisses, wait)
		f.RetryAfterSeconds = wait
		return f
	}
	known, err := promotion.Exists(tx, promotion.Key(code))
	if err != nil || known {
		return err
	}
	if since == 0 {
		since = tx.Now
	}
	return writeMisses(tx, id, misses+1, since)
}
