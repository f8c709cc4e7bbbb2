package assistant

import (
	"slices"

	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// mostShown is how many messages of a conversation are read.
const mostShown = 50

const messageColumns = "id, asked_at, question, topic, answer, is_known"

var messageRow = db.Map[Message](messageColumns)

// Keep keeps a question with its answer.
func Keep(tx *db.Tx, m Message) error {
	return tx.Insert("assistant_message", messageColumns+", session_id", 1, func(int) []any {
		return append(messageRow.Of(&m), m.SessionID)
	})
}

// Conversation is what a session asked last and was answered, the earliest first.
func Conversation(tx *db.Tx, sessionID string) (all []Message, err error) {
	err = tx.Each(`-- assistant.Conversation
		select `+messageColumns+`, coalesce(is_helpful, -1) from assistant_message
		where company = :company and session_id = :session order by asked_at desc, id desc limit :most`,
		db.Args{"session": sessionID, "most": mostShown}, func(r db.Row) error {
			m := Message{SessionID: sessionID}
			var helpful int
			if err := r.Scan(append(messageRow.Of(&m), &helpful)...); err != nil {
				return err
			}
			if helpful >= 0 {
				said := helpful == 1
				m.IsHelpful = &said
			}
			all = append(all, m)
			return nil
		})
	slices.Reverse(all)
	return all, err
}

// Unanswered are the questions that the stores' texts did not answer, or not well, the latest first. Who asked is not
// told.
func Unanswered(tx *db.Tx, search string, p record.Page) (record.Found[Message], error) {
	q := record.Query{Name: "assistant.Unanswered", Select: messageColumns,
		From: "assistant_message", Key: []string{"asked_at desc", "id desc"}}
	q.Where("(is_known = 0 or is_helpful = 0)", nil)
	q.Search("lower(question)", search)
	return record.ListOf(tx, q, p, messageRow.Scan)
}

// Rate keeps whether an answer helped who asked. AssistantMessage.NotFound, also for another session's.
func Rate(tx *db.Tx, id string, isHelpful bool) error {
	n, err := tx.Exec(`-- assistant.Rate
		update assistant_message set is_helpful = :helpful where company = :company and id = :id and session_id = :session`,
		db.Args{"id": id, "helpful": isHelpful, "session": storefront.Of(tx).Session.ID})
	if err == nil && n == 0 {
		err = ErrNotFound.Because("there is no answer %q to this visitor", id)
	}
	return err
}

// kept is how long conversations are kept, in microseconds.
const kept = 30 * 24 * 3600 * 1_000_000

// Sweep deletes conversations that are too old.
func Sweep(tx *db.Tx, _ string) (next string, err error) {
	return tx.SweepOut("assistant.Sweep", "assistant_message", "id", "asked_at < :before",
		db.Args{"before": tx.Now - kept})
}
