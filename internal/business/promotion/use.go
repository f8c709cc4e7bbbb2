package promotion

import (
	"cmp"
	"fmt"
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Situation is who wants to use codes, and where.
type Situation struct {
	ChannelCode   string
	CustomerID    string // "" = a guest
	CustomerGroup string
	Email         string // where it is known
	CurrencyCode  string
	Value         dec.Dec // of all goods, as the store shows prices
	Terms         Terms
	// NoDiscounts and NoCards are set where the store does not take them.
	NoDiscounts, NoCards bool
}

// Applied is a code in a cart, with what it does there.
type Applied struct {
	ID          string
	Code        string
	Kind        Kind
	Description string
	Amount      dec.Dec // taken off the goods as the store shows prices, or paid
	Frees       bool    // from freight
	Problem     *fault.Fault

	order int // in which the codes were applied
}

// Reduction is what codes do to a cart.
type Reduction struct {
	ByLine      []dec.Dec // taken off each line, in the terms of its price
	FreeFreight bool
	Applied     []Applied // in the order they were applied

	cards map[string]*Card // by id
}

// Evaluate says what codes (by their keys, in the order they were applied) do for goods now. One that grants nothing
// says why in its Problem: Code.Invalid, Code.Expired, Code.NotApplicable, Code.UsedUp. A key that nobody knows is left
// out.
func Evaluate(tx *db.Tx, s Situation, keys []string, goods []Good) (Reduction, error) {
	r := Reduction{ByLine: make([]dec.Dec, len(goods)), cards: map[string]*Card{}}
	if len(keys) == 0 {
		return r, nil
	}
	discounts, cards, err := readCodes(tx, keys, "")
	if err != nil {
		return r, err
	}
	place := func(code string) int { return slices.Index(keys, Key(code)) }
	slices.SortFunc(discounts, func(a, b *Discount) int { return cmp.Compare(place(a.Code), place(b.Code)) })
	if err := r.discounts(tx, s, discounts, goods); err != nil {
		return r, err
	}
	for _, c := range cards {
		r.cards[c.ID] = c
		r.Applied = append(r.Applied, Applied{ID: c.ID, Code: c.Code, Kind: GiftCard, Description: c.Note,
			Problem: c.problem(tx, s)})
	}
	for i := range r.Applied {
		r.Applied[i].order = place(r.Applied[i].Code)
	}
	slices.SortFunc(r.Applied, func(a, b Applied) int { return cmp.Compare(a.order, b.order) })
	return r, nil
}

// discounts lets the discount codes reduce the goods.
func (r *Reduction) discounts(tx *db.Tx, s Situation, all []*Discount, goods []Good) error {
	uses, err := usesBy(tx, s, all)
	if err != nil {
		return err
	}
	var grants []Grant
	var of []int        // the place in Applied of each grant
	var first *Discount // that grants something: the one that was applied before the others stays
	exclusive := false
	for _, d := range all {
		covers, err := d.Scope.covers(tx)
		if err != nil {
			return err
		}
		a := Applied{ID: d.ID, Code: d.Code, Kind: DiscountCode, Description: d.Description,
			Problem: d.problem(tx, s, goods, covers, uses[d.ID])}
		if a.Problem == nil && first != nil && (exclusive || !d.IsCombinable) {
			a.Problem = ErrNotApplicable.At("code", "%s cannot be combined with %s: take that one off first", d.Code,
				first.Code)
		}
		if a.Problem == nil {
			if first == nil {
				first, exclusive = d, !d.IsCombinable
			}
			grants, of = append(grants, Grant{Percent: d.Percent, Amount: d.Amount, Covers: covers}),
				append(of, len(r.Applied))
			a.Frees = d.FreeFreight
			r.FreeFreight = r.FreeFreight || d.FreeFreight
		}
		r.Applied = append(r.Applied, a)
	}
	byLine, byGrant := Reduce(goods, grants, s.Terms)
	r.ByLine = byLine
	for g, amount := range byGrant {
		r.Applied[of[g]].Amount = amount
	}
	return nil
}

// Pay lets the gift cards pay what is due, one after another, and answers how much they do.
func (r *Reduction) Pay(due dec.Dec) (paid dec.Dec) {
	for i := range r.Applied {
		a := &r.Applied[i]
		if a.Kind != GiftCard || a.Problem != nil {
			continue
		}
		a.Amount = max(0, min(r.cards[a.ID].Balance, due.Sub(paid)))
		paid = paid.Add(a.Amount)
	}
	return paid
}

// problem is why a discount code grants nothing here and now; nil when it does.
func (d *Discount) problem(tx *db.Tx, s Situation, goods []Good, covers func(Good) bool, uses int) *fault.Fault {
	today := tx.Today()
	switch {
	case !d.IsActive:
		return Unknown(d.Code)
	case d.ValidTo != "" && today > d.ValidTo:
		return ErrExpired.At("code", "%s was valid until %s", d.Code, d.ValidTo)
	case d.ValidFrom != "" && today < d.ValidFrom:
		return ErrNotApplicable.At("code", "%s is valid from %s on", d.Code, d.ValidFrom)
	case s.NoDiscounts || !allows(d.Scope.Channels, s.ChannelCode):
		return ErrNotApplicable.At("code", "%s is not for this store", d.Code)
	case !allows(d.Scope.CustomerGroups, s.CustomerGroup):
		return ErrNotApplicable.At("code", "%s is for certain customers: sign in first, or use another code", d.Code)
	case d.CurrencyCode != "" && record.Fold(d.CurrencyCode) != record.Fold(s.CurrencyCode):
		return ErrNotApplicable.At("code", "%s is for purchases in %s", d.Code, d.CurrencyCode)
	case d.LimitTotal > 0 && d.Used >= d.LimitTotal:
		return ErrUsedUp.At("code", "%s has been used as often as it can be", d.Code)
	case d.LimitCustomer > 0 && uses >= d.LimitCustomer:
		return ErrUsedUp.At("code", "you have used %s as often as you can", d.Code)
	case s.Value < d.MinValue:
		return ErrNotApplicable.At("code", "%s needs goods of at least %s %s", d.Code,
			d.MinValue.Fixed(s.Terms.Digits), d.CurrencyCode)
	case !slices.ContainsFunc(goods, covers):
		return ErrNotApplicable.At("code", "%s is for nothing that lies in the cart", d.Code)
	}
	return nil
}

// Unknown is the refusal of a code that nobody knows.
func Unknown(code string) *fault.Fault {
	return ErrInvalid.At("code", "%q is no discount code or gift card: check how it is written", code)
}

func allows(codes []string, code string) bool {
	return len(codes) == 0 || slices.ContainsFunc(codes,
		func(c string) bool { return record.Fold(c) == record.Fold(code) })
}

// problem is why a gift card pays nothing here and now; nil when it does.
func (c *Card) problem(tx *db.Tx, s Situation) *fault.Fault {
	switch {
	case !c.IsActive:
		return Unknown(c.Code)
	case c.ExpiresOn != "" && tx.Today() > c.ExpiresOn:
		return ErrExpired.At("code", "the gift card could be used until %s", c.ExpiresOn)
	case s.NoCards:
		return ErrNotApplicable.At("code", "this store takes no gift cards")
	case c.CurrencyCode != s.CurrencyCode:
		return ErrNotApplicable.At("code", "the gift card is for purchases in %s", c.CurrencyCode)
	case c.Balance <= 0:
		return ErrUsedUp.At("code", "nothing is left on the gift card")
	}
	return nil
}

// Redemption is what an order takes of the codes it was placed with.
type Redemption struct {
	OrderID, OrderNumber string
	CustomerID, Email    string
	CurrencyCode         string
	Applied              []Applied
}

// Redeem takes what was granted, in the transaction of the order: a use of each discount code, money off each gift
// card. It refuses with Code.UsedUp, Code.Expired or Code.Invalid where that is no longer possible, since somebody else
// was faster.
// Redeeming for the same order again takes nothing more.
func Redeem(tx *db.Tx, r Redemption) error {
	granted := slices.DeleteFunc(slices.Clone(r.Applied), func(a Applied) bool {
		return a.Problem != nil || a.Kind == GiftCard && a.Amount <= 0
	})
	if len(granted) == 0 {
		return nil
	}
	keys := make([]string, len(granted))
	byID := make(map[string]Applied, len(granted))
	for i, a := range granted {
		keys[i], byID[a.ID] = Key(a.Code), a
	}
	discounts, cards, err := readCodes(tx, keys, db.ForUpdate)
	if err != nil {
		return err
	}
	if len(discounts)+len(cards) != len(granted) {
		return ErrInvalid.At("code", "a code that was applied is gone: read the cart again")
	}
	uses, err := usesBy(tx, Situation{CustomerID: r.CustomerID, Email: r.Email}, discounts)
	if err != nil {
		return err
	}
	if err := each.Do(discounts, func(d *Discount) error { return r.use(tx, d, byID[d.ID], uses[d.ID]) }); err != nil {
		return err
	}
	return each.Do(cards, func(c *Card) error { return r.spend(tx, c, byID[c.ID]) })
}

// use notes the use of a locked discount code.
func (r Redemption) use(tx *db.Tx, d *Discount, a Applied, uses int) error {
	noted, err := isUsedFor(tx, d.ID, r.OrderID)
	if err != nil || noted {
		return err
	}
	switch {
	case !d.IsActive:
		return Unknown(d.Code)
	case d.ValidTo != "" && tx.Today() > d.ValidTo:
		return ErrExpired.At("code", "%s was valid until %s", d.Code, d.ValidTo)
	case d.LimitTotal > 0 && d.Used >= d.LimitTotal:
		return ErrUsedUp.At("code", "%s has been used as often as it can be", d.Code)
	case d.LimitCustomer > 0 && uses >= d.LimitCustomer:
		return ErrUsedUp.At("code", "%s has been used by this customer as often as it can be", d.Code)
	}
	if err := insertUse(tx, r, d.ID, a.Amount); err != nil {
		return err
	}
	return counted(tx, d, "redeem", 1)
}

// counted changes how often a locked code was used.
func counted(tx *db.Tx, d *Discount, action string, by int) error {
	was := d.Used
	d.Used += by
	if err := Codes.Touched(tx, &d.Root, d.Code, action, map[string][2]any{"used": {was, d.Used}}); err != nil {
		return err
	}
	return updateUsed(tx, d)
}

// spend takes money off a locked gift card.
func (r Redemption) spend(tx *db.Tx, c *Card, a Applied) error {
	spent, _, err := spentFor(tx, c.ID, r.OrderID)
	if err != nil || spent != 0 {
		return err
	}
	switch {
	case !c.IsActive:
		return Unknown(c.Code)
	case c.ExpiresOn != "" && tx.Today() > c.ExpiresOn:
		return ErrExpired.At("code", "the gift card could be used until %s", c.ExpiresOn)
	case c.CurrencyCode != r.CurrencyCode:
		return ErrNotApplicable.At("code", "the gift card is for purchases in %s", c.CurrencyCode)
	case c.Balance < a.Amount:
		return ErrUsedUp.At("code", "%s %s are left on the gift card, not %s: read the cart again", c.Balance,
			c.CurrencyCode, a.Amount)
	}
	return enter(tx, c, "redeem", movement{Kind: Spent, Amount: a.Amount.Neg(), OrderID: r.OrderID,
		OrderNumber: r.OrderNumber})
}

// GiveBack returns what an order took: its uses count no more, its money is back on the gift cards. Called again it
// does nothing.
func GiveBack(tx *db.Tx, orderID string) error {
	discounts, err := discountsOf(tx, orderID)
	if err != nil {
		return err
	}
	for _, d := range discounts {
		back, err := endUse(tx, d.ID, orderID)
		if err != nil {
			return err
		}
		if back {
			if err := counted(tx, d, "giveBack", -1); err != nil {
				return err
			}
		}
	}
	paid, err := LockSpent(tx, orderID)
	if err != nil || paid <= 0 {
		return err
	}
	return PutBack(tx, orderID, paid)
}

// LockSpent locks the gift cards that an order was paid with, and answers what they paid, less what was given back.
func LockSpent(tx *db.Tx, orderID string) (dec.Dec, error) {
	if paid, err := GiftCardsPaid(tx, orderID); err != nil || paid <= 0 {
		return 0, err
	}
	if _, err := cardsOf(tx, orderID); err != nil {
		return 0, err
	}
	return GiftCardsPaid(tx, orderID)
}

// PutBack gives a part of what an order took back to its gift cards, one after another: goods that it bought came back.
// It fails where the cards paid less.
func PutBack(tx *db.Tx, orderID string, amount dec.Dec) error {
	cards, err := cardsOf(tx, orderID)
	if err != nil {
		return err
	}
	for _, c := range cards {
		spent, orderNumber, err := spentFor(tx, c.ID, orderID)
		if err != nil {
			return err
		}
		back := min(amount, spent.Neg())
		if back <= 0 {
			continue
		}
		if err := enter(tx, c, "giveBack", movement{Kind: GivenBack, Amount: back, OrderID: orderID,
			OrderNumber: orderNumber}); err != nil {
			return err
		}
		amount = amount.Sub(back)
	}
	if amount > 0 {
		return fmt.Errorf("promotion: %s are to go back to gift cards that did not pay them", amount)
	}
	return nil
}
