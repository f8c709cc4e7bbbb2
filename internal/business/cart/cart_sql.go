package cart

import (
	"math/rand/v2"
	"slices"

	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// read reads the cart of a session as it is kept; one without an id where there is none.
func read(tx *db.Tx, sessionID string) (*Cart, error) {
	if c := recalled(tx, sessionID); c != nil {
		return c, nil
	}
	c := &Cart{SessionID: sessionID}
	found, err := tx.One(`-- cart.read
		select id, version, reference, note, requested_date, notices, seen_total, seen_amount from cart where company = :company
		and session_id = :session`,
		db.Args{"session": sessionID}, &c.ID, &c.version, &c.Reference, &c.Note, &c.RequestedDeliveryDate, db.JSON{At: &c.notices},
		&c.shown.total, &c.shown.toPay)
	if err != nil || !found {
		return c, err
	}
	return c, c.fill(tx)
}

// newVersion is a version that no cart has had.
func newVersion() int64 { return rand.Int64() }

// mark notes that carts change.
func mark(tx *db.Tx, version int64, cartIDs ...string) error {
	return tx.Run(`-- cart.mark
		update cart set changed_at = :now, version = :version where company = :company and id in (:carts)`,
		db.Args{"version": version, "carts": cartIDs})
}

// succeed is mark for a cart that still has the version it was read with.
func succeed(tx *db.Tx, cartID string, read, version int64) (ok bool, err error) {
	n, err := tx.Exec(`-- cart.succeed
		update cart set changed_at = :now, version = :version where company = :company and id = :cart and version = :read`,
		db.Args{"version": version, "cart": cartID, "read": read})
	return n == 1, err
}

// begin makes the cart of a session that has none.
func begin(tx *db.Tx, sessionID, cartID string, version int64) (ok bool, err error) {
	if cartID == firstID(sessionID) {
		return beginFirst(tx, sessionID, version)
	}
	n, err := tx.Exec(`-- cart.begin
		insert into cart (company, id, session_id, version, created_at, changed_at) values (:company, :cart, :session, :version, :now, :now)
		on conflict do nothing`, db.Args{"cart": cartID, "session": sessionID, "version": version})
	return n == 1, err
}

// beginFirst makes the first cart of a session, under the id that was told before, unless the session has a row
// meanwhile, and with it may have had a cart. Two requests may do it at once: who comes second finds the first one's,
// which an insert with a say in what to do about one constraint would not.
func beginFirst(tx *db.Tx, sessionID string, version int64) (made bool, err error) {
	if isKept(tx, sessionID) {
		return false, nil
	}
	n, err := tx.Exec(`-- cart.beginFirst
		insert into cart (company, id, session_id, version, created_at, changed_at)
		select :company, :cart, :session, :version, :now, :now
		where not exists (select 1 from session s where s.company = :company and s.id = :session)
		on conflict do nothing`, db.Args{"cart": firstID(sessionID), "session": sessionID, "version": version})
	return n == 1, err
}

// Lock locks the cart of a session for this transaction, and makes it where there is none.
func Lock(tx *db.Tx, sessionID string) (cartID string, err error) {
	if _, err := beginFirst(tx, sessionID, newVersion()); err != nil {
		return "", err
	}
	err = tx.Each(`-- cart.Lock
		insert into cart (company, id, session_id, version, created_at, changed_at) values (:company, :id, :session, :version, :now, :now)
		on conflict (company, session_id) do update set changed_at = excluded.changed_at, version = excluded.version
		returning id`, db.Args{"id": record.NewID(), "session": sessionID, "version": newVersion()},
		func(r db.Row) error { return r.Scan(&cartID) })
	return cartID, err
}

// lockAndRead is Lock and read in as few statements as there may be.
func lockAndRead(tx *db.Tx, sessionID string) (*Cart, error) {
	c := &Cart{SessionID: sessionID, version: newVersion()}
	own := record.NewID()
	isFirst, err := beginFirst(tx, sessionID, c.version)
	if isFirst || err != nil {
		c.ID, c.isNew = firstID(sessionID), isFirst
		return c, err
	}
	err = tx.Each(`-- cart.lockAndRead
		insert into cart (company, id, session_id, version, created_at, changed_at) values (:company, :id, :session, :version, :now, :now)
		on conflict (company, session_id) do update set changed_at = excluded.changed_at, version = excluded.version
		returning id, reference, note, requested_date, notices, seen_total, seen_amount`,
		db.Args{"id": own, "session": sessionID, "version": c.version}, func(r db.Row) error {
			return r.Scan(&c.ID, &c.Reference, &c.Note, &c.RequestedDeliveryDate, db.JSON{At: &c.notices},
				&c.shown.total, &c.shown.toPay)
		})
	if c.isNew = c.ID == own; err != nil || c.isNew {
		return c, err
	}
	return c, c.fill(tx)
}

// fill reads the lines and codes of a cart.
func (c *Cart) fill(tx *db.Tx) error {
	codes := -1 // not known
	err := tx.Each(`-- cart.fill
		select `+rowColumns+`, (select count(*) from cart_code k where k.company = :company and k.cart_id = :cart) from cart_line
		where company = :company and cart_id = :cart order by id`, db.Args{"cart": c.ID}, func(r db.Row) error {
		l := &Line{}
		err := r.Scan(append(l.columns(), &codes)...)
		c.Lines = append(c.Lines, l)
		return err
	})
	if err != nil || codes == 0 {
		return err
	}
	c.keys, err = codesOf(tx, c.ID)
	return err
}

// ensure makes the cart of a session where there is none, and locks none.
func ensure(tx *db.Tx, sessionID string) (cartID string, err error) {
	if _, err := begin(tx, sessionID, idFor(tx, sessionID), newVersion()); err != nil {
		return "", err
	}
	_, err = tx.One(`-- cart.ensure id
		select id from cart where company = :company and session_id = :session`, db.Args{"session": sessionID}, &cartID)
	return cartID, err
}

// lockAll locks carts that are to be changed, in the order of their ids.
func lockAll(tx *db.Tx, cartIDs []string) error {
	err := tx.Each(`-- cart.lockAll
		select id from cart where company = :company and id in (:carts) order by id for update`,
		db.Args{"carts": cartIDs}, func(r db.Row) error { return r.Scan(new(string)) })
	if err != nil {
		return err
	}
	return mark(tx, newVersion(), cartIDs...)
}

// earlier are the carts of a visit's contact in other living sessions of the store, the latest used first.
func earlier(tx *db.Tx, v *storefront.Visit) ([]string, error) {
	return db.Column[string](tx, `-- cart.earlier
		select c.id from session s join cart c on c.company = :company and c.session_id = s.id
		where s.company = :company and s.contact_id = :contact and s.contact_id <> '' and s.customer_id = :customer
			and s.channel_key = :channel and s.id <> :own and s.ended_at is null and s.expires_at > :now
		order by c.changed_at desc, c.id`,
		db.Args{"contact": v.Contact.ID, "customer": v.Customer.ID, "channel": v.Session.ChannelKey,
			"own": v.Session.ID})
}

const (
	rowFields  = "id, item_id, configuration, quantity, unit, note"
	seenFields = "seen_price, seen_inclusive, seen_currency"
	rowColumns = rowFields + ", " + seenFields
)

var lineRow = db.Map[row](rowFields)

// columns are where rowColumns are kept.
func (r *row) columns() []any {
	return append(lineRow.Of(r), &r.seen.price, &r.seen.isInclusive, &r.seen.currency)
}

func scanLine(r db.Row, at **Line) error {
	*at = &Line{}
	return r.Scan((*at).columns()...)
}

// linesOf are the lines of a cart as they are kept, in the order they were put in.
func linesOf(tx *db.Tx, cartID string) ([]*Line, error) {
	return db.Rows(tx, `-- cart.linesOf
		select `+rowColumns+` from cart_line
		where company = :company and cart_id = :cart order by id`, db.Args{"cart": cartID}, scanLine)
}

// writeLines keeps lines of a cart, new and changed ones alike.
func writeLines(tx *db.Tx, cartID string, lines []*row) error {
	changed(tx, cartID)
	return tx.Later(func() error {
		return tx.Upsert("cart_line", rowColumns+", cart_id", len(lines), func(i int) []any {
			return append(lines[i].columns(), cartID)
		}, db.Overwriting("cart_id, id", "quantity, unit, note, "+seenFields))
	})
}

func removeLine(tx *db.Tx, cartID, lineID string) error {
	changed(tx, cartID)
	return tx.Delete(db.Args{"cart_id": cartID, "id": lineID}, "cart_line")
}

// empty takes lines and codes out of carts.
func empty(tx *db.Tx, cartIDs []string) error {
	for _, id := range cartIDs {
		changed(tx, id)
	}
	return tx.Delete(db.Args{"cart_id": cartIDs}, "cart_line", "cart_code")
}

// remove deletes carts whole.
func remove(tx *db.Tx, cartIDs []string) error {
	if err := empty(tx, cartIDs); err != nil {
		return err
	}
	return tx.Delete(db.Args{"id": cartIDs}, "cart")
}

// drop deletes the carts of sessions.
func drop(tx *db.Tx, sessionIDs []string) error {
	ids, err := db.Column[string](tx, `-- cart.drop
		select id from cart where company = :company and session_id in (:sessions)`, db.Args{"sessions": sessionIDs})
	if err != nil || len(ids) == 0 {
		return err
	}
	slices.Sort(ids)
	return remove(tx, ids)
}

func describe(tx *db.Tx, cartID string, d Details) error {
	changed(tx, cartID)
	return tx.Run(`-- cart.describe
		update cart set reference = :reference, note = :note, requested_date = :date where company = :company and id = :cart`,
		db.Args{"cart": cartID, "reference": d.Reference, "note": d.Note, "date": d.RequestedDeliveryDate})
}

// writeNotices keeps what the visitor is to be told at the next look.
func writeNotices(tx *db.Tx, cartID string, news []Message) error {
	changed(tx, cartID)
	news = news[:min(len(news), longestMessages)]
	return tx.Run(`-- cart.writeNotices
		update cart set notices = :notices where company = :company and id = :cart`,
		db.Args{"cart": cartID, "notices": db.JSON{At: &news}})
}

// writeShown keeps what a cart came to when it was shown.
func writeShown(tx *db.Tx, cartID string, s shown) error {
	changed(tx, cartID)
	return tx.Later(func() error {
		return tx.Run(`-- cart.writeShown
		update cart set seen_total = :total, seen_amount = :toPay where company = :company and id = :cart`,
			db.Args{"cart": cartID, "total": s.total, "toPay": s.toPay})
	})
}

// codesOf are the keys of a cart's codes, in the order they were applied.
func codesOf(tx *db.Tx, cartID string) ([]string, error) {
	return db.Column[string](tx, `-- cart.codesOf
		select code_key from cart_code where company = :company and cart_id = :cart order by applied_at, code_key`,
		db.Args{"cart": cartID})
}

func insertCode(tx *db.Tx, cartID, key string) error {
	changed(tx, cartID)
	return tx.Insert("cart_code", "cart_id, code_key, applied_at", 1,
		func(int) []any { return []any{cartID, key, tx.Now} })
}

func removeCode(tx *db.Tx, cartID, key string) (found bool, err error) {
	changed(tx, cartID)
	n, err := tx.Exec(`-- cart.removeCode
		delete from cart_code where company = :company and cart_id = :cart and code_key = :key`,
		db.Args{"cart": cartID, "key": key})
	return n > 0, err
}

// moveCodes adds the codes of one cart to another, which has a code once.
func moveCodes(tx *db.Tx, from, to string) error {
	changed(tx, to)
	keys, err := codesOf(tx, from)
	if err != nil {
		return err
	}
	return tx.Upsert("cart_code", "cart_id, code_key, applied_at", len(keys),
		func(i int) []any { return []any{to, keys[i], tx.Now} }, "on conflict (company, cart_id, code_key) do nothing")
}
