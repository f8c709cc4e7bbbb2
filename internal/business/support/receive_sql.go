package support

import (
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// claim notes that a mail has come; false where it had come before.
func claim(tx *db.Tx, key string) (bool, error) {
	n, err := tx.Exec(`-- support.claim
		insert into ticket_mail (company, mail_key, taken_at) values (:company, :key, :now) on conflict (company, mail_key) do nothing`,
		db.Args{"key": key, "now": tx.Now})
	return n == 1, err
}

// mailsKept is how long a mail is recognised when it comes again.
const mailsKept = 90 * 24 * time.Hour

// Sweep forgets mails that nobody sends again, and sees to it that the mailboxes in use are read.
func Sweep(tx *db.Tx, _ string) (next string, err error) {
	next, err = tx.SweepOut("support.Sweep", "ticket_mail", "mail_key", "taken_at < :before",
		db.Args{"before": tx.Now.Add(-mailsKept)})
	if err == nil && next == "" {
		err = WakeInboxes(tx)
	}
	return next, err
}

func numberByReplyKey(tx *db.Tx, key string) (string, error) {
	return db.Value[string](tx, `-- support.numberByReplyKey
		select number from ticket where company = :company and reply_key = :key`, db.Args{"key": key})
}

// numberByMail is the ticket of the newest mail among those named; "" where none is known.
func numberByMail(tx *db.Tx, names []string) (string, error) {
	if len(names) == 0 {
		return "", nil
	}
	return db.Value[string](tx, `-- support.numberByMail
		select t.number from ticket_message m join ticket t on t.company = m.company and t.id = m.ticket_id
		where m.company = :company and m.mail_id <> '' and m.mail_id in (:names) order by m.created_at desc, t.id limit 1`,
		db.Args{"names": names})
}

// knownNumber is a ticket's number as it is kept; "" where there is no such ticket.
func knownNumber(tx *db.Tx, number string) (string, error) {
	return db.Value[string](tx, `-- support.knownNumber
		select number from ticket where company = :company and number_key = :key`, db.Args{"key": record.Fold(number)})
}

func countNotes(tx *db.Tx, ticketID string) (int, error) {
	return db.Value[int](tx, `-- support.countNotes
		select count(*) from ticket_message where company = :company and ticket_id = :ticket and author_type = 'System'`,
		db.Args{"ticket": ticketID})
}
