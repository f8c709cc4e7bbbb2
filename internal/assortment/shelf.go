package assortment

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"kontor/internal/channel"
	"kontor/internal/day"
	"kontor/internal/db"
	"kontor/internal/fault"
	"kontor/internal/record"
	"kontor/internal/search"
)

// Shelf is what a channel shows, ready to be searched: an index for each language of the channel, all fed alike. It follows the
// change log: at a request, where little is to be done (Fresh), and behind it (Follow).
type Shelf struct {
	code   string // of the channel
	folder string // "" keeps it in memory alone

	feed    turn // who feeds the indexes
	now     atomic.Pointer[edition]
	awake   atomic.Uint64 // moves with commits of this process, where Versions does not count them
	unsaved atomic.Bool
	again   atomic.Int64 // when Follow wants to be called in any case, in nanoseconds; 0 = with the next change. See Wants
}

// edition is one making of a shelf's indexes. What it stands on is written by who feeds it.
type edition struct {
	languages  []string
	indexes    map[string]*search.Index
	stand      stand
	popularity map[string]uint32
	again      time.Time       // from when on what is popular is looked at again
	free       map[string]bool // whether an item that moved had stock then
	// provisional says that it was begun by a reader who does not know what is committed: it will do until Follow makes it anew.
	provisional bool

	seen     seen
	revision atomic.Uint64
	answers  answers
	tariffs  tariffs
}

// stand is what an edition's documents rest on, besides the changes up to their cursor. It is kept beside them.
type stand struct {
	Documents  int      `json:"documents"`  // generation of what documents hold
	Generation string   `json:"generation"` // of the company's data
	Basis      string   `json:"basis"`      // what all documents depend on
	Day        day.Date `json:"day"`        // on which prices were taken
}

// marks are the counters of changes at the last feeding.
type marks struct {
	general [9]uint64
	stock   uint64
	words   uint64
	epoch   int64
	awake   uint64
	day     day.Date
}

// seen are the marks of the last feeding.
type seen struct{ atomic.Pointer[marks] }

func (s *seen) is(m marks) bool {
	at := s.Load()
	return at != nil && *at == m
}

