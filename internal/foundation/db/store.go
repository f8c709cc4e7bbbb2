package db

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kontor/internal/foundation/durable"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/seal"
)

// Options say where the data is.
type Options struct {
	// Engine is sqlite.Engine() or postgres.Engine().
	Engine *Engine
	// Dir is the data folder: control.db and cells/{company}.db of the embedded engine.
	Dir string
	// URL is the PostgreSQL database.
	URL string
	// Connections bounds the connections to a shared database (default 24, at least 6).
	Connections int
	// Clock is the house clock; nil is the machine's, or that of the database's server. Tests set it.
	Clock func() time.Time
	// Memory bounds what is cached between transactions, in bytes; 0 caches nothing but what proves itself. See
	// Tx.CachePut.
	Memory int64
	// Seal are the keys of secrets at rest; see Tx.Seal. Without it nothing can be sealed.
	Seal *seal.Ring
	// Steps limits a schema to these of its steps, for who fills tables with rows from before the others; nil = all.
	Steps map[Schema][]int64
	// IdleClose closes files that were not used for so long (default 5 minutes).
	IdleClose time.Duration
	// OpenCompanies bounds how many companies' files are open at once (default 64), and ExtraReaders how many
	// connections that read may be open beyond the first of each company (default 64). See Room.
	OpenCompanies, ExtraReaders int
}

// Hook is an effect that a higher room has on what a lower one does, inside the same transaction.
type Hook = func(tx *Tx, event any) error

// Store is all data of an installation: the control database and the cells of its companies.
type Store struct {
	opt      Options
	counters *Versions // the same, or those that follow what others commit: see Catch
	sources  []Source
	owned    []owned           // see Own
	doubts   func(text string) // see Doubting; nil where there are none
	wentWell atomic.Int64      // transactions, where there are doubts
	few      []string          // see HasFew
	looked   sync.Map          // statements whose plan was looked at, where there are doubts
	ranks    map[string]int    // see LocksInOrder
	locks    sync.Map          // statement -> what it locks of these, where there are doubts
	tailOnce sync.Once
	tail     string // see tailText
	tailsMu  sync.Mutex
	tails    map[string]*tail
	hooks    map[reflect.Type][]Hook
	watchers []func(company string)
	watches  watches
	news     news // see tellOthers
	growth   growth
	hears    atomic.Bool // see Hears
	control  *cell
	due      dueIndex
	cache    cache
	caches   bool // values are cached, and answers: see Options.Memory
	left     leftovers
	others   others
	openings atomic.Uint64
	ahead    atomic.Int64 // microseconds that the server's clock is ahead of the machine's: see follow

	setbacks, retries, counts tallies // see Figures

	shared *cell // of all companies, on a database
	open   cells // on files
	closed chan struct{}

	ending   func() error           // see Close
	closings []func(company string) // see OnClose
	freed    atomic.Bool            // files were closed whose memory was not given back yet
	moulding sync.Mutex
	mould    bool // the template of a new company stands
}

// Open opens the store and brings the schema of the control database (and of a shared cell) up to date.
func Open(ctx context.Context, opt Options) (*Store, error) {
	if opt.Connections == 0 {
		opt.Connections = usualConnections
	}
	if opt.IdleClose == 0 {
		opt.IdleClose = 5 * time.Minute
	}
	s := &Store{opt: opt, hooks: map[reflect.Type][]Hook{}, closed: make(chan struct{}), tails: map[string]*tail{},
		doubts: doubtsOf(ctx), caches: opt.Memory > 0,
		counters: &Versions{seed: maphash.MakeSeed()}, open: newCells(opt)}
	s.others = others{store: s, own: map[uint64]*ownTx{}, unnamed: map[*ownTx]struct{}{}}
	s.others.looks.fn = s.others.look
	s.ending = sync.OnceValue(s.end)
	var err error
	if s.cache, err = newCache(opt.Memory, s.Now); err != nil {
		return nil, err
	}
	if opt.Engine.OneWriter {
		if err := errors.Join(os.RemoveAll(s.path(DryRuns)), durable.MakeFolder(s.path("cells"))); err != nil {
			return nil, err
		}
		if err := s.openControl(ctx, s.path("control.db")); err != nil {
			return nil, err
		}
		go s.closeIdle()
		return s, nil
	}
	c, err := s.openCell(opt.URL, "")
	if err != nil {
		return nil, err
	}
	if !c.stands(ctx, ControlSchema, CellSchema) {
		if err := Migrate(ctx, opt.Engine, opt.URL, ControlSchema, CellSchema); err != nil {
			return nil, errors.Join(err, c.close())
		}
	}
	s.shared, s.control = c, c
	s.tellOthers()
	s.watchGrowth()
	go s.closeIdle()
	return s, nil
}

