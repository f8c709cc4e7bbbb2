package exchange

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/table"
)

// The rows of a list that are read at a time. Lists that cannot go on from their last row are read in fewer, bigger
// ones.
const (
	pageOf  = 1_000
	bigPage = 5_000
)

// Export writes everything of a kind, as one moment has it, page by page: nothing but a page is held. name tells
// the format, as that of a file would. Importing it into an empty company gives the same, into this one changes
// nothing; what orders are is told by their lines, of which an import makes a history.
func Export(ctx context.Context, d Context, kind string, out io.Writer, name string, o table.Options) (rows int,
	err error) {
	p, write, err := printerOf(kind, out, name, o)
	if err != nil {
		return 0, err
	}
	p.tick = func(n int) { d.tick(int64(n), -1, "exporting "+kind) }
	as := d.As
	as.AsksCommitted = true // lists then remember where their pages begin
	as.Once = true          // a table that is half written is not begun again
	err = d.Store.Read(ctx, as, func(tx *db.Tx) error { return write(tx, p) })
	return p.rows, p.end(err)
}

// Written is Export in a transaction that has begun.
func Written(tx *db.Tx, kind string, out io.Writer, name string) error {
	p, write, err := printerOf(kind, out, name, table.Options{})
	if err != nil {
		return err
	}
	return p.end(write(tx, p))
}

// printerOf is what writes the rows of a kind, and what tells it them.
func printerOf(kind string, out io.Writer, name string, o table.Options) (*printer, func(*db.Tx, *printer) error,
	error) {
	p := &printer{out: out, name: name, options: o, tick: func(int) {}}
	write := exportOrders
	if kind == orders {
		p.columns, p.options.Kinds = orderColumns(), orderKinds()
	} else {
		k, ok := kindOf(kind)
		if !ok {
			return nil, nil, fmt.Errorf("%q cannot be exported; what can: %s", kind, strings.Join(Kinds(), ", "))
		}
		write, p.fields = k.export, k.fields
		for _, f := range k.fields {
			p.columns = append(p.columns, f.name)
			p.options.Kinds = append(p.options.Kinds, f.kind)
		}
	}
	p.own = len(p.columns)
	return p, write, nil
}

// printer writes the rows of an export.
type printer struct {
	fields  []field
	columns []string
	own     int // columns that every export of the kind has
	out     io.Writer
	name    string // tells the format
	options table.Options
	tick    func(rows int)
	w       *table.Writer
	rows    int
}

// longestCell is how much text a cell of a workbook may hold; what is longer would be cut off without a word.
const longestCell = 32_767

// end closes the table, of which nothing was written where there was nothing to tell.
func (p *printer) end(err error) error {
	if err == nil && p.w == nil {
		err = p.begin()
	}
	if p.w != nil {
		if e := p.w.Close(); err == nil {
			err = e
		}
	}
	return err
}

func (p *printer) begin() (err error) {
	p.w, err = table.Write(p.out, p.name, p.columns, p.options)
	return err
}

// row writes a row. Its cells are in the order of the columns.
func (p *printer) row(cells ...string) error {
	if p.w == nil {
		if err := p.begin(); err != nil {
			return err
		}
	}
	if len(cells) != len(p.columns) {
		panic(fmt.Sprintf("exchange: %d cells for %d columns", len(cells), len(p.columns)))
	}
	if strings.Contains(strings.ToLower(p.name), ".xlsx") {
		if i := slices.IndexFunc(cells, func(v string) bool {
			return len(v) > longestCell && utf8.RuneCountInString(v) > longestCell
		}); i >= 0 {
			return fmt.Errorf(
				"%s of %s is longer than the %d characters that a workbook's cell can hold: export as CSV instead",
				p.columns[i], cells[0], longestCell)
		}
	}
	if p.rows++; p.rows%1_000 == 0 {
		p.tick(p.rows)
	}
	return p.w.Row(cells...)
}

// beside are cells of a row, by column, that hold what its records do not.
type beside map[string]string

// record writes a row of what records of several types hold, and of what stands beside them.
func (p *printer) record(also beside, records ...any) error {
	cells := each.Of(p.columns, func(column string) string { return also[column] })
	for _, r := range records {
		v := reflect.ValueOf(r)
		for i := range p.fields {
			if f := &p.fields[i]; f.record == v.Type() {
				cells[i] = textOf(f.in(v).Interface())
			}
		}
	}
	return p.row(cells...)
}

// eachRecord is the export of a list whose records hold all there is to a row.
func eachRecord[F, T any](list func(*db.Tx, F, record.Page) (record.Found[T], error)) func(*db.Tx, *printer) error {
	return func(tx *db.Tx, p *printer) error {
		return eachOf(tx, pageOf, list, func(one T) error { return p.record(nil, one) })
	}
}

// eachOf calls for everything that a list has, which the zero value of its filter takes.
func eachOf[F, T any](tx *db.Tx, size int, list func(*db.Tx, F, record.Page) (record.Found[T], error),
	take func(T) error) error {
	var all F
	page := func(at record.Page) (record.Found[T], error) { return list(tx, all, at) }
	return record.Walk(record.Page{Size: size}, page, func(some []T) error {
		return each.Do(some, take)
	})
}
