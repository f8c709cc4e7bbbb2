package rest

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"kontor/internal/foundation/fault"
)

var errPermission = fault.New(fault.Denied, "Permission.Denied")

// Reading is what somebody behind a connection reads, for the company's log.
type Reading struct {
	Operation string // operationId
	Resource  string // sales-orders
	Key       string // what the path names, "" where it names no record
	Query     string
	RequestID string
}

// permit refuses with Permission.Denied what the person behind the credential may not do, whatever its scopes reach.
func (x *exchange) permit() error {
	if x.caller.Permits == nil || x.caller.Permits(x.plan.op.Scope) {
		return nil
	}
	return errPermission.Because(
		"%s may not do this in the company: it needs the permission %s, which an administrator gives with a role",
		x.caller.Actor.Name, x.plan.op.Scope)
}

// witness records a read of a caller whose reads are recorded, and returns once the record cannot be lost any more.
func (x *exchange) witness() error {
	if !x.caller.Recorded || x.Record == nil {
		return nil
	}
	resource, _, _ := strings.Cut(x.plan.op.Scope, ":")
	reading := Reading{Operation: x.plan.op.ID, Resource: resource, Query: x.declared(), RequestID: x.id}
	for i, segment := range x.captured {
		if i > 0 {
			reading.Key += " / "
		}
		reading.Key += unescape(segment)
	}
	return x.Record(x.r.Context(), x.caller, reading)
}

// declared is the query of the request without what the operation does not know: that may be a credential that was put
// there by mistake.
func (x *exchange) declared() string {
	said := slices.DeleteFunc(strings.Split(x.r.URL.RawQuery, "&"), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		family, _ := x.plan.open(unescape(name), "")
		return x.plan.byName[unescape(name)] == nil && family == nil
	})
	return strings.Join(said, "&")
}

// Recorder records a read; see Surface.Record.
type Recorder func(ctx context.Context, c Caller, r Reading) error

// challenge tells who was refused what to come with (RFC 6750, section 3).
func (x *exchange) challenge(f *fault.Fault) {
	if f.Kind != fault.Unauthenticated && (f.Kind != fault.Denied || x.Metadata == nil) {
		return
	}
	said := x.Challenge
	if x.Metadata != nil {
		// RFC 9728, section 5.1: "The URL of the protected resource metadata."
		said += `, resource_metadata="` + x.Metadata(x.r) + `"`
	}
	switch {
	case x.Metadata == nil:
	// "If the request lacks any authentication information, the resource server SHOULD NOT include an error code."
	case f.Kind == fault.Unauthenticated && x.r.Header.Get("Authorization") != "":
		said += `, error="invalid_token"`
	// "insufficient_scope: The request requires higher privileges than provided by the access token. […] MAY include
	// the "scope" attribute with the scope necessary to access the protected resource." More scope gives nobody a
	// permission: then it is not said.
	case f.Code == errScope.Name && x.plan != nil:
		said += `, error="insufficient_scope", scope="` + x.wideScope(x.plan.op) + `"`
	}
	x.w.Header().Set("WWW-Authenticate", said)
}

// wideScope is the scope of a token, which is of the whole surface, that reaches an operation.
func (s *Surface) wideScope(op *Op) string {
	surface := strings.Trim(s.Prefix, "/")
	if strings.HasSuffix(op.Scope, ":read") {
		return surface + ":read"
	}
	return surface + ":write"
}

// BearerToken is the token of a request's Authorization header, "" where it has none of the scheme Bearer.
func BearerToken(r *http.Request) string {
	// RFC 9110, section 11.1: "a case-insensitive token to identify the authentication scheme".
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// ResourceMetadata is where a protected resource describes itself: the well-known part stands between host and path
// (RFC 9728, section 3).
func ResourceMetadata(base, prefix string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u.Path = "/.well-known/oauth-protected-resource" + strings.TrimSuffix(u.Path, "/") + prefix
	return u.String()
}
