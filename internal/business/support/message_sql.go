package support

import (
	"slices"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	messageColumns = "seq, id, body, is_internal, author_type, author_name, created_at, mail_id"
	fileColumns    = "id, file_name, hash, content_type, file_size, width, height"
)

var (
	messageRow = db.Map[Message](messageColumns)
	fileRow    = db.Map[Attachment](fileColumns)
)

// Messages reads all messages of a ticket, with the internal ones, the oldest first. Ticket.NotFound.
func Messages(tx *db.Tx, number string, p record.Page) (record.Found[Message], error) {
	t, err := Find(tx, number)
	if err != nil {
		return record.Found[Message]{}, err
	}
	return messagesOf(tx, t.ID, false, p)
}

// PublicMessages reads the messages of a ticket that customers may see, the oldest first.
func PublicMessages(tx *db.Tx, t *Ticket, p record.Page) (record.Found[Message], error) {
	return messagesOf(tx, t.ID, true, p)
}

func messagesOf(tx *db.Tx, ticketID string, public bool, p record.Page) (record.Found[Message], error) {
	q := record.Query{Name: "support.messagesOf", Select: messageColumns, From: "ticket_message", Stamp: "created_at",
		Key: []string{"seq"}, Resources: []string{Tickets.Name}}
	q.Where("ticket_id = :ticket", db.Args{"ticket": ticketID})
	if public {
		q.Where("is_internal = 0", nil)
	}
	found, err := record.ListOf(tx, q, p, messageRow.Scan)
	if err != nil || len(found.Items) == 0 {
		return found, err
	}
	return found, readFiles(tx, ticketID, found.Items)
}

func readFiles(tx *db.Tx, ticketID string, messages []Message) error {
	at, ids := make(map[string]int, len(messages)), make([]string, len(messages))
	for i := range messages {
		at[messages[i].ID], ids[i] = i, messages[i].ID
	}
	return tx.Each(`-- support.readFiles
		select `+fileColumns+`, message_id
		from ticket_asset where company = :company and ticket_id = :ticket and message_id in (:messages) order by message_id, id`,
		db.Args{"ticket": ticketID, "messages": ids}, func(r db.Row) error {
			var (
				id string
				a  Attachment
			)
			err := r.Scan(append(fileRow.Of(&a), &id)...)
			m := &messages[at[id]]
			m.Attachments = append(m.Attachments, a)
			return err
		})
}

// MailIDs are the names of the newest mails of a ticket before a message, the oldest first: what its mail goes on with.
func MailIDs(tx *db.Tx, ticketID string, before int) (ids []string, err error) {
	ids, err = db.Column[string](tx, `-- support.MailIDs
		select mail_id from ticket_message
		where company = :company and ticket_id = :ticket and seq < :before and mail_id <> '' and is_internal = 0
		order by seq desc limit 10`,
		db.Args{"ticket": ticketID, "before": before})
	slices.Reverse(ids)
	return ids, err
}

func insertMessage(tx *db.Tx, t *Ticket, m *Message) error {
	err := tx.Insert("ticket_message", messageColumns+", ticket_id", 1, func(int) []any {
		return append(messageRow.Of(m), t.ID)
	})
	if err != nil {
		return err
	}
	return tx.Insert("ticket_asset", fileColumns+", ticket_id, message_id", len(m.Attachments), func(i int) []any {
		return append(fileRow.Of(&m.Attachments[i]), t.ID, m.ID)
	})
}
