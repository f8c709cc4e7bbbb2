package jobs

import (
	"fmt"
	"testing"
)

// However many companies there are, each time as few are looked at, and each of them in its turn.
func TestSweepsAreFlat(t *testing.T) {
	for _, count := range []int{0, 3, mostSwept, 25, 200} {
		var all []string
		for i := range count {
			all = append(all, fmt.Sprint(i))
		}
		looked := map[string]int{}
		from := 0
		rounds := (count + mostSwept - 1) / mostSwept
		for range rounds {
			var some []string
			some, from = someOf(all, from)
			if len(some) > mostSwept {
				t.Fatalf("%d of %d at once", len(some), count)
			}
			for _, c := range some {
				looked[c]++
			}
		}
		if len(looked) != count {
			t.Errorf("of %d companies %d were looked at in %d rounds", count, len(looked), rounds)
		}
	}
}
