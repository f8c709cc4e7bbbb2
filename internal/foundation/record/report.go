package record

import (
	"fmt"
	"reflect"

	"kontor/internal/foundation/db"
)

// Report says each row of a statement that finds what should not be, in the words of format. columns are pointers to
// values of the types of the row's columns, which format names in their order.
func Report(tx *db.Tx, report func(string), query string, a db.Args, format string, columns ...any) error {
	return tx.Each(query, a, func(r db.Row) error {
		if err := r.Scan(columns...); err != nil {
			return err
		}
		values := make([]any, len(columns))
		for i, c := range columns {
			values[i] = reflect.ValueOf(c).Elem().Interface()
		}
		report(fmt.Sprintf(format, values...))
		return nil
	})
}
