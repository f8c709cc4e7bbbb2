package page

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"slices"
	"strconv"

	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Record is the page of one record: what it is, what may be done to it, and what was.
type Record[T any] struct {
	Path, Permission string
	Where            Where
	Load             func(c *Ctx) (T, error)
	Show             func(c *Ctx, t T) (Sheet, error)
	Actions          []Action[T]
	// Edit are the buttons that lead to forms.
	Edit func(c *Ctx, t T) []Go
	// Again says that the record is under way: the page looks by itself how far it has come.
	Again func(t T) bool
	// Resource is whose history is shown; none is shown without.
	Resource record.Resource
	// Crumbs lead up; nil is to the list that the record lies below.
	Crumbs func(c *Ctx) []Link
	// Title of a page without a path parameter, such as the account, with a place in the menu.
	Title string
	Menu  bool
}

// Sheet is what a record's page shows.
type Sheet struct {
	Title, Subtitle string
	Badges          []Value
	Parts           []Part
	Side            []Part
}

// Part is a piece of a sheet; nil is none.
type Part interface{ part(x *exchange) partView }

// parts are those that there are.
func (x *exchange) parts(all []Part) (out []partView) {
	for _, p := range all {
		if p != nil {
			out = append(out, p.part(x))
		}
	}
	return out
}

type partView struct {
	Kind, Title, Text, Empty string
	Facts                    []factView
	Heads                    []headView
	Rows                     []rowView
	Foot                     []cell
	HTML                     template.HTML
	Go                       []goView
	Figures                  []figureView
	Pictures                 []pictureView
	Asks                     []fieldView
	Entries                  []entryOf
	Answer                   []partView
	Wide, Inside             bool
}

// Facts are values with their names; those without a value are left out.
type Facts struct {
	Title string
	Facts []Fact
	Go    []Go
}

func (f Facts) part(x *exchange) partView {
	return partView{Kind: "facts", Title: x.t.say(f.Title), Go: x.gos(f.Go), Facts: x.facts(f.Facts)}
}

// facts are those of which there is something to say.
func (x *exchange) facts(all []Fact) (out []factView) {
	for _, fact := range all {
		if c := x.t.cell(fact.Value); c.Text != "" || len(c.List) > 0 {
			out = append(out, factView{x.t.say(fact.Label), c})
		}
	}
	return out
}

// Grid is a table.
type Grid struct {
	Title string
	Heads []string
	Rows  [][]Value
	Foot  []Value // a row below, such as totals
	Empty string
	Go    []Go
	Of    int // how many there are, where not all of them may be shown
}

func (g Grid) part(x *exchange) partView {
	v := partView{Kind: "grid", Title: x.t.say(g.Title), Go: x.gos(g.Go), Empty: x.t.say(cmp.Or(g.Empty, "None."))}
	if g.Of > len(g.Rows) {
		v.Title += fmt.Sprintf(", %d %s %s", len(g.Rows), x.t.say("of"), x.t.group(strconv.Itoa(g.Of)))
	}
	for _, h := range g.Heads {
		v.Heads = append(v.Heads, headView{Label: x.t.say(h)})
	}
	for _, r := range g.Rows {
		v.Rows = append(v.Rows, rowView{Cells: x.cells(r)})
	}
	if g.Foot != nil {
		v.Foot = x.cells(g.Foot)
	}
	for _, r := range v.Rows {
		for i, c := range r.Cells {
			if i < len(v.Heads) && len(c.Class) >= 3 && c.Class[:3] == "num" {
				v.Heads[i].Num = true
			}
		}
	}
	return v
}

// cells are values ready to be shown.
func (x *exchange) cells(values []Value) []cell { return each.Of(values, x.t.cell) }

// Note is text, such as an address or a comment.
type Note struct {
	Title, Text string
	IsInside    bool // whoever the record is about never reads it, and nobody shall mistake it for what he does
	Go          []Go
}

