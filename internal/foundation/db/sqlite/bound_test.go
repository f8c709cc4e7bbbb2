package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/sqlite"
)

// What one file may keep in memory is not what each of many keeps.
func TestFilesShareOneBound(t *testing.T) {
	for _, bound := range []int64{4 << 20, 1 << 30} {
		if err := sqlite.Bound(t.Context(), bound); err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			d, err := sqlite.Engine().Open(filepath.Join(t.TempDir(), fmt.Sprint(n, ".db")), db.ForWriting)
			if err != nil {
				t.Fatal(err)
			}
			var got int64
			if err := d.QueryRow("pragma soft_heap_limit").Scan(&got); err != nil || got != bound {
				t.Errorf("a file is bound to %d bytes, want %d, %v", got, bound, err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
