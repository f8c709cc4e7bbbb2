package command

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// What only reads leaves the schema of an older program as it is, and says what brings it forward; a database in which
// nothing is stays empty.
func TestWhatReadsMigratesNothing(t *testing.T) {
	ctx := context.Background()
	for engine, at := range map[string]site{"sqlite": {dir: t.TempDir()},
		"postgres": {dir: t.TempDir(), url: dbtest.EmptyDatabaseURL(t)}} {
		place := datadir.Dir{Data: filepath.Join(at.dir, "kontor-data"), DatabaseURL: at.url}
		target := at.url
		if at.url != "" {
			got := at.run(t, "company", "list")
			if got.code != failure || !strings.Contains(got.err, "there is no data in the database") {
				t.Errorf("%s, nothing in it: %+v", engine, got)
			}
			have, err := db.MigrationStatus(ctx, place.Engine(), at.url, db.ControlSchema)
			if err != nil || have.Version != 0 {
				t.Errorf("%s: %+v, %v", engine, have, err)
			}
			if err := db.Migrate(ctx, place.Engine(), at.url, db.ControlSchema); err != nil {
				t.Fatal(err)
			}
		} else {
			at.createAcme(t)
			target = place.CellPath("0190")
		}
		if err := db.MigrateTo(ctx, place.Engine(), target, db.CellSchema, 1); err != nil {
			t.Fatal(err)
		}
		if at.url == "" { // another program has been here
			write(t, filepath.Join(place.Data, "schema"), "older")
		}
		for _, args := range []string{"company list", "export items --company=acme", "verify",
			"api-key list --company=acme", "backup all.tar.zst"} {
			got := at.run(t, strings.Fields(args)...)
			if got.code != failure || !strings.Contains(got.err, "was written by an older Kontor (schema version 1,") {
				t.Errorf("%s, %s: %+v", engine, args, got)
			}
		}
		have, err := db.MigrationStatus(ctx, place.Engine(), target, db.CellSchema)
		if err != nil || have.Version != 1 {
			t.Errorf("%s: %+v, %v", engine, have, err)
		}
		if got := at.run(t, "migrate"); got.code != success {
			t.Errorf("%s: %+v", engine, got)
		}
		if got := at.run(t, "company", "list"); got.code != success {
			t.Errorf("%s: %+v", engine, got)
		}
	}
}
