package vote

import "kontor/internal/foundation/db"

// Cast notes whether a thing helped a visitor; what the session said before is replaced.
func (b Box) Cast(tx *db.Tx, id, session string, isHelpful bool) error {
	return tx.Upsert(b.Table, b.Of+", session_id, is_helpful, voted_at", 1,
		func(int) []any { return []any{id, session, isHelpful, tx.Now} },
		`on conflict (company, `+b.Of+
			`, session_id) do update set is_helpful = excluded.is_helpful, voted_at = excluded.voted_at`)
}

// On are the votes on things, by id; one statement.
func (b Box) On(tx *db.Tx, ids []string) (map[string]Count, error) {
	if len(ids) == 0 {
		return map[string]Count{}, nil
	}
	return db.ByKey(tx, `-- vote.On
		select `+b.Of+`, coalesce(sum(is_helpful), 0), count(*) from `+b.Table+`
		where company = :company and `+b.Of+` in (:ids) group by `+b.Of, db.Args{"ids": ids},
		func(r db.Row, id *string, v *Count) error {
			var all int
			err := r.Scan(id, &v.Helpful, &all)
			v.NotHelpful = all - v.Helpful
			return err
		})
}
