package db

import (
	"context"
	"sync"
)

// looks lets all who ask at the same time share one look at what others have committed: one that begins after they
// asked, so that it finds whatever was answered before.
type looks[T any] struct {
	fn func() T

	mu      sync.Mutex
	waiting *look[T]
	running bool
}

type look[T any] struct {
	done  chan struct{}
	found T
}

// next is what a look that begins after now finds; nothing where ctx ends before.
func (l *looks[T]) next(ctx context.Context) (found T) {
	one := l.join()
	select {
	case <-one.done:
		return one.found
	case <-ctx.Done():
		return found
	}
}

func (l *looks[T]) join() *look[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = &look[T]{done: make(chan struct{})}
	}
	if !l.running {
		l.running = true
		go l.run()
	}
	return l.waiting
}

// run looks as long as somebody waits.
func (l *looks[T]) run() {
	for {
		l.mu.Lock()
		one := l.waiting
		l.waiting = nil
		l.running = one != nil
		l.mu.Unlock()
		if one == nil {
			return
		}
		one.found = l.fn()
		close(one.done)
	}
}
