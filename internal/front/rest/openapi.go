package rest

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/fault"
)

// object is a JSON object of the document.
type object = map[string]any

// description is an OpenAPI document being written.
type description struct {
	surface Surface
	name    string // of the surface: preview
	schemas *schemas
	paths   object
}

// OpenAPI is the surface's OpenAPI 3.1 document, written from the same plans that bind and check requests.
func OpenAPI(s Surface) ([]byte, error) {
	plans, err := plansOf(s)
	if err != nil {
		return nil, err
	}
	d := &description{surface: s, name: strings.Trim(s.Prefix, "/"), schemas: newSchemas(s.Words), paths: object{}}
	// Answers first: they have the plain names, and a type that is also sent gets another for that.
	// Those of single records before the lists of them, because a component is described by where it is met first.
	answers := make([]any, len(plans))
	for _, single := range []bool{true, false} {
		for i, p := range plans {
			if p.encode != nil && single == (p.op.Kind == KindGet) {
				d.schemas.place, d.schemas.doc = "what "+p.op.ID+" answers", p.op.Doc
				answers[i] = d.schemas.of(p.encode, answering)
			}
		}
	}
	for i, p := range plans {
		path := s.Prefix + p.op.Path
		if d.paths[path] == nil {
			d.paths[path] = object{}
		}
		d.paths[path].(object)[strings.ToLower(p.op.Method)] = d.operation(p, answers[i])
		d.schemas.apart(p.op)
	}
	d.schemas.components["Problem"] = d.problem()
	if d.schemas.err != nil {
		return nil, d.schemas.err
	}
	return json.Marshal(d.document(), json.Deterministic(true), jsontext.WithIndent(" "))
}

func (d *description) document() object {
	var tags []any
	for _, g := range d.surface.Groups {
		tags = append(tags, object{"name": g.Tag, "description": g.Doc})
	}
	info := object{"title": d.surface.Title, "version": cmp.Or(d.surface.Version, d.name),
		"description": strings.TrimSpace(d.surface.Description + "\n\n" + d.surface.Guide)}
	if d.surface.Contact != "" {
		info["contact"] = object{"name": d.surface.Contact}
	}
	if license := d.surface.License; license != "" {
		info["license"] = object{"name": license, "identifier": license}
	}
	return object{
		"openapi": "3.1.0",
		"info":    info,
		"servers": []any{object{"url": "/"}},
		"tags":    tags,
		"paths":   d.paths,
		"components": object{
			"schemas": d.schemas.components, "responses": d.commonResponses(), "parameters": d.commonParameters(),
			"securitySchemes": d.securitySchemes(),
		},
	}
}

// forVisitors reports whether the surface is an API for visitors of a store.
func (d *description) forVisitors() bool { return d.surface.Admit != nil || d.surface.KeysOptional }

func (d *description) securitySchemes() object {
	if d.forVisitors() {
		return object{
			"Tenant": object{"type": "apiKey", "in": "header", "name": "X-Tenant-Id",
				"description": "Id of the company."},
			"Channel": object{"type": "apiKey", "in": "header", "name": "X-Channel",
				"description": "Code of the store."},
			"Session": object{"type": "http", "scheme": "bearer", "description": "The sessionToken of GET " +
				d.surface.Prefix + "/session."},
			"StoreKey": object{"type": "apiKey", "in": "header", "name": "X-Store-Key",
				"description": "Names the merchant's server. With it X-Visitor-IP, " +
					"the visitor's address, is believed, and the company's rate holds; without it the caller is a stranger with a small rate of its own."},
		}
	}
	return object{
		"ApiKey": object{"type": "apiKey", "in": "header", "name": "X-Api-Key",
			"description": "A key of one company, with scopes."},
		"OAuth2": object{"type": "oauth2",
			"description": "OAuth 2.1 with PKCE (S256); metadata at /.well-known/oauth-protected-resource" +
				d.surface.Prefix + ".",
			"flows": object{"authorizationCode": object{"authorizationUrl": "/oauth/authorize",
				"tokenUrl": "/oauth/token", "scopes": object{d.name + ":read": "every read",
					d.name + ":write": "everything"}}}},
	}
}

func sentenceOfScope(op *Op) string {
	switch {
	case op.Traits.Open:
		return " Needs no session."
	case op.Scope == ScopeCustomer:
		return " Needs a session that is signed in."
	}
	return " Needs a session."
}

