package db

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// growthEvery is how often a process that writes looks whether tables have grown.
const growthEvery = time.Second

// looksAfter is how often it looks after it wrote: the server counts the rows of a commit up to ten seconds later.
const looksAfter = 12

// longestLook is how long it looks, and how long who closes the store may wait for it.
const longestLook = 5 * time.Second

// growth lets the planner look at the tables that this process fills: until it has, PostgreSQL plans for tables that
// are empty, and goes through all that a company has for one row. Its own look comes once a minute, which is thousands
// of rows too late. The zero value looks at none.
type growth struct {
	wrote atomic.Bool
	stop  func()
	ended sync.WaitGroup
}

// watchGrowth looks until the store is closed. What fails is left to the server's own look.
func (s *Store) watchGrowth() {
	var ctx context.Context
	ctx, s.growth.stop = context.WithCancel(context.Background())
	s.growth.wrote.Store(true) // others may have filled them before
	s.growth.ended.Go(func() {
		tick := time.NewTicker(growthEvery)
		defer tick.Stop()
		looks := 0
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if s.growth.wrote.Swap(false) {
				looks = looksAfter
			}
			if looks > 0 {
				looks--
				_ = s.analyze(ctx)
			}
		}
	})
}

// analyze lets the planner look at each table that has grown much since it last did. Who closes the store waits for the
// one that is being looked at: to break a statement off is to ask the server for it on another connection, and a
// process that ends meanwhile can take PgBouncer with it (1.18: "bad client state").
func (s *Store) analyze(ending context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ending), longestLook)
	defer cancel()
	return s.shared.owner.lend(ctx, func(cn *conn) error {
		grown, err := s.opt.Engine.Grown(ctx, cn.sql)
		for i := 0; i < len(grown) && err == nil && ending.Err() == nil; i++ {
			err = s.opt.Engine.Analyze(ctx, cn.sql, grown[i], s.others.begins)
		}
		return err
	})
}
