package record_test

import (
	"fmt"
	"reflect"
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/record"
)

type Head struct {
	Name   string
	Note   *string
	Secret string `log:"-"`
}

type line struct {
	Number   int
	Item     string
	Quantity dec.Dec
	Serials  []string
}

type document struct {
	record.Root
	Head
	VATNumber string
	Tags      []string
	Lines     []line
}

func TestDiffNamesWhatDiffers(t *testing.T) {
	note, same := "by hand", "by hand"
	before := document{Head: Head{Name: "Ida", Note: &note, Secret: "a"}, VATNumber: "SE1", Tags: []string{"x"},
		Lines: []line{{Number: 1, Item: "A"}, {Number: 2, Item: "B", Serials: []string{"s"}}, {Number: 3, Item: "C"}}}
	after := before
	after.Root.Version++
	after.Secret, after.Note = "b", &same
	after.Lines = []line{{Number: 1, Item: "A", Serials: []string{}}, before.Lines[1], before.Lines[2]}
	before.Tags, after.Tags = nil, []string{}
	if got := record.Diff(before, &after); len(got) != 0 {
		t.Errorf("nothing that is told differs, and the difference is %v", got)
	}
	before.Tags = []string{"x"}
	after.Name, after.VATNumber, after.Tags = "Eva", "SE2", []string{"x", "y"}
	after.Lines = []line{{Number: 1, Item: "A", Quantity: 5}, {Number: 2, Item: "B", Serials: []string{"t"}},
		{Number: 4, Item: "D"}}
	got := record.Diff(&before, after)
	want := map[string][2]any{
		"name": {"Ida", "Eva"}, "vatNumber": {"SE1", "SE2"}, "tags": {[]string{"x"}, []string{"x", "y"}},
		"lines[1].quantity": {dec.Dec(0), dec.Dec(5)}, "lines[2].serials": {[]string{"s"}, []string{"t"}},
		"lines[3]": {line{Number: 3, Item: "C"}, nil}, "lines[4]": {nil, line{Number: 4, Item: "D"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("want %v\ngot  %v", want, got)
	}
}

func BenchmarkDiff(b *testing.B) {
	before := document{Head: Head{Name: "Ida"}}
	for n := range 20 {
		before.Lines = append(before.Lines, line{Number: n + 1, Item: fmt.Sprint("P-", n), Quantity: 1})
	}
	after := before
	after.Lines = append([]line(nil), before.Lines...)
	after.Lines[7].Quantity = 2
	for b.Loop() {
		record.Diff(&before, &after)
	}
}
