package promotion

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// readCodes finds the discount codes and gift cards with these keys; lock is db.ForUpdate to hold them.
func readCodes(tx *db.Tx, keys []string, lock string) (discounts []*Discount, cards []*Card, err error) {
	if discounts, err = discountsBy(tx, "code_key in (:keys)", db.Args{"keys": keys}, lock); err != nil {
		return nil, nil, err
	}
	cards, err = cardsBy(tx, "code_key in (:keys)", db.Args{"keys": keys}, lock)
	return discounts, cards, err
}

// Lock holds the codes with these keys, so that what Evaluate then says stands until the end of the transaction.
func Lock(tx *db.Tx, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	_, _, err := readCodes(tx, keys, db.ForUpdate)
	return err
}

// Exists reports whether there is a code with this key that is not withdrawn. It looks alike for codes there are and
// codes there are not.
func Exists(tx *db.Tx, key string) (bool, error) {
	var n int
	_, err := tx.One(`-- promotion.Exists
		select (select count(*) from discount_code where company = :company and code_key = :key and is_active = 1)
			+ (select count(*) from gift_card where company = :company and code_key = :key and is_active = 1)`,
		db.Args{"key": key}, &n)
	return n > 0, err
}

// usesBy is how often a customer, or somebody with the e-mail address, has used codes that limit it.
func usesBy(tx *db.Tx, s Situation, all []*Discount) (map[string]int, error) {
	var ids []string
	for _, d := range all {
		if d.LimitCustomer > 0 {
			ids = append(ids, d.ID)
		}
	}
	if len(ids) == 0 || s.CustomerID == "" && s.Email == "" {
		return map[string]int{}, nil
	}
	return db.Pairs[string, int](tx, `-- promotion.usesBy
		select code_id, count(*) from discount_use
		where company = :company and code_id in (:codes) and given_back_at is null
			and (customer_id <> '' and customer_id = :customer or email_key <> '' and email_key = :email)
		group by code_id`, db.Args{"codes": ids, "customer": s.CustomerID, "email": record.Fold(s.Email)})
}

func isUsedFor(tx *db.Tx, codeID, orderID string) (bool, error) {
	var n int
	_, err := tx.One(`-- promotion.isUsedFor
		select count(*) from discount_use where company = :company and code_id = :code and order_id = :order`,
		db.Args{"code": codeID, "order": orderID}, &n)
	return n > 0, err
}

func insertUse(tx *db.Tx, r Redemption, codeID string, amount dec.Dec) error {
	return tx.Insert("discount_use",
		"code_id, order_id, order_number, customer_id, email_key, amount, currency, used_at", 1, func(int) []any {
			return []any{codeID, r.OrderID, r.OrderNumber, r.CustomerID, record.Fold(r.Email), amount, r.CurrencyCode,
				tx.Now}
		})
}

// Use is an order that a discount code was used for.
type Use struct {
	Code, OrderNumber string
	Amount            dec.Dec // as the store showed prices, with tax or without
	CurrencyCode      string
	UsedAt            db.Time
}

// mostUses is how many of a code's uses are told, the newest.
const mostUses = 50

// UsesOf are the newest orders that a discount code is used for; who called his off uses it no more.
func UsesOf(tx *db.Tx, codeID string) ([]Use, error) {
	return usesWhere(tx, "u.code_id = :of", codeID)
}

// UsedFor are the discount codes that an order uses.
func UsedFor(tx *db.Tx, orderID string) ([]Use, error) {
	return usesWhere(tx, "u.order_id = :of", orderID)
}

// usesWhere goes by the ids of orders, which are in the order of time.
func usesWhere(tx *db.Tx, which, of string) ([]Use, error) {
	return db.Rows(tx, `-- promotion.usesWhere
		select d.code, u.order_number, u.amount, u.currency, u.used_at
		from discount_use u join discount_code d on d.company = :company and d.id = u.code_id
		where u.company = :company and `+which+` and u.given_back_at is null order by u.order_id desc limit :most`,
		db.Args{"of": of, "most": mostUses}, func(r db.Row, u *Use) error {
			return r.Scan(&u.Code, &u.OrderNumber, &u.Amount, &u.CurrencyCode, &u.UsedAt)
		})
}

