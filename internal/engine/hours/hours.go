// Package hours counts working time: only the hours in which somebody is there.
package hours

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/lazy"
)

// Span is a part of a day, in minutes from midnight by the clock of the place: [From, Until).
type Span struct{ From, Until int }

// Week is when somebody is there.
type Week struct {
	Days   [7][]Span  // by time.Weekday, each in its order
	Closed []day.Date // days off
}

const midnight = 24 * 60

var span = lazy.Regexp(`^(\d{1,2})[:.](\d\d)\s*[-–]\s*(\d{1,2})[:.](\d\d)$`)

// Parse reads the hours of a day, such as 08:00-12:00, 13:00-17:00; an empty text is a day off. It answers false where
// the text is none, or the hours do not follow one another.
func Parse(text string) (day []Span, ok bool) {
	if strings.TrimSpace(text) == "" {
		return nil, true
	}
	last := -1
	for part := range strings.SplitSeq(text, ",") {
		m := span().FindStringSubmatch(strings.TrimSpace(part))
		if m == nil {
			return nil, false
		}
		s := Span{minutes(m[1], m[2]), minutes(m[3], m[4])}
		if s.From <= last || s.Until <= s.From || s.Until > midnight {
			return nil, false
		}
		last = s.Until
		day = append(day, s)
	}
	return day, true
}

// minutes from midnight; a clock that shows 61 minutes is beyond every day.
func minutes(hour, minute string) int {
	h, _ := strconv.Atoi(hour) // the pattern takes digits alone
	m, _ := strconv.Atoi(minute)
	if m > 59 {
		return midnight + 1
	}
	return h*60 + m
}

// farthest is how many days are looked through for working time.
const farthest = 3660

// After is the moment by which so much working time has passed since another; none where there is not so much within
// ten years.
func (w Week) After(since time.Time, much time.Duration) (at time.Time, ok bool) {
	for n := range farthest {
		for _, s := range w.on(since, n) {
			if !s.until.After(since) {
				continue
			}
			from := later(s.from, since)
			left := s.until.Sub(from)
			if much <= left {
				return from.Add(much), true
			}
			much -= left
		}
	}
	return at, false
}

// Between is how much working time lies between two moments; 0 where the second is not the later one.
func (w Week) Between(since, until time.Time) (much time.Duration) {
	for n := range farthest {
		for _, s := range w.on(since, n) {
			if !s.from.Before(until) {
				return much
			}
			end := s.until
			if until.Before(end) {
				end = until
			}
			much += max(0, end.Sub(later(s.from, since)))
		}
	}
	return much
}

// open is a span of a certain day.
type open struct{ from, until time.Time }

// on are the hours of the day so many days after that of a moment, by its clock.
func (w Week) on(at time.Time, n int) (out []open) {
	d := day.Of(at, at.Location()).AddDays(n)
	if slices.Contains(w.Closed, d) {
		return nil
	}
	for _, s := range w.Days[d.Time().Weekday()] {
		out = append(out, open{d.At(s.From, at.Location()), d.At(s.Until, at.Location())})
	}
	return out
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
