package assortment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/business/channel"
	"kontor/internal/business/media"
	"kontor/internal/foundation/ago"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// How often store indexes are kept and what visitors did is written down, and how long an index stays open that nobody
// asks for.
const (
	saveEvery  = 30 * time.Second
	closeAfter = 10 * time.Minute
	notesEvery = 2 * time.Second
	tellEvery  = time.Minute
)

// StoreIndexes are the store indexes that a process has open: opened when somebody asks, brought up to date behind the
// requests, closed when nobody asks any more. Several nodes have their own.
type StoreIndexes struct {
	Notes *Notes // what visitors did

	store *db.Store
	dir   string // "" keeps them in memory alone
	log   *slog.Logger
	wake  chan struct{}
	left  atomic.Bool // some were given up that are still open

	mu      sync.Mutex
	indexes map[storeIndexKey]*openIndex

	saved, written, told ago.Moment // of the rounds
}

type storeIndexKey struct{ company, channel string }

// openIndex is a store index with when it was asked for last.
type openIndex struct {
	*StoreIndex
	used  ago.Moment
	due   atomic.Bool
	since ago.Moment // when it fell behind; never = it has not
	heard ago.Moment // of a commit, last
	asked ago.Moment // what is committed, last
}

// OpenStoreIndexes begins with none open. They are kept below a folder that no other process writes to; "" keeps them
// in memory alone.
func OpenStoreIndexes(store *db.Store, dir string, log *slog.Logger) *StoreIndexes {
	s := &StoreIndexes{Notes: NewNotes(), store: store, dir: dir, log: log, wake: make(chan struct{}, 1),
		indexes: map[storeIndexKey]*openIndex{}}
	s.saved.Set(time.Now())
	s.told.Set(time.Now())
	store.OnCommit(s.committed)
	store.OnClose(s.closing)
	return s
}

// committed wakes the store indexes of a company. It is called after a commit and does not wait.
func (s *StoreIndexes) committed(company string) {
	s.mu.Lock()
	some := false
	for k, one := range s.indexes {
		if k.company == company {
			one.Wake()
			one.due.Store(true)
			one.heard.Set(time.Now())
			one.since.SetFirst(time.Now())
			some = true
		}
	}
	s.mu.Unlock()
	if some {
		s.stir()
	}
}

// closing gives up the store indexes of a company whose file is being closed. The loop closes them: who feeds one may
// be waiting for the file.
func (s *StoreIndexes) closing(company string) {
	s.mu.Lock()
	some := false
	for k, one := range s.indexes {
		if k.company == company {
			one.used.Forget()
			some = true
		}
	}
	s.mu.Unlock()
	if some {
		s.left.Store(true)
		s.stir()
	}
}

// stir lets the loop look at once.
func (s *StoreIndexes) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// at is the store index of a channel, opened or not.
func (s *StoreIndexes) at(company, channelCode string) *openIndex {
	k := storeIndexKey{company, record.Fold(channelCode)}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.indexes[k]
	if one == nil {
		one = &openIndex{StoreIndex: NewStoreIndex(channelCode, s.folder(k))}
		s.indexes[k] = one
	}
	one.used.Set(time.Now())
	return one
}

// drop forgets a store index that is closed.
func (s *StoreIndexes) drop(company, channelCode string, closed *openIndex) {
	k := storeIndexKey{company, record.Fold(channelCode)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.indexes[k] == closed {
		delete(s.indexes, k)
	}
}

// folder is where a channel's indexes are kept. A channel's code may hold anything, a folder's name may not.
func (s *StoreIndexes) folder(k storeIndexKey) string {
	if s.dir == "" {
		return ""
	}
	return filepath.Join(s.dir, k.company, fmt.Sprintf("%x", k.channel))
}

// Of is the store index of the viewer's store, as new as the transaction as far as a request can wait for that. What is
// left to be done is done behind it.
func (s *StoreIndexes) Of(tx *db.Tx, v Viewer) (Edition, error) {
	for {
		one := s.at(tx.Company, v.Channel.Code)
		e, err := one.Fresh(tx, v.Channel)
		if errors.Is(err, ErrClosed) {
			s.drop(tx.Company, v.Channel.Code, one) // nobody had asked for it for long: another takes its place
			continue
		}
		if err == nil && (e.Missing() != nil || tx.Lag() > 0) && !one.due.Swap(true) {
			s.stir()
		}
		return e, err
	}
}

// Said is what people are told of indexes that are not as they should be; "" = all are.
func (s *StoreIndexes) Said() string {
	states, behind := s.Figures()
	var parts []string
	if n := states["building"]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d being built for the first time", n))
	}
	if n := states["behind"]; n > 0 && behind >= time.Second {
		parts = append(parts, fmt.Sprintf("%d behind, by %s at most", n, behind.Round(time.Second)))
	}
	return strings.Join(parts, ", ")
}