// Noted is a note that is there if it says something.
func Noted(title, text string) Part {
	if text == "" {
		return nil
	}
	return Note{Title: title, Text: text}
}

// IfAny is the table where it has rows, and nothing where it has none.
func (g Grid) IfAny() Part {
	if len(g.Rows) == 0 {
		return nil
	}
	return g
}

func (n Note) part(x *exchange) partView {
	return partView{Kind: "note", Title: x.t.say(n.Title), Text: n.Text, Inside: n.IsInside, Go: x.gos(n.Go)}
}

// Gallery are pictures, and files of other kinds among them.
type Gallery struct {
	Title    string
	Pictures []Picture
	Go       []Go
}

// Picture is one of a gallery.
type Picture struct {
	Source string // where the picture lies; "" for a file of another kind
	Shows  string // what it shows, for those who do not see it
	Name   string // below it
	Href   string // the whole file
	Notes  []Value
	// Acts are what may be done with it: Posts, and words that lead somewhere.
	Acts []Value
}

type pictureView struct {
	Source, Shows, Name, Href string
	Notes, Acts               []cell
}

func (g Gallery) part(x *exchange) partView {
	v := partView{Kind: "gallery", Title: x.t.say(g.Title), Go: x.gos(g.Go)}
	for _, p := range g.Pictures {
		shown := pictureView{Source: p.Source, Shows: p.Shows, Name: p.Name, Href: x.ajar(p.Href),
			Notes: x.cells(p.Notes)}
		for _, c := range x.cells(p.Acts) {
			if c.Text != "" {
				c.Title = c.Text + ": " + p.Name
				shown.Acts = append(shown.Acts, c)
			}
		}
		v.Pictures = append(v.Pictures, shown)
	}
	return v
}

// Action is something that may be done to a record.
type Action[T any] struct {
	// Name is the last segment of its path.
	Name, Label string
	// Permission to do it, where that is another one than to change the record.
	Permission string
	Tone       Tone
	// When says whether it may be done now; nil is always.
	When func(t T) bool
	// Confirm is asked before it is done; "" is nothing.
	Confirm string
	Do      func(c *Ctx, t T) (Done, error)
	// Form is there where the action needs to be told more: see Ask.
	Form func(r *anyRecord, permission string) []route
}

// Ask is an action with a form of its own: start is what the form begins with, nil for nothing, do gets what was typed.
func Ask[T, V any](a Action[T], start func(c *Ctx, t T) (V, error), fields func(c *Ctx, t T, v *V) []Field,
	do func(c *Ctx, t T, v V) (Done, error)) Action[T] {
	a.Form = func(r *anyRecord, permission string) []route {
		path := asked(r.Path, a.Name)
		type asks struct {
			about T
			value V
		}
		load := func(c *Ctx) (asks, error) {
			t, err := r.Load(c)
			if err != nil {
				return asks{}, err
			}
			about := *t.(*T)
			if a.When != nil && !a.When(about) {
				return asks{}, errNotNow.Because("this cannot be done to the record as it is now")
			}
			var v V
			if start != nil {
				v, err = start(c, about)
			}
			return asks{about, v}, err
		}
		f := Form[asks]{Path: path, Title: a.Label, Permission: permission, Where: r.Where, Lead: a.Confirm,
			Submit: a.Label, Settles: true, Load: load,
			Fields: func(c *Ctx, v *asks) []Field { return fields(c, v.about, &v.value) },
			Save: func(c *Ctx, lay func(*asks) error) (Done, error) {
				v, err := load(c)
				if err == nil {
					err = lay(&v)
				}
				if err != nil {
					return Done{}, err
				}
				return do(c, v.about, v.value)
			},
			Back:   func(c *Ctx) string { return fill(r.Path, c.captured) },
			Crumbs: func(c *Ctx) []Link { return r.crumbs(c, fill(r.Path, c.captured)) },
			Heading: func(c *Ctx, v asks) string {
				s, err := r.Show(c, &v.about)
				if err != nil {
					return c.Say(a.Label)
				}
				return c.Say(a.Label) + ": " + s.Title
			}}
		routes, _ := f.routes()
		return routes
	}
	return a
}

