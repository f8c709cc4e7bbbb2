package db

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Source tells of rows that others change: where many processes write, each learns by it which counters of Versions it
// must move.
// It is a statement for the columns stamp, resource, key and kind of the rows of :company whose stamp, a change stamp
// of their writer's transaction, is after :from.
type Source struct {
	Query string
	// Refs are what a row's change moves; quiet where nobody but who remembers it must know.
	Refs  func(resource, key, kind string) []Ref
	Quiet bool
}

// TailToo adds sources. It is called while the house is put together.
func (s *Store) TailToo(sources ...Source) { s.sources = append(s.sources, sources...) }

// Catch makes this process know of every commit of a company that was answered before the call, so that what is
// remembered may be used for this request: its transactions say Caught. Calls that come together share one look. Where
// all commits pass through this process there is nothing to catch up with. Where it fails, nothing remembered may be
// used.
func (s *Store) Catch(ctx context.Context, company string) Caught {
	if s.opt.Engine.OneWriter {
		return Caught{ok: true}
	}
	if !s.caches {
		return Caught{}
	}
	return s.tailOf(company).looks.next(ctx)
}

// tail follows the commits of a company, on an engine with many writers. Writers commit in another order than they are
// stamped:
// what is stamped after the start of the oldest writer that is still open is looked at again, until it has ended.
type tail struct {
	looks   looks[Caught]
	writers looks[waited] // all who wait for the same writers wait together
	store   *Store
	company string

	from Time // all before it is known
	seen map[string]Time
	data data

	mu     sync.Mutex
	up     upTo
	passes [2]Beyond // the last that has passed, and the one that is waited for
}

// upTo is how far a tail has come.
type upTo struct {
	last  Ended // of the last look
	epoch int64 // of the company
	// asked is when the sources were read last, and epochs where the counter of the company's epoch stood before.
	asked  time.Time
	epochs []Mark
}

// data is which of a company's data this is, and the epoch of its reference data.
type data struct {
	generation string
	epoch      int64
}

// Caught is how far a request has caught up with what other processes have committed; the zero value is nowhere.
type Caught struct {
	ok    bool
	epoch int64 // of the company
}

// Up reports whether what is remembered may be used.
func (c Caught) Up() bool { return c.ok }

func (s *Store) tailOf(company string) *tail {
	s.tailsMu.Lock()
	defer s.tailsMu.Unlock()
	t := s.tails[company]
	if t == nil {
		t = &tail{store: s, company: company, seen: map[string]Time{}}
		t.looks.fn, t.writers.fn = t.caught, t.awaitWriters
		s.tails[company] = t
	}
	return t
}

// caught is how far a look has come; nowhere where it fails.
func (t *tail) caught() Caught {
	ctx, cancel := context.WithTimeout(context.Background(), lookTime)
	defer cancel()
	now, err := t.store.ended(ctx)
	if err != nil {
		return Caught{}
	}
	if at := t.at(ctx, now); at.ok {
		return at
	}
	if t.look(ctx, now) != nil {
		return Caught{}
	}
	return Caught{true, t.data.epoch}
}

// catchAt is Catch for who has just seen himself what has ended.
func (s *Store) catchAt(ctx context.Context, company string, now Ended) Caught {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	t := s.tailOf(company)
	if at := t.at(ctx, now); at.ok {
		return at
	}
	return t.looks.next(ctx)
}

// at is how far one has come who has seen what has ended: as far as the last look where that is the same, or where all
// that has ended since are transactions of this process, whose counters have moved, and none of them moved the
// company's epoch. Else it is nowhere.
func (t *tail) at(ctx context.Context, now Ended) Caught {
	t.mu.Lock()
	up := t.up
	t.mu.Unlock()
	if now.equal(up.last) {
		return Caught{true, up.epoch}
	}
	if time.Since(up.asked) >= tailAgain || !t.store.others.areOwn(ctx, up.last, now) || !Unmoved(up.epochs) {
		return Caught{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.up.last.equal(up.last) {
		t.up.last = now
	}
	return Caught{true, up.epoch}
}

// lookTime bounds a look: who waits for it asks the books instead.
const lookTime = 2 * time.Second

// mostTailed is how many changes are told apart; beyond that all that is remembered falls.
const mostTailed = 1_000

// everything is the key under which Versions counts when all that is remembered of a company falls.
const everything = "\x00everything"

// look reads the sources behind what was seen to have ended.
func (t *tail) look(ctx context.Context, now Ended) error {
	c := t.store.shared
	asked, epochs := time.Now(), []Mark{t.store.counters.Mark(t.company, epochs, "")}
	return c.watch.lend(ctx, func(cn *conn) error {
		f := find{tail: t, counts: make([]int, len(t.store.sources)), seen: map[string]Time{}}
		horizon, err := c.engine.Tail(ctx, cn.sql, t.company, t.store.tailText(),
			[]any{t.company, int64(t.from), mostTailed}, f.row)
		if err != nil {
			return err
		}
		f.move(t.from == 0 || horizon < t.from) // another server may have an earlier clock
		t.from = horizon
		t.mu.Lock()
		t.up = upTo{now, t.data.epoch, asked, epochs}
		t.mu.Unlock()
		for key, at := range t.seen {
			if at <= horizon {
				delete(t.seen, key)
			}
		}
		return nil
	})
}

// tailAgain is how long a process that writes alone relies on its own counters: then it reads the sources again, before
// more has gathered there than is told apart.
const tailAgain = 200 * time.Millisecond

// find is what a look finds.
type find struct {
	*tail
	counts  []int // rows by source
	touched []touch
	seen    map[string]Time
	data    data
}

func (f *find) row(r Row) error {
	var source int
	var stamp int64
	var resource, key, kind string
	if err := r.Scan(&source, &stamp, &resource, &key, &kind); err != nil {
		return err
	}
	if source < 0 {
		f.data = data{resource, stamp}
		return nil
	}
	f.counts[source]++
	name := strings.Join([]string{strconv.Itoa(source), strconv.FormatInt(stamp, 36), resource, key, kind}, "\x00")
	if _, met := f.tail.seen[name]; met {
		return nil
	}
	f.seen[name] = Time(stamp)
	s := f.store.sources[source]
	for _, ref := range s.Refs(resource, key, kind) {
		f.touched = append(f.touched, touch{ref.Resource, ref.Key, s.Quiet})
	}
	return nil
}

// move moves the counters of what was found; all is true for the first look, before which nothing is known.
func (f *find) move(all bool) {
	for _, n := range f.counts {
		all = all || n >= mostTailed
	}
	v := f.store.counters
	if f.data != f.tail.data || all {
		v.Counter(f.company, commits, "").Add(1)
		v.Counter(f.company, everything, "").Add(1)
		f.tail.data = f.data
	}
	v.bump(f.company, f.touched)
	maps.Copy(f.tail.seen, f.seen)
}
