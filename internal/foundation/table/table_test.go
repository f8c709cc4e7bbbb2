package table

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kontor/internal/foundation/fault"
)

func all(t testing.TB, r *Reader) (rows [][]string) {
	t.Helper()
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, append([]string(nil), row.Values...))
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	columns := []string{"itemNumber", "name", "salesPrice"}
	want := [][]string{{"A-1", `Lamp, "red"`, "12.50"}, {"Å/2", "zwei\nZeilen", ""}}
	for _, name := range []string{"x.csv", "x.tsv", "x.xlsx", "x.ndjson", "x.csv.gz", "x.ndjson.zst"} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			w, err := Write(&b, name, columns, Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range want {
				if err := w.Row(row...); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := Read(&b, name, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if r.Index("Item Number") != 0 || r.Index("SALESPRICE") != 2 || r.Index("nothing") != -1 {
				t.Errorf("columns %q are not found by their names", r.Columns())
			}
			got := all(t, r)
			for i := range got { // a spreadsheet does not keep empty cells at a row's end
				for len(got[i]) < len(columns) {
					got[i] = append(got[i], "")
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("read %q, written %q", got, want)
			}
		})
	}
}

func TestSpreadsheetsOfManyCountries(t *testing.T) {
	r, err := Read(strings.NewReader("\ufeffnumber;name\r\n1;Anna\r\n"), "x.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, r); r.Index("number") != 0 || got[0][1] != "Anna" {
		t.Errorf("columns %q rows %q", r.Columns(), got)
	}
}

