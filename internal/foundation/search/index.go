package search

import (
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/each"
)

// Index is the documents of one shop in one language. Any number of goroutines may search, and none waits for a writer;
// writers wait for each other.
type Index struct {
	folder string // "" = in memory alone
	lang   *language
	now    atomic.Pointer[snapshot]
	lexis  atomic.Pointer[lexicon]

	feed   sync.Mutex // one writer at a time; taken before mu
	saving sync.Mutex // one Save at a time; taken before mu
	kept   map[uint64]bool

	mu      sync.Mutex // the fields below, and replacing the snapshot
	places  map[string]place
	numbers map[string]uint32 // of values in the book, by facet and value
	cursor  int64
	next    uint64 // the serial of the next segment
	merging bool
	merges  sync.WaitGroup
}

// Popularity is that of the documents which have any, by id.
func (x *Index) Popularity() map[string]uint32 {
	s, out := x.now.Load(), map[string]uint32{}
	for i := range s.views {
		v := &s.views[i]
		for doc, n := range v.popularity {
			if n > 0 && !v.dead.has(uint32(doc)) {
				out[v.ids.text(uint32(doc))] = n
			}
		}
	}
	return out
}

// snapshot is the index at one moment. Nothing in it changes.
type snapshot struct {
	views []view // the oldest first
	alive int
	span  uint32 // of the numbers of all documents
	book  book
}

// view is a segment with its dead at one moment.
type view struct {
	*segment
	serial  uint64
	dead    set
	alive   int
	base    uint32   // the number of its first document among those of all views, a multiple of 64
	numbers []uint32 // of the segment's values in the book
}

// of is the view's part of a set of documents of all views.
func (v *view) of(all set) set { return all[v.base/64:][:wordsFor(v.size())] }

// place is where a living document is.
type place struct {
	serial uint64
	doc    uint32
}

// book is every value of every facet under one number for all segments. Values that no document has any more stay in it
// until the index is opened again. Its slices only grow, so older snapshots may share them.
type book struct {
	facets []bookFacet
	keys   []string // facet \x00 value
	labels []string
	spoken []string // the labels as spoken makes them
}

type bookFacet struct {
	name   string
	values []uint32
}

func (b book) facet(name string) []uint32 {
	for _, f := range b.facets {
		if f.name == name {
			return f.values
		}
	}
	return nil
}

// New is an empty index in memory, or one that will be kept in a folder: what was there is replaced by the first Save,
// until which another may be searched and kept there. Segments are numbered from the clock on, so that no two indexes
// of a folder ever name one alike: what a crash leaves is one of them, never a mixture. The language is "sv", "nb",
// "da", "fi", "de" or "en"; in others words are compared as they are.
func New(folder, language string) *Index {
	x := &Index{folder: folder, lang: languageOf(language), kept: map[uint64]bool{}, places: map[string]place{},
		numbers: map[string]uint32{}, next: uint64(time.Now().UnixMicro())}
	x.now.Store(&snapshot{})
	x.lexis.Store(&lexicon{})
	return x
}

// Len is how many documents the index has.
func (x *Index) Len() int { return x.now.Load().alive }

// Cursor is how far the changes are in the index: what Upsert and Delete were told last.
func (x *Index) Cursor() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.cursor
}

const (
	// batch is how many documents are built into one segment at most: it bounds the memory of building.
	batch = 2000
	// fanIn is how many segments of a size are merged into one of the next.
	fanIn = 5
	// manyDocuments make a merge that takes much memory.
	manyDocuments = 40_000
	// crowd is how many segments there may be before writers wait for the merges.
	crowd = 48
)

// Upsert adds documents or puts them in the place of those with their ids. They are found when it returns. The cursor
// is what Cursor and an index opened again will say.
func (x *Index) Upsert(docs []Document, cursor int64) {
	x.feed.Lock()
	defer x.feed.Unlock()
	last := make(map[string]int, len(docs))
	for i, d := range docs {
		last[d.ID] = i
	}
	fresh := make([]*Document, 0, len(last))
	for i := range docs {
		if last[docs[i].ID] == i {
			fresh = append(fresh, &docs[i])
		}
	}
	for some := range slices.Chunk(fresh, batch) {
		g := build(x.lang, some)
		x.mu.Lock()
		s := x.draft()
		for _, d := range some {
			s.bury(x.places, d.ID)
		}
		s.views = append(s.views, x.entered(&s.book, g))
		x.publish(s)
		crowded := len(s.views) > crowd
		x.mu.Unlock()
		if crowded {
			x.merges.Wait()
		}
	}
	x.moveTo(cursor)
}

// Delete takes documents out; unknown ids do no harm.
func (x *Index) Delete(ids []string, cursor int64) {
	x.feed.Lock()
	defer x.feed.Unlock()
	x.mu.Lock()
	s := x.draft()
	for _, id := range ids {
		s.bury(x.places, id)
	}
	x.publish(s)
	x.mu.Unlock()
	x.moveTo(cursor)
}

func (x *Index) moveTo(cursor int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cursor = cursor
}

// draft is a copy of the snapshot to be changed and published. A view's dead are shared with it until bury copies them.
func (x *Index) draft() *draft {
	old := x.now.Load()
	return &draft{snapshot: snapshot{views: slices.Clone(old.views), book: old.book}, copied: map[uint64]bool{}}
}

type draft struct {
	snapshot
	copied map[uint64]bool
}

// bury marks a document dead wherever it is.
func (s *draft) bury(places map[string]place, id string) {
	p, ok := places[id]
	if !ok {
		return
	}
	delete(places, id)
	for i := range s.views {
		if v := &s.views[i]; v.serial == p.serial {
			s.kill(v, p.doc)
			return
		}
	}
}

