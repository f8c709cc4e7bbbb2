package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/fault"
)

// The greatest sizes of a request.
const (
	maxBody   = 4 << 20
	maxFile   = 10 << 20
	maxUpload = maxFile + 64<<10
)

// Faults of a request's outside.
var (
	ErrTooLarge     = fault.New(fault.TooLarge, "Request.TooLarge")
	ErrUnsupported  = fault.New(fault.Unsupported, "Request.UnsupportedMediaType")
	ErrRouteUnknown = fault.New(fault.NotFound, "Route.NotFound")
)

// bound is a request bound to an operation's input.
type bound struct {
	in   any
	body []byte
	// wrong is what validation found. It is answered after the Idempotency-Key was checked.
	wrong error
}

// bind reads path, query and body. Its error is of syntax: no JSON, too large, another media type.
func (p *plan) bind(w http.ResponseWriter, r *http.Request, captured []string, lax bool) (bound, error) {
	b := bound{in: reflect.New(p.op.In).Interface()}
	in := reflect.ValueOf(b.in).Elem()
	if !p.bindPath(captured, in) {
		return b, ErrRouteUnknown.Because("nothing can be found at this address: a part of its path is malformed")
	}
	var faults fault.List
	accepted := p.bindQuery(r.URL.RawQuery, in, lax, &faults)
	var err error
	var more []string
	switch {
	case p.takesForm(r):
		b.body, more, err = p.bindForm(w, r, in, &faults)
	case p.reads():
		b.body, more, err = p.bindJSON(w, r, in, &faults)
	}
	if err != nil {
		return b, err
	}
	if accepted == nil {
		accepted = more
	}
	b.wrong = refusal(&faults, accepted)
	return b, nil
}

// refusal is everything in faults as one fault, with the accepted names where one was unknown.
func refusal(faults *fault.List, accepted []string) error {
	err := faults.Err()
	if err == nil {
		return nil
	}
	if accepted == nil {
		return err
	}
	return fault.As(err).With("acceptedFields", accepted)
}

// nothing is the body of an action that takes none: an empty object is let pass, a field is not.
var nothing = &shape{wire: wireObject, typ: reflect.TypeFor[struct{}]()}

func (p *plan) bindJSON(w http.ResponseWriter, r *http.Request, in reflect.Value, faults *fault.List) (body []byte,
	accepted []string, err error) {
	if body, err = readBody(w, r, maxBody); err != nil {
		return nil, nil, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		if !p.body.wanted() || p.body.optional {
			if p.body.wanted() && !p.body.shape.pointer {
				(&reading{faults: faults}).absent(p.body.shape, in.FieldByIndex(p.body.index),
					make([]bool, len(p.body.shape.fields)))
			}
			return nil, nil, nil
		}
		return nil, nil, fault.ErrInvalid.Because("the body is missing: send a JSON object")
	}
	if err := p.checkMediaType(r); err != nil {
		return nil, nil, err
	}
	if first := bytes.TrimLeft(body, " \t\r\n"); first[0] != '{' && jsontext.Value(body).IsValid() {
		return nil, nil, fault.ErrInvalid.Because("the body must be a JSON object")
	}
	codec := p.codec
	if isUnbounded(r) {
		codec = &decoder{lax: codec.lax, unbounded: true}
	}
	var read *reading
	switch {
	case !p.body.wanted():
		read, err = codec.decode(body, nothing, reflect.New(nothing.typ).Elem(), false, false, faults)
	case p.body.merge:
		read, err = p.bindMerge(codec, body, in.FieldByIndex(p.body.index), faults)
	default:
		read, err = codec.decode(body, p.body.shape, in.FieldByIndex(p.body.index), false, false, faults)
	}
	if err != nil {
		return nil, nil, notJSON(err)
	}
	return body, read.accepted, nil
}

func (p *plan) bindMerge(codec *decoder, body []byte, v reflect.Value, faults *fault.List) (*reading, error) {
	before := faults.Count()
	patch, t := v.Addr().Interface().(merging).bindPatch()
	read, err := codec.decode(body, p.body.shape, reflect.New(t).Elem(), true, true, faults)
	if err != nil {
		return nil, err
	}
	patch.keep(body, p.body.shape, codec, read.present, faults.Count() > before)
	return read, nil
}