func TestAFileThatIsNoTable(t *testing.T) {
	for name, text := range map[string]string{"x.csv": "", "x.ndjson": "[1]", "x.xlsx": "PK", "x.pdf": "%PDF",
		"x.csv.gz": "a,b", "x.csv.zst": "a,b"} {
		r, err := Read(strings.NewReader(text), name, ReadOptions{})
		if err == nil {
			_, err = r.Next()
		}
		if err == nil {
			t.Errorf("%s holding %q was taken for a table", name, text)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("x.csv", []byte("a,b\n1,2\n\"3\n"))
	f.Add("x.ndjson", []byte("{\"a\":1}\n{\"b\":null}\n"))
	f.Add("x.tsv", []byte("a\tb\n1\t\"2\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if strings.HasSuffix(name, ".xlsx") {
			return // the library's own ground; its inflation is bounded by options
		}
		r, err := Read(bytes.NewReader(data), name, ReadOptions{})
		if err != nil {
			return
		}
		defer r.Close()
		for range 10_000 {
			row, err := r.Next()
			if err != nil {
				return
			}
			_ = row.Get(len(r.Columns()))
		}
	})
}

// endless is a file that unpacks to one row without an end.
func endless(t testing.TB, head string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	pack, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(pack, head); err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("x"), 1<<20)
	for range 3 * longestRow >> 20 {
		if _, err := pack.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := pack.Close(); err != nil {
		t.Fatal(err)
	}
	return &b
}

func TestARowIsNotReadWithoutEnd(t *testing.T) {
	for name, head := range map[string]string{"x.csv.zst": "a,b\n1,2\n3,", "x.tsv.zst": "",
		"x.ndjson.zst": "{\"a\":1}\n{\"a\":\""} {
		r, err := Read(endless(t, head), name, ReadOptions{})
		for err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, errLongRow) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestManyRowsAreLongerThanOneMayBe(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b\n")
	row := strings.Repeat("x", 1<<20) + ",1\n"
	for range 2 * longestRow >> 20 {
		b.WriteString(row)
	}
	r, err := Read(strings.NewReader(b.String()), "x.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := len(all(t, r)); got != 2*longestRow>>20 {
		t.Errorf("%d rows were read", got)
	}
}

func TestABadRowKeepsNobodyFromTheNext(t *testing.T) {
	r, err := Read(strings.NewReader("a,b\n1,3\" pipe\n2,x\n3,\"y\"z\n4,w\n"), "x.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var good []string
	var bad []int
	for {
		row, err := r.Next()
		var b *BadRow
		if errors.As(err, &b) {
			bad = append(bad, b.Line)
			continue
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		good = append(good, row.Get(0))
	}
	if !reflect.DeepEqual(good, []string{"2", "4"}) || !reflect.DeepEqual(bad, []int{2, 4}) {
		t.Errorf("good rows %q, bad lines %d", good, bad)
	}
	r, err = Read(strings.NewReader("a,b\n1,\"open\n2,x\n"), "x.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var b *BadRow
	if _, err := r.Next(); err == nil || errors.As(err, &b) {
		t.Errorf("a quote that swallows the rest: %v", err)
	}
}

// A row with more values than there are columns has lost its quotes: what stands after a comma would be read as another
// column's. Separators without anything behind them, as spreadsheets write, are nothing.
func TestARowWithMoreValuesThanColumnsIsBad(t *testing.T) {
	const file = "number,name\n1,Screw, large\n2,\"Screw, large\",,\n3,Nut\n"
	r, err := Read(strings.NewReader(file), "x.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var bad *BadRow
	if _, err := r.Next(); !errors.As(err, &bad) || bad.Line != 2 ||
		!strings.HasPrefix(bad.Why.Detail, "it has 3 values for the 2") {
		t.Errorf("a value without its quotes: %v", err)
	}
	if rows := all(t, r); len(rows) != 2 || rows[0][1] != "Screw, large" {
		t.Errorf("the rest: %v", rows)
	}
}

func TestAFileSaysWhyItIsNoTable(t *testing.T) {
	for want, text := range map[string]string{"carriage returns": "a,b\r1,\"2\"\"\r3,x\"\r",
		"quotes do not fit together": "a,b\"c\n1,2\n", "more than 16384 columns": strings.Repeat("a,", MostColumns), "too long": strings.Repeat(",", 3<<20)} {
		if _, err := Read(strings.NewReader(text), "x.csv", ReadOptions{}); err == nil ||
			fault.As(err).Kind != fault.Invalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestASpreadsheetTakesNothingForAFormula(t *testing.T) {
	for text, want := range map[string]string{"=1+1": "'=1+1", "@x": "'@x", "-5.50": "-5.50", "-cmd": "'-cmd",
		"+46 8": "'+46 8", "＝1+1": "'＝1+1", "＠x": "'＠x", "－cmd": "'－cmd", "＋１": "'＋１", "'=1": "''=1", "'tis": "'tis", "Anna": "Anna", "": "",
		// Where a comma stands in numbers these are cells, quoted or not.
		"Bob;=1+1;": "Bob;'=1+1;", "a\n@x": "a\n'@x", "\r=1": "\r'=1", ";'=1;;-2": ";''=1;;-2",
		"a;'b; =1": "a;'b; =1"} {
		if got := plain(text); got != want || unplain(got) != text {
			t.Errorf("%q is written %q, want %q, and read back as %q", text, got, want, unplain(got))
		}
	}
}

func TestFormulasAndMarksAreOptions(t *testing.T) {
	for want, o := range map[string]Options{
		"phone\n'+46 8\n":       {},
		"phone\n+46 8\n":        {Raw: true},
		"\ufeffphone\n'+46 8\n": {BOM: true},
	} {
		var b strings.Builder
		w, err := Write(&b, "t.csv", []string{"phone"}, o)
		if err != nil || w.Row("+46 8") != nil || w.Close() != nil || b.String() != want {
			t.Errorf("%+v: %q, %v", o, b.String(), err)
			continue
		}
		name := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := Open(name, ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		row, err := r.Next()
		if err != nil || r.Columns()[0] != "phone" || row.Get(0) != "+46 8" {
			t.Errorf("%+v is read as %q, %q, %v", o, r.Columns(), row.Values, err)
		}
		r.Close()
	}
}
