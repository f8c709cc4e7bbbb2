package db

import (
	"context"
	"sync"
	"time"
)

// DueSource is a kind of work in companies that waits for its moment. The control data has an index of when each
// company next has some, so that thousands that have none cost nothing. The index is kept by the store itself: a commit
// that changes what a source reads is noted there before it is one.
type DueSource struct {
	Kind string
	// Tables say what is due; a commit that changes none of them is not looked at. The empty set is every commit that
	// leaves rows.
	Tables Tables
	// Next is the earliest moment at which something is due, as the transaction sees it; 0 = nothing is.
	Next func(tx *Tx) (Time, error)
}

// dueIndex is what this process knows of the index.
type dueIndex struct {
	sources []DueSource
	// stand is where entries stand: dueKey -> Time. On files nobody else moves them. On a database others do, but none
	// that lies ahead.
	stand sync.Map
}

type dueKey struct{ company, kind string }

// DueIn makes the store keep the index of a source. It is called while the house is put together.
func (s *Store) DueIn(src DueSource) { s.due.sources = append(s.due.sources, src) }

// touched are the sources that a transaction's commit may bring forward.
func (d *dueIndex) touched(tx *Tx) (some []DueSource) {
	if !tx.wrote {
		return nil
	}
	for _, src := range d.sources {
		if src.Tables == (Tables{}) && tx.left || src.Tables.Without(tx.into) != src.Tables {
			some = append(some, src)
		}
	}
	return some
}

// covers reports whether the index is known to have an entry no later than at, and to keep it until what depends on it
// is committed.
func (s *Store) covers(company, kind string, at, now Time) bool {
	known, ok := s.due.stand.Load(dueKey{company, kind})
	if !ok || known.(Time) > at {
		return false
	}
	return s.shared == nil || known.(Time) > now+dueMargin
}

// dueMargin is how far ahead an entry must lie for others to leave it where it is until a transaction has ended (5
// minutes).
const dueMargin = Time(5 * 60 * 1_000_000)

// foresee notes in the index what the open transaction of a connection makes due. On files the caller holds dueMu until
// after the commit; on a database the transaction itself holds the company's entries where they are until it ends.
func (c *cell) foresee(ctx context.Context, company string, cn *conn, sources []DueSource) error {
	tx := c.tx(ctx, Request{Company: company, Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}}, cn, true)
	tx.begun = true // in the transaction that is open
	for _, src := range sources {
		if c.store.shared == nil && c.store.covers(company, src.Kind, tx.Now, tx.Now) {
			continue // whatever it is, it is not due earlier than at once
		}
		at, err := src.Next(tx)
		if err != nil {
			return err
		}
		if at == 0 || c.store.covers(company, src.Kind, at, tx.Now) {
			continue
		}
		stands, err := c.note(tx, src.Kind, at)
		if err != nil {
			return err
		}
		c.store.due.stand.Store(dueKey{company, src.Kind}, stands)
	}
	return nil
}

// note writes that something of a kind is due at a moment, and answers where the company's entry stands then.
func (c *cell) note(tx *Tx, kind string, at Time) (stands Time, err error) {
	if c.store.shared != nil {
		return noteShared(tx, kind, at)
	}
	err = c.store.Control(tx.ctx, Request{Actor: tx.Actor}, true, func(control *Tx) (err error) {
		stands, err = noteDue(control, tx.Company, kind, at)
		return err
	})
	return stands, err
}

// foreseeShared is foresee for a transaction of an engine with many writers.
func (tx *Tx) foreseeShared() error {
	if tx.Control {
		return nil
	}
	some := tx.cell.store.due.touched(tx)
	if len(some) == 0 {
		return nil
	}
	return tx.cell.foresee(tx.ctx, tx.Company, tx.conn, some)
}

// foresee notes what the operations of a group make due, in front of the commit. The caller ends what it answers after
// that.
func (w *writer) foresee(jobs []*job) (end func(), err error) {
	end = func() {}
	if w.company == "" {
		return end, nil
	}
	var some []DueSource
	met := map[string]bool{}
	for _, j := range jobs {
		if j.tx == nil || j.err != nil {
			continue
		}
		for _, src := range w.store.due.touched(j.tx) {
			if !met[src.Kind] {
				met[src.Kind] = true
				some = append(some, src)
			}
		}
	}
	if len(some) == 0 {
		return end, nil
	}
	w.dueMu.Lock()
	return w.dueMu.Unlock, w.cell.foresee(context.Background(), w.company, w.cn, some)
}

