package app

import (
	"context"
	"time"

	"kontor/internal/foundation/db"
)

// gatheredEvery is how often what visitors did is written down. A crash loses what is as old.
const gatheredEvery = 5 * time.Second

// gathered is what is counted in memory, so that no request waits for a commit, until it is written down.
type gathered interface {
	Companies() []string
	Write(company string, write func(fn func(tx *db.Tx) error) error) error
}

// writeGathered writes down hits of redirects and traffic every now and then until ctx ends, and then a last time.
func (h *App) writeGathered(ctx context.Context) {
	tick := time.NewTicker(gatheredEvery)
	defer tick.Stop()
	for over := false; !over; {
		select {
		case <-ctx.Done():
			over = true
		case <-tick.C:
		}
		if leave, err := h.Enter(); err == nil {
			h.writeDown(context.WithoutCancel(ctx), "hits", &h.hits)
			h.writeDown(context.WithoutCancel(ctx), "traffic", h.traffic)
			leave()
		}
	}
}

// writeDown writes what was gathered, company by company. The caller stands inside the doors.
func (h *App) writeDown(ctx context.Context, what string, g gathered) {
	for _, company := range g.Companies() {
		err := g.Write(company, func(fn func(tx *db.Tx) error) error {
			return h.store.Write(ctx, db.Request{Company: company,
				Actor: db.Actor{Kind: "system", ID: what, Name: what}}, fn)
		})
		if err != nil {
			h.Log.Warn("what visitors did could not be written; it is tried again", "what", what, "company", company,
				"error", err)
		}
	}
}
