package app

import (
	"context"
	"errors"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

const (
	erasedAtOnce = 50    // people whom one walk through the activity log takes out
	seenAtOnce   = 1_000 // people whose deletion is noted as seen in one transaction
)

// writersPause is how long the walk leaves those alone who were writing as somebody was deleted.
const writersPause = 5 * time.Second

// erase takes all who are to be erased out of a company's activity log, part by part. Done once more it finds nothing.
func (h *App) erase(ctx context.Context, j jobs.Job) error {
	as := db.Request{Company: j.Company, Actor: db.Actor{Kind: "system", ID: "erasure", Name: "kontor erasure"},
		AsksCommitted: true}
	for {
		people, err := h.toErase(ctx, as)
		if err != nil || len(people) == 0 {
			return err
		}
		if err := h.eraseAll(ctx, as, people); err != nil {
			return err
		}
	}
}

// toErase are people of whom nobody writes any more, each with what the log says that he was called before. Where there
// are only others, it answers that the job must wait.
func (h *App) toErase(ctx context.Context, as db.Request) (people []record.Person, err error) {
	if err := h.seeErasures(ctx, as); err != nil {
		return nil, err
	}
	err = h.inside(func(s *db.Store) error {
		return s.Read(ctx, as, func(tx *db.Tx) (err error) {
			if people, err = record.Erasing(tx, erasedAtOnce); err != nil {
				return err
			}
			for i := 0; i < len(people) && err == nil; i++ {
				people[i], err = people[i].Known(tx)
			}
			if err != nil || len(people) > 0 {
				return err
			}
			more, err := record.ErasingAny(tx)
			if err == nil && more {
				err = jobs.Postpone(errors.New("somebody still writes who began before the person was deleted"), writersPause)
			}
			return err
		})
	})
	return people, err
}

// seeErasures notes who was deleted, from a snapshot that is older than the stamp it notes.
func (h *App) seeErasures(ctx context.Context, as db.Request) error {
	return h.inside(func(s *db.Store) error {
		for {
			var fresh []string
			err := s.Read(ctx, as, db.Into(&fresh, func(tx *db.Tx) ([]string, error) {
				return record.Unseen(tx, seenAtOnce)
			}))
			if err != nil || len(fresh) == 0 {
				return err
			}
			if err := s.Write(ctx, as, func(tx *db.Tx) error { return record.Seen(tx, fresh) }); err != nil {
				return err
			}
		}
	})
}

func (h *App) eraseAll(ctx context.Context, as db.Request, people []record.Person) error {
	write := func(fn func(tx *db.Tx) error) error {
		return h.inside(func(s *db.Store) error { return s.Write(ctx, as, fn) })
	}
	for from, more := (record.Place{}), true; more; {
		var to record.Place
		err := write(func(tx *db.Tx) (err error) {
			to, more, err = record.Erase(tx, people, from)
			return err
		})
		if err != nil {
			return err
		}
		from = to
	}
	return write(func(tx *db.Tx) error { return record.Erased(tx, people) })
}
