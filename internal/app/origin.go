package app

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/lazy"
)

// origin is what is known of how a request came: who sent it, and under which scheme and host they reached the first of
// the proxies; or what a single proxy says of that.
// Scheme and host are "" where no trusted proxy says them.
type origin struct{ client, scheme, host string }

// forwardings are the headers in which proxies say it.
var forwardings = []string{"X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded"}

// hostAndPort is a host name or address, with its port or without.
var hostAndPort = lazy.Regexp(
	`^([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?$`)

// originOf reads how a request came, believing each proxy only as far as trusted ones reported it: the client is the
// last one that is no trusted proxy, scheme and host are what the outermost of these was asked by.
func originOf(r *http.Request, proxies []netip.Prefix) origin {
	peer, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		peer = r.RemoteAddr
	}
	o := origin{client: peer}
	if len(proxies) == 0 || !trusted(peer, proxies) {
		return o
	}
	hops := hopsOf(r.Header)
	for i := len(hops) - 1; i >= 0 && trusted(o.client, proxies); i-- {
		h := hops[i]
		if h.scheme = strings.ToLower(h.scheme); h.scheme == "http" || h.scheme == "https" {
			o.scheme = h.scheme
		}
		if hostAndPort().MatchString(h.host) {
			o.host = strings.ToLower(h.host)
		}
		if _, err := netip.ParseAddr(h.client); err != nil {
			break
		}
		o.client = h.client
	}
	return o
}

// hopsOf are the hops that a request tells, the nearest last. Where X-Forwarded-For is there, Forwarded (RFC 7239) is
// not looked at:
// a proxy writes one of them, and passes on what a stranger wrote into the other.
func hopsOf(h http.Header) []origin {
	clients := listed(h, "X-Forwarded-For")
	schemes, hosts := listed(h, "X-Forwarded-Proto"), listed(h, "X-Forwarded-Host")
	if len(clients) == 0 && len(schemes) == 0 && len(hosts) == 0 {
		return elements(strings.Join(h.Values("Forwarded"), ","))
	}
	hops := make([]origin, max(len(clients), len(schemes), len(hosts)))
	for i := range hops {
		hops[i] = origin{fromEnd(clients, i, len(hops)), fromEnd(schemes, i, len(hops)), fromEnd(hosts, i, len(hops))}
	}
	return hops
}

// fromEnd is the value of the i-th of n hops: lists end with the nearest, and one that is shorter says its first for
// all farther ones.
func fromEnd(values []string, i, n int) string {
	if len(values) == 0 {
		return ""
	}
	return values[max(0, len(values)-(n-i))]
}

func listed(h http.Header, name string) []string {
	all := strings.Join(h.Values(name), ",")
	if strings.TrimSpace(all) == "" {
		return nil
	}
	return each.Of(strings.Split(all, ","), strings.TrimSpace)
}

// elements reads a Forwarded header (RFC 7239, section 4): elements behind commas, of pairs behind semicolons.
func elements(text string) (hops []origin) {
	for _, element := range cut(text, ',') {
		var h origin
		for _, pair := range cut(element, ';') {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			value = strings.ReplaceAll(strings.Trim(value, `"`), `\`, "")
			switch strings.ToLower(name) {
			case "for":
				// Section 6: an address, of IPv6 in brackets, with its port or without; a name that hides one is none.
				if at, err := netip.ParseAddrPort(value); err == nil {
					value = at.Addr().String()
				}
				h.client = strings.Trim(value, "[]")
			case "proto":
				h.scheme = value
			case "host":
				h.host = value
			}
		}
		if h != (origin{}) {
			hops = append(hops, h)
		}
	}
	return hops
}

// cut splits a text, but not within quotes.
func cut(text string, at rune) []string {
	quoted := false
	return strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == at && !quoted
	})
}

// baseOf is the address under which who sent a request reaches this house: the configured one, else what a trusted
// proxy says, else where it listens. What a stranger says of it counts nowhere.
func (h *App) baseOf(r *http.Request) string {
	if o := originOf(r, h.proxies); h.serving.PublicURL == "" && o.host != "" && o.scheme != "" {
		return o.scheme + "://" + o.host
	}
	return h.base()
}

// secureFor reports whether who sent a request reaches the house by TLS.
func (h *App) secureFor(r *http.Request) bool {
	if h.serving.PublicURL != "" {
		return strings.HasPrefix(h.serving.PublicURL, "https://")
	}
	return originOf(r, h.proxies).scheme == "https"
}

// maxSuspects bounds the proxies that are warned of.
const maxSuspects = 100

// suspects are peers that send headers of proxies, and were not declared.
type suspects struct {
	mu   sync.Mutex
	seen map[string]bool
}

// warn says once of each peer that what it forwards is not heeded.
func (s *suspects) warn(log *slog.Logger, r *http.Request, proxies []netip.Prefix) {
	if !slices.ContainsFunc(forwardings, func(name string) bool { return len(r.Header[name]) > 0 }) {
		return
	}
	peer, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil || trusted(peer, proxies) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[peer] || len(s.seen) >= maxSuspects {
		return
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[peer] = true
	log.Warn(
		"forwarded headers of a proxy that is not declared are not heeded; if it is yours, name it with --trusted-proxy",
		"proxy", peer)
}
