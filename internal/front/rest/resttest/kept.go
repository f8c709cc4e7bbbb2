package resttest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// kept holds an answer against what the contract says of caches: it is for its caller alone, who asks again each time,
// or, where it is a refusal or carries a secret, for nobody; and it names the headers of requests by which it differs.
func kept(r *http.Request, status int, h http.Header) error {
	word := h.Get("Cache-Control")
	public := strings.HasSuffix(r.URL.Path, ".json") || strings.HasSuffix(r.URL.Path, ".txt")
	switch {
	case status >= 400 && word != "no-store":
		return fmt.Errorf("a refusal may be kept: Cache-Control is %q", word)
	case status < 400 && public && word != "public, no-cache":
		return fmt.Errorf("a description's Cache-Control is %q", word)
	case status < 400 && !public && word != "private, no-cache" && word != "no-store":
		return fmt.Errorf("Cache-Control is %q", word)
	case len(h["Cache-Control"]) != 1 || len(h["Vary"]) != 1:
		return fmt.Errorf("Cache-Control and Vary are said %d and %d times", len(h["Cache-Control"]), len(h["Vary"]))
	}
	varies := []string{"Accept-Encoding"}
	if !public {
		varies = append(varies, "X-Api-Key", "Authorization")
	}
	if !public && strings.HasPrefix(r.URL.Path, "/ecom/") {
		varies = append(varies, "X-Tenant-Id", "X-Channel")
	}
	said := strings.Split(h.Get("Vary"), ", ")
	for _, name := range varies {
		if !slices.Contains(said, name) {
			return fmt.Errorf("the header Vary is %q, without %s", h.Get("Vary"), name)
		}
	}
	return nil
}
