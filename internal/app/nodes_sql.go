package app

import (
	"context"
	"sync"
	"time"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/pause"
)

// A node says every nodeBeat that it is alive; one not heard of for nodeGone is not counted, and its jobs are others'.
const (
	nodeBeat = 5 * time.Second
	nodeGone = 3 * nodeBeat
)

// countNodes keeps how many nodes serve this installation, until ctx ends: a rate limit of the whole is divided among
// them.
// Files have one node, always.
func (h *App) countNodes(ctx context.Context) {
	if h.Embedded() {
		return
	}
	for told := false; ; {
		err := h.Control(ctx, h.beat)
		if err != nil {
			h.Log.Warn("counting nodes", "error", err)
		}
		h.succeed(ctx)
		if h.nodes.Load() > 1 && h.DataDir.MediaURL == "" && !told {
			told = true
			h.Log.Warn(
				"several nodes share this database, and this one keeps pictures and documents in its own folder: " +
					"the others cannot show them. " +
					"Give all of them the same --media-url")
		}
		if pause.For(ctx, nodeBeat) != nil {
			h.Control(context.WithoutCancel(ctx), func(tx *db.Tx) error {
				return tx.Delete(db.Args{"id": h.node}, "node")
			})
			return
		}
	}
}

// beat writes that this node is alive, and counts those that are. Where the data lies in files, a row of another one is
// that of a process which has ended.
func (h *App) beat(tx *db.Tx) error {
	_, err := tx.Exec(`-- app.beat
		insert into node (id, seen_at) values (:id, :now) on conflict (id) do update set seen_at = excluded.seen_at`,
		db.Args{"id": h.node})
	if err != nil {
		return err
	}
	if h.Embedded() {
		_, err = tx.Exec(`-- app.beat gone
			delete from node where id <> :id`, db.Args{"id": h.node})
		h.nodes.Store(1)
		return err
	}
	rows, alive := map[string]db.Time{}, int64(0)
	err = db.Each2(tx, `-- app.beat count
		select id, seen_at from node`, nil, func(id string, seen db.Time) error {
		rows[id] = seen
		if seen >= tx.Now.Add(-nodeGone) {
			alive++
		}
		return nil
	})
	h.nodes.Store(max(1, alive))
	delete(rows, h.node)
	h.others.see(rows, time.Now())
	return err
}

// sightings are when other nodes were last seen to do something, by the clock of this process.
type sightings struct {
	mu    sync.Mutex
	nodes map[string]sighting
	last  time.Time // when this process looked
}

type sighting struct {
	said  db.Time // what the node wrote
	since time.Time
}

// see notes what other nodes have written. A process that has not looked for a while, such as while the database was
// silent, knows nothing of what the others did meanwhile, and begins anew.
func (s *sightings) see(rows map[string]db.Time, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.last) > 2*nodeBeat {
		s.nodes = nil
	}
	s.last = now
	next := make(map[string]sighting, len(rows))
	for id, said := range rows {
		if next[id] = s.nodes[id]; next[id].said != said {
			next[id] = sighting{said, now}
		}
	}
	s.nodes = next
}

// gone are nodes that have written nothing all the time that nodeGone is.
func (s *sightings) gone() map[string]db.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	gone := map[string]db.Time{}
	for id, n := range s.nodes {
		if s.last.Sub(n.since) >= nodeGone {
			gone[id] = n.said
		}
	}
	return gone
}

// succeed takes over the jobs of nodes that are gone and the companies that they looked after, and forgets those nodes.
func (h *App) succeed(ctx context.Context) {
	for id, said := range h.others.gone() {
		err := h.work.TakeOver(ctx, id)
		if err == nil {
			err = h.inside(func(s *db.Store) error { return s.FreeDue(ctx, id) })
		}
		if err == nil {
			err = h.Control(ctx, func(tx *db.Tx) error {
				_, err := tx.Exec(`-- app.succeed
					delete from node where id = :id and seen_at = :said`, db.Args{"id": id, "said": said})
				return err
			})
		}
		if err != nil && ctx.Err() == nil {
			h.Log.Warn("the jobs of a node that is gone wait until their time is over", "node", id, "error", err)
		}
	}
}

// share is this node's part of a rate that holds for all nodes together.
func (h *App) share(rate float64) float64 { return rate / float64(max(1, h.nodes.Load())) }