// notJSON is the refusal of a text that is no JSON, that nests too deeply or says a name twice.
func notJSON(err error) error {
	if errors.Is(err, errTooDeep) {
		return fault.ErrInvalid.Because("the body %s", errTooDeep)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fault.ErrInvalid.Because("the body is not JSON: it ends too early")
	}
	return fault.ErrInvalid.Because("the body is not JSON (RFC 8259, UTF-8, each name once): %s",
		strings.TrimPrefix(err.Error(), "jsontext: "))
}

func readBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	tooLarge := ErrTooLarge.Because("the body is larger than %d KiB", most>>10)
	if r.ContentLength > most {
		return nil, tooLarge
	}
	if r.Body == nil || r.ContentLength == 0 {
		return nil, nil
	}
	if r.Header.Get("Content-Encoding") != "" {
		return nil, ErrUnsupported.Because("the body must not be compressed: leave Content-Encoding out")
	}
	buf := bytes.NewBuffer(make([]byte, 0, max(r.ContentLength, 0)+bytes.MinRead))
	_, err := buf.ReadFrom(http.MaxBytesReader(w, r.Body, most))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge
	case err != nil && fault.As(err).Kind == fault.TooMany:
		return nil, err
	case err != nil:
		return nil, fault.ErrInvalid.Because("the body could not be read to its end").From(err)
	}
	return buf.Bytes(), nil
}

func (p *plan) checkMediaType(r *http.Request) error {
	declared := r.Header.Get("Content-Type")
	if declared == "application/json" {
		return nil
	}
	media, params, err := mime.ParseMediaType(declared)
	charset := params["charset"]
	ok := err == nil && (media == "application/json" || media == "application/merge-patch+json" &&
		p.op.Method == "PATCH")
	if ok && (charset == "" || strings.EqualFold(charset, "utf-8")) {
		return nil
	}
	if p.op.Method == "PATCH" {
		return ErrUnsupported.Because(
			"the body must be application/merge-patch+json or application/json in UTF-8, not %q: set Content-Type",
			abridge(declared))
	}
	return ErrUnsupported.Because("the body must be application/json in UTF-8, not %q: set Content-Type",
		abridge(declared))
}

// jsonPart is the part of a multipart request that holds what would be the body without a file.
const jsonPart = "json"

func isForm(r *http.Request) bool {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return media == "multipart/form-data"
}

// bindForm reads a multipart request: its one file and, where the operation takes JSON too, that.
func (p *plan) bindForm(w http.ResponseWriter, r *http.Request, in reflect.Value, faults *fault.List) (body []byte,
	accepted []string, err error) {
	tooLarge, unsupported := ErrTooLarge, ErrUnsupported
	if p.op.Traits.TooLarge != nil {
		tooLarge = fault.New(fault.Invalid, p.op.Traits.TooLarge.Name)
		unsupported = fault.New(fault.Invalid, p.op.Traits.Unsupported.Name)
	}
	if !isForm(r) {
		return nil, nil, unsupported.Because("the body must be multipart/form-data with the file in part %q", p.body.part)
	}
	tooMuch := tooLarge.Because("the file is larger than 10 MB")
	if r.ContentLength > maxUpload {
		return nil, nil, tooMuch
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	parts, err := p.readParts(r, faults)
	file, text := parts[p.body.part], parts[jsonPart]
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over) || file != nil && len(file.Data) > maxFile:
		return nil, nil, tooMuch
	case err != nil && fault.As(err).Kind == fault.TooMany:
		return nil, nil, err
	case err != nil:
		return nil, nil, fault.ErrInvalid.Because("the body is no well-formed multipart/form-data").From(err)
	case file != nil:
		in.FieldByIndex(p.body.file).Set(reflect.ValueOf(*file))
		body = slices.Concat([]byte(file.Name), []byte{0}, file.Data) // the name is part of what was asked for
	case p.body.index == nil:
		faults.Add(fault.ErrInvalid, p.body.part, "is required: send the file in a part of this name")
	}
	switch {
	case p.body.index == nil:
		return body, nil, nil
	case text == nil:
		faults.Add(fault.ErrInvalid, jsonPart, "is required: send the JSON object in a part of this name")
		return body, nil, nil
	case len(text.Data) > maxBody:
		return nil, nil, ErrTooLarge.Because("the part %q is larger than %d KiB", jsonPart, maxBody>>10)
	}
	read, err := p.codec.decode(text.Data, p.body.shape, in.FieldByIndex(p.body.index), false, false, faults)
	if err != nil {
		return nil, nil, notJSON(err)
	}
	return slices.Concat(canonical(text.Data), []byte{0}, body), read.accepted, nil
}

