package portal

import (
	"time"

	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Find is who comes in with an e-mail; nobody where none does.
func Find(tx *db.Tx, email string) (p Person, err error) {
	if email == "" {
		return p, nil
	}
	var role string
	_, err = tx.One(`-- portal.Find
		select c.id, c.number, c.name, c.group_code, c.currency_code, p.id, p.name, p.email, p.role, p.language_code, p.password_hash
		from customer_contact p join customer c on c.company = :company and c.id = p.customer_id
		where p.company = :company and p.email_key = :email and p.has_portal_access = 1 and p.is_active = 1 and c.is_active = 1`,
		db.Args{"email": record.Fold(email)}, &p.Customer.ID, &p.Customer.Number, &p.Customer.Name,
		&p.Customer.GroupCode, &p.Customer.CurrencyCode, &p.Contact.ID, &p.Contact.Name, &p.Contact.Email, &role,
		&p.Language, &p.PasswordHash)
	p.Contact.Role = storefront.RoleOf(role)
	return p, err
}

// isTaken reports whether an e-mail is somebody's to come in with, be it that they may not at present.
func isTaken(tx *db.Tx, email string) (bool, error) {
	var id string
	return tx.One(`-- portal.isTaken
		select id from customer_contact where company = :company and email_key = :email and has_portal_access = 1`,
		db.Args{"email": record.Fold(email)}, &id)
}

// writeCode keeps the code of an address; one for the same purpose that this session asked for before is worth nothing
// any more.
func writeCode(tx *db.Tx, email string, purpose Purpose, hash string, expires db.Time) error {
	return tx.Run(`-- portal.writeCode
		insert into portal_code (company, address, purpose, session_id, code_hash, expires_at)
		values (:company, :address, :purpose, :session, :hash, :expires)
		on conflict (company, address, purpose, session_id) do update set code_hash = excluded.code_hash, tries = 0, elsewhere = 0,
			expires_at = excluded.expires_at`,
		db.Args{"address": addressKey(email), "purpose": purpose, "session": storefront.Of(tx).Session.ID, "hash": hash,
			"expires": expires})
}

// code is one that is open, with the wrong ones that were tried in its place by sessions like this one.
type code struct {
	hash  string
	tries int
}

// lateCode is the moment beyond which no code ends that this clock has given out: see db.Time.IsLiving.
func lateCode(tx *db.Tx) db.Time { return tx.Now.Add(2 * codeMinutes * time.Minute) }

// lockCodes reads the open codes of an address and locks them until the commit.
func lockCodes(tx *db.Tx, email string, purpose Purpose) (all []code, err error) {
	return db.Rows(tx, `-- portal.lockCodes
		select code_hash, case when session_id = :session then tries else elsewhere end from portal_code
		where company = :company and address = :address and purpose = :purpose and expires_at > :now and expires_at <= :late
		order by session_id for update`,
		db.Args{"address": addressKey(email), "purpose": purpose, "session": storefront.Of(tx).Session.ID,
			"late": lateCode(tx)},
		func(r db.Row, c *code) error {
			return r.Scan(&c.hash, &c.tries)
		})
}

// countWrong counts a wrong code.
func countWrong(tx *db.Tx, email string, purpose Purpose) error {
	return tx.Run(`-- portal.countWrong
		update portal_code set tries = tries + case when session_id = :session then 1 else 0 end,
			elsewhere = elsewhere + case when session_id = :session then 0 else 1 end
		where company = :company and address = :address and purpose = :purpose`,
		db.Args{"address": addressKey(email), "purpose": purpose, "session": storefront.Of(tx).Session.ID})
}

// takeCode uses a code up, and every other of the address with it; it answers false where it is not, or no longer, one.
func takeCode(tx *db.Tx, email string, purpose Purpose, hash string) (bool, error) {
	n, err := tx.Exec(`-- portal.takeCode
		delete from portal_code where company = :company and address = :address and purpose = :purpose and code_hash = :hash
			and case when session_id = :session then tries else elsewhere end < :most and expires_at > :now
			and expires_at <= :late`, db.Args{"address": addressKey(email), "purpose": purpose, "hash": hash,
		"most": maxTries, "session": storefront.Of(tx).Session.ID, "late": lateCode(tx)})
	if err != nil || n == 0 {
		return false, err
	}
	return true, tx.Delete(db.Args{"address": addressKey(email), "purpose": purpose}, "portal_code")
}

// registration is somebody who wants an account.
type registration struct {
	SessionID    string
	Email        string
	PasswordHash string
	Details      string // JSON of Account
	ContactID    string
}

func findRegistration(tx *db.Tx, email string) (r registration, found bool, err error) {
	found, err = tx.One(`-- portal.findRegistration
		select session_id, email, password_hash, details, contact_id from portal_registration
		where company = :company and address = :address and expires_at > :now for update`,
		db.Args{"address": addressKey(email)}, &r.SessionID, &r.Email, &r.PasswordHash, &r.Details, &r.ContactID)
	return r, found, err
}

// writeRegistration keeps what somebody typed, in the place of what was typed for the address before; an account that
// waits to be let in stays.
func writeRegistration(tx *db.Tx, r registration, expires db.Time) error {
	return tx.Run(`-- portal.writeRegistration
		insert into portal_registration (company, address, session_id, email, password_hash, details, expires_at)
		values (:company, :address, :session, :email, :password, :details, :expires)
		on conflict (company, address) do update set session_id = excluded.session_id, email = excluded.email,
			password_hash = excluded.password_hash, details = excluded.details, expires_at = excluded.expires_at
			where portal_registration.contact_id = ''`,
		db.Args{"address": addressKey(r.Email), "session": r.SessionID, "email": r.Email, "password": r.PasswordHash,
			"details": r.Details, "expires": expires})
}

// endRegistration notes the account that was made of a registration, which keeps nothing else but where that was.
func endRegistration(tx *db.Tx, email, contactID, where string, expires db.Time) error {
	return tx.Run(`-- portal.endRegistration
		update portal_registration set contact_id = :contact, password_hash = '', details = :where, expires_at = :expires
		where company = :company and address = :address`,
		db.Args{"address": addressKey(email), "contact": contactID, "where": where, "expires": expires})
}

// dropRegistration forgets a registration.
func dropRegistration(tx *db.Tx, email string) error {
	return tx.Delete(db.Args{"address": addressKey(email)}, "portal_registration")
}

// Sweep forgets codes that are over.
func Sweep(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("portal.Sweep", "portal_code", "address", from, "expires_at < :now", nil)
}

// SweepRegistrations drops those that nobody has confirmed in time.
func SweepRegistrations(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("portal.SweepRegistrations", "portal_registration", "address", from, "expires_at < :now", nil)
}

// SweepConfirmed drops what is known of the addresses of contacts that are gone.
func SweepConfirmed(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("portal.SweepConfirmed", "portal_confirmed", "contact_id", from, `not exists (
		select 1 from customer_contact c where c.company = :company and c.id = portal_confirmed.contact_id)`, nil)
}

// SweepFavourites drops the favourites of contacts that are gone.
func SweepFavourites(tx *db.Tx, from string) (next string, err error) {
	return tx.SweepThrough("portal.SweepFavourites", "portal_favourite", "contact_id", from, `not exists (
		select 1 from customer_contact c where c.company = :company and c.id = portal_favourite.contact_id)`, nil)
}

// confirm notes that a contact reads the mails of its address.
func confirm(tx *db.Tx, contactID string) error {
	return tx.Run(`-- portal.confirm
		insert into portal_confirmed (company, contact_id, confirmed_at) values (:company, :contact, :now)
		on conflict (company, contact_id) do nothing`, db.Args{"contact": contactID})
}

func isConfirmed(tx *db.Tx, contactID string) (bool, error) {
	var at db.Time
	return tx.One(`-- portal.isConfirmed
		select confirmed_at from portal_confirmed where company = :company and contact_id = :contact`,
		db.Args{"contact": contactID}, &at)
}
