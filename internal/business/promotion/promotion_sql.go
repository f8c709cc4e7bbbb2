package promotion

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

const discountColumns = "code, used, " + discountFields

// discountFields are what may change of a code.
const discountFields = `description, percent, amount, currency, min_value, free_freight, is_combinable, valid_from, valid_to, limit_total,
	limit_customer, scope, is_active`

var (
	discountRow      = db.Map[Discount](record.RootColumns + ", " + discountColumns)
	discountFieldRow = db.Map[Discount](discountFields)
)

func (d *Discount) search() string { return record.SearchText(d.Code, d.Description) }

func insertDiscount(tx *db.Tx, d *Discount) error {
	return tx.Insert("discount_code", record.RootColumns+", "+discountColumns+", code_key, search", 1, func(int) []any {
		return append(discountRow.Of(d), Key(d.Code), d.search())
	})
}

func updateDiscount(tx *db.Tx, d *Discount) error {
	return tx.Run(`-- promotion.updateDiscount
		update discount_code set `+discountFieldRow.Set()+`, search = :search where company = :company and id = :id`,
		discountFieldRow.Args(d, db.Args{"id": d.ID, "search": d.search()}))
}

// Find reads a discount code. DiscountCode.NotFound.
func Find(tx *db.Tx, code string) (Discount, error) { return findDiscount(tx, code, "") }

// lockDiscount is Find for a change.
func lockDiscount(tx *db.Tx, code string) (Discount, error) {
	return findDiscount(tx, code, " for update")
}

func findDiscount(tx *db.Tx, code, lock string) (d Discount, err error) {
	found, err := discountsBy(tx, "code_key = :key", db.Args{"key": Key(code)}, lock)
	if err == nil && len(found) == 0 {
		return d, ErrNotFound.Because("there is no discount code %q", code)
	}
	if err != nil {
		return d, err
	}
	return *found[0], nil
}

// discountsBy reads discount codes by id.
func discountsBy(tx *db.Tx, which string, args db.Args, lock string) (all []*Discount, err error) {
	err = tx.Each(`-- promotion.discountsBy
		select `+record.RootColumns+`, `+discountColumns+` from discount_code where company = :company and `+which+
		` order by id`+lock, args, func(r db.Row) error {
		d := &Discount{}
		all = append(all, d)
		return discountRow.Scan(r, d)
	})
	return all, err
}

// Filter narrows a list of codes or cards.
type Filter struct {
	Search   string
	IsActive *bool
}

// List reads discount codes by code.
func List(tx *db.Tx, f Filter, p record.Page) (record.Found[Discount], error) {
	q := record.Query{Name: "promotion.List", Select: record.RootColumns + ", " + discountColumns,
		From: "discount_code", Key: []string{"code_key"}, Stamp: "changed_at",
		Resources: []string{Codes.Name}, Sorts: map[string][]string{"code": {"code_key"}, "until": {"valid_to", "code_key"}}}
	f.onto(&q)
	return record.ListOf(tx, q, p, discountRow.Scan)
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

const cardColumns = `code, currency, initial, expires_on, recipient, note, is_active, balance`

var cardRow = db.Map[Card](record.RootColumns + ", " + cardColumns)

func (c *Card) search() string { return record.SearchText(c.Code, Key(c.Code), c.Recipient, c.Note) }

func insertCard(tx *db.Tx, c *Card) error {
	return tx.Insert("gift_card", record.RootColumns+", "+cardColumns+", code_key, search", 1, func(int) []any {
		return append(cardRow.Of(c), Key(c.Code), c.search())
	})
}

func updateCard(tx *db.Tx, c *Card) error {
	return tx.Run(`-- promotion.updateCard
		update gift_card set expires_on = :expires, recipient = :recipient, note = :note, is_active = :active, search = :search
		where company = :company and id = :id`, db.Args{"id": c.ID, "expires": c.ExpiresOn, "recipient": c.Recipient,
		"note":   c.Note,
		"active": c.IsActive, "search": c.search()})
}

// FindCard reads a gift card. GiftCard.NotFound.
func FindCard(tx *db.Tx, id string) (Card, error) { return findCard(tx, id, "") }

// lockCard is FindCard for a change.
func lockCard(tx *db.Tx, id string) (Card, error) { return findCard(tx, id, " for update") }

func findCard(tx *db.Tx, id, lock string) (c Card, err error) {
	found, err := cardsBy(tx, "id = :id", db.Args{"id": id}, lock)
	if err == nil && len(found) == 0 {
		return c, ErrCardNotFound.Because("there is no gift card %s", id)
	}
	if err != nil {
		return c, err
	}
	return *found[0], nil
}

// cardsBy reads gift cards by id.
func cardsBy(tx *db.Tx, which string, args db.Args, lock string) (all []*Card, err error) {
	err = tx.Each(`-- promotion.cardsBy
		select `+record.RootColumns+`, `+cardColumns+` from gift_card where company = :company and `+which+
		` order by id`+lock, args, func(r db.Row) error {
		c := &Card{}
		all = append(all, c)
		return cardRow.Scan(r, c)
	})
	return all, err
}

// ListCards reads gift cards, the newest first.
func ListCards(tx *db.Tx, f Filter, p record.Page) (record.Found[Card], error) {
	q := record.Query{Name: "promotion.ListCards", Select: record.RootColumns + ", " + cardColumns, From: "gift_card",
		Key: []string{"id desc"}, Stamp: "changed_at", Resources: []string{Cards.Name},
		Sorts: map[string][]string{
			"issued": {"id"}, "until": {"expires_on", "id"}, "balance": {"balance", "id"},
		}}
	f.onto(&q)
	return record.ListOf(tx, q, p, cardRow.Scan)
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