// readParts reads the parts that the operation takes, by their names.
func (p *plan) readParts(r *http.Request, faults *fault.List) (map[string]*File, error) {
	form, err := r.MultipartReader()
	if err != nil {
		return nil, err
	}
	accepted := []string{p.body.part}
	if p.body.index != nil {
		accepted = append(accepted, jsonPart)
	}
	parts := map[string]*File{}
	for {
		part, err := form.NextPart()
		if err == io.EOF {
			return parts, nil
		}
		if err != nil {
			return parts, err
		}
		name := part.FormName()
		switch {
		case !slices.Contains(accepted, name):
			faults.Add(fault.ErrUnknownField, abridge(name), "is no part of this request; accepted is %s",
				strings.Join(accepted, ", "))
		case parts[name] != nil:
			faults.Add(fault.ErrInvalid, name, "is given more than once")
		default:
			data, err := io.ReadAll(part)
			if err != nil {
				return parts, err
			}
			parts[name] = &File{Name: part.FileName(), ContentType: part.Header.Get("Content-Type"), Data: data}
		}
	}
}

// fingerprint tells one request from another under the same Idempotency-Key: method, path, sorted
// query and canonical body. Numbers stay as they were written: as floats they would lose digits.
func fingerprint(r *http.Request, path string, body []byte) string {
	h := sha256.New()
	query := strings.Split(r.URL.RawQuery, "&")
	slices.Sort(query)
	for _, s := range append([]string{r.Method, decoded(path)}, query...) {
		io.WriteString(h, s)
		h.Write([]byte{0})
	}
	h.Write([]byte{0})
	h.Write(canonical(body))
	return hex.EncodeToString(h.Sum(nil))
}

// canonical is a JSON body as it is compared; any other is compared as it came.
func canonical(body []byte) []byte {
	c := jsontext.Value(slices.Clone(body))
	if err := c.Format(jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false)); err != nil {
		return body
	}
	return c
}

const (
	keyHeader      = "Idempotency-Key"
	replayedHeader = "Idempotent-Replayed"
)

// keyOf reads the Idempotency-Key header: "" when there is none. A quoted key (an RFC 8941 string) and
// a bare one are the same key.
func keyOf(h http.Header) (string, error) {
	values := h.Values(keyHeader)
	if len(values) == 0 {
		return "", nil
	}
	key := strings.Trim(values[0], " \t")
	bad := fault.ErrInvalid.At(keyHeader,
		"Idempotency-Key must be 1 to 255 visible ASCII characters, sent once")
	if len(values) > 1 {
		return "", bad
	}
	if len(key) >= 2 && key[0] == '"' && key[len(key)-1] == '"' {
		var ok bool
		if key, ok = unquote(key[1 : len(key)-1]); !ok {
			return "", bad
		}
	}
	if key == "" || len(key) > 255 {
		return "", bad
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return "", bad
		}
	}
	return key, nil
}

// unquote undoes the escapes of an RFC 8941 string: \" and \\ are the only ones.
func unquote(s string) (string, bool) {
	if !strings.ContainsAny(s, `\"`) {
		return s, true
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return "", false
		case s[i] == '\\':
			if i++; i == len(s) || s[i] != '"' && s[i] != '\\' {
				return "", false
			}
		}
		out = append(out, s[i])
	}
	return string(out), true
}

// scopedKey is the key within company (the store's), credential, method and path, of fixed length.
func scopedKey(credential, method, path, key string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{credential, method, decoded(path), key}, "\x00")))
	return hex.EncodeToString(sum[:])
}

// decoded is a path without its percent signs: A%2fb and A%2Fb are one address.
func decoded(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}
