package table

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// A workbook is held in memory as it is packed, with its smaller parts, and its cells one at a time. What unpacks to
// far more than a table does was made to exhaust whoever reads it. What is held as a tree takes some hundred bytes an
// element, which packed may be one or none: so elements are counted, those of a row and those outside of rows.
const (
	largestWorkbook = 128 << 20
	largestUnpacked = 1 << 30
	mostInflated    = 100 // times its size, of a workbook
	smallWorkbook   = 64 << 20
	largestHeld     = 4 << 20 // of a sheet; larger ones lie on the disk meanwhile
	leastElements   = 1 << 20 // that may stand in any workbook
	bytesAnElement  = 4       // packed, of a workbook that has more of them
	longestText     = 1 << 20 // a cell holds 32,767 characters
)

type xlsxSource struct {
	rows   *excelize.Rows
	sheets []*zip.File
	file   *excelize.File
	header []string
	width  int // of what is read of a row
	line   int
}

// newXLSX reads the first sheet of a workbook, streaming its rows.
func newXLSX(t *Reader, in io.Reader) (*xlsxSource, error) {
	packed, err := io.ReadAll(io.LimitReader(in, largestWorkbook+1))
	if err != nil {
		return nil, err
	}
	if len(packed) > largestWorkbook {
		return nil, wrong("the workbook is larger than %d MiB: save it as CSV", largestWorkbook>>20)
	}
	s := &xlsxSource{width: MostColumns}
	tables, err := s.survey(packed)
	if err != nil {
		return nil, err
	}
	s.file, err = excelize.OpenReader(tables, excelize.Options{UnzipSizeLimit: largestUnpacked,
		UnzipXMLSizeLimit: largestHeld, ShortDatePattern: dateFormat})
	if err != nil {
		return nil, err
	}
	t.closers = append(t.closers, s.file)
	unstyled(s.file)
	if s.rows, err = s.file.Rows(s.file.GetSheetName(0)); err != nil {
		return nil, err
	}
	t.closers = append(t.closers, s.rows)
	head, err := s.next()
	if errors.Is(err, io.EOF) {
		return nil, wrong("the first sheet is empty: its first row must name the columns")
	}
	s.header, s.width = head.Values, len(head.Values)
	return s, err
}

// ole begins workbooks of the older kind, and those that are kept secret by a password.
var ole = []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1}

// survey goes through a workbook before anything is made of it, and answers it without what is no table: pictures, and
// what was kept of calculations.
func (s *xlsxSource) survey(packed []byte) (*bytes.Buffer, error) {
	if bytes.HasPrefix(packed, ole) {
		return nil, wrong(
			"it is a workbook of the older kind, or one with a password: save it as XLSX without one, or as CSV")
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, wrong("it is no XLSX workbook, or only a part of one: save it anew, or as CSV")
	}
	most := min(max(smallWorkbook, mostInflated*uint64(len(packed))), largestUnpacked)
	elements := elementCount{most: max(leastElements, len(packed)/bytesAnElement)}
	var all, held uint64
	out := new(bytes.Buffer)
	tables := zip.NewWriter(out)
	for _, part := range z.File {
		name := strings.ToLower(strings.ReplaceAll(part.Name, `\`, "/"))
		if !isTablePart(name) {
			continue
		}
		all += part.UncompressedSize64
		if part.UncompressedSize64 <= largestHeld || !strings.HasPrefix(name, onDisk) && name != sharedTexts {
			held += part.UncompressedSize64
		}
		isSheet := strings.HasPrefix(name, sheets) && strings.HasSuffix(name, ".xml")
		if all > most || held > smallWorkbook {
			return nil, wrong("the workbook unpacks to far more than a table does: save its sheet as CSV")
		}
		if err := elements.of(part, isSheet); err != nil {
			return nil, err
		}
		if isSheet {
			s.sheets = append(s.sheets, part)
		}
		if err := tables.Copy(part); err != nil {
			return nil, err
		}
	}
	return out, tables.Close()
}

// Where sheets and texts lie, and how the names of those begin that the library keeps on the disk where they are large.
const (
	sheets      = "xl/worksheets/"
	onDisk      = sheets + "sheet"
	sharedTexts = "xl/sharedstrings.xml"
)

func isTablePart(name string) bool {
	return (strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".rels")) &&
		!slices.ContainsFunc([]string{"xl/calcchain", "xl/pivotcache/", "xl/drawings/", "xl/charts/", "customxml/"},
			func(folder string) bool { return strings.HasPrefix(name, folder) })
}

// elementCount counts the elements that are held at once.
type elementCount struct{ n, most int }

// of goes through a part of a workbook, and so proves that all of it is there.
func (c *elementCount) of(part *zip.File, isSheet bool) error {
	r, err := part.Open()
	if err != nil {
		return damaged(err)
	}
	defer r.Close()
	for b := bufio.NewReaderSize(r, longestText); ; c.n++ {
		switch _, err := b.ReadSlice('<'); {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return wrong("there is a text in the workbook that is longer than %d MiB: save its sheet as CSV",
				longestText>>20)
		case err != nil:
			return damaged(err)
		}
		if name, _ := b.Peek(32); isSheet && isRow(name) {
			c.n = 0
		}
		if c.n > c.most {
			return wrong("the workbook holds far more than a table does: save its sheet as CSV")
		}
	}
}

// isRow reports whether what stands behind an angle bracket begins a row.
func isRow(element []byte) bool {
	if i := bytes.IndexAny(element, " >/\t\r\n"); i >= 0 {
		element = element[:i]
	}
	return bytes.Equal(element[bytes.IndexByte(element, ':')+1:], []byte("row"))
}

func damaged(err error) error {
	return wrong("the workbook is damaged (%s): save it anew, or as CSV", err.Error())
}

func (s *xlsxSource) columns() []string { return s.header }

func (s *xlsxSource) next() (Row, error) {
	for s.rows.Next() {
		if s.line++; s.line > excelize.TotalRows {
			return Row{}, wrong("its rows have numbers above %d, as no sheet has: save it anew, or as CSV",
				excelize.TotalRows)
		}
		values, err := s.rows.Columns()
		if err == nil {
			err = columnsFit(len(values))
		}
		if err != nil || len(values) > 0 {
			return Row{s.line, values[:min(len(values), s.width)]}, err
		}
	}
	if err := s.rows.Error(); err != nil {
		return Row{}, err
	}
	return Row{}, s.ended()
}

// ended is io.EOF, unless the rows ended where the XML of a sheet breaks off: the library takes that for the end.
func (s *xlsxSource) ended() error {
	for _, sheet := range s.sheets {
		r, err := sheet.Open()
		if err != nil {
			return damaged(err)
		}
		d := xml.NewDecoder(r)
		d.CharsetReader = s.file.CharsetReader
		for err == nil {
			_, err = d.Token()
		}
		r.Close()
		if !errors.Is(err, io.EOF) {
			return damaged(fmt.Errorf("%s: %w", sheet.Name, err))
		}
	}
	return io.EOF
}
