package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client speaks to the commerce API. It is all a shop needs: a few headers and JSON.
//
// StoreKey says that the merchant's own server calls: it never leaves that. Tenant and Channel say which store is
// meant, Token which visitor. GET /ecom/session/resolve answers the first two for a domain,
// GET /ecom/session opens a session and answers the third.
type Client struct {
	API      string // address of the server, without /ecom
	HTTP     *http.Client
	StoreKey string
	Tenant   string
	Channel  string
	Token    string
	Visitor  string // the visitor's address, by which requests and wrong passwords are counted
}

// Problem is a refusal. Code is for programs, Detail for people, and Errors name the fields that are meant.
type Problem struct {
	Status  int          `json:"status"`
	Code    string       `json:"code"`
	Detail  string       `json:"detail"`
	Errors  []FieldError `json:"errors"`
	Missing []string     `json:"missing"` // Checkout.Incomplete: the steps that are left

	RetryAfter int `json:"-"` // seconds, of 429 and 503
}

// FieldError is one thing that is wrong with a request.
type FieldError struct {
	Field   string `json:"field"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// problemOf is the refusal that an error is, or nil.
func problemOf(err error) *Problem {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p
	}
	return nil
}

// refused reports whether an error is a refusal with this status.
func refused(err error, status int) bool {
	p := problemOf(err)
	return p != nil && p.Status == status
}

// answerLimit is how much of an answer is read.
const answerLimit = 16 << 20

// Get asks for a resource.
func (c Client) Get(ctx context.Context, path string, query url.Values, out any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.Do(ctx, http.MethodGet, path, nil, out)
}

// Do sends a request below /ecom and reads the answer into out, which may be nil. A refusal is a *Problem.
func (c Client) Do(ctx context.Context, method, path string, body, out any) error {
	answer, err := c.Open(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if out == nil || answer.StatusCode == http.StatusNoContent {
		_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, answerLimit)) // so that the connection is used again
		return err
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, answerLimit)).Decode(out); err != nil {
		return fmt.Errorf("%s %s answered what is no JSON: %w", method, path, err)
	}
	return nil
}

// Enclosed is a body that brings a file: the JSON goes in the part "json" of a form, the file in the part "file".
type Enclosed struct {
	JSON any
	Name string
	File io.Reader
}

// encoded is a body as it is sent, and its media type.
func encoded(body any) (io.Reader, string, error) {
	e, ok := body.(Enclosed)
	if ok && e.File == nil {
		body = e.JSON
	}
	if body == nil {
		return nil, "", nil
	}
	if !ok || e.File == nil {
		b, err := json.Marshal(body)
		return bytes.NewReader(b), "application/json", err
	}
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	text, err := form.CreateFormField("json")
	if err == nil {
		err = json.NewEncoder(text).Encode(e.JSON)
	}
	if err == nil {
		text, err = form.CreateFormFile("file", e.Name)
	}
	if err == nil {
		_, err = io.Copy(text, e.File)
	}
	return &b, form.FormDataContentType(), errors.Join(err, form.Close())
}

// Open is Do for answers that are not JSON; the caller closes the body.
func (c Client) Open(ctx context.Context, method, path string, body any) (*http.Response, error) {
	text, media, err := encoded(body)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(c.API, "/")+"/ecom"+path, text)
	if err != nil {
		return nil, err
	}
	if media != "" {
		r.Header.Set("Content-Type", media)
	}
	for name, value := range map[string]string{"X-Store-Key": c.StoreKey, "X-Tenant-Id": c.Tenant,
		"X-Channel": c.Channel, "X-Visitor-IP": c.Visitor} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	answer, err := c.HTTP.Do(r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode >= 300 {
		defer answer.Body.Close()
		return nil, problemFrom(answer)
	}
	return answer, nil
}

// problemFrom reads a refusal. One that is not the API's own, such as a proxy's, has its status alone.
func problemFrom(answer *http.Response) *Problem {
	p := &Problem{}
	if json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(p) != nil {
		p = &Problem{}
	}
	p.Status = answer.StatusCode
	if s, err := strconv.Atoi(answer.Header.Get("Retry-After")); err == nil {
		p.RetryAfter = s
	}
	return p
}

// newHTTP is a client for a server next door: many connections kept open, and nobody waits forever.
func newHTTP() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost, t.IdleConnTimeout = 200, 200, time.Minute
	t.Proxy = nil
	return &http.Client{Transport: t, Timeout: 20 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// each runs calls side by side and answers the first error. A page takes as long as its slowest call.
func each(calls ...func() error) error {
	errs := make(chan error, len(calls))
	for _, call := range calls {
		go func() { errs <- call() }()
	}
	var first error
	for range calls {
		if err := <-errs; first == nil {
			first = err
		}
	}
	return first
}