// usualConnections lets four nodes share a server of 100, of which it keeps three for its superuser.
const usualConnections = 24

// shares divides the connections: numbers and the horizon are asked for briefly, the rest is for who reads and who
// writes.
func (o Options) shares() (readers, writers, owner, watch int) {
	all := max(6, o.Connections)
	brief := max(1, all/12)
	readers = (all - 2*brief) / 2
	return readers, all - 2*brief - readers, brief, brief
}

func (s *Store) openControl(ctx context.Context, path string) (err error) {
	if err := s.migrate(ctx, path, ControlSchema); err != nil {
		return err
	}
	s.control, err = s.openCell(path, "")
	return err
}

func (s *Store) migrate(ctx context.Context, path string, schema Schema) error {
	if steps := s.opt.Steps[schema]; steps != nil {
		return MigrateOnly(ctx, s.opt.Engine, path, schema, steps)
	}
	return Migrate(ctx, s.opt.Engine, path, schema)
}

func (s *Store) path(parts ...string) string {
	return filepath.Join(append([]string{s.opt.Dir}, parts...)...)
}

func (s *Store) clock() time.Time {
	if s.opt.Clock != nil {
		return s.opt.Clock()
	}
	return time.Now().Add(time.Duration(s.ahead.Load()) * time.Microsecond)
}

// follow makes the clock that of the database's server, which showed now between a question, sent at a moment, and its
// answer: what one node has written is due on all of them at once, whatever their machines' clocks say.
func (s *Store) follow(now Time, sent time.Time) {
	least, most := int64(now)-time.Now().UnixMicro(), int64(now)-sent.UnixMicro()
	if is := s.ahead.Load(); is < least || is > most {
		s.ahead.Store(max(min(is, most), least))
	}
}

// Versions counts the changes of records, for who is Abreast.
func (s *Store) Versions() *Versions { return s.counters }

// OneWriter reports whether all commits pass through this process.
func (s *Store) OneWriter() bool { return s.opt.Engine.OneWriter }

// IsFull reports whether err says that the disk is full, or takes nothing for another reason.
func (s *Store) IsFull(err error) bool { return err != nil && s.opt.Engine.Classify(err) == Full }

// EngineName is sqlite or postgres.
func (s *Store) EngineName() string { return s.opt.Engine.Name }

// Dir is the data folder.
func (s *Store) Dir() string { return s.opt.Dir }

// On subscribes a hook for one type of event. It is called while the house is put together, before any work.
func On[E any](s *Store, hook func(tx *Tx, event E) error) {
	t := reflect.TypeFor[E]()
	s.hooks[t] = append(s.hooks[t], func(tx *Tx, event any) error { return hook(tx, event.(E)) })
}

// Read runs fn in a snapshot of the company's data. fn may run more than once, until it has read its first rows.
func (s *Store) Read(ctx context.Context, r Request, fn func(*Tx) error) error {
	c, err := s.cell(ctx, r.Company)
	if err != nil {
		return err
	}
	defer c.release()
	return c.readRetried(ctx, r, fn)
}

// Write runs fn in a transaction of the company's data and returns after the commit. fn may run more than
// once, so it must not change anything but the transaction.
func (s *Store) Write(ctx context.Context, r Request, fn func(*Tx) error) error {
	c, err := s.cell(ctx, r.Company)
	if err != nil {
		return err
	}
	defer c.release()
	return c.write(ctx, r, fn)
}

