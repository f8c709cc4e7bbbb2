package table

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// A workbook knows numbers and days as such, shows them as they were written, and is read as it was written, but for
// zeros at the end of a number's decimals.
func TestCellsOfAWorkbookHaveTheirKinds(t *testing.T) {
	var b bytes.Buffer
	columns, kinds := []string{"itemNumber", "price", "validFrom", "at"}, []Kind{Text, Number, Date, Moment}
	rows := [][]string{
		{"00123", "12.50", "2026-01-31", "2026-01-31 15:04:05"},
		{"1e5", "-0.000001", "2024-02-29", "1999-12-31 23:59:59"}, {"=1+1", "123456789012345", "1900-01-01", ""},
		{"2026-01-31", "123456789012.123456", "no day", "x"}, {"-1", "007", "", "2026-01-31"},
		{"", "", "9999-12-31", ""}, {"12.50", "1e3", "31.1.2026", "-"}, {"x", "0", "2026-12-01", "2026-06-30 00:00:00"},
		{"y", "-0", "", ""}, {"z", "0.10", "", "2026-06-30 12:00:01"},
	}
	for range heldRows {
		rows = append(rows, []string{"more", "1", "", ""})
	}
	w, err := Write(&b, "x.xlsx", columns, Options{Kinds: kinds})
	for _, r := range rows {
		err = errors.Join(err, w.Row(r...))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	packed := bytes.Clone(b.Bytes())
	r, err := Read(&b, "x.xlsx", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range rows {
		want = slices.Clone(want)
		if n, _, ok := plainNumber(want[1]); ok {
			want[1] = strconv.FormatFloat(n, 'f', -1, 64)
		}
		got, err := r.Next()
		for len(got.Values) < len(want) {
			got.Values = append(got.Values, "")
		}
		if err != nil || !slices.Equal(got.Values, want) {
			t.Errorf("row %d is read as %q, not %q (%v)", i, got.Values, want, err)
		}
	}
	f, err := excelize.OpenReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	sheet := f.GetSheetName(0)
	for cell, want := range map[string]excelize.CellType{"A2": excelize.CellTypeInlineString,
		"B2": excelize.CellTypeUnset, "C2": excelize.CellTypeUnset, "D2": excelize.CellTypeUnset,
		"A8": excelize.CellTypeInlineString, "B5": excelize.CellTypeInlineString, "B6": excelize.CellTypeInlineString,
		"C5": excelize.CellTypeInlineString} {
		if kind, err := f.GetCellType(sheet, cell); kind != want || err != nil {
			t.Errorf("%s has kind %d, not %d (%v)", cell, kind, want, err)
		}
	}
	if raw, err := f.GetCellValue(sheet, "C2", excelize.Options{RawCellValue: true}); raw != "46053" || err != nil {
		t.Errorf("the day is %s, %v", raw, err)
	}
	if panes, err := f.GetPanes(sheet); !panes.Freeze || panes.YSplit != 1 || err != nil {
		t.Errorf("%+v, %v", panes, err)
	}
	if wide, err := f.GetColWidth(sheet, "D"); wide < 19 || err != nil {
		t.Errorf("%v wide, %v", wide, err)
	}
	names := f.GetDefinedName()
	if len(names) != 1 || names[0].RefersTo != "'Sheet1'!$A$1:$D$111" {
		t.Errorf("what filters: %+v", names)
	}
}

// Days that a spreadsheet keeps in its reader's own form are read as days.
func TestDaysOfSpreadsheetsAreRead(t *testing.T) {
	f := excelize.NewFile()
	id, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	err = errors.Join(err, f.SetCellValue("Sheet1", "A1", "orderDate"), f.SetCellValue("Sheet1", "A2", 46053),
		f.SetCellStyle("Sheet1", "A2", "A2", id))
	var b bytes.Buffer
	if err := errors.Join(err, f.Write(&b)); err != nil {
		t.Fatal(err)
	}
	r, err := Read(&b, "x.xlsx", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if row, err := r.Next(); err != nil || row.Get(0) != "2026-01-31" {
		t.Errorf("%q, %v", row.Values, err)
	}
}

// A number is read as it is, whatever is shown of it, and a day however it is shown. Codes, percentages and times of
// day are what they show.
func TestNumbersOfSpreadsheetsAreReadAsTheyAre(t *testing.T) {
	f := excelize.NewFile()
	cells := []struct {
		value      float64
		format     string // of the workbook's own, or none and the number of one that all have
		id         int
		want, cell string
	}{
		{12.5, "", 1, "12.5", "A2"}, {1234.5, "", 4, "1234.5", "B2"}, {1234.5, `#,##0.00\ "kr"`, 0, "1234.5", "C2"},
		{0.125, "[$€-407] #,##0.00;[Red]-#,##0.00", 0, "0.125", "D2"}, {-3.125, "0", 0, "-3.125", "E2"},
		{46027, "dd.mm.yyyy", 0, "2026-01-05", "F2"}, {46027, "[$-41D]d mmmm yyyy;@", 0, "2026-01-05", "G2"},
		{46027.5, "yyyy/mm/dd hh:mm", 0, "2026-01-05 12:00", "H2"}, {46027, "", 15, "2026-01-05", "I2"},
		{1234, "00000", 0, "01234", "J2"}, {0.25, "", 9, "25%", "K2"}, {0.5, "", 20, "12:00", "L2"},
		{7310865004703, "0", 0, "7310865004703", "M2"}, {1234567.123456, "#,##0", 0, "1234567.123456", "N2"},
	}
	for _, c := range cells {
		style := &excelize.Style{NumFmt: c.id}
		if c.format != "" {
			style.CustomNumFmt = &c.format
		}
		id, err := f.NewStyle(style)
		if err = errors.Join(err, f.SetCellValue("Sheet1", strings.Replace(c.cell, "2", "1", 1), c.cell),
			f.SetCellValue("Sheet1", c.cell, c.value), f.SetCellStyle("Sheet1", c.cell, c.cell, id)); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	r, err := Read(&b, "x.xlsx", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	row, err := r.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		if got := row.Get(i); got != c.want {
			t.Errorf("%v as %q %d: %q, not %q", c.value, c.format, c.id, got, c.want)
		}
	}
}

func TestEncodingsAreRead(t *testing.T) {
	const text = "number;name\n1;Åsa Öberg\n2;Müller – 5 €\n"
	cp1252, err := charmap.Windows1252.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	utf16, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().
		String(strings.ReplaceAll(text, ";", "\t"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file, text, encoding string }{
		{"utf-8", "x.csv", text, ""}, {"utf-8 by name", "x.csv", "\ufeff" + text, "UTF-8"},
		{"cp1252", "x.csv", cp1252, "cp1252"}, {"utf-16", "x.csv", utf16, ""}, {"utf-16 of tabs", "x.txt", utf16, ""},
	} {
		r, err := Read(strings.NewReader(c.text), c.file, ReadOptions{Encoding: c.encoding})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range []string{"Åsa Öberg", "Müller – 5 €"} {
			if row, err := r.Next(); err != nil || row.Get(1) != want || r.Columns()[0] != "number" {
				t.Errorf("%s: %q %q, %v", c.name, r.Columns(), row.Values, err)
			}
		}
	}
	r, err := Read(strings.NewReader(cp1252), "x.csv", ReadOptions{})
	if err == nil {
		_, err = r.Next()
	}
	if err == nil || !strings.Contains(err.Error(), "line 2") || !strings.Contains(err.Error(), "--encoding cp1252") {
		t.Errorf("the wrong encoding: %v", err)
	}
	if _, err := Read(strings.NewReader(text), "x.csv", ReadOptions{Encoding: "klingon"}); err == nil ||
		!strings.Contains(err.Error(), "cp1252") {
		t.Errorf("no encoding: %v", err)
	}
	if r, err = Read(strings.NewReader("sep=|\r\na|b\r\n1;2|3\r\n"), "x.csv", ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	if row, err := r.Next(); err != nil || row.Line != 3 || !slices.Equal(row.Values, []string{"1;2", "3"}) {
		t.Errorf("with a line that names the separator: %+v, %v", row, err)
	}
	if r, err = Read(strings.NewReader("a|b\n1;2|3\n"), "x.csv", ReadOptions{Delimiter: '|'}); err != nil {
		t.Fatal(err)
	}
	if row, err := r.Next(); err != nil || !slices.Equal(row.Values, []string{"1;2", "3"}) {
		t.Errorf("%q, %v", row.Values, err)
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
