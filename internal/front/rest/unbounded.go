package rest

import (
	"context"
	"net/http"
)

// Unbounded lets a server whose requests are born of ctx try what stands behind the bounds of numbers that the fields
// of its operations are tagged with: a body that comes with this header is not held to them. Stories open their servers
// so, and see that what a room writes it refuses itself.
func Unbounded(ctx context.Context, header string) context.Context {
	return context.WithValue(ctx, unbounded{}, header)
}

func isUnbounded(r *http.Request) bool {
	header, ok := r.Context().Value(unbounded{}).(string)
	return ok && r.Header.Get(header) != ""
}

type unbounded struct{}
