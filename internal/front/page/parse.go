package page

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Limits of what a form may send.
const (
	maxForm   = 4 << 20
	maxUpload = 10<<20 + 64<<10
)

var (
	errForm     = fault.New(fault.Invalid, "Form.Invalid")
	errTooLarge = fault.New(fault.TooLarge, "Form.TooLarge")
)

// posted is what a form sent.
type posted struct {
	values url.Values
	files  map[string][]*multipart.FileHeader
}

// readForm reads the body of a form.
func readForm(w http.ResponseWriter, r *http.Request) (*posted, error) {
	limit := int64(maxForm)
	multi := strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/")
	if multi {
		limit = maxUpload
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	var err error
	if multi {
		err = r.ParseMultipartForm(maxUpload)
	} else {
		err = r.ParseForm()
	}
	if err != nil {
		if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
			if tooLarge.Limit < limit {
				return nil, errTooLarge.Because("the form is longer than any that is sent from this page")
			}
			return nil, errTooLarge.Because("the form is larger than %d MB: send a smaller file", limit>>20)
		}
		return nil, errForm.Because("the form could not be read: send it again").From(err)
	}
	p := &posted{values: r.PostForm}
	if r.MultipartForm != nil {
		p.files = r.MultipartForm.File
	}
	return p, nil
}

// raw is what was typed in a field; empty where nothing was sent.
func (p *posted) raw(name string) string {
	if v := p.values[name]; len(v) > 0 {
		return strings.ReplaceAll(v[0], "\r\n", "\n")
	}
	return ""
}

// read writes what was typed into the fields' places and notes what is wrong with it.
func (p *posted) read(t *translator, fields []Field, prefix string, wrong *fault.List) {
	for _, f := range fields {
		name := prefix + f.Name
		switch {
		case f.fixed:
		case f.kind == "group":
			p.read(t, f.fields, prefix, wrong)
		case f.kind == "lines":
			p.readLines(t, f, name, wrong)
		case f.kind == "checks":
			p.readChecks(f, name, wrong)
		case f.kind == "file":
			p.readFile(f, name, wrong)
		default:
			p.readText(t, f, name, wrong)
		}
	}
}

func (p *posted) readText(t *translator, f Field, name string, wrong *fault.List) {
	text := p.raw(name)
	if f.input != "password" {
		text = strings.TrimSpace(text)
	}
	switch {
	case text == "" && f.required:
		wrong.Add(errForm, name, "is missing")
		return
	case f.input != "password" && text == strings.TrimSpace(f.show(t)):
		return // untouched: what the field does not show stays too, such as the seconds of a moment
	case f.max > 0 && len([]rune(text)) > f.max:
		wrong.Add(errForm, name, "is longer than %d characters", f.max)
		return
	case strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }):
		wrong.Add(errForm, name, "holds characters that cannot be shown")
		return
	case f.kind == "input" && f.input != "password" && strings.ContainsAny(text, "\n\t"):
		wrong.Add(errForm, name, "must be one line: leave newlines and tabs out")
		return
	case text != "" && !f.offers(t, text):
		wrong.Add(errForm, name, "is none of the choices")
		return
	case text != "" && f.high > 0 && !within(text, f.low, f.high):
		wrong.Add(errForm, name, "must be a whole number from %d to %d", f.low, f.high)
		return
	}
	if m := f.read(t, text); m != "" {
		wrong.Add(errForm, name, "%s", m)
	}
}

// offers reports whether a text is among a field's choices, or what stands there already. A field without choices takes
// any.
func (f *Field) offers(t *translator, text string) bool {
	return f.kind != "select" && f.kind != "radio" || f.show(t) == text ||
		slices.ContainsFunc(f.options, func(o Option) bool { return o.Value == text })
}

func within(text string, low, high int) bool {
	n, err := strconv.Atoi(strings.ReplaceAll(text, " ", ""))
	return err == nil && n >= low && n <= high
}

func (p *posted) readChecks(f Field, name string, wrong *fault.List) {
	values := each.Where(p.values[name], func(v string) bool {
		return slices.ContainsFunc(f.options, func(o Option) bool { return o.Value == v })
	})
	if f.required && len(values) == 0 {
		wrong.Add(errForm, name, "needs at least one choice")
		return
	}
	f.choose(values)
}

