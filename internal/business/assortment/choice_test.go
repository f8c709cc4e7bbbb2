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
}
