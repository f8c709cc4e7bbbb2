//go:build !cgo

package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"sync"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"kontor/internal/foundation/db"
)

// registered makes the functions of SQL that the driver does not have; it knows them by the process.
var registered = sync.OnceValue(func() error {
	return sqlite.RegisterDeterministicScalarFunction("fold", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			return folded(args[0]), nil
		})
})

func connect(path string, pragmas []string) (*sql.DB, error) {
	if err := registered(); err != nil {
		return nil, err
	}
	q := url.Values{"_pragma": pragmas}
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(),
		RawQuery: q.Encode()}).String())
}

func classify(err error) db.Failure {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return db.Other
	}
	switch e.Code() {
	case lib.SQLITE_CONSTRAINT_UNIQUE, lib.SQLITE_CONSTRAINT_PRIMARYKEY:
		return db.NotUnique
	case lib.SQLITE_CONSTRAINT_CHECK:
		return db.Ruled
	}
	if isTooLarge(e.Error()) {
		return db.TooLarge
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return db.Retry
	case lib.SQLITE_FULL, lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_READONLY, lib.SQLITE_NOMEM,
		lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return db.Full
	}
	return db.Other
}

func copyPages(from any, path string) error {
	b, err := from.(interface {
		NewBackup(string) (*sqlite.Backup, error)
	}).NewBackup((&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}).String())
	if err != nil {
		return err
	}
	more, err := b.Step(-1)
	if err == nil && more {
		err = errBusy
	}
	return errors.Join(err, b.Finish())
}
