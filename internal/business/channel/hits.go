package channel

import (
	"maps"
	"slices"
	"sync"

	"kontor/internal/foundation/db"
)

// Hits are the redirects that were followed since they were last written down: a reader need not wait for a commit. A
// crash loses those that were not.
type Hits struct {
	mu        sync.Mutex
	companies map[string]map[string]hit // by redirect
}

// hit is how often a redirect was followed, and when last.
type hit struct {
	count int64
	at    db.Time
}

// Count notes that a redirect was followed.
func (h *Hits) Count(company, id string, at db.Time) { h.add(company, map[string]hit{id: {1, at}}) }

func (h *Hits) add(company string, more map[string]hit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.companies == nil {
		h.companies = map[string]map[string]hit{}
	}
	if h.companies[company] == nil {
		h.companies[company] = map[string]hit{}
	}
	for id, m := range more {
		was := h.companies[company][id]
		h.companies[company][id] = hit{was.count + m.count, max(was.at, m.at)}
	}
}

// Companies are those with something to be written down.
func (h *Hits) Companies() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Collect(maps.Keys(h.companies))
}

// Write writes down what was counted for a company, in one transaction that write runs; where it fails it is kept for
// the next.
func (h *Hits) Write(company string, write func(fn func(tx *db.Tx) error) error) error {
	h.mu.Lock()
	counted := h.companies[company]
	delete(h.companies, company)
	h.mu.Unlock()
	err := write(func(tx *db.Tx) error { return countHits(tx, counted) })
	if err != nil {
		h.add(company, counted)
	}
	return err
}
