package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"kontor/internal/foundation/halt"
)

// caller is one client on one connection. It is as lean as a client can be, because it shares the machine with what it
// measures: whatever it spends is missing on both sides of every ratio, and would make the ratios look better than they
// are.
type caller struct {
	to   *target
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte // of the last answer
}

// target is a server under measurement.
type target struct {
	url     *url.URL
	headers string // of every request: Host and the credential
}

func newTarget(address, key string) *target {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		halt.On(fmt.Errorf("%q is no address of a server, such as http://127.0.0.1:8080", address))
	}
	return &target{u, "Host: " + u.Host + "\r\nX-Api-Key: " + key + "\r\n"}
}

// patience is how long one answer may take; a server that hangs must not hang the measurement.
const patience = 30 * time.Second

func (t *target) dial() *caller {
	at := func(usual string) string { return net.JoinHostPort(t.url.Hostname(), cmp.Or(t.url.Port(), usual)) }
	var conn net.Conn
	if t.url.Scheme == "https" {
		conn = halt.Must(tls.Dial("tcp", at("443"), nil))
	} else {
		conn = halt.Must(net.Dial("tcp", at("80")))
	}
	return &caller{to: t, conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
}

func (c *caller) close() { c.conn.Close() }

// get is the text of a GET, to be built once and sent many times.
func (t *target) get(path string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\n" + t.headers + "\r\n")
}

// send builds and sends a request with a body.
func (c *caller) send(method, path, key string, body []byte) reply {
	b := append(c.out[:0], method...)
	b = append(append(append(b, ' '), path...), " HTTP/1.1\r\n"...)
	b = append(b, c.to.headers...)
	if key != "" {
		b = append(append(append(b, "Idempotency-Key: "...), key...), "\r\n"...)
	}
	if len(body) > 0 {
		b = append(b, "Content-Type: application/json\r\n"...)
	}
	b = strconv.AppendInt(append(b, "Content-Length: "...), int64(len(body)), 10)
	c.out = append(append(b, "\r\n\r\n"...), body...)
	return c.do(c.out)
}

// reply is what the measurement looks at; body and location stand until the next request.
type reply struct {
	status   int
	body     []byte
	location string
}

// expect stops where the answer to a request has not the status that it must have.
func (a reply) expect(status int, method, path string) {
	if a.status != status {
		halt.On(fmt.Errorf("%s %s answers %d: %.300s", method, path, a.status, a.body))
	}
}

// want makes a request that must be answered with a status.
func (c *caller) want(status int, method, path, key, body string) reply {
	a := c.send(method, path, key, []byte(body))
	a.expect(status, method, path)
	return a
}

// read is the answer to a GET.
func (c *caller) read(path string) reply {
	a := c.do(c.to.get(path))
	a.expect(http.StatusOK, http.MethodGet, path)
	return a
}

// do sends one request and reads its answer.
func (c *caller) do(request []byte) reply {
	halt.On(c.conn.SetDeadline(time.Now().Add(patience)))
	halt.Must(c.conn.Write(request))
	r, length, err := c.head()
	if err != nil {
		halt.On(fmt.Errorf("reading an answer: %w", err))
	}
	switch {
	case length >= 0:
		c.body = slices.Grow(c.body[:0], length)[:length]
		halt.Must(io.ReadFull(c.in, c.body))
	case r.status != 204 && r.status != 304:
		c.chunks()
	default:
		c.body = c.body[:0]
	}
	r.body = c.body
	return r
}

// head reads status and headers. length is -1 where the body comes in chunks, or there is none.
func (c *caller) head() (r reply, length int, err error) {
	length = -1
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return r, 0, err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return r, 0, fmt.Errorf("this is no HTTP/1.1: %.40q", line)
	}
	if r.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return r, 0, err
	}
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return r, 0, err
		}
		if len(line) <= 2 {
			return r, length, nil
		}
		switch {
		case line[0] != 'C' && line[0] != 'L' && line[0] != 'c' && line[0] != 'l':
		case fold(line, "content-length:"):
			length, err = strconv.Atoi(string(bytes.TrimSpace(line[15:])))
		case fold(line, "location:"):
			r.location = string(bytes.TrimSpace(line[9:]))
		}
		if err != nil {
			return r, 0, err
		}
	}
}

func fold(line []byte, name string) bool {
	return len(line) > len(name) && strings.EqualFold(string(line[:len(name)]), name)
}

var errChunk = errors.New("a chunk of the answer is not well formed")

func (c *caller) chunks() {
	c.body = c.body[:0]
	for {
		line := halt.Must(c.in.ReadSlice('\n'))
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			halt.On(errChunk)
		}
		from := len(c.body)
		c.body = append(c.body, make([]byte, size)...)
		halt.Must(io.ReadFull(c.in, c.body[from:]))
		halt.Must(c.in.Discard(2))
		if size == 0 {
			return
		}
	}
}
