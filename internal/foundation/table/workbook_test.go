package table

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor/internal/foundation/fault"
)

// packed is a workbook with these parts besides those that every one has.
func packed(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	all := map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"></Types>`,
		"_rels/.rels":         relation("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml": `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
			`<sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": relation("worksheet", "worksheets/sheet1.xml"),
	}
	for name, text := range parts {
		all[name] = text
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range all {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// relation names the one part of a kind that another has.
func relation(kind, part string) string {
	return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/` + kind +
		`" Target="` + part + `"/></Relationships>`
}

const sheet1 = "xl/worksheets/sheet1.xml"

// ofRows is a sheet.
func ofRows(rows string) string {
	return `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` + rows +
		`</sheetData></worksheet>`
}

// inRow is a row of texts.
func inRow(number int, texts ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<row r="%d">`, number)
	for _, text := range texts {
		b.WriteString(`<c t="inlineStr"><is><t>` + text + `</t></is></c>`)
	}
	return b.String() + "</row>"
}

// readAll reads a workbook to its end.
func readAll(book []byte) (rows int, err error) {
	r, err := Read(bytes.NewReader(book), "x.xlsx", ReadOptions{})
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for ; err == nil; rows++ {
		_, err = r.Next()
	}
	return rows - 1, err
}

// A workbook that was made to exhaust whoever reads it is refused in no time, before anything is made of it.
func TestAWorkbookThatExhaustsIsRefused(t *testing.T) {
	two := ofRows(inRow(1, "a", "b") + inRow(2, "1", "2"))
	many := func(text string, n int) string { return strings.Repeat(text, n) }
	wide := many("x</t></is></c><c><is><t>", 1<<19)
	for name, c := range map[string]struct {
		parts map[string]string
		want  string
	}{
		"zeros": {map[string]string{sheet1: two, "xl/x.xml": many("\x00", smallWorkbook+1)}, "unpacks to far more"},
		"rows beyond": {map[string]string{sheet1: ofRows(inRow(1, "a") + inRow(2_000_000_000, "1"))},
			"numbers above 1048576"},
		"a wide row": {map[string]string{sheet1: ofRows(inRow(1, wide))}, "far more than"},
		"columns": {map[string]string{sheet1: ofRows(inRow(1, slices.Repeat([]string{"x"}, MostColumns+1)...))},
			"16384 columns"},
		"shared texts": {map[string]string{sheet1: two, sharedTexts: many("<si/>", 2<<20)}, "far more than"},
		"styles":       {map[string]string{sheet1: two, "xl/styles.xml": many("<xf/>", 2<<20)}, "far more than"},
		"a long text": {map[string]string{sheet1: ofRows(inRow(1, "a") + inRow(2, many("x", 2<<20)))},
			"longer than 1 MiB"},
		"entities": {map[string]string{sheet1: `<!DOCTYPE x [<!ENTITY a "b">]>` + ofRows(inRow(1, "&a;"))},
			"is damaged"},
		"an older kind": {nil, "older kind"},
		"half of one":   {map[string]string{sheet1: two}, "only a part of one"},
		"no rows":       {map[string]string{sheet1: ofRows("")}, "sheet is empty"},
	} {
		book := packed(t, c.parts)
		switch name {
		case "an older kind":
			book = append(bytes.Clone(ole), book...)
		case "half of one":
			book = book[:len(book)/2]
		}
		began := time.Now()
		_, err := readAll(book)
		if !fault.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: refused after %s", name, took)
		}
	}
}

// A sheet that breaks off, or does not unpack to what was packed, is told of: the rows before that are no whole table.
func TestADamagedWorkbookIsNotTakenForAShorterOne(t *testing.T) {
	var rows strings.Builder
	for n := range 2000 {
		rows.WriteString(inRow(n+1, fmt.Sprint("number ", n*7919), "name"))
	}
	whole := packed(t, map[string]string{sheet1: ofRows(rows.String())})
	if n, err := readAll(whole); n != 1999 || !errors.Is(err, io.EOF) {
		t.Fatalf("%d rows, %v", n, err)
	}
	z, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	at := int64(0)
	for _, f := range z.File {
		if f.Name == sheet1 {
			at, err = f.DataOffset()
			at += int64(f.CompressedSize64) / 2
		}
	}
	if err != nil || at == 0 {
		t.Fatal(at, err)
	}
	flipped := bytes.Clone(whole)
	flipped[at] ^= 0xff
	for name, book := range map[string][]byte{
		"a byte is another": flipped,
		"a sign that is none in XML": packed(t, map[string]string{sheet1: ofRows(rows.String() + inRow(2001, "a\x0bb") +
			inRow(2002, "c"))}),
		"an open entity": packed(t, map[string]string{sheet1: ofRows(inRow(1, "a") + inRow(2, "Nuts & bolts") +
			inRow(3, "c"))}),
	} {
		if n, err := readAll(book); !fault.Is(err, fault.ErrInvalid) || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
	}
}

// What a workbook holds beside its sheets takes no memory.
func TestPicturesOfAWorkbookAreLeftOut(t *testing.T) {
	book := packed(t, map[string]string{sheet1: ofRows(inRow(1, "a") + inRow(2, "1")),
		"xl/media/image1.png":        strings.Repeat("\x00", 2*smallWorkbook),
		"xl/pivotCache/records1.xml": strings.Repeat("<x/>", 2<<20)})
	if n, err := readAll(book); n != 1 || !errors.Is(err, io.EOF) {
		t.Errorf("%d rows, %v", n, err)
	}
}
