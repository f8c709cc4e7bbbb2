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
