// Package bodies bounds what the bodies of requests take of the memory.
package bodies

import (
	"io"
	"net/http"
	"sync"

	"kontor/internal/foundation/fault"
)

// Loads counts the bytes of the large bodies that requests are sending or being answered for. A body is held in memory
// whole, and who sends it slowly takes a minute: without a bound, one key or one person could fill the memory.
type Loads struct {
	most int64 // bytes

	mu   sync.Mutex
	all  int64
	held map[string]int64 // by company
}

// New counts nothing yet. All bodies together come to so many bytes at most, those of one company to half of it; a body
// that is the only one passes, however large.
func New(most int64) *Loads { return &Loads{most: most, held: map[string]int64{}} }

const (
	// Light is the longest body that is not counted, and that anybody may send.
	Light = 64 << 10
	// Usual is the bound where nobody says another, in bytes.
	Usual = 256 << 20
)

var errRate = fault.New(fault.TooMany, "RateLimit.Exceeded")

// Load is what is counted of one request; nil where nothing is.
type Load struct {
	io.ReadCloser // the body
	of            *Loads
	company       string
	counted, read int64
}

// Carry counts a request's body until the load is put down, or refuses with RateLimit.Exceeded: one that says how long
// it is at once, another as it comes.
func (l *Loads) Carry(company string, r *http.Request, most int64) (*Load, error) {
	if n := r.ContentLength; n >= 0 && n <= Light || n > most { // what is longer is refused unread
		return nil, nil
	}
	c := &Load{ReadCloser: r.Body, of: l, company: company}
	if r.ContentLength > 0 {
		return c, c.add(r.ContentLength)
	}
	r.Body = c
	return c, nil
}

// Read counts a body that does not say how long it is, in steps.
func (c *Load) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if c.read += int64(n); c.read > c.counted+Light {
		if refused := c.add(c.read - c.counted); refused != nil {
			return n, refused
		}
	}
	return n, err
}

func (c *Load) add(n int64) error {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	held, all := c.of.held[c.company], c.of.all
	if held > c.counted && held+n > c.of.most/2 || all > c.counted && all+n > c.of.most {
		f := errRate.Because("as many large bodies are under way as there is memory for: repeat this one in a moment")
		f.RetryAfterSeconds = 1
		return f
	}
	c.of.all, c.of.held[c.company], c.counted = all+n, held+n, c.counted+n
	return nil
}

// Down is called when the request is answered.
func (c *Load) Down() {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.all -= c.counted
	if c.of.held[c.company] -= c.counted; c.of.held[c.company] == 0 {
		delete(c.of.held, c.company)
	}
}
