package page

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"kontor/internal/foundation/record"
)

// Deed is a post alone, for buttons beside the parts of a record (Post).
type Deed struct {
	Path, Permission string
	Where            Where
	Do               func(c *Ctx) (Done, error)
}

func (d Deed) routes() ([]route, *item) {
	return []route{{method: "POST", path: d.Path, permission: d.Permission, serve: func(x *exchange) error {
		p, err := readForm(x.w, x.r)
		if err != nil {
			return err
		}
		done, err := x.act(d.Where, p, d.Do)
		if err != nil {
			return err
		}
		x.leave(done, x.back())
		return nil
	}}}, nil
}

// Lookup answers fields that offer what there is while somebody types: at most twenty options. Who has no scripts is
// led to the same as a list, to read off there what to type.
type Lookup struct {
	Path, Permission string
	Find             func(c *Ctx, text string) ([]Option, error)
}

func (l Lookup) list() List[Option] {
	return List[Option]{Path: l.Path + "/list", Title: "What can be chosen", Permission: l.Permission, Search: "Search",
		Columns: func(o Option) []Column {
			return []Column{Col("To type", Copied(o.Value)), Col("What it is", T(o.Label))}
		},
		Find: func(c *Ctx, q Query) (record.Found[Option], error) {
			options, err := l.Find(c, q.Search)
			return Cut(options, q), err
		}}
}

func (l Lookup) routes() ([]route, *item) {
	list, _ := l.list().routes()
	return append(list, route{method: "GET", path: l.Path, permission: l.Permission, serve: func(x *exchange) error {
		var options []Option
		err := x.read(InCompany, func(c *Ctx) (err error) {
			options, err = l.Find(c, strings.TrimSpace(c.Query("q")))
			return err
		})
		if err != nil {
			return err
		}
		b, err := json.Marshal(append([]Option{}, options[:min(len(options), 20)]...))
		if err != nil {
			return err
		}
		x.w.Header().Set("Content-Type", "application/json")
		_, err = x.w.Write(b)
		return err
	}}), nil
}

// Document is a file that is made when it is asked for.
type Document struct {
	Path, Permission string
	Where            Where
	Make             func(c *Ctx) (Paper, error)
}

// Paper is a file to be sent.
type Paper struct {
	Name, Media string
	Body        []byte
	// Inline shows it in the browser instead of saving it.
	Inline bool
	// Policy is what a document that is shown may load; "" is what every page may.
	Policy string
}

func (d Document) routes() ([]route, *item) {
	return []route{{method: "GET", path: d.Path, permission: d.Permission, serve: func(x *exchange) error {
		var f Paper
		err := x.read(d.Where, func(c *Ctx) (err error) {
			f, err = d.Make(c)
			return err
		})
		if err != nil {
			return err
		}
		how := "attachment"
		if f.Inline {
			how = "inline"
		}
		h := x.w.Header()
		if f.Policy != "" {
			h.Set("Content-Security-Policy", f.Policy)
		}
		h.Set("Content-Type", f.Media)
		h.Set("Content-Length", strconv.Itoa(len(f.Body)))
		h.Set("Content-Disposition", mime.FormatMediaType(how, map[string]string{"filename": f.Name}))
		_, err = x.w.Write(f.Body)
		return err
	}}}, nil
}

// Download is a file that is written while it is made, so that one of any length takes no memory. Make answers its
// name.
type Download struct {
	Path, Permission, Media string
	Make                    func(c *Ctx, to io.Writer) (name string, err error)
}

func (d Download) routes() ([]route, *item) {
	return []route{{method: "GET", path: d.Path, permission: d.Permission, serve: func(x *exchange) error {
		return x.send(InCompany, d.Media, d.Make)
	}}}, nil
}

// Handler is a page for people who are not signed in, or not in the way of the other kinds: it answers by itself, with
// Card.
type Handler struct {
	Path string
	// SignedIn wants somebody who is signed in.
	SignedIn bool
	// Show answers who asks for the page, Take who sends its form; nil is no answer.
	Show, Take Serve
}

// Serve answers a request by itself.
type Serve func(s *Site, w http.ResponseWriter, r *http.Request) error

func (d Handler) routes() (out []route, _ *item) {
	if d.Show != nil {
		out = append(out, route{method: "GET", path: d.Path, open: !d.SignedIn, serve: func(x *exchange) error {
			return d.Show(x.site, x.w, speaks(x.r, x.visitor.Language))
		}})
	}
	if d.Take != nil {
		out = append(out, route{method: "POST", path: d.Path, open: !d.SignedIn, serve: func(x *exchange) error {
			if _, err := readForm(x.w, x.r); err != nil {
				return err
			}
			return d.Take(x.site, x.w, speaks(x.r, x.visitor.Language))
		}})
	}
	return out, nil
}

// Refusal is a sentence of a page's own as a fault.
func Refusal(field, sentence string, args ...any) error {
	if field == "" {
		return errForm.Because(sentence, args...)
	}
	return errForm.At(field, sentence, args...)
}
