// Package rest declares operations as values and serves them. An Op says everything about itself that
// the router, the scope check, the OpenAPI document and the laws need to know; the kind it is built with
// (List, Get, Create, ...) carries the conventions of the API, so that no group repeats them. The
// specification's exceptions are visible words in a group's table (IgnoresUnknown, NoDelta, ...). The
// package knows no business.
package rest

import (
	"context"
	"reflect"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Kind is the set of conventions an operation follows.
type Kind string

// The nine kinds of an operation that is one transaction, and Stream, which is not.
const (
	KindList   Kind = "list"   // paged envelope, modifiedSince, Sync-Watermark, unknown parameters refused
	KindGet    Kind = "get"    // weak ETag and 304
	KindCreate Kind = "create" // Idempotency-Key required, 201, Location
	KindPatch  Kind = "patch"  // JSON merge patch
	KindPut    Kind = "put"    // creates or replaces, 204
	KindDelete Kind = "delete" // 204
	KindDo     Kind = "do"     // an action on one record, answering its representation
	KindBatch  Kind = "batch"  // 200 with an outcome for each row, Idempotency-Key required
	KindUpload Kind = "upload" // multipart/form-data, 201
	KindStream Kind = "stream" // long polls and downloads
)

// KeyRule says what an operation wants of the Idempotency-Key header.
type KeyRule int

// The rules of the Idempotency-Key header.
const (
	KeyIgnored  KeyRule = iota // reads, and pure computation
	KeyIfSent                  // what counts outside the books: it writes only to remember a key that was sent
	KeyAccepted                // uploads, PUT, PATCH and DELETE: replayed where sent
	KeyWithBody                // actions: required where the request carries a body, else accepted
	KeyRequired
)

// Traits are what an operation's table entry says beyond its kind.
type Traits struct {
	// Extension is true for an operation of ours beyond the specification.
	Extension bool
	// IgnoresUnknown is true where unknown body fields are ignored, as the specification wants it.
	IgnoresUnknown bool
	// NoDelta is why a list takes no modifiedSince; empty where it does.
	NoDelta string
	// Key is the rule of the Idempotency-Key header.
	Key KeyRule
	// Open is true where no credential is needed.
	Open bool
	// Guests is true where a visitor who is not signed in is let in although the scope wants that.
	Guests bool
	// ByQuery is true where a query parameter names the record: one that does not exist is 404.
	ByQuery bool
	// Example is a JSON request body for the documentation.
	Example string
	// Form describes the fields of a posted form that a Receive takes as it takes JSON; nil where it takes none.
	Form map[string]string
	// Cached is true where the answer is made of the company's data and the request alone: its bytes are kept until
	// that changes.
	Cached bool
	// CachedOne is the resource whose record, named by the path, the answer shows.
	CachedOne record.Resource
	// CachedRows are the resources that each row of a list is made of, the list's own first.
	CachedRows []record.Resource
	// Media are the media types of an answer that is no JSON, the one that is sent unasked first.
	Media []string
	// Tagged is true for a Stream that says an ETag and answers 304.
	Tagged bool
	// ByView is true where the answer depends on the visitor's view alone, and says with db.Tx.AnswerDependsOn what
	// else it stands on.
	ByView bool
	// Indexed is true where the answer is made of an index that may lag behind the records, as the header
	// Kontor-Index-Lag says.
	Indexed bool
	// Secret is true where the answer lets in who has it, or is about what does. An answer with a field tagged secret
	// is Secret by itself.
	Secret bool
	// TooLarge and Unsupported replace 413 and 415 on uploads.
	TooLarge, Unsupported *fault.Code
}

// Op is one operation.
type Op struct {
	Kind    Kind
	ID      string // operationId
	Method  string
	Path    string // below the surface's prefix, parameters in braces
	Doc     string // one sentence
	Scope   string // empty: the group's, read or write by method
	Status  int    // of success
	Codes   []fault.Code
	In, Out reflect.Type
	Traits  Traits

	prepare  func(a *Ahead, in any) error
	draft    func(tx *db.Tx, in any) error
	refused  func(a *Ahead, err error) error
	run      func(tx *db.Tx, in any) (any, error)
	stream   func(ctx context.Context, s *Streaming, in any) (any, error)
	about    func(out any) string
	onServed func(Served)
}

// Group is one part of an API: a tag, a scope and its operations.
type Group struct {
	Tag   string
	Scope string // "customers"; operations need customers:read or customers:write
	Doc   string
	Ops   []Op
	// Secret makes every operation of the group Secret.
	Secret bool
}

// The scopes of an API for visitors, who have no credential to carry others: anybody, a session, a session that is
// signed in.
const (
	ScopeNone     = "none"
	ScopeSession  = "session"
	ScopeCustomer = "customer"
)

// scopeOf is the scope of an operation that names none.
func (g Group) scopeOf(op *Op) string {
	switch {
	case op.Traits.Open:
		return ScopeNone
	case g.Scope == ScopeSession || g.Scope == ScopeCustomer:
		return g.Scope
	case op.Writes():
		return g.Scope + ":write"
	}
	return g.Scope + ":read"
}

// Writes reports whether the operation may change data.
func (o Op) Writes() bool { return o.Method != "GET" }

// Raises lists codes this operation may answer, for the document and the problem pages.
func (o Op) Raises(codes ...fault.Code) Op {
	o.Codes = append(o.Codes[:len(o.Codes):len(o.Codes)], codes...)
	return o
}

// Extension marks an operation of ours beyond the specification.
func (o Op) Extension() Op { o.Traits.Extension = true; return o }

// IgnoresUnknown lets unknown body fields pass, which the specification wants on its two line PATCHes.
func (o Op) IgnoresUnknown() Op { o.Traits.IgnoresUnknown = true; return o }

// NoDelta says why a list takes no modifiedSince.
func (o Op) NoDelta(why string) Op { o.Traits.NoDelta = why; return o }

// KeyIfSent lets a POST that changes no record read the books alone, as long as no Idempotency-Key is sent.
func (o Op) KeyIfSent() Op { o.Traits.Key = KeyIfSent; return o }

// ofRecords reports whether an operation changes records of the books, and takes part in their conventions.
func (o Op) ofRecords() bool {
	return o.Writes() && o.Traits.Key != KeyIgnored && o.Traits.Key != KeyIfSent
}

// pages reports whether an operation answers rows page by page: a list, or one whose envelope is its own.
func (o Op) pages() bool {
	if o.Kind == KindList || o.In.Kind() != reflect.Struct {
		return o.Kind == KindList
	}
	f, found := o.In.FieldByName("Paging")
	return found && f.Type == reflect.TypeFor[Paging]()
}

// NoIdempotencyKey frees a POST that only computes from the header.
func (o Op) NoIdempotencyKey() Op { o.Traits.Key = KeyIgnored; return o }

// Scoped names the scope where it does not follow from group and method.
func (o Op) Scoped(scope string) Op { o.Scope = scope; return o }

// Answers sets the status of success where it is not the kind's.
func (o Op) Answers(status int) Op { o.Status = status; return o }

// Creates makes an action answer 201 with a Location, which makes the Idempotency-Key required.
func (o Op) Creates() Op {
	o.Status, o.Traits.Key = 201, KeyRequired
	return o
}

// Example is a request body for the documentation.
func (o Op) Example(json string) Op { o.Traits.Example = json; return o }

// Form describes the fields of a posted form that a Receive takes as it takes JSON.
func (o Op) Form(fields map[string]string) Op { o.Traits.Form = fields; return o }

// Cached says that the answer is made of the company's data and the request alone, not of the clock, so that its bytes
// may be kept until a table changes that it was read from. Which those are is observed while it is read.
func (o Op) Cached() Op { o.Traits.Cached = true; return o }

// CachedOne is Kept for an answer that shows the record its path names: changes of the resource's other records leave
// it alone.
func (o Op) CachedOne(r record.Resource) Op { o.Traits.Cached, o.Traits.CachedOne = true, r; return o }

// CachedRows is Kept for a list of all records of the first resource in an order that no change of a record moves,
// where a row shows records of these resources with its own key alone. A page without filters then stands until one of
// its rows changes, or a record comes or goes. The wire type of a row must be Keyed.
func (o Op) CachedRows(rs ...record.Resource) Op {
	o.Traits.Cached, o.Traits.CachedRows = true, rs
	return o
}

// Indexed says that the answer is made of an index that follows the records and may lag behind them: see db.Tx.Behind.
func (o Op) Indexed() Op { o.Traits.Indexed = true; return o }

// CachedByView says that the answer to an operation of a surface for visitors is the same for all who have the same
// view, and that the operation tells db.Tx.AnswerDependsOn what it stands on besides. See OnServed for what must happen
// each time.
func (o Op) CachedByView() Op { o.Traits.ByView = true; return o }

// Prepare gives an operation what must not run inside its transaction because it takes long: keeping a file, hashing a
// password. It is called once the request is found valid, and leaves its result in unexported fields of In. What it
// does may be in vain, since the transaction may refuse the request, and may be done again, since a request may be
// repeated.
func Prepare[In any](o Op, fn func(ctx context.Context, company string, in *In) error) Op {
	return Before(o, func(a *Ahead, in *In) error { return fn(a.Context, a.request.Company, in) })
}

// Ahead is what Before may use: transactions of the caller's company, each on its own.
type Ahead struct {
	Context context.Context
	*exchange
	request db.Request
}

func (x *exchange) ahead(ctx context.Context) *Ahead {
	return &Ahead{Context: ctx, exchange: x, request: x.request()}
}

// Company is the caller's.
func (a *Ahead) Company() string { return a.request.Company }

// Party is who the work is for, on a surface for visitors.
func (a *Ahead) Party() db.Party { return a.request.Party }

// Now is the moment by the house's clock.
func (a *Ahead) Now() db.Time { return a.Store.Now() }

// Header is a header of the request.
func (a *Ahead) Header(name string) string { return a.r.Header.Get(name) }

// Read runs fn in a snapshot of its own.
func (a *Ahead) Read(fn func(tx *db.Tx) error) error {
	return a.Store.Read(a.Context, a.request, a.admitted(fn))
}

// Write runs fn in a transaction of its own, which is committed when fn answers nil.
func (a *Ahead) Write(fn func(tx *db.Tx) error) error {
	return a.Store.Write(a.Context, a.request, a.admitted(fn))
}

// Before is Prepare for what needs transactions of its own: to record the intent, call somebody else, and leave the
// answer in unexported fields of In for the operation to record. It may be repeated with the request, which may be lost
// after it, or come twice at once under one key, so what it does must be the same thing done twice. Where the key has
// its answer already, nothing goes ahead.
func Before[In any](o Op, fn func(a *Ahead, in *In) error) Op {
	if o.In != reflect.TypeFor[In]() {
		panic("rest: " + o.ID + " is prepared with another input than it takes")
	}
	if o.Kind == KindStream {
		panic("rest: " + o.ID + " is a stream: it makes its own transactions, and nothing runs before them")
	}
	o.prepare = func(a *Ahead, in any) error { return fn(a, in.(*In)) }
	return o
}

// Refused lets fn leave something behind where the operation was refused with err, in transactions of its own: what the
// operation has written itself is undone. An error of fn is answered instead of the refusal.
func Refused(o Op, fn func(a *Ahead, err error) error) Op {
	o.refused = fn
	return o
}

// Drafted works out in a snapshot, ahead of the operation's transaction, what that would otherwise do while others wait
// for it. fn leaves the draft in unexported fields of In, with what it stands on; the operation uses it where that
// still holds, and does without it else. So a refusal of fn is none of the operation's.
func Drafted[In any](o Op, fn func(tx *db.Tx, in *In) error) Op {
	if o.In != reflect.TypeFor[In]() {
		panic("rest: " + o.ID + " is drafted with another input than it takes")
	}
	o.draft = func(tx *db.Tx, in any) error { return fn(tx, in.(*In)) }
	return o
}

// NamedByQuery says that a query parameter or the session names the record, so that one that does not exist is 404.
func (o Op) NamedByQuery() Op { o.Traits.ByQuery = true; return o }

// Guests lets in visitors who are not signed in although the scope wants that: the operation itself asks them for
// something else that authorises.
func (o Op) Guests() Op { o.Traits.Guests = true; return o }

// Secret says that the answer is about what lets somebody in, so that nobody may keep it: a session, a sign-in. Where a
// field of the answer is tagged secret this follows by itself.
func (o Op) Secret() Op { o.Traits.Secret = true; return o }

// Sends says that a Stream answers in one of these media types instead of JSON.
func (o Op) Sends(media ...string) Op { o.Traits.Media = media; return o }

// isValidated reports whether the answer is one that callers ask for again by its validator.
func (o *Op) isValidated() bool { return o.Kind == KindGet || o.Traits.Tagged }

// Tagging says that a Stream answers with a validator: that of its bytes, or the one of which it asks Streaming.Fresh
// before it sends anything.
func (o Op) Tagging() Op { o.Traits.Tagged = true; return o }

// Open frees an operation from the credential: the surface's Open says whose it is.
func (o Op) Open() Op { o.Traits.Open = true; return o }

// Refuses replaces 413 and 415 of an upload by codes of the specification, answered with 400.
func (o Op) Refuses(tooLarge, unsupported fault.Code) Op {
	o.Traits.TooLarge, o.Traits.Unsupported = &tooLarge, &unsupported
	return o
}