func securityOfScope(op *Op) []any {
	if op.Traits.Open {
		return []any{object{}, object{"StoreKey": []any{}}}
	}
	return []any{object{"Tenant": []any{}, "Channel": []any{}, "Session": []any{}},
		object{"Tenant": []any{}, "Channel": []any{}, "Session": []any{}, "StoreKey": []any{}}}
}

func (d *description) operation(p *plan, answer any) object {
	op := p.op
	access, security := sentenceOfScope(op), securityOfScope(op)
	if !d.forVisitors() {
		access, security = " Required scope: `"+op.Scope+"`.",
			[]any{object{"ApiKey": []any{}}, object{"OAuth2": []any{d.surface.wideScope(op)}}}
	}
	o := object{
		"operationId": op.ID, "tags": []any{p.tag}, "summary": strings.TrimSuffix(op.Doc, "."),
		"description":      op.Doc + access + d.notes(op),
		"x-required-scope": op.Scope, "parameters": d.parameters(p), "responses": d.responses(p, answer),
		"security": security,
	}
	if op.Traits.Extension {
		o["x-extension"] = true
	}
	if body := d.requestBody(p); body != nil {
		o["requestBody"] = body
	}
	return o
}

func (d *description) notes(op *Op) string {
	var b strings.Builder
	if op.Traits.NoDelta != "" {
		b.WriteString(" Takes no modifiedSince: " + op.Traits.NoDelta + ".")
	}
	if op.Traits.IgnoresUnknown {
		b.WriteString(" Unknown fields are ignored.")
	}
	if op.Traits.Extension {
		b.WriteString(" An extension of the specification.")
	}
	return b.String()
}

func ref(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }

func (d *description) parameters(p *plan) []any {
	list := []any{}
	for _, f := range p.path {
		list = append(list, d.parameter(f, "path"))
	}
	for _, f := range p.query {
		list = append(list, d.parameter(f, "query"))
	}
	op := p.op
	if op.isValidated() {
		list = append(list, ref("parameters", "IfNoneMatch"))
	}
	switch op.Kind {
	case KindPatch, KindPut, KindDelete, KindDo:
		if op.ofRecords() {
			list = append(list, ref("parameters", "IfMatch"))
			if op.Kind == KindPut {
				list = append(list, ref("parameters", "IfAbsent"))
			}
		}
	}
	switch {
	case op.Traits.Key == KeyRequired || op.Traits.Key == KeyWithBody && p.body.wanted() && !p.body.optional:
		list = append(list, ref("parameters", "IdempotencyKey"))
	case op.Traits.Key != KeyIgnored:
		list = append(list, ref("parameters", "IdempotencyKeyAccepted"))
	}
	return list
}

func (d *description) parameter(f *field, in string) object {
	schema := d.schemas.parameter(f)
	o := object{"name": f.name, "in": in, "schema": schema}
	// f.color=Red: the names of an exploded object are parameters of their own
	if family, ok := strings.CutSuffix(f.name, ".*"); ok {
		o["name"], o["style"], o["explode"], o["description"] = family, "form", true, f.doc
		o["schema"] = object{"type": "object", "additionalProperties": object{"type": "string"}}
		o["example"] = object{family + ".color": "Red"}
		return o
	}
	if in == "path" || f.req {
		o["required"] = true
	}
	if doc := cmp.Or(f.doc, d.surface.Words[f.name]); doc != "" {
		o["description"] = doc
	}
	if f.example != "" {
		o["example"] = f.literal(f.example)
	}
	if f.shape.wire == wireList {
		o["style"], o["explode"] = "form", !f.split
	}
	return o
}

// freeBody is what a Receive takes. A form is declared by its fields: generators refuse one of any.
func (d *description) freeBody(form map[string]string) object {
	free := object{"type": "object", "additionalProperties": true, "description": "In the sender's own form."}
	body := object{"required": form == nil, "content": object{"application/json": object{"schema": free}},
		"description": "What the sender has to say, in its own form and signed in its own way; at most 1 MiB."}
	if form == nil {
		return body
	}
	fields := object{}
	for name, doc := range form {
		fields[name] = object{"type": "string", "description": doc}
	}
	body["content"].(object)["application/x-www-form-urlencoded"] = object{
		"schema": object{"type": "object", "properties": fields, "description": "A posted form."}}
	return body
}

