package postgres

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5/pgtype"
)

// array is a column of rows as the driver encodes an array: the values stay as they are.
type array []any

// Dimensions is one, of the array's length.
func (a array) Dimensions() []pgtype.ArrayDimension {
	return []pgtype.ArrayDimension{{Length: int32(len(a)), LowerBound: 1}}
}

// Index is one value.
func (a array) Index(i int) any { return a[i] }

// IndexType is nil: each value says its type itself.
func (a array) IndexType() any { return nil }

// columns are the types of a table's columns.
func columns(ctx context.Context, c *sql.Conn, table string) (map[string]string, error) {
	rows, err := c.QueryContext(ctx, `select column_name, data_type from information_schema.columns
		where table_schema = current_schema() and table_name = $1`, table)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	types := map[string]string{}
	for rows.Next() {
		var name, kind string
		if err := rows.Scan(&name, &kind); err != nil {
			return nil, err
		}
		types[name] = kind
	}
	return types, rows.Err()
}
