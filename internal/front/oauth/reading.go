package oauth

import (
	"context"
	"errors"
	"sync"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Readings writes down what programs read for people. A read is answered after its row is committed; rows that come
// while others are being committed wait for them and are committed together, so that a busy program's reads cost no
// fsync each.
type Readings struct {
	write func(ctx context.Context, r db.Request, fn func(*db.Tx) error) error

	mu      sync.Mutex
	batches map[string]*batches // by company
}

// NewReadings writes to a store's companies; a db.Store's Write is what it takes.
func NewReadings(write func(ctx context.Context, r db.Request, fn func(*db.Tx) error) error) *Readings {
	return &Readings{write: write, batches: map[string]*batches{}}
}

// batches is where one company's rows are written, one batch at a time.
type batches struct {
	users   int
	writing sync.Mutex
	waiting *batch // the one that others may still join
}

// errNotWritten is a batch's outcome until another is known: what was not recorded is not answered.
var errNotWritten = errors.New("oauth: the record of a read was not written")

type batch struct {
	rows []record.Reading
	done chan struct{}
	err  error
}

// Note writes a row and returns once it is committed.
func (g *Readings) Note(ctx context.Context, company string, row record.Reading) error {
	d, b, first := g.join(company, row)
	if first {
		g.commit(ctx, company, d, b)
	}
	<-b.done
	g.leave(company, d)
	return b.err
}

// join puts a row into the batch that waits, or begins one: then the caller writes it.
func (g *Readings) join(company string, row record.Reading) (d *batches, b *batch, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if d = g.batches[company]; d == nil {
		d = &batches{}
		g.batches[company] = d
	}
	d.users++
	if first = d.waiting == nil; first {
		d.waiting = &batch{done: make(chan struct{}), err: errNotWritten}
	}
	b = d.waiting
	b.rows = append(b.rows, row)
	return d, b, first
}

// commit writes a batch when it is its turn. Others wait for it, so it does not end with the first one's request.
func (g *Readings) commit(ctx context.Context, company string, d *batches, b *batch) {
	d.writing.Lock()
	defer d.writing.Unlock()
	g.mu.Lock()
	d.waiting = nil // who comes now is the next batch's
	g.mu.Unlock()
	defer close(b.done)
	as := db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "oauth", Name: "oauth"}}
	b.err = g.write(context.WithoutCancel(ctx), as, func(tx *db.Tx) error { return record.WriteReadings(tx, b.rows) })
}

func (g *Readings) leave(company string, d *batches) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if d.users--; d.users == 0 {
		delete(g.batches, company)
	}
}
