// Package table reads and writes the tables people exchange: CSV, TSV, XLSX and NDJSON, plain or compressed with gzip
// or Zstandard. It knows no business.
package table

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/spool"
)

// Row is one row of a table.
type Row struct {
	Line   int      // 1-based line (or record) in the file, the header included
	Values []string // by column index; may be shorter than the header
}

// Get is the value in a column, "" where the row has none.
func (r Row) Get(column int) string {
	if column < 0 || column >= len(r.Values) {
		return ""
	}
	return r.Values[column]
}

// BadRow is a row that breaks the rules of its format, where those after it can be read all the same.
type BadRow struct {
	Line int
	Why  *fault.Fault
}

func (e *BadRow) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Why.Detail) }

// Unwrap is what is wrong with it, for who needs that row of all: the one that names the columns.
func (e *BadRow) Unwrap() error { return e.Why }

// wrong is what is wrong with a file, for who has handed it in.
func wrong(format string, args ...any) *fault.Fault { return fault.ErrInvalid.Because(format, args...) }

// told is an error for who has handed the file in: what a format's reader says of itself stands in it.
func told(err error) error {
	var f *fault.Fault
	if err == nil || errors.Is(err, io.EOF) || errors.As(err, &f) || errors.As(err, new(*BadRow)) {
		return err
	}
	return wrong("it is damaged, or no such file: %s", err.Error())
}

// MostColumns is how many columns a table has at most, as a sheet of a workbook has.
const MostColumns = 16_384

func columnsFit(n int) error {
	if n > MostColumns {
		return wrong("it has more than %d columns: take out those that are not needed", MostColumns)
	}
	return nil
}

// source is what a format's reader gives.
type source interface {
	columns() []string
	next() (Row, error) // io.EOF at the end
}

// Reader reads a table row by row; nothing but the current row is held.
type Reader struct {
	source
	closers []io.Closer
	read    *counter
	row     *portion // nil where the format bounds its rows itself
	size    int64
	rows    atomic.Int64 // read
}

// Columns are the names in the header, as written.
func (r *Reader) Columns() []string { return r.columns() }

// Index finds a column by name, without regard to case, spaces and punctuation; -1 where there is none.
func (r *Reader) Index(name string) int {
	want := plainName(name)
	for i, c := range r.columns() {
		if plainName(c) == want {
			return i
		}
	}
	return -1
}

func plainName(s string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.':
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// Next is the next row; io.EOF after the last, a BadRow for one that cannot be read. Its values hold until the next
// call.
func (r *Reader) Next() (Row, error) {
	if r.row != nil {
		r.row.left = longestRow
	}
	row, err := r.next()
	if err == nil {
		r.rows.Add(1)
	}
	return row, told(err)
}

// longestRow is how much of an unpacked file may be one row. A small archive can unpack to more than any memory holds.
// The names of columns are shorter: each takes many times the byte that a comma is.
const (
	longestRow  = 8 << 20
	longestHead = 2 << 20
)

var errLongRow = wrong("a row is too long for one of a table: it has too many columns, or a quote in it is never closed")

// portion gives only so much to read until it is filled again.
type portion struct {
	r    io.Reader
	left int
}

func (p *portion) Read(b []byte) (int, error) {
	if p.left <= 0 {
		return 0, errLongRow
	}
	n, err := p.r.Read(b[:min(len(b), p.left)])
	p.left -= n
	return n, err
}

// Progress is how much of the file was read, in bytes as they lie on the disk; where nobody knows how long it is, in
// rows, of a total of 0.
func (r *Reader) Progress() (done, total int64) {
	if r.size == 0 {
		return r.rows.Load(), 0
	}
	return r.read.n.Load(), r.size
}

// Close closes the file.
func (r *Reader) Close() error {
	var errs []error
	for i := len(r.closers) - 1; i >= 0; i-- {
		errs = append(errs, r.closers[i].Close())
	}
	return errors.Join(errs...)
}

type counter struct {
	r io.Reader
	n atomic.Int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

type closer func() error

func (c closer) Close() error { return c() }

// Open opens the table at path. The name's extension tells the format (.csv, .tsv or .txt, .xlsx, .ndjson or .jsonl)
// and the compression (.gz, .zst) after it.
func Open(path string, o ReadOptions) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	o.AtHand = o.AtHand && !info.Mode().IsRegular()
	r, err := read(f, filepath.Base(path), o)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r.size = info.Size()
	r.closers = append([]io.Closer{f}, r.closers...)
	return r, nil
}

// Read reads a table from r; name tells the format as in Open. How long one is that lies in memory is known.
func Read(r io.Reader, name string, o ReadOptions) (*Reader, error) {
	size := int64(0)
	if held, ok := r.(interface{ Len() int }); ok {
		size = int64(held.Len())
	}
	t, err := read(r, name, o)
	if err == nil {
		t.size = size
	}
	return t, err
}

func read(in io.Reader, name string, o ReadOptions) (*Reader, error) {
	t := &Reader{}
	if o.Format != "" {
		name += "." + o.Format
	}
	if o.AtHand {
		f, err := spool.Of(in)
		if err != nil {
			return nil, err
		}
		in, t.closers = f, append(t.closers, f)
	}
	t.read = &counter{r: in}
	var body io.Reader = bufio.NewReaderSize(t.read, 1<<16)
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".gz":
		z, err := gzip.NewReader(body)
		if err != nil {
			return nil, errors.Join(wrong("not a gzip file: %s", err.Error()), t.Close())
		}
		body, t.closers = z, append(t.closers, z)
		name = strings.TrimSuffix(name, filepath.Ext(name))
	case ".zst":
		z, err := zstd.NewReader(body, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<28))
		if err != nil {
			return nil, errors.Join(wrong("not a Zstandard file: %s", err.Error()), t.Close())
		}
		body, t.closers = z, append(t.closers, closer(func() error { z.Close(); return nil }))
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	var err error
	row := &portion{body, longestRow}
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".csv":
		t.row, row.left = row, longestHead
		t.source, err = newCSV(row, 0, o)
	case ".tsv", ".txt", ".tab":
		t.row, row.left = row, longestHead
		t.source, err = newCSV(row, '\t', o)
	case ".ndjson", ".jsonl":
		t.row = row
		t.source, err = newNDJSON(row)
	case ".xlsx":
		t.source, err = newXLSX(t, body)
	default:
		err = wrong("unknown kind of table %q: use .csv, .tsv, .xlsx or .ndjson, also with .gz or .zst after it",
			ext)
	}
	if err != nil {
		t.Close()
		return nil, told(err)
	}
	return t, nil
}

var utf8BOM = []byte{0xEF, 0xBB, 0xBF}

// unmarked skips a byte order mark, which spreadsheets write.
func unmarked(r io.Reader) *bufio.Reader {
	b := bufio.NewReaderSize(r, 1<<16)
	if head, _ := b.Peek(3); bytes.Equal(head, utf8BOM) {
		b.Discard(3)
	}
	return b
}

// NameColumns gives the columns of a file without a header these names, and takes its first line, which was read as the
// names, for its first row.
func (r *Reader) NameColumns(names []string) {
	if c, ok := r.source.(*csvSource); ok && c.first == nil {
		c.first, c.header = c.header, names
	}
}