// Control runs fn on the control database, which holds what is not company data.
func (s *Store) Control(ctx context.Context, r Request, write bool, fn func(*Tx) error) error {
	r.Company = ""
	if write {
		return s.control.write(ctx, r, fn)
	}
	return s.control.readRetried(ctx, r, fn)
}

func (c *cell) write(ctx context.Context, r Request, fn func(*Tx) error) error {
	if c.engine.OneWriter {
		return c.submit(ctx, r, fn)
	}
	return c.writeShared(ctx, r, fn)
}

func (c *cell) readRetried(ctx context.Context, r Request, fn func(*Tx) error) error {
	for try := 1; ; try++ {
		err := c.read(ctx, r, fn)
		if err == nil {
			return nil
		}
		failure := c.engine.Classify(err)
		c.store.setback(failure)
		if failure != Lost && failure != Retry && failure != Full {
			return err
		}
		if try == 3 || failure == Full || r.Once {
			f := fault.ErrUnavailable.Because("the data cannot be read at the moment; try again")
			f.RetryAfterSeconds = 2
			return f.From(err)
		}
		c.store.again(failure)
	}
}

func (s *Store) companyPath(company string) (string, error) {
	if company == "" || strings.ContainsAny(company, `/\.`) {
		return "", fmt.Errorf("db: %q is no company id", company)
	}
	return s.path("cells", company+".db"), nil
}

// CreateCell makes the place for a new company's data and writes its facts.
func (s *Store) CreateCell(ctx context.Context, info CompanyInfo) error {
	if s.shared == nil {
		path, err := s.companyPath(info.ID)
		if err != nil {
			return err
		}
		if err := s.newFile(ctx, path); err != nil {
			return err
		}
	}
	return s.Write(ctx, Request{Company: info.ID, Actor: Actor{Kind: "system", Name: "kontor"}, founding: true},
		func(tx *Tx) error {
			return tx.SaveInfo(info)
		})
}

// DropCell deletes a company's data for good.
func (s *Store) DropCell(ctx context.Context, company string) error {
	resume, err := s.Quiesce(ctx, company)
	if err != nil {
		return err
	}
	defer resume()
	if s.shared != nil {
		if err := s.shared.dropCompany(ctx, company); err != nil {
			return err
		}
		return s.ForgetDue(ctx, company)
	}
	path, err := s.companyPath(company)
	if err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return s.ForgetDue(ctx, company)
}

// Snapshot copies a company's data ("" = the control database) into a new file, online and consistent: page by page,
// or, smaller, without what was deleted from it. Only cells that are files have one. A file that is gone is
// Server.Unavailable, however many have it open still: what they write is lost.
func (s *Store) Snapshot(ctx context.Context, company, path string, byPage bool) error {
	c := s.control
	if company != "" {
		var err error
		if c, err = s.cell(ctx, company); err != nil {
			return err
		}
		defer c.release()
	}
	if _, err := os.Stat(c.target); err != nil { // opening it would make an empty one
		return fault.ErrUnavailable.Because("the company's data file %s is gone", filepath.Base(c.target)).From(err)
	}
	// On a connection of its own: readers refuse to write, even into another file, and may all be lent.
	d, err := s.opt.Engine.Open(c.target, ForOwning)
	if err != nil {
		return err
	}
	defer d.Close()
	if byPage {
		return s.opt.Engine.Pages(ctx, d, path)
	}
	return s.opt.Engine.Snapshot(ctx, d, path)
}

// Ping asks the control database whether it answers.
func (s *Store) Ping(ctx context.Context) error {
	return s.Control(ctx, Request{}, false, func(tx *Tx) error {
		var one int64
		_, err := tx.One("-- db.Ping\nselect 1", nil, &one)
		return err
	})
}

// Close waits for the work under way and closes everything.
func (s *Store) Close() error { return s.ending() }

func (s *Store) end() error {
	close(s.closed)
	s.news.told.Wait()
	if s.growth.stop != nil {
		s.growth.stop()
		s.growth.ended.Wait()
	}
	var errs []error
	for _, c := range s.open.all() {
		errs = append(errs, s.shut(context.Background(), c))
	}
	return errors.Join(append(errs, s.control.close())...)
}
