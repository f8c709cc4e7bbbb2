package rest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
	"kontor/internal/front/bodies"
	"kontor/internal/front/gz"
)

// handler serves one surface.
type handler struct {
	Surface
	router   router
	limiter  *limiter
	together *limiter // of companies
	cached   *responseCache
	// documents are the descriptions, by their names below the prefix, each made when it is first asked for: that takes
	// longer than everything else of a start.
	documents map[string]func() (*gz.Still, error)
	media     string   // of 429
	vary      []string // the header
	buffers   sync.Pool
}

// Mount makes a surface ready to serve below its prefix. Its error lists what is wrong with the declared
// operations. Do not clean paths before it: a key may hold dots and slashes.
func Mount(s Surface) (http.Handler, error) {
	plans, err := plansOf(s)
	if err != nil {
		return nil, err
	}
	h := &handler{Surface: s, media: "application/problem+json",
		vary: []string{strings.Join(append(s.Varies, "Accept-Encoding"), ", ")}}
	h.buffers.New = func() any { b := make([]byte, 0, 16<<10); return &b }
	if h.Log == nil {
		h.Log = slog.Default()
	}
	if h.Challenge == "" {
		h.Challenge = `Bearer realm="kontor"`
	}
	if s.LimitsUnsaid {
		h.media = "application/json"
	}
	for _, p := range plans {
		if err := h.router.add(p); err != nil {
			return nil, err
		}
	}
	for _, p := range plans {
		for _, r := range append(p.op.Traits.CachedRows, p.op.Traits.CachedOne) {
			if r.Name != "" {
				s.Store.Own(r.Name, r.Tables())
			}
		}
	}
	h.Loads = cmp.Or(h.Loads, bodies.New(bodies.Usual))
	h.limiter, h.together = newLimiter(s.Limit, s.LimitsUnsaid), newLimiter(Limit{}, true)
	h.cached = newResponseCache(&s)
	h.documents = map[string]func() (*gz.Still, error){
		"swagger.json": described(s, OpenAPI), "openapi-3.0.json": described(s, OpenAPI30)}
	return h, nil
}

func described(s Surface, write func(Surface) ([]byte, error)) func() (*gz.Still, error) {
	return sync.OnceValues(func() (*gz.Still, error) {
		text, err := write(s)
		return gz.NewStill("application/json", gz.Asked, text), err
	})
}

