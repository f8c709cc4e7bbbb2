// Package apptest opens whole houses for tests.
package apptest

import (
	"context"
	"log/slog"
	"testing"

	"kontor/internal/app"
	"kontor/internal/foundation/datadir"
	"kontor/internal/foundation/db/dbtest"
)

// Each runs a test on each engine, side by side, with a place of its own where nothing is yet.
func Each(t *testing.T, fn func(t *testing.T, place datadir.Dir)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			fn(t, Place(t, engine))
		})
	}
}

// Place is where a house of an engine may keep its data until the test ends. The test is skipped where the engine is
// not there.
func Place(t testing.TB, engine string) datadir.Dir {
	t.Helper()
	place := datadir.Dir{Data: t.TempDir()}
	if engine == "postgres" {
		place.DatabaseURL = dbtest.DatabaseURL(t)
	} else {
		dbtest.Prepare(t, place.Data)
	}
	return place
}

// Open opens a house that is closed with the test.
func Open(t testing.TB, place datadir.Dir, s app.Serving) *app.App {
	t.Helper()
	h, err := app.OpenServing(t.Context(), place, s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(context.Background()); err != nil {
			t.Errorf("the house does not close: %v", err)
		}
	})
	return h
}
