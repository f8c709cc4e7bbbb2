package app_test

import (
	"fmt"
	"testing"
	"time"

	"kontor/internal/app/apptest"
	"kontor/internal/foundation/datadir"
)

// A page stands below another from the moment on at which visitors see that one, also where its answer is kept.
func TestAPageNamesItsParentOnceThatIsSeen(t *testing.T) {
	apptest.Each(t, func(t *testing.T, place datadir.Dir) {
		s := newShop(t, place)
		store := []string{"X-Api-Key:", "X-Tenant-Id: " + s.company.ID, "X-Channel: WEB"}
		store = append(store, "Authorization: Bearer "+s.one(s.must(200, "GET", "/ecom/session", "", store...), "sessionToken"))
		pages := "/preview/channels/WEB/content-pages"
		appears := time.Now().Add(3 * time.Second)
		s.must(201, "POST", pages, fmt.Sprintf(`{"slug": "firm", "title": "The firm", "publishDate": %q}`,
			appears.UTC().Format(time.RFC3339Nano)))
		s.must(201, "POST", pages, `{"slug": "people", "title": "People", "parentSlug": "firm"}`)
		s.must(200, "POST", pages+"/firm/publish", "")
		s.must(200, "POST", pages+"/people/publish", "")
		parent := func() string {
			return s.one(s.must(200, "GET", "/ecom/content/pages/people", "", store...), "parentSlug")
		}
		for time.Until(appears) > 500*time.Millisecond { // once is not kept
			if got := parent(); got != "null" && time.Now().Before(appears) {
				t.Errorf("before its parent is seen the page is below %s", got)
			}
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Until(appears) + 50*time.Millisecond)
		if got := parent(); got != "firm" {
			t.Errorf("once its parent is seen the page is below %s", got)
		}
	})
}
