package assortment

import (
	"slices"
	"strings"
	"testing"
)

// A value that holds commas is found among the pieces, and many pieces are asked about no oftener than a value has
// room for them: a stranger chooses as many as an address holds.
func TestManyValuesAreChosen(t *testing.T) {
	asked := 0
	known := func(value string) bool { asked++; return value == "red, white,blue" }
	got := Choice{Attribute: "color", Values: []string{"green", "red", " white", "blue", " ", "x"}}.values(known)
	if want := []string{"green", "red, white,blue", "x"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	const many = 500
	asked = 0
	got = Choice{Attribute: "color", Values: strings.Split(strings.Repeat("x,", many)+"x", ",")}.values(known)
	if len(got) != many+1 || asked > many*longestValue/2 {
		t.Errorf("%d values, after %d questions", len(got), asked)
	}
	all := Together([]Choice{{"a", []string{"1"}}, {"A", []string{"2"}}, {"a", []string{"1..2"}}, {"a", []string{"3"}}})
	if len(all) != 2 || !slices.Equal(all[0].Values, []string{"1", "2", "3"}) || !slices.ContainsFunc(all[1].Values, isRange) {
		t.Errorf("%v", all)
	}
}
