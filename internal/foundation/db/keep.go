package db

import "sync"

// keep holds what rooms derived from a company's reference data, under the epoch it was read at. It is a
// projection that may be thrown away at any moment, and it goes with its cell.
type keep struct {
	mu   sync.RWMutex
	held map[keepKey]kept
}

type keepKey struct{ company, name string }

type kept struct {
	epoch int64
	value any
}

// maxKept bounds how many values a cell of many companies holds.
const maxKept = 4_096

func (k *keep) get(key keepKey, epoch int64) (any, bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v, ok := k.held[key]
	return v.value, ok && v.epoch == epoch
}

func (k *keep) put(key keepKey, v kept) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if old, ok := k.held[key]; ok && old.epoch > v.epoch {
		return
	}
	if k.held == nil {
		k.held = map[keepKey]kept{}
	}
	if len(k.held) >= maxKept {
		for other := range k.held { // any one: the order of a map is as good as a lottery
			delete(k.held, other)
			break
		}
	}
	k.held[key] = v
}

// Kept answers the value called name that build makes from the company's reference data, from memory
// while the company's epoch stands. What a writing transaction builds is shared only after its commit: until
// then it may rest on rows that are never confirmed. The value is shared by many and must not be changed.
func Kept[T any](tx *Tx, name string, build func() (*T, error)) (*T, error) {
	if v, ok := tx.kept[name]; ok && v.epoch == tx.Epoch {
		return v.value.(*T), nil
	}
	key := keepKey{tx.Company, name}
	if v, ok := tx.cell.keep.get(key, tx.Epoch); ok && !tx.bumped {
		return v.(*T), nil
	}
	value, err := build()
	if err != nil {
		return nil, err
	}
	v := kept{tx.Epoch, value}
	if tx.kept == nil {
		tx.kept = map[string]kept{}
	}
	tx.kept[name] = v
	if tx.write {
		tx.Done(func() { tx.cell.keep.put(key, v) })
	} else {
		tx.cell.keep.put(key, v)
	}
	return value, nil
}

// Recall answers what Memorize kept under name for this company: totals and places in lists. Whoever keeps something
// says in it what it holds true for; it may be gone at any moment.
func (tx *Tx) Recall(name string) (any, bool) {
	return tx.cell.memo.get(keepKey{tx.Company, name}, 0)
}

// Memorize keeps a value under name for this company on this node. What a writing transaction found is kept after its
// commit.
func (tx *Tx) Memorize(name string, value any) {
	key := keepKey{tx.Company, name}
	if tx.write {
		tx.Done(func() { tx.cell.memo.put(key, kept{0, value}) })
		return
	}
	tx.cell.memo.put(key, kept{0, value})
}
