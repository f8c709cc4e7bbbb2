package identity

import "kontor/internal/foundation/db"

const ticketColumns = "id, purpose, user_id, company_id, email, name, role, detail, attempts, created_at, expires_at"

const ticketFrom = `user_ticket t left join company c on c.id = t.company_id left
	join app_user u on u.email_key = t.email_key and t.email_key <> ''`

var (
	ticketRow    = db.Map[ticket](ticketColumns)
	ticketSelect = ticketRow.Select("t") +
		`, coalesce(c.name, ''), coalesce(c.code, ''), coalesce(c.status, ''), case when u.id is null then 0 else 1 end`
)

func (t *ticket) scan() []any {
	return append(ticketRow.Of(t), &t.companyName, &t.companyCode, &t.status, &t.known)
}

func insertTicket(tx *db.Tx, t ticket, hash []byte) error {
	return tx.Insert("user_ticket", ticketColumns+", hash, email_key", 1, func(int) []any {
		return append(ticketRow.Of(&t), hash, emailKey(t.Email))
	})
}

func ticketOf(tx *db.Tx, hash []byte) (t ticket, found bool, err error) {
	found, err = tx.One(`-- identity.ticketOf
select `+ticketSelect+` from `+ticketFrom+` where t.hash = :hash`, db.Args{"hash": hash}, t.scan()...)
	return t, found, err
}

// useTicket reports whether the ticket was still there.
func useTicket(tx *db.Tx, id string) (bool, error) {
	n, err := tx.Exec(`-- identity.useTicket
delete from user_ticket where id = :id`, db.Args{"id": id})
	return n == 1, err
}

// tryTicket counts a try with a ticket and answers how many there were.
func tryTicket(tx *db.Tx, id string) (int64, error) {
	return db.Value[int64](tx, `-- identity.tryTicket
update user_ticket set attempts = attempts + 1 where id = :id returning attempts`, db.Args{"id": id})
}

// dropTickets takes back all tickets of a purpose that a user holds.
func dropTickets(tx *db.Tx, p purpose, userID string) error {
	return tx.Delete(db.Args{"user_id": userID, "purpose": p}, "user_ticket")
}

// countTickets is how many tickets of a purpose a user holds, and when the newest was made.
func countTickets(tx *db.Tx, p purpose, userID string) (n int64, newest db.Time, err error) {
	_, err = tx.One(`-- identity.countTickets
select count(*), max(created_at) from user_ticket where user_id = :user and purpose = :purpose and expires_at > :now`,
		db.Args{"user": userID, "purpose": p}, &n, &newest)
	return n, newest, err
}

// invitationsOf are the open invitations to a company, the newest first.
func invitationsOf(tx *db.Tx, companyID string) ([]ticket, error) {
	return db.Rows(tx, `-- identity.invitationsOf
select `+ticketSelect+` from `+ticketFrom+`
where t.company_id = :company_id and t.purpose = 'invitation' and t.expires_at > :now order by t.created_at desc, t.id`,
		db.Args{"company_id": companyID}, func(r db.Row, t *ticket) error { return r.Scan(t.scan()...) })
}

// dropInvitations takes back what an address was invited with to a company.
func dropInvitations(tx *db.Tx, companyID, email string) error {
	return tx.Run(`-- identity.dropInvitations
delete from user_ticket where company_id = :company_id and purpose = 'invitation' and email_key = :key`,
		db.Args{"company_id": companyID, "key": emailKey(email)})
}
