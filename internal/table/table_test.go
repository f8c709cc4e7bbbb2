package table

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
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
			w, err := Write(&b, name, columns)
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
			r, err := Read(&b, name)
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
	r, err := Read(strings.NewReader("\ufeffnumber;name\r\n1;Anna\r\n"), "x.csv")
	if err != nil {
		t.Fatal(err)
	}
	if got := all(t, r); r.Index("number") != 0 || got[0][1] != "Anna" {
		t.Errorf("columns %q rows %q", r.Columns(), got)
	}
}

func TestAFileThatIsNoTable(t *testing.T) {
	for name, text := range map[string]string{"x.csv": "", "x.ndjson": "[1]", "x.xlsx": "PK", "x.pdf": "%PDF", "x.csv.gz": "a,b", "x.csv.zst": "a,b"} {
		r, err := Read(strings.NewReader(text), name)
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
		r, err := Read(bytes.NewReader(data), name)
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
