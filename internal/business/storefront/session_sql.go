package storefront

import "kontor/internal/foundation/db"

const sessionColumns = "id, channel_key, created_at, expires_at, ended_at, signed_in_at, language, country, includes_tax"

var sessionRow = db.Map[Session](sessionColumns)

// findVisit reads the session of GuestOf(tx) with the person who is signed in to it; an empty one where there is none.
// A contact who may no longer come in is signed out by that.
func findVisit(tx *db.Tx) (*Visit, error) {
	v, err := visitWhere(tx, "s.token_hash = :token", db.Args{"token": GuestOf(tx).Token})
	if v == nil {
		v = empty(GuestOf(tx))
	}
	return v, err
}

// visitOf is the visit of a session by its id.
func visitOf(tx *db.Tx, sessionID string) (*Visit, error) {
	return visitWhere(tx, "s.id = :id", db.Args{"id": sessionID})
}

func visitWhere(tx *db.Tx, which string, args db.Args) (*Visit, error) {
	v := &Visit{}
	s := &v.Session
	var role, contactID string
	found, err := tx.One(`-- storefront.visitWhere
		select `+sessionRow.Select("s")+`, s.token_hash, s.contact_id,
			coalesce(c.id, ''), coalesce(c.number, ''), coalesce(c.name, ''), coalesce(c.group_code, ''), coalesce(c.currency_code, ''),
			coalesce(p.id, ''), coalesce(p.name, ''), coalesce(p.email, ''), coalesce(p.role, '')
		from session s
		left join customer c on c.company = :company and c.id = s.customer_id and c.is_active = 1
		left join customer_contact p on p.company = :company and p.customer_id = c.id and p.id = s.contact_id
			and p.is_active = 1 and p.has_portal_access = 1
		where s.company = :company and `+which, args,
		append(sessionRow.Of(s), &s.token, &contactID, &v.Customer.ID, &v.Customer.Number, &v.Customer.Name,
			&v.Customer.GroupCode, &v.Customer.CurrencyCode, &v.Contact.ID, &v.Contact.Name, &v.Contact.Email,
			&role)...)
	if err != nil || !found {
		return nil, err
	}
	s.IsKept, v.Contact.Role = true, RoleOf(role)
	if v.Contact.ID == "" {
		v.Customer, v.Contact = Customer{}, Contact{}
	}
	s.CustomerID, s.ContactID, s.isLapsed = v.Customer.ID, v.Contact.ID, v.Contact.ID != contactID
	return v, nil
}

// What of a session with a row is changed, each without the rest: others may have changed that since it was read. A
// session that was ended stays so.
const (
	choices = "language = excluded.language, country = excluded.country, includes_tax = excluded.includes_tax"
	person  = "customer_id = excluded.customer_id, contact_id = excluded.contact_id, signed_in_at = excluded.signed_in_at"
	ending  = "ended_at = coalesce(session.ended_at, excluded.ended_at)"
)

// save writes columns of a session, or the whole of one that has no row yet.
func save(tx *db.Tx, s *Session, columns string) error {
	return write(tx, s, "do update set "+columns+", changed_at = excluded.changed_at")
}

func write(tx *db.Tx, s *Session, onConflict string) error {
	tx.Invalidate(sessions, s.token)
	s.IsKept = true
	return tx.Later(func() error {
		return tx.Upsert("session", sessionColumns+", token_hash, customer_id, contact_id, changed_at", 1, func(int) []any {
			return append(sessionRow.Of(s), s.token, s.CustomerID, s.ContactID, tx.Stamp())
		}, "on conflict (company, id) "+onConflict)
	})
}

// EndOthers ends all sessions of a contact but the one of this transaction: its password has changed.
func EndOthers(tx *db.Tx, contactID string) error {
	keep := ""
	if v, ok := tx.Admitted.(*Visit); ok {
		keep = v.Session.ID
	}
	return tx.Each(`-- storefront.EndOthers
		update session set ended_at = :now, changed_at = :stamp where company = :company and contact_id = :contact
		and contact_id <> '' and id <> :keep and ended_at is null
		returning token_hash`, db.Args{"contact": contactID, "keep": keep, "stamp": tx.Stamp()}, func(r db.Row) error {
		var token string
		err := r.Scan(&token)
		tx.Invalidate(sessions, token)
		return err
	})
}

// sweepBatch bounds what one sweep deletes, so that others need not wait long.
const sweepBatch = 1_000

// Sweep deletes sessions that expired before the given moment, at most a thousand; it answers their ids. One that was
// ended is kept until then, too: without its row its token would be that of an empty session.
func Sweep(tx *db.Tx, before db.Time) (ids []string, err error) {
	err = tx.Each(`-- storefront.Sweep
		delete from session where company = :company and id in (
			select id from session where company = :company and expires_at < :before order by expires_at limit :batch)
		returning id, token_hash`, db.Args{"before": before, "batch": sweepBatch}, func(r db.Row) error {
		var token string
		ids = append(ids, "")
		err := r.Scan(&ids[len(ids)-1], &token)
		tx.Invalidate(sessions, token)
		return err
	})
	return ids, err
}

// Tail tells other processes of sessions that have changed.
func Tail() db.Source {
	return db.Source{Quiet: true, Query: `select changed_at as stamp, '' as resource, token_hash as key, '' as kind from session
		where company = :company and changed_at > :from order by changed_at`,
		Refs: func(_, token, _ string) []db.Ref { return []db.Ref{sessionRef(token)} }}
}