var errNotNow = fault.New(fault.Conflict, "Action.NotNow")

// crumbs are a record's, with the record itself.
func (r *anyRecord) crumbs(c *Ctx, self string) []Link {
	out := c.crumbs(r.Crumbs)
	t, err := r.Load(c)
	if err != nil {
		return out
	}
	if s, err := r.Show(c, t); err == nil {
		out = append(out, Link{s.Title, self})
	}
	return out
}

func (r Record[T]) routes() ([]route, *item) { return recordOf(r) }

// recordOf serves the page of a record of some type.
func recordOf(page any) ([]route, *item) {
	r := &anyRecord{untyped[Record[any]](page)}
	out := []route{{method: "GET", path: r.Path, permission: r.Permission, title: r.Title,
		serve: func(x *exchange) error { return r.draw(x, nil, nil) }}}
	for i := range r.Actions {
		a := &r.Actions[i]
		a.Permission = cmp.Or(a.Permission, r.writing())
		if a.Form != nil {
			out = append(out, a.Form(r, a.Permission)...)
			continue
		}
		path := asked(r.Path, a.Name)
		out = append(out, route{method: "POST", path: path, permission: a.Permission,
			serve: func(x *exchange) error { return r.do(x, a) }})
		if a.Confirm != "" {
			out = append(out, route{method: "GET", path: path, permission: a.Permission,
				serve: func(x *exchange) error { return r.confirm(x, a) }})
		} else {
			out = append(out, toRecord(path, r.Permission))
		}
	}
	if r.isDiscussed() {
		out = append(out, r.discussed()...)
	}
	return out, item{r.Title, r.Path, r.Permission}.in(r.Menu)
}

// toRecord leads from an address right below a record that only takes forms to the record. What is refused is shown at
// that address, and people ask for it again: by its line in the browser, or by what leads them back to where they were.
func toRecord(at, permission string) route {
	return route{method: "GET", path: at, permission: permission, aside: true, serve: func(x *exchange) error {
		http.Redirect(x.w, x.r, path.Dir(x.r.URL.EscapedPath()), http.StatusSeeOther)
		return nil
	}}
}

type sheetView struct {
	Title, Subtitle string
	Badges          []cell
	Parts, Side     []partView
	Problem         *problem
	Actions         []actionView
	Grave           []actionView // those that cannot be undone, last
	Edit            []goView
	Hidden          []hidden
	History         []entryView
	HasHistory      bool
	Older, Newest   string // addresses of the history's other pages, "" where there is none
	Comments        *commentsView
	Again           bool
}

type actionView struct {
	Label, Path string
	Tone        Tone
	Asks        bool // leads to a form or a question
}

// historyShown is how many entries of a record's history its page shows.
const historyShown = 30

// draw shows the record, with what an action was refused with, and what was typed of a comment.
func (r *anyRecord) draw(x *exchange, p *posted, wrong error) error {
	var v sheetView
	var crumbs []Link
	var news *discussion.About
	err := x.read(r.Where, func(c *Ctx) error {
		t, err := r.Load(c)
		if err != nil {
			return err
		}
		s, err := r.Show(c, t)
		if err != nil {
			return err
		}
		v = sheetView{Title: s.Title, Subtitle: s.Subtitle, Badges: x.cells(s.Badges), Hidden: x.seal(r.Where, p),
			Parts: x.parts(s.Parts), Side: x.parts(s.Side), Again: r.Again != nil && r.Again(t)}
		r.buttons(x, c, t, &v)
		crumbs = c.crumbs(r.Crumbs)
		if r.Resource.Name != "" {
			news, err = r.history(x, c, t, p, wrong, &v)
		}
		return err
	})
	if err != nil {
		if wrong != nil {
			return wrong
		}
		return err
	}
	if news != nil && x.r.Method == http.MethodGet {
		x.seen(*news)
	}
	status := http.StatusOK
	if wrong != nil {
		v.Problem, status = x.problemAlone(wrong), statusOfError(wrong)
	}
	x.render("record", status, frame{Title: v.Title, Crumbs: crumbs, Body: v})
	return nil
}

