package oauth

import (
	"math"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"kontor/internal/foundation/throttle"
)

// Tokens are asked for by many users of one program from one address.
const (
	callRate  = rate.Limit(20)
	callBurst = 100
)

// maxAddresses bounds the addresses remembered; one that is forgotten starts with a full bucket.
const maxAddresses = 50_000

// take spends one request of an address.
func (s *Server) take(address string) error {
	key := throttle.Network(address)
	b, ok := s.calls.Get(key)
	if !ok {
		b = s.calls.PutIfAbsent(key, rate.NewLimiter(callRate, callBurst))
	}
	now := time.Now()
	if b.AllowN(now, 1) {
		return nil
	}
	wait := max(1, int(math.Ceil((1-b.TokensAt(now))/float64(callRate))))
	e := refuse("temporarily_unavailable", "too many requests from this address: repeat this one in %d s", wait)
	e.status, e.retry = http.StatusTooManyRequests, wait
	return e
}
