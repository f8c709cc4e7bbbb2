package bench

import (
	"context"
	"errors"
	"os"

	"kontor/internal/foundation/halt"
)

// alone is the yardstick on an engine with many writers: each client has a connection, and each unit a transaction.
func alone(ctx context.Context, open func(context.Context) *writer) side {
	return side{client: func(int) (func(), func()) {
		w := open(ctx)
		return func() {
			w.begin()
			w.one()
			w.commit()
		}, w.close
	}}
}

// maxTogether is how many orders share a commit of the yardstick, as many as share one of ours.
const maxTogether = 64

// asWeWork is the yardstick in the way that the engine lets anybody write, with its name: on files by one writer, else
// by a connection for each client.
func asWeWork(ctx context.Context, oneWriter bool, open func(context.Context) *writer) (name string, s side,
	end func()) {
	if !oneWriter {
		return "bare transaction", alone(ctx, open), func() {}
	}
	s, end = together(ctx, open)
	return "bare group-committed transaction", s, end
}

// together is the yardstick on files: one writer takes whatever waits and commits it at once, so that the clients
// share its flushes just as ours do.
func together(ctx context.Context, open func(context.Context) *writer) (s side, end func()) {
	w := open(ctx)
	waiting := make(chan chan error, maxTogether)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for first := range waiting {
			w.group(first, waiting)
		}
		w.close()
	}()
	s = side{client: func(int) (func(), func()) {
		done := make(chan error, 1)
		return func() { waiting <- done; halt.On(<-done) }, func() {}
	}}
	return s, func() { close(waiting); <-ended }
}

// group writes one unit for each that waits, commits them, and tells each.
func (w *writer) group(first chan error, waiting chan chan error) {
	group := []chan error{first}
	err := halt.Told(w.begin)
	for i := 0; i < len(group); i++ {
		if err == nil {
			err = halt.Told(w.one)
		}
		if len(group) == maxTogether {
			continue
		}
		select {
		case next, ok := <-waiting:
			if ok {
				group = append(group, next)
			}
		default:
		}
	}
	if e := halt.Told(w.commit); err == nil {
		err = e
	}
	for _, done := range group {
		done <- err
	}
}

func removeFile(path string) error {
	var errs []error
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
