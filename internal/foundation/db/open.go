package db

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"kontor/internal/foundation/durable"
)

// openCell makes a cell ready to be used. It connects when somebody first reads, and when somebody first writes.
func (s *Store) openCell(target, company string) (*cell, error) {
	e := s.opt.Engine
	c := &cell{store: s, engine: e, target: target, company: company, infos: map[string]known{},
		opening: s.openings.Add(1)}
	open := func(use Use, sizes ...int) ([]*pool, error) {
		d, err := e.Open(target, use)
		if err != nil {
			return make([]*pool, len(sizes)), err
		}
		return newPools(d, e, sizes...), nil
	}
	readers, writers, owner, watch := s.opt.shares()
	if e.OneWriter {
		readers, writers = max(4, 2*runtime.NumCPU()), 1
	}
	pools, err := open(ForReading, readers)
	if c.readers = pools[0]; err != nil {
		return nil, err
	}
	if company != "" {
		c.readers.extra = s.open.extra
	}
	pools, err = open(ForWriting, writers)
	if c.writers = pools[0]; err != nil {
		return nil, err
	}
	if e.OneWriter {
		return c, nil
	}
	pools, err = open(ForOwning, owner, watch)
	c.owner, c.watch = pools[0], pools[1]
	return c, err
}

// startWriter lets the one writer of a file begin.
func (c *cell) startWriter() error {
	c.starting.Lock()
	defer c.starting.Unlock()
	if c.writing.Load() {
		return nil
	}
	cn, err := c.writers.get(context.Background())
	if err != nil {
		return err
	}
	if err := c.lastCommitted(cn); err != nil {
		c.writers.put(cn, true, err)
		return err
	}
	c.jobs, c.stopped = make(chan *job, maxGroup), make(chan struct{})
	go c.writeLoop(cn)
	c.writing.Store(true)
	return nil
}

// lastCommitted sets the change clock to the newest stamp in the file, so that a clock set back never
// makes a change look older than one that a poller has seen.
func (c *cell) lastCommitted(cn *conn) error {
	if c.company == "" {
		return nil
	}
	var last *int64
	// Named so, the company lets SQLite look at the end of the key instead of reading all of it.
	err := cn.sql.QueryRowContext(context.Background(), `select max(stamp) from change
		where company = (select company from company_state)`).Scan(&last)
	if err == nil && last != nil {
		c.lastStamp.Store(*last)
	}
	return err
}

// TemplateFile is what new companies' files are copies of, in the folder of the data.
const TemplateFile = "template.db"

// newFile makes an empty company's file: a copy of one that was laid out once, as laying one out takes much longer.
func (s *Store) newFile(ctx context.Context, path string) error {
	if _, err := os.Stat(path); err == nil || s.opt.Steps[CellSchema] != nil {
		return s.migrate(ctx, path, CellSchema)
	}
	s.moulding.Lock()
	defer s.moulding.Unlock()
	mould := s.path(TemplateFile)
	if err := s.makeMould(ctx, mould); err != nil {
		return fmt.Errorf("the template of a new company: %w", err)
	}
	return copyDurably(mould, path)
}

// makeMould lays the template out, unless it stands and has the present schema.
func (s *Store) makeMould(ctx context.Context, mould string) error {
	if s.mould {
		return nil
	}
	if _, err := os.Stat(mould); err == nil {
		marked, err := fileIsMarked(ctx, s.opt.Engine, mould, CellSchema)
		if s.mould = marked; err == nil && marked {
			return nil
		}
	}
	fresh := mould + ".new"
	for _, left := range []string{fresh, fresh + "-wal", fresh + "-shm", mould, mould + "-wal", mould + "-shm"} {
		if err := os.Remove(left); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := Migrate(ctx, s.opt.Engine, fresh, CellSchema); err != nil {
		return err
	}
	if _, err := os.Stat(fresh + "-wal"); err == nil {
		return errors.New("its write-ahead log was not taken up")
	}
	err := durable.Rename(fresh, mould)
	s.mould = err == nil
	return err
}

// copyDurably copies a file so that the copy stands on the disk, whole, before it has its name.
func copyDurably(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	f, err := os.OpenFile(to+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, in)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, os.Remove(to+".new"))
	}
	return durable.Rename(to+".new", to)
}
