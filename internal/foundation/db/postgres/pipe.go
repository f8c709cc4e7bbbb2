package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"kontor/internal/foundation/db"
)

// piped are statements that were sent one behind the other before any was answered. After one that fails the server
// does none of the others.
type piped struct {
	statements []db.Waiting
	answers    pgx.BatchResults
}

// preparedKey is where a connection notes the texts that are prepared on it.
const preparedKey = "kontor.prepared"

// pipe sends statements, each prepared once under its text: without, the server would plan it each time. A pooler would
// lose what is prepared.
func pipe(ctx context.Context, p *pgx.Conn, statements ...db.Waiting) (piped, error) {
	var b pgx.Batch
	for _, s := range statements {
		if err := prepare(ctx, p, s.Text); err != nil {
			return piped{}, named(s.Text, err)
		}
		b.Queue(s.Text, s.Args...)
	}
	return piped{statements, p.SendBatch(ctx, &b)}, nil
}

func prepare(ctx context.Context, p *pgx.Conn, text string) error {
	if isPooled(p) {
		return nil
	}
	known, _ := p.PgConn().CustomData()[preparedKey].(map[string]struct{})
	if _, is := known[text]; is {
		return nil
	}
	if len(known) >= db.MaxStatements {
		if err := p.DeallocateAll(ctx); err != nil {
			return err
		}
		known = nil
	}
	if known == nil {
		known = map[string]struct{}{}
		p.PgConn().CustomData()[preparedKey] = known
	}
	_, err := p.Prepare(ctx, text, text)
	if err == nil {
		known[text] = struct{}{}
	}
	return err
}

// skip reads the answers of the first statements, for which nobody waits: that a row is taken is said of another.
func (p piped) skip(n int) error {
	for _, s := range p.statements[:n] {
		if _, err := p.answers.Exec(); err != nil {
			if classify(err) == db.NotUnique {
				err = errors.New(err.Error())
			}
			return named(s.Text, err)
		}
	}
	return nil
}

// end frees the connection. Where a statement has failed the driver says so once more, of none by name.
func (p piped) end(err error) error {
	if closing := p.answers.Close(); err == nil {
		return closing
	}
	return err
}

// named puts a statement's name before an error.
func named(text string, err error) error {
	name, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("%s: %w", strings.TrimPrefix(name, "-- "), err)
}

// answered is what the server says of a statement behind those that waited; nil = there is none.
func answered(ctx context.Context, c *sql.Conn, waiting []db.Waiting, next *db.Waiting) (tag pgconn.CommandTag,
	err error) {
	if next != nil {
		waiting = append(waiting, *next)
	}
	err = direct(c, func(p *pgx.Conn) error {
		all, err := pipe(ctx, p, waiting...)
		if err != nil {
			return err
		}
		if next == nil {
			return all.end(all.skip(len(waiting)))
		}
		if err = all.skip(len(waiting) - 1); err == nil {
			tag, err = all.answers.Exec()
		}
		return all.end(err)
	})
	return tag, err
}

func send(ctx context.Context, c *sql.Conn, waiting []db.Waiting, next *db.Waiting) (int64, error) {
	tag, err := answered(ctx, c, waiting, next)
	return tag.RowsAffected(), err
}

func commit(ctx context.Context, c *sql.Conn, waiting []db.Waiting) error {
	tag, err := answered(ctx, c, waiting, &db.Waiting{Text: "commit"})
	if err == nil && tag.String() != "COMMIT" {
		return errors.New("postgres: the transaction was rolled back, because a statement in it had failed")
	}
	return err
}

// ask reads the rows past the standard library's handle, which would look at each value twice.
func ask(ctx context.Context, c *sql.Conn, waiting []db.Waiting, next db.Waiting) (db.Result, error) {
	r := &rows{}
	err := direct(c, func(p *pgx.Conn) (err error) {
		if r.piped, err = pipe(ctx, p, append(waiting, next)...); err != nil {
			return err
		}
		if err = r.skip(len(waiting)); err == nil {
			r.Rows, err = r.answers.Query()
		}
		if err != nil {
			return r.piped.end(err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// rows are the rows of the last of several statements.
type rows struct {
	pgx.Rows
	piped
	ended bool
	err   error
}

// Next goes to the next row; behind the last one the connection is free again.
func (r *rows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.end()
	return false
}

// Err is what ended the rows.
func (r *rows) Err() error {
	if r.ended {
		return r.err
	}
	return r.Rows.Err()
}

// Close leaves out the rows that were not read.
func (r *rows) Close() error {
	r.Rows.Close()
	r.end()
	return r.err
}

func (r *rows) end() {
	if r.ended {
		return
	}
	r.ended = true
	r.err = r.piped.end(r.Rows.Err())
}

// scanTruth lets numbers be read as what they mean where a column says 1 of what is so: the tables know no booleans.
func scanTruth(target any) (plan pgtype.WrappedScanPlanNextSetter, next any, ok bool) {
	if _, is := target.(*bool); !is {
		return nil, nil, false
	}
	return &truth{}, new(int64), true
}

type truth struct{ next pgtype.ScanPlan }

// SetNext takes the plan that scans the number.
func (t *truth) SetNext(next pgtype.ScanPlan) { t.next = next }

// Scan scans it.
func (t *truth) Scan(src []byte, target any) error {
	var n int64
	err := t.next.Scan(src, &n)
	*target.(*bool) = n != 0
	return err
}