// buttons are the actions that the person may do now.
func (r *anyRecord) buttons(x *exchange, c *Ctx, t any, v *sheetView) {
	base := fill(r.Path, x.captured)
	for _, a := range r.Actions {
		if x.may(a.Permission) && (a.When == nil || a.When(t)) {
			view := actionView{x.t.say(a.Label), asked(base, a.Name), a.Tone, a.Form != nil || a.Confirm != ""}
			if a.Tone == Bad {
				v.Grave = append(v.Grave, view)
			} else {
				v.Actions = append(v.Actions, view)
			}
		}
	}
	if r.Edit != nil {
		v.Edit = x.gos(r.Edit(c, t))
	}
}

// do does an action and leads back to the record; refused, the record is shown with the refusal.
func (r *anyRecord) do(x *exchange, a *Action[any]) error {
	p, err := readForm(x.w, x.r)
	if err != nil {
		return err
	}
	done, err := x.act(r.Where, p, func(c *Ctx) (Done, error) {
		t, err := r.Load(c)
		if err != nil {
			return Done{}, err
		}
		return a.Do(c, t)
	})
	if err != nil {
		if f := fault.As(err); f.Kind == fault.Denied || f.Kind == fault.Unauthenticated {
			return err
		}
		return r.draw(x, nil, err)
	}
	x.leave(done, fill(r.Path, x.captured))
	return nil
}

// confirm asks before an action is done.
func (r *anyRecord) confirm(x *exchange, a *Action[any]) error {
	base := fill(r.Path, x.captured)
	v := formView{Lead: x.t.say(a.Confirm), Action: x.r.URL.EscapedPath(), Submit: x.t.say(a.Label), Back: base,
		Hidden: x.seal(r.Where, nil), Tone: a.Tone}
	var crumbs []Link
	err := x.read(r.Where, func(c *Ctx) error {
		crumbs = r.crumbs(c, base)
		if len(crumbs) == 0 {
			return errors.New("page: a record without a title")
		}
		v.Title = v.Submit + ": " + crumbs[len(crumbs)-1].Label
		return nil
	})
	if err != nil {
		return err
	}
	x.render("form", http.StatusOK, frame{Title: v.Title, Crumbs: crumbs, Body: v})
	return nil
}

// Asking is a form within a sheet whose answer is the same page: a question asked by the address.
type Asking struct {
	Title, Button string
	Fields        []Field
	// Answer is what stands below the form and is asked for anew with every change of it, where the browser runs
	// scripts.
	Answer []Part
	// Wrong is what Ctx.Ask refused: it is said at its field, beside what was typed there.
	Wrong error
}

// Ask reads what the address says into fields, each by its own rules; one that the address does not name stays as it
// is. What cannot be read is refused at its field.
func (c *Ctx) Ask(fields []Field) error {
	p := &posted{values: c.Request.URL.Query()}
	said := slices.DeleteFunc(slices.Clone(fields), func(f Field) bool { return !p.values.Has(f.Name) })
	var wrong fault.List
	p.read(c.speak, said, "", &wrong)
	return wrong.Err()
}

func (a Asking) part(x *exchange) partView {
	s := newSheet(x.t, nil, nil)
	if a.Wrong != nil {
		s = newSheet(x.t, &posted{values: x.r.URL.Query()}, a.Wrong)
	}
	return partView{Kind: "asking", Title: x.t.say(a.Title), Text: x.t.say(a.Button), Asks: s.fields(a.Fields, ""),
		Answer: x.parts(a.Answer)}
}
