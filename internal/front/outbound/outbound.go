// Package outbound is how the house asks servers of others that a company names: within a time, without following them
// elsewhere, reading so much and no more, seen in traces, and with no way into the server's own network.
package outbound

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"
	"time"

	"kontor/internal/foundation/tracing"
)

// longestAnswer is how many bytes of an answer are read.
const longestAnswer = 1 << 20

// ErrPrivate is what dialling an address of the server's own network fails with.
var ErrPrivate = errors.New("outbound: the address leads into a private network")

// New is a client whose whole requests take no longer than timeout. With allowPrivate it also reaches loopback and
// private addresses, and goes through the proxy of the environment: for tests, and for a server whose merchants are its
// own operator. Without, a merchant's settings cannot make the server talk to its own network.
func New(allowPrivate bool, timeout time.Duration) *http.Client {
	dial := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	t := transport(dial, timeout)
	if allowPrivate {
		t.Proxy = http.ProxyFromEnvironment
	} else {
		dial.Control = refusePrivate
	}
	return client(t, timeout)
}

// NewLocal is a client that reaches this machine's own loopback addresses and no others: for a company of environment
// Test that talks to a stand-in beside the server.
func NewLocal(timeout time.Duration) *http.Client {
	return client(transport(LocalDialer(), timeout), timeout)
}

func refuseAbroad(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err == nil && !at.Addr().Unmap().IsLoopback() {
		err = ErrPrivate
	}
	return err
}

// Dialer reaches servers that speak another protocol than HTTP: those of everywhere, but for the server's own network,
// which allowPrivate lets it reach too.
func Dialer(allowPrivate bool) *net.Dialer {
	dial := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	if !allowPrivate {
		dial.Control = refusePrivate
	}
	return dial
}

// LocalDialer is to Dialer what NewLocal is to New.
func LocalDialer() *net.Dialer { return &net.Dialer{Timeout: 5 * time.Second, Control: refuseAbroad} }

func transport(dial *net.Dialer, timeout time.Duration) *http.Transport {
	return &http.Transport{DialContext: dial.DialContext, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4,
		IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 5 * time.Second, ResponseHeaderTimeout: timeout,
		MaxResponseHeaderBytes: 64 << 10}
}

func client(t *http.Transport, timeout time.Duration) *http.Client {
	return &http.Client{Transport: limited{tracing.Calls(t)}, Timeout: timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// IsLocal reports whether an address is one of this machine's loopback ones.
func IsLocal(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.Unmap().IsLoopback()
}

// IsAddress reports whether an address is one of a server that may be asked, of the form https://host/path. Plain HTTP
// is for companies of environment Test.
func IsAddress(address string, isTest bool) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" &&
		(u.Scheme == "https" || u.Scheme == "http" && isTest)
}

// refusePrivate sees the address that a name was resolved to, so that a name cannot be turned to another one after it
// was checked.
func refusePrivate(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	ip := at.Addr().Unmap()
	inside := func(p netip.Prefix) bool { return p.Contains(ip) }
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || slices.ContainsFunc(special(), inside) {
		return ErrPrivate
	}
	return nil
}

// special are networks that look like others and are nobody's on the internet (IANA's registries of special-purpose
// addresses), or that carry an IPv4 address within, which may be one of the server's own network.
func special() (all []netip.Prefix) {
	for _, p := range []string{"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4",
		"::/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10"} {
		all = append(all, netip.MustParsePrefix(p))
	}
	return all
}

// limited cuts answers that are too long.
type limited struct{ next http.RoundTripper }

// RoundTrip sends a request and lets at most longestAnswer bytes of its answer be read.
func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, longestAnswer)
	}
	return answer, err
}
