package support

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	inboxFields  = "address, host, port, security, user_name, folder, done_folder, queue, is_used"
	inboxColumns = record.RootColumns + ", code, " + inboxFields + ", password"
)

var inboxRow = db.Map[Inbox](record.RootColumns + ", code, " + inboxFields)

// passwordColumn is kept sealed.
const passwordColumn = "password"

// scanInbox reads a mailbox. One whose password cannot be opened has none.
func scanInbox(tx *db.Tx, r db.Row, in *Inbox) error {
	var sealed string
	if err := r.Scan(append(inboxRow.Of(in), &sealed)...); err != nil {
		return err
	}
	if open, wrong := tx.Unseal("ticket_inbox", passwordColumn, in.ID, sealed); wrong == nil {
		in.Password = open
	}
	return nil
}

func inboxByCode(tx *db.Tx, code, lock string) (in Inbox, found bool, err error) {
	err = tx.Each(`-- support.inboxByCode
		select `+inboxColumns+` from ticket_inbox where company = :company and code_key = :key`+lock,
		db.Args{"key": record.Fold(code)}, func(r db.Row) error {
			found = true
			return scanInbox(tx, r, &in)
		})
	return in, found, err
}

func findInbox(tx *db.Tx, code string) (Inbox, bool, error) { return inboxByCode(tx, code, "") }

// lockInbox is findInbox for a change.
func lockInbox(tx *db.Tx, code string) (Inbox, bool, error) {
	return inboxByCode(tx, code, " for update")
}

func inboxByID(tx *db.Tx, id string) (in Inbox, found bool, err error) {
	err = tx.Each(`-- support.inboxByID
		select `+inboxColumns+` from ticket_inbox where company = :company and id = :id`,
		db.Args{"id": id}, func(r db.Row) error {
			found = true
			return scanInbox(tx, r, &in)
		})
	return in, found, err
}

// usedInboxes are the mailboxes in use, by their code. A company has a few.
func usedInboxes(tx *db.Tx) (all []Inbox, err error) {
	return db.Rows(tx, `-- support.usedInboxes whole
		select `+inboxColumns+
		` from ticket_inbox where company = :company and is_used = 1 order by code_key`, nil,
		func(r db.Row, in *Inbox) error {
			return scanInbox(tx, r, in)
		})
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
	q := record.Query{Name: "support.ListInboxes", Select: inboxColumns,
		From: "ticket_inbox i", Stamp: "i.changed_at", Key: []string{"i.code_key"},
		Resources: []string{Inboxes.Name}}
	return record.ListOf(tx, q, p, func(r db.Row, in *Inbox) error { return scanInbox(tx, r, in) })
}

func writeInbox(tx *db.Tx, in *Inbox) error {
	sealed, err := tx.Seal("ticket_inbox", passwordColumn, in.ID, in.Password)
	if err != nil {
		return err
	}
	return tx.Upsert("ticket_inbox", inboxColumns+", code_key", 1, func(int) []any {
		return append(inboxRow.Of(in), sealed, record.Fold(in.Code))
	}, db.Overwriting("id", inboxFields+", password"))
}

func removeInbox(tx *db.Tx, id string) error {
	if err := tx.Delete(db.Args{"id": id}, "ticket_inbox"); err != nil {
		return err
	}
	return tx.Delete(db.Args{"inbox_id": id}, "ticket_inbox_reading")
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

// lockReading is how far a mailbox was read, for a change.
func lockReading(tx *db.Tx, id string) (Reading, bool, error) {
	return findReading(tx, id, " for update")
}

func writeReading(tx *db.Tx, id string, r Reading) error {
	return tx.Run(`-- support.writeReading
		update ticket_inbox_reading set `+readingRow.Set()+` where company = :company and inbox_id = :id`,
		readingRow.Args(&r, db.Args{"id": id}))
}
