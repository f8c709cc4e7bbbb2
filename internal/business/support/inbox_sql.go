package support

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// passwordColumn is kept sealed.
const passwordColumn = "password"

// inboxes are the mailboxes that are read. One whose password cannot be opened has none.
var inboxes = record.TableOf(Inboxes, record.Layout[Inbox]{
	Fixed:    "code",
	Changing: "address, host, port, security, user_name, folder, done_folder, queue, is_used",
	Key:      "code_key",
	KeyOf:    func(in *Inbox) string { return in.Code },
	Sealed: &record.Sealed[Inbox]{Column: passwordColumn, Named: "password",
		Of:   func(in *Inbox) string { return in.Password },
		Open: func(in *Inbox, password string, _ bool) { in.Password = password }},
	Owned:   []string{"ticket_inbox_reading.inbox_id"},
	Missing: func(code string) error { return ErrInboxNotFound.Because("no mailbox has the code %q", code) },
	Taken: func(in *Inbox) error {
		var l fault.List
		l.Add(ErrInboxInvalid, "code", "there is a mailbox with the code %q already", in.Code)
		return l.Err()
	},
})

// usedInboxes are the mailboxes in use, by their code. A company has a few.
func usedInboxes(tx *db.Tx) (all []Inbox, err error) {
	return inboxes.Where(tx, "support.usedInboxes whole", "is_used = 1 order by code_key", nil)
}

// isOwnAddress reports whether mails of an address come from a mailbox of ours.
func isOwnAddress(tx *db.Tx, address string) (own bool, err error) {
	all, err := usedInboxes(tx)
	for _, in := range all {
		own = own || record.Fold(in.Address) == record.Fold(address)
	}
	return own, err
}

// ListInboxes reads mailboxes, by their code.
func ListInboxes(tx *db.Tx, p record.Page) (record.Found[Inbox], error) {
	return inboxes.List(tx, inboxes.Query("support.ListInboxes"), p)
}

// unuseInboxes stops the reading of the mailboxes of a company that was copied.
func unuseInboxes(tx *db.Tx) error {
	return tx.Run(`-- support.unuseInboxes whole
		update ticket_inbox set is_used = 0 where company = :company and password <> ''`, nil)
}

const readingColumns = `uid_validity, unread_to, last_uid, unmarked, asked_at, taken_at, failing_at, fails, reason, taken,
	left_lying, left_reason`

var readingRow = db.Map[Reading](readingColumns)

// startReading makes a mailbox one of which nothing has been read.
func startReading(tx *db.Tx, id string) error {
	return tx.Upsert("ticket_inbox_reading", "inbox_id", 1, func(int) []any { return []any{id} },
		`on conflict (company, inbox_id) do update set uid_validity = 0, unread_to = 0, last_uid = 0, unmarked = 0,
			failing_at = null, fails = 0, reason = '', left_lying = 0, left_reason = ''`)
}

func findReading(tx *db.Tx, id, lock string) (r Reading, found bool, err error) {
	found, err = tx.One(`-- support.findReading
		select `+readingColumns+` from ticket_inbox_reading where company = :company and inbox_id = :id`+lock,
		db.Args{"id": id}, readingRow.Of(&r)...)
	return r, found, err
}

func writeReading(tx *db.Tx, id string, r Reading) error {
	return tx.Run(`-- support.writeReading
		update ticket_inbox_reading set `+readingRow.Set()+` where company = :company and inbox_id = :id`,
		readingRow.Args(&r, db.Args{"id": id}))
}
