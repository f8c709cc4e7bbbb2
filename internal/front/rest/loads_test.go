package rest

import (
	"bytes"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"kontor/internal/front/bodies"
)

// held is a body that comes only once it is let go.
type held struct {
	io.Reader
	asked chan<- struct{}
	let   <-chan struct{}
	once  sync.Once
}

func (h *held) Read(b []byte) (int, error) {
	h.once.Do(func() { h.asked <- struct{}{}; <-h.let })
	return h.Reader.Read(b)
}

// A company's bodies that are under way are bounded, whether they say how long they are or not; light ones always pass.
func TestBodiesUnderWayAreBounded(t *testing.T) {
	s := serve(t, nil)
	send := func(body io.Reader, length int64) *httptest.ResponseRecorder {
		r := httptest.NewRequest("POST", "/preview/things", body)
		r.ContentLength = length
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "k")
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w
	}
	asked, let := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	for range bodies.Usual / 2 / maxBody {
		all.Go(func() { send(&held{Reader: strings.NewReader("{}"), asked: asked, let: let}, maxBody) })
		<-asked
	}
	heavy := bytes.Repeat([]byte(" "), maxBody/2)
	s.refused(send(bytes.NewReader(heavy), int64(len(heavy))), 429, "RateLimit.Exceeded")
	w := send(iotest.HalfReader(bytes.NewReader(heavy)), -1)
	s.refused(w, 429, "RateLimit.Exceeded")
	if w.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
	s.refused(send(strings.NewReader("[]"), -1), 400, "Request.Invalid")
	close(let)
	all.Wait()
	s.refused(send(bytes.NewReader(heavy), int64(len(heavy))), 400, "Request.Invalid")
	s.refused(send(bytes.NewReader(heavy), -1), 400, "Request.Invalid")
}
