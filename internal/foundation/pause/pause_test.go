package pause_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"kontor/internal/foundation/pause"
)

func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		if err := pause.For(t.Context(), time.Hour); err != nil || time.Since(begun) != time.Hour {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		begun = time.Now()
		err := pause.For(ctx, time.Hour)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(begun) != time.Minute {
			t.Errorf("%v after %s", err, time.Since(begun))
		}
	})
}
