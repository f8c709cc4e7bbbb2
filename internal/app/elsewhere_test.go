package app

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/fault"
)

// A command that was not told of the database makes no data in the folder of a server that has one; a folder with data
// in files is left as it is.
func TestTheFolderOfADatabaseIsNotTakenForEmpty(t *testing.T) {
	ctx, log := t.Context(), slog.New(slog.DiscardHandler)
	files := datadir.Dir{Data: filepath.Join(t.TempDir(), "data")}
	database := files
	database.DatabaseURL = "postgres://kontor@127.0.0.1/kontor"
	for range 2 {
		if err := database.MarkElsewhere(); err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range map[string]error{"migrate": datadir.Migrate(ctx, files, log, 0),
		"open": func() error { _, err := Open(ctx, files, log); return err }()} {
		if !fault.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if made, err := os.ReadDir(files.Data); err != nil || len(made) != 1 {
		t.Errorf("the folder holds %v: %v", made, err)
	}
	if err := os.Remove(filepath.Join(files.Data, "postgresql.txt")); err != nil {
		t.Fatal(err)
	}
	h, err := Open(ctx, files, log)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(ctx); err != nil {
		t.Error(err)
	}
	if err := database.MarkElsewhere(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(files.Data, "postgresql.txt")); err == nil {
		t.Error("a folder with data says that it has none")
	}
}
