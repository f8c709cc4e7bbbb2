package app

import (
	"context"
	"sync"
	"time"

	"kontor/internal/business/analytics"
	"kontor/internal/business/channel"
	"kontor/internal/foundation/db"
)

// hitsEvery is how often the hits of redirects are written: a reader need not wait for a commit. A crash loses the hits
// of as long.
const hitsEvery = 5 * time.Second

// hits are the redirects followed since they were last written, by company.
type hits struct {
	mu sync.Mutex
	by map[string]channel.Hits
}

// Count notes that a redirect was followed.
func (h *hits) Count(company, id string, at db.Time) {
	h.add(company, channel.Hits{id: {Count: 1, LastAt: at}})
}

// take hands over what was counted and begins anew.
func (h *hits) take() map[string]channel.Hits {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := h.by
	h.by = nil
	return all
}

// add keeps hits until they are written.
func (h *hits) add(company string, hits channel.Hits) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by == nil {
		h.by = map[string]channel.Hits{}
	}
	if h.by[company] == nil {
		h.by[company] = channel.Hits{}
	}
	for id, u := range hits {
		hit := h.by[company][id]
		h.by[company][id] = channel.Hit{Count: hit.Count + u.Count, LastAt: max(hit.LastAt, u.LastAt)}
	}
}

// writeHits writes what was counted, company by company. The caller stands inside the doors.
func (h *App) writeHits(ctx context.Context) {
	for company, counted := range h.hits.take() {
		err := h.store.Write(ctx, db.Request{Company: company,
			Actor: db.Actor{Kind: "system", ID: "hits", Name: "hits"}}, func(tx *db.Tx) error {
			return channel.CountHits(tx, counted)
		})
		if err != nil {
			h.Log.Warn("the hits of redirects could not be written; it is tried again", "company", company, "error",
				err)
			h.hits.add(company, counted)
		}
	}
}

// countHits writes the hits every now and then until ctx ends, and then a last time.
func (h *App) countHits(ctx context.Context) {
	tick := time.NewTicker(hitsEvery)
	defer tick.Stop()
	for over := false; !over; {
		select {
		case <-ctx.Done():
			over = true
		case <-tick.C:
		}
		if leave, err := h.Enter(); err == nil {
			h.writeHits(context.WithoutCancel(ctx))
			h.writeTraffic(context.WithoutCancel(ctx))
			leave()
		}
	}
}

// writeTraffic writes what visitors did since it was last written, company by company. The caller stands inside the
// doors.
func (h *App) writeTraffic(ctx context.Context) {
	for _, company := range h.traffic.Companies() {
		err := h.traffic.Write(company, func(fn func(tx *db.Tx) error) error {
			return h.store.Write(ctx, db.Request{Company: company, Actor: db.Actor{Kind: "system", ID: "traffic",
				Name: "traffic"}}, fn)
		})
		if err != nil {
			h.Log.Warn("what visitors did could not be written; it is tried again", "company", company, "error", err)
		}
	}
}

// trafficOf counts what visitors do; without a house there is nobody to count.
func trafficOf(h *App) *analytics.Traffic {
	if h == nil {
		return nil
	}
	return h.traffic
}
