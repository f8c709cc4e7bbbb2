package app

import "testing"

func TestGarbageGathersWithinASixthOfTheBudget(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		live, budget int64
		want         int
	}{
		{20 * mb, 1024 * mb, 400}, {60 * mb, 1024 * mb, 150}, {100 * mb, 1024 * mb, 100}, {2000 * mb, 1024 * mb, 100},
		{100 * mb, 4096 * mb, 400}, {0, 1024 * mb, 400}, {500 * mb, 0, 400},
	} {
		got := busyPercent(c.live, c.budget)
		if got != c.want {
			t.Errorf("%d MB live of %d: %d %%, want %d", c.live/mb, c.budget/mb, got, c.want)
		}
		if most := c.live * int64(100+got) / 100; got > gcResting && c.budget > 0 && most > c.budget/6 {
			t.Errorf("%d MB live grow to %d of %d", c.live/mb, most/mb, c.budget/mb)
		}
	}
}

// Memory is given back once after each busy time: half a minute after it, and all of it when hardly anybody is there.
func TestMemoryIsGivenBackAfterABusyTime(t *testing.T) {
	var p pace
	looks := func(requests int64, want ...turn) {
		t.Helper()
		seen := map[turn]int{}
		for range restsBefore {
			seen[p.look(requests)]++
		}
		for _, w := range []turn{quieter, calm} {
			times := 0
			for _, one := range want {
				if one == w {
					times++
				}
			}
			if seen[w] != times {
				t.Errorf("%d requests between two looks: %d was asked for %d times, want %d", requests, w, seen[w], times)
			}
		}
	}
	looks(0)
	looks(busyFrom)
	looks(calmUpTo+1, quieter)
	looks(calmUpTo + 1)
	looks(calmUpTo, calm)
	looks(0)
	looks(busyFrom)
	looks(0, calm)
	looks(0)
}
