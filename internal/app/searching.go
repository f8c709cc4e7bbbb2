package app

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

	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/foundation/ago"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/ecom"
)

// How often the store indexes of stores are thought of, rest between two looks, are kept, and how long one stays open
// that nobody asks for.
const (
	shelfPoll  = 500 * time.Millisecond
	shelfRest  = 50 * time.Millisecond
	shelfSaves = 30 * time.Second
	shelfIdle  = 10 * time.Minute
	notesEvery = 2 * time.Second
	tellEvery  = time.Minute
)

// searching keeps the store indexes of stores: opened when somebody asks, brought up to date behind the requests,
// closed when nobody asks any more. Several nodes have one each.
type searching struct {
	store *db.Store
	dir   string // "" keeps them in memory alone
	lock  *Lock
	log   *slog.Logger
	notes *assortment.Notes
	wake  chan struct{}
	left  atomic.Bool // store indexes were given up that are still open

	mu      sync.Mutex
	indexes map[storeIndexKey]*storeIndex
}

type storeIndexKey struct{ company, channel string }

// storeIndex is a store index with when it was asked for last.
type storeIndex struct {
	*assortment.StoreIndex
	used  ago.Moment
	due   atomic.Bool
	since ago.Moment // when it fell behind; never = it has not
	heard ago.Moment // of a commit, last
	asked ago.Moment // what is committed, last
}

// newSearching begins with no store index open. On a database several nodes may share the data folder: each has a
// folder of indexes of its own.
func (h *App) newSearching(store *db.Store) (*searching, error) {
	s := &searching{store: store, log: h.Log, notes: assortment.NewNotes(), wake: make(chan struct{}, 1),
		indexes: map[storeIndexKey]*storeIndex{}}
	if h.DataDir.Data != "" {
		s.dir = filepath.Join(h.DataDir.Data, "search")
	}
	if !h.Embedded() && s.dir != "" {
		if err := s.takeFolder(); err != nil {
			return nil, err
		}
	}
	store.OnCommit(s.committed)
	store.OnClose(s.closing)
	return s, nil
}

// mostFolders is how many nodes that share a data folder keep their indexes there.
const mostFolders = 32

// takeFolder takes the first folder of indexes that no other node has: search, search-2 and so on. Whose indexes they
// were does not matter, they know how far they are. Where all are taken they are kept in memory alone.
func (s *searching) takeFolder() (err error) {
	first := s.dir
	for n := 1; n <= mostFolders; n++ {
		if s.dir = first; n > 1 {
			s.dir = fmt.Sprintf("%s-%d", first, n)
		}
		if s.lock, err = TakeLock(s.dir); s.lock != nil || err != nil {
			return err
		}
	}
	s.dir = ""
	return nil
}

