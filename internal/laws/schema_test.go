package laws

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"kontor/internal/foundation/db"
)

// A step of the schema that has landed is never changed: data that has it already would not be what the program
// believes. The list grows by -update; a line of it that no longer holds is not updated, but refused.
func TestStepsOfTheSchemaAreNeverChanged(t *testing.T) {
	const kept = "testdata/schema.txt"
	text, err := os.ReadFile(kept)
	if err != nil && !*update {
		t.Fatal(err)
	}
	landed := strings.Fields(strings.ReplaceAll(string(text), " ", "="))
	now := steps(t)
	for _, line := range landed {
		if !slices.Contains(now, line) {
			name, _, _ := strings.Cut(line, "=")
			t.Errorf("%s has landed and is changed or gone: put it back, and change the schema by a new step", name)
		}
	}
	for _, line := range now {
		if slices.Contains(landed, line) {
			continue
		}
		name, _, _ := strings.Cut(line, "=")
		if later := slices.IndexFunc(landed, func(l string) bool {
			return path.Dir(l) == path.Dir(name) && l > name
		}); later >= 0 {
			t.Errorf("%s is new, and stands before steps that have landed: number it after them", name)
		}
	}
	if !t.Failed() {
		golden(t, "schema.txt", []byte(strings.ReplaceAll(strings.Join(now, "\n"), "=", " ")+"\n"))
	}
}

// steps are the files of both schemas, each with the hash of what it says.
func steps(t *testing.T) (all []string) {
	t.Helper()
	for _, schema := range []db.Schema{db.CellSchema, db.ControlSchema} {
		for _, name := range db.Steps(schema) {
			text, err := os.ReadFile(path.Join(root, "internal/foundation/db/schema", string(schema), name))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprintf("%s/%s=%x", schema, name, sha256.Sum256(text)))
		}
	}
	return all
}
