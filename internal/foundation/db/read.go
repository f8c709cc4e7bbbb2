package db

import "reflect"

// Rows are the rows of a result, each as scan reads it.
func Rows[T any](tx *Tx, query string, a Args, scan func(Row, *T) error) (list []T, err error) {
	err = tx.Append(&list, query, a, func(r Row, v any) error { return scan(r, v.(*T)) })
	return list, err
}

// Append is Rows of a type that is known as the program runs: it adds the rows to the list that list points to, and
// scan reads each into what it is given a pointer to.
func (tx *Tx) Append(list any, query string, a Args, scan func(Row, any) error) error {
	rows := reflect.ValueOf(list).Elem()
	return tx.Each(query, a, func(r Row) error { return scan(r, Grown(rows).Addr().Interface()) })
}

// Grown is the last value of a list that was given one more, which is empty.
func Grown(list reflect.Value) reflect.Value {
	n := list.Len()
	list.Grow(1)
	list.SetLen(n + 1)
	return list.Index(n)
}

// First is the first row of a result as scan reads it; false where there is none.
func First[T any](tx *Tx, query string, a Args, scan func(Row, *T) error) (v T, found bool, err error) {
	found, err = tx.First(query, a, func(r Row) error { return scan(r, &v) })
	return v, found, err
}

// First reads the first row of a result; false where there is none.
func (tx *Tx) First(query string, a Args, scan func(Row) error) (found bool, err error) {
	err = tx.Each(query, a, func(r Row) error {
		if found {
			return nil
		}
		found = true
		return scan(r)
	})
	return found, err
}

// Value is the first value of a result of one column; the zero value where there is none.
func Value[T any](tx *Tx, query string, a Args) (v T, err error) {
	_, err = tx.One(query, a, &v)
	return v, err
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

// Each2 does something with each row of a result of two columns.
func Each2[A, B any](tx *Tx, query string, a Args, do func(A, B) error) error {
	return tx.Each(query, a, func(r Row) error {
		var (
			first  A
			second B
		)
		if err := r.Scan(&first, &second); err != nil {
			return err
		}
		return do(first, second)
	})
}

// Each3 is Each2 of three columns.
func Each3[A, B, C any](tx *Tx, query string, a Args, do func(A, B, C) error) error {
	return tx.Each(query, a, func(r Row) error {
		var (
			first  A
			second B
			third  C
		)
		if err := r.Scan(&first, &second, &third); err != nil {
			return err
		}
		return do(first, second, third)
	})
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
