package table

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Kind is what a cell of a workbook is. Other formats know texts alone.
type Kind int

// The kinds. What is not written as its kind is (2026-01-31, 2026-01-31 15:04:05, 12.50, true and false) stays a text.
const (
	Text Kind = iota
	Number
	Date
	Moment
	Truth
)

// Cell is a value with its kind.
type Cell struct {
	Text string
	Kind Kind
}

// workbook writes one sheet row by row. The first rows are held back until the widths of the columns are known.
type workbook struct {
	file   *excelize.File
	sheet  string
	stream *excelize.StreamWriter
	styles map[string]int // by format
	held   [][]Cell
	widths []int // characters
	opened bool
	line   int
}

const (
	heldRows    = 100
	mostDigits  = 15 // that a number of a workbook keeps (IEEE 754 double)
	leastWide   = 8
	mostWide    = 60
	filterRoom  = 3 // the button beside a column's name
	dateFormat  = "yyyy-mm-dd"
	exactFormat = "yyyy-mm-dd hh:mm:ss"
)

func (w *Writer) xlsx(out io.Writer) error {
	f := excelize.NewFile()
	b := &workbook{file: f, sheet: f.GetSheetName(0), styles: map[string]int{}}
	var err error
	if b.stream, err = f.NewStreamWriter(b.sheet); err != nil {
		return err
	}
	w.row = b.add
	w.closers = append(w.closers, func() error { return b.finish(out) })
	return nil
}

func (b *workbook) add(cells []Cell) error {
	if b.opened {
		return b.write(cells)
	}
	for i, c := range cells {
		if i == len(b.widths) {
			b.widths = append(b.widths, leastWide)
		}
		n := utf8.RuneCountInString(c.Text) + 1
		if len(b.held) == 0 {
			n += filterRoom
		}
		b.widths[i] = min(mostWide, max(b.widths[i], n))
	}
	held := make([]Cell, len(cells))
	copy(held, cells)
	if b.held = append(b.held, held); len(b.held) < heldRows {
		return nil
	}
	return b.open()
}

// open says how wide the columns are and that their names stay while the rows are scrolled, and writes what was held
// back.
func (b *workbook) open() error {
	b.opened = true
	err := b.stream.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
	for i, n := range b.widths {
		if err == nil {
			err = b.stream.SetColWidth(i+1, i+1, float64(n))
		}
	}
	for _, cells := range b.held {
		if err == nil {
			err = b.write(cells)
		}
	}
	b.held = nil
	return err
}

func (b *workbook) write(cells []Cell) error {
	b.line++
	values := make([]any, len(cells))
	for i, c := range cells {
		var err error
		if values[i], err = b.value(c); err != nil {
			return err
		}
	}
	return b.stream.SetRow(fmt.Sprintf("A%d", b.line), values)
}

// value is a cell as the workbook keeps it, shown as it was written: a number with its decimals, a day without regard
// to where the reader lives.
func (b *workbook) value(c Cell) (any, error) {
	switch c.Kind {
	case Number:
		n, decimals, ok := plainNumber(c.Text)
		if !ok {
			return c.Text, nil
		}
		format := "0"
		if decimals > 0 {
			format += "." + strings.Repeat("0", decimals)
		}
		return b.styled(n, format)
	case Truth:
		if c.Text == "true" || c.Text == "false" {
			return c.Text == "true", nil
		}
	case Date:
		return b.moment(c.Text, time.DateOnly, dateFormat)
	case Moment:
		return b.moment(c.Text, time.DateTime, exactFormat)
	}
	return c.Text, nil
}

func (b *workbook) moment(text, layout, style string) (any, error) {
	t, err := time.Parse(layout, text)
	// a workbook's days begin in 1900, and its first February is wrong
	if err != nil || t.Year() < 1901 || t.Year() > 9999 {
		return text, nil
	}
	return b.styled(t, style)
}

func (b *workbook) styled(value any, style string) (any, error) {
	id, ok := b.styles[style]
	if !ok {
		var err error
		if id, err = b.file.NewStyle(&excelize.Style{CustomNumFmt: &style}); err != nil {
			return nil, err
		}
		b.styles[style] = id
	}
	return excelize.Cell{StyleID: id, Value: value}, nil
}

// plainNumber reads a number that a workbook keeps exactly, and how many decimals it was written with. What begins with
// a zero that a number does not is a code.
func plainNumber(text string) (n float64, decimals int, ok bool) {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if whole == "" || point && fraction == "" || len(whole) > 1 && whole[0] == '0' || len(whole)+
		len(fraction) > mostDigits || strings.Trim(whole+fraction, "0123456789") != "" ||
		strings.HasPrefix(text, "-") && strings.Trim(digits, "0.") == "" {
		return 0, 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, len(fraction), err == nil
}

// finish lets the columns' names filter the rows, and writes the workbook.
func (b *workbook) finish(out io.Writer) error {
	if !b.opened {
		if err := b.open(); err != nil {
			return err
		}
	}
	if len(b.widths) > 0 {
		last, err := excelize.CoordinatesToCellName(len(b.widths), max(1, b.line))
		if err == nil {
			err = b.file.AutoFilter(b.sheet, "A1:"+last, nil)
		}
		if err != nil {
			return err
		}
	}
	if err := b.stream.Flush(); err != nil {
		return err
	}
	if err := b.file.Write(out); err != nil {
		return err
	}
	return b.file.Close()
}
