package dbtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/sqlite"
	"kontor/internal/foundation/fault/faulttest"
)

// emptyCompany is the file of a company without data. To lay one out takes a quarter of a second, which is most of what
// many a test would do; who opens a folder makes its companies of the one that lies there.
var emptyCompany = sync.OnceValues(func() ([]byte, error) {
	kept := os.Getenv(keptEnv)
	if kept != "" {
		kept += fmt.Sprintf("-%d.db", db.Newest(db.CellSchema))
		if b, err := os.ReadFile(kept); err == nil {
			return b, nil
		}
	}
	dir, err := os.MkdirTemp("", "template")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	made := filepath.Join(dir, db.TemplateFile)
	if err := db.Migrate(context.Background(), sqlite.Engine(), made, db.CellSchema); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(made)
	if err == nil && kept != "" {
		own := fmt.Sprintf("%s.%d", kept, os.Getpid())
		if err = os.WriteFile(own, b, 0o644); err == nil {
			err = os.Rename(own, kept)
		}
	}
	return b, err
})

// Prepare puts the file that new companies are copies of into a folder of data, which it makes where there is none.
func Prepare(t testing.TB, dir string) {
	t.Helper()
	b, err := emptyCompany()
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, db.TemplateFile), b, 0o600)
	}
	faulttest.None(t, err)
}
