package each_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kontor/internal/foundation/each"
)

func TestEach(t *testing.T) {
	list := []int{3, 10, 4, 30}
	if got := each.Of(list, strconv.Itoa); !slices.Equal(got, []string{"3", "10", "4", "30"}) {
		t.Errorf("of each: %v", got)
	}
	digits := func(n int) int { return len(strconv.Itoa(n)) }
	if got := each.By(list, digits); !maps.Equal(got, map[int]int{1: 4, 2: 30}) {
		t.Errorf("by its digits: %v", got)
	}
	if got := each.Where(list, func(n int) bool { return n%2 == 0 }); !slices.Equal(got, []int{10, 4, 30}) ||
		list[0] != 3 {
		t.Errorf("even: %v of %v", got, list)
	}
	if got := each.Of([]int(nil), strconv.Itoa); got == nil || len(got) != 0 {
		t.Errorf("of none: %#v", got)
	}
	if got := each.Where(list, func(int) bool { return false }); got != nil {
		t.Errorf("where none is: %#v", got)
	}
	if got := each.Once([]int{4, 10, 5, 30, 100}, digits); !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("once: %v", got)
	}
	if got := each.Together(append(list, 5), digits); len(got) != 2 || !slices.Equal(got[0], []int{3, 4, 5}) ||
		!slices.Equal(got[1], []int{10, 30}) {
		t.Errorf("together: %v", got)
	}
	if got := each.Given([]string{"", "a", "", "b"}, strings.ToUpper); !slices.Equal(got, []string{"A", "B"}) {
		t.Errorf("given: %v", got)
	}
	var done []int
	err := each.Do(list, func(n int) error {
		done = append(done, n)
		if n == 4 {
			return errors.New("four")
		}
		return nil
	})
	if err == nil || err.Error() != "four" || !slices.Equal(done, []int{3, 10, 4}) {
		t.Errorf("until one is refused: %v of %v", err, done)
	}
	if got := each.Numbered(list, 2); got != &list[1] || each.Numbered(list, 0) != nil ||
		each.Numbered(list, 5) != nil {
		t.Errorf("the second: %v", got)
	}
}
