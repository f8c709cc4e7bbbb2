package dec

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{"0": "0", "-0": "0", "12.50": "12.5", "000.1": "0.1",
		"-0.000001": "-0.000001", "999999999999.999999": "999999999999.999999", "-999999999999": "-999999999999"} {
		d, err := Parse(text)
		if err != nil || d.String() != want {
			t.Errorf("%q is read as %s, %v; want %s", text, d, err, want)
		}
	}
	for _, text := range []string{"", "-", "+1", "1.", ".5", "1e3", "1,5", "1 000", "0x10", "١", "1.0000000",
		"1000000000000", "NaN", "--1", "1.-2"} {
		if d, err := Parse(text); err == nil {
			t.Errorf("%q is taken for %s", text, d)
		}
	}
}

func TestRoundingIsHalfAwayFromZeroAndOnce(t *testing.T) {
	for _, c := range []struct {
		got  Dec
		want string
	}{
		{Must("2.345").Round(2), "2.35"},
		{Must("-2.345").Round(2), "-2.35"},
		{Must("2.344999").Round(2), "2.34"},
		{Must("0.333333").MulRound(Must("0.015"), 2), "0"},                               // 0.004999995: no half
		{Product(2, Must("1.000001"), Must("0.005"), Must("99.9999"), Must("100")), "0"}, // 0.004999999999995
		{Product(2, Must("0.999999"), Must("0.005"), Must("100"), Must("100")), "0"},
		{Product(2, Must("-3"), Must("0.01"), Must("50"), Must("100")), "-0.02"},
		{Product(0, Must("3"), Must("50"), Must("97.5"), Must("100")), "146"},
		{Must("10").Div(Must("3")), "3.333333"},
		{Convert(Must("100"), Rate{Must("11.5"), One}, Rate{Must("154.2"), Int(100)}, 2), "745.78"},
	} {
		if c.got.String() != c.want {
			t.Errorf("got %s, want %s", c.got, c.want)
		}
	}
}

func TestFixedPrintsMinorDigits(t *testing.T) {
	for _, c := range []struct {
		d    string
		min  int
		want string
	}{{"125", 2, "125.00"}, {"125", 0, "125"}, {"0.125", 2, "0.125"}, {"-0.1", 2, "-0.10"}, {"1", 6, "1.000000"}} {
		if got := Must(c.d).Fixed(c.min); got != c.want {
			t.Errorf("%s with at least %d digits is %s, want %s", c.d, c.min, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1.5", "-0", "1e3", "999999999999.999999", "1,5"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(d.String()); err != nil || again != d {
			t.Errorf("%q is read as %s, which is read as %s, %v", s, d, again, err)
		}
		if strings.ContainsAny(s, "eE+, ") {
			t.Errorf("%q is taken for %s", s, d)
		}
	})
}
