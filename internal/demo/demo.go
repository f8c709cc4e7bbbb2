// Package demo makes the sample company: an outdoor shop that never was, with its assortment, its customers, stock in
// two warehouses and a month of business up to today, in all states that business has. Everything is made by the rooms'
// own verbs as of its day, from a fixed seed: the same day gives the same company.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"kontor/internal/business/identity"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/halt"
)

// Company is the sample company as it is registered.
func Company() identity.Company {
	return identity.Company{Code: "nordlys", Name: "Nordlys Outdoor AS", Country: "NO", Currency: "NOK",
		Environment: identity.Test}
}

// days is how far back the business goes.
const days = 31

// Steps is how often Fill and Furnish tick.
const Steps = 13

// Fill makes everything in a new company that has its starter set. now is the end of the story, and tick is told what
// is being made, of Steps in all with those of Furnish. What is broken off is not mended by calling again: begin with a
// new company.
func Fill(ctx context.Context, store *db.Store, company string, now time.Time, tick func(what string)) error {
	f := &filler{ctx: ctx, store: store, company: company, now: now, random: rand.New(rand.NewPCG(1, 20))}
	for _, step := range []struct {
		what string
		do   func()
	}{
		{"codes, categories and brands", f.codes},
		{"items", f.items},
		{"prices", f.prices},
		{"customers", f.customers},
		{"stock", f.stock},
		{"suppliers", f.suppliers},
		{"a month of orders", f.business},
	} {
		tick(step.what)
		if err := halt.Told(step.do); err != nil {
			return fmt.Errorf("the sample company's %s: %w", step.what, err)
		}
	}
	return nil
}

// filler is a company being filled.
type filler struct {
	ctx     context.Context
	store   *db.Store
	company string
	now     time.Time
	random  *rand.Rand

	goods  []article // what is sold
	buyers []buyer
}

// at runs fn in one transaction as of a moment.
func (f *filler) at(moment time.Time, fn func(tx *db.Tx)) {
	halt.On(f.ctx.Err())
	halt.On(f.store.Write(f.ctx, db.Request{Company: f.company, Now: db.TimeOf(moment),
		Actor: db.Actor{Kind: "system", ID: "demo", Name: "sample company"}},
		func(tx *db.Tx) error { return halt.Told(func() { fn(tx) }) }))
}

// opening is when the company began.
func (f *filler) opening() time.Time { return f.now.AddDate(0, 0, -days-5) }

// found runs fn as of the opening.
func (f *filler) found(fn func(tx *db.Tx)) { f.at(f.opening(), fn) }

// pick is one of the values.
func pick[T any](r *rand.Rand, values []T) T { return values[r.IntN(len(values))] }

// between is a number from low to high.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }
