package cart

import (
	"slices"

	"kontor/internal/day"
	"kontor/internal/db"
)

// resource is the name under which it is counted that a cart changes, by its id. It has no records.
const resource = "\x00carts"

func changed(tx *db.Tx, cartID string) { tx.TouchQuietly(resource, cartID) }

// kept is what a cart is kept as, in the tables and, where every commit passes through this process, in memory. It is shared and
// must not be changed.
type kept struct {
	id              string
	reference, note string
	requested       day.Date
	notices         []Message
	rows            []row    // of lines that are not priced
	keys            []string // of codes, in the order they were applied

	// What was found out about the lines, where nothing about them needs saying: see pricer.fresh.
	priced []Line
	terms  terms
	ground db.Ground
}

// terms are what prices of lines depend on, besides the books.
type terms struct{ channel, customer, group, currency, country string }

// weight is about how many bytes it takes.
func (k *kept) weight() int {
	return 300 + 200*len(k.rows) + 700*len(k.priced) + 200*len(k.notices) + len(k.note)
}

// isPlain reports whether the lines were priced and nothing needs saying of them: each can be bought, and is of an item of its own.
func (c *Cart) isPlain() bool {
	if c.terms == (terms{}) {
		return false
	}
	for i := range c.Lines {
		l := &c.Lines[i]
		if !l.IsSellable || len(l.Warnings) > 0 || !l.isSeen() || l.ConfigurationNumber != "" {
			return false
		}
	}
	return true
}

func keptName(sessionID string) string { return "cart " + sessionID }

// keep remembers a cart as this transaction has written it.
func (c *Cart) keep(tx *db.Tx) {
	if !tx.Alone() {
		return
	}
	k := &kept{id: c.ID, reference: c.Reference, note: c.Note, requested: c.RequestedDeliveryDate, notices: c.notices, keys: slices.Clone(c.keys)}
	if c.isPlain() {
		k.priced, k.terms, k.ground = slices.Clone(c.Lines), c.terms, c.ground
		for i := range k.priced {
			k.priced[i].isDirty = false
		}
	} else {
		k.rows = make([]row, len(c.Lines))
		for i := range c.Lines {
			k.rows[i] = c.Lines[i].row
		}
	}
	tx.RememberWritten(keptName(c.SessionID), k.weight(), k, db.Ref{Resource: resource, Key: c.ID})
}

// recalled is the cart of a session as it is remembered; nil where it is not.
func recalled(tx *db.Tx, sessionID string) *Cart {
	k, _, ok := db.Remembered[*kept](tx, keptName(sessionID))
	if !ok {
		return nil
	}
	c := &Cart{ID: k.id, SessionID: sessionID, Reference: k.reference, Note: k.note, RequestedDeliveryDate: k.requested, notices: k.notices, keys: k.keys,
		Lines: make([]Line, max(len(k.rows), len(k.priced)), max(len(k.rows), len(k.priced))+1), terms: k.terms, ground: k.ground}
	c.isPriced = len(k.priced) > 0 && tx.Holds(k.ground)
	for i, l := range k.priced {
		if c.isPriced {
			c.Lines[i] = l
		} else {
			c.Lines[i].row = l.row
		}
	}
	for i, r := range k.rows {
		c.Lines[i].row = r
	}
	return c
}

// take locks the cart of a session, which it makes where there is none, and reads it. Where nobody else writes there is nothing to
// lock: the cart is made, or marked as changed, with the first change (enter), so that who is refused has written nothing.
func take(tx *db.Tx, sessionID string) (*Cart, error) {
	if tx.Alone() {
		return read(tx, sessionID)
	}
	return lockAndRead(tx, sessionID)
}

// enter comes before the first change of a cart that was taken.
func (c *Cart) enter(tx *db.Tx) (err error) {
	switch {
	case !tx.Alone():
	case c.ID == "":
		c.ID, err = Lock(tx, c.SessionID)
	default:
		err = mark(tx, c.ID)
	}
	return err
}
