package postgres

import (
	"context"
	"database/sql"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"kontor/internal/foundation/db"
)

// askHorizon reads the moment after everything that is stamped, and the start of the oldest of the company's writers
// that is still open, 0 where nobody writes. The writers are looked at after the moment was read, and so is the clock.
const askHorizon = "select at, oldest, kontor_clock() from kontor_horizon($1)"

// askOpen takes an id, which comes after that of whoever has begun to write before, and says what the oldest is that
// has not ended. (pg_snapshot_xmax would not do: it comes after what has ended, not after what has begun.)
const askOpen = "select pg_current_xact_id()::text::bigint, pg_snapshot_xmin(pg_current_snapshot())::text::bigint"

// horizon is the clock, or the start of the oldest writer still open if that is earlier: what is stamped before it is
// committed or will never be.
func horizon(ctx context.Context, c *sql.Conn, company string) (h db.Horizon, err error) {
	err = direct(c, func(p *pgx.Conn) error {
		err := prepare(ctx, p, askHorizon)
		if err == nil {
			h, err = scanHorizon(p.QueryRow(ctx, askHorizon, company))
		}
		if err == nil && h.Next > h.At+1 {
			err = p.QueryRow(ctx, askOpen).Scan(&h.ID, &h.Oldest)
		}
		return err
	})
	return h, err
}

func scanHorizon(r db.Row) (h db.Horizon, err error) {
	var next, oldest, clock int64
	err = r.Scan(&next, &oldest, &clock)
	if next > clock+1_000_000 {
		h.Next = db.Time(next)
	}
	h.Asked = db.Time(next - 1)
	if h.At = h.Asked; oldest > 0 {
		h.At, h.Writing = min(h.At, db.Time(oldest-1)), time.Duration(clock-oldest)*time.Microsecond
	}
	return h, err
}

// askEnded says which transactions have ended, and on which server: another's may bear the same numbers. Whoever
// commits anything takes an id first.
const (
	askEnded        = "select " + snapshotColumns + " from " + fromSnapshot
	snapshotColumns = `extract(epoch from pg_postmaster_start_time())::text, pg_snapshot_xmax(s)::text,
		array(select xip::text from pg_snapshot_xip(s) as xip)`
	fromSnapshot = "(select pg_current_snapshot() as s) as now"
)

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

func scanEnded(r db.Row) (db.Ended, error) {
	var s snapshot
	if err := r.Scan(s.into()...); err != nil {
		return db.Ended{}, err
	}
	return s.ended()
}

// snapshot is what snapshotColumns tell.
type snapshot struct {
	server, most string
	open         []string
}

func (s *snapshot) into() []any { return []any{&s.server, &s.most, &s.open} }

func (s *snapshot) ended() (e db.Ended, err error) {
	e = db.Ended{Server: s.server, Open: make([]uint64, len(s.open))}
	if e.Max, err = strconv.ParseUint(s.most, 10, 64); err != nil {
		return e, err
	}
	for i, id := range s.open {
		if e.Open[i], err = strconv.ParseUint(id, 10, 64); err != nil {
			return e, err
		}
	}
	slices.Sort(e.Open)
	return e, nil
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
		seen, err := scanHorizon(both.answers.QueryRow())
		if err != nil {
			return err
		}
		at = seen.At
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
