package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"kontor/internal/app"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
	"kontor/internal/foundation/record"
)

// yardstick is where rows are written like ours with the plainest transactions that are as durable as ours.
type yardstick struct {
	engine  *db.Engine
	target  string // file or URL
	company string // the rows' owner: none that exists, so that nothing else ever sees them
}

// newYardstick finds where to write. Files are copied first, so that the yardstick works on tables as large as ours
// without getting in the way.
func newYardstick(ctx context.Context, kontor *app.App, f firm) yardstick {
	y := yardstick{engine: kontor.DataDir.Engine(), target: kontor.DataDir.DatabaseURL, company: record.NewID()}
	if kontor.Embedded() {
		y.target = filepath.Join(kontor.DataDir.Data, "yardstick-"+y.company+".db")
		halt.On(kontor.Store().Snapshot(ctx, f.ID, y.target, false))
	}
	return y
}

// answered are the rows that a query answers.
type answered interface {
	Columns() ([]string, error)
	Next() bool
	Scan(into ...any) error
	Err() error
	Close() error
}

// session is one connection to where the yardstick writes.
type session struct {
	run     func(text string)
	query   func(text string) answered
	prepare func(text string) func(args ...any)
	close   func()
}

// session opens a connection that is one of a company's: PostgreSQL's row-level security asks for it.
func (y *yardstick) session(ctx context.Context, company string) *session {
	d := halt.Must(y.engine.Open(y.target, db.ForWriting))
	c, err := d.Conn(ctx) // held: a transaction lives on it
	if err != nil {
		d.Close()
		halt.On(err)
	}
	s := &session{
		run:   func(text string) { halt.Must(c.ExecContext(ctx, text)) },
		query: func(text string) answered { return halt.Must(c.QueryContext(ctx, text)) },
		prepare: func(text string) func(args ...any) {
			st, err := c.PrepareContext(ctx, text)
			if err != nil {
				halt.On(fmt.Errorf("%.60s: %w", text, err))
			}
			return func(args ...any) { halt.Must(st.ExecContext(ctx, args...)) }
		},
		close: func() { c.Close(); d.Close() },
	}
	if !y.engine.OneWriter {
		s.run("set kontor.company = '" + company + "'")
	}
	return s
}

// writer is one connection with the statements prepared.
type writer struct {
	begin, commit func()
	// one writes the rows of one operation.
	one   func()
	close func()
}

// writer opens a connection that prepares statements ("" is none) and writes with them.
func (y *yardstick) writer(ctx context.Context, texts []string,
	one func(exec map[string]func(...any)) func()) *writer {
	s := y.session(ctx, y.company)
	begin := "begin"
	if y.engine.OneWriter {
		begin = "begin immediate"
	}
	exec := map[string]func(...any){}
	for _, text := range append([]string{begin, "commit"}, texts...) {
		if text != "" {
			exec[text] = s.prepare(text)
		}
	}
	return &writer{
		begin:  func() { exec[begin]() },
		commit: func() { exec["commit"]() },
		one:    one(exec),
		close:  s.close,
	}
}

// drop deletes what the yardstick wrote: rows of these tables.
func (y *yardstick) drop(ctx context.Context, tables ...string) error {
	if y.engine.OneWriter {
		return removeFile(y.target)
	}
	return halt.Told(func() {
		s := y.session(ctx, y.company)
		defer s.close()
		for _, t := range tables {
			s.run(fmt.Sprintf("delete from %s where company = '%s'", t, y.company))
		}
	})
}

// tableRows are the rows that one operation writes to one table.
type tableRows struct {
	table   string
	columns []string
	rows    [][]any
}

// read takes the rows that a query answers; there must be some that the operation wrote.
func (t *tableRows) read(s *session, operation, text string) {
	rows := s.query(text)
	defer rows.Close()
	t.columns = halt.Must(rows.Columns())
	for rows.Next() {
		row := make([]any, len(t.columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		halt.On(rows.Scan(into...))
		t.rows = append(t.rows, row)
	}
	halt.On(rows.Err())
	if len(t.rows) == 0 {
		halt.On(fmt.Errorf("bench: %s wrote nothing to %s: the yardstick no longer knows what is written", operation,
			t.table))
	}
}

// with are the values of the rows with some columns as they are told; the second and further rows are of other records.
func (t *tableRows) with(fresh map[string]any) []any {
	out := make([]any, 0, len(t.rows)*len(t.columns))
	for n, row := range t.rows {
		for i, c := range t.columns {
			if v, ok := fresh[c]; ok {
				if n > 0 && c == "id" {
					v = record.NewID()
				}
				out = append(out, v)
				continue
			}
			out = append(out, row[i])
		}
	}
	return out
}

// insert is the text that writes the rows anew.
func (t *tableRows) insert(e *db.Engine) string {
	mark := marks(e)
	rows := make([]string, len(t.rows))
	for r := range rows {
		row := make([]string, len(t.columns))
		for i := range row {
			row[i] = mark()
		}
		rows[r] = "(" + strings.Join(row, ", ") + ")"
	}
	return fmt.Sprintf("insert into %s (%s) values %s", t.table, strings.Join(t.columns, ", "),
		strings.Join(rows, ", "))
}

// marks are the parameters of one statement, one after another.
func marks(e *db.Engine) func() string {
	n := 0
	return func() string { n++; return fmt.Sprintf("%c%d", e.Mark, n) }
}
