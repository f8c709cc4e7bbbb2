package discussion

import (
	"maps"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

const (
	fileColumns    = "id, file_name, hash, content_type, file_size, width, height"
	commentColumns = "id, author_id, author_name, body, said_at, withdrawn_at"
)

var (
	fileRow    = db.Map[File](fileColumns)
	commentRow = db.Map[Comment](commentColumns)
)

func (a About) args(more db.Args) db.Args {
	args := db.Args{"resource": a.Resource, "record": a.ID}
	maps.Copy(args, more)
	return args
}

// Comments are what was said about a record before a moment, the newest first, at most so many.
func Comments(tx *db.Tx, about About, before db.Time, limit int) (all []Comment, err error) {
	all, err = db.Rows(tx, `-- discussion.Comments
		select `+commentColumns+` from record_comment
		where company = :company and resource = :resource and record_id = :record and said_at < :before
		order by said_at desc, id desc limit :limit`,
		about.args(db.Args{"before": before, "limit": limit}), commentRow.Scan)
	if err != nil || len(all) == 0 {
		return all, err
	}
	at, ids := make(map[string]*Comment, len(all)), make([]string, len(all))
	for i := range all {
		at[all[i].ID], ids[i] = &all[i], all[i].ID
	}
	return all, tx.Each(`-- discussion.Comments files
		select `+fileColumns+`, comment_id from comment_asset
		where company = :company and comment_id in (:comments) order by comment_id, id`, db.Args{"comments": ids},
		func(r db.Row) error {
			var of string
			var f File
			err := r.Scan(append(fileRow.Of(&f), &of)...)
			at[of].Files = append(at[of].Files, f)
			return err
		})
}

func insert(tx *db.Tx, about About, c Comment) error {
	err := tx.Insert("record_comment", commentColumns+", resource, record_id", 1, func(int) []any {
		return append(commentRow.Of(&c), about.Resource, about.ID)
	})
	if err != nil {
		return err
	}
	return tx.Insert("comment_asset", fileColumns+", comment_id", len(c.Files), func(i int) []any {
		return append(fileRow.Of(&c.Files[i]), c.ID)
	})
}

// countNotes counts what machines have noted about a record.
func countNotes(tx *db.Tx, about About) (int, error) {
	return db.Value[int](tx, `-- discussion.countNotes
		select count(*) from record_comment
		where company = :company and resource = :resource and record_id = :record and author_id = ''`,
		about.args(nil))
}

// lock refuses with Comment.NotFound what is withdrawn as well.
func lock(tx *db.Tx, about About, id string) (c Comment, err error) {
	found, err := tx.One(`-- discussion.lock
		select id, author_id, author_name from record_comment
		where company = :company and id = :id and resource = :resource and record_id = :record
		and withdrawn_at is null for update`, about.args(db.Args{"id": id}), &c.ID, &c.AuthorID, &c.AuthorName)
	return c, ErrNotFound.When(!found, err, "the comment is not there any more")
}

// withdraw leaves that there was a comment. Its words go from what others were told as well.
func withdraw(tx *db.Tx, id string) error {
	_, err := tx.Exec(`-- discussion.withdraw
		update record_comment set body = '', withdrawn_at = :now where company = :company and id = :id`, db.Args{"id": id})
	if err != nil {
		return err
	}
	_, err = tx.Exec(`-- discussion.withdraw told
		update notification set excerpt = '' where company = :company and comment_id = :id and comment_id <> ''`,
		db.Args{"id": id})
	if err != nil {
		return err
	}
	return tx.Delete(db.Args{"comment_id": id}, "comment_asset")
}

// Forget drops what was said about a record that is deleted, with the files, who was responsible for it and what people
// were told of it: nobody could see it any more. Of most records nothing was said, and that is all that is asked.
// Subscribed to record.Removed.
func Forget(tx *db.Tx, e record.Removed) error {
	about := About{Resource: e.Resource, ID: e.ID}
	var one int
	found, err := tx.One(`-- discussion.Forget
		select 1 from responsibility where company = :company and resource = :resource and record_id = :record
		union all select 1 from record_comment where company = :company and resource = :resource and record_id = :record
		union all select 1 from notification where company = :company and resource = :resource and record_id = :record
		limit 1`, about.args(nil), &one)
	if err != nil || !found {
		return err
	}
	err = tx.Run(`-- discussion.Forget files
		delete from comment_asset where company = :company and comment_id in (
			select id from record_comment where company = :company and resource = :resource and record_id = :record)`,
		about.args(nil))
	if err != nil {
		return err
	}
	return tx.Delete(db.Args{"resource": about.Resource, "record_id": about.ID}, "notification", "record_comment",
		"responsibility")
}

// participants are the ids of whoever is responsible for a record or spoke of it.
func participants(tx *db.Tx, about About) (map[string]bool, error) {
	return db.Set[string](tx, `-- discussion.participants
		select user_id from responsibility where company = :company and resource = :resource and record_id = :record
		union select author_id from record_comment
		where company = :company and resource = :resource and record_id = :record`, about.args(nil))
}

// Responsible is who is responsible for a record; the zero value is nobody.
func Responsible(tx *db.Tx, about About) (p Person, err error) {
	_, err = tx.One(`-- discussion.Responsible
		select user_id, user_name, language from responsibility
		where company = :company and resource = :resource and record_id = :record`, about.args(nil), &p.ID, &p.Name,
		&p.Language)
	return p, err
}

func charge(tx *db.Tx, about About, p Person) error {
	return tx.Upsert(
		"responsibility",
		"resource, record_id, user_id, user_name, language, since_at",
		1,
		func(int) []any {
			return []any{about.Resource, about.ID, p.ID, p.Name, p.Language, tx.Now}
		},
		`on conflict (company, resource, record_id) do update set user_id = excluded.user_id, user_name = excluded.user_name,
		language = excluded.language, since_at = excluded.since_at`,
	)
}

func uncharge(tx *db.Tx, about About) error {
	return tx.Delete(db.Args{"resource": about.Resource, "record_id": about.ID}, "responsibility")
}
