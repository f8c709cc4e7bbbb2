//go:build cgo

package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net/url"
	"strings"

	"github.com/mattn/go-sqlite3"

	"kontor/internal/foundation/db"
)

// connector opens connections of the driver and sets their pragmas, of which the driver knows only some by itself.
type connector struct {
	driver sqlite3.SQLiteDriver
	file   string
}

func connect(path string, pragmas []string) (*sql.DB, error) {
	var text strings.Builder
	for _, p := range pragmas {
		text.WriteString("pragma " + p + ";")
	}
	c := &connector{file: (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(),
		RawQuery: "_mutex=no"}).String()}
	c.driver.ConnectHook = func(conn *sqlite3.SQLiteConn) error {
		if err := conn.RegisterFunc("fold", folded, true); err != nil {
			return err
		}
		_, err := conn.Exec(text.String(), nil)
		return err
	}
	return sql.OpenDB(c), nil
}

// Connect opens one connection; it is never shared between goroutines, so SQLite needs no mutex for it.
func (c *connector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.file) }

// Driver is the driver itself.
func (c *connector) Driver() driver.Driver { return &c.driver }

func classify(err error) db.Failure {
	var e sqlite3.Error
	if !errors.As(err, &e) {
		return db.Other
	}
	switch e.Code {
	case sqlite3.ErrConstraint:
		if e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey {
			return db.NotUnique
		}
		if isTooLarge(e.Error()) {
			return db.TooLarge
		}
		if e.ExtendedCode == sqlite3.ErrConstraintCheck {
			return db.Ruled
		}
	case sqlite3.ErrError:
		if isTooLarge(e.Error()) {
			return db.TooLarge
		}
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return db.Retry
	case sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrReadonly, sqlite3.ErrNomem,
		sqlite3.ErrCorrupt, sqlite3.ErrNotADB:
		return db.Full
	}
	return db.Other
}

func copyPages(from any, path string) (err error) {
	var driver sqlite3.SQLiteDriver
	to, err := driver.Open((&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}).String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	b, err := to.(*sqlite3.SQLiteConn).Backup("main", from.(*sqlite3.SQLiteConn), "main")
	if err != nil {
		return err
	}
	done, err := b.Step(-1)
	if err == nil && !done {
		err = errBusy
	}
	return errors.Join(err, b.Finish())
}
