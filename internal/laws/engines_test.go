package laws

import (
	"encoding/json"
	"regexp"
	"testing"

	"kontor/internal/app/apptest"
	"kontor/internal/foundation/db/dbtest"
	"kontor/internal/front/rest"
)

var (
	uuids  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	stamps = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
)

// The same story reads the same on both engines, whatever is asked; and what is asked again, and may come from kept
// bytes, reads as it did.
func TestBothEnginesTellTheSameStory(t *testing.T) {
	told := map[string]map[string]string{}
	for _, engine := range dbtest.Engines() {
		w := newWorld(t, apptest.Place(t, engine))
		w.story()
		told[engine] = map[string]string{}
		eachOperation(func(o served) {
			if o.Kind != rest.KindGet && o.Kind != rest.KindList {
				return
			}
			first, second := w.send(full, "GET", o.own(w), ""), w.send(full, "GET", o.own(w), "")
			if first.Body.String() != second.Body.String() || first.Header().Get("Etag") != second.Header().
				Get("Etag") {
				w.Errorf("%s on %s reads differently the second time:\n%s\n%s", o.ID, engine, first.Body, second.Body)
			}
			told[engine][o.ID] = faceless(t, first)
		})
	}
	for id, want := range told["sqlite"] {
		if got := told["postgres"][id]; got != want {
			t.Errorf("%s differs between the engines:\nsqlite   %s\npostgres %s", id, want, got)
		}
	}
}

// faceless is an answer without what is different each time: ids and moments.
func faceless(t *testing.T, a answer) string {
	t.Helper()
	text, err := json.Marshal(a.body)
	if err != nil {
		t.Fatal(err)
	}
	return stamps.ReplaceAllString(uuids.ReplaceAllString(string(text), "an-id"), "a-moment")
}
