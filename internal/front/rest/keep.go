package rest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/gz"
)

// responseCache finds encoded answers in the store's cache, each with its dependencies: it stands until the commit that
// changes something of what it was made of, and where others commit too, until one of them does. It can be switched off
// to prove that it changes nothing.
type responseCache struct {
	store    Store
	versions *db.Versions

	mu     sync.Mutex
	making map[string]*making
}

// making is an answer that one request is reading while others wait for it. They share it only where they saw the same
// counters before: who comes after a commit reads what it left.
type making struct {
	holds  []db.Mark
	done   chan struct{}
	answer *answer // nil where the reading failed
}

// answer is what a read answers with.
type answer struct {
	body      []byte
	packed    *gz.Kept // of body, where it is worth it
	etag      string
	watermark string
	deps      db.Dependencies // what it was made of; an answer without any is not cached

	read     db.Tables // that it was made of
	observed bool      // and of nothing else

	// Of an answer to visitors: whether it may be cached, the visitor, and what OnServed is told.
	viewed bool
	visit  any
	about  string
	lag    time.Duration // see db.Tx.Behind
}

// maxCachedKey bounds the address of an answer worth keeping.
const maxCachedKey = 512

func newResponseCache(s *Surface) *responseCache {
	if !s.Caches {
		return nil
	}
	return &responseCache{store: s.Store, versions: s.Store.Versions(), making: map[string]*making{}}
}

// get is the cached answer of a name, if it still stands.
func (k *responseCache) get(company, name string) *answer {
	a, _ := k.store.CacheGet(company, name)
	found, _ := a.(*answer)
	return found
}

func (k *responseCache) put(company, name string, a *answer) {
	// A quarter more than the body: its smaller form lies beside it once somebody has taken that.
	k.store.CachePut(company, name, a.deps, len(a.body)*5/4+len(a.etag)+len(a.watermark)+160, a)
}

// key is where the answer to this request would be kept; "" where it is not. A POST that computes is not:
// its body is no part of the address.
func (k *responseCache) key(x *exchange) string {
	if k == nil || !x.plan.op.Traits.Cached || x.plan.op.Method != http.MethodGet ||
		len(x.path)+len(x.r.URL.RawQuery) > maxCachedKey {
		return ""
	}
	return "answer " + x.Prefix + x.path + "\x00" + x.r.URL.RawQuery
}

// basis is what an answer is expected to be made of, as it stood before the reading.
type basis struct {
	tables db.Tables
	marks  []db.Mark
	// rows is how many of the marks are of the tables of a list's rows: the first.
	rows int
}

// basis is taken before the reading, of all tables that the operation's answers were made of so far.
func (k *responseCache) basis(x *exchange) (b basis) {
	company, t := x.caller.Company, &x.plan.op.Traits
	b.tables = *x.plan.read.Load()
	rest := b.tables
	if r := t.CachedOne; r.Name != "" {
		b.marks, rest = k.versions.OfRecord(company, r.Name, x.recordKey()), rest.Without(r.Tables())
	}
	for _, r := range t.CachedRows {
		own := r.Tables()
		b.marks = append(b.marks, k.versions.OfTables(company, own)...)
		rest = rest.Without(own)
	}
	b.rows = len(b.marks)
	b.marks = append(b.marks, k.versions.OfTables(company, rest)...)
	return b
}

// dependencies are those of an answer; none where it was made of more than was expected: then more is expected of the
// next.
func (k *responseCache) dependencies(x *exchange, before basis, a *answer, out any) (none db.Dependencies) {
	if !a.observed {
		return none
	}
	if !a.read.Within(before.tables) {
		for {
			now := x.plan.read.Load()
			more := now.And(a.read)
			if x.plan.read.CompareAndSwap(now, &more) {
				return none
			}
		}
	}
	return db.DependsOnMarks(k.narrowed(x, before, out))
}

// narrowed are the marks of a page that depends on its rows alone. The basis was taken before the reading: where the
// rows' tables have not changed since, the rows' own counters are those of the reading too.
func (k *responseCache) narrowed(x *exchange, before basis, out any) []db.Mark {
	rows := x.plan.op.Traits.CachedRows
	if len(rows) == 0 || filtered(x.r.URL.RawQuery) {
		return before.marks
	}
	keys, keyed := recordKeys(out)
	if !keyed {
		return before.marks
	}
	narrow := append(make([]db.Mark, 0, len(before.marks)+2*len(keys)*len(rows)), before.marks[before.rows:]...)
	narrow = append(narrow, k.versions.Mark(x.caller.Company, rows[0].Name, record.Members()))
	for _, key := range keys {
		for _, r := range rows {
			narrow = append(narrow, k.versions.OfRecord(x.caller.Company, r.Name, key)...)
		}
	}
	if !db.Unmoved(before.marks[:before.rows]) {
		return before.marks
	}
	return narrow
}

// filtered reports whether a query asks for more than a page.
func filtered(query string) bool {
	for part := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(part, "=")
		if name != "" && name != "page" && name != "pageSize" {
			return true
		}
	}
	return false
}

// join answers the reading under way of this answer at these counters, or begins one: then the caller reads, and says
// so with made.
func (k *responseCache) join(company, key string, holds []db.Mark) (m *making, mine bool) {
	key = company + "\x00" + key
	k.mu.Lock()
	defer k.mu.Unlock()
	if m = k.making[key]; m != nil && slices.Equal(m.holds, holds) {
		return m, false
	}
	m = &making{holds: holds, done: make(chan struct{})}
	k.making[key] = m
	return m, true
}

// made ends a reading; an answer that is not kept sends those who wait to read for themselves.
func (k *responseCache) made(company, key string, m *making, a *answer) {
	if a != nil && !a.deps.IsCacheable() {
		a = nil
	}
	if a != nil {
		k.put(company, key, a)
	}
	key = company + "\x00" + key
	k.mu.Lock()
	if k.making[key] == m {
		delete(k.making, key)
	}
	k.mu.Unlock()
	m.answer = a
	close(m.done)
}

// recordKey is the business key that the path names, as the write funnel names it.
func (x *exchange) recordKey() string { return record.Fold(unescape(x.captured[0])) }
