package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/business/analytics"
	"kontor/internal/business/assortment"
	"kontor/internal/business/channel"
	"kontor/internal/business/checkout"
	"kontor/internal/business/identity"
	"kontor/internal/business/media"
	"kontor/internal/foundation/blob"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/health"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
	"kontor/internal/foundation/seal"
	"kontor/internal/foundation/throttle"
	"kontor/internal/front/bodies"
	"kontor/internal/front/chat"
	"kontor/internal/front/oauth"
	"kontor/internal/front/postbox"
	"kontor/internal/front/rest"
)

// App is an installation with its data open.
type App struct {
	DataDir datadir.Dir
	Log     *slog.Logger
	Hasher  *identity.Hasher // of people and the command line
	// ShopHasher is that of the visitors of stores.
	ShopHasher *identity.Hasher

	serving Serving
	node    string       // names this process among those that serve this installation
	nodes   atomic.Int64 // that serve it
	loads   *bodies.Loads
	others  sightings
	// requests are how many were answered so far.
	requests atomic.Int64
	lock     *datadir.Lock

	// commandLock is held by commands: by many at a time, or by one that exchanges the data.
	commandLock sync.RWMutex
	// dataLock are held for reading by every request, and for writing while the data is exchanged.
	dataLock sync.RWMutex
	store    *db.Store
	ring     seal.Ring
	gate     *identity.Gate
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
	hits      channel.Hits
	traffic   *analytics.Traffic
	handler   http.Handler
	indexes   *assortment.StoreIndexes
	indexLock *datadir.Lock // of their folder
	work      *jobs.Runner
	payments  *checkout.Payments
	writer    *chat.Writer
	reader    *postbox.Reader
	lost      error // the data was exchanged and could not be opened again
	health    *health.Health

	backups sync.Map // places that this process writes backups to now

	// overlooked is how often a company had work to do that the index of what is due did not show.
	overlooked atomic.Int64

	leaving chan struct{} // closed as the server stops: who waits for something to happen is answered
}

// Open opens the data at place, creating and migrating what is missing. On files it takes the folder's
// lock first and answers ErrLocked when another process has it.
func Open(ctx context.Context, place datadir.Dir, log *slog.Logger) (*App, error) {
	return OpenServing(ctx, place, Serving{}, log)
}

// OpenServing is Open for a house that will be served.
func OpenServing(ctx context.Context, place datadir.Dir, s Serving, log *slog.Logger) (*App, error) {
	datadir.KeepPrivate()
	if err := place.IsElsewhere(); err != nil {
		return nil, err
	}
	if _, err := blob.Open(place.MediaURL, place.Data); err != nil { // before anything is made
		return nil, fmt.Errorf("--media-url: %w", err)
	}
	if err := s.keepToMemory(ctx); err != nil {
		return nil, err
	}
	h := &App{DataDir: place, Log: log, traffic: analytics.NewTraffic(), Hasher: identity.NewHasher(),
		ShopHasher: identity.NewHasher(), node: record.NewID(), serving: s,
		proxies: prefixes(s.TrustedProxy), health: health.New(log)}
	h.strangers = rest.NewBuckets()
	h.payments, h.writer = h.newPayments(), chat.New(chat.Timeout)
	h.reader = postbox.NewReader(mailroom{h}, s.PrivateMailboxes, log)
	h.watchParts()
	var err error
	if h.work, err = h.newWork(); err != nil {
		return nil, err
	}
	h.leaving = make(chan struct{})
	if h.Embedded() {
		lock, err := datadir.TakeLock(place.Data)
		if err != nil {
			return nil, err
		}
		if lock == nil {
			return nil, datadir.Locked(place)
		}
		h.lock = lock
		if err := errors.Join(place.FinishSwap(), place.ClearStaging()); err != nil {
			return nil, errors.Join(err, lock.Release())
		}
	}
	if err := datadir.CloseToOthers(place.Data, log); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, h.lock.Release())
	}
	if err := h.open(ctx); err != nil {
		return nil, errors.Join(err, h.lock.Release())
	}
	return h, nil
}

// Embedded reports whether the data lies in files of this house's own.
func (h *App) Embedded() bool { return h.DataDir.DatabaseURL == "" }