// Figures are how many indexes there are in each state, and for how long the last of them has been behind.
func (s *StoreIndexes) Figures() (states map[string]int, behind time.Duration) {
	states = map[string]int{"ready": 0, "behind": 0, "building": 0}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.indexes {
		since, lacks := one.since.Time(), one.Behind()
		switch {
		case !one.Ready() && one.due.Load():
			states["building"]++
		case !since.IsZero() || lacks != 0:
			states["behind"]++
		default:
			states["ready"]++
		}
		if !since.IsZero() {
			behind = max(behind, time.Since(since))
		}
		if lacks != 0 {
			behind = max(behind, time.Duration(s.store.Now()-lacks)*time.Microsecond)
		}
	}
	return states, behind
}

// pick are the store indexes that fit.
func (s *StoreIndexes) pick(fits func(one *openIndex) bool) map[storeIndexKey]*openIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[storeIndexKey]*openIndex{}
	for k, one := range s.indexes {
		if fits(one) {
			out[k] = one
		}
	}
	return out
}

// alive fits the store indexes that can be searched or are being made.
func alive(one *openIndex) bool { return one.Ready() || one.due.Load() }

// waiting are the store indexes that are to be looked at now: those that are due, and those that have rested where
// others may have committed what nobody told of.
func (s *StoreIndexes) waiting() map[storeIndexKey]*openIndex {
	now := time.Now()
	return s.pick(func(one *openIndex) bool {
		rested := !s.store.OneWriter() && one.Ready() &&
			now.Sub(one.asked.Time()) >= s.store.Rest(one.heard.Time())
		return rested || one.due.Load() || one.Wants(now)
	})
}

// reader reads a company's data, knowing what is committed.
func (s *StoreIndexes) reader(ctx context.Context, company string) Reader {
	return func(fn func(tx *db.Tx) error) error {
		return s.store.Read(ctx, db.Request{Company: company, Actor: searcher(), AsksCommitted: true}, fn)
	}
}

func searcher() db.Actor { return db.Actor{Kind: "system", ID: "search", Name: "kontor search"} }

// follow brings store indexes up to date.
func (s *StoreIndexes) follow(ctx context.Context) {
	for k, one := range s.waiting() {
		one.asked.Set(time.Now())
		if one.Ready() {
			one.due.Store(false) // before: what is committed from now on makes it due again
		}
		err := one.Follow(ctx, s.reader(ctx, k.company))
		if err == nil && !one.due.Load() {
			one.since.Forget()
		}
		if err == nil || fault.Is(err, channel.ErrNotFound) {
			continue
		}
		one.due.Store(true)
		if ctx.Err() == nil {
			s.log.Warn("the search index could not follow; it is tried again", "company", k.company, "channel",
				k.channel, "error", err)
		}
	}
}

// save keeps what is new, and closes the store indexes that nobody asks for.
func (s *StoreIndexes) save() {
	for k, one := range s.idle() {
		err := one.Close() // before another may be opened in its folder
		s.drop(k.company, k.channel, one)
		if err != nil {
			s.log.Warn("the search index could not be kept", "company", k.company, "channel", k.channel, "error", err)
		}
	}
	for k, one := range s.pick(alive) {
		if err := one.Save(); err != nil {
			s.log.Warn("the search index could not be kept", "company", k.company, "channel", k.channel, "error", err)
		}
	}
}

// idle are the store indexes that nobody has asked for in a while.
func (s *StoreIndexes) idle() map[storeIndexKey]*openIndex {
	before := time.Now().Add(-closeAfter)
	return s.pick(func(one *openIndex) bool { return one.used.Time().Before(before) })
}

// write writes down what visitors did.
func (s *StoreIndexes) write(ctx context.Context) {
	for _, company := range s.Notes.Companies() {
		err := s.Notes.Write(company, func(fn func(tx *db.Tx) error) error {
			return s.store.Write(ctx, db.Request{Company: company, Actor: searcher()}, fn)
		})
		if err != nil {
			s.log.Warn("what visitors did could not be written down", "company", company, "error", err)
			continue
		}
		s.mu.Lock()
		for k, one := range s.indexes {
			if k.company == company && one.Ready() {
				one.due.Store(true) // what many search for is proposed to others
			}
		}
		s.mu.Unlock()
	}
}

