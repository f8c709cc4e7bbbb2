package rest

import (
	"cmp"
	"html"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/gz"
)

var (
	errMethod      = fault.New(fault.Invalid, "Route.MethodNotAllowed")
	errScope       = fault.New(fault.Denied, "Scope.Missing")
	errRate        = fault.New(fault.TooMany, "RateLimit.Exceeded")
	errKeyRequired = fault.New(fault.Invalid, "Idempotency.KeyRequired")
)

// sorry is all a caller learns of a fault of ours.
const sorry = "Something failed on our side. Try again; if it stays, report the request id."

// statuses are the HTTP statuses of the kinds of faults, each of one alone.
var statuses = map[fault.Kind]int{fault.Invalid: http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized, fault.Denied: http.StatusForbidden,
	fault.NotFound: http.StatusNotFound, fault.Conflict: http.StatusConflict, fault.Gone: http.StatusGone,
	fault.Stale: http.StatusPreconditionFailed, fault.TooLarge: http.StatusRequestEntityTooLarge,
	fault.Unsupported: http.StatusUnsupportedMediaType, fault.NotAcceptable: http.StatusNotAcceptable,
	fault.TooMany: http.StatusTooManyRequests, fault.Unavailable: http.StatusServiceUnavailable}

// statusOf is the HTTP status of a kind of fault.
func statusOf(k fault.Kind) int { return cmp.Or(statuses[k], http.StatusInternalServerError) }

// kindOf is the kind of fault that has a status.
func kindOf(status int) fault.Kind {
	for k, s := range statuses {
		if s == status {
			return k
		}
	}
	return fault.Internal
}

// statusOfCode is statusOf, but for the one code that has a status of its own.
func statusOfCode(kind fault.Kind, code string) int {
	if code == errMethod.Name {
		return http.StatusMethodNotAllowed
	}
	return statusOf(kind)
}

// kebab is a code as the last segment of its problem type: Item.NotFound is item-not-found, and
// Item.BadGTIN is item-bad-gtin. Codes are ASCII.
func kebab(code string) string {
	capital := func(i int) bool { return i < len(code) && code[i] >= 'A' && code[i] <= 'Z' }
	var b strings.Builder
	for i := range len(code) {
		switch {
		case code[i] == '.':
			b.WriteByte('-')
		case capital(i):
			last := i+1 == len(code) || code[i+1] == '.'
			if i > 0 && code[i-1] != '.' && (!capital(i-1) || !last && !capital(i+1)) {
				b.WriteByte('-')
			}
			b.WriteByte(code[i] + 'a' - 'A')
		default:
			b.WriteByte(code[i])
		}
	}
	return b.String()
}