func (h *App) open(ctx context.Context) error {
	if h.Embedded() {
		if err := h.DataDir.FinishSwap(); err != nil {
			return err
		}
		if err := datadir.MigrateFiles(ctx, h.DataDir, h.Log, db.Newest(db.CellSchema)); err != nil {
			return err
		}
	}
	room := h.serving.room()
	h.loads = bodies.New(room.bodies)
	store, err := db.Open(ctx, db.Options{Engine: h.DataDir.Engine(), Dir: h.DataDir.Data, URL: h.DataDir.DatabaseURL,
		Connections: h.DataDir.Connections, Memory: room.kept, Seal: &h.ring, OpenCompanies: room.companies,
		ExtraReaders: room.readers})
	if err != nil {
		return err
	}
	if err := h.openKeys(ctx, store); err != nil {
		return errors.Join(err, store.Close())
	}
	if h.files, err = h.openFiles(); err != nil {
		return errors.Join(err, store.Close())
	}
	hooks(store, h.payments, h.base, h.files)
	if err := h.openIndexes(store); err != nil {
		return errors.Join(err, store.Close())
	}
	h.work.Follow(store)
	h.store = store
	h.guard = throttle.New(store.Control, store.Now)
	h.openEntrance(store)
	h.companies = identity.NewKnownCompanies(store.Control)
	routes, err := h.routes()
	if err != nil {
		return errors.Join(err, store.Close())
	}
	h.handler = worded(routes)
	return nil
}

// now is the moment by the house's clock.
func (h *App) now() time.Time { return h.store.Now().Time() }

// Store is the open data. Callers stand behind Enter or Begin.
func (h *App) Store() *db.Store { return h.store }

// Indexes are the store indexes of this process.
func (h *App) Indexes() *assortment.StoreIndexes { return h.indexes }

// Gate recognises API keys.
func (h *App) Gate() *identity.Gate { return h.gate }

// Enter lets a piece of work in, until leave is called. It refuses with Server.Unavailable while the
// data is being exchanged.
func (h *App) Enter() (leave func(), err error) {
	open := h.dataLock.TryRLock()
	if open && h.lost == nil {
		return h.dataLock.RUnlock, nil
	}
	f := fault.ErrUnavailable.Because("the data is being restored; try again in a moment")
	f.RetryAfterSeconds = 5
	if open {
		f.Cause = h.lost
		h.dataLock.RUnlock()
	}
	return nil, f
}

// Begin lets a command work, until end is called. One that exchanges the data works alone. It refuses with
// Server.Unavailable instead of waiting: a request that came behind a waiting command would wait as well.
func (h *App) Begin(alone bool) (end func(), err error) {
	switch {
	case alone && h.commandLock.TryLock():
		return h.commandLock.Unlock, nil
	case !alone && h.commandLock.TryRLock():
		return h.commandLock.RUnlock, nil
	case alone:
		return nil,
			fault.ErrUnavailable.Because("other commands are at work on this data; repeat this one when they are done")
	}
	return nil,
		fault.ErrUnavailable.Because("the data is being restored by another command; repeat this one when that is done")
}

// Exchange closes the data, lets change replace it, and opens it again. New work is refused meanwhile, and work
// under way is waited for. What change could not do must leave the old data in place; it is answered.
func (h *App) Exchange(ctx context.Context, change func() error) error {
	h.dataLock.Lock()
	defer h.dataLock.Unlock()
	err := errors.Join(h.gate.Flush(ctx), h.closeIndexes(ctx), h.store.Close())
	if err == nil {
		err = change()
	}
	h.lost = h.open(context.WithoutCancel(ctx))
	h.work.Sweep()
	return errors.Join(err, h.lost)
}

// Close writes what is still to be written, closes the data and gives the lock back.
func (h *App) Close(ctx context.Context) error {
	if h.lost != nil {
		return h.lock.Release()
	}
	return errors.Join(h.gate.Flush(ctx), h.closeIndexes(ctx), h.doubtDue(ctx), h.store.Close(), h.lock.Release())
}

// Control runs fn on the control database as somebody at the command line.
func (h *App) Control(ctx context.Context, fn func(*db.Tx) error) error {
	return h.store.Control(ctx, db.Request{Actor: Operator()}, true, fn)
}

// Look runs fn on the control database, reading only.
func (h *App) Look(ctx context.Context, fn func(*db.Tx) error) error {
	return h.store.Control(ctx, db.Request{Actor: Operator()}, false, fn)
}

// Operator is the actor of what is done at the command line.
func Operator() db.Actor { return db.Actor{Kind: "system", ID: "cli", Name: "command line"} }
