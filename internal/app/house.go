package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"

	"kontor/internal/business/analytics"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/db/sqlite"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/seal"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/chat"
	"kontor/internal/front/oauth"
	"kontor/internal/front/postbox"
	"kontor/internal/front/rest"
)

// ErrLocked is answered when another process writes the data folder and does not answer at its socket.
var ErrLocked = errors.New("the data is in use")

// House is an installation with its data open.
type House struct {
	Place  Place
	Log    *slog.Logger
	Hasher *identity.Hasher // of people and the command line
	// ShopHasher is that of the visitors of stores.
	ShopHasher *identity.Hasher

	serving Serving
	node    string       // names this process among those that serve this installation
	nodes   atomic.Int64 // that serve it
	// requests are how many were answered so far.
	requests atomic.Int64
	lock     *Lock

	// desk is held by commands: by many at a time, or by one that exchanges the data.
	desk sync.RWMutex
	// doors are held for reading by every request, and for writing while the data is exchanged.
	doors sync.RWMutex
	store *db.Store
	ring  seal.Ring
	gate  *identity.Gate
	// The way in for people and their programs.
	entrance *identity.Entrance
	guard    *throttle.Guard
	readings *oauth.Readings
	listens  atomic.Pointer[string] // address, once there is one
	// companies are known to callers who name theirs themselves.
	companies *identity.KnownCompanies
	// strangers are the buckets of callers whom nobody has vouched for.
	strangers rest.Buckets
	proxies   []netip.Prefix // that are trusted
	files     *media.Library
	hits      hits
	traffic   *analytics.Traffic
	handler   http.Handler
	search    *searching
	work      *jobs.Runner
	till      *checkout.Till
	writer    *chat.Writer
	reader    *postbox.Reader
	lost      error // the data was exchanged and could not be opened again
	health    Health

	backupsMu sync.Mutex
	backups   []string // places that this process writes backups to now

	// overlooked is how often a company had work to do that the index of what is due did not show.
	overlooked atomic.Int64

	leaving chan struct{} // closed as the server stops: who waits for something to happen is answered
}

// Open opens the data at place, creating and migrating what is missing. On files it takes the folder's
// lock first and answers ErrLocked when another process has it.
func Open(ctx context.Context, place Place, log *slog.Logger) (*House, error) {
	return OpenServing(ctx, place, Serving{}, log)
}

// OpenServing is Open for a house that will be served.
func OpenServing(ctx context.Context, place Place, s Serving, log *slog.Logger) (*House, error) {
	KeepPrivate()
	s.keepToMemory()
	h := &House{Place: place, Log: log, traffic: analytics.NewTraffic(), Hasher: identity.NewHasher(),
		ShopHasher: identity.NewHasher(), node: record.NewID(), serving: s, proxies: prefixes(s.TrustedProxy)}
	h.till, h.writer = h.newTill(), chat.New(chat.Timeout)
	h.reader = postbox.NewReader(mailroom{h}, s.PrivateMailboxes, log)
	h.watchParts()
	var err error
	if h.strangers, err = rest.NewBuckets(); err != nil {
		return nil, err
	}
	if h.work, err = h.newWork(); err != nil {
		return nil, err
	}
	h.leaving = make(chan struct{})
	if h.Embedded() {
		lock, err := TakeLock(place.Data)
		if err != nil {
			return nil, err
		}
		if lock == nil {
			return nil, errLocked(place)
		}
		h.lock = lock
		if err := errors.Join(place.finishSwap(), place.clearStaging()); err != nil {
			return nil, errors.Join(err, lock.Release())
		}
	}
	if err := closeFolder(place.Data, log); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, h.lock.Release())
	}
	if err := h.open(ctx); err != nil {
		return nil, errors.Join(err, h.lock.Release())
	}
	return h, nil
}

func errLocked(place Place) error {
	return fmt.Errorf("%w: process %d writes %s", ErrLocked, Holder(place.Data), place.Data)
}

// Embedded reports whether the data lies in files of this house's own.
func (h *House) Embedded() bool { return h.Place.DatabaseURL == "" }

// Engine is the database engine that place asks for.
func (p Place) Engine() *db.Engine {
	if p.DatabaseURL != "" {
		return postgres.Engine()
	}
	return sqlite.Engine()
}

