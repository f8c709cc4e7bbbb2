package rest

import (
	"context"
	"io"
	"math"
	"net/http"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/db"
	"kontor/internal/front/gz"
)

// The generic entry points only wrap the function: everything they call is compiled once, not once for
// each of some three hundred operations.

func declare[In, Out any](kind Kind, method, id, path, doc string, status int, key KeyRule,
	fn func(*db.Tx, In) (Out, error)) Op {
	return Op{Kind: kind, ID: id, Method: method, Path: path, Doc: doc, Status: status, Traits: Traits{Key: key},
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		run: func(tx *db.Tx, in any) (any, error) { return fn(tx, *in.(*In)) }}
}

// List declares a paged list. In embeds Paging and holds the filters.
func List[In, Row any](id, path, doc string, fn func(tx *db.Tx, in In) (Paged[Row], error)) Op {
	return declare(KindList, "GET", id, path, doc, http.StatusOK, KeyIgnored, fn)
}

// Get declares the reading of one record, or of an answer computed from several.
func Get[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindGet, "GET", id, path, doc, http.StatusOK, KeyIgnored, fn)
}

// Create declares a POST that makes a record; the answer's Links.Self becomes its Location.
func Create[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindCreate, "POST", id, path, doc, http.StatusCreated, KeyRequired, fn)
}

// Patch declares a JSON merge patch; In has a Body of type Merge. Answers(204) where the
// specification wants no representation.
func Patch[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindPatch, "PATCH", id, path, doc, http.StatusOK, KeyAccepted, fn)
}

// Put declares the creation or replacement of a record at its own URL, answering 204.
func Put[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindPut, "PUT", id, path, doc, http.StatusNoContent, KeyAccepted, fn)
}

// Delete declares a removal, answering 204.
func Delete[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindDelete, "DELETE", id, path, doc, http.StatusNoContent, KeyAccepted, fn)
}

// Do declares an action on one record, answering its representation. A Body that is a pointer, or that
// requires nothing, may be left out of the request.
func Do[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindDo, "POST", id, path, doc, http.StatusOK, KeyWithBody, fn)
}

// Batch declares a POST of many rows, answering 200 with an outcome for each.
func Batch[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindBatch, "POST", id, path, doc, http.StatusOK, KeyRequired, fn)
}

// Upload declares a multipart/form-data POST; In has a field of type File tagged `part:"file"`.
func Upload[In, Out any](id, path, doc string, fn func(tx *db.Tx, in In) (Out, error)) Op {
	return declare(KindUpload, "POST", id, path, doc, http.StatusCreated, KeyAccepted, fn)
}

// Stream declares a GET that is not one transaction: a long poll, a download. It reads through s as
// often as it likes. It either writes to s.Response itself or returns the answer to be encoded.
func Stream[In, Out any](id, path, doc string, fn func(ctx context.Context, s *Streaming, in In) (Out, error)) Op {
	return Op{Kind: KindStream, ID: id, Method: "GET", Path: path, Doc: doc, Status: http.StatusOK,
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](),
		stream: func(ctx context.Context, s *Streaming, in any) (any, error) { return fn(ctx, s, *in.(*In)) }}
}

// Streaming is what a Stream may use: what may be used ahead of an operation, and the raw response.
type Streaming struct {
	*Ahead
	// Response is there for answers that are not JSON; once written to, the returned value is ignored.
	Response http.ResponseWriter
}

// Fresh says the validator of the answer that is about to be sent, and reports whether the caller has it already and is
// told so.
func (s *Streaming) Fresh(tag string) bool {
	s.Response.Header()["Etag"] = []string{tag}
	if !matches(strings.Join(s.r.Header["If-None-Match"], ","), tag) {
		return false
	}
	s.Response.WriteHeader(http.StatusNotModified)
	return true
}

// Send writes an answer that is not JSON as it comes, smaller for who takes that.
func (s *Streaming) Send(media string, write func(io.Writer) error) error {
	s.Response.Header()["Content-Type"] = []string{media}
	if !gz.Worth(media, math.MaxInt) || s.plan.secret || !gz.Taken(s.r.Header["Accept-Encoding"]) {
		return write(s.Response)
	}
	return gz.Through(packed{s.Response}, write)
}

// packed says that the answer is smaller once there is any of it: what fails before is answered with a problem, which
// is not.
type packed struct{ http.ResponseWriter }

func (p packed) Write(b []byte) (int, error) {
	p.Header()["Content-Encoding"] = []string{"gzip"}
	return p.ResponseWriter.Write(b)
}

// ReadCommitted is Read for who asks the transaction what is committed (db.Tx.Committed).
func (s *Streaming) ReadCommitted(fn func(tx *db.Tx) error) error {
	request := s.request
	request.AsksCommitted = true
	return s.Store.Read(s.Context, request, s.admitted(fn))
}

// ReadChanges is ReadCommitted for who tells what has changed (db.Request.AwaitsWriters).
func (s *Streaming) ReadChanges(fn func(tx *db.Tx) error) error {
	request := s.request
	request.AsksCommitted, request.AwaitsWriters = true, true
	return s.Store.Read(s.Context, request, s.admitted(fn))
}

// Watch wakes with the commits of the caller's company.
func (s *Streaming) Watch() *db.Watch { return s.Store.Watch(s.Company()) }

// HTTP is the request itself, for headers and a body that is not JSON.
func (s *Streaming) HTTP() *http.Request { return s.r }

// Receive declares a POST that is not one transaction and binds no body: what another system sends in a form of its
// own. It answers 204.
func Receive[In any](id, path, doc string, fn func(ctx context.Context, s *Streaming, in In) (NoContent, error)) Op {
	o := Stream(id, path, doc, fn)
	o.Method, o.Status = "POST", http.StatusNoContent
	return o
}

// Answering declares a POST with a body that is not one transaction and answers in a media type of its own, as it
// comes.
func Answering[In any](id, path, doc string, fn func(ctx context.Context, s *Streaming, in In) (NoContent, error)) Op {
	o := Stream(id, path, doc, fn)
	o.Method = "POST"
	return o
}

// Encoded is a value as answers show it.
type Encoded = jsontext.Value

// Encode is a value as an answer of its type would show it.
func Encode(v any) (Encoded, error) {
	shape, err := newShaper().of(reflect.TypeOf(v))
	if err != nil {
		return nil, err
	}
	return shape.encode(nil, reflect.ValueOf(v))
}
