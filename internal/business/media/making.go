package media

import (
	"context"
	"errors"

	"kontor/internal/foundation/blob"
)

// making is a file that is being made smaller, or waits for its turn.
type making struct {
	waiting int           // those who wait for it
	leave   func()        // the queue, once nobody waits any more
	begun   bool          // its turn has come: it is finished whoever waits, and kept
	done    chan struct{} // closed when it is
	err     error         // what came of it
}

// makeSmall makes the file narrower, in every width, since what takes long is to decode it, and keeps that. Callers who
// want the same file wait for one making, and only a few are made at a time; who went away leaves the queue.
func (l *Library) makeSmall(ctx context.Context, company string, f File) error {
	key := f.key(company)
	l.mu.Lock()
	m := l.making[key]
	if m == nil {
		queued, leave := context.WithCancel(context.WithoutCancel(ctx))
		m = &making{leave: leave, done: make(chan struct{})}
		l.making[key] = m
		go l.make(queued, m, company, f)
	}
	m.waiting++
	l.mu.Unlock()
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.waiting--; m.waiting == 0 && !m.begun {
		m.leave()
		delete(l.making, key) // who comes now begins anew
	}
	return ctx.Err()
}

// make waits for the turn of a file and makes it smaller.
func (l *Library) make(queued context.Context, m *making, company string, f File) {
	defer close(m.done)
	defer m.leave()
	select {
	case l.turns <- struct{}{}:
		defer func() { <-l.turns }()
	case <-queued.Done():
		m.err = queued.Err()
		return
	}
	l.mu.Lock()
	m.begun = queued.Err() == nil
	l.mu.Unlock()
	if !m.begun {
		m.err = queued.Err()
		return
	}
	m.err = l.keepSmall(queued, company, f)
	l.mu.Lock()
	delete(l.making, f.key(company))
	l.mu.Unlock()
}

// keepSmall makes the file smaller and stores that, in the widths that are not there. Where its pixels cannot be read,
// empty ones are left, so that nobody tries again.
func (l *Library) keepSmall(ctx context.Context, company string, f File) error {
	var widths []int
	for _, width := range Widths() {
		if !f.shrinks(width) {
			continue
		}
		switch _, err := l.store.Stat(ctx, f.smallKey(company, width)); {
		case errors.Is(err, blob.ErrNotFound):
			widths = append(widths, width)
		case err != nil:
			return err
		}
	}
	if len(widths) == 0 { // made since they were looked for
		return nil
	}
	data, err := blob.ReadAll(ctx, l.store, f.key(company))
	if err != nil {
		return err
	}
	small := make([][]byte, len(widths))
	err = l.decoding(ctx, data, f.ContentType, f.Width*f.Height, func() {
		if made, err := thumbnails(data, f.ContentType, widths...); err == nil {
			small = made
		}
	})
	for i := 0; err == nil && i < len(widths); i++ {
		err = l.store.Put(ctx, f.smallKey(company, widths[i]), small[i])
	}
	return err
}