// tell sends mails to those who wait for goods, in companies whose stores are open.
func (s *StoreIndexes) tell(ctx context.Context, picture func(company string, f media.File) string) {
	met := map[string]bool{}
	for k := range s.pick(alive) {
		if met[k.company] {
			continue
		}
		met[k.company] = true
		if err := s.TellWaiting(ctx, k.company, picture); err != nil {
			s.log.Warn("those who wait for goods could not be told", "company", k.company, "error", err)
		}
	}
}

// TellWaiting sends mails to those in a company who wait for goods that can be had.
func (s *StoreIndexes) TellWaiting(ctx context.Context, company string,
	picture func(company string, f media.File) string) error {
	for after, more := "", true; more; more = after != "" {
		from := after
		err := s.store.Write(ctx, db.Request{Company: company, Actor: searcher()}, func(tx *db.Tx) (err error) {
			after, err = TellWaiting(tx, from, func(f media.File) string { return picture(company, f) })
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Close keeps everything. Nobody may ask for an index any more.
func (s *StoreIndexes) Close(ctx context.Context) error {
	s.write(ctx)
	s.mu.Lock()
	open := s.indexes
	s.indexes = map[storeIndexKey]*openIndex{}
	s.mu.Unlock()
	var errs []error
	for _, one := range open {
		errs = append(errs, one.Close())
	}
	return errors.Join(errs...)
}

// Stirred says when an index is to be looked at.
func (s *StoreIndexes) Stirred() <-chan struct{} { return s.wake }

// Round lets those follow that are to, and does what is due of the rest: keeping them, writing down what visitors did,
// and telling those who wait for goods. It is called by one goroutine.
func (s *StoreIndexes) Round(ctx context.Context, picture func(company string, f media.File) string) {
	now := time.Now()
	s.follow(ctx)
	if now.Sub(s.written.Time()) > notesEvery {
		s.write(ctx)
		s.written.Set(now)
	}
	if s.left.Swap(false) || now.Sub(s.saved.Time()) > saveEvery {
		s.save()
		s.saved.Set(now)
	}
	if now.Sub(s.told.Time()) > tellEvery {
		s.tell(ctx, picture)
		s.told.Set(now)
	}
}

// Rebuild makes the indexes of a company's stores anew, and puts them in the place of those that are searched
// meanwhile. done is told of each.
func (s *StoreIndexes) Rebuild(ctx context.Context, company string,
	done func(channelCode string, products int, took time.Duration)) error {
	return s.each(ctx, company, func(one *openIndex, code string) error {
		start := time.Now()
		if err := one.Rebuild(ctx, s.reader(ctx, company)); err != nil {
			return err
		}
		if err := one.Follow(ctx, s.reader(ctx, company)); err != nil {
			return err
		}
		done(code, one.Products(), time.Since(start))
		return nil
	})
}

// Verify holds the indexes of a company's stores against the books.
func (s *StoreIndexes) Verify(ctx context.Context, company string, report func(string)) error {
	return s.each(ctx, company, func(one *openIndex, _ string) error {
		return Check(ctx, one.StoreIndex, s.reader(ctx, company), report)
	})
}

// each calls fn for the store index of each active channel.
func (s *StoreIndexes) each(ctx context.Context, company string, fn func(one *openIndex, code string) error) error {
	var channels []channel.Channel
	err := s.reader(ctx, company)(db.Into(&channels, channel.All))
	for _, one := range channels {
		if err == nil && one.IsActive {
			err = fn(s.at(company, one.Code), one.Code)
		}
	}
	return err
}

// Forget throws away what is kept of a company that is gone.
func (s *StoreIndexes) Forget(company string) error {
	var gone []*openIndex
	s.mu.Lock()
	for k, one := range s.indexes {
		if k.company == company {
			gone = append(gone, one)
			delete(s.indexes, k)
		}
	}
	s.mu.Unlock()
	var errs []error
	for _, one := range gone {
		errs = append(errs, one.Close()) // who follows it now would keep it in its folder once more
	}
	if s.dir != "" {
		errs = append(errs, os.RemoveAll(filepath.Join(s.dir, company)))
	}
	return errors.Join(errs...)
}
