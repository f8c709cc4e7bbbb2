package promotion

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

var discounts = record.TableOf(Codes, record.Layout[Discount]{
	Fixed: "code, used",
	Changing: "description, percent, amount, currency, min_value, free_freight, is_combinable, valid_from, valid_to, " +
		"limit_total, limit_customer, scope, is_active",
	Key:     "code_key",
	KeyOf:   func(d *Discount) string { return d.Code },
	Fold:    Key,
	Derived: func(d *Discount) db.Args { return db.Args{"search": record.SearchText(d.Code, d.Description)} },
	Missing: func(code string) error { return ErrNotFound.Because("there is no discount code %q", code) },
})

// cards are known by their ids: a code is money.
var cards = record.TableOf(Cards, record.Layout[Card]{
	Fixed:    "code, currency, initial, balance",
	Changing: "expires_on, recipient, note, is_active",
	Derived: func(c *Card) db.Args {
		return db.Args{"code_key": Key(c.Code), "search": record.SearchText(c.Code, Key(c.Code), c.Recipient, c.Note)}
	},
	Missing: func(id string) error { return ErrCardNotFound.Because("there is no gift card %s", id) },
})

// Find reads a discount code. DiscountCode.NotFound.
func Find(tx *db.Tx, code string) (Discount, error) { return discounts.Find(tx, code) }

// FindCard reads a gift card. GiftCard.NotFound.
func FindCard(tx *db.Tx, id string) (Card, error) { return cards.Find(tx, id) }

// discountsBy reads discount codes by id.
func discountsBy(tx *db.Tx, which string, args db.Args, lock string) ([]*Discount, error) {
	all, err := discounts.Where(tx, "promotion.discountsBy", which+" order by id"+lock, args)
	return record.Pointers(all), err
}

// cardsBy reads gift cards by id.
func cardsBy(tx *db.Tx, which string, args db.Args, lock string) ([]*Card, error) {
	all, err := cards.Where(tx, "promotion.cardsBy", which+" order by id"+lock, args)
	return record.Pointers(all), err
}

// Filter narrows a list of codes or cards.
type Filter struct {
	Search   string
	IsActive *bool
}

// List reads discount codes by code.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Discount], error) {
	q := discounts.Query("promotion.List")
	q.Sorts = map[string][]string{"code": {"code_key"}, "until": {"valid_to", "code_key"}}
	f.onto(&q)
	return record.ListOf(tx, q, p, discounts.Scan)
}

func (f Filter) onto(q *record.Query) {
	q.Search("search", f.Search)
	q.Given("is_active = :active", f.IsActive)
}

// isTaken reports whether a code belongs to somebody.
func isTaken(tx *db.Tx, key string) (taken bool, err error) {
	var n int
	_, err = tx.One(`-- promotion.isTaken
		select (select count(*) from discount_code where company = :company and code_key = :key)
			+ (select count(*) from gift_card where company = :company and code_key = :key)`, db.Args{"key": key}, &n)
	return n > 0, err
}

// ListCards reads gift cards, the newest first.
func ListCards(tx *db.Tx, f Filter, p record.Page) (record.Found[Card], error) {
	q := cards.Query("promotion.ListCards")
	q.Key = []string{"id desc"}
	q.Sorts = map[string][]string{"issued": {"id"}, "until": {"expires_on", "id"}, "balance": {"balance", "id"}}
	f.onto(&q)
	return record.ListOf(tx, q, p, cards.Scan)
}

// Movement is a line of a gift card's ledger.
type Movement struct {
	Kind                 MovementKind
	Amount, Balance      dec.Dec
	OrderID, OrderNumber string
	Note                 string
	At                   db.Time
}

type movement = Movement

const movementColumns = "kind, amount, balance, order_id, order_number, note, at"

var movementRow = db.Map[Movement](movementColumns)

// Movements are the ledger of a gift card, oldest first.
func Movements(tx *db.Tx, cardID string) (all []Movement, err error) {
	return db.Rows(tx, `-- promotion.Movements
		select `+movementColumns+` from gift_card_movement
		where company = :company and card_id = :card order by seq`, db.Args{"card": cardID}, movementRow.Scan)
}

// move writes a movement of a locked card, whose balance is already what it is afterwards.
func move(tx *db.Tx, c *Card, m movement) error {
	var seq int
	_, err := tx.One(`-- promotion.move
		select coalesce(max(seq), 0) + 1 from gift_card_movement where company = :company and card_id = :card`,
		db.Args{"card": c.ID}, &seq)
	if err != nil {
		return err
	}
	m.Balance, m.At = c.Balance, tx.Now
	err = tx.Insert("gift_card_movement", movementColumns+", card_id, seq", 1, func(int) []any {
		return append(movementRow.Of(&m), c.ID, seq)
	})
	if err != nil {
		return err
	}
	return tx.Run(`-- promotion.move balance
		update gift_card set balance = :balance where company = :company and id = :card`,
		db.Args{"card": c.ID, "balance": c.Balance})
}
