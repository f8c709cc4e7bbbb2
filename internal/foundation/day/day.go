// Package day is the calendar date of documents: a day without a time or a zone.
package day

import (
	"errors"
	"time"
)

// Date is YYYY-MM-DD (ISO 8601); empty means none. It sorts and compares as it reads.
type Date string

// ErrSyntax is returned for anything that is not a real day written YYYY-MM-DD.
var ErrSyntax = errors.New("day: not a date of the form YYYY-MM-DD")

// Parse reads a real day between the years 1000 and 9999.
func Parse(s string) (Date, error) {
	if len(s) != 10 || s[0] == '0' {
		return "", ErrSyntax
	}
	if _, err := time.Parse(time.DateOnly, s); err != nil {
		return "", ErrSyntax
	}
	return Date(s), nil
}

// Of is the day t falls on in zone.
func Of(t time.Time, zone *time.Location) Date { return Date(t.In(zone).Format(time.DateOnly)) }

// Time is midnight UTC of the day; the zero time for none.
func (d Date) Time() time.Time { t, _ := time.Parse(time.DateOnly, string(d)); return t }

// Begins is the first moment of the day in zone: midnight, where the day has one.
func (d Date) Begins(zone *time.Location) time.Time { return d.At(0, zone) }

// At is when the clock of a zone first shows so many minutes after midnight of the day, or where it is put forward over
// them, more than that.
func (d Date) At(minute int, zone *time.Location) time.Time {
	wanted := d.Time().Add(time.Duration(minute) * time.Minute)
	offset := func(t time.Time) time.Duration { _, s := t.Zone(); return time.Duration(s) * time.Second }
	t := time.Date(wanted.Year(), wanted.Month(), wanted.Day(), wanted.Hour(), wanted.Minute(), 0, 0, zone)
	from, until := t.ZoneBounds()
	if !from.IsZero() { // the clock may have been put back, and show the same again
		if first := wanted.Add(-offset(from.Add(-1))); first.Before(from) {
			return first.In(zone)
		}
	}
	switch t.UTC().Add(offset(t)).Compare(wanted) { // unequal where the clock never shows it
	case -1:
		return until
	case 1:
		return from
	}
	return t
}

// Last is the last day that can be written.
const Last Date = "9999-12-31"

// AddDays is n days later, or the last day that can be written: one of the year 10000 would come before all others.
func (d Date) AddDays(n int) Date {
	t := d.Time().AddDate(0, 0, n)
	if t.Year() > 9999 {
		return Last
	}
	return Date(t.Format(time.DateOnly))
}

// EndOfMonth is the last day of d's month.
func (d Date) EndOfMonth() Date {
	t := d.Time()
	return Date(time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
}

// Covers reports whether d lies in from..to, both inclusive; an empty bound is open.
func (d Date) Covers(from, to Date) bool {
	return (from == "" || from <= d) && (to == "" || d <= to)
}
