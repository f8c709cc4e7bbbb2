package rest

import (
	"errors"
	"mime"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
)

var errNotAcceptable = fault.New(fault.NotAcceptable, "Request.NotAcceptable")

// Document is an answer that is a file.
type Document struct {
	Name     string // to save it by
	Body     []byte
	Language string // BCP 47, of what people read; "" = of no language
}

// Print declares a GET that answers a file of a media type instead of JSON: shown where it is opened, with a name to
// save it by, and tagged by its bytes.
func Print[In any](id, path, doc, media string, fn func(tx *db.Tx, in In) (Document, error)) Op {
	o := Get(id, path, doc, fn)
	o.Traits.Media = []string{media}
	return o
}

// Wanted is embedded in the In of an operation that prints in several forms: which one the caller takes.
type Wanted struct{ Media string }

// PrintAs is Print in the one of several media types that the header Accept likes best; the first is sent to who does
// not say.
// In embeds Wanted. Who takes none of them is refused: Request.NotAcceptable.
func PrintAs[In any](id, path, doc string, media []string, fn func(tx *db.Tx, in In) (Document, error)) Op {
	o := Get(id, path, doc, fn).Raises(errNotAcceptable)
	o.Traits.Media = media
	return o
}

// checkPrinted refuses an operation that prints and is declared as one that does not. Documents are made anew each
// time: none is kept.
func (p *plan) checkPrinted() error {
	switch t := p.op.Traits; {
	case len(t.Media) == 0:
		return errors.New("it answers a Document: declare it with Print")
	case t.Cached || t.ByView:
		return errors.New("a Document is not kept: say neither Cached nor CachedByView")
	case len(t.Media) > 1 && p.wanted == nil:
		return errors.New("it prints in several forms: its In must embed rest.Wanted")
	}
	return nil
}

// negotiate finds the form that the caller takes.
func (x *exchange) negotiate(in any) error {
	offered := x.plan.op.Traits.Media
	if x.plan.wanted == nil {
		return nil
	}
	x.w.Header()["Vary"] = []string{strings.Join(append(x.Varies[:len(x.Varies):len(x.Varies)], "Accept",
		"Accept-Encoding"), ", ")}
	if x.agreed = preferred(x.r.Header["Accept"], offered); x.agreed == "" {
		return errNotAcceptable.Because(
			"this is to be had as %s: name one of them in the header Accept, or leave it out",
			strings.Join(offered, " or "))
	}
	reflect.ValueOf(in).Elem().FieldByIndex(x.plan.wanted).Addr().Interface().(*Wanted).Media = x.agreed
	return nil
}

// preferred is the one of the offered media types that values of the header Accept like best, the first offered among
// equals and where they name none; "" where they take none of them.
//
// RFC 9110, section 12.5.1: "The most specific reference has precedence."
func preferred(accept, offered []string) (best string) {
	wanted := strings.Join(accept, ",")
	if strings.Trim(wanted, ", \t") == "" {
		return offered[0]
	}
	most := 0.0
	for _, media := range offered {
		quality, exactness := 0.0, -1
		for part := range strings.SplitSeq(wanted, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err != nil {
				continue
			}
			exact := -1
			switch {
			case name == media:
				exact = 2
			case name == media[:strings.IndexByte(media, '/')]+"/*":
				exact = 1
			case name == "*/*":
				exact = 0
			}
			if exact > exactness {
				exactness, quality = exact, qualityOf(parameters["q"])
			}
		}
		if quality > most {
			best, most = media, quality
		}
	}
	return best
}

func qualityOf(q string) float64 {
	if q == "" {
		return 1
	}
	value, err := strconv.ParseFloat(q, 64)
	if err != nil || value < 0 || value > 1 {
		return 0
	}
	return value
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
	if d.Language != "" {
		h["Content-Language"] = []string{d.Language}
	}
	h.Set("Content-Disposition", mime.FormatMediaType("inline", map[string]string{"filename": d.Name}))
	media := x.agreed
	if media == "" {
		media = x.plan.op.Traits.Media[0]
	}
	x.send(x.plan.op.Status, media, d.Body, nil)
}
