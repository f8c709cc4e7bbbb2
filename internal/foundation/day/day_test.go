package day

import (
	"testing"
	"time"
	_ "time/tzdata" // the zones of the cases, wherever they run
)

// zones are those where a day is begun oddly, besides some where it is not: the clocks are put forward or back at
// midnight, at an odd hour, by half an hour, or over a whole day.
var zones = []string{"Pacific/Auckland", "America/St_Johns", "America/Los_Angeles", "Pacific/Apia", "Europe/Stockholm",
	"UTC", "America/Havana", "America/Santiago", "America/Asuncion", "Atlantic/Azores", "America/Sao_Paulo", "Africa/Cairo",
	"Asia/Beirut", "Asia/Amman", "Asia/Tehran", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Casablanca"}

// A day begins with the first moment that is of it: the one before is of a day before. The clock first shows a time, or
// more, when it has shown less until then.
func TestADayBeginsOnce(t *testing.T) {
	for _, name := range zones {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		shows := func(at time.Time) time.Time {
			_, offset := at.In(zone).Zone()
			return at.UTC().Add(time.Duration(offset) * time.Second)
		}
		for _, first := range []Date{"2011-01-01", "2018-01-01", "2024-01-01", "2026-01-01"} {
			for n := range 366 {
				d := first.AddDays(n)
				at := d.Begins(zone)
				skipped := name == "Pacific/Apia" && d == "2011-12-30" // over the date line
				if is := Of(at, zone); is < d || is > d && !skipped {
					t.Errorf("%s: %s begins at %s, on %s", name, d, at, is)
				}
				if was := Of(at.Add(-time.Microsecond), zone); was >= d {
					t.Errorf("%s: %s begins at %s, and a moment before it is %s", name, d, at, was)
				}
				for minute := 0; minute <= 24*60; minute += 15 {
					wanted, at := d.Time().Add(time.Duration(minute)*time.Minute), d.At(minute, zone)
					if shows(at).Before(wanted) || !shows(at.Add(-time.Second)).Before(wanted) {
						t.Fatalf("%s: the clock first shows %s at %s", name, wanted, at)
					}
				}
			}
		}
	}
}

func TestOnlyRealDaysAreRead(t *testing.T) {
	for _, text := range []string{"", "2026-02-29", "2026-13-01", "0999-01-01", "2026-1-01", "2026-01-01T", "26-01-01",
		"20260101", "2026-01-0x"} {
		if d, err := Parse(text); err == nil {
			t.Errorf("%q is taken for %s", text, d)
		}
	}
	for _, text := range []string{"1000-01-01", "2024-02-29", "9999-12-31"} {
		if d, err := Parse(text); err != nil || string(d) != text {
			t.Errorf("%q is read as %q, %v", text, d, err)
		}
	}
}

// A period has its first and its last day; where one is not said, it has no end there.
func TestAPeriodCoversBothItsEnds(t *testing.T) {
	for _, c := range []struct {
		from, to Date
		want     string // of 9, 10, 11, 12 and 13 June: which are covered
	}{{"", "", "YYYYY"}, {"2026-06-10", "", "NYYYY"}, {"", "2026-06-12", "YYYYN"}, {"2026-06-10", "2026-06-12", "NYYYN"},
		{"2026-06-11", "2026-06-11", "NNYNN"}, {"2026-06-12", "2026-06-10", "NNNNN"}} {
		for n, want := range c.want {
			d := Date("2026-06-09").AddDays(n)
			if got := d.Covers(c.from, c.to); got != (want == 'Y') {
				t.Errorf("%s in %q..%q: %v", d, c.from, c.to, got)
			}
		}
	}
}

// No day lies behind the last one that can be written, nor before others for being longer.
func TestNoDayIsBehindTheLast(t *testing.T) {
	for _, n := range []int{0, 1, 30, 1_000_000} {
		if d := Date("9999-12-31").AddDays(n); d != Last {
			t.Errorf("%d days after the last is %s", n, d)
		}
	}
	if d := Date("9999-12-30").AddDays(1).AddDays(-1); d != "9999-12-30" {
		t.Errorf("the day before the last is %s", d)
	}
}
