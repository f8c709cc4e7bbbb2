package oauth

import (
	"net/netip"
	"net/url"
	"strings"
)

// maxURI is the longest address a program may register.
const maxURI = 2000

// checkRedirect says what is wrong with an address that a program wants its answers at; "" when nothing is.
func checkRedirect(uri string) string {
	u, err := url.Parse(uri)
	switch {
	case err != nil || !plainASCII(uri):
		return "is no address"
	case len(uri) > maxURI:
		return "is longer than 2000 characters"
	case u.Scheme == "":
		return "must be absolute" // RFC 6749, section 3.1.2: "MUST be an absolute URI"
	case u.Fragment != "" || strings.Contains(uri, "#"):
		return "must not have a fragment" // RFC 6749, section 3.1.2: "MUST NOT include a fragment component"
	case u.User != nil:
		return "must not have a user name"
	case u.Host != "" && !isHost(u):
		return "has a host that is no name of letters, digits, hyphens and periods, and no IP address"
	}
	switch scheme := strings.ToLower(u.Scheme); {
	case scheme == "https":
		if u.Hostname() == "" {
			return "has no host"
		}
	case scheme == "http":
		// RFC 8252, section 7.3: loopback addresses of programs on the person's own machine; all else could be read on
		// the way.
		if !isLoopback(u.Hostname()) {
			return "must be https, or http to 127.0.0.1, [::1] or localhost"
		}
	// RFC 8252, section 8.4: "At a minimum, any private-use URI scheme that doesn't contain a period character (".")
	// SHOULD be rejected." That keeps javascript: and data: out as well.
	case !strings.Contains(scheme, "."):
		return "must be https, http to this very machine, or a scheme with a period that the program owns, such as com.example.app"
	}
	return ""
}

func plainASCII(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"<>\`, r)
	})
}

// isHost is stricter than the reg-name of RFC 3986, which allows what could pass for something else where a person
// reads the host (whereTo). Names in other letters are registered as browsers send them, in Punycode.
func isHost(u *url.URL) bool {
	host := u.Hostname()
	if strings.HasPrefix(u.Host, "[") {
		a, err := netip.ParseAddr(host)
		return err == nil && a.Is6() && a.Zone() == ""
	}
	return host != "" && strings.Trim(strings.ToLower(host), "abcdefghijklmnopqrstuvwxyz0123456789-._") == ""
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// sameRedirect reports whether an address is the one registered.
// RFC 9700, section 2.1: "authorization servers MUST utilize exact string matching except for port numbers in localhost
// redirection URIs of native apps".
func sameRedirect(registered, asked string) bool {
	if registered == asked {
		return true
	}
	a, err1 := url.Parse(registered)
	b, err2 := url.Parse(asked)
	if err1 != nil || err2 != nil || a.Scheme != "http" || b.Scheme != "http" || !isLoopback(a.Hostname()) ||
		b.User != nil {
		return false
	}
	// RFC 8252, section 7.3: "The authorization server MUST allow any port to be specified at the time of the request
	// for loopback IP redirect URIs". All but the port is compared as it was written.
	return a.Hostname() == b.Hostname() && restOf(registered, a) == restOf(asked, b)
}

// restOf is an address from its path on, as it was written.
func restOf(uri string, u *url.URL) string {
	return strings.TrimPrefix(uri, u.Scheme+"://"+u.Host)
}

// withAnswer is a redirect address with the answer's parameters.
// RFC 6749, section 4.1.2: "adding the following parameters to the query component of the redirection URI"; section
// 3.1.2: the query component it has already "MUST be retained".
func withAnswer(uri string, answer url.Values) string {
	sep := "?"
	if strings.Contains(uri, "?") {
		sep = "&"
	}
	return uri + sep + answer.Encode()
}
