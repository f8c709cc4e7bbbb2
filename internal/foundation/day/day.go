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

// AddDays is n days later.
func (d Date) AddDays(n int) Date { return Date(d.Time().AddDate(0, 0, n).Format(time.DateOnly)) }

// EndOfMonth is the last day of d's month.
func (d Date) EndOfMonth() Date {
	t := d.Time()
	return Date(time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Format(time.DateOnly))
}

// Covers reports whether d lies in from..to, both inclusive; an empty bound is open.
func (d Date) Covers(from, to Date) bool {
	return (from == "" || from <= d) && (to == "" || d <= to)
}