// NewShelf is the shelf of a channel, kept in a folder, or with "" in memory alone. Nothing is read before Fresh or Follow.
func NewShelf(channelCode, folder string) *Shelf {
	return &Shelf{code: channelCode, folder: folder, feed: make(turn, 1)}
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

// Ready reports whether the shelf can be searched.
func (s *Shelf) Ready() bool { return s.now.Load() != nil }

// Products is how many products are on the shelf.
func (s *Shelf) Products() int {
	if e := s.now.Load(); e != nil {
		return e.indexes[e.languages[0]].Len()
	}
	return 0
}

// Wake says that this process has committed something. It is for where Versions does not count.
func (s *Shelf) Wake() { s.awake.Add(1) }

// index is the index of a language, else of the channel's first.
func (s *Shelf) index(language string) *search.Index {
	e := s.now.Load()
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
	// patience is how long a request waits for who feeds the shelf before it takes it as it is: behind an import, not longer.
	patience = 250 * time.Millisecond
	// atOnce is how many products are read in one transaction.
	atOnce = 1_000
)

func (s *Shelf) marksOf(tx *db.Tx) marks {
	m := marks{epoch: tx.Epoch, awake: s.awake.Load(), day: tx.Today()}
	if v := tx.Versions(); v != nil {
		m.general, m.stock, m.words = generalOf(tx), stockMark(tx), v.Of(tx.Company, Synonyms.Name, "")
		m.awake = 0
	}
	return m
}

// Fresh makes the shelf fit for a request: as new as the transaction, as far as that can be done in passing. Refusal:
// Server.Unavailable while the index of a larger store is built.
func (s *Shelf) Fresh(tx *db.Tx, c channel.Channel) error {
	e := s.now.Load()
	switch {
	case e == nil && !tx.Writes():
		small, err := smallEnough(tx, c)
		if err != nil {
			return err
		}
		if small {
			return s.makeNow(tx, c)
		}
	case e != nil:
		m := s.marksOf(tx)
		if tx.Writes() || e.seen.is(m) || !s.feed.within(patience) {
			return nil // what is written in this transaction is not yet for others to find
		}
		defer s.feed.Unlock()
		if e = s.now.Load(); e.seen.is(m) {
			return nil // who fed before has seen it
		}
		_, err := s.catchUp(tx, e, c, m, inPassing)
		return err
	}
	f := fault.ErrUnavailable.Because("the search index of this store is being built; try again in a moment")
	f.RetryAfterSeconds = 5
	return f
}

// makeNow indexes a small store in this transaction.
func (s *Shelf) makeNow(tx *db.Tx, c channel.Channel) error {
	s.feed.Lock()
	defer s.feed.Unlock()
	if s.now.Load() != nil {
		return nil
	}
	m := s.marksOf(tx)
	e, err := s.open(tx, c)
	if err != nil {
		return err
	}
	if e != nil {
		more, err := s.catchUp(tx, e, c, m, smallShop)
		if err != nil {
			return err
		}
		if !more.anew && !more.much {
			s.now.Store(e)
			return nil
		}
	}
	e, cursor, err := s.begin(tx, c)
	if err != nil {
		return err
	}
	for after, more := "", true; more && err == nil; {
		after, more, err = e.fill(tx, c, after, cursor)
	}
	if err == nil {
		e.settled(tx, m)
		s.now.Store(e)
	}
	return err
}

// begin is an empty edition, and the change from which on it must follow.
func (s *Shelf) begin(tx *db.Tx, c channel.Channel) (*edition, db.Time, error) {
	e := &edition{languages: languagesOf(tx, c), indexes: map[string]*search.Index{}, free: map[string]bool{}}
	for _, l := range e.languages {
		e.indexes[l] = search.New(s.place(l), l)
	}
	err := e.settle(tx, c)
	if err != nil {
		return nil, 0, err
	}
	cursor, err := horizonOf(tx)
	if cursor == open {
		e.provisional, cursor = true, tx.Now-longest
	}
	for _, x := range e.indexes {
		x.Delete(nil, int64(cursor))
	}
	return e, cursor, err
}

// longest is how far back a reader who does not know what is committed looks for late changes.
const longest = db.Time(time.Hour / time.Microsecond)

// settle takes down what the edition's documents rest on.
func (e *edition) settle(tx *db.Tx, c channel.Channel) (err error) {
	e.stand = stand{Documents: generation, Day: tx.Today()}
	if e.stand.Basis, err = basisOf(tx, c); err != nil {
		return err
	}
	if e.stand.Generation, err = dataOf(tx); err != nil {
		return err
	}
	if e.popularity, err = popularityOf(tx); err != nil {
		return err
	}
	return e.words(tx, c)
}

// words gives the indexes the store's synonyms and what is often searched for.
func (e *edition) words(tx *db.Tx, c channel.Channel) error {
	synonyms, err := allSynonyms(tx)
	if err != nil {
		return err
	}
	phrases, err := phrasesOf(tx, c)
	for language, x := range e.indexes {
		x.SetSynonyms(inLanguage(synonyms, language))
		x.SetPhrases(phrases)
	}
	return err
}

// settled notes how far the edition is. Where somebody has committed in between, who may not be in this snapshot, the next request
// looks again.
func (e *edition) settled(tx *db.Tx, m marks) {
	if tx.Undisturbed() {
		e.seen.Store(&m)
	}
	e.revision.Add(1)
}

// fill adds the next articles by number.
func (e *edition) fill(tx *db.Tx, c channel.Channel, after string, cursor db.Time) (last string, more bool, err error) {
	articles, err := articlesAfter(tx, c, after, atOnce)
	if err != nil || len(articles) == 0 {
		return after, false, err
	}
	source, err := gatherSource(tx, c, articles, e.popularity)
	if err != nil {
		return after, false, err
	}
	docs := source.documents(c)
	for _, x := range e.indexes {
		x.Upsert(docs, int64(cursor))
	}
	return lastKey(articles), len(articles) == atOnce, nil
}

// lastKey is where the articles after these begin.
func lastKey(articles []*Article) string { return record.Fold(articles[len(articles)-1].Item.Number) }

// Reader runs fn in a snapshot of the company that knows what is committed (db.Request.AsksCommitted).
type Reader func(fn func(tx *db.Tx) error) error

// Follow brings the shelf up to date, in several transactions where there is much to do, and makes it where there is none.
func (s *Shelf) Follow(ctx context.Context, read Reader) error {
	s.feed.Lock()
	defer s.feed.Unlock()
	e := s.now.Load()
	if e == nil {
		if err := read(func(tx *db.Tx) (err error) {
			c, err := channel.Find(tx, s.code)
			if err == nil {
				e, err = s.open(tx, c)
			}
			return err
		}); err != nil {
			return err
		}
	}
	if e == nil {
		return s.build(ctx, read)
	}
	for {
		more := later{}
		err := read(func(tx *db.Tx) error {
			c, err := channel.Find(tx, s.code)
			if err != nil {
				return err
			}
			more, err = s.catchUp(tx, e, c, s.marksOf(tx), atOnce)
			return err
		})
		switch {
		case err != nil:
			return err
		case more.anew:
			return s.build(ctx, read)
		case !more.much:
			s.now.Store(e)
			return s.lookAgain(ctx, read, e)
		}
		if err := s.work(ctx, read, e, more); err != nil {
			return err
		}
	}
}

// build makes the shelf from nothing, while the one before it, if there is one, is searched.
func (s *Shelf) build(ctx context.Context, read Reader) error {
	var e *edition
	var cursor db.Time
	c := channel.Channel{}
	err := read(func(tx *db.Tx) (err error) {
		if c, err = channel.Find(tx, s.code); err == nil {
			e, cursor, err = s.begin(tx, c)
		}
		return err
	})
	for after, more := "", true; more && err == nil; {
		if err = ctx.Err(); err != nil {
			break
		}
		err = read(func(tx *db.Tx) (err error) {
			after, more, err = e.fill(tx, c, after, cursor)
			return err
		})
	}
	if err != nil {
		return err
	}
	for _, x := range e.indexes {
		x.Compact()
	}
	e.revision.Add(1)
	s.now.Store(e) // what has changed meanwhile is looked at by the next request, or the next Follow
	s.unsaved.Store(true)
	return s.save(e)
}

// place is the folder of a language's index.
func (s *Shelf) place(language string) string {
	if s.folder == "" {
		return ""
	}
	return filepath.Join(s.folder, language)
}

const standFile = "stand.json"

// open is the edition that is kept in the folder; nil where there is none that can be used.
func (s *Shelf) open(tx *db.Tx, c channel.Channel) (*edition, error) {
	if s.folder == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(s.folder, standFile))
	if err != nil {
		return nil, nil // none was kept, or it cannot be read: it is made anew
	}
	e := &edition{languages: languagesOf(tx, c), indexes: map[string]*search.Index{}, free: map[string]bool{}}
	kept := stand{}
	present, err := dataOf(tx)
	if err != nil {
		return nil, err
	}
	if json.Unmarshal(data, &kept) != nil || kept.Documents != generation || kept.Generation != present {
		return nil, nil
	}
	for _, l := range e.languages {
		x, err := search.Open(s.place(l), l)
		if err != nil || x.Cursor() == 0 {
			return nil, nil // damaged, or of another making
		}
		e.indexes[l] = x
	}
	e.popularity = e.indexes[e.languages[0]].Popularity() // with which the documents were made, not that of today
	e.stand = kept
	s.again.Store(1) // something else may be popular by now
	return e, e.words(tx, c)
}

