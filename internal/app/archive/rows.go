package archive

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kontor/internal/foundation/db"
)

// Table is a table with its columns, less the company's.
type Table struct {
	Name    string   `json:"table"`
	Columns []string `json:"columns"`

	key []string // those of its primary key
}

func (t Table) order() string {
	if len(t.key) == 0 {
		return ""
	}
	return " order by " + strings.Join(t.key, ", ")
}

// batch is how many rows go into one transaction.
const batch = 2_000

// Rows are rows of a table, in the order of its columns: int64, string, []byte or nil.
type Rows [][]any

// Copy copies a company's rows from one store to another, where its cell has been made already and is empty. The
// company's facts are the target's; its id there may be another.
func Copy(ctx context.Context, from *db.Store, company string, to *db.Store, as string) error {
	once := reader(company)
	once.Once = true
	err := from.Read(ctx, once, func(tx *db.Tx) error {
		return companyRows(tx, func(t Table, rows Rows) error { return insert(ctx, to, as, t, rows) })
	})
	if err != nil {
		return err
	}
	return to.Write(ctx, reader(as), Renew)
}

// Dump writes a company's rows below dir, a file for each table, and answers how many.
func Dump(ctx context.Context, from *db.Store, company, dir string) (rows int64, err error) {
	err = from.Read(ctx, reader(company), func(tx *db.Tx) error {
		if err := os.RemoveAll(dir); err != nil { // it may run again
			return err
		}
		rows = 0
		w := &writer{dir: dir}
		return errors.Join(companyRows(tx, func(t Table, r Rows) error { rows += int64(len(r)); return w.rows(t, r) }),
			w.close())
	})
	return rows, err
}

// Load reads what Dump wrote into a cell that has been made already and is empty.
func Load(ctx context.Context, to *db.Store, company, dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.ndjson"))
	if err != nil {
		return err
	}
	for _, f := range files { // their names begin with the order of the tables
		err := ReadFile(f, func(t Table, rows Rows) error { return insert(ctx, to, company, t, rows) })
		if err != nil {
			return err
		}
	}
	return nil
}

func reader(company string) db.Request {
	return db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "archive", Name: "archive"}}
}

func insert(ctx context.Context, to *db.Store, company string, t Table, rows Rows) error {
	return to.Write(ctx, reader(company), func(tx *db.Tx) error { return Insert(tx, t, rows, "") })
}

// without is the table less a column, and whether it had it.
func (t Table) without(column string) (Table, bool) {
	rest := Table{Name: t.Name, key: t.key}
	for _, c := range t.Columns {
		if c != column {
			rest.Columns = append(rest.Columns, c)
		}
	}
	return rest, len(rest.Columns) < len(t.Columns)
}

// writer writes tables into files of their own: a line with the columns, then a line for each row.
type writer struct {
	dir   string
	table string
	file  *os.File
	buf   *bufio.Writer
	n     int
}

func (w *writer) rows(t Table, rows Rows) error {
	if w.table != t.Name {
		if err := w.next(t); err != nil {
			return err
		}
	}
	enc := json.NewEncoder(w.buf)
	enc.SetEscapeHTML(false)
	for _, r := range rows {
		for i, v := range r {
			if b, ok := v.([]byte); ok {
				r[i] = map[string]string{"base64": base64.StdEncoding.EncodeToString(b)}
			}
		}
		if err := enc.Encode(r); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) next(t Table) error {
	if err := w.close(); err != nil {
		return err
	}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return err
	}
	w.n++
	f, err := os.OpenFile(filepath.Join(w.dir, fmt.Sprintf("%03d_%s.ndjson", w.n, t.Name)),
		os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	w.table, w.file, w.buf = t.Name, f, bufio.NewWriterSize(f, 1<<16)
	return json.NewEncoder(w.buf).Encode(t)
}

func (w *writer) close() error {
	if w.file == nil {
		return nil
	}
	err := errors.Join(w.buf.Flush(), w.file.Close())
	w.file = nil
	return err
}

// ReadFile hands out the rows of one file in batches.
func ReadFile(path string, take func(Table, Rows) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(readRows(filepath.Base(path), f, take), f.Close())
}

func readRows(name string, r io.Reader, take func(Table, Rows) error) error {
	d := json.NewDecoder(bufio.NewReaderSize(r, 1<<16))
	d.UseNumber()
	var t Table
	if err := d.Decode(&t); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !t.plain() {
		return fmt.Errorf("%s: these are no names of a table and its columns", name)
	}
	var rows Rows
	for {
		var r []any
		err := d.Decode(&r)
		if err == io.EOF {
			break
		}
		if err == nil {
			err = t.read(r)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if rows = append(rows, r); len(rows) == batch {
			if err := take(t, rows); err != nil {
				return err
			}
			rows = nil
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return take(t, rows)
}

// plain reports whether the names are such as our schema has: they become part of a statement.
func (t Table) plain() bool {
	for _, name := range append([]string{t.Name}, t.Columns...) {
		if name == "" {
			return false
		}
		for _, c := range []byte(name) {
			if c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				return false
			}
		}
	}
	return len(t.Columns) > 0
}

// read turns the JSON of one row into values to bind.
func (t Table) read(r []any) error {
	if len(r) != len(t.Columns) {
		return fmt.Errorf("a row of %d values for %d columns", len(r), len(t.Columns))
	}
	for i, v := range r {
		switch v := v.(type) {
		case nil, string:
		case json.Number:
			n, err := v.Int64()
			if err != nil {
				return err
			}
			r[i] = n
		case map[string]any:
			text, _ := v["base64"].(string)
			b, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				return err
			}
			r[i] = b
		default:
			return fmt.Errorf("a value of kind %T", v)
		}
	}
	return nil
}
