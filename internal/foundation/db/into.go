package db

// Into is the work of a transaction that answers a value, which is put where v points.
func Into[T any](v *T, work func(tx *Tx) (T, error)) func(tx *Tx) error {
	return func(tx *Tx) (err error) {
		*v, err = work(tx)
		return err
	}
}
