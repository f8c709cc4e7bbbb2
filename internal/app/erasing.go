package app

import (
	"context"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/record"
)

// erasedAtOnce is how many people one walk through the activity log takes out.
const erasedAtOnce = 50

// erase takes all who are to be erased out of a company's activity log, part by part. Done once more it finds nothing.
func (h *App) erase(ctx context.Context, j jobs.Job) error {
	as := db.Request{Company: j.Company, Actor: db.Actor{Kind: "system", ID: "erasure", Name: "kontor erasure"}}
	for {
		var people []record.Person
		err := h.inside(func(s *db.Store) error {
			return s.Read(ctx, as, db.Into(&people, func(tx *db.Tx) ([]record.Person, error) {
				all, err := record.Erasing(tx, erasedAtOnce)
				for i := 0; i < len(all) && err == nil; i++ {
					all[i], err = all[i].Known(tx)
				}
				return all, err
			}))
		})
		if err != nil || len(people) == 0 {
			return err
		}
		if err := h.eraseAll(ctx, as, people); err != nil {
			return err
		}
	}
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
