package rest

import (
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/each"
)

// Text is a nullable text: "" is null on the wire.
type Text string

// Date is a nullable day: "" is null on the wire.
type Date day.Date

// Time is a nullable moment: 0 is null on the wire.
type Time db.Time

// MarshalJSONTo writes null for the empty text.
func (t Text) MarshalJSONTo(enc *jsontext.Encoder) error {
	if t == "" {
		return enc.WriteToken(jsontext.Null)
	}
	return enc.WriteToken(jsontext.String(string(t)))
}

// MarshalJSONTo writes null for no day.
func (d Date) MarshalJSONTo(enc *jsontext.Encoder) error { return Text(d).MarshalJSONTo(enc) }

// MarshalJSONTo writes null for no moment.
func (t Time) MarshalJSONTo(enc *jsontext.Encoder) error {
	return Text(db.Time(t).String()).MarshalJSONTo(enc)
}

// OrNull is a pointer to v, or nil where v is its type's zero value: for nullable enums and the like.
func OrNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// OrZero is what p points to, or the zero value.
func OrZero[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Stamps are when a record was made and when it was last changed.
type Stamps struct {
	CreatedAt  db.Time `json:"createdDate"`
	ModifiedAt Time    `json:"modifiedDate"`
}

// Links are the addresses of a record with its own URL. Its wire type has a field
// `Links rest.Links json:"links"`.
type Links struct {
	Self string `json:"self" doc:"Path of the record; keys are percent-encoded."`
}

// Self is the link of a record: base, for example "/preview/items/", and the path segments below it,
// each percent-encoded: Self("/preview/price-lists/", code, "lines", item).
func Self(base string, segments ...string) Links {
	if len(segments) == 1 {
		return Links{base + url.PathEscape(segments[0])}
	}
	escaped := each.Of(segments, url.PathEscape)
	return Links{base + strings.Join(escaped, "/")}
}

// Tag carries a record's validator beside its wire type, which embeds it; set it to the root's ETag().
type Tag struct {
	Value string `json:"-"`
}

// ETag is the validator, W/ included; empty when there is none.
func (t Tag) ETag() string {
	if t.Value == "" || strings.HasPrefix(t.Value, "W/") {
		return t.Value
	}
	return `W/"` + strings.Trim(t.Value, `"`) + `"`
}

// tagged says the validator of what an answer has none of its own of.
func (t *Tag) tagged(value string) { t.Value = value }

// WideTag is the Tag of an answer that shows more than its record: its validator is the record's own, a plus sign, and
// a hash of the answer. So what is shown beside the record moves it for If-None-Match, and If-Match asks about the
// record alone.
type WideTag struct {
	Value string `json:"-"`
}

// base is the record's validator.
func (t WideTag) base() string { return Tag(t).ETag() }

// Located carries the Location of a 201 whose representation has no Links; the wire type embeds it.
type Located struct {
	Location string `json:"-"`
}

// NoContent is the answer of operations without a representation (204).
type NoContent struct{ Tag }

// File is the uploaded part of a multipart request. Beside a Body it may be left out: the request is then JSON, and
// with a file it has the JSON in part "json".
type File struct {
	Name        string // as the client named it
	ContentType string // as the client declared it
	Data        []byte
}