func updateUsed(tx *db.Tx, d *Discount) error {
	return tx.Run(`-- promotion.updateUsed
		update discount_code set used = :used where company = :company and id = :id`,
		db.Args{"id": d.ID, "used": d.Used})
}

// discountsOf locks the discount codes that an order uses.
func discountsOf(tx *db.Tx, orderID string) ([]*Discount, error) {
	return discountsBy(tx, `id in (select code_id from discount_use u where u.company = :company and u.order_id = :order
		and u.given_back_at is null)`, db.Args{"order": orderID}, db.ForUpdate)
}

// endUse gives a use back, and reports whether it stood until now.
func endUse(tx *db.Tx, codeID, orderID string) (bool, error) {
	n, err := tx.Exec(`-- promotion.endUse
		update discount_use set given_back_at = :now
		where company = :company and code_id = :code and order_id = :order and given_back_at is null`,
		db.Args{"code": codeID, "order": orderID})
	return n > 0, err
}

// paidWith are the gift cards that an order was paid with.
const paidWith = `id in (select card_id from gift_card_movement m where m.company = :company and m.order_id = :order
	and m.order_id <> '')`

// cardsOf locks the gift cards that an order was paid with.
func cardsOf(tx *db.Tx, orderID string) ([]*Card, error) {
	all, err := cards.Where(tx, "promotion.cardsOf", paidWith+" order by id for update", db.Args{"order": orderID})
	return record.Pointers(all), err
}

// Hold locks the codes and gift cards that an order took something of, in the order in which who places one locks them:
// before the stock of what it is about.
func Hold(tx *db.Tx, orderID string) error {
	if _, err := discountsOf(tx, orderID); err != nil {
		return err
	}
	_, err := cardsBy(tx, paidWith, db.Args{"order": orderID}, db.ForUpdate)
	return err
}

// spentFor is what an order took off a gift card, below zero, or 0 when it took nothing or has given it back, and the
// order's number.
func spentFor(tx *db.Tx, cardID, orderID string) (sum dec.Dec, orderNumber string, err error) {
	_, err = tx.One(`-- promotion.spentFor
		select coalesce(sum(amount), 0), coalesce(max(order_number), '') from gift_card_movement
		where company = :company and order_id = :order and card_id = :card`,
		db.Args{"card": cardID, "order": orderID}, &sum, &orderNumber)
	return sum, orderNumber, err
}

// GiftCardsPaid is what gift cards paid of an order, less what was given back.
func GiftCardsPaid(tx *db.Tx, orderID string) (paid dec.Dec, err error) {
	_, err = tx.One(`-- promotion.GiftCardsPaid
		select coalesce(sum(amount), 0) from gift_card_movement where company = :company and order_id = :order and order_id <> ''`,
		db.Args{"order": orderID}, &paid)
	return paid.Neg(), err
}

// Verify recomputes the balances of gift cards from their movements, and how often codes were used from their uses.
func Verify(tx *db.Tx, report func(string)) error {
	err := record.Report(tx, report, `-- promotion.Verify cards
		select c.id, c.balance, coalesce(m.total, 0), coalesce(m.lowest, 0)
		from gift_card c left join (
			select card_id, sum(amount) as total, min(balance) as lowest from gift_card_movement where company = :company group by card_id
		) m on m.card_id = c.id
		where c.company = :company and (c.balance <> coalesce(m.total, 0) or coalesce(m.lowest, 0) < 0) order by c.id`,
		nil,
		"gift card %s: the balance is %s, its movements add up to %s, and were at least %s",
		new(string), new(dec.Dec), new(dec.Dec), new(dec.Dec))
	if err != nil {
		return err
	}
	return record.Report(tx, report, `-- promotion.Verify codes
		select d.code, d.used, coalesce(u.uses, 0)
		from discount_code d left join (
			select code_id, count(*) as uses from discount_use where company = :company and given_back_at is null group by code_id
		) u on u.code_id = d.id
		where d.company = :company and d.used <> coalesce(u.uses, 0) order by d.code_key`, nil,
		"discount code %s: counted as used %d times, %d orders use it", new(string), new(int), new(int))
}
