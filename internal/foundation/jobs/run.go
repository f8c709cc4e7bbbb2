package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/pause"
)

// errTaken ends the work of somebody who was so slow that another worker took the job.
var errTaken = errors.New("jobs: another worker has taken the job since")

// InTx registers what a kind does to the company's data: its effect and the word that it is done are one commit.
func (r *Runner) InTx(k Kind, do func(tx *db.Tx, j Job) error) {
	r.handlers[k.Name] = handler{k, func(_ context.Context, j Job) error {
		return r.write(j, func(tx *db.Tx) error { return do(tx, j) })
	}}
}

// Outside registers what a kind does to the world, and how its result is recorded in the transaction that says that it
// is done; record may be nil. When the process dies between the two it is done once more: j.ID is the same then.
func Outside[R any](r *Runner, k Kind, do func(ctx context.Context, j Job) (R, error),
	record func(tx *db.Tx, j Job, result R) error) {
	r.handlers[k.Name] = handler{k, func(ctx context.Context, j Job) error {
		ctx, stop := context.WithDeadline(ctx, j.until)
		defer stop()
		var result R
		err := fault.Guard(func() (err error) { result, err = do(ctx, j); return err })
		if err != nil {
			return err
		}
		return r.recorded(ctx, j, func(tx *db.Tx) error {
			if record == nil {
				return nil
			}
			return record(tx, j, result)
		})
	}}
}

// recorded is write for a result that would be a pity to lose: it is tried again while there is time.
func (r *Runner) recorded(ctx context.Context, j Job, fn func(*db.Tx) error) error {
	for try := 1; ; try++ {
		err := r.write(j, fn)
		if err == nil || try == 3 || errors.Is(err, errTaken) ||
			pause.For(ctx, time.Duration(try)*time.Second) != nil {
			return err
		}
	}
}

// write runs fn and marks the job as done in one transaction.
func (r *Runner) write(j Job, fn func(*db.Tx) error) error {
	as := r.as(j.Company, j.Kind)
	as.RequestID = j.ID
	return r.transactor.Write(context.Background(), as, func(tx *db.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		done := j
		done.Status, done.LastError, done.DoneAt = Done, "", tx.Now
		return endJob(tx, done)
	})
}

// soon is when to look again for what seemed due and could not be taken.
const soon = 100 * time.Millisecond

// RunDue does one after another what is due of a company now, until ctx ends, and tells how many attempts it made.
func (r *Runner) RunDue(ctx context.Context, company string) (ran int, err error) {
	for ctx.Err() == nil {
		due, next, err := r.look(ctx, company, 1)
		if err != nil || len(due) == 0 && next != soon {
			return ran, err
		}
		for _, j := range due {
			r.attempt(ctx, j)
			ran++
		}
	}
	return ran, ctx.Err()
}

// idle are the kinds of which another job may be begun for a company, with how many.
func (r *Runner) idle(company string) map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, free := r.seats[company], map[string]int{}
	for name, h := range r.handlers {
		n := h.kind.parallel()
		if s != nil {
			n -= s.kinds[name]
		}
		if n > 0 {
			free[name] = n
		}
	}
	return free
}

