// Package datadir is where an installation's data lies: a folder of files, or a database with a folder beside it. It
// knows the folder's lock, whose it is, the key of its secrets, how it is exchanged for another, copied to be read, and
// brought to the present schema before anybody opens it.
package datadir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/postgres"
	"kontor/internal/foundation/db/sqlite"
	"kontor/internal/foundation/fault"
)

// Names of what lies in a data folder: the control database, and the media, a company's below its id.
const (
	ControlFile = "control.db"
	Media       = "media"
)

// ErrInvalid is what a setting that cannot be is refused with.
var ErrInvalid = fault.New(fault.Invalid, "Configuration.Invalid")

// Dir says where the data is. Every command that touches data takes these flags.
type Dir struct {
	Data        string `default:"./kontor-data" placeholder:"DIR" help:"Folder of the data: one file per company, media, the server's socket; ./kontor-data if left out, of demo ./kontor-demo."`
	DatabaseURL string `name:"database-url" placeholder:"URL" help:"PostgreSQL database to use instead of the files in --data, as postgres://user:password@host/name."`
	Connections int    `placeholder:"N" help:"Connections to the PostgreSQL database that this process opens at most, 24 if left out: so four nodes share a server of 100."`
	MediaURL    string `name:"media-url" placeholder:"URL" help:"Where pictures and documents lie, as s3://bucket/prefix?endpoint=https://host&region=name with the usual AWS variables; else in the folder media of --data."`

	SecretKeyFile string `name:"secret-key-file" placeholder:"FILE" help:"Key that secrets (second factors, payment providers) are sealed with; beside the data, as DIR.key, if left out, and made at the first start: of your usual key, kontor/secret.key in your configuration."`
	SecretKey     string `name:"secret-key" placeholder:"KEY" help:"The key itself, 32 bytes in base64, as KONTOR_SECRET_KEY alone: the command line is seen by others. Behind a comma keys from before."`
}

// ErrLocked is answered when another process writes the data folder and does not answer at its socket.
var ErrLocked = errors.New("the data is in use")

// Engine is the database engine that place asks for.
func (p Dir) Engine() *db.Engine {
	if p.DatabaseURL != "" {
		return postgres.Engine()
	}
	return sqlite.Engine()
}

// CellPath is where the embedded engine keeps a company's file.
func (p Dir) CellPath(company string) string {
	return filepath.Join(p.Data, "cells", company+".db")
}

// Locked is ErrLocked with who has the folder.
func Locked(place Dir) error {
	return fmt.Errorf("%w: process %d writes %s", ErrLocked, Holder(place.Data), place.Data)
}

// IsMissing reports whether there is no data in the folder, where it is kept in one. Data that is being exchanged, or
// was so when the process died, is there.
func (p Dir) IsMissing() bool {
	if p.DatabaseURL != "" {
		return false
	}
	for _, name := range []string{ControlFile, swapFile} {
		if _, err := os.Stat(filepath.Join(p.Data, name)); !errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

// files are the database files below the data folder, the control database first.
func (p Dir) files() ([]string, error) {
	var names []string
	if _, err := os.Stat(filepath.Join(p.Data, ControlFile)); err == nil {
		names = append(names, ControlFile)
	}
	cells, err := filepath.Glob(filepath.Join(p.Data, "cells", "*.db"))
	for _, c := range cells {
		names = append(names, filepath.Join("cells", filepath.Base(c)))
	}
	return names, err
}
