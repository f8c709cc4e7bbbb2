package record

import "kontor/internal/foundation/db"

// rooted is a pointer to what embeds a Root.
type rooted[T any] interface {
	*T
	root() *Root
}

func (r *Root) root() *Root { return r }

// ReadParts reads the rows of a table that belong to records, such as the lines of documents, into the list that of
// points to: the column owner names the record, and the column place says in which order they stand in it.
func ReadParts[T, P any, R rooted[T]](tx *db.Tx, records []T, table, owner, place string, row db.Mapping[P],
	of func(*T) *[]P) error {
	if len(records) == 0 {
		return nil
	}
	at, ids := make(map[string]int, len(records)), make([]string, len(records))
	for i := range records {
		ids[i] = R(&records[i]).root().ID
		at[ids[i]] = i
	}
	query := "-- record.ReadParts " + table + "\nselect " + row.Select(table) + ", " + owner + " from " + table +
		" where company = :company and " + owner + " in (:ids) order by " + owner + ", " + place
	return tx.Each(query, db.Args{"ids": ids}, func(r db.Row) error {
		var id string
		var p P
		err := r.Scan(append(row.Of(&p), &id)...)
		parts := of(&records[at[id]])
		*parts = append(*parts, p)
		return err
	})
}