// look takes up to most jobs that are due, or tells how long it is until the next one (0 = there is none).
func (r *Runner) look(ctx context.Context, company string, most int) (due []Job, next time.Duration, err error) {
	if err := r.ownLost(ctx, company); err != nil {
		return nil, 0, err
	}
	idle := r.idle(company)
	kinds := slices.Sorted(maps.Keys(idle))
	ready := false
	err = r.transactor.Read(ctx, r.as(company, ""), func(tx *db.Tx) error {
		at, err := nextDue(tx, kinds)
		if ready, next = at > 0 && at <= tx.Now, 0; err != nil || ready {
			return err
		}
		if at > 0 {
			next = time.Duration(at-tx.Now) * time.Microsecond
		}
		if r.hasJustSeen(company) {
			next = min(cmp.Or(next, seenFor), seenFor)
			return nil
		}
		begun := time.Now()
		s, err := tally(tx)
		s.took = time.Since(begun)
		r.saw(company, s)
		return err
	})
	if err != nil || !ready {
		return nil, next, err
	}
	begun := time.Now() // before the time of what is taken begins for others, in the transaction
	err = r.transactor.Write(ctx, r.as(company, ""), db.Into(&due,
		func(tx *db.Tx) ([]Job, error) { return r.takeDue(tx, kinds, idle, most) }))
	if err != nil {
		due = nil
	} else if len(due) == 0 {
		next = soon // others were faster, or their clock is behind
	}
	for i := range due {
		due[i].until = begun.Add(r.handlers[due[i].Kind].kind.timeout())
	}
	r.hold(company, due, err)
	return due, next, err
}

// takeDue makes jobs that are due this worker's. One whose last attempt was the last and never ended has failed.
func (r *Runner) takeDue(tx *db.Tx, kinds []string, idle map[string]int, most int) (due []Job, err error) {
	list, err := free(tx, kinds, most)
	if err != nil {
		return nil, err
	}
	taken := map[string]int{}
	for _, j := range list {
		k := r.handlers[j.Kind].kind
		if j.Status == Running && j.Attempts >= k.attempts() {
			j.Status, j.DoneAt = Failed, tx.Now
			j.LastError = fmt.Sprintf(
				"begun %d times and never ended: each time the process stopped, or the work took too long", j.Attempts)
			if err := endJob(tx, j); err != nil {
				return nil, err
			}
			continue
		}
		if taken[j.Kind] == idle[j.Kind] {
			continue
		}
		taken[j.Kind]++
		if err := take(tx, &j, r.worker, k.lease()); err != nil {
			return nil, err
		}
		due = append(due, j)
	}
	return due, nil
}

// attempt runs a job that was taken, and writes what became of it.
func (r *Runner) attempt(ctx context.Context, j Job) {
	h := r.handlers[j.Kind]
	err := h.run(ctx, j)
	var werr error
	defer func() { r.let(j, werr) }()
	switch {
	case err == nil:
		r.count(j.Kind, "done")
		return
	case errors.Is(err, errTaken):
		r.log.Warn("a job took so long that another worker took it over", "kind", j.Kind, "subject", j.Subject, "id",
			j.ID)
		return
	case ctx.Err() != nil:
		err = Postpone(err, 0) // we are stopping: not its fault
	}
	after := j
	werr = r.transactor.Write(context.WithoutCancel(ctx), r.as(j.Company, ""), func(tx *db.Tx) error {
		after = h.kind.fate(j, err, tx.Now, rand.Float64())
		return endJob(tx, after)
	})
	if werr != nil {
		r.log.Error("what became of a job could not be written; it is tried again later", "kind", j.Kind, "subject",
			j.Subject, "id", j.ID, "error", errors.Join(werr, err))
		return
	}
	said := []any{"kind", j.Kind, "subject", j.Subject, "id", j.ID, "company", j.Company, "attempt", j.Attempts,
		"error", err}
	switch after.Status {
	case Failed:
		r.count(j.Kind, "failed")
		r.log.Error("a job has failed for good", said...)
	case Cancelled:
		r.count(j.Kind, "cancelled")
		r.log.Info("a job has become needless", said...)
	case Waiting:
		r.count(j.Kind, "retried")
		level := slog.LevelWarn
		if after.Attempts < j.Attempts { // put off: the list says why, the log need not each time
			level = slog.LevelDebug
		}
		r.log.Log(ctx, level, "a job did not succeed; it is tried again", said...)
	}
}

func (r *Runner) count(kind, outcome string) {
	r.mu.Lock()
	r.tally[Ending{kind, outcome}]++
	r.mu.Unlock()
}