func (d *description) requestBody(p *plan) object {
	file := object{"type": "string", "format": "binary", "description": "The file."}
	if p.body.file != nil && p.body.index == nil {
		return object{"required": true, "content": formContent(object{p.body.part: file}, p.body.part)}
	}
	if p.op.Kind == KindStream && p.op.Writes() && !p.body.wanted() {
		return d.freeBody(p.op.Traits.Form)
	}
	if !p.body.wanted() {
		return nil
	}
	d.schemas.place, d.schemas.doc = "what "+p.op.ID+" takes", p.op.Doc
	mode := sending
	if p.body.merge {
		mode = patching
	}
	s := *p.body.shape
	s.pointer, s.nullable = false, false
	media := object{"schema": d.schemas.bodyOf(&s, mode, p.codec.lax, upper(p.op.ID)+"Request")}
	if p.op.Traits.Example != "" {
		media["example"] = jsontext.Value(p.op.Traits.Example)
	}
	content := object{"application/json": media}
	if p.body.merge {
		content["application/merge-patch+json"] = media
	}
	if p.body.file != nil {
		maps.Copy(content, formContent(object{jsonPart: media["schema"], p.body.part: file}, jsonPart))
	}
	return object{"required": !p.body.optional, "content": content}
}

// formContent is a multipart body of these parts, of which one is required.
func formContent(parts object, required string) object {
	return object{"multipart/form-data": object{"schema": object{"type": "object", "required": []any{required},
		"properties": parts}}}
}

func (d *description) responses(p *plan, answer any) object {
	op := p.op
	success := object{"description": http.StatusText(op.Status)}
	if len(op.Traits.Media) > 0 {
		success["content"] = files(op.Traits.Media)
	}
	headers := d.headers(p)
	if len(headers) > 0 {
		success["headers"] = headers
	}
	if answer != nil {
		media := object{"schema": answer}
		if shown := d.example(p, strconv.Itoa(op.Status)); shown != nil {
			media["example"] = shown
		}
		success["content"] = object{"application/json": media}
	}
	out := object{strconv.Itoa(op.Status): success}
	for status, name := range everywhere {
		out[strconv.Itoa(status)] = ref("responses", name)
	}
	if op.isValidated() {
		same := object{}
		for _, name := range []string{"ETag", "Cache-Control", lagHeader} { // RFC 9110, 15.4.5
			if said, ok := headers[name]; ok {
				same[name] = said
			}
		}
		out["304"] = object{"description": "Not modified: If-None-Match carries the present ETag.", "headers": same}
	}
	for status, codes := range d.codesByStatus(p) {
		slices.Sort(codes)
		codes = slices.Compact(codes)
		doc := strings.Join(codes, ", ")
		if name := everywhere[status]; name != "" {
			doc += ", " + d.commonResponses()[name].(object)["description"].(string)
		}
		if status == http.StatusTooManyRequests {
			out["429"] = d.tooMany(doc)
			continue
		}
		shown := d.example(p, strconv.Itoa(status))
		if shown == nil {
			shown = exampleOf(fault.Code{Kind: kindOf(status), Name: codes[0]})
		}
		out[strconv.Itoa(status)] = problemOf(status, doc, "application/problem+json", shown)
	}
	return out
}

// headers are those of an operation's success that are not those of every answer.
func (d *description) headers(p *plan) object {
	op, all := p.op, object{}
	if op.Status == http.StatusCreated {
		all["Location"] = header("Path of the new record.")
	}
	if op.Writes() && p.isTagged() {
		all["ETag"] = atTimes("Weak validator of the record as it is now, for If-Match.")
	} else if p.isShown {
		all["ETag"] = header("Weak validator of what is shown, for If-None-Match.")
	}
	if op.Traits.Key != KeyIgnored {
		all[replayedHeader] = atTimes("true: what the first request under this Idempotency-Key was answered.")
	}
	if op.Kind == KindGet {
		all["ETag"] = header("Weak validator of the whole record.")
	}
	if op.Kind == KindList && d.surface.NoDeltas == "" {
		all["Sync-Watermark"] = header("The instant up to which the list is complete; poll " +
			"from the first page's next. What is deleted while you read several pages moves the rows behind it: read a delta " +
			"in one page, or follow /changes.")
	}
	if op.Traits.Indexed {
		all[lagHeader] = header("For how many seconds the oldest change waits that the store's index does not know yet; " +
			"0: it knows all. What is shown of each product is never old.")
	}
	if p.secret {
		all["Cache-Control"] = header("no-store: the answer carries a secret, or is about one.")
	}
	if len(op.Traits.Media) > 0 && op.Kind == KindGet {
		all["Content-Disposition"] = header("inline, with a name to save the file by.")
		all["Content-Language"] = atTimes("The language that the file is written in.")
		all["ETag"] = header("Weak validator of the file's bytes.")
	}
	if op.Traits.Tagged {
		all["ETag"] = header("Weak validator of all that the answer is made of.")
	}
	return all
}

