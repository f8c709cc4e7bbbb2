package db

// Rows are the rows of a result, each as scan reads it.
func Rows[T any](tx *Tx, query string, a Args, scan func(Row, *T) error) (list []T, err error) {
	err = tx.Each(query, a, func(r Row) error {
		list = append(list, *new(T))
		return scan(r, &list[len(list)-1])
	})
	return list, err
}

// Column are the values of a result of one column.
func Column[T any](tx *Tx, query string, a Args) ([]T, error) {
	return Rows(tx, query, a, func(r Row, v *T) error { return r.Scan(v) })
}