// Save keeps what is new in the folder.
func (s *Shelf) Save() error {
	s.feed.Lock()
	defer s.feed.Unlock()
	e := s.now.Load()
	if e == nil || !s.unsaved.Swap(false) {
		return nil
	}
	return s.save(e)
}

// save keeps the indexes, then what they rest on: when it is interrupted, the older stand makes the documents that depend on
// it be read again.
func (s *Shelf) save(e *edition) error {
	if s.folder == "" {
		return nil
	}
	var errs []error
	for _, x := range e.indexes {
		errs = append(errs, x.Save())
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	text, err := json.Marshal(e.stand)
	if err != nil {
		return err
	}
	temporary := filepath.Join(s.folder, standFile+".new")
	if err := os.WriteFile(temporary, text, 0o600); err != nil {
		return err
	}
	s.unsaved.Store(false)
	return os.Rename(temporary, filepath.Join(s.folder, standFile))
}

// Close keeps the shelf and gives its memory back.
func (s *Shelf) Close() error {
	err := s.Save()
	s.feed.Lock()
	defer s.feed.Unlock()
	e := s.now.Swap(nil)
	if e == nil {
		return err
	}
	errs := []error{err}
	for _, x := range e.indexes {
		errs = append(errs, x.Close())
	}
	return errors.Join(errs...)
}

// Discard throws the shelf away, with what is kept of it in the folder.
func (s *Shelf) Discard() error {
	s.feed.Lock()
	defer s.feed.Unlock()
	s.now.Store(nil)
	if s.folder == "" {
		return nil
	}
	return os.RemoveAll(s.folder)
}

// languagesOf are the languages a channel's products are searched in.
func languagesOf(tx *db.Tx, c channel.Channel) []string {
	if len(c.Languages) == 0 {
		return []string{c.Tongue(tx.Info.Country)}
	}
	return slices.Clone(c.Languages)
}
