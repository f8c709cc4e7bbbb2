package cache

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Who asks for the same at once is answered by one search, and what could not be found is searched for again.
func TestLoadSearchesOnce(t *testing.T) {
	c := New[int](10, time.Minute)
	away := errors.New("away")
	if _, err := c.Load(t.Context(), "a", func(context.Context, string) (int, error) { return 0, away }); err != away {
		t.Fatalf("a search that fails: %v", err)
	}
	var searches atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			v, err := c.Load(t.Context(), "a", func(context.Context, string) (int, error) {
				searches.Add(1)
				time.Sleep(50 * time.Millisecond)
				return 7, nil
			})
			if v != 7 || err != nil {
				t.Errorf("loaded %d, %v", v, err)
			}
		})
	}
	all.Wait()
	if n := searches.Load(); n != 1 {
		t.Errorf("searched %d times", n)
	}
}

func TestBoundsAndForgets(t *testing.T) {
	c := New[string](10, 50*time.Millisecond)
	if v := c.PutIfAbsent("k", "first"); v != "first" {
		t.Errorf("put %s", v)
	}
	if v := c.PutIfAbsent("k", "second"); v != "first" {
		t.Errorf("the second of two is %s", v)
	}
	time.Sleep(100 * time.Millisecond)
	if v, ok := c.Get("k"); ok {
		t.Errorf("%s is there after its time", v)
	}
	c.Put("k", "again")
	if c.Forget("k"); has(c, "k") {
		t.Error("what was forgotten is there")
	}
	c.Put("k", "again")
	if c.Clear(); has(c, "k") {
		t.Error("what was cleared is there")
	}
}

func has(c Cache[string], key string) bool { _, ok := c.Get(key); return ok }
