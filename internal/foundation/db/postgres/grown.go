package postgres

import (
	"context"
	"database/sql"

	"github.com/jackc/pgx/v5"
)

// smallTable is how many blocks a table has that is read as fast whole, and fewRows what lies in them: it is not looked
// at before it has twice as many.
const (
	smallTable = "4"
	fewRows    = "100"
)

// grown are the tables, as their names are quoted, that are twice as large as when they were last looked at, or of
// which twice as many rows are known: who looks while a transaction fills a table finds its blocks, and no rows. Only
// who owns a table may have it looked at.
func grown(ctx context.Context, c *sql.Conn) (tables []string, err error) {
	err = direct(c, func(p *pgx.Conn) error {
		rows, err := p.Query(ctx, `select oid::regclass::text from pg_class
			where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
			and (pg_relation_size(oid) > 2 * greatest(relpages, `+smallTable+`) * current_setting('block_size')::bigint
			or relpages > `+smallTable+` and pg_stat_get_live_tuples(oid) > 2 * greatest(reltuples, `+fewRows+`))`)
		if err == nil {
			tables, err = pgx.CollectRows(rows, pgx.RowTo[string])
		}
		return err
	})
	return tables, err
}

// analyze looks at a table, each in a transaction of its own: no writer waits for a look at many. One that another
// process looks at is left to that.
func analyze(ctx context.Context, c *sql.Conn, table string, begins func(id uint64) (ends func(known bool))) error {
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var id int64
	if err := tx.QueryRowContext(ctx, "select pg_current_xact_id()::text::bigint").Scan(&id); err != nil {
		return err
	}
	ends := begins(uint64(id))
	if _, err = tx.ExecContext(ctx, "analyze (skip_locked) "+table); err == nil {
		err = tx.Commit()
	}
	ends(err == nil)
	return err
}
