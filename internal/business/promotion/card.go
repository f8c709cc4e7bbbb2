package promotion

import (
	"cmp"
	"crypto/rand"
	"strings"
	"unicode/utf8"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/foundation/record"
)

// Issue makes a gift card of c.Initial; without a code it gets one that nobody guesses. GiftCard.AlreadyExists, also
// where a discount code has the code; Request.Invalid.
func Issue(tx *db.Tx, c Card) (Card, error) {
	if c.Code = strings.TrimSpace(c.Code); c.Code == "" {
		c.Code = newCardCode()
	}
	c.IsActive = true
	if err := c.validate(tx); err != nil {
		return c, err
	}
	taken, err := isTaken(tx, Key(c.Code))
	if err != nil {
		return c, err
	}
	if taken {
		return c, ErrCardExists.Because("there is a gift card or discount code with this code already: choose another")
	}
	c.Root, c.Balance = record.New(tx), c.Initial
	if err := cards.Create(tx, &c); err != nil {
		return c, err
	}
	return c, move(tx, &c, movement{Kind: Issued, Amount: c.Initial})
}

// ChangeCard edits what is known about a gift card, and whether it may be used. Its code, currency and money stay.
// GiftCard.NotFound, Request.Invalid.
func ChangeCard(tx *db.Tx, id string, edit func(*Card) error) (Card, error) {
	_, c, err := cards.Change(tx, id, edit, func(_ Card, c *Card) error { return c.validate(tx) })
	return c, err
}

// CorrectCard puts money on a gift card or takes it off by hand. GiftCard.NotFound, GiftCard.BalanceTooLow,
// Request.Invalid.
func CorrectCard(tx *db.Tx, id string, amount dec.Dec, note string) (Card, error) {
	c, err := cards.Lock(tx, id)
	if err != nil {
		return c, err
	}
	book, err := reference.Of(tx)
	if err != nil {
		return c, err
	}
	if digits := book.Digits(c.CurrencyCode); amount == 0 || amount.Decimals() > digits {
		return c, fault.ErrInvalid.At("amount", "must be an amount in %s with at most %d decimals, and not 0",
			c.CurrencyCode, digits)
	}
	if c.Balance.Add(amount) < 0 {
		return c, ErrCardBalance.Because("%s cannot be taken off: the balance is %s %s", amount.Abs(), c.Balance,
			c.CurrencyCode)
	}
	var wrong fault.List
	limit.Amount.Check(&wrong, "amount", c.Balance.Add(amount))
	if err := wrong.Err(); err != nil {
		return c, err
	}
	return c, enter(tx, &c, "correct", movement{Kind: Corrected, Amount: amount, Note: note})
}

// enter changes the balance of a locked card: the movement, and the card's change.
func enter(tx *db.Tx, c *Card, action string, m movement) error {
	before := *c
	c.Balance = c.Balance.Add(m.Amount)
	if err := Cards.Acted(tx, &c.Root, c.ID, action, before, *c); err != nil {
		return err
	}
	return move(tx, c, m)
}

func (c *Card) validate(tx *db.Tx) error {
	book, err := reference.Of(tx)
	if err != nil {
		return err
	}
	var l fault.List
	checkCode(&l, c.Code)
	c.Recipient, c.Note = strings.TrimSpace(c.Recipient), strings.TrimSpace(c.Note)
	for _, f := range []struct{ name, value string }{{"recipient", c.Recipient}, {"note", c.Note}} {
		l.If(utf8.RuneCountInString(f.value) > longestText, fault.ErrInvalid, f.name, "has more than %d characters",
			longestText)
	}
	c.CurrencyCode = cmp.Or(c.CurrencyCode, book.Base().Code)
	if found, ok := book.Currency(c.CurrencyCode); ok {
		c.CurrencyCode = found.Code
	} else {
		l.Add(fault.ErrInvalid, "currencyCode", "%q is no currency of this company", c.CurrencyCode)
	}
	if digits := book.Digits(c.CurrencyCode); c.Initial <= 0 || c.Initial.Decimals() > digits {
		l.Add(fault.ErrInvalid, "initial", "must be an amount above 0 with at most %d decimals, not %s", digits,
			c.Initial)
	}
	limit.Amount.Check(&l, "initial", c.Initial)
	return l.Err()
}

// cardLetters are digits and letters that are not taken for one another: Crockford's base 32.
const cardLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// newCardCode is 80 random bits in groups of four letters.
func newCardCode() string {
	b := make([]byte, 16)
	rand.Read(b)
	var out strings.Builder
	for i, x := range b {
		if i > 0 && i%4 == 0 {
			out.WriteByte('-')
		}
		out.WriteByte(cardLetters[x%32])
	}
	return out.String()
}
