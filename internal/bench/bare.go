package bench

import (
	"context"
	"errors"
	"os"
)

// alone is the yardstick on an engine with many writers: each client has a connection, and each unit a transaction.
func alone(ctx context.Context, open func(context.Context) (*writer, error)) side {
	return side{client: func(int) (func() error, func(), error) {
		w, err := open(ctx)
		if err != nil {
			return nil, nil, err
		}
		return func() error {
			if err := w.begin(); err != nil {
				return err
			}
			if err := w.one(); err != nil {
				return err
			}
			return w.commit()
		}, w.close, nil
	}}
}

// maxTogether is how many orders share a commit of the yardstick, as many as share one of ours.
const maxTogether = 64

// asWeWork is the yardstick in the way that the engine lets anybody write, with its name: on files by one writer, else
// by a connection for each client.
func asWeWork(ctx context.Context, oneWriter bool, open func(context.Context) (*writer, error)) (name string, s side,
	stop func(), err error) {
	if !oneWriter {
		return "bare transaction", alone(ctx, open), func() {}, nil
	}
	s, stop, err = together(ctx, open)
	return "bare group-committed transaction", s, stop, err
}

// together is the yardstick on files: one writer takes whatever waits and commits it at once, so that the clients
// share its flushes just as ours do.
func together(ctx context.Context, open func(context.Context) (*writer, error)) (s side, stop func(), err error) {
	w, err := open(ctx)
	if err != nil {
		return side{}, nil, err
	}
	waiting := make(chan chan error, maxTogether)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for first := range waiting {
			w.group(first, waiting)
		}
		w.close()
	}()
	s = side{client: func(int) (func() error, func(), error) {
		done := make(chan error, 1)
		return func() error { waiting <- done; return <-done }, func() {}, nil
	}}
	return s, func() { close(waiting); <-ended }, nil
}

// group writes one unit for each that waits, commits them, and tells each.
func (w *writer) group(first chan error, waiting chan chan error) {
	group := []chan error{first}
	err := w.begin()
	for i := 0; i < len(group); i++ {
		if err == nil {
			err = w.one()
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
	if e := w.commit(); err == nil {
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
