package cart

import (
	"fmt"
	"slices"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// resource is the name under which it is counted that a cart changes, by its id. It has no records.
const resource = "\x00carts"

// Rows are what is counted under it, with what is said on the way to the order. Carts are no records.
var Rows = record.Resource{Name: resource, Table: "cart", Parts: []string{"cart_line", "cart_code", "checkout"}}

func changed(tx *db.Tx, cartID string) { tx.Invalidate(resource, cartID) }

// kept is what a cart is kept as, in the tables and, where every commit passes through this process, in memory. It is
// shared and must not be changed.
type kept struct {
	id              string
	version         int64
	reference, note string
	requested       day.Date
	notices         []Message
	shown           shown
	rows            []row    // of the lines
	keys            []string // of codes, in the order they were applied
	delivery        *destination
	steps           any // see Cart.Steps
}

// weight is about how many bytes it takes.
func (k *kept) weight() int {
	return 1_000 + 200*len(k.rows) + 200*len(k.notices) + len(k.note)
}

// isPlain reports whether the lines were priced and nothing needs saying of them: each can be bought, and is of an item
// of its own.
func (c *Cart) isPlain() bool {
	return !slices.ContainsFunc(c.Lines, func(l *Line) bool {
		return !l.IsSellable || len(l.Warnings) > 0 || !l.isSeen() || l.IsMadeToOrder()
	})
}

func keptName(sessionID string) string     { return "cart " + sessionID }
func expectedName(sessionID string) string { return "expected cart " + sessionID }

// toKeep is the cart, whose lines were settled, as it is kept: nobody changes it from here on.
func (c *Cart) toKeep() *kept {
	k := &kept{id: c.ID, version: c.version, reference: c.Reference, note: c.Note, requested: c.RequestedDeliveryDate,
		notices: c.notices, keys: c.keys, shown: c.shown, delivery: c.delivery, steps: c.Steps,
		rows: make([]row, len(c.Lines))}
	for i := range c.Lines {
		k.rows[i] = c.Lines[i].row
	}
	return k
}

// keep remembers a cart as this transaction has written it. Where others write as well it is not known for long, and
// must be proved.
func (c *Cart) keep(tx *db.Tx, k *kept) {
	if tx.Alone() {
		tx.CachePutWritten(keptName(c.SessionID), k.weight(), k, db.Ref{Resource: resource, Key: c.ID})
	} else {
		tx.CachePutUnvalidated(expectedName(c.SessionID), k.weight(), k)
	}
}

// KeepSteps remembers a cart that was entered with what this transaction has written of its checkout.
func (c *Cart) KeepSteps(tx *db.Tx, steps any) {
	changed(tx, c.ID)
	c.Steps = steps
	c.keep(tx, c.toKeep())
}

// recalled is the cart of a session as it is remembered; nil where it is not.
func recalled(tx *db.Tx, sessionID string) *Cart {
	if k, _, ok := db.CacheGet[*kept](tx, keptName(sessionID)); ok {
		return k.cart(sessionID)
	}
	return nil
}

// cart is the cart as it was kept.
func (k *kept) cart(sessionID string) *Cart {
	c := &Cart{ID: k.id, SessionID: sessionID, version: k.version, Reference: k.reference, Note: k.note,
		RequestedDeliveryDate: k.requested, notices: k.notices, keys: k.keys, shown: k.shown,
		delivery: k.delivery, Steps: k.steps, Lines: make([]*Line, 0, len(k.rows)+1)}
	for _, r := range k.rows {
		c.Lines = append(c.Lines, &Line{row: r})
	}
	return c
}

// take locks the cart of a session, which it makes where there is none, and reads it. Where nobody else writes there is
// nothing to lock: the cart is made, or marked as changed, with the first change (enter), so that who is refused has
// written nothing.
func take(tx *db.Tx, sessionID string) (*Cart, error) {
	if tx.Alone() {
		return read(tx, sessionID)
	}
	if c, err := takeExpected(tx, sessionID); c != nil || err != nil {
		return c, err
	}
	return lockAndRead(tx, sessionID)
}

// takeExpected locks the cart of a session that is still what it was when it was last seen here, so that nothing of it
// need be read; nil where it is another, or not known.
func takeExpected(tx *db.Tx, sessionID string) (*Cart, error) {
	c, err := expected(tx, sessionID)
	if c == nil || c.ID == "" || err != nil {
		return nil, err
	}
	read := c.version
	c.version = newVersion()
	if isSame, err := succeed(tx, c.ID, read, c.version); !isSame || err != nil {
		return nil, err
	}
	return c, nil
}

// Enter comes before the first change of a cart that was taken, or of its checkout.
func (c *Cart) Enter(tx *db.Tx) error {
	if !tx.Alone() {
		return nil
	}
	c.version = newVersion()
	if c.ID != "" {
		return mark(tx, c.version, c.ID)
	}
	c.ID, c.isNew = idFor(tx, c.SessionID), true
	made, err := begin(tx, c.SessionID, c.ID, c.version)
	if err == nil && !made {
		err = fmt.Errorf("cart: session %s has a cart that was not found", c.SessionID)
	}
	return err
}
