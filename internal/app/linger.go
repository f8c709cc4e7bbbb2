package app

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// What is still read of a request that is answered before it has come to its end.
const (
	lingerBytes = 64 << 20
	lingerTime  = 10 * time.Second
	// readAnyway is what net/http reads by itself after an answer.
	readAnyway = 256 << 10
)

// lingering lets who sends a body that is not wanted read the answer. Most clients read nothing before they have sent
// everything; net/http closes the connection half a second after the answer, and what they find then is a broken pipe.
// Who waits for "100 Continue" sends nothing.
func lingering(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength >= 0 && r.ContentLength <= readAnyway || r.Header.Get("Expect") != "" {
			h.ServeHTTP(w, r)
			return
		}
		body := &endingBody{ReadCloser: r.Body}
		r.Body = body
		h.ServeHTTP(w, r)
		if body.ended {
			return
		}
		c := http.NewResponseController(w)
		if errors.Join(c.Flush(), c.SetReadDeadline(time.Now().Add(lingerTime))) == nil {
			io.CopyN(io.Discard, body, lingerBytes) // whatever ends it ends the connection
		}
	})
}

// endingBody knows whether it was read to its end, or cannot be.
type endingBody struct {
	io.ReadCloser
	ended bool
}

func (b *endingBody) Read(into []byte) (int, error) {
	n, err := b.ReadCloser.Read(into)
	b.ended = b.ended || err != nil
	return n, err
}
