package db

// Rows are the rows of a result, each as scan reads it.
func Rows[T any](tx *Tx, query string, a Args, scan func(Row, *T) error) (list []T, err error) {
	err = tx.Each(query, a, func(r Row) error {
		list = append(list, *new(T))
		return scan(r, &list[len(list)-1])
	})
	return list, err
}

// First is the first row of a result as scan reads it; false where there is none.
func First[T any](tx *Tx, query string, a Args, scan func(Row, *T) error) (v T, found bool, err error) {
	err = tx.Each(query, a, func(r Row) error {
		if found {
			return nil
		}
		found = true
		return scan(r, &v)
	})
	return v, found, err
}

// Column are the values of a result of one column.
func Column[T any](tx *Tx, query string, a Args) ([]T, error) {
	return Rows(tx, query, a, func(r Row, v *T) error { return r.Scan(v) })
}

// Set are the values of a result of one column, as a set.
func Set[K comparable](tx *Tx, query string, a Args) (map[K]bool, error) {
	return ByKey(tx, query, a, func(r Row, k *K, in *bool) error {
		*in = true
		return r.Scan(k)
	})
}

// Pairs are the values of a result's second column by those of its first.
func Pairs[K comparable, T any](tx *Tx, query string, a Args) (map[K]T, error) {
	return ByKey(tx, query, a, func(r Row, k *K, v *T) error { return r.Scan(k, v) })
}

// ByKey are the rows of a result by a key, both as scan reads them; the last row of a key is the one that stays.
func ByKey[K comparable, T any](tx *Tx, query string, a Args, scan func(Row, *K, *T) error) (map[K]T, error) {
	rows := map[K]T{}
	return rows, eachKeyed(tx, query, a, scan, func(k K, v T) { rows[k] = v })
}

// Grouped are the rows of a result by a key, both as scan reads them, those of a key in their order.
func Grouped[K comparable, T any](tx *Tx, query string, a Args, scan func(Row, *K, *T) error) (map[K][]T, error) {
	rows := map[K][]T{}
	return rows, eachKeyed(tx, query, a, scan, func(k K, v T) { rows[k] = append(rows[k], v) })
}

// Sums are the values of a result added up by a key, both as scan reads them.
func Sums[K comparable, T interface{ Add(T) T }](tx *Tx, query string, a Args, scan func(Row, *K, *T) error) (map[K]T,
	error) {
	sums := map[K]T{}
	return sums, eachKeyed(tx, query, a, scan, func(k K, v T) { sums[k] = sums[k].Add(v) })
}

func eachKeyed[K comparable, T any](tx *Tx, query string, a Args, scan func(Row, *K, *T) error, take func(K, T)) error {
	return tx.Each(query, a, func(r Row) error {
		var (
			k K
			v T
		)
		if err := scan(r, &k, &v); err != nil {
			return err
		}
		take(k, v)
		return nil
	})
}
