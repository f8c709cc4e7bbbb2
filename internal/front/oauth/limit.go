package oauth

import (
	"math"
	"net/http"
	"time"

	"golang.org/x/time/rate"

	"kontor/internal/foundation/cache"
	"kontor/internal/foundation/throttle"
)

// Tokens are asked for by many users of one program from one address.
const (
	callRate  = rate.Limit(20)
	callBurst = 100
)

// limiter keeps a token bucket for each address that was seen lately.
type limiter struct {
	rate    rate.Limit
	burst   int
	buckets cache.Cache[*rate.Limiter]
}

// maxAddresses bounds the addresses remembered; one that is forgotten starts with a full bucket.
const maxAddresses = 50_000

func newLimiter(r rate.Limit, burst int) *limiter {
	return &limiter{rate: r, burst: burst, buckets: cache.New[*rate.Limiter](maxAddresses, 0)}
}

// take spends one request of an address.
func (l *limiter) take(address string) error {
	key := throttle.Network(address)
	b, ok := l.buckets.Get(key)
	if !ok {
		b = l.buckets.PutIfAbsent(key, rate.NewLimiter(l.rate, l.burst))
	}
	now := time.Now()
	if b.AllowN(now, 1) {
		return nil
	}
	wait := max(1, int(math.Ceil((1-b.TokensAt(now))/float64(l.rate))))
	e := refuse("temporarily_unavailable", "too many requests from this address: repeat this one in %d s", wait)
	e.status, e.retry = http.StatusTooManyRequests, wait
	return e
}
