package app

import (
	"context"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/business/pricing"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
)

// The kinds of work that the control data has an index of: jobs; the sweep of what has had its time; and what a company
// is given once that comes from elsewhere (see equip).
const (
	dueSweep = "sweep"
	dueEquip = "equip"
)

// How often a node looks for what others have left, and for how long a company it takes is its own: so long nobody
// hears of a job that a command adds beside it. Where the data lies in files there is nobody else, and it looks for
// companies that are closed.
const (
	lookEmbedded = 20 * time.Second
	lookShared   = 5 * time.Second
	jobsLease    = 10 * time.Second
	sweepLease   = 30 * time.Minute
)

// A company that was changed is swept within a day. One that was not is swept again after a week: what it holds grows
// old all the same, and its entries in the index are proved by it.
const (
	sweptChanged = 24 * time.Hour
	sweptResting = 7 * 24 * time.Hour
	sweptAgain   = time.Hour // after a failure
)

// foresees makes the store keep the index of what is due.
func foresees(s *db.Store) {
	s.DueIn(jobs.Due())
	s.DueIn(db.DueSource{Kind: dueSweep,
		Next: func(tx *db.Tx) (db.Time, error) { return tx.Now.Add(sweptChanged), nil }})
}

// learnCompanies enters companies in the index that it knows nothing of: they come from an older release or a backup.
// Each is asked once.
func (h *App) learnCompanies(ctx context.Context) error {
	return h.inside(func(s *db.Store) error { return s.Control(ctx, db.Request{Actor: Operator()}, true, learnDue) })
}

// isOpen reports whether a company is open for work; of one that is gone the index forgets.
func (h *App) isOpen(ctx context.Context, id string) (open bool, err error) {
	err = h.inside(func(s *db.Store) error {
		c, err := h.Company(ctx, id)
		if fault.Is(err, identity.ErrCompanyNotFound) {
			return s.ForgetDue(ctx, id)
		}
		open = err == nil && c.Status == identity.Active
		return err
	})
	return open, err
}

// dueJobs are companies with jobs that this process may not know of, and when to ask again.
func (h *App) dueJobs(ctx context.Context, most int) (companies []string, again time.Duration, err error) {
	err = h.inside(func(s *db.Store) error {
		now := h.store.Now()
		ids, next, err := s.ClaimDue(ctx, jobs.DueKind, h.node, now, jobsLease, most)
		again = h.lookAgain(next, now)
		for _, id := range ids {
			open, err := h.isOpen(ctx, id)
			if err != nil || !open {
				h.unasked(ctx, id, err)
				continue
			}
			at, _, err := s.RecheckDue(ctx, id, jobs.DueKind)
			if err != nil {
				h.unasked(ctx, id, err)
				continue
			}
			if at != 0 && at <= h.store.Now() {
				companies = append(companies, id)
			}
		}
		return err
	})
	return companies, again, err
}

// unasked logs that a company could not be asked what it has to do. It is taken again when the lease is over.
func (h *App) unasked(ctx context.Context, id string, err error) {
	if err != nil && ctx.Err() == nil {
		h.Log.Warn("a company cannot be asked what it has to do; it is tried again", "company", id, "error", err)
	}
}

// lookAgain is how long to wait until the next entry is due, or until others may have made one.
func (h *App) lookAgain(next, now db.Time) time.Duration {
	look := lookShared
	if h.Embedded() {
		look = lookEmbedded
	}
	if next == 0 {
		return look
	}
	return min(look, max(50*time.Millisecond, time.Duration(next-now)*time.Microsecond))
}

// dueSoon are all companies with a job that is due within a time.
func (h *App) dueSoon(ctx context.Context, within time.Duration) (companies []string, err error) {
	err = h.inside(func(s *db.Store) error {
		if h.Embedded() {
			if err := s.FreeDue(ctx, ""); err != nil {
				return err
			}
		}
		ids, err := s.DueBy(ctx, jobs.DueKind, h.store.Now().Add(within))
		for _, id := range ids {
			if open, err := h.isOpen(ctx, id); err == nil && open {
				companies = append(companies, id)
			}
		}
		return err
	})
	return companies, err
}

