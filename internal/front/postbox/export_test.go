package postbox

import (
	"crypto/x509"
	"log/slog"
)

// Trusting is a reader that trusts who signed with roots.
func Trusting(roots *x509.CertPool) *Reader {
	r := NewReader(nil, false, slog.New(slog.DiscardHandler))
	r.roots = roots
	return r
}
