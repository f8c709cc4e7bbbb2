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
		traffic.Views("c", Visitor{Session: session, Zone: time.UTC}, at, []Viewed{{URL: path, At: at}})
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

// What happens after midnight in the company's zone is counted on its new day, while it is yesterday elsewhere.
func TestTheCompanysDaysAreCounted(t *testing.T) {
	stockholm, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	now := db.TimeOf(time.Date(2026, 3, 2, 23, 30, 0, 0, time.UTC))
	who, traffic := Visitor{Session: "s", Zone: stockholm}, NewTraffic()
	traffic.Views("c", who, now, []Viewed{{URL: "/", At: now}})
	traffic.Events("c", who, now, []Happened{{Type: "add_to_cart", At: now}})
	traffic.Missed("c", who, now, "unicorn")
	for k := range traffic.companies["c"] {
		if k.day != "2026-03-03" {
			t.Errorf("%v is counted on %s", k, k.day)
		}
	}
	if len(traffic.companies["c"]) != 5 {
		t.Errorf("%d kinds were counted", len(traffic.companies["c"]))
	}
}
