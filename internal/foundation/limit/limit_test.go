package limit

import (
	"testing"

	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/fault"
)

func TestWhatIsAboveItsBoundIsNotedWithItsField(t *testing.T) {
	for _, b := range []Bound{Quantity, Stock, Price, Amount, Total} {
		for d, want := range map[dec.Dec]bool{0: true, b.Most(): true, -b.Most(): true, b.Most() + 1: false,
			-b.Most() - 1: false, dec.Max: false} {
			var given, follows fault.List
			b.Check(&given, "at", d)
			b.Of(&follows, "at", func() dec.Dec { return d })
			if given.Empty() != want || follows.Empty() != want {
				t.Errorf("bound %d takes %s: %v and %v, want %v", b, d, given.Empty(), follows.Empty(), want)
			}
			if !want && (given.Fields()[0].Path != "at" || given.Fields()[0].Code != follows.Fields()[0].Code) {
				t.Errorf("bound %d refuses %s with %+v and %+v", b, d, given.Fields(), follows.Fields())
			}
		}
		if b.Holds(func() dec.Dec { return dec.Max.Add(dec.One) }) {
			t.Errorf("bound %d holds what is out of range", b)
		}
	}
}

// As many of the largest lines as a document may have never leave the range of decimals, nor do the largest lines of a
// cart.
func TestBoundsLeaveRoom(t *testing.T) {
	if Total.Most().Mul(2*dec.One) > dec.Max/2 || Amount.Most() > Total.Most() || Price.Most() > Amount.Most() {
		t.Error("a total with its tax twice over must be far from the range")
	}
}

func TestAtMostIsTheBoundWhereItIsPassed(t *testing.T) {
	most := Quantity.Most()
	for in, want := range map[dec.Dec]dec.Dec{dec.One: 2 * dec.One, most: most, dec.Max: most} {
		if got := Quantity.AtMost(func() dec.Dec { return in.Add(in) }); got != want {
			t.Errorf("twice %s is at most %s, want %s", in, got, want)
		}
	}
}