// committed wakes the store indexes of a company. It is called after a commit and does not wait.
func (s *searching) committed(company string) {
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
func (s *searching) closing(company string) {
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
func (s *searching) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// at is the store index of a channel, opened or not.
func (s *searching) at(company, channelCode string) *storeIndex {
	k := storeIndexKey{company, record.Fold(channelCode)}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.indexes[k]
	if one == nil {
		one = &storeIndex{StoreIndex: assortment.NewStoreIndex(channelCode, s.folder(k))}
		s.indexes[k] = one
	}
	one.used.Set(time.Now())
	return one
}

// drop forgets a store index that is closed.
func (s *searching) drop(company, channelCode string, closed *storeIndex) {
	k := storeIndexKey{company, record.Fold(channelCode)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.indexes[k] == closed {
		delete(s.indexes, k)
	}
}

// folder is where a channel's indexes are kept. A channel's code may hold anything, a folder's name may not.
func (s *searching) folder(k storeIndexKey) string {
	if s.dir == "" {
		return ""
	}
	return filepath.Join(s.dir, k.company, fmt.Sprintf("%x", k.channel))
}

// storeIndex is the store index of the viewer's store, as new as the transaction as far as a request can wait for that.
// What is left to be done is done behind it.
func (s *searching) storeIndex(tx *db.Tx, v assortment.Viewer) (assortment.Edition, error) {
	for {
		one := s.at(tx.Company, v.Channel.Code)
		e, err := one.Fresh(tx, v.Channel)
		if errors.Is(err, assortment.ErrClosed) {
			s.drop(tx.Company, v.Channel.Code, one) // nobody had asked for it for long: another takes its place
			continue
		}
		if err == nil && (e.Missing() != nil || tx.Lag() > 0) && !one.due.Swap(true) {
			s.stir()
		}
		return e, err
	}
}

// said is what people are told of indexes that are not as they should be; "" = all are.
func (s *searching) said() string {
	states, behind := s.figures()
	var parts []string
	if n := states["building"]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d being built for the first time", n))
	}
	if n := states["behind"]; n > 0 && behind >= time.Second {
		parts = append(parts, fmt.Sprintf("%d behind, by %s at most", n, behind.Round(time.Second)))
	}
	return strings.Join(parts, ", ")
}

// figures are how many indexes there are in each state, and for how long the last of them has been behind.
func (s *searching) figures() (states map[string]int, behind time.Duration) {
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
func (s *searching) pick(fits func(one *storeIndex) bool) map[storeIndexKey]*storeIndex {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[storeIndexKey]*storeIndex{}
	for k, one := range s.indexes {
		if fits(one) {
			out[k] = one
		}
	}
	return out
}

// alive fits the store indexes that can be searched or are being made.
func alive(one *storeIndex) bool { return one.Ready() || one.due.Load() }

// waiting are the store indexes that are to be looked at now: those that are due, and those that have rested where
// others may have committed what nobody told of.
func (s *searching) waiting() map[storeIndexKey]*storeIndex {
	now := time.Now()
	return s.pick(func(one *storeIndex) bool {
		rested := !s.store.OneWriter() && one.Ready() &&
			now.Sub(one.asked.Time()) >= s.store.Rest(one.heard.Time())
		return rested || one.due.Load() || one.Wants(now)
	})
}

// reader reads a company's data, knowing what is committed.
func (s *searching) reader(ctx context.Context, company string) assortment.Reader {
	return func(fn func(tx *db.Tx) error) error {
		return s.store.Read(ctx, db.Request{Company: company, Actor: searcher(), AsksCommitted: true}, fn)
	}
}

func searcher() db.Actor { return db.Actor{Kind: "system", ID: "search", Name: "kontor search"} }

// follow brings store indexes up to date.
func (s *searching) follow(ctx context.Context) {
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
func (s *searching) save() {
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
func (s *searching) idle() map[storeIndexKey]*storeIndex {
	before := time.Now().Add(-shelfIdle)
	return s.pick(func(one *storeIndex) bool { return one.used.Time().Before(before) })
}

// write writes down what visitors did.
func (s *searching) write(ctx context.Context) {
	for _, company := range s.notes.Companies() {
		err := s.notes.Write(company, func(fn func(tx *db.Tx) error) error {
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
func (s *searching) tell(ctx context.Context, picture func(company string, f media.File) string) {
	met := map[string]bool{}
	for k := range s.pick(alive) {
		if met[k.company] {
			continue
		}
		met[k.company] = true
		if err := tellWaiting(ctx, s.store, k.company, picture); err != nil {
			s.log.Warn("those who wait for goods could not be told", "company", k.company, "error", err)
		}
	}
}

// tellWaiting sends mails to those in a company who wait for goods that can be had.
func tellWaiting(ctx context.Context, store *db.Store, company string,
	picture func(company string, f media.File) string) error {
	for after, more := "", true; more; more = after != "" {
		err := store.Write(ctx, db.Request{Company: company, Actor: searcher()}, func(tx *db.Tx) (err error) {
			after, err = assortment.TellWaiting(tx, after, func(f media.File) string { return picture(company, f) })
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// close keeps everything and gives the folder back.
func (s *searching) close(ctx context.Context) error {
	s.write(ctx)
	s.mu.Lock()
	shelves := s.indexes
	s.indexes = map[storeIndexKey]*storeIndex{}
	s.mu.Unlock()
	var errs []error
	for _, one := range shelves {
		errs = append(errs, one.Close())
	}
	return errors.Join(append(errs, s.lock.Release())...)
}

// keepShelves lets the store indexes follow until ctx ends.
func (h *App) keepShelves(ctx context.Context) {
	poll := time.NewTicker(shelfPoll)
	defer poll.Stop()
	var saved, written, told time.Time
	saved, told = time.Now(), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.stirred():
		case <-poll.C:
		}
		leave, err := h.Enter()
		if err != nil {
			continue
		}
		s, now := h.search, time.Now()
		s.follow(ctx)
		if now.Sub(written) > notesEvery {
			s.write(ctx)
			written = now
		}
		if s.left.Swap(false) || now.Sub(saved) > shelfSaves {
			s.save()
			saved = now
		}
		if now.Sub(told) > tellEvery {
			s.tell(ctx, h.files.URL)
			told = now
		}
		leave()
		select {
		case <-ctx.Done():
			return
		case <-time.After(shelfRest):
		}
	}
}

// stirred says when a store index is to be looked at.
func (h *App) stirred() <-chan struct{} {
	leave, err := h.Enter()
	if err != nil {
		return nil
	}
	defer leave()
	return h.search.wake
}

// windowOf is where the operations of the commerce API find what stores show. Without a house they can only be
// described.
func windowOf(h *App) ecom.Window {
	if h == nil {
		return ecom.Window{}
	}
	return ecom.Window{Picture: h.files.URL, Base: h.base, Edition: h.search.storeIndex, Notes: h.search.notes,
		Traffic: h.traffic}
}

// RebuildSearch makes the indexes of a company's stores anew, and puts them in the place of those that are searched
// meanwhile. done is told of each.
func (h *App) RebuildSearch(ctx context.Context, c identity.Company,
	done func(channelCode string, products int, took time.Duration)) error {
	return h.eachStoreIndex(ctx, c, func(s *searching, one *storeIndex, code string) error {
		start := time.Now()
		if err := one.Rebuild(ctx, s.reader(ctx, c.ID)); err != nil {
			return err
		}
		if err := one.Follow(ctx, s.reader(ctx, c.ID)); err != nil {
			return err
		}
		done(code, one.Products(), time.Since(start))
		return nil
	})
}

// verifySearch holds the indexes of a company's stores against the books.
func (h *App) verifySearch(ctx context.Context, c identity.Company, report func(string)) error {
	return h.eachStoreIndex(ctx, c, func(s *searching, one *storeIndex, _ string) error {
		return assortment.Check(ctx, one.StoreIndex, s.reader(ctx, c.ID), report)
	})
}

// eachShelf calls fn for the store index of each active channel.
func (h *App) eachStoreIndex(ctx context.Context, c identity.Company,
	fn func(s *searching, one *storeIndex, code string) error) error {
	var channels []channel.Channel
	err := h.store.Read(ctx, db.Request{Company: c.ID, Actor: Operator()}, db.Into(&channels, channel.All))
	for _, one := range channels {
		if err == nil && one.IsActive {
			err = fn(h.search, h.search.at(c.ID, one.Code), one.Code)
		}
	}
	return err
}

// forget throws away what is kept of a company that is gone.
func (s *searching) forget(company string) error {
	var gone []*storeIndex
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
