package rest

import (
	"io"
	"net/http"
	"sync"
)

// loads counts the bytes of the large bodies that each company's requests are sending or being answered for. A body is
// held in memory whole, and who sends it slowly takes a minute: without a bound, one key could fill the memory.
type loads struct {
	mu   sync.Mutex
	held map[string]int64 // by company
}

const (
	lightBody = 64 << 10  // is not counted
	maxHeld   = 128 << 20 // of a company: 32 of the largest bodies, or 12 of the largest files
)

// load is what is counted of one request; nil where nothing is.
type load struct {
	io.ReadCloser // the body
	of            *loads
	company       string
	counted, read int64
}

// carry counts a request's body until the load is put down, or refuses with RateLimit.Exceeded: one that says how long
// it is at once, another as it comes.
func (l *loads) carry(company string, r *http.Request, most int64) (*load, error) {
	if n := r.ContentLength; n >= 0 && n <= lightBody || n > most { // what is longer is refused unread
		return nil, nil
	}
	c := &load{ReadCloser: r.Body, of: l, company: company}
	if r.ContentLength > 0 {
		return c, c.add(r.ContentLength)
	}
	r.Body = c
	return c, nil
}

// Read counts a body that does not say how long it is, in steps.
func (c *load) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if c.read += int64(n); c.read > c.counted+lightBody {
		if refused := c.add(c.read - c.counted); refused != nil {
			return n, refused
		}
	}
	return n, err
}

func (c *load) add(n int64) error {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	held := c.of.held[c.company]
	if held+n > maxHeld {
		f := errRate.Because("requests with %d MiB of bodies are under way: repeat this one when others are answered",
			held>>20)
		f.RetryAfterSeconds = 1
		return f
	}
	c.of.held[c.company], c.counted = held+n, c.counted+n
	return nil
}

// down is called when the request is answered.
func (c *load) down() {
	if c == nil {
		return
	}
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.of.held[c.company] -= c.counted; c.of.held[c.company] == 0 {
		delete(c.of.held, c.company)
	}
}

// mostOf is the longest body that is read of a request.
func (p *plan) mostOf(r *http.Request) int64 {
	if p.takesForm(r) {
		return maxUpload
	}
	return maxBody
}

// takesForm reports whether a request is read as multipart/form-data.
func (p *plan) takesForm(r *http.Request) bool {
	return p.body.file != nil && (p.body.index == nil || isForm(r))
}
