package app

import (
	"context"
	"time"

	"kontor/internal/foundation/db"
)

// A node says every nodeBeat that it is alive; one not heard of for nodeGone is not counted.
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
		if h.nodes.Load() > 1 && h.DataDir.MediaURL == "" && !told {
			told = true
			h.Log.Warn(
				"several nodes share this database, and this one keeps pictures and documents in its own folder: " +
					"the others cannot show them. " +
					"Give all of them the same --media-url")
		}
		select {
		case <-ctx.Done():
			h.Control(context.WithoutCancel(ctx), func(tx *db.Tx) error {
				return tx.Delete(db.Args{"id": h.node}, "node")
			})
			return
		case <-time.After(nodeBeat):
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
	gone := tx.Now - db.Time(nodeGone.Microseconds())
	if h.Embedded() {
		gone = tx.Now
	}
	if _, err := tx.Exec(`-- app.beat gone
		delete from node where seen_at < :gone and id <> :id`, db.Args{"gone": gone, "id": h.node}); err != nil {
		return err
	}
	var n int64
	_, err = tx.One(`-- app.beat count
		select count(*) from node`, nil, &n)
	h.nodes.Store(max(1, n))
	return err
}

// share is this node's part of a rate that holds for all nodes together.
func (h *App) share(rate float64) float64 { return rate / float64(max(1, h.nodes.Load())) }