// titleOf is a code in words: SalesOrder.InvalidStatus is "Sales order invalid status".
func titleOf(code string) string {
	words := strings.ReplaceAll(kebab(code), "-", " ")
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// problemBody is a fault as RFC 9457 wants it, with the members code and errors and the fault's own.
func problemBody(f *fault.Fault, status int, requestID string) []byte {
	detail := f.Detail
	if f.Kind == fault.Internal {
		detail = sorry // whatever it was, it is for the log
	}
	doc := map[string]any{
		"type": "/problems/" + kebab(f.Code), "title": titleOf(f.Code), "status": status,
		"detail": detail, "instance": requestID, "code": f.Code,
	}
	if status == http.StatusBadRequest {
		doc["errors"] = append([]fault.Field{}, f.Fields...)
	} else if len(f.Fields) > 0 {
		doc["errors"] = f.Fields
	}
	if status == http.StatusTooManyRequests && f.RetryAfterSeconds > 0 {
		doc["retryAfterSeconds"] = f.RetryAfterSeconds
	}
	maps.Copy(doc, f.Extra)
	body, err := json.Marshal(doc, json.Deterministic(true))
	if err != nil {
		return []byte(`{"title":"Server error","status":500,"code":"Server.Error"}`)
	}
	return body
}

// WriteProblem answers err as a problem document. It is for places that serve beside a Surface.
func WriteProblem(w http.ResponseWriter, err error, requestID string) {
	writeProblem(w, fault.As(err), requestID, "application/problem+json")
}

func writeProblem(w http.ResponseWriter, f *fault.Fault, requestID, media string) {
	status := statusOfCode(f.Kind, f.Code)
	retry := f.RetryAfterSeconds
	if retry == 0 && status == http.StatusServiceUnavailable {
		retry = 1
	}
	h := w.Header()
	if retry > 0 {
		h.Set("Retry-After", strconv.Itoa(retry))
	}
	body := problemBody(f, status, requestID)
	h.Set("Content-Type", media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	w.Write(body)
}

// common are the codes that any operation of a surface may answer.
func common() []fault.Code {
	return []fault.Code{
		fault.ErrInvalid, fault.ErrUnknownField, ErrUnknownParameter, ErrUnknownValue, fault.ErrOutOfRange,
		limit.ErrQuantity, limit.ErrAmount, {Kind: fault.Unauthenticated, Name: "Auth.MissingCredential"},
		{Kind: fault.Unauthenticated, Name: "Auth.InvalidCredential"},
		{Kind: fault.Unauthenticated, Name: "Auth.ExpiredCredential"}, errScope,
		{Kind: fault.Denied, Name: "Permission.Denied"}, ErrRouteUnknown, errMethod, fault.ErrStale, ErrTooLarge,
		ErrUnsupported, errKeyRequired, {Kind: fault.Conflict, Name: "Idempotency.KeyReused"},
		{Kind: fault.Conflict, Name: "Idempotency.InProgress"}, errRate, {Kind: fault.Internal, Name: "Server.Error"},
		fault.ErrUnavailable,
	}
}

// Problems serves /problems/{code}: what a code means, and which operations answer it.
func Problems(surfaces ...Surface) http.Handler {
	pages := map[string]*gz.Still{}
	for _, c := range common() {
		pages[kebab(c.Name)] = gz.NewStill("text/html; charset=utf-8", gz.Asked, problemPage(c, nil))
	}
	raised := map[fault.Code][]string{}
	for _, s := range surfaces {
		for _, c := range s.Refusals {
			pages[kebab(c.Name)] = gz.NewStill("text/html; charset=utf-8", gz.Asked, problemPage(c, nil))
		}
		for _, g := range s.Groups {
			for _, op := range g.Ops {
				for _, c := range op.Codes {
					raised[c] = append(raised[c], op.Method+" "+s.Prefix+op.Path)
				}
			}
		}
	}
	for c, ops := range raised {
		slices.Sort(ops)
		pages[kebab(c.Name)] = gz.NewStill("text/html; charset=utf-8", gz.Asked, problemPage(c, slices.Compact(ops)))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, ok := pages[strings.TrimPrefix(r.URL.Path, "/problems/")]
		if !ok {
			WriteProblem(w, ErrRouteUnknown.Because("no problem has this name"), RequestID(r))
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		page.ServeHTTP(w, r)
	})
}

func problemPage(c fault.Code, ops []string) []byte {
	var b strings.Builder
	title := html.EscapeString(titleOf(c.Name))
	b.WriteString(
		"<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'><meta name=color-scheme content='light dark'><title>" + title +
			"</title><style>body{font:16px/1.5 system-ui;max-width:42rem;margin:3rem auto;padding:0 1rem}" +
			"code{background:#8882;padding:.1em .3em;overflow-wrap: anywhere}</style>")
	b.WriteString("<main><h1>" + title + "</h1><p>Code <code>" + html.EscapeString(c.Name) +
		"</code>, answered with status " +
		strconv.Itoa(statusOfCode(c.Kind, c.Name)) +
		", or with 400 where it is a field of the request that is wrong.</p>")
	b.WriteString("<p>" + adviceFor(c.Kind) + "</p>")
	if len(ops) > 0 {
		b.WriteString("<p>Operations that answer it:</p><ul>")
		for _, op := range ops {
			b.WriteString("<li><code>" + html.EscapeString(op) + "</code></li>")
		}
		b.WriteString("</ul>")
	}
	b.WriteString(
		"<p>The <code>detail</code> of the answer says what was wrong with your request; <code>instance</code> is its request id.</p></main></html>")
	return []byte(b.String())
}

func adviceFor(k fault.Kind) string {
	switch k {
	case fault.Invalid:
		return "The request breaks a rule. Mend the fields named in <code>errors</code> and send it again; the same Idempotency-Key may be used."
	case fault.Unauthenticated:
		return "The credential is missing, unknown or expired. Send a valid one."
	case fault.Denied:
		return "The credential does not reach this operation. Use one with the scope named in the answer."
	case fault.NotFound:
		return "What the address names does not exist in the company of your credential."
	case fault.Conflict, fault.Gone:
		return "The state of the record forbids it. Read the record again and decide anew."
	case fault.Stale:
		return "The record has changed since you read it. Read it again and repeat the change with its new ETag."
	case fault.TooLarge, fault.Unsupported:
		return "The body is too large or of another media type than the operation takes."
	case fault.TooMany, fault.Unavailable:
		return "Wait as long as <code>Retry-After</code> says and repeat the request."
	}
	return "Something failed on our side. Try again; if it stays, report the request id."
}
