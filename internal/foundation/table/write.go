package table

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"

	"kontor/internal/foundation/each"
)

// Writer writes a table row by row.
type Writer struct {
	row     func(cells []Cell) error
	kinds   []Kind
	closers []func() error
}

// Options are what a table may be written with; each is for the formats that have a use for it.
type Options struct {
	Raw bool // values that begin like a formula are written as they are, for programs; Open reads both
	BOM bool // the file begins with a byte order mark, by which some spreadsheets know UTF-8
	// Kinds are those of the columns, for the rows of a workbook; what is left out is text.
	Kinds []Kind
}

// Write writes a table with these columns to out; name tells format and compression as in Open. Close it to finish.
func Write(out io.Writer, name string, columns []string, o Options) (*Writer, error) {
	w := &Writer{kinds: o.Kinds}
	b := bufio.NewWriterSize(out, 1<<16)
	w.closers = append(w.closers, b.Flush)
	var body io.Writer = b
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		z := gzip.NewWriter(b)
		body, name = z, strings.TrimSuffix(name, filepath.Ext(name))
		w.closers = append(w.closers, z.Close)
	case ".zst":
		z, err := zstd.NewWriter(b)
		if err != nil {
			return nil, err
		}
		body, name = z, strings.TrimSuffix(name, filepath.Ext(name))
		w.closers = append(w.closers, z.Close)
	}
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".csv", ".tsv", "":
		if o.BOM {
			if _, err := io.WriteString(body, "\ufeff"); err != nil {
				return nil, err
			}
		}
		w.csv(body, ext == ".tsv", o.Raw)
	case ".ndjson", ".jsonl":
		w.row = ndjson(body, columns)
		return w, nil
	case ".xlsx":
		if err := w.xlsx(body); err != nil {
			return nil, err
		}
	default:
		return nil,
			fmt.Errorf("unknown kind of table %q: use .csv, .tsv, .xlsx or .ndjson, also with .gz or .zst after it",
				ext)
	}
	return w, w.row(each.Of(columns, func(name string) Cell { return Cell{Text: name} }))
}

// Row writes one row, its values of the kinds of their columns.
func (w *Writer) Row(values ...string) error {
	cells := make([]Cell, len(values))
	for i, v := range values {
		if cells[i].Text = v; i < len(w.kinds) {
			cells[i].Kind = w.kinds[i]
		}
	}
	return w.row(cells)
}

// Cells writes one row whose values know their kinds themselves.
func (w *Writer) Cells(cells ...Cell) error { return w.row(cells) }

// Close writes what is buffered. It does not close what Write was given.
func (w *Writer) Close() error {
	for i := len(w.closers) - 1; i >= 0; i-- {
		if err := w.closers[i](); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) csv(out io.Writer, tabs, raw bool) {
	c := csv.NewWriter(out)
	if tabs {
		c.Comma = '\t'
	}
	w.row = func(cells []Cell) error {
		values := make([]string, len(cells))
		for i, v := range cells {
			if values[i] = v.Text; !raw {
				values[i] = plain(v.Text)
			}
		}
		return c.Write(values)
	}
	w.closers = append(w.closers, func() error { c.Flush(); return c.Error() })
}

func ndjson(out io.Writer, columns []string) func([]Cell) error {
	enc := jsontext.NewEncoder(out)
	return func(cells []Cell) error {
		if err := enc.WriteToken(jsontext.BeginObject); err != nil {
			return err
		}
		for i, v := range cells {
			if i >= len(columns) {
				break
			}
			if err := enc.WriteToken(jsontext.String(columns[i])); err != nil {
				return err
			}
			tok := jsontext.String(v.Text)
			if v.Text == "" {
				tok = jsontext.Null
			}
			if err := enc.WriteToken(tok); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndObject)
	}
}
