package assortment

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/ago"
	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/search"
)

// StoreIndex is what a channel shows, ready to be searched: an index for each language of the channel, all fed alike.
// It follows the change log: at a request, where little is to be done (Fresh), and behind it (Follow). There is always
// one to be searched, the last good one, while what much has changed is brought in, or another is made.
type StoreIndex struct {
	code   string // of the channel
	folder string // "" keeps it in memory alone

	making   sync.Mutex // one at a time follows, or makes anew; taken before feed
	feed     turn       // who feeds the indexes, keeps them or puts others in their place
	isClosed bool       // under feed
	isKept   bool       // there is something in the folder to begin with; under feed
	isUnfit  bool       // what is kept cannot be used; under feed

	now     atomic.Pointer[edition]
	awake   atomic.Uint64 // moves with commits of this process, where Versions does not count them
	unsaved atomic.Bool
	// when Follow wants to be called in any case; never = with the next change. See Wants
	again ago.Moment
}

// edition is one making of a store index's indexes. What it stands on is written by who feeds it.
type edition struct {
	languages  []string
	indexes    map[string]*search.Index
	stand      stand
	popularity map[string]uint32
	again      time.Time       // from when on what is popular is looked at again
	free       map[string]bool // whether an item that moved had stock then
	// provisional says that it was begun by a reader who does not know what is committed: it will do until Follow makes
	// it anew.
	provisional bool

	seen     seen
	behind   atomic.Int64  // see StoreIndex.Behind
	turns    atomic.Int64  // when the window of a publication opens or closes next; 0 = not looked at yet
	revision atomic.Uint64 // of the documents; no other edition has the same
	tariffs  tariffs
}

// stand is what an edition's documents rest on, besides the changes up to their cursor. It is kept beside them.
type stand struct {
	Documents  int      `json:"documents"`  // generation of what documents hold
	Generation string   `json:"generation"` // of the company's data
	Basis      string   `json:"basis"`      // what all documents depend on
	Day        day.Date `json:"day"`        // on which prices were taken
	Turned     db.Time  `json:"turned"`     // up to when windows have opened and closed
}

// marks are the counters of changes at the last feeding.
type marks struct {
	general [9]uint64
	stock   uint64
	words   uint64
	epoch   int64
	awake   uint64
	day     day.Date
	turned  bool // the window of a publication has opened or closed since
}

// seen are the marks of the last feeding.
type seen struct{ atomic.Pointer[marks] }

func (s *seen) is(m marks) bool {
	at := s.Load()
	return at != nil && *at == m
}

// NewStoreIndex is the store index of a channel, kept in a folder, or with "" in memory alone. Nothing is read before
// Fresh or Follow.
func NewStoreIndex(channelCode, folder string) *StoreIndex {
	return &StoreIndex{code: channelCode, folder: folder, feed: make(turn, 1)}
}

// turn is a lock for which one can wait a while.
type turn chan struct{}

func (t turn) Lock() { t <- struct{}{} }

func (t turn) Unlock() { <-t }

// within takes the lock if it comes free in time.
func (t turn) within(d time.Duration) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-time.After(d):
		return false
	}
}

// Ready reports whether the store index can be searched.
func (s *StoreIndex) Ready() bool { return s.now.Load() != nil }

// Products is how many products are on the store index.
func (s *StoreIndex) Products() int {
	if e := s.now.Load(); e != nil {
		return e.indexes[e.languages[0]].Len()
	}
	return 0
}

// Wake says that this process has committed something. It is for where Versions does not count.
func (s *StoreIndex) Wake() { s.awake.Add(1) }

// Behind is since when there are changes that the store index does not show, but for those that the next request takes
// in passing; 0 = there are none.
func (s *StoreIndex) Behind() db.Time {
	if e := s.now.Load(); e != nil {
		return db.Time(e.behind.Load())
	}
	return 0
}

// Edition is a store index as one request finds it, for as long as the request lasts. The zero Edition is that of a
// store without an index: one is being made for the first time.
type Edition struct{ *edition }

// Missing is why there is nothing to search: Server.Unavailable while the first index of a store is made, else nil.
func (e Edition) Missing() error {
	if e.edition != nil {
		return nil
	}
	return fault.ErrUnavailable.Because("the first search index of this store is being made; try again in a moment").
		After(5)
}

// searchLimit is how long a search may take. What is asked for in good faith takes a hundredth of it.
const searchLimit = 2 * time.Second

// search searches within searchLimit, or by the deadline that the request has. Refusals: Request.Invalid at q for more
// words than are looked for; Server.Unavailable where the time did not suffice.
func (e *edition) search(language string, r search.Request) (search.Result, error) {
	x := e.index(language)
	if err := fits(x, r.Text); err != nil {
		return search.Result{}, err
	}
	if r.Deadline.IsZero() {
		r.Deadline = time.Now().Add(searchLimit)
	}
	found := x.Search(r)
	if found.Late {
		return found, tooLate()
	}
	return found, nil
}

