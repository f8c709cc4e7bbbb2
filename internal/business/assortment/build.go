package assortment

import (
	"context"
	"errors"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/search"
)

func newEdition(tx *db.Tx, c channel.Channel) *edition {
	e := &edition{languages: languagesOf(tx, c), indexes: map[string]*search.Index{}, free: map[string]bool{}}
	e.revision.Store(uint64(tx.Now))
	return e
}

// begin is an empty edition, and the change from which on it must follow.
func (s *StoreIndex) begin(tx *db.Tx, c channel.Channel) (*edition, db.Time, error) {
	e := newEdition(tx, c)
	for _, l := range e.languages {
		e.indexes[l] = search.New(s.place(l), l)
	}
	err := e.begin(tx, c)
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

// begin takes down what the edition's documents rest on.
func (e *edition) begin(tx *db.Tx, c channel.Channel) (err error) {
	e.stand = stand{Documents: generation, Day: tx.Today(), Turned: tx.Now}
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

// fed notes how far the edition is. Where somebody has committed in between, who may not be in this snapshot, the
// next request looks again.
func (e *edition) fed(tx *db.Tx, m marks) {
	if tx.Undisturbed() {
		m.turned = false
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

// reading runs fn in a snapshot, with the channel as it is there.
func (s *StoreIndex) reading(read Reader, fn func(tx *db.Tx, c channel.Channel) error) error {
	return read(func(tx *db.Tx) error {
		c, err := channel.Find(tx, s.code)
		if err != nil {
			return err
		}
		return fn(tx, c)
	})
}

// Follow brings the store index up to date, in several transactions where there is much to do, and makes it where there
// is none. What was there goes on being searched.
func (s *StoreIndex) Follow(ctx context.Context, read Reader) error {
	s.making.Lock()
	defer s.making.Unlock()
	current, err := s.follow(ctx, read)
	if err != nil || current {
		return err
	}
	return s.build(ctx, read)
}

// follow is Follow as far as it goes with the edition that there is: it reports whether that was enough.
func (s *StoreIndex) follow(ctx context.Context, read Reader) (current bool, err error) {
	s.feed.Lock()
	defer s.feed.Unlock()
	if s.isClosed {
		return true, nil
	}
	if s.now.Load() == nil {
		err := s.reading(read, func(tx *db.Tx, c channel.Channel) error {
			e, err := s.open(tx, c)
			if e != nil {
				s.now.Store(e)
			}
			return err
		})
		if err != nil || s.now.Load() == nil {
			return false, err
		}
	}
	e, muchWas := s.now.Load(), false
	for {
		more := later{}
		err := s.reading(read, func(tx *db.Tx, c channel.Channel) (err error) {
			more, err = s.catchUp(tx, e, c, s.marksOf(tx), atOnce)
			return err
		})
		switch {
		case err != nil || more.anew:
			return false, err
		case !more.much && s.unsaved.Load() && (muchWas || !s.isKept && s.Products() > smallShop):
			return true, errors.Join(s.lookAgain(ctx, read, e), s.save(e)) // so much is not done twice after a crash
		case !more.much:
			return true, s.lookAgain(ctx, read, e)
		}
		muchWas = true
		if err := s.work(ctx, read, e, more); err != nil {
			return false, err
		}
	}
}

// Rebuild makes the store index from nothing, while the one before it, if there is one, is searched and follows.
func (s *StoreIndex) Rebuild(ctx context.Context, read Reader) error {
	s.making.Lock()
	defer s.making.Unlock()
	return s.build(ctx, read)
}

// build makes an edition from nothing beside the one that is searched, and puts it in its place. The caller makes
// alone.
func (s *StoreIndex) build(ctx context.Context, read Reader) error {
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
		from := after
		err = read(func(tx *db.Tx) (err error) {
			after, more, err = e.fill(tx, c, from, cursor)
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
	s.feed.Lock()
	defer s.feed.Unlock()
	if s.isClosed {
		return nil
	}
	// What has changed meanwhile is looked at by the next request, or the next Follow.
	if before := s.now.Swap(e); before != nil {
		before.revision.Add(1) // nothing that was found in it stands
	}
	s.unsaved.Store(true)
	return s.save(e)
}
