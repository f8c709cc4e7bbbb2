package table

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// ReadOptions say of a table of plain text what cannot be seen in it.
type ReadOptions struct {
	// Encoding is its name, such as cp1252; "" = UTF-8, and UTF-16 where the file begins with a byte order mark, as
	// spreadsheets write it.
	Encoding string
	// Format is how the name of the file would end if it said so; "" = the name does.
	Format string
	// Delimiter stands between two values; 0 = found in the header.
	Delimiter rune
	// AtHand takes in all that comes before the first row is read, into a file unless it is one, so that who reads the
	// rows waits for nobody.
	AtHand bool
}

// decoded is the text of a file in UTF-8, without a byte order mark.
func decoded(in io.Reader, name string) (*bufio.Reader, error) {
	b := unmarked(in)
	if head, _ := b.Peek(2); bytes.Equal(head, []byte{0xFF, 0xFE}) || bytes.Equal(head, []byte{0xFE, 0xFF}) {
		return bufio.NewReaderSize(unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Reader(b),
			1<<16), nil
	}
	if name == "" {
		return b, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, wrong("there is no encoding %q: use a name such as utf-8, cp1252, iso-8859-15 or macintosh",
			name)
	}
	if e == unicode.UTF8 {
		return b, nil
	}
	return bufio.NewReaderSize(e.NewDecoder().Reader(b), 1<<16), nil
}

// legible refuses values that are not UTF-8: every row after it would be as wrong.
func legible(line int, values []string) error {
	if slices.ContainsFunc(values, func(v string) bool { return !utf8.ValidString(v) }) {
		return wrong(
			"line %d is not UTF-8: say how the file is written, as with --encoding cp1252 for what spreadsheets of Western Europe call CSV, or save it as UTF-8", line)
	}
	return nil
}
