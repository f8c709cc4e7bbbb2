package channel

import (
	"kontor/internal/db"
	"kontor/internal/record"
)

const redirectColumns = record.RootColumns + ", channel_code, from_path, to_path, status_code, is_active, hit_count, last_hit_at"

// lockRedirects reads for update the redirects that begin or end at an address of the moves.
func lockRedirects(tx *db.Tx, moves []Moved) (rows []*rowOf, err error) {
	var channels, paths []string
	for _, m := range moves {
		channels = append(channels, m.ChannelCode)
		paths = append(paths, normalPath(m.To))
		if m.From != "" {
			paths = append(paths, normalPath(m.From))
		}
	}
	err = tx.Each(`-- channel.lockRedirects
		select `+redirectColumns+` from redirect
		where company = :company and channel_key in (:channels) and (from_path in (:paths) or to_path_key in (:paths))
		order by id for update`,
		db.Args{"channels": record.FoldAll(channels), "paths": record.FoldAll(paths)}, func(r db.Row) error {
			var d Redirect
			if err := r.Scan(append(d.Root.Scan(), &d.ChannelCode, &d.FromPath, &d.ToPath, &d.StatusCode, &d.IsActive, &d.HitCount, &d.LastHitAt)...); err != nil {
				return err
			}
			rows = append(rows, &rowOf{Redirect: d, before: d})
			return nil
		})
	return rows, err
}

// writeRedirects stores redirects, new and changed ones alike.
func writeRedirects(tx *db.Tx, rows []*Redirect) error {
	return tx.Upsert("redirect", redirectColumns+", channel_key, to_path_key", len(rows), func(i int) []any {
		d := rows[i]
		return append(d.Root.Values(), d.ChannelCode, d.FromPath, d.ToPath, d.StatusCode, d.IsActive, d.HitCount, d.LastHitAt,
			record.Fold(d.ChannelCode), normalPath(d.ToPath))
	}, `on conflict (company, id) do update set to_path = excluded.to_path, to_path_key = excluded.to_path_key,
		status_code = excluded.status_code, is_active = excluded.is_active`)
}

func deleteRedirects(tx *db.Tx, ids []string) error {
	_, err := tx.Exec(`-- channel.deleteRedirects
		delete from redirect where company = :company and id in (:ids)`, db.Args{"ids": ids})
	return err
}
