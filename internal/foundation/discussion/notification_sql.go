package discussion

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const notificationColumns = "id, user_id, comment_id, reason, by_name, path, permission, title, excerpt, told_at, read_at"

var notificationRow = db.Map[Notification](notificationColumns)

func insertNotification(tx *db.Tx, about About, n Notification) error {
	return tx.Insert("notification", notificationColumns+", resource, record_id", 1, func(int) []any {
		return append(notificationRow.Of(&n), about.Resource, about.ID)
	})
}

// Notifications are what the person of this transaction was told, the newest first; only what they have not read yet if
// unread says so.
func Notifications(tx *db.Tx, unread bool, p record.Page) (record.Found[Notification], error) {
	q := record.Query{Name: "discussion.Notifications", Select: notificationColumns, From: "notification",
		Key: []string{"told_at desc", "id desc"}}
	q.Standing("user_id = :user", db.Args{"user": tx.Actor.ID})
	if unread {
		q.Where("read_at is null", nil)
	}
	return record.ListOf(tx, q, p, notificationRow.Scan)
}

// Find is a notification by its id.
func Find(tx *db.Tx, id string) (n Notification, found bool, err error) {
	found, err = tx.One(`-- discussion.Find
		select `+notificationColumns+` from notification where company = :company and id = :id`, db.Args{"id": id},
		notificationRow.Of(&n)...)
	return n, found, err
}

// MostUnread is up to where unread notifications are counted.
const MostUnread = 100

// Unread counts what the person of this transaction has not read yet, up to MostUnread.
func Unread(tx *db.Tx) (int, error) {
	return db.Value[int](tx, `-- discussion.Unread
		select count(*) from (select 1 from notification
			where company = :company and user_id = :user and read_at is null limit :most) n`,
		db.Args{"user": tx.Actor.ID, "most": MostUnread})
}

// IsUnread reports whether there is something that the person of this transaction has not read about a record.
func IsUnread(tx *db.Tx, about About) (bool, error) {
	var one int
	return tx.One(`-- discussion.IsUnread
		select 1 from notification where company = :company and user_id = :user and read_at is null
			and resource = :resource and record_id = :record limit 1`, about.args(db.Args{"user": tx.Actor.ID}), &one)
}

// ReadAbout notes that the person of this transaction has seen a record, and so what they were told of it.
func ReadAbout(tx *db.Tx, about About) error {
	return tx.Run(`-- discussion.ReadAbout
		update notification set read_at = :now where company = :company and user_id = :user and read_at is null
			and resource = :resource and record_id = :record`, about.args(db.Args{"user": tx.Actor.ID}))
}

// ReadAll notes that the person of this transaction has read everything.
func ReadAll(tx *db.Tx) error {
	return tx.Run(`-- discussion.ReadAll
		update notification set read_at = :now where company = :company and user_id = :user and read_at is null`,
		db.Args{"user": tx.Actor.ID})
}
