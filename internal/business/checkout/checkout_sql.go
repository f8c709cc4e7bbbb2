package checkout

import (
	"kontor/internal/business/cart"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

// stepsKept are the steps of a cart.
func stepsKept(tx *db.Tx, c *cart.Cart) (Steps, error) {
	if known, ok := c.Steps.(*Steps); ok {
		return *known, nil
	}
	s, err := Steps{CartID: c.ID}, error(nil)
	if !c.IsNew() {
		s, err = readSteps(tx, c.ID)
	}
	if err == nil && c.ID != "" {
		c.Steps = &s
	}
	return s, err
}

const stepColumns = "contact, billing, delivery, method, pickup_point, requested_date, payment_method, seen_fee"

var stepsRow = db.Map[Steps](stepColumns)

func readSteps(tx *db.Tx, cartID string) (s Steps, err error) {
	s.CartID = cartID
	_, err = tx.One(`-- checkout.readSteps
		select `+stepColumns+` from checkout where company = :company and cart_id = :cart`, db.Args{"cart": cartID},
		stepsRow.Of(&s)...)
	return s, err
}

func writeSteps(tx *db.Tx, c *Checkout) error {
	s := c.Steps
	c.Cart.KeepSteps(tx, &s)
	return tx.Later(func() error {
		return tx.Upsert("checkout", stepColumns+", cart_id, changed_at", 1, func(int) []any {
			return append(stepsRow.Of(&s), s.CartID, tx.Now)
		}, db.Overwriting("cart_id", stepColumns+", changed_at"))
	})
}

// Sweep drops what was said for carts that are gone.
func Sweep(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("checkout.Sweep", "checkout", "cart_id", from,
		"not exists (select 1 from cart c where c.company = checkout.company and c.id = checkout.cart_id)", nil)
}

// lockGuest locks the row of a guest's address and answers the number of the customer that was made for it, "" where
// there is none.
func lockGuest(tx *db.Tx, email string) (number string, err error) {
	err = tx.Each(`-- checkout.lockGuest
		insert into checkout_guest (company, email_key, used_at) values (:company, :email, :now)
		on conflict (company, email_key) do update set used_at = excluded.used_at
		returning customer`, db.Args{"email": record.Fold(email)}, func(r db.Row) error { return r.Scan(&number) })
	return number, err
}

// guestNumber is lockGuest without its lock.
func guestNumber(tx *db.Tx, email string) (string, error) {
	return db.Value[string](tx, `-- checkout.guestNumber
		select customer from checkout_guest where company = :company and email_key = :email`,
		db.Args{"email": record.Fold(email)})
}

func writeGuest(tx *db.Tx, email, number string) error {
	return tx.Later(func() error {
		return tx.Run(`-- checkout.writeGuest
		update checkout_guest set customer = :number where company = :company and email_key = :email`,
			db.Args{"email": record.Fold(email), "number": number})
	})
}

// writePlaced notes the order of a cart.
func writePlaced(tx *db.Tx, cartID, sessionID string, p *Placed) error {
	p.cartID, p.sessionID = cartID, sessionID
	return tx.Insert("checkout_order", placedColumns+", placed_at", 1, func(int) []any {
		return append(p.columns(), tx.Now)
	})
}

const placedFields = "order_id, order_number, payment_id, receipt"

const placedColumns = placedFields + ", cart_id, session_id"

var placedRow = db.Map[Placed](placedFields)

func (p *Placed) columns() []any { return append(placedRow.Of(p), &p.cartID, &p.sessionID) }

// lastPlaced is the latest order of a session; nil where there is none.
func lastPlaced(tx *db.Tx, sessionID string) (p *Placed, err error) {
	return onePlaced(tx, `-- checkout.lastPlaced
		select `+placedColumns+` from checkout_order where company = :company and session_id = :session
		order by placed_at desc, order_id desc limit 1`, db.Args{"session": sessionID})
}

// placedAs is the order of a number, if it was made of a cart of the session.
func placedAs(tx *db.Tx, sessionID, number string) (*Placed, error) {
	return onePlaced(tx, `-- checkout.placedAs
		select `+placedColumns+
		` from checkout_order where company = :company and session_id = :session and fold(order_number) = :number`,
		db.Args{"session": sessionID, "number": record.Fold(number)})
}

// placedFor is the order of a cart.
func placedFor(tx *db.Tx, cartID string) (*Placed, error) {
	return onePlaced(tx, `-- checkout.placedFor
		select `+placedColumns+` from checkout_order where company = :company and cart_id = :cart`,
		db.Args{"cart": cartID})
}

func onePlaced(tx *db.Tx, query string, args db.Args) (p *Placed, err error) {
	err = tx.Each(query, args, func(r db.Row) error {
		p = &Placed{}
		return r.Scan(p.columns()...)
	})
	return p, err
}

// receiptOf is what the buyer of an order was told; nil where the order came another way.
func receiptOf(tx *db.Tx, orderID string) (*Placed, error) {
	return onePlaced(tx, `-- checkout.receiptOf
		select `+placedColumns+` from checkout_order where company = :company and order_id = :order`,
		db.Args{"order": orderID})
}

// cardsSettled is how much of what gift cards paid for an order has settled invoices, and locks the receipt that says
// so.
func cardsSettled(tx *db.Tx, orderID string) (dec.Dec, error) {
	return db.Value[dec.Dec](tx, `-- checkout.cardsSettled
		select cards_settled from checkout_order where company = :company and order_id = :order for update`,
		db.Args{"order": orderID})
}

// cardsUsed is cardsSettled without its lock.
func cardsUsed(tx *db.Tx, orderID string) (dec.Dec, error) {
	return db.Value[dec.Dec](tx, `-- checkout.cardsUsed
		select cards_settled from checkout_order where company = :company and order_id = :order`,
		db.Args{"order": orderID})
}

func settleCards(tx *db.Tx, orderID string, sum dec.Dec) error {
	return tx.Run(`-- checkout.settleCards
		update checkout_order set cards_settled = :sum where company = :company and order_id = :order`,
		db.Args{"order": orderID, "sum": sum})
}
