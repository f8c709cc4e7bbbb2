package app_test

import (
	"fmt"
	"testing"
)

// Pages are put below one another by several people at once, and a parent is deleted beneath a new child: no pages
// stand in a circle, and none below a page that is gone.
func TestPagesAtOnceStayATree(t *testing.T) {
	eachShop(t, func(s *shop) {
		pages := "/preview/channels/WEB/content-pages"
		made := func(slug string) {
			s.must(201, "POST", pages, fmt.Sprintf(`{"slug": %q, "title": "A page"}`, slug))
		}
		for round := range 12 {
			const around = 3
			slug := func(i int) string { return fmt.Sprintf("p-%d-%d", round, i%around) }
			for i := range around {
				made(slug(i))
			}
			got := outcomes(s.answersOf(around, func(i int) (answer, error) {
				return s.try("PATCH", pages+"/"+slug(i), fmt.Sprintf(`{"parentSlug": %q}`, slug(i+1)))
			}))
			if want := fmt.Sprintf("1x400 ContentPage.Cycle %dx200", around-1); got != want {
				t.Errorf("%d pages, each below the next: %s, want %s", around, got, want)
			}
			made(slug(0) + "-parent")
			both := s.answersOf(2, func(i int) (answer, error) {
				if i == 0 {
					return s.try("DELETE", pages+"/"+slug(0)+"-parent", "")
				}
				return s.try("POST", pages, fmt.Sprintf(`{"slug": "%s-child", "title": "A page", "parentSlug": "%s-parent"}`,
					slug(0), slug(0)))
			})
			if both[0].status == 204 && both[1].status == 201 {
				t.Errorf("a page is below one that was deleted: %s", outcomes(both))
			}
		}
	})
}
