package app

import (
	"cmp"
	"context"
	"errors"
	"time"

	"kontor/internal/app/archive"
	"kontor/internal/business/founding"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/jobs"
	"kontor/internal/foundation/pause"
)

// settleTime is how long another node may still know a credential after it was taken back.
const settleTime = 1500 * time.Millisecond

// CreateCompany lays out a company: its entry, its books, its starter set. Whatever fails is taken back,
// and what a crash left half made is made anew. It refuses as identity.Register does.
func (h *App) CreateCompany(ctx context.Context, c identity.Company) (identity.Company, error) {
	return h.CreateFilled(ctx, c, func(identity.Company) error { return nil })
}

// CreateFilled is CreateCompany for a company that begins with more than the starter set: fill adds it before the doors
// open, and what was broken off is made anew by the next call. Of what fill let happen nobody outside of the books
// hears: its letters are not sent.
func (h *App) CreateFilled(ctx context.Context, c identity.Company, fill func(identity.Company) error) (
	identity.Company, error) {
	c.TimeZone = cmp.Or(c.TimeZone, h.serving.TimeZone)
	return h.layOut(ctx, c, func(c identity.Company) error {
		r := db.Request{Company: c.ID, Actor: Operator()}
		if err := h.store.Write(ctx, r, func(tx *db.Tx) error { return founding.Found(tx, beginning()) }); err != nil {
			return err
		}
		if err := fill(c); err != nil {
			return err
		}
		return h.store.Write(ctx, r, func(tx *db.Tx) error { return jobs.Clear(tx, inward()...) })
	})
}

// layOut enters a company, makes the place for its books, lets fill write them, and opens the doors.
func (h *App) layOut(ctx context.Context, c identity.Company, fill func(identity.Company) error) (identity.Company,
	error) {
	if err := h.clearHalfMade(ctx, c.Code); err != nil {
		return c, err
	}
	err := h.Control(ctx, db.Into(&c, func(tx *db.Tx) (identity.Company, error) { return identity.Register(tx, c) }))
	if err != nil {
		return c, err
	}
	if err = h.store.CreateCell(ctx, c.Info()); err == nil {
		err = fill(c)
	}
	if err == nil {
		err = h.applyDomains(ctx, c.ID)
	}
	if err == nil {
		err = h.Control(ctx, func(tx *db.Tx) error { return identity.Activate(tx, c.ID) })
	}
	if err != nil {
		return c, errors.Join(err, h.remove(context.WithoutCancel(ctx), c))
	}
	c.Status = identity.Active
	return c, nil
}

// clearHalfMade removes a company of this code whose making or deleting was cut short.
func (h *App) clearHalfMade(ctx context.Context, code string) error {
	c, err := h.Company(ctx, code)
	switch {
	case fault.Is(err, identity.ErrCompanyNotFound), err == nil && c.Status == identity.Active:
		return nil
	case err != nil:
		return err
	}
	return h.remove(ctx, c)
}

// Company finds a company by its code or id. It refuses with Company.NotFound.
func (h *App) Company(ctx context.Context, code string) (c identity.Company, err error) {
	err = h.Look(ctx, db.Into(&c, func(tx *db.Tx) (identity.Company, error) { return identity.FindCompany(tx, code) }))
	return c, err
}

// Companies are all companies by code.
func (h *App) Companies(ctx context.Context) (all []identity.Company, err error) {
	err = h.Look(ctx, db.Into(&all, identity.Companies))
	return all, err
}

// DeleteCompany shuts a company's doors, waits until every node has noticed, and deletes its books and its entry.
func (h *App) DeleteCompany(ctx context.Context, c identity.Company) error {
	if err := h.shut(ctx, c); err != nil {
		return err
	}
	return h.remove(ctx, c)
}

// shut shuts a company's doors, and waits until every node has noticed.
func (h *App) shut(ctx context.Context, c identity.Company) error {
	err := h.Control(ctx, func(tx *db.Tx) error { return identity.BeginClosing(tx, c) })
	if err != nil {
		return err
	}
	h.gate.Forget()
	return h.finishOpenings(ctx)
}

// finishOpenings waits until other nodes have forgotten what was taken back; files have no other nodes.
func (h *App) finishOpenings(ctx context.Context) error {
	if h.Embedded() {
		return nil
	}
	return pause.For(ctx, settleTime)
}

func (h *App) remove(ctx context.Context, c identity.Company) error {
	if err := h.removeBooks(ctx, c); err != nil {
		return err
	}
	return h.Control(ctx, func(tx *db.Tx) error { return identity.Remove(tx, c) })
}

func (h *App) removeBooks(ctx context.Context, c identity.Company) error {
	return errors.Join(h.indexes.Forget(c.ID), h.store.DropCell(ctx, c.ID), h.files.Drop(ctx, c.ID))
}

// CloneCompany copies a company's books into a new company of environment Test, without its users, keys and host names.
// It refuses as identity.Register does.
func (h *App) CloneCompany(ctx context.Context, from identity.Company, code, name string) (identity.Company, error) {
	to := from
	to.Code, to.Name, to.Environment = code, name, identity.Test
	return h.layOut(ctx, to, func(c identity.Company) error {
		if err := h.files.Copy(ctx, from.ID, c.ID); err != nil {
			return err
		}
		if err := archive.Copy(ctx, h.store, from.ID, h.store, c.ID); err != nil {
			return err
		}
		return h.store.Write(ctx, db.Request{Company: c.ID, Actor: Operator()}, func(tx *db.Tx) error {
			if err := jobs.Clear(tx, inward()...); err != nil { // the original does the others
				return err
			}
			if _, err := reseal(tx, from.ID); err != nil {
				return err
			}
			return ownDomains(tx, from.Code, c.Code)
		})
	})
}
