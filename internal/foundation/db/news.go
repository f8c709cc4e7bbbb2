package db

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"time"
)

// What processes that share a database tell each other of their commits is a word, not a record: who misses it finds
// the same by looking, only later. So it is said after the commit and outside of it, because a NOTIFY inside would let
// one transaction of the whole database commit at a time; and for all commits of a moment at once.
const (
	newsEvery = 50 * time.Millisecond
	newsAgain = 2 * time.Second // before it is tried again to listen
	newsLimit = 5 * time.Second // how long telling may take
)

// news tells other processes which companies this one has changed. The zero value tells nobody.
type news struct {
	from  string // this process, among those that listen
	told  sync.WaitGroup
	stirs chan struct{}

	mu sync.Mutex
	of map[string]struct{}
}

// add notes that a company was changed. It does not wait.
func (n *news) add(company string) {
	if n.stirs == nil {
		return
	}
	n.mu.Lock()
	n.of[company] = struct{}{}
	n.mu.Unlock()
	select {
	case n.stirs <- struct{}{}:
	default:
	}
}

// take is what is to be told now.
func (n *news) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	all := make([]string, 0, len(n.of))
	for company := range n.of {
		all = append(all, n.from+" "+company)
	}
	clear(n.of)
	return all
}

// tellOthers lets other processes know what this one commits, until the store is closed.
func (s *Store) tellOthers() {
	s.news.from, s.news.of, s.news.stirs = rand.Text(), map[string]struct{}{}, make(chan struct{}, 1)
	s.news.told.Go(func() {
		for ended := false; !ended; {
			select {
			case <-s.closed:
				ended = true
			case <-s.news.stirs:
			}
			s.tellNews()
			if !ended {
				select {
				case <-s.closed:
				case <-time.After(newsEvery):
				}
			}
		}
	})
}

// tellNews says what was not said yet. What cannot be said is dropped: others look by themselves.
func (s *Store) tellNews() {
	all := s.news.take()
	if len(all) == 0 {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), newsLimit)
	defer stop()
	_ = s.shared.owner.lend(ctx, func(cn *conn) error { return s.tellAll(ctx, cn, all) })
}

// tellAll is a transaction of this process like all others, because telling takes an id.
func (s *Store) tellAll(ctx context.Context, cn *conn, all []string) error {
	begun, err := s.opt.Engine.Begin(ctx, cn.sql, Beginning{Write: true})
	if err != nil {
		return err
	}
	ends := s.others.begins(begun.ID)
	cn.waiting = append(cn.waiting, s.opt.Engine.Tell(all))
	err = cn.commit(ctx)
	ends(err == nil)
	return err
}

// Hear listens to what other processes commit, until ctx ends. While it cannot, Hears says so. It is for who serves; a
// command that runs for a moment needs none of it.
func (s *Store) Hear(ctx context.Context) {
	if s.opt.Engine.Listen == nil {
		return
	}
	for ctx.Err() == nil {
		_ = s.opt.Engine.Listen(ctx, s.opt.URL, func() { s.hears.Store(true) }, s.hear)
		s.hears.Store(false)
		select {
		case <-ctx.Done():
		case <-time.After(newsAgain):
		}
	}
}

// hear passes on what another process has said.
func (s *Store) hear(said string) {
	if from, company, ok := strings.Cut(said, " "); ok && from != s.news.from {
		s.tell(company)
	}
}
