package cart

import (
	"slices"

	"kontor/internal/business/assortment"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// Draft is an addition that was worked out in a snapshot, ahead of the transaction that puts it in: what the cart will
// then be, with what everything costs. The one writer of a file, or who waits for the lock of a cart, need not wait for
// that.
//
// It is put in only if all that it was made of is still so: the visit, the version of the cart, and what
// its lines cost depends on. Else the addition is worked out again, inside the transaction.
type Draft struct {
	cart  *Cart
	kept  *kept
	news  []*row
	visit *storefront.Visit
	read  int64 // the version of the cart that it was made of
}

// Cart is what the cart will be. It must not be changed.
func (d *Draft) Cart() *Cart { return d.cart }

// Prepare works an addition out. It answers nil where that must be left to the transaction: where something is refused,
// where the cart is not known well enough, and where more belongs to it than lines.
func Prepare(tx *db.Tx, all []Addition) (*Draft, error) {
	v := storefront.Of(tx)
	c, err := expected(tx, v.Session.ID)
	if err != nil || c == nil || len(c.keys) > 0 || len(c.notices) > 0 {
		return nil, err
	}
	d := &Draft{cart: c, visit: v, read: c.version}
	out, err := c.putAll(tx, v, all, notAhead)
	if err != nil || slices.ContainsFunc(out, func(o Outcome) bool { return o.Err != nil }) {
		return nil, err
	}
	if c.isNew = c.ID == ""; c.isNew {
		c.ID = idFor(tx, c.SessionID)
	}
	c.version = newVersion()
	to := c.destined(tx, v)
	if wrong := c.bounded(func() { err = c.price(tx, v, to, true) }, idsOf(out)); err != nil || !wrong.Empty() {
		return nil, err
	}
	d.news = c.changedRows()
	d.kept = c.toKeep()
	if !c.isPlain() || c.delivery.Method != "" || !c.deps.IsCacheable() || !tx.Undisturbed() {
		return nil, nil
	}
	return d, nil
}

// expected is the cart of a session as it was last seen, to be proved by its version, or, where a session has just
// begun, that there is none, to be proved by making it; nil where nothing is known.
func expected(tx *db.Tx, sessionID string) (*Cart, error) {
	if tx.OneWriter() {
		return read(tx, sessionID)
	}
	if k, ok := db.CacheGetUnvalidated[*kept](tx, expectedName(sessionID)); ok {
		return k.cart(sessionID), nil
	}
	if !isKept(tx, sessionID) {
		return &Cart{SessionID: sessionID}, nil
	}
	return nil, nil
}

// Put writes the draft, unless something that it was made of has changed: then it has written nothing, and it is for
// Add to do it.
func (d *Draft) Put(tx *db.Tx) (done bool, err error) {
	if d == nil || d.visit != storefront.Of(tx) || !tx.Holds(d.cart.deps) {
		return false, nil
	}
	c := d.cart
	if c.isNew {
		done, err = begin(tx, c.SessionID, c.ID, c.version)
	} else {
		done, err = succeed(tx, c.ID, d.read, c.version)
	}
	if err != nil || !done {
		return false, err
	}
	if err := writeLines(tx, c.ID, d.news); err != nil {
		return false, err
	}
	c.keep(tx, d.kept)
	return true, nil
}

// putAll checks additions, and puts into the cart what is not refused. configured finds the configuration of what is
// made to order.
func (c *Cart) putAll(tx *db.Tx, v *storefront.Visit, all []Addition, configured configured) ([]Outcome, error) {
	ids := each.Of(all, func(a Addition) string { return a.ItemID })
	var err error
	if c.sold, err = assortment.Articles(tx, v.Viewer(), ids); err != nil {
		return nil, err
	}
	out := make([]Outcome, len(all))
	for i, a := range all {
		r, err := a.row(c.sold)
		if err == nil && (a.ConfigurationNumber != "" || len(a.Choices) > 0 || c.sold[a.ItemID].Item.IsConfigurable) {
			r.ConfigurationNumber, err = configured(tx, v, &a, &r)
		}
		if err != nil {
			out[i].Err = err
			continue
		}
		out[i] = c.put(r)
	}
	return out, nil
}
