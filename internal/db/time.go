package db

import (
	"fmt"
	"time"
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

// UnmarshalText reads RFC 3339 with Z, an offset, or no designator (UTC).
func (t *Time) UnmarshalText(b []byte) error {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if p, err := time.Parse(layout, string(b)); err == nil {
			*t = TimeOf(p)
			return nil
		}
	}
	return fmt.Errorf("not a timestamp of the form 2006-01-02T15:04:05Z: %q", b)
}

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
