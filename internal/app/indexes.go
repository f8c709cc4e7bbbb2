package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"kontor/internal/business/assortment"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/pause"
)

// How often store indexes are thought of where nobody stirs them, the rest between two looks, and how many nodes that
// share a data folder keep theirs there.
const (
	indexPoll    = 500 * time.Millisecond
	indexRest    = 50 * time.Millisecond
	mostIndexing = 32
)

// openIndexes begins with no store index open.
func (h *App) openIndexes(store *db.Store) error {
	dir, lock, err := h.indexFolder()
	if err == nil {
		h.indexes, h.indexLock = assortment.OpenStoreIndexes(store, dir, h.Log), lock
	}
	return err
}

// indexFolder is where store indexes are kept, "" where they are kept in memory alone. On a database several nodes may
// share the data folder: each takes the first folder that no other has, search, search-2 and so on. Whose indexes they
// were does not matter, they know how far they are.
func (h *App) indexFolder() (dir string, lock *datadir.Lock, err error) {
	if h.DataDir.Data == "" {
		return "", nil, nil
	}
	first := filepath.Join(h.DataDir.Data, "search")
	if h.Embedded() {
		return first, nil, nil
	}
	for n := 1; n <= mostIndexing; n++ {
		if dir = first; n > 1 {
			dir = fmt.Sprintf("%s-%d", first, n)
		}
		if lock, err = datadir.TakeLock(dir); lock != nil || err != nil {
			return dir, lock, err
		}
	}
	return "", nil, nil
}

// closeIndexes keeps the store indexes and gives their folder back.
func (h *App) closeIndexes(ctx context.Context) error {
	return errors.Join(h.indexes.Close(ctx), h.indexLock.Release())
}

// keepIndexes lets the store indexes follow until ctx ends.
func (h *App) keepIndexes(ctx context.Context) {
	poll := time.NewTicker(indexPoll)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-h.stirred():
		case <-poll.C:
		}
		leave, err := h.Enter()
		if err != nil {
			continue
		}
		h.indexes.Round(ctx, h.files.URL)
		leave()
		if pause.For(ctx, indexRest) != nil {
			return
		}
	}
}

// stirred says when a store index is to be looked at. It is asked each time: a restore exchanges the indexes.
func (h *App) stirred() <-chan struct{} {
	leave, err := h.Enter()
	if err != nil {
		return nil
	}
	defer leave()
	return h.indexes.Stirred()
}