// fits refuses more words than are looked for.
func fits(x *search.Index, text string) error {
	if n := x.Words(text); n > search.MostWords {
		return fault.ErrInvalid.At("q", "holds %d words, search for at most %d", n, search.MostWords)
	}
	return nil
}

func tooLate() error {
	return fault.ErrUnavailable.Because("the search took longer than %s; try again in a moment, with fewer words",
		searchLimit).After(2)
}

// index is the index of a language, else of the channel's first.
func (e *edition) index(language string) *search.Index {
	if x := e.indexes[language]; x != nil {
		return x
	}
	return e.indexes[e.languages[0]]
}

const (
	// smallShop is how many publications are indexed while a request waits for it.
	smallShop = 1_000
	// inPassing is how many products are brought up to date while a request waits for it.
	inPassing = 300
	// patience is how long a request waits for who feeds the store index before it takes it as it is: behind an import,
	// not longer.
	patience = 250 * time.Millisecond
	// atOnce is how many products are read in one transaction.
	atOnce = 1_000
)

func (s *StoreIndex) marksOf(tx *db.Tx) marks {
	m := marks{epoch: tx.Epoch, awake: s.awake.Load(), day: tx.Today()}
	if v := tx.Versions(); v != nil {
		m.general, m.stock, m.words = generalOf(tx), stockMark(tx), v.Of(tx.Company, Synonyms.Name)
		m.awake = 0
	}
	return m
}

// Fresh is the store index for a request: as new as the transaction, as far as that can be done in passing. Where more
// is to be done, it is the last good one; the transaction is told how far behind (db.Tx.Behind), and Follow does the
// rest. There is none only where none was ever made and the store is not small. Refusal: ErrClosed.
func (s *StoreIndex) Fresh(tx *db.Tx, c channel.Channel) (e Edition, err error) {
	tx.Apart(func() { e, err = s.fresh(tx, c) })
	if e.edition != nil {
		tx.AnswerDependsOn(e.dependencies(tx))
	}
	return e, err
}

// dependencies are those of every answer for which the edition was asked, whatever else it was made of: that it lags
// behind, too, holds only as long.
func (e *edition) dependencies(tx *db.Tx) db.Dependencies {
	return tx.DependsOn().OnCounter(&e.revision, e.revision.Load()).Within(0, tx.Now+answersLast)
}

func (s *StoreIndex) fresh(tx *db.Tx, c channel.Channel) (Edition, error) {
	e := s.now.Load()
	if e == nil {
		var err error
		if e, err = s.first(tx, c); e == nil || err != nil {
			return Edition{}, err
		}
	}
	m := s.marksOf(tx)
	m.turned = e.hasTurned(tx)
	if tx.Writes() || e.seen.is(m) {
		return Edition{e}, nil // what is written in this transaction is not yet for others to find
	}
	if e.behind.Load() == 0 {
		if !s.feed.within(patience) {
			tx.Behind(patience)
			return Edition{e}, nil
		}
		defer s.feed.Unlock()
		if now := s.now.Load(); now != nil {
			e = now
		}
		if e.seen.is(m) || s.isClosed {
			return Edition{e}, nil // who fed before has seen it
		}
		if _, err := s.catchUp(tx, e, c, m, inPassing); err != nil {
			return Edition{}, err
		}
	}
	if since := db.Time(e.behind.Load()); since != 0 {
		tx.Behind(time.Duration(max(tx.Now-since, 1)) * time.Microsecond)
	}
	return Edition{e}, nil
}

// ErrClosed is what Fresh answers once the store index is closed: another has taken its place.
var ErrClosed = errors.New("assortment: the store index is closed")

// first is the edition with which a store index begins: the one that was kept, or, in a small store, one made in this
// transaction; nil where there is neither.
func (s *StoreIndex) first(tx *db.Tx, c channel.Channel) (*edition, error) {
	s.feed.Lock()
	defer s.feed.Unlock()
	if s.isClosed {
		return nil, ErrClosed
	}
	if e := s.now.Load(); e != nil || tx.Writes() {
		return e, nil
	}
	e, err := s.open(tx, c)
	if e == nil && err == nil {
		e, err = s.makeNow(tx, c)
	}
	if e == nil || err != nil {
		return nil, err
	}
	s.now.Store(e)
	return e, nil
}

// makeNow indexes a small store in this transaction; nil where it is not small. The caller feeds alone.
func (s *StoreIndex) makeNow(tx *db.Tx, c channel.Channel) (*edition, error) {
	small, err := smallEnough(tx, c)
	if err != nil || !small {
		return nil, err
	}
	m := s.marksOf(tx)
	e, cursor, err := s.begin(tx, c)
	for after, more := "", true; more && err == nil; {
		after, more, err = e.fill(tx, c, after, cursor)
	}
	if err != nil {
		return nil, err
	}
	e.fed(tx, m)
	s.unsaved.Store(true)
	return e, nil
}

// languagesOf are the languages a channel's products are searched in.
func languagesOf(tx *db.Tx, c channel.Channel) []string {
	if len(c.Languages) == 0 {
		return []string{c.LanguageOr(tx.Info.Country)}
	}
	return slices.Clone(c.Languages)
}
