package rest

import (
	"errors"
	"mime"
	"net/http"
	"strings"

	"kontor/internal/foundation/db"
)

// Document is an answer that is a file.
type Document struct {
	Name string // to save it by
	Body []byte
}

// Print declares a GET that answers a file of a media type instead of JSON: shown where it is opened, with a name to save it by, and
// tagged by its bytes.
func Print[In any](id, path, doc, media string, fn func(tx *db.Tx, in In) (Document, error)) Op {
	o := Get(id, path, doc, fn)
	o.Traits.Media = media
	return o
}

// checkPrinted refuses an operation that prints and is declared as one that does not. Documents are made anew each time: none is kept.
func (op *Op) checkPrinted() error {
	switch t := op.Traits; {
	case t.Media == "":
		return errors.New("it answers a Document: declare it with Print")
	case t.Kept || t.ByView:
		return errors.New("a Document is not kept: say neither Kept nor KeptByView")
	}
	return nil
}

// hand sends a document, or that the caller has it already.
func (x *exchange) hand(d Document) {
	h := x.w.Header()
	tag := hashTag(d.Body)
	h["Etag"] = []string{tag}
	if matches(strings.Join(x.r.Header["If-None-Match"], ","), tag) {
		x.w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": d.Name}))
	x.send(x.plan.op.Status, x.plan.op.Traits.Media, d.Body, nil)
}
