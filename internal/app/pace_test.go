package app

import "testing"

func TestGarbageGathersWithinHalfOfTheBudget(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		live, budget int64
		want         int
	}{
		{20 * mb, 1024 * mb, 400}, {200 * mb, 1024 * mb, 150}, {300 * mb, 1024 * mb, 100}, {2000 * mb, 1024 * mb, 100},
		{0, 1024 * mb, 400}, {500 * mb, 0, 400},
	} {
		got := busyPercent(c.live, c.budget)
		if got != c.want {
			t.Errorf("%d MB live of %d: %d %%, want %d", c.live/mb, c.budget/mb, got, c.want)
		}
		if most := c.live * int64(100+got) / 100; got > gcResting && c.budget > 0 && most > c.budget/2 {
			t.Errorf("%d MB live grow to %d of %d", c.live/mb, most/mb, c.budget/mb)
		}
	}
}