// RecheckDue asks a company what of a kind is due next and moves its entry in the index there. It answers that moment
// (0 = nothing is due, and there is no entry any more), and whether the entry was missing or too late, which is a
// fault: work would have been overlooked. Where somebody is about to make something due it answers this moment, and
// leaves the entry where it is.
func (s *Store) RecheckDue(ctx context.Context, company, kind string) (next Time, late bool, err error) {
	ask := func() (at Time, err error) {
		for _, src := range s.due.sources {
			if src.Kind != kind {
				continue
			}
			err := s.Read(ctx, Request{Company: company, Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}},
				func(tx *Tx) (err error) {
					at, err = src.Next(tx)
					return err
				})
			return at, err
		}
		return 0, nil
	}
	return s.moveDue(ctx, company, kind, ask)
}

// MoveDue moves a company's entry, of a kind whose source knows no more than that something was written, to a moment
// ahead (0 = there is nothing to do any more). What is written from then on brings it forward again.
func (s *Store) MoveDue(ctx context.Context, company, kind string, to Time) error {
	_, _, err := s.moveDue(ctx, company, kind, func() (Time, error) { return to, nil })
	return err
}

func (s *Store) moveDue(ctx context.Context, company, kind string, ask func() (Time, error)) (next Time, late bool,
	err error) {
	r := Request{Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}}
	if s.shared != nil {
		err = s.Control(ctx, r, true, func(tx *Tx) error {
			if ok, err := holdDue(tx, company); err != nil || !ok {
				next, late = tx.Now, false
				return err
			}
			if next, err = ask(); err != nil {
				return err
			}
			late, err = moveDue(tx, company, kind, next)
			return err
		})
		s.due.stand.Delete(dueKey{company, kind})
		return next, late, err
	}
	c, err := s.cell(ctx, company)
	if err != nil {
		return 0, false, err
	}
	defer c.release()
	c.dueMu.Lock()
	defer c.dueMu.Unlock()
	if next, err = ask(); err != nil {
		return 0, false, err
	}
	s.due.stand.Delete(dueKey{company, kind})
	err = s.Control(ctx, r, true, func(tx *Tx) (err error) { late, err = moveDue(tx, company, kind, next); return err })
	if err == nil && next != 0 {
		s.due.stand.Store(dueKey{company, kind}, next)
	}
	return next, late, err
}

// ClaimDue takes up to most companies with work of a kind that is due by a moment, the longest due first, for one node:
// nobody else is given them for as long as the lease. next is when there is more to take; 0 = nothing is known to
// become due.
func (s *Store) ClaimDue(ctx context.Context, kind, holder string, by Time, lease time.Duration,
	most int) (companies []string, next Time, err error) {
	r := Request{Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}}
	err = s.Control(ctx, r, false, func(tx *Tx) (err error) {
		next, err = nextDue(tx, kind, tx.Now.Add(lease))
		return err
	})
	if err != nil || next == 0 || next > by || most == 0 {
		return nil, next, err
	}
	err = s.Control(ctx, r, true, func(tx *Tx) (err error) {
		companies, err = claimDue(tx, kind, holder, by, tx.Now.Add(lease), most)
		if err == nil {
			next, err = nextDue(tx, kind, tx.Now.Add(lease))
		}
		return err
	})
	return companies, next, err
}

// NoteDue brings a company's entry forward, for who knows more than a source.
func (s *Store) NoteDue(ctx context.Context, company, kind string, at Time) error {
	err := s.Control(ctx, Request{Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}}, true, func(tx *Tx) error {
		_, err := noteDue(tx, company, kind, at)
		return err
	})
	s.due.stand.Delete(dueKey{company, kind})
	return err
}

// DueBy are the companies with an entry of a kind that is not later than a moment, held or not.
func (s *Store) DueBy(ctx context.Context, kind string, by Time) (companies []string, err error) {
	err = s.Control(ctx, Request{}, false, func(tx *Tx) (err error) {
		companies, err = dueBy(tx, kind, by)
		return err
	})
	return companies, err
}

// ForgetDue drops all entries of a company that is gone.
func (s *Store) ForgetDue(ctx context.Context, company string) error {
	err := s.Control(ctx, Request{Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}}, true,
		func(tx *Tx) error { return forgetDue(tx, company) })
	s.due.stand.Range(func(k, _ any) bool {
		if k.(dueKey).company == company {
			s.due.stand.Delete(k)
		}
		return true
	})
	return err
}

// FreeDue lets go of what a process that is gone had claimed; "" is any, for files, which have one process.
func (s *Store) FreeDue(ctx context.Context, holder string) error {
	return s.Control(ctx, Request{Actor: Actor{Kind: "system", ID: "due", Name: "kontor"}}, true,
		func(tx *Tx) error { return freeDue(tx, holder) })
}