func (h *House) open(ctx context.Context) error {
	if h.Embedded() {
		if err := h.Place.finishSwap(); err != nil {
			return err
		}
		if err := migrateFiles(ctx, h.Place, h.Log, db.Newest(db.CellSchema)); err != nil {
			return err
		}
	}
	room := h.serving.room()
	store, err := db.Open(ctx, db.Options{Engine: h.Place.Engine(), Dir: h.Place.Data, URL: h.Place.DatabaseURL,
		Connections: h.Place.Connections, Memory: h.serving.KeepBytes, Seal: &h.ring, OpenCompanies: room.companies,
		ExtraReaders: room.readers})
	if why := postgres.Why(err); why != "" && !h.Embedded() {
		return fmt.Errorf("%s: %w", why, err)
	}
	if err != nil {
		return err
	}
	if err := h.openKeys(ctx, store); err != nil {
		return errors.Join(err, store.Close())
	}
	if h.files, err = h.openFiles(); err != nil {
		return errors.Join(err, store.Close())
	}
	hooks(store, h.base, h.files)
	if h.search, err = h.newSearching(store); err != nil {
		return errors.Join(err, store.Close())
	}
	h.work.Follow(store)
	h.store = store
	if h.guard, err = throttle.New(store.Control); err != nil {
		return errors.Join(err, store.Close())
	}
	h.openDoors(store)
	h.companies = identity.NewKnownCompanies(store.Control)
	routes, err := h.routes()
	if err != nil {
		return errors.Join(err, store.Close())
	}
	h.handler = worded(routes)
	return nil
}

// Store is the open data. Callers stand inside the doors (Enter) or at the desk (Begin).
func (h *House) Store() *db.Store { return h.store }

// Gate recognises API keys.
func (h *House) Gate() *identity.Gate { return h.gate }

// Enter lets a piece of work in, until leave is called. It refuses with Server.Unavailable while the
// data is being exchanged.
func (h *House) Enter() (leave func(), err error) {
	open := h.doors.TryRLock()
	if open && h.lost == nil {
		return h.doors.RUnlock, nil
	}
	f := fault.ErrUnavailable.Because("the data is being restored; try again in a moment")
	f.RetryAfterSeconds = 5
	if open {
		f.Cause = h.lost
		h.doors.RUnlock()
	}
	return nil, f
}

// Begin lets a command work, until end is called. One that exchanges the data works alone. It refuses with
// Server.Unavailable instead of waiting: a request that came behind a waiting command would wait as well.
func (h *House) Begin(alone bool) (end func(), err error) {
	switch {
	case alone && h.desk.TryLock():
		return h.desk.Unlock, nil
	case !alone && h.desk.TryRLock():
		return h.desk.RUnlock, nil
	case alone:
		return nil,
			fault.ErrUnavailable.Because("other commands are at work on this data; repeat this one when they are done")
	}
	return nil,
		fault.ErrUnavailable.Because("the data is being restored by another command; repeat this one when that is done")
}

// Exchange closes the data, lets change replace it, and opens it again. New work is refused meanwhile, and work
// under way is waited for. What change could not do must leave the old data in place; it is answered.
func (h *House) Exchange(ctx context.Context, change func() error) error {
	h.doors.Lock()
	defer h.doors.Unlock()
	err := errors.Join(h.gate.Flush(ctx), h.search.close(ctx), h.store.Close())
	if err == nil {
		err = change()
	}
	h.lost = h.open(context.WithoutCancel(ctx))
	h.work.Sweep()
	return errors.Join(err, h.lost)
}

// Close writes what is still to be written, closes the data and gives the lock back.
func (h *House) Close(ctx context.Context) error {
	if h.lost != nil {
		return h.lock.Release()
	}
	return errors.Join(h.gate.Flush(ctx), h.search.close(ctx), h.doubtDue(ctx), h.store.Close(), h.lock.Release())
}

// Control runs fn on the control database as somebody at the command line.
func (h *House) Control(ctx context.Context, fn func(*db.Tx) error) error {
	return h.store.Control(ctx, db.Request{Actor: Operator()}, true, fn)
}

// Look runs fn on the control database, reading only.
func (h *House) Look(ctx context.Context, fn func(*db.Tx) error) error {
	return h.store.Control(ctx, db.Request{Actor: Operator()}, false, fn)
}

// Operator is the actor of what is done at the command line.
func Operator() db.Actor { return db.Actor{Kind: "system", ID: "cli", Name: "command line"} }

// cellPath is where the embedded engine keeps a company's file.
func (p Place) cellPath(company string) string {
	return filepath.Join(p.Data, "cells", company+".db")
}