func (p *posted) readFile(f Field, name string, wrong *fault.List) {
	if len(p.files[name]) == 0 || p.files[name][0].Size == 0 {
		switch {
		case len(p.files[name]) > 0 && p.files[name][0].Filename != "":
			wrong.Add(errForm, name, "is empty: there is nothing in it")
		case f.required:
			wrong.Add(errForm, name, "is missing")
		}
		return
	}
	h := p.files[name][0]
	file, err := h.Open()
	if err == nil {
		// HTML, "multipart/form-data encoding algorithm": a browser sends a quote in a file's name as %22.
		f.upload.Name = strings.ReplaceAll(h.Filename, url.QueryEscape(`"`), `"`)
		f.upload.Bytes, err = io.ReadAll(file)
		file.Close()
	}
	wrong.If(err != nil, errForm, name, "could not be read: send it again")
}

// readLines reads the rows of a Lines field; rows that were left blank are dropped and the others move up, so that a
// refusal of the third line names the row that is shown third.
func (p *posted) readLines(t *translator, f Field, name string, wrong *fault.List) {
	n := p.compact(f, name)
	if f.max > 0 && n > f.max {
		wrong.Add(errForm, name, "are %d lines; at most %d are taken", n, f.max)
		return
	}
	f.lines.grow(n)
	wrong.If(f.required && n == 0, errForm, name, "needs at least one line")
	for i := range n {
		p.read(t, f.lines.at(i), row(name, i), wrong)
	}
}

func row(name string, i int) string { return name + "[" + strconv.Itoa(i) + "]." }

// sent is how many rows of a Lines field a form sent, blank ones included.
func (p *posted) sent(name string) (n int) {
	for key := range p.values {
		if rest, ok := strings.CutPrefix(key, name+"["); ok {
			if i, _, ok := strings.Cut(rest, "]"); ok {
				if at, err := strconv.Atoi(i); err == nil && at < 5000 {
					n = max(n, at+1)
				}
			}
		}
	}
	return n
}

// compact moves rows up over blank ones and answers how many are left.
func (p *posted) compact(f Field, name string) (to int) {
	fields := f.lines.blank()
	total := p.sent(name)
	for from := range total {
		if !f.closed && p.isBlank(fields, row(name, from)) {
			continue
		}
		if to != from {
			for _, c := range fields {
				p.values[row(name, to)+c.Name] = p.values[row(name, from)+c.Name]
			}
		}
		to++
	}
	for i := to; i < total; i++ {
		for _, c := range fields {
			delete(p.values, row(name, i)+c.Name)
		}
	}
	return to
}

// isBlank reports whether nobody typed anything into a row. Choices do not count, which may choose by themselves, nor
// does what goes along unseen.
func (p *posted) isBlank(fields []Field, prefix string) bool {
	return !slices.ContainsFunc(fields, func(f Field) bool {
		return f.kind != "select" && f.kind != "check" && f.kind != "hidden" && strings.TrimSpace(p.raw(prefix+f.Name)) != ""
	})
}

// Fields reads a posted form into the fields' places, for pages outside the kinds. Its refusal names every field that
// is wrong.
func (s *Site) Fields(w http.ResponseWriter, r *http.Request, fields ...Field) error {
	p, err := readForm(w, r)
	if err != nil {
		return err
	}
	var wrong fault.List
	p.read(s.tongues[s.Language(r)], fields, "", &wrong)
	return wrong.Err()
}

// Answer reads what the form of a card sent into its fields' places and does what it asks for. What is refused stands
// on the card; else the next card is shown, or the browser is led on.
func (s *Site) Answer(w http.ResponseWriter, r *http.Request, card Card,
	do func() (next *Card, to string, err error)) error {
	var next *Card
	var to string
	err := s.Fields(w, r, card.Fields...)
	if err == nil {
		next, to, err = do()
	}
	switch {
	case err != nil:
		card.Problem = err
		s.Card(w, r, card)
	case next != nil:
		s.Card(w, r, *next)
	default:
		http.Redirect(w, r, to, http.StatusSeeOther)
	}
	return nil
}
