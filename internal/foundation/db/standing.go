package db

import (
	"errors"
	"sync"
	"sync/atomic"
)

// standing is what the newest commit says of the company, where every commit passes through this process: it saves each
// transaction a statement. A reader confirms it once he has his snapshot.
type standing struct {
	mu      sync.Mutex
	commits uint64 // that moved the epoch
	moving  bool   // such a commit is under way
	known   atomic.Pointer[known]
}

// leave forgets what is known: a commit that moves the epoch begins.
func (s *standing) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moving = true
	s.known.Store(nil)
}

// arrive ends such a commit.
func (s *standing) arrive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moving = false
	s.commits++
}

func (s *standing) seen() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commits
}

// put keeps what was read from a snapshot that is newer than seen, unless the epoch has moved since or is moving.
func (s *standing) put(k known, seen uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.moving && s.commits == seen {
		s.known.Store(&k)
	}
}

// recognize takes the company's facts from memory where they are what this transaction will read: a writer knows
// whether he has moved them himself, a reader confirms them when he has his snapshot.
func (tx *Tx) recognize() bool {
	c := tx.cell
	if !c.engine.OneWriter || tx.write && c.moved || tx.doubtful {
		return false
	}
	k := c.standing.known.Load()
	if k == nil {
		return false
	}
	tx.Epoch, tx.Info = k.epoch, k.info
	if !tx.write {
		tx.presumed = k
	}
	return true
}

// presume takes the company's facts from memory where the request has just learned the epoch: it is served as of then.
func (tx *Tx) presume() (known bool, err error) {
	if tx.Caught.epoch == 0 {
		return false, nil
	}
	c := tx.cell
	c.infoMu.RLock()
	k, ok := c.infos[tx.Company]
	c.infoMu.RUnlock()
	if !ok || k.epoch != tx.Caught.epoch {
		return false, nil
	}
	tx.Epoch, tx.Info = k.epoch, k.info
	if tx.write && !tx.begun { // whose clock is the transaction's
		err = tx.begin()
	}
	return true, err
}

// share keeps what this transaction read of the company, if it is what is committed.
func (tx *Tx) share(seen uint64) {
	if tx.OneWriter() && !(tx.write && tx.cell.moved) {
		tx.cell.standing.put(known{tx.Epoch, tx.Info}, seen)
	}
}

// errMoved ends a reader whose snapshot is newer than what he presumed of the company; he is run again.
var errMoved = errors.New("db: the company's epoch moved as the snapshot was taken")

// confirm is called with the first rows: nothing has been read yet.
func (tx *Tx) confirm() error {
	if tx.cell.standing.known.Load() != tx.presumed {
		tx.moved = true
		return errMoved
	}
	tx.presumed = nil
	return nil
}
