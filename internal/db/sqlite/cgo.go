//go:build cgo

package sqlite

import (
	"errors"
	"net/url"
	"strings"

	"github.com/mattn/go-sqlite3"

	"kontor/internal/db"
)

const driver = "sqlite3"

// address is a file URI; mattn knows the pragmas as parameters with an underscore before their names.
func address(path string, pragmas []string, readOnly bool) string {
	q := url.Values{}
	for _, p := range pragmas {
		name, value, _ := strings.Cut(strings.TrimSuffix(p, ")"), "(")
		if name != "temp_store" { // the driver has no parameter for it; the default serves
			q.Set("_"+name, value)
		}
	}
	q.Set("_mutex", "no") // a connection is never shared between goroutines
	if readOnly {
		q.Set("_query_only", "1")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

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
	case sqlite3.ErrBusy, sqlite3.ErrLocked:
		return db.Retry
	case sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen, sqlite3.ErrReadonly, sqlite3.ErrNomem:
		return db.Full
	}
	return db.Other
}
