package datadir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"kontor/internal/foundation/durable"
)

// elsewhereFile stands in the data folder of a server whose data lies in a PostgreSQL database. Without it a command
// that was not told of the database would find an empty folder, and make new data there.
const elsewhereFile = "postgresql.txt"

const elsewhereText = `The data of this folder lies in a PostgreSQL database: here are only files such as pictures and search indexes.
Commands find the data with --database-url (KONTOR_DATABASE_URL). Delete this file if the data is to lie in this folder.
`

// IsElsewhere refuses to make data in files where the folder is that of a PostgreSQL server.
func (p Dir) IsElsewhere() error {
	if p.DatabaseURL != "" || !p.IsMissing() {
		return nil
	}
	switch _, err := os.Stat(filepath.Join(p.Data, elsewhereFile)); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return ErrInvalid.At("database-url",
		"is missing: the data of the folder %s lies in a PostgreSQL database. Say which, as the server does, or delete the file %s in the folder if new data is to lie there",
		p.Data, elsewhereFile)
}

// MarkElsewhere leaves word in the folder of a server on PostgreSQL, unless there is other data in it.
func (p Dir) MarkElsewhere() error {
	files := p
	if files.DatabaseURL = ""; p.DatabaseURL == "" || !files.IsMissing() {
		return nil
	}
	path := filepath.Join(p.Data, elsewhereFile)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if err := durable.MakeFolder(p.Data); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(elsewhereText), 0o600)
}
