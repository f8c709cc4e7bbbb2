package analytics

import (
	"fmt"
	"testing"
	"time"

	"kontor/internal/foundation/db"
)

// A stranger who makes names up fills no table: past the day's bound they are not told apart, whatever is written
// meanwhile, while views and what is known by name are counted on.
func TestMadeUpNamesAreBounded(t *testing.T) {
	traffic, written := NewTraffic(), map[key]int{}
	now := db.TimeOf(time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC))
	look := func(at db.Time, session, path string) {
		traffic.Views("c", Visitor{Session: session}, at, []Viewed{{URL: path, At: at}})
	}
	flush := func() {
		for k, n := range traffic.companies["c"] {
			written[k] += n
		}
		delete(traffic.companies, "c")
	}
	look(now, "known", "/known")
	for i := range mostNames + 500 {
		look(now, fmt.Sprint(i), fmt.Sprintf("/made-up/%d", i))
		if i%1000 == 0 {
			flush()
		}
	}
	look(now, "known", "/known")
	flush()
	paths, views := 0, 0
	for k, n := range written {
		switch k.kind {
		case Path:
			paths++
		case View:
			views += n
		}
	}
	if paths != mostNames || views != mostNames+502 || written[key{"", "2026-03-02", Path, "/known"}] != 2 {
		t.Errorf("%d paths and %d views were counted, /known %d times", paths, views,
			written[key{"", "2026-03-02", Path, "/known"}])
	}
	look(now+db.Time(24*time.Hour/time.Microsecond), "later", "/new")
	flush()
	if written[key{"", "2026-03-03", Path, "/new"}] != 1 {
		t.Error("a new day has no room for names")
	}
}
