package assortment

import (
	"context"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
)

// What sells and what visitors search for leaves no row in the change log. Who looks behind the requests (Follow) takes
// it up now and then.

const (
	// againEvery is how long what was taken up does at least.
	againEvery = 10 * time.Second
	// againShare is how many times as long as the looking took it does too: of a large history it takes a hundredth of
	// the time.
	againShare = 100
)

// Wants reports whether Follow is to be called, although nothing was committed: the last time it was too early to look
// again.
func (s *StoreIndex) Wants(now time.Time) bool {
	at := s.again.Time()
	return !at.IsZero() && !at.After(now)
}

// lookAgain takes up what is popular, unless it was looked at a moment ago. The caller feeds alone.
func (s *StoreIndex) lookAgain(ctx context.Context, read Reader, e *edition) error {
	begun := time.Now()
	if begun.Before(e.again) {
		s.again.Set(e.again)
		return nil
	}
	s.again.Forget()
	var popularity map[string]uint32
	var ids []string
	err := s.reading(read, func(tx *db.Tx, c channel.Channel) (err error) {
		if popularity, err = popularityOf(tx); err != nil {
			return err
		}
		t := touch{ids: moved(e.popularity, popularity)}
		if ids, err = t.family(tx); err != nil {
			return err
		}
		return e.words(tx, c)
	})
	if err != nil {
		return err
	}
	before := e.popularity
	e.popularity = popularity
	if err := s.serveAll(ctx, read, e, ids); err != nil {
		e.popularity = before // these are looked at once more
		return err
	}
	if len(ids) > 0 {
		s.unsaved.Store(true)
	}
	e.again = time.Now().Add(max(againEvery, againShare*time.Since(begun)))
	return nil
}

// moved are the keys whose numbers differ.
func moved(before, after map[string]uint32) map[string]bool {
	out := map[string]bool{}
	for id, n := range after {
		if before[id] != n {
			out[id] = true
		}
	}
	for id := range before {
		if _, still := after[id]; !still {
			out[id] = true
		}
	}
	return out
}
