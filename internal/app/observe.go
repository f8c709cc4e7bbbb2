package app

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"kontor/internal/foundation/tracing"
	"kontor/internal/front/rest"
)

// observed logs and counts every request. Of its address the log has the pattern that the surface found, never what was
// sent in it: a path may hold a gift card or the token of an invitation, and one that leads nowhere may be a mistyped
// one that does.
func (s *Server) observed(next http.Handler) http.Handler {
	proxies := prefixes(s.serving.TrustedProxy)
	answers := sync.Pool{New: func() any { return new(answer) }}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		a := answers.Get().(*answer)
		*a = answer{ResponseWriter: w, status: http.StatusOK, surface: "none"}
		r.Pattern = ""
		id := rest.RequestID(r) // unless the surface that answers gives it another
		r.Header.Set("X-Request-Id", id)
		w.Header().Set("X-Request-Id", id)
		s.suspects.warn(s.kontor.Log, r, proxies)
		s.metrics.inFlight.Inc()
		defer func() {
			took := time.Since(start)
			s.metrics.inFlight.Dec()
			s.metrics.note(r, a, took)
			tracing.Answered(r.Context(), methodOf(r.Method), a.operation, a.status, w.Header().Get("X-Request-Id"))
			level := slog.LevelInfo
			if a.status >= http.StatusInternalServerError {
				level = slog.LevelError
			}
			if s.serving.AccessLog || level == slog.LevelError {
				s.kontor.Log.LogAttrs(r.Context(), level, "request",
					slog.String("method", methodOf(r.Method)), slog.String("path", cmp.Or(r.Pattern, "unknown")),
					slog.String("operation", a.operation), slog.Int("status", a.status), slog.Int64("bytes", a.bytes),
					slog.Duration("took", took), slog.String("from", clientOf(r, proxies)),
					slog.String("requestId", w.Header().Get("X-Request-Id")))
			}
			*a = answer{}
			answers.Put(a)
		}()
		next.ServeHTTP(a, r)
	})
}

// answer notes what is answered.
type answer struct {
	http.ResponseWriter
	status int
	bytes  int64
	begun  bool

	surface   string // that answers, of a fixed few; "none" while the data is exchanged
	operation string // of an API, by its id; "" elsewhere
	looked    bool   // for a kept answer
	kept      bool   // it was found
}

var _ rest.Attendant = (*answer)(nil)

// Operation is told which operation answers.
func (a *answer) Operation(id string) { a.operation = id }

// Kept is told whether an answer that may be kept was.
func (a *answer) Kept(found bool) { a.looked, a.kept = true, found }

// WriteHeader says when to come again, whatever page or program answered that it cannot be now.
func (a *answer) WriteHeader(status int) {
	later := status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests
	if later && a.Header().Get("Retry-After") == "" {
		a.Header().Set("Retry-After", "1")
	}
	if !a.begun && status >= 200 {
		a.status, a.begun = status, true
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	a.begun = true
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController flush and set deadlines.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// prefixes reads addresses and ranges; ones that do not parse were refused by Serving.Check.
func prefixes(ranges []string) []netip.Prefix {
	var out []netip.Prefix
	for _, s := range ranges {
		if p, err := prefix(s); err == nil {
			out = append(out, p)
		}
	}
	return out
}

func prefix(s string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(s); err == nil {
		return a.Prefix(a.BitLen())
	}
	return netip.ParsePrefix(s)
}

// clientOf is the address a request came from, see originOf.
func clientOf(r *http.Request, proxies []netip.Prefix) string { return originOf(r, proxies).client }

func trusted(host string, proxies []netip.Prefix) bool {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
