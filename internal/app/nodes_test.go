package app

import (
	"maps"
	"slices"
	"testing"
	"time"

	"kontor/internal/foundation/db"
)

// A node is gone that wrote nothing while this one looked all the time: one that was silent together with this one is
// not.
func TestWhoIsGone(t *testing.T) {
	var s sightings
	now := time.Now()
	look := func(pass time.Duration, rows map[string]db.Time, want ...string) {
		t.Helper()
		now = now.Add(pass)
		s.see(rows, now)
		if got := slices.Sorted(maps.Keys(s.gone())); !slices.Equal(got, want) {
			t.Errorf("gone are %v, want %v", got, want)
		}
	}
	look(0, map[string]db.Time{"a": 1, "b": 1})
	look(nodeBeat, map[string]db.Time{"a": 2, "b": 1})
	look(nodeBeat, map[string]db.Time{"a": 3, "b": 1})
	look(nodeBeat, map[string]db.Time{"a": 4, "b": 1}, "b")
	look(nodeBeat, map[string]db.Time{"a": 4})
	look(nodeBeat, map[string]db.Time{"a": 4})
	look(time.Minute, map[string]db.Time{"a": 4})
	look(nodeBeat, map[string]db.Time{"a": 5})
}
