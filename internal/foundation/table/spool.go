package table

import (
	"errors"
	"io"
	"os"
)

// spool is a file that holds what came from elsewhere, and is gone once it is closed.
type spool struct{ *os.File }

// spooled takes in all that comes, so that who reads it waits for nobody.
func spooled(in io.Reader) (spool, error) {
	f, err := os.CreateTemp("", "kontor-table-*")
	if err != nil {
		return spool{}, err
	}
	s := spool{f}
	if _, err = io.Copy(f, in); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return spool{}, errors.Join(err, s.Close())
	}
	return s, nil
}

// Close takes the file away.
func (s spool) Close() error { return errors.Join(s.File.Close(), os.Remove(s.Name())) }
