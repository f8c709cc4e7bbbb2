package hours

import (
	"slices"
	"testing"
	"time"
	_ "time/tzdata" // the zone of the cases, wherever they run

	"pgregory.net/rapid"

	"kontor/internal/foundation/day"
)

func TestHoursAreRead(t *testing.T) {
	for text, want := range map[string][]Span{"": nil, "08:00-17:00": {{480, 1020}},
		"8.00–12.00, 13:00 - 24:00": {{480, 720}, {780, 1440}}} {
		got, ok := Parse(text)
		if !ok || len(got) != len(want) {
			t.Fatalf("%q: %v %v", text, got, ok)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %v", text, got)
			}
		}
	}
	for _, text := range []string{"8-17", "17:00-08:00", "08:00-08:00", "08:00-12:00, 11:00-13:00", "08:60-09:00",
		"08:00-24:01", "08:00-17:00,", "x"} {
		if got, ok := Parse(text); ok {
			t.Errorf("%q is taken as %v", text, got)
		}
	}
}

// office is open from eight to five with an hour's lunch on weekdays, and closed on Christmas Day.
func office(t *testing.T) (Week, *time.Location) {
	spans, _ := Parse("08:00-12:00, 13:00-17:00")
	w := Week{Closed: []day.Date{"2026-12-25"}}
	for d := time.Monday; d <= time.Friday; d++ {
		w.Days[d] = spans
	}
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	return w, zone
}

func TestWorkingTimePasses(t *testing.T) {
	w, zone := office(t)
	for _, c := range []struct {
		since string
		much  time.Duration
		until string
	}{
		{"2026-11-23 09:00", 2 * time.Hour, "2026-11-23 11:00"},
		{"2026-11-23 11:00", 2 * time.Hour, "2026-11-23 14:00"},  // over lunch
		{"2026-11-23 12:30", time.Hour, "2026-11-23 14:00"},      // from lunch
		{"2026-11-27 16:00", 2 * time.Hour, "2026-11-30 09:00"},  // over the weekend
		{"2026-11-28 03:00", time.Hour, "2026-11-30 09:00"},      // on a Saturday
		{"2026-12-24 16:00", 9 * time.Hour, "2026-12-28 17:00"},  // over Christmas and the weekend
		{"2026-03-27 16:00", 2 * time.Hour, "2026-03-30 09:00"},  // summer time begins in between
		{"2026-10-23 16:00", 10 * time.Hour, "2026-10-27 09:00"}, // and ends
	} {
		since, _ := time.ParseInLocation("2006-01-02 15:04", c.since, zone)
		at, ok := w.After(since, c.much)
		if got := at.Format("2006-01-02 15:04"); !ok || got != c.until {
			t.Errorf("%s and %s: %s, want %s", c.since, c.much, got, c.until)
		}
		if got := w.Between(since, at); got != c.much {
			t.Errorf("between %s and %s: %s, want %s", c.since, c.until, got, c.much)
		}
	}
	if _, ok := (Week{}).After(time.Now(), time.Hour); ok {
		t.Error("an hour passes where nobody ever is")
	}
}

// What lies between two moments is what After was asked for, wherever they are.
func TestBetweenUndoesAfter(t *testing.T) {
	w, zone := office(t)
	rapid.Check(t, func(t *rapid.T) {
		since := time.Unix(rapid.Int64Range(1_700_000_000, 1_900_000_000).Draw(t, "since"), 0).In(zone)
		much := time.Duration(rapid.IntRange(1, 5000).Draw(t, "minutes")) * time.Minute
		at, ok := w.After(since, much)
		if got := w.Between(since, at); !ok || got != much {
			t.Fatalf("since %s %s: until %s, between them %s", since, much, at, got)
		}
	})
}

// Time that has passed in parts is what has passed in all, whatever hours are kept on nights when the clocks are
// changed, and is at most as long as by a watch.
func TestNightsOfOtherLengthAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		change := rapid.SampledFrom([][2]string{{"America/Los_Angeles", "2026-03-08"}, {"America/Los_Angeles", "2026-11-01"},
			{"America/St_Johns", "2026-03-08"}, {"America/Havana", "2026-03-08"}, {"America/Havana", "2026-11-01"},
			{"Pacific/Auckland", "2026-09-27"}, {"Europe/Stockholm", "2026-03-29"}}).Draw(t, "change")
		zone, err := time.LoadLocation(change[0])
		if err != nil {
			t.Fatal(err)
		}
		ends := rapid.SliceOfNDistinct(rapid.IntRange(0, 16), 4, 4, rapid.ID).Draw(t, "quarters")
		slices.Sort(ends)
		var w Week
		for d := range w.Days {
			w.Days[d] = []Span{{15 * ends[0], 15 * ends[1]}, {15 * ends[2], 15 * ends[3]}}
		}
		noon, _ := time.ParseInLocation(time.DateOnly+" 15", change[1]+" 12", zone)
		a := noon.Add(-time.Duration(rapid.IntRange(360, 840).Draw(t, "earlier")) * time.Minute)
		long := time.Duration(rapid.IntRange(0, 2000).Draw(t, "minutes")) * time.Minute
		b, c := a.Add(long/2), a.Add(long)
		if all, parts := w.Between(a, c), w.Between(a, b)+w.Between(b, c); all != parts || all > long {
			t.Fatalf("%v: %s to %s are %s, in parts %s", ends, a, c, all, parts)
		}
		much := long + time.Minute
		if at, ok := w.After(a, much); !ok || w.Between(a, at) != much {
			t.Fatalf("%v: %s after %s is %s, and between them lies %s", ends, much, a, at, w.Between(a, at))
		}
	})
}
