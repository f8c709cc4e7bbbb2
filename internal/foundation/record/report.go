package record

import (
	"fmt"
	"reflect"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// Verify is several checks, one after another.
func Verify(tx *db.Tx, report func(string), checks ...func(*db.Tx, func(string)) error) error {
	return each.Do(checks, func(check func(*db.Tx, func(string)) error) error { return check(tx, report) })
}

// Report says each row of a statement that finds what should not be, in the words of format. columns are pointers to
// values of the types of the row's columns, which format names in their order.
func Report(tx *db.Tx, report func(string), query string, a db.Args, format string, columns ...any) error {
	return tx.Each(query, a, func(r db.Row) error {
		if err := r.Scan(columns...); err != nil {
			return err
		}
		values := each.Of(columns, func(c any) any { return reflect.ValueOf(c).Elem().Interface() })
		report(fmt.Sprintf(format, values...))
		return nil
	})
}
