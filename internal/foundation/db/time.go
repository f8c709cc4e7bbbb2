package db

import (
	"fmt"
	"time"

	"kontor/internal/foundation/lazy"
)

// Time is a moment in UTC, in microseconds since 1970; 0 means none and is NULL in the database.
// It is the coarser clock of the two engines, so a moment reads back as it was written.
type Time int64

// TimeOf is t in microseconds; the zero time is none.
func TimeOf(t time.Time) Time {
	if t.IsZero() {
		return 0
	}
	return Time(t.UnixMicro())
}

// Add is the moment a time later, or earlier.
func (t Time) Add(d time.Duration) Time { return t + Time(d.Microseconds()) }

// ClockBack is how far a clock is put back that is merely corrected: one that is behind by more was wrong before.
const ClockBack = time.Minute

// IsLiving reports whether what was given out for a life, and ends at t, is good: it is not over, and does not end
// farther ahead than in two of its lives. Then it was given out by a clock that was put back since, and would outlive
// what it says by as much. One life more lets a clock be corrected while things are in use.
func (t Time) IsLiving(now Time, life time.Duration) bool {
	return t > now && t <= now.Add(2*life)
}

// Time is the moment as the standard library has it; the zero time for none.
func (t Time) Time() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.UnixMicro(int64(t)).UTC()
}

const stampLayout = "2006-01-02T15:04:05.000000Z"

// String is RFC 3339 in UTC with microseconds and the Z designator; empty for none.
func (t Time) String() string {
	if t == 0 {
		return ""
	}
	return t.Time().Format(stampLayout)
}

// MarshalText writes String.
func (t Time) MarshalText() ([]byte, error) { return t.Time().AppendFormat(nil, stampLayout), nil }

// UnmarshalText is ParseTime.
func (t *Time) UnmarshalText(b []byte) (err error) { *t, err = ParseTime(string(b)); return err }

// timestamps are those of RFC 3339, section 5.6, an offset with or without its colon or none at all, and dates alone.
var timestamps = lazy.Regexp(
	`^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(?:([Zz])|([+-][01]\d|[+-]2[0-3]):?([0-5]\d))?)?$`)

// ParseTime reads a moment of the years 1 to 9999: RFC 3339 with Z, an offset (+01:00 or +0100) or neither, which is
// UTC; T and Z in either case. A date alone is its first moment in UTC. Digits finer than microseconds are cut off,
// also before 1970:
// the moment is never later than the one that was written, so that who asks what has changed since then misses nothing.
// The first moment of year 1, which programs write for a time that was never set, is none, and so is what an offset
// puts before it; what an offset puts after year 9999 is its last moment.
func ParseTime(s string) (Time, error) {
	bad := fmt.Errorf("not a timestamp of the form 2006-01-02T15:04:05Z: %q", s)
	m := timestamps().FindStringSubmatch(s)
	if m == nil {
		return 0, bad
	}
	clock, offset := "00:00:00", "Z"
	if m[2] != "" {
		clock = m[2] + "." + (m[3] + "000000")[:6]
	}
	if m[5] != "" {
		offset = m[5] + ":" + m[6]
	}
	t, err := time.Parse(time.RFC3339Nano, m[1]+"T"+clock+offset)
	switch {
	case err != nil || t.Year() == 0:
		return 0, bad
	case t.UTC().Year() == 0:
		return 0, nil
	case t.UTC().Year() > 9999:
		return lastTime, nil
	}
	return TimeOf(t), nil
}

// lastTime is the last moment that can be written.
const lastTime = Time(253402300799_999999)

// Scan reads what binding wrote.
func (t *Time) Scan(v any) error {
	switch v := v.(type) {
	case nil:
		*t = 0
	case int64:
		*t = Time(v)
	default:
		return fmt.Errorf("db: a moment is kept as microseconds, not %T", v)
	}
	return nil
}
