package table

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"
	"github.com/xuri/excelize/v2"
)

// Writer writes a table row by row.
type Writer struct {
	row     func(values []string) error
	closers []func() error
}

// Options are what a table of plain text may be written with; other formats have no use for them.
type Options struct {
	Raw bool // values that begin like a formula are written as they are, for programs; Open reads both
	BOM bool // the file begins with a byte order mark, by which some spreadsheets know UTF-8
}

// Write writes a table with these columns to out; name tells format and compression as in Open. Close it to finish.
func Write(out io.Writer, name string, columns []string, o Options) (*Writer, error) {
	w := &Writer{}
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
		return nil, fmt.Errorf("unknown kind of table %q: use .csv, .tsv, .xlsx or .ndjson, also with .gz or .zst after it", ext)
	}
	return w, w.row(columns)
}

// Row writes one row.
func (w *Writer) Row(values ...string) error { return w.row(values) }

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
	w.row = func(values []string) error {
		if !raw {
			values = slices.Clone(values)
			for i, v := range values {
				values[i] = plain(v)
			}
		}
		return c.Write(values)
	}
	w.closers = append(w.closers, func() error { c.Flush(); return c.Error() })
}

func ndjson(out io.Writer, columns []string) func([]string) error {
	enc := jsontext.NewEncoder(out)
	return func(values []string) error {
		if err := enc.WriteToken(jsontext.BeginObject); err != nil {
			return err
		}
		for i, v := range values {
			if i >= len(columns) {
				break
			}
			if err := enc.WriteToken(jsontext.String(columns[i])); err != nil {
				return err
			}
			tok := jsontext.String(v)
			if v == "" {
				tok = jsontext.Null
			}
			if err := enc.WriteToken(tok); err != nil {
				return err
			}
		}
		return enc.WriteToken(jsontext.EndObject)
	}
}

func (w *Writer) xlsx(out io.Writer) error {
	f := excelize.NewFile()
	s, err := f.NewStreamWriter(f.GetSheetName(0))
	if err == nil { // the columns' names stay while the rows are scrolled
		err = s.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
	}
	if err != nil {
		return err
	}
	line := 0
	w.row = func(values []string) error {
		line++
		cells := make([]any, len(values))
		for i, v := range values {
			cells[i] = v
		}
		return s.SetRow(fmt.Sprintf("A%d", line), cells)
	}
	w.closers = append(w.closers, func() error {
		if err := s.Flush(); err != nil {
			return err
		}
		if err := f.Write(out); err != nil {
			return err
		}
		return f.Close()
	})
	return nil
}
