package mailing

import (
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// freeze makes subscribers the recipients of a mailing.
func freeze(tx *db.Tx, id string, subscribers []string) error {
	return tx.Insert("mailing_recipient", "mailing_id, subscriber_id, status", len(subscribers),
		func(i int) []any { return []any{id, subscribers[i], IsWaiting} })
}

// waiting are the next recipients of a mailing whose letters wait.
func waiting(tx *db.Tx, id string, most int) ([]Recipient, error) {
	return db.Rows(tx, `-- mailing.waiting
		select subscriber_id from mailing_recipient where company = :company and mailing_id = :id and status = 'Waiting'
		order by subscriber_id limit :most`, db.Args{"id": id, "most": most}, func(r db.Row, to *Recipient) error {
		to.MailingID = id
		return r.Scan(&to.SubscriberID)
	})
}

// mark writes what became of recipients.
func mark(tx *db.Tx, rows []Recipient) error {
	return tx.Upsert("mailing_recipient", recipientColumns, len(rows),
		func(i int) []any { return recipientRow.Of(&rows[i]) },
		db.Overwriting("mailing_id, subscriber_id", recipientColumns))
}

const recipientColumns = "mailing_id, subscriber_id, status, letter, reason, moved_at"

var recipientRow = db.Map[Recipient](recipientColumns)

// lockByLetter is the recipient whose letter has this name, with the mailing, locked; an empty one where there is none.
func lockByLetter(tx *db.Tx, letter string) (r Recipient, m Mailing, err error) {
	var id string
	found, err := tx.One(`-- mailing.lockByLetter mailing
		select mailing_id from mailing_recipient where company = :company and letter = :letter and letter <> ''`,
		db.Args{"letter": letter}, &id)
	if err != nil || !found {
		return r, m, err
	}
	if m, err = mailings.Lock(tx, id); err != nil {
		return r, m, err
	}
	_, err = tx.One(`-- mailing.lockByLetter
		select `+recipientColumns+` from mailing_recipient
		where company = :company and letter = :letter and letter <> '' for update`, db.Args{"letter": letter},
		recipientRow.Of(&r)...)
	return r, m, err
}

// RecipientFilter says which recipients a list shows.
type RecipientFilter struct {
	MailingID string
	Status    RecipientStatus
}

// Recipients reads who a mailing is for, and what became of their letters.
func Recipients(tx *db.Tx, f RecipientFilter, p record.Page) (record.Found[Recipient], error) {
	q := record.Query{Name: "mailing.Recipients",
		Select: recipientRow.Select("r") + ", coalesce(s.email, '')",
		From:   "mailing_recipient r left join newsletter_subscriber s on s.company = :company and s.id = r.subscriber_id",
		Key:    []string{"r.subscriber_id"}}
	q.Where("r.mailing_id = :mailing", db.Args{"mailing": strings.ToLower(f.MailingID)})
	q.Given("r.status = :status", f.Status)
	return record.ListOf(tx, q, p, func(row db.Row, r *Recipient) error {
		return row.Scan(append(recipientRow.Of(r), &r.Email)...)
	})
}

// readers are the subscribers of a channel who have confirmed, by their folded address; language narrows them.
func readers(tx *db.Tx, channelCode, language string, fn func(id, email string)) error {
	narrow, args := "", db.Args{"channel": record.Fold(channelCode)}
	if language != "" {
		narrow = " and (language = :language or language like :dialects)"
		args["language"], args["dialects"] = language, language+"-%"
	}
	return db.Each2(tx, `-- mailing.readers whole
		select id, email_key from newsletter_subscriber where company = :company and channel_key = :channel and status = 'Confirmed'`+
		narrow+` order by id`, args, func(id, email string) error {
		fn(id, email)
		return nil
	})
}

// Verify recomputes the counts of mailings from their recipients, and reports every difference.
func Verify(tx *db.Tx, report func(string)) error {
	return record.Report(tx, report, `-- mailing.Verify
		select m.subject, m.waiting, m.sent, m.skipped, m.bounced, coalesce(x.waiting, 0), coalesce(x.sent, 0),
			coalesce(x.skipped, 0), coalesce(x.bounced, 0)
		from mailing m left join (select mailing_id, sum(case when status = 'Waiting' then 1 else 0 end) as waiting,
				sum(case when status = 'Sent' then 1 else 0 end) as sent,
				sum(case when status = 'Skipped' then 1 else 0 end) as skipped,
				sum(case when status = 'Bounced' then 1 else 0 end) as bounced
			from mailing_recipient where company = :company group by mailing_id) x on x.mailing_id = m.id
		where m.company = :company and (m.waiting <> coalesce(x.waiting, 0) or m.sent <> coalesce(x.sent, 0)
			or m.skipped <> coalesce(x.skipped, 0) or m.bounced <> coalesce(x.bounced, 0))
		order by m.id`, nil,
		"mailing %q: %d letters wait, %d are sent, %d skipped and %d came back; the recipients say %d, %d, %d and %d",
		new(string), new(int), new(int), new(int), new(int), new(int), new(int), new(int), new(int))
}

// boughtItems are the ids of the items that a segment asks for: one and its variants, and those of categories; both
// where it asks for both.
func boughtItems(tx *db.Tx, number string, categories []string) (ids []string, err error) {
	ids = []string{}
	narrow, args := "", db.Args{}
	if number != "" {
		narrow += " and (number_key = :key or variant_of = :number)"
		args["number"], args["key"] = number, record.Fold(number)
	}
	if categories != nil {
		narrow += " and category_code in (:categories)"
		args["categories"] = categories
	}
	err = tx.Each(`-- mailing.boughtItems whole
		select id from item where company = :company`+narrow, args, func(r db.Row) error {
		var id string
		err := r.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, err
}

// askInvitation notes that the buyer of an order will be invited; first, unless they were before.
func askInvitation(tx *db.Tx, orderID string) (first bool, err error) {
	n, err := tx.InsertNew("review_invitation", "order_id, asked_at", 1,
		func(int) []any { return []any{orderID, tx.Now} }, "on conflict (company, order_id) do nothing")
	return n > 0, err
}
