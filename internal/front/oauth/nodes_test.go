package oauth_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kontor/internal/app"
	"kontor/internal/business/identity"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/db/dbtest"
)

// A connection that is ended on one node ends on the others within a second, also while it is in use there.
func TestConnectionsEndOnEveryNode(t *testing.T) {
	url := dbtest.DatabaseURL(t) // skips where there is none
	w := newWorldAt(t, datadir.Dir{Data: t.TempDir(), DatabaseURL: url})
	other, err := app.OpenServing(t.Context(), datadir.Dir{Data: t.TempDir(), DatabaseURL: url},
		app.Serving{PublicURL: w.url + "/"}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { other.Close(t.Context()) })
	access, _ := w.register("https://robot.example.com/cb").connect(w.browser())
	there := func() int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/preview/items", nil)
		r.Header.Set("Authorization", "Bearer "+access)
		rec := httptest.NewRecorder()
		other.ServeHTTP(rec, r)
		return rec.Code
	}
	if status := there(); status != http.StatusOK {
		t.Fatalf("on the other node: %d", status)
	}
	w.control(func(tx *db.Tx) error {
		all, err := identity.Connections(tx, w.acme.ID, "")
		if err != nil {
			return err
		}
		return identity.RevokeConnection(tx, "", w.anna.ID, all[0].ID)
	})
	ended := time.Now()
	for there() != http.StatusUnauthorized {
		if time.Since(ended) > 10*time.Second {
			t.Fatal("it goes on working on the other node")
		}
	}
	t.Logf("the other node refused it after %s", time.Since(ended))
}