// lookAfter equips and sweeps the companies whose time has come, one after another.
func (h *App) lookAfter(ctx context.Context) {
	for _, one := range []struct {
		kind string
		do   func(context.Context, *db.Store, identity.Company) error
	}{{dueEquip, h.equipOnce}, {dueSweep, h.sweepOnce}} {
		for more := true; more && ctx.Err() == nil; {
			more = h.lookAfterOne(ctx, one.kind, one.do)
		}
	}
}

// lookAfterOne does a kind of work of the company that has waited longest for it; false where none waits.
func (h *App) lookAfterOne(ctx context.Context, kind string,
	do func(context.Context, *db.Store, identity.Company) error) (found bool) {
	err := h.inside(func(s *db.Store) error {
		ids, _, err := s.ClaimDue(ctx, kind, h.node, h.store.Now(), sweepLease, 1)
		if err != nil || len(ids) == 0 {
			return err
		}
		found = true
		if open, err := h.isOpen(ctx, ids[0]); err != nil || !open {
			return err
		}
		c, err := h.Company(ctx, ids[0])
		if err != nil {
			return err
		}
		if err := do(ctx, s, c); err != nil && ctx.Err() == nil {
			h.Log.Warn("housekeeping", "company", c.Code, "error", err)
			return s.NoteDue(ctx, c.ID, kind, h.store.Now().Add(sweptAgain))
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		h.Log.Warn("housekeeping", "kind", kind, "error", err)
		return false
	}
	return found
}

func (h *App) equipOnce(ctx context.Context, s *db.Store, c identity.Company) error {
	h.equip(ctx, c)
	return s.MoveDue(ctx, c.ID, dueEquip, 0)
}

// sweepOnce sweeps a company and holds the index against what it says is due. The entry is moved before: what is
// written from then on, also by the sweep, brings it forward again.
func (h *App) sweepOnce(ctx context.Context, s *db.Store, c identity.Company) error {
	next, err := h.sweptNext(ctx, s, c)
	if err == nil {
		err = s.MoveDue(ctx, c.ID, dueSweep, next)
	}
	if err != nil {
		return err
	}
	h.equip(ctx, c)
	if err := h.proveDue(ctx, s, c); err != nil {
		return err
	}
	return h.Sweep(ctx, c)
}

// sweptNext is when a company is swept again that nobody changes: if it shows what another day may change, prices that
// are calculated, as its next day begins.
func (h *App) sweptNext(ctx context.Context, s *db.Store, c identity.Company) (at db.Time, err error) {
	err = s.Read(ctx, db.Request{Company: c.ID, Actor: Operator()}, func(tx *db.Tx) error {
		at = tx.Now.Add(sweptResting)
		daily, err := pricing.Calculates(tx)
		if daily {
			at = tx.BeginningOf(tx.Today().AddDays(1))
		}
		return err
	})
	return at, err
}

// doubtDue holds the index against every company, where a test is told of doubts.
func (h *App) doubtDue(ctx context.Context) error {
	if !h.store.Doubted() {
		return nil
	}
	companies, err := h.Companies(ctx)
	for _, c := range companies {
		if err == nil && c.Status == identity.Active {
			var late bool
			if _, late, err = h.store.RecheckDue(ctx, c.ID, jobs.DueKind); late {
				h.store.Doubt("company " + c.Code + " had a job that the index of what is due did not show")
			}
		}
	}
	return err
}

// proveDue mends the index where a company has jobs that it does not show. That is a fault of ours, and is said aloud.
func (h *App) proveDue(ctx context.Context, s *db.Store, c identity.Company) error {
	at, late, err := s.RecheckDue(ctx, c.ID, jobs.DueKind)
	if err == nil && late {
		h.overlooked.Add(1)
		h.Log.Error("the index of what is due did not show a job of a company, which was overlooked; it is mended",
			"company", c.Code, "due", at.Time().UTC())
		h.work.Sweep()
	}
	return err
}