// isTagged reports whether what the operation answers may have a validator of its own.
func (p *plan) isTagged() bool {
	t := p.op.Out
	return t != nil && (t.Implements(reflect.TypeFor[tagged]()) || t.Implements(reflect.TypeFor[based]()))
}

// everywhere are the refusals that every operation may answer, as components.
var everywhere = map[int]string{http.StatusUnauthorized: "Unauthorized", http.StatusForbidden: "Forbidden",
	http.StatusTooManyRequests: "TooManyRequests", http.StatusInternalServerError: "ServerError",
	http.StatusServiceUnavailable: "Unavailable"}

// files describes an answer that is a file of one of these types.
func files(media []string) object {
	content := object{}
	for _, m := range media {
		schema := object{"type": "string", "format": "binary"}
		if strings.HasPrefix(m, "text/") {
			schema = object{"type": "string"}
		}
		content[m] = object{"schema": schema}
	}
	return content
}

// codesByStatus are the codes an operation may answer beside those of every operation.
func (d *description) codesByStatus(p *plan) map[int][]string {
	by := map[int][]string{http.StatusBadRequest: {fault.ErrInvalid.Name}}
	note := func(c fault.Code) {
		status := statusOf(c.Kind)
		if c.Kind == fault.NotFound && len(p.path) == 0 && !p.op.Traits.ByQuery {
			status = http.StatusBadRequest // there is no path that could name it: it is a field that does
		}
		by[status] = append(by[status], c.Name)
	}
	for _, c := range p.op.Codes {
		note(c)
	}
	if len(p.path) > 0 {
		note(ErrRouteUnknown)
	}
	if p.body.index != nil {
		note(fault.ErrOutOfRange)
	}
	if p.reads() && !p.codec.lax {
		note(fault.ErrUnknownField)
	}
	if p.reads() && (p.op.Traits.TooLarge == nil || p.body.index != nil) {
		note(ErrTooLarge)
		note(ErrUnsupported)
	}
	if !d.surface.LaxQuery {
		note(ErrUnknownParameter)
	}
	if len(p.query) > 0 {
		note(ErrUnknownValue)
	}
	if p.op.Traits.Key != KeyIgnored {
		note(fault.Code{Kind: fault.Conflict, Name: "Idempotency.KeyReused"})
		note(fault.Code{Kind: fault.Conflict, Name: "Idempotency.InProgress"})
		if p.op.Traits.Key > KeyAccepted {
			note(errKeyRequired)
		}
	}
	switch p.op.Kind {
	case KindPatch, KindPut, KindDelete, KindDo:
		if p.op.ofRecords() {
			note(fault.ErrStale)
		}
	}
	return by
}

// header describes one that the answer always has.
func header(doc string) object {
	h := atTimes(doc)
	h["required"] = true
	return h
}

// atTimes describes a header that the answer may have.
func atTimes(doc string) object {
	return object{"description": doc, "schema": object{"type": "string"}}
}

// problemOf is a refusal of that status, with what its headers say of what to do.
func problemOf(status int, doc, media string, shown any) object {
	out := object{"description": doc,
		"content": object{media: object{"schema": ref("schemas", "Problem"), "example": shown}}}
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		out["headers"] = object{"WWW-Authenticate": atTimes("How to sign in, and where the authorization server is found.")}
	case http.StatusConflict, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		out["headers"] = object{"Retry-After": atTimes("After how many seconds the request may be repeated as it is.")}
	case http.StatusInternalServerError:
		out["headers"] = object{"X-Request-Id": header("The request's id, as it was sent or made: name it where you report the fault.")}
	}
	return out
}

// tooMany is a 429, whose media type is the surface's.
func (d *description) tooMany(doc string) object {
	media := "application/problem+json"
	if d.surface.LimitsUnsaid {
		media = "application/json"
	}
	out := problemOf(http.StatusTooManyRequests, doc, media, exampleOf(errRate))
	if headers := out["headers"].(object); !d.surface.LimitsUnsaid {
		headers["RateLimit"] = atTimes("What is left of the credential's rate.")
		headers["RateLimit-Policy"] = atTimes("The credential's rate.")
	}
	return out
}

