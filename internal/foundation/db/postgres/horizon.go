package postgres

import (
	"context"
	"database/sql"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"kontor/internal/foundation/db"
)

// askHorizon reads the moment after everything that is stamped, and the start of the oldest of the company's writers
// that is still open, 0 where nobody writes. The writers are looked at after the moment was read.
const askHorizon = "select at, oldest from kontor_horizon($1)"

// horizon is the clock, or the start of the oldest writer still open if that is earlier: what is stamped before it is
// committed or will never be.
func horizon(ctx context.Context, c *sql.Conn, company string) (at db.Time, err error) {
	err = direct(c, func(p *pgx.Conn) error {
		err := prepare(ctx, p, askHorizon)
		if err == nil {
			at, err = scanHorizon(p.QueryRow(ctx, askHorizon, company))
		}
		return err
	})
	return at, err
}

func scanHorizon(r db.Row) (db.Time, error) {
	var clock, oldest int64
	err := r.Scan(&clock, &oldest)
	if oldest > 0 {
		clock = min(clock, oldest)
	}
	return db.Time(clock - 1), err
}

// askEnded says which transactions have ended, and on which server: another's may bear the same numbers. Whoever
// commits anything takes an id first.
const askEnded = `select extract(epoch from pg_postmaster_start_time())::text, pg_snapshot_xmax(s)::text,
		array(select xip::text from pg_snapshot_xip(s) as xip)
	from (select pg_current_snapshot() as s) as now`

func ended(ctx context.Context, c *sql.Conn) (s db.Ended, err error) {
	err = direct(c, func(p *pgx.Conn) error {
		err := prepare(ctx, p, askEnded)
		if err == nil {
			s, err = scanEnded(p.QueryRow(ctx, askEnded))
		}
		return err
	})
	return s, err
}

func scanEnded(r db.Row) (s db.Ended, err error) {
	var most string
	var open []string
	if err := r.Scan(&s.Server, &most, &open); err != nil {
		return s, err
	}
	if s.Max, err = strconv.ParseUint(most, 10, 64); err != nil {
		return s, err
	}
	s.Open = make([]uint64, len(open))
	for i, id := range open {
		if s.Open[i], err = strconv.ParseUint(id, 10, 64); err != nil {
			return s, err
		}
	}
	slices.Sort(s.Open)
	return s, nil
}

// tail reads the horizon and then, in a snapshot that is newer, the rows of a query on a company's data, both in one
// round trip and one transaction of the server's, for which the first sets the company.
func tail(ctx context.Context, c *sql.Conn, company, query string, args []any, row func(db.Row) error) (at db.Time,
	err error) {
	err = direct(c, func(p *pgx.Conn) error {
		both, err := pipe(ctx, p, db.Waiting{Text: askHorizon, Args: []any{company}},
			db.Waiting{Text: query, Args: args})
		if err != nil {
			return err
		}
		defer both.answers.Close()
		if at, err = scanHorizon(both.answers.QueryRow()); err != nil {
			return err
		}
		rows, err := both.answers.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			if err := row(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return at, err
}

// direct runs fn on the driver's own connection.
func direct(c *sql.Conn, fn func(*pgx.Conn) error) error {
	return c.Raw(func(driver any) error { return fn(driver.(*stdlib.Conn).Conn()) })
}
