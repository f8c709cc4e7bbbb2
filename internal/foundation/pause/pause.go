// Package pause is for who does something again and again, or waits until another is done.
package pause

import (
	"context"
	"time"
)

// For waits for a while, and says why where ctx ends before.
func For(ctx context.Context, while time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(while):
		return nil
	}
}
