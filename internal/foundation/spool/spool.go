// Package spool keeps what has to be whole before somebody takes it in at his own pace: neither a snapshot of the data
// nor a writer waits for him meanwhile.
package spool

import (
	"errors"
	"io"
	"os"
)

// New is a file for it, which is gone once it is closed.
func New() (*os.File, error) {
	f, err := os.CreateTemp("", "kontor-*")
	if err == nil {
		os.Remove(f.Name()) // it has no name from here on: none is left where the process dies
	}
	return f, err
}

// Of takes in all that comes, to be read from its beginning.
func Of(in io.Reader) (*os.File, error) {
	f, err := New()
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(f, in); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