func (s *draft) kill(v *view, doc uint32) {
	if !s.copied[v.serial] {
		dead := setOf(v.size())
		copy(dead, v.dead)
		v.dead, s.copied[v.serial] = dead, true
	}
	v.dead.add(doc)
	v.alive--
}

// entered makes a view of a new segment whose documents all live: their places and values are noted. mu is held.
func (x *Index) entered(b *book, g *segment) view {
	v := view{segment: g, serial: x.next, alive: int(g.size()), numbers: x.enter(b, g, nil)}
	x.next++
	for d := range g.size() {
		x.places[g.ids.text(d)] = place{v.serial, d}
	}
	return v
}

// noLabels is for a segment that knows nothing newer than the book: a merge of what is in it already.
func noLabels(uint32) bool { return false }

// enter finds the numbers of a segment's values, giving new ones to new values, and takes over the labels that are
// news; nil = all are. mu is held.
func (x *Index) enter(b *book, g *segment, isNews func(value uint32) bool) []uint32 {
	numbers := make([]uint32, g.values.len())
	isShared := true // labels are replaced in a copy
	for i := range numbers {
		key, label := g.values.at(uint32(i)), g.labels.at(uint32(i))
		n, ok := x.numbers[string(key)]
		switch {
		case !ok:
			n = b.add(string(key), string(label))
			x.numbers[b.keys[n]] = n
		case b.labels[n] != string(label) && (isNews == nil || isNews(uint32(i))):
			if isShared {
				b.labels, b.spoken, isShared = slices.Clone(b.labels), slices.Clone(b.spoken), false
			}
			b.labels[n], b.spoken[n] = string(label), spoken(wordsOf(fold(string(label))))
		}
		numbers[i] = n
	}
	return numbers
}

func (b *book) add(key, label string) uint32 {
	n := uint32(len(b.keys))
	b.keys, b.labels, b.spoken = append(b.keys, key), append(b.labels, label),
		append(b.spoken, spoken(wordsOf(fold(label))))
	name, _, _ := strings.Cut(key, "\x00")
	b.facets = slices.Clone(b.facets)
	for i := range b.facets {
		if b.facets[i].name == name {
			b.facets[i].values = append(b.facets[i].values, n)
			return n
		}
	}
	b.facets = append(b.facets, bookFacet{name, []uint32{n}})
	return n
}

// publish replaces the snapshot, and starts merging where it is due. mu is held.
func (x *Index) publish(s *draft) {
	s.views = slices.DeleteFunc(s.views, func(v view) bool { return v.alive == 0 })
	s.alive, s.span = 0, 0
	for i := range s.views {
		v := &s.views[i]
		s.alive += v.alive
		v.base = s.span
		s.span += 64 * wordsFor(v.size())
	}
	x.now.Store(&s.snapshot)
	if due := due(s.views); due != nil && !x.merging {
		x.merging = true
		x.merges.Go(x.mergeAll)
	}
}

// due is the views to merge next: so many of one size, or one that is mostly dead.
func due(views []view) []view {
	for class := range 10 {
		same := each.Where(views, func(v view) bool { return sizeClass(v.alive) == class })
		if len(same) >= fanIn {
			return same
		}
	}
	for _, v := range views {
		if v.alive*2 < int(v.size()) {
			return []view{v}
		}
	}
	return nil
}

// sizeClass counts the steps of eight from 64 documents up.
func sizeClass(docs int) int { return bits.Len(uint(docs/64)) / 3 }

// mergeAll merges until nothing is due. Readers and writers go on meanwhile.
func (x *Index) mergeAll() {
	for {
		x.mu.Lock()
		parts := due(x.now.Load().views)
		if parts == nil {
			x.merging = false
			x.mu.Unlock()
			return
		}
		x.mu.Unlock()
		x.mergeSome(parts)
	}
}

// mergeSome puts one segment in the place of several. Only one goroutine at a time merges.
func (x *Index) mergeSome(parts []view) {
	docs := 0
	for _, p := range parts {
		docs += p.alive
	}
	if docs >= manyDocuments {
		runtime.GC() // what building left lying would stand beside both the old segments and the new one
	}
	g, sources := merge(x.lang, parts)
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.draft()
	x.replace(s, parts, sources, g)
	x.publish(s)
}

// replace enters a merged segment; what died while it was made is dead in it too. mu is held.
func (x *Index) replace(s *draft, parts []view, sources []source, g *segment) {
	merged := view{segment: g, serial: x.next, alive: int(g.size()), numbers: x.enter(&s.book, g, noLabels)}
	x.next++
	first := slices.IndexFunc(s.views, func(v view) bool { return v.serial == parts[0].serial })
	for i, p := range parts {
		for d, now := range sources[i].docs {
			if now == gone {
				continue
			}
			id := p.ids.text(uint32(d))
			if x.places[id] == (place{p.serial, uint32(d)}) {
				delete(x.places, id) // its key is a part of the old segment's memory
				x.places[g.ids.text(now)] = place{merged.serial, now}
			} else {
				s.kill(&merged, now)
			}
		}
	}
	s.views = slices.DeleteFunc(s.views, func(v view) bool {
		return slices.ContainsFunc(parts, func(p view) bool { return p.serial == v.serial })
	})
	at := min(max(first, 0), len(s.views)) // the first part may have died out meanwhile
	s.views = slices.Insert(s.views, at, merged)
}

// Compact merges all segments into one, for the fastest answers after much has been added.
func (x *Index) Compact() {
	x.feed.Lock()
	defer x.feed.Unlock()
	x.merges.Wait()
	views := x.now.Load().views
	if len(views) == 0 || len(views) == 1 && views[0].alive == int(views[0].size()) {
		return
	}
	x.mergeSome(views)
	x.merges.Wait()
}
