package app

import (
	"net/http/httptest"
	"testing"

	"kontor/internal/foundation/fault"
)

func TestOnlyTrustedProxiesAreBelieved(t *testing.T) {
	for _, c := range []struct{ remote, forwarded, want string }{
		{"203.0.113.9:1", "198.51.100.1", "203.0.113.9"},
		{"10.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:1", "6.6.6.6, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:1", "", "10.0.0.1"},
		{"10.0.0.1:1", "nonsense", "10.0.0.1"},
		{"[::1]:1", "198.51.100.1", "198.51.100.1"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := clientOf(r, prefixes([]string{"10.0.0.0/8", "::1"})); got != c.want {
			t.Errorf("%s forwarding %q is %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	if err := (Serving{PublicURL: "https://example.com/erp"}).Check(); err == nil || !fault.Is(err, ErrConfig) {
		t.Errorf("a public URL with a path: %v", err)
	}
	if err := (Serving{PublicURL: "https://example.com/"}).Check(); err != nil {
		t.Errorf("a public URL with a slash at its end: %v", err)
	}
	err := Serving{IntegrationRate: -1, OpenCompanies: -1, PublicURL: "erp",
		TrustedProxy: []string{"10.0.0.0/8", "proxy"}}.Check()
	if f := fault.As(err); f.Code != ErrConfig.Name || len(f.Fields) != 4 {
		t.Errorf("%v", err)
	}
	if err := (Serving{}).Check(); err != nil {
		t.Error(err)
	}
}
