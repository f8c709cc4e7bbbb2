package table

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/each"
)

type csvSource struct {
	r      *csv.Reader
	header []string
	first  []string // a row that was read as the header
}

// newCSV reads comma-separated values (RFC 4180); comma 0 finds out from the header whether it is a comma, a semicolon
// (what spreadsheets write where the comma is the decimal sign) or a tab.
func newCSV(in io.Reader, comma rune, o ReadOptions) (*csvSource, error) {
	b, err := decoded(in, o.Encoding)
	if err != nil {
		return nil, err
	}
	comma = cmp.Or(o.Delimiter, announced(b), comma)
	first := firstLine(b)
	if bytes.ContainsRune(bytes.TrimSuffix(first, []byte{'\r'}), '\r') {
		return nil, wrong("its lines end in carriage returns alone: save it with the line ends of Windows or Unix")
	}
	if comma == 0 {
		comma = separatorOf(first)
	}
	r := csv.NewReader(b)
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	r.LazyQuotes = comma == '\t' // TSV has no quoting rules
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, wrong("the file is empty: its first line must name the columns")
	}
	if err != nil {
		return nil, quoteFault(err)
	}
	if err := columnsFit(len(header)); err != nil {
		return nil, err
	}
	if err := legible(1, header); err != nil {
		return nil, err
	}
	return &csvSource{r: r, header: each.Of(header, unplain)}, nil // a list of its own: the reader uses its row again
}

// announced is the separator that a first line of its own names for spreadsheets ("sep=;"), else 0. An empty line stays
// of it, which is passed over and counted.
func announced(b *bufio.Reader) rune {
	head, _ := b.Peek(6)
	if len(head) < 6 || !strings.EqualFold(string(head[:4]), "sep=") || head[5] != '\r' && head[5] != '\n' {
		return 0
	}
	_, _ = b.Discard(5) // what was peeked at is there
	return rune(head[4])
}

// firstLine is the beginning of a file up to the end of its first line; a long one is not read to its end.
func firstLine(b *bufio.Reader) []byte {
	head, _ := b.Peek(4096)
	head, _, _ = bytes.Cut(head, []byte{'\n'})
	return head
}

func separatorOf(head []byte) rune {
	best, most := ',', bytes.Count(head, []byte{','})
	for _, c := range []rune{';', '\t'} {
		if n := bytes.Count(head, []byte(string(c))); n > most {
			best, most = c, n
		}
	}
	return best
}

func (c *csvSource) columns() []string { return c.header }

func (c *csvSource) next() (Row, error) {
	if first := c.first; len(first) > 0 {
		c.first = []string{}
		return Row{1, first}, nil
	}
	values, err := c.r.Read()
	if err != nil {
		return Row{}, quoteFault(err)
	}
	line, _ := c.r.FieldPos(0)
	if err := legible(line, values); err != nil {
		return Row{}, err
	}
	if c.first == nil && len(values) > len(c.header) && strings.TrimSpace(strings.Join(values[len(c.header):], "")) != "" {
		return Row{}, &BadRow{line, wrong(
			"it has %d values for the %d columns of the first line: put a value with the separator in it in quotes",
			len(values), len(c.header))}
	}
	for i, v := range values {
		values[i] = unplain(v)
	}
	return Row{line, values}, nil
}

// quoteFault says what is wrong with the quotes of a row. Where they go wrong within one line, the next line begins
// another row; a quote that took in several lines may have swallowed any number of rows.
func quoteFault(err error) error {
	var p *csv.ParseError
	switch {
	case !errors.As(err, &p):
		return err
	case p.StartLine == p.Line:
		return &BadRow{p.Line, wrong(
			"its quotes do not fit together: put the whole value in quotes, and write those inside it twice")}
	}
	return wrong(
		"a quote opened on line %d or below does not fit together with those up to line %d: values with quotes stand in quotes, and those inside are written twice",
		p.StartLine, p.Line)
}

type jsonSource struct {
	dec    *jsontext.Decoder
	header []string
	index  map[string]int
	first  *Row
	line   int
}

// newNDJSON reads one JSON object a line. The columns are the members of the first object and whatever later ones add;
// a table without rows is a file without bytes, and has none.
func newNDJSON(in io.Reader) (*jsonSource, error) {
	s := &jsonSource{dec: jsontext.NewDecoder(unmarked(in)), index: map[string]int{}}
	row, err := s.object()
	if errors.Is(err, io.EOF) {
		return s, nil
	}
	s.first = &row
	return s, err
}

func (s *jsonSource) columns() []string { return s.header }

func (s *jsonSource) next() (Row, error) {
	if s.first != nil {
		row := *s.first
		s.first = nil
		return row, nil
	}
	return s.object()
}

func (s *jsonSource) object() (Row, error) {
	s.line++
	tok, err := s.dec.ReadToken()
	if errors.Is(err, io.EOF) {
		return Row{}, err
	}
	if err != nil {
		return Row{}, s.malformed(err)
	}
	if tok.Kind() != '{' {
		return Row{}, wrong("line %d is no JSON object: NDJSON has one on each line", s.line)
	}
	values := make([]string, len(s.header))
	for s.dec.PeekKind() != '}' {
		name, err := s.dec.ReadToken()
		if err != nil {
			return Row{}, s.malformed(err)
		}
		i, ok := s.index[name.String()]
		if !ok {
			i = len(s.header)
			if err := columnsFit(i + 1); err != nil {
				return Row{}, err
			}
			s.index[name.String()] = i
			s.header = append(s.header, name.String())
			values = append(values, "")
		}
		raw, err := s.dec.ReadValue()
		if err != nil {
			return Row{}, s.malformed(err)
		}
		values[i] = scalar(raw)
	}
	if _, err = s.dec.ReadToken(); err != nil {
		return Row{}, s.malformed(err)
	}
	return Row{s.line, values}, nil
}

func (s *jsonSource) malformed(err error) error {
	if errors.Is(err, errLongRow) {
		return errLongRow
	}
	return wrong("line %d is not well-formed JSON: write each row as one object, on a line of its own", s.line)
}

// scalar is a JSON value as a table shows it: a string's text, null as empty, numbers and the rest as written.
func scalar(raw jsontext.Value) string {
	switch raw.Kind() {
	case 'n':
		return ""
	case '"':
		b, err := jsontext.AppendUnquote(nil, raw)
		if err == nil {
			return string(b)
		}
	}
	return string(raw)
}
