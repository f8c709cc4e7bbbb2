package exchange

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/table"
)

// What the import reads as a number, a day or a yes the export writes as such, so that a spreadsheet knows it.
func TestColumnsAreTypedAsTheyAreRead(t *testing.T) {
	kinds := map[string]table.Kind{"number": table.Number, "optional": table.Number, "whole": table.Number,
		"optionalWhole": table.Number, "date": table.Date, "flag": table.Truth}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := map[string]map[table.Kind]bool{} // by column
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?:\bc|cells\(\))\.(\w+)\("(\w+)"`).FindAllStringSubmatch(string(source), -1) {
			if m[1] == "has" || m[1] == "get" {
				continue
			}
			if read[m[2]] == nil {
				read[m[2]] = map[table.Kind]bool{}
			}
			read[m[2]][kinds[m[1]]] = true // Text where it is none of these
		}
	}
	for _, k := range rowKinds() {
		for _, f := range k.fields {
			if f.record != nil && !f.shown && f.kind != kindOfField(&f) {
				t.Errorf("%s: %s is not declared as the record has it", k.name, f.name)
			}
			if as := read[f.name]; len(as) > 0 && !as[f.kind] {
				t.Errorf("%s: %s is not declared as it is read", k.name, f.name)
			}
		}
	}
}

// kindOfField is how a spreadsheet knows what the record has.
func kindOfField(f *field) table.Kind {
	switch f.in(reflect.New(f.record).Elem()).Interface().(type) {
	case int, *int, dec.Dec, *dec.Dec:
		return table.Number
	case day.Date:
		return table.Date
	case bool:
		return table.Truth
	}
	return table.Text
}
