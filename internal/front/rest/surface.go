package rest

import (
	"context"
	"log/slog"
	"net/http"
	"reflect"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/front/bodies"
)

// Store is where the operations' transactions run; *db.Store is one.
type Store interface {
	// Read runs fn in a snapshot, Write in a transaction that is committed when Write returns nil. Either
	// may run fn more than once.
	Read(ctx context.Context, r db.Request, fn func(*db.Tx) error) error
	Write(ctx context.Context, r db.Request, fn func(*db.Tx) error) error
	// Versions counts commits; Abreast makes it count all that were answered before, see db.Store.Abreast.
	Versions() *db.Versions
	Abreast(ctx context.Context) bool
	// Own says which tables are parts of a resource's records, see db.Store.Own.
	Own(resource string, tables db.Tables)
	// CacheGet and CachePut find and keep encoded answers, see db.Store.
	CacheGet(company, name string) (value any, ok bool)
	CachePut(company, name string, d db.Dependencies, weight int, value any)
	// Now is the moment by the house's clock.
	Now() db.Time
	// Watch wakes with the commits of a company, see db.Store.Watch.
	Watch(company string) *db.Watch
	// Catch makes what is remembered fit for a request that has come, see db.Store.Catch.
	Catch(ctx context.Context, company string) db.Caught
	// OneWriter reports whether who writes waits for all others who do.
	OneWriter() bool
	// Doubted reports whether there is somebody who is told by Doubt of what is kept and wrong.
	Doubted() bool
	Doubt(text string)
}

// Caller is who is asking, as the surface's authentication found out.
type Caller struct {
	Company    string // id
	Actor      db.Actor
	Credential string // id of the key, grant or session: idempotency keys and rate limits go by it
	Scopes     []string
	// Unlimited is true for keys from before scopes were enforced: an empty list that reaches everything.
	Unlimited bool
	// Limit overrides the surface's rate limit; nil leaves it. CompanyLimit is what all callers of the company may make
	// together; nil is no limit.
	Limit, CompanyLimit *Limit
	// Permits bounds a credential that acts for a person by what that person may do; nil where it acts for nobody.
	Permits func(scope string) bool
	// Recorded says that reads are recorded as well, with the surface's Record, before they are answered.
	Recorded bool
	// Party is who the work is for, on a surface for visitors; Admit finds out more inside the transaction.
	Party db.Party
}

// Limit is a token bucket: Rate requests a second in the long run, Burst at once. Rate 0 is no limit;
// Burst 0 is four times the rate.
type Limit struct {
	Rate  float64
	Burst int
}

// Attendant is a response writer that wants to know what it is written for.
type Attendant interface {
	// Operation is told by its id once it is found, before it is done.
	Operation(id string)
	// Kept tells whether an answer that may be kept was.
	Kept(found bool)
}

// Surface is one API: its groups, and what it needs to serve them.
type Surface struct {
	Prefix      string // "/preview"
	Title       string
	Description string
	Guide       string // what all operations have in common, for the document; Markdown
	Version     string
	License     string // SPDX identifier, for the document
	Contact     string // who answers for it, for the document
	// Words are what the document says of fields and parameters that say nothing of themselves, by their names.
	Words map[string]string
	// Examples are shown in the document.
	Examples Examples
	Groups   []Group
	Store    Store
	// Authenticate finds the caller, or answers a fault with code Auth.*.
	Authenticate func(*http.Request) (Caller, error)
	// Open finds the caller of an operation that is declared Open; nil where there is none.
	Open func(*http.Request) (Caller, error)
	// Admit, where given, is asked first in every transaction of an operation, with the operation's scope: what it
	// finds out about the caller holds for as long as the transaction does.
	Admit func(tx *db.Tx, scope string) error
	// CachedVisit finds, without a transaction, the visit of a caller whom Admit let in; ok is false where none is
	// remembered. View names all of a visit that an answer KeptByView may depend on. Of a surface with Admit only such
	// answers are kept.
	CachedVisit func(c Caller) (visit any, ok bool)
	View        func(visit any) string
	// Varies are the headers of a request by which the answers of the surface differ, so that a cache never gives one
	// caller what another asked for.
	Varies []string
	// Challenge is the WWW-Authenticate of a 401.
	Challenge string
	// Metadata is the address of the surface's description as a resource protected by OAuth, which a 401 and a 403
	// name; nil where it is none.
	Metadata func(*http.Request) string
	// Record writes down a read of a caller that is Recorded, and returns once it is durable.
	Record Recorder
	Limit  Limit
	// Loads bounds what bodies take of the memory of this process; nil is the usual bound, for this surface alone.
	Loads *bodies.Loads
	// Refusals are codes that every operation may answer, besides those of every surface.
	Refusals []fault.Code
	// Members are the fields of a struct: what refusals may have beside the members of every problem. Nil is none.
	Members reflect.Type
	// Caches says that encoded answers are cached, in the store's cache.
	Caches bool
	Log    *slog.Logger
	// The conventions of the commerce API: LaxQuery ignores unknown query parameters; LimitsUnsaid sends no RateLimit
	// headers and the 429 as application/json; KeysOptional accepts an Idempotency-Key everywhere and requires it
	// nowhere; NoDeltas is why nothing in pages takes modifiedSince or sends a watermark.
	LaxQuery, LimitsUnsaid, KeysOptional bool
	NoDeltas                             string

	// Leaving is closed when the server stops; nil = never.
	Leaving <-chan struct{}
}

// NameOf tells an operation apart from those of other surfaces, which may have its id: preview/listStock.
func (s Surface) NameOf(o Op) string { return strings.TrimPrefix(s.Prefix, "/") + "/" + o.ID }