func (d *description) commonResponses() object {
	one := func(doc string, c fault.Code) object {
		return problemOf(statusOf(c.Kind), doc, "application/problem+json", exampleOf(c))
	}
	unauthorized := "Auth.MissingCredential, Auth.InvalidCredential, Auth.ExpiredCredential"
	for _, c := range d.surface.Refusals {
		unauthorized += ", " + c.Name
	}
	return object{
		"Unauthorized":    one(unauthorized, fault.Code{Kind: fault.Unauthenticated, Name: "Auth.InvalidCredential"}),
		"Forbidden":       one("Scope.Missing with requiredScope and grantedScopes, Permission.Denied", errPermission),
		"TooManyRequests": d.tooMany("RateLimit.Exceeded with Retry-After"),
		"ServerError": one("Server.Error: report the request id",
			fault.Code{Kind: fault.Internal, Name: "Server.Error"}),
		"Unavailable": one("Server.Unavailable with Retry-After; nothing was changed", fault.ErrUnavailable),
	}
}

func (d *description) commonParameters() object {
	one := func(name, doc string, required bool) object {
		return object{"name": name, "in": "header", "required": required, "description": doc,
			"schema": object{"type": "string"}}
	}
	key := one(keyHeader,
		"New for each new request, the same for its repetition: 1 to 255 visible ASCII characters, kept 7 days.", true)
	key["schema"] = object{"type": "string", "minLength": 1, "maxLength": 255}
	accepted := one(keyHeader,
		"Where sent, a repetition answers the first result. Required where the action carries a body.", false)
	all := object{"IdempotencyKey": key, "IdempotencyKeyAccepted": accepted,
		"IfMatch": one("If-Match", "The ETag the change is based on; 412 when the record has changed since.",
			false),
		"IfAbsent": one("If-None-Match", "With `*` the request only adds: 412 where what it would put is there already.",
			false),
		"IfNoneMatch": one("If-None-Match", "An ETag of an earlier answer; 304 while it holds.", false)}
	if d.surface.KeysOptional {
		delete(all, "IdempotencyKey") // nothing refers to it
	}
	return all
}

// problem is what every refusal is, with the members that those of the surface may have.
func (d *description) problem() object {
	schema := problemSchema()
	if d.surface.Members == nil {
		return schema
	}
	s, err := newShaper().of(d.surface.Members)
	if err != nil {
		d.schemas.err = err
		return schema
	}
	for _, f := range s.fields {
		d.schemas.place, d.schemas.doc = f.name+" in a refusal", f.doc
		schema["properties"].(object)[f.name] = d.schemas.member(f, answering, f.doc)
	}
	return schema
}

func problemSchema() object {
	text := func(doc string) object { return object{"type": []any{"string", "null"}, "description": doc} }
	one := func(doc string) object { return object{"type": "string", "description": doc} }
	list := func(doc string) object {
		return object{"type": "array", "items": object{"type": "string"}, "description": doc}
	}
	return object{"type": "object", "description": "ProblemDetails (RFC 9457).",
		"required": []any{"code", "status", "type", "title"}, "properties": object{
			"type": text("/problems/ and the code in kebab case"), "title": text("The code in words."),
			"status": object{"type": []any{"integer", "null"}, "description": "The status of the answer."},
			"detail": text("What is wrong, which rule, how to mend it."), "instance": text("The request id."),
			"code": one("Area.Reason"),
			"errors": object{"type": "array", "description": "Every violation; present on 400.",
				"items": object{"type": "object",
					"required": []any{"field", "code", "message"},
					"properties": object{"field": one("Path of the field in the request."),
						"code":    one("The code of the violation, Area.Reason."),
						"message": one("Which rule it is, and how to mend it.")}}},
			"acceptedFields": list("The fields that are taken; where one was not."),
			"requiredScope":  one("The scope that the operation needs; where it is missing."),
			"grantedScopes":  list("The scopes that the credential has; where one is missing."),
			"retryAfterSeconds": object{"type": "integer",
				"description": "Seconds after which a repetition may succeed; where one may."},
		}}
}

// typeName is a Go type as a component: Paged[preview.Customer] is PagedCustomer.
func typeName(t reflect.Type) string {
	name := t.Name()
	if outer, inner, ok := strings.Cut(name, "["); ok {
		inner = strings.TrimSuffix(inner, "]")
		name = outer + upper(inner[strings.LastIndexByte(inner, '.')+1:])
	}
	return upper(name)
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
