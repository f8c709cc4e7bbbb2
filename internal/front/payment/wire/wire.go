// Package wire is how the payment adapters speak HTTP: as the house asks others (outbound), and with errors that hold
// neither secrets nor a provider's words.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor/internal/foundation/payment"
	"kontor/internal/front/outbound"
)

// timeout is for a whole request: a buyer waits for it.
const timeout = 20 * time.Second

// Client makes the requests of all adapters; it keeps connections open between them.
type Client struct{ http, local *http.Client }

// New is a client; see outbound.New for what allowPrivate lets through.
func New(allowPrivate bool) *Client {
	return &Client{outbound.New(allowPrivate, timeout), outbound.NewLocal(timeout)}
}

// To is the client for the address that an account names: in companies of environment Test it may be this machine's
// own, so that a stand-in for the provider can run beside the server.
func (c *Client) To(address string, a payment.Account) *Client {
	if a.IsTest && outbound.IsLocal(address) {
		return &Client{c.local, c.local}
	}
	return c
}

// HTTP is the client as a provider's own library takes it.
func (c *Client) HTTP() *http.Client { return c.http }

// Request is one request to a provider.
type Request struct {
	Provider       string // for the sentences of errors
	Method         string
	Address        string
	Header         map[string]string
	User, Password string // basic authentication, when User is not empty
	Body           any    // sent as JSON; bytes as they are; nil for none
}

// Answer is what came back.
type Answer struct {
	Provider string
	Status   int
	Header   http.Header
	Body     []byte
}

// Do sends a request. What did not come through is payment.ErrUnavailable; an answer of any status is none.
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	var body io.Reader
	if r.Body != nil {
		b, isRaw := r.Body.([]byte)
		if !isRaw {
			var err error
			if b, err = json.Marshal(r.Body); err != nil {
				return Answer{}, err
			}
		}
		body = bytes.NewReader(b)
	}
	q, err := http.NewRequestWithContext(ctx, r.Method, r.Address, body)
	if err != nil {
		return Answer{}, payment.ErrMisconfigured.Because("The address of %s is none.", r.Provider)
	}
	if body != nil {
		q.Header.Set("Content-Type", "application/json")
	}
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "Kontor")
	for name, value := range r.Header {
		q.Header.Set(name, value)
	}
	if r.User != "" {
		q.SetBasicAuth(r.User, r.Password)
	}
	answer, err := c.http.Do(q)
	if err != nil {
		return Answer{}, Lost(r.Provider, err)
	}
	defer func() { _ = answer.Body.Close() }() // only read from
	read, err := io.ReadAll(answer.Body)
	if err != nil {
		return Answer{}, Lost(r.Provider, err)
	}
	return Answer{r.Provider, answer.StatusCode, answer.Header, read}, nil
}

// Lost is the fault of a request that had no whole answer; it may have had its effect.
func Lost(provider string, err error) error {
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err // without the address, which may name the payment
	}
	if errors.Is(err, outbound.ErrPrivate) {
		return payment.ErrMisconfigured.Because("The address of %s leads into a private network.", provider).From(err)
	}
	return payment.ErrUnavailable.Because("%s does not answer. Try again in a moment or choose another way to pay.",
		provider).From(err)
}

// IsGood reports a status of 200 to 299.
func (a Answer) IsGood() bool { return a.Status >= 200 && a.Status < 300 }

// Into reads the answer's JSON.
func (a Answer) Into(v any) error {
	if err := json.Unmarshal(a.Body, v); err != nil {
		return payment.ErrUnavailable.Because("%s gave an answer that cannot be read. Try again in a moment.",
			a.Provider).
			From(fmt.Errorf("status %d, %d bytes that are not the JSON expected", a.Status, len(a.Body)))
	}
	return nil
}

// Fault is what a status means that is not good, where the protocol says nothing narrower. The provider's words stay
// out of it; note is what the log may know: an error code, the provider's id of the request.
func (a Answer) Fault(note string) error {
	cause := fmt.Errorf("status %d %s", a.Status, note)
	switch {
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		return payment.ErrMisconfigured.Because(
			"%s does not accept the credentials of this payment method. Choose another way to pay.", a.Provider).
			From(cause)
	case a.Status == http.StatusNotFound || a.Status == http.StatusGone:
		return payment.ErrNotFound.Because("%s does not know this payment.", a.Provider).From(cause)
	case a.Status == http.StatusPaymentRequired:
		return payment.ErrDeclined.Because("The payment was declined. Choose another way to pay.").From(cause)
	case a.Status == http.StatusConflict:
		return payment.ErrWrongState.Because("%s does not allow this as the payment stands.", a.Provider).From(cause)
	case a.Status == http.StatusRequestTimeout || a.Status == http.StatusTooEarly ||
		a.Status == http.StatusTooManyRequests || a.Status >= 500:
		return payment.ErrUnavailable.Because(
			"%s cannot answer now. Try again in a moment or choose another way to pay.", a.Provider).From(cause)
	case a.Status >= 300 && a.Status < 400:
		return payment.ErrMisconfigured.Because("%s answers with another address, which is not followed.", a.Provider).
			From(cause)
	}
	return payment.ErrInvalid.Because("%s refuses the payment as it was asked for. Choose another way to pay.",
		a.Provider).From(cause)
}

// Base is the address of a provider without a slash at its end. Plain HTTP is for companies of environment Test.
func Base(provider, address string, a payment.Account) (string, error) {
	if !outbound.IsAddress(address, a.IsTest) {
		return "", payment.ErrMisconfigured.Because("The address of %s is not of the form https://host/path.", provider)
	}
	return strings.TrimRight(address, "/"), nil
}
