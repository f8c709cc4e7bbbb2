package rest

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"

	"kontor/internal/foundation/cache"
)

// limiter keeps a token bucket for each credential that was seen lately.
type limiter struct {
	otherwise Limit
	unsaid    bool // no headers
	buckets   cache.Cache[*bucket]
}

type bucket struct {
	limit  Limit
	tokens *rate.Limiter
	policy []string // of the RateLimit-Policy header
}

// Buckets are token buckets by name, for what is counted before a surface knows who asks.
type Buckets struct{ limiter *limiter }

// NewBuckets are full buckets.
func NewBuckets() Buckets { return Buckets{newLimiter(Limit{}, true)} }

// Take spends one of a bucket, or refuses with RateLimit.Exceeded.
func (b Buckets) Take(name string, l Limit) error {
	return b.limiter.take(nil, Caller{Credential: name, Limit: &l})
}

// maxBuckets bounds the credentials remembered; one that is forgotten starts with a full bucket.
const maxBuckets = 100_000

func newLimiter(otherwise Limit, unsaid bool) *limiter {
	return &limiter{otherwise: otherwise, unsaid: unsaid, buckets: cache.New[*bucket](maxBuckets, 0)}
}

func newBucket(l Limit) *bucket {
	if l.Burst == 0 {
		l.Burst = max(1, int(math.Ceil(4*l.Rate)))
	}
	// draft-ietf-httpapi-ratelimit-headers: q is the quota, w the seconds in which it comes back.
	window := max(1, int(math.Ceil(float64(l.Burst)/l.Rate)))
	return &bucket{limit: l, tokens: rate.NewLimiter(rate.Limit(l.Rate), l.Burst),
		policy: []string{fmt.Sprintf(`"default";q=%d;w=%d`, l.Burst, window)}}
}

// take spends one request of the caller, or refuses with RateLimit.Exceeded.
func (l *limiter) take(h http.Header, c Caller) error {
	limit := l.otherwise
	if c.Limit != nil {
		limit = *c.Limit
	}
	if limit.Rate <= 0 {
		return nil
	}
	b, ok := l.buckets.Get(c.Credential)
	if !ok || b.limit.Rate != limit.Rate || limit.Burst != 0 && b.limit.Burst != limit.Burst {
		b = newBucket(limit)
		if ok {
			l.buckets.Put(c.Credential, b)
		} else {
			b = l.buckets.PutIfAbsent(c.Credential, b)
		}
	}
	now := time.Now()
	granted := b.tokens.AllowN(now, 1)
	left := b.tokens.TokensAt(now)
	if !l.unsaid {
		full := int(math.Ceil((float64(b.limit.Burst) - left) / b.limit.Rate))
		said := append(make([]byte, 0, 32), `"default";r=`...)
		said = strconv.AppendInt(said, int64(max(0, left)), 10)
		said = strconv.AppendInt(append(said, ";t="...), int64(max(0, full)), 10)
		h["Ratelimit-Policy"] = b.policy
		h["Ratelimit"] = []string{string(said)}
	}
	if granted {
		return nil
	}
	wait := max(1, int(math.Ceil((1-left)/b.limit.Rate)))
	f := errRate.Because("more than %g requests a second, or %d at once: repeat the request in %d s", b.limit.Rate,
		b.limit.Burst, wait)
	f.RetryAfterSeconds = wait
	return f
}