// plansOf makes every operation of a surface ready, in the order of the tables.
func plansOf(s Surface) ([]*plan, error) {
	shapes := newShaper()
	var plans []*plan
	var errs []error
	ids := map[string]bool{}
	for _, g := range s.Groups {
		for _, op := range g.Ops {
			s.complete(&op)
			op.Traits.Secret = op.Traits.Secret || g.Secret
			p, err := newPlan(shapes, g, &op)
			if err == nil && ids[op.ID] {
				err = fmt.Errorf("operation %s is declared twice", op.ID)
			}
			ids[op.ID] = true
			errs = append(errs, err)
			plans = append(plans, p)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for _, p := range plans {
		p.isShown = p.op.Writes() && !p.bodyless && slices.ContainsFunc(plans, func(g *plan) bool {
			return g.op.Out == p.op.Out && g.op.isValidated() && strings.HasPrefix(p.op.Path, g.op.Path)
		})
	}
	return plans, nil
}

// complete gives an operation the conventions of its surface.
func (s Surface) complete(op *Op) {
	if s.KeysOptional && op.ofRecords() {
		op.Traits.Key = KeyAccepted
	}
	if s.NoDeltas != "" && op.pages() && op.Traits.NoDelta == "" {
		op.Traits.NoDelta = s.NoDeltas
	}
}

// exchange is one request on its way through an operation.
type exchange struct {
	*handler
	w        http.ResponseWriter
	r        *http.Request
	id       string // of the request
	path     string // escaped, below the prefix
	captured []string
	plan     *plan
	caller   Caller
	caught   db.Caught // see Store.Catch
	agreed   string    // media type; "" where there is but one
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{handler: h, w: w, r: r, id: RequestID(r)}
	header := w.Header()
	header["X-Request-Id"], header["Vary"], header["Cache-Control"] = []string{x.id}, h.vary, forTheCaller
	defer x.recovered()
	if err := x.serve(); err != nil {
		x.fail(err)
	}
}

// The words to caches. An answer is for the caller alone, who asks whether it still holds before it is used again; one
// that carries a secret, and a refusal, is kept by nobody (writeProblem).
var (
	forTheCaller = []string{"private, no-cache"}
	forNobody    = []string{"no-store"}
)

// serve checks in the order of the contract: credential, scope, rate limit, then syntax, key, validation
// and effect in the kinds' own functions.
func (x *exchange) serve() (err error) {
	if err := x.route(); err != nil || x.plan == nil {
		return err
	}
	if a, ok := x.w.(Attendant); ok {
		a.Operation(x.plan.op.ID)
	}
	if x.caller, err = x.identify(); err != nil {
		return err
	}
	if !granted(x.caller, x.plan.op.Scope, strings.Trim(x.Prefix, "/")) {
		return errScope.Because("this credential does not reach the operation, which requires the scope %s",
			x.plan.op.Scope).
			With("requiredScope", x.plan.op.Scope).With("grantedScopes", append([]string{}, x.caller.Scopes...))
	}
	if err := x.permit(); err != nil {
		return err
	}
	if err := x.limiter.take(x.w.Header(), x.caller); err != nil {
		return err
	}
	if err := x.together.take(x.w.Header(),
		Caller{Credential: x.caller.Company, Limit: x.caller.CompanyLimit}); err != nil {
		return err
	}
	carried, err := x.Loads.Carry(x.caller.Company, x.r, x.plan.mostOf(x.r))
	defer carried.Down()
	if err != nil {
		return err
	}
	if op := x.plan.op; op.ofRecords() || op.Traits.Key == KeyIfSent && len(x.r.Header.Values(keyHeader)) > 0 {
		return x.write()
	}
	x.catch()
	if err := x.witness(); err != nil {
		return err
	}
	if x.plan.op.Kind == KindStream {
		return x.stream()
	}
	return x.read()
}

// catches reports whether what is remembered may be used, on a surface that remembers its visitors.
func (x *exchange) catches() bool { return x.Admit != nil && x.caller.Company != "" }

// catch makes what is remembered fit for use.
func (x *exchange) catch() {
	if x.catches() {
		x.caught = x.Store.Catch(x.r.Context(), x.caller.Company)
	}
}

// identify finds the caller.
func (x *exchange) identify() (Caller, error) {
	if x.plan.op.Traits.Open {
		return x.Open(x.r)
	}
	return x.Authenticate(x.r)
}

// admitted is fn after the surface's Admit.
func (x *exchange) admitted(fn func(tx *db.Tx) error) func(tx *db.Tx) error {
	if x.Admit == nil || x.plan.op.Traits.Open {
		return fn
	}
	scope := x.plan.op.Scope
	if x.plan.op.Traits.Guests {
		scope = ScopeSession
	}
	return func(tx *db.Tx) error {
		if err := x.Admit(tx, scope); err != nil {
			return err
		}
		tx.Answering()
		return fn(tx)
	}
}

// refuse is the refusal of a request whose form is wrong: a caller whom the transaction would not admit learns that
// first.
func (x *exchange) refuse(wrong error) error {
	if x.Admit == nil || x.plan.op.Traits.Open {
		return wrong
	}
	x.catch()
	err := x.Store.Read(x.r.Context(), x.request(), x.admitted(func(*db.Tx) error { return nil }))
	if err != nil && !x.isLeft(err) { // a body that broke off may end the request's context
		return err
	}
	return wrong
}

// route finds the operation. It answers the API's description itself, leaving plan nil.
func (x *exchange) route() error {
	escaped := x.r.URL.EscapedPath()
	below, ok := strings.CutPrefix(escaped, x.Prefix+"/")
	if !ok {
		return ErrRouteUnknown.Because("nothing can be found at %s", abridge(escaped))
	}
	method := x.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if document := x.documents[below]; document != nil && method == http.MethodGet {
		x.r.Pattern = x.Prefix + "/" + below
		text, err := document()
		if err == nil {
			text.ServeHTTP(x.w, x.r)
		}
		return err
	}
	x.path = below
	x.plan, x.captured = x.router.root.find(below, method, make([]string, 0, maxSegments))
	if x.plan != nil {
		x.r.Pattern = x.Prefix + x.plan.op.Path
		if x.plan.secret {
			x.w.Header()["Cache-Control"] = forNobody
		}
		return nil
	}
	allowed := x.router.root.allowed(below)
	if len(allowed) == 0 {
		return ErrRouteUnknown.Because("nothing can be found at %s", abridge(escaped))
	}
	x.w.Header().Set("Allow", strings.Join(allowed, ", "))
	return errMethod.Because("%s is not allowed here; allowed are %s", abridge(x.r.Method), strings.Join(allowed, ", "))
}

// granted reports whether the caller's scopes reach an operation. The surface's own :read is every read,
// its :write everything.
func granted(c Caller, scope, surface string) bool {
	return c.Unlimited || slices.ContainsFunc(c.Scopes, func(s string) bool {
		return s == "*" || s == scope || s == surface+":write" || s == surface+":read" && strings.HasSuffix(scope, ":read")
	})
}

// request is what the transaction is told.
func (x *exchange) request() db.Request {
	r := db.Request{Company: x.caller.Company, Actor: x.caller.Actor, RequestID: x.id, Party: x.caller.Party,
		Caught: x.caught}
	switch x.plan.op.Kind {
	case KindPatch, KindPut, KindDelete, KindDo:
		if !x.plan.op.ofRecords() {
			return r // there is no record that could match
		}
		r.IfMatch = strings.Join(x.r.Header.Values("If-Match"), ", ")
		if x.plan.op.Kind != KindDo { // nothing stands at the address of an action
			r.IfNoneMatch = strings.Join(x.r.Header.Values("If-None-Match"), ", ")
		}
	}
	r.AsksCommitted = x.listsCommitted()
	return r
}

// listsCommitted reports whether what is asked for is a list that says up to when it is complete, or of documents of a
// customer, which may be many.
func (x *exchange) listsCommitted() bool {
	return x.plan.op.Kind == KindList && (x.NoDeltas == "" || x.plan.op.Scope == ScopeCustomer)
}

// read serves what changes nothing: lists, records, and POSTs that only compute.
func (x *exchange) read() error {
	if x.Admit != nil && !x.plan.op.Traits.Open {
		return x.readByView()
	}
	key := x.cached.key(x)
	if key == "" || !x.Store.Abreast(x.r.Context()) {
		return x.readAfresh(nil)
	}
	company := x.caller.Company
	a := x.cached.get(company, key)
	x.looked(a != nil)
	if a != nil {
		x.prove(a)
		x.answer(a)
		return nil
	}
	before := x.cached.basis(x)
	m, mine := x.cached.join(company, key, before.marks)
	if !mine {
		if <-m.done; m.answer != nil {
			x.answer(m.answer)
			return nil
		}
		return x.readAfresh(nil)
	}
	made := false
	defer func() { // also where the reading panicked: others wait
		if !made {
			x.cached.made(company, key, m, nil)
		}
	}()
	return x.readAfresh(func(a *answer, out any) {
		made, a.deps = true, x.cached.dependencies(x, before, a, out)
		x.cached.made(company, key, m, a)
	})
}

// looked tells who attends whether the answer was kept.
func (x *exchange) looked(found bool) {
	if a, ok := x.w.(Attendant); ok {
		a.Kept(found)
	}
}

// readAfresh reads, encodes and sends the answer; before it sends, it hands keep a copy that may be kept.
func (x *exchange) readAfresh(keep func(*answer, any)) error {
	b, err := x.plan.bind(x.w, x.r, x.captured, x.LaxQuery)
	if err == nil && b.wrong != nil && x.plan.body.wanted() && x.tries(b) {
		all := func(tx *db.Tx) error { return x.everything(tx, b) }
		return x.Store.Read(x.r.Context(), x.request(), x.admitted(all))
	}
	if err == nil {
		err = b.wrong
	}
	if err == nil {
		err = x.negotiate(b.in)
	}
	if err != nil {
		return x.refuse(err)
	}
	if prepare := x.plan.op.prepare; prepare != nil {
		if err := prepare(x.ahead(x.r.Context()), b.in); err != nil {
			return err
		}
	}
	var a answer
	var out any
	err = x.Store.Read(x.r.Context(), x.reading(b.in), x.admitted(func(tx *db.Tx) (err error) {
		if out, a.watermark, err = x.readOut(tx, b.in); err == nil {
			a.read, a.observed = tx.Read()
			x.noteDependencies(tx, &a, out)
		}
		return err
	}))
	if err != nil {
		return err
	}
	x.proveRead(b.in, out)
	x.tell(a.visit, a.about)
	return x.show(&a, out, keep)
}

// reading is what the transaction is told that reads for an answer.
func (x *exchange) reading(in any) db.Request {
	r := x.request()
	if in, ok := in.(interface{ AsksChanges() bool }); ok {
		r.AwaitsWriters = in.AsksChanges()
	}
	return r
}

// readOut is what is answered, of a list with the moment up to which it is complete.
func (x *exchange) readOut(tx *db.Tx, in any) (out any, until string, err error) {
	if x.listsCommitted() {
		if until, err = x.complete(tx, in); err != nil {
			return nil, "", err
		}
	}
	out, err = x.plan.op.run(tx, in)
	return out, until, err
}

// complete tells a list up to when it is complete, and is that as a header, where lists send it. With one writer a
// list hides nothing that it sees: what is no record of its own, such as the stock that an order took, may be stamped
// after the newest change.
func (x *exchange) complete(tx *db.Tx, in any) (string, error) {
	horizon, err := tx.Begun()
	if err != nil {
		return "", err
	}
	if x.plan.setHorizon(in, horizon); x.NoDeltas != "" {
		return "", nil
	}
	newest, err := record.Watermark(tx)
	return watermark(newest), err
}

// watermark is the horizon as a header; of a company where nothing was ever changed it is 1970.
func watermark(horizon db.Time) string {
	if horizon == 0 {
		return "1970-01-01T00:00:00.000000Z"
	}
	return horizon.String()
}

// show encodes what was read and sends it; before it sends, it hands keep a copy, for others may wait for that.
func (x *exchange) show(a *answer, out any, keep func(*answer, any)) error {
	if d, ok := out.(Document); ok {
		x.hand(d)
		return nil
	}
	buf := x.buffers.Get().(*[]byte)
	body, err := x.bodyOf((*buf)[:0], out)
	defer func() { x.release(buf, body) }()
	if err != nil {
		return err
	}
	a.body = body
	if x.plan.op.isValidated() {
		a.etag = tagOfShown(out, body)
	}
	if keep != nil {
		if gz.Worth("application/json", len(body)) {
			a.packed = new(gz.Kept)
		}
		copied := *a
		copied.body = append([]byte(nil), body...)
		keep(&copied, out)
	}
	x.answer(a)
	return nil
}

// release gives a buffer back that has been written to, and was perhaps grown.
func (h *handler) release(buf *[]byte, written []byte) {
	if n := cap(written); n > cap(*buf) && n <= 1<<20 {
		*buf = written[:0]
	}
	h.buffers.Put(buf)
}

// answer sends a read's answer, or that the caller has it already.
func (x *exchange) answer(a *answer) {
	h := x.w.Header()
	if a.watermark != "" {
		h["Sync-Watermark"] = []string{a.watermark}
	}
	if x.plan.op.Traits.Indexed {
		h[lagHeader] = []string{strconv.FormatInt(int64((a.lag+time.Second-1)/time.Second), 10)}
	}
	if a.etag != "" {
		h["Etag"] = []string{a.etag}
		if matches(strings.Join(x.r.Header["If-None-Match"], ","), a.etag) {
			x.w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	x.send(x.plan.op.Status, "application/json", a.body, a.packed)
}

// lagHeader says for how many seconds, rounded up, the oldest change has waited that the answer does not show; 0 = it
// shows all.
const lagHeader = "Kontor-Index-Lag"

// send sends a body, smaller for who takes that; kept holds the smaller form of one that is sent again, and may be nil.
func (x *exchange) send(status int, media string, body []byte, kept *gz.Kept) {
	h := x.w.Header()
	if gz.Worth(media, len(body)) && !x.plan.secret && gz.Taken(x.r.Header["Accept-Encoding"]) {
		h["Content-Encoding"] = []string{"gzip"}
		if kept != nil {
			body = kept.Of(body)
		} else {
			buf := x.buffers.Get().(*[]byte)
			body = gz.Append((*buf)[:0], body)
			defer x.release(buf, body)
		}
	}
	h["Content-Type"] = []string{media}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	x.w.WriteHeader(status)
	x.w.Write(body)
}

// statusLeft is what the log and the figures say of a request whose caller went away before it was answered: nobody is
// listening any more, and that is no fault of ours. Web servers have made it a habit to call it 499.
const statusLeft = 499

// isLeft reports whether err says no more than that the caller went away.
func (x *exchange) isLeft(err error) bool {
	return errors.Is(err, context.Canceled) && x.r.Context().Err() != nil
}

// fail answers err as a problem document.
func (x *exchange) fail(err error) {
	f := fault.As(err)
	x.challenge(f)
	if x.isLeft(err) {
		x.w.Header()["Cache-Control"] = forNobody
		x.w.WriteHeader(statusLeft)
		return
	}
	x.log(slog.LevelError, f, err)
	media := "application/problem+json"
	if f.Kind == fault.TooMany {
		media = x.media
	}
	writeProblem(x.w, f, x.id, media)
}

// log keeps the cause of a fault of ours.
func (x *exchange) log(level slog.Level, f *fault.Fault, err error) {
	if f.Kind != fault.Internal && f.Kind != fault.Unavailable {
		return
	}
	operation := ""
	if x.plan != nil {
		operation = x.plan.op.ID
	}
	x.Log.Log(x.r.Context(), level, "request failed", "requestId", x.id, "operation", operation, "company", x.caller.Company,
		"method", x.r.Method, "path", x.r.Pattern, "error", err)
}

// recovered turns a panic into an answer: of a decimal out of range the caller's fault, of anything else ours.
func (x *exchange) recovered() {
	p := recover()
	if p == nil {
		return
	}
	if p == http.ErrAbortHandler {
		panic(p)
	}
	x.fail(fault.Crashed(p))
}

// RequestID is the caller's X-Request-Id where it is fit to be repeated, else a new one.
func RequestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	ok := id != "" && len(id) <= 128
	for i := 0; ok && i < len(id); i++ {
		ok = id[i] > ' ' && id[i] <= '~'
	}
	if ok {
		return id
	}
	return uuid.NewString()
}

func unescape(segment string) string {
	if s, err := url.PathUnescape(segment); err == nil {
		return s
	}
	return segment
}
