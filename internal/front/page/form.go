package page

import (
	"cmp"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Form is a page to write a record, or to start something that needs to be told more. Errors stand at their fields,
// whatever was typed stays, and where somebody else changed the record meanwhile the person is told what.
type Form[T any] struct {
	Path, Title, Permission string
	Where                   Where
	Menu                    bool
	// Lead is a sentence below the title.
	Lead string
	// Load is what the form shows: the record, or what a new one begins with. nil is the zero value.
	Load func(c *Ctx) (T, error)
	// Fields are bound to the value.
	Fields func(c *Ctx, v *T) []Field
	// Save does it. lay writes what was typed over a value: the present record, read for update, or a new one.
	Save func(c *Ctx, lay func(*T) error) (Done, error)
	// Heading is the title where it depends on the record.
	Heading func(c *Ctx, v T) string
	// Submit is the label of the button, "" = Save.
	Submit string
	// Back is where Cancel leads to, and where the person goes after saving unless Save says so; nil is the page that
	// the last crumb leads up to.
	Back func(c *Ctx) string
	// Crumbs lead up; nil is to the list that the form lies below.
	Crumbs func(c *Ctx) []Link
	// Resource is whose history says who changed the record meanwhile.
	Resource record.Resource
	// Of is what the value belongs to where it is not itself a record with a root, such as the order of a line; nil is
	// the value.
	Of func(c *Ctx, v T) (Origin, error)
	// Seen is where the record is seen as others have left it; nil is Back.
	Seen func(c *Ctx) string
	// Settles means that the value is not a record to be changed but a question: nobody else can change it meanwhile.
	Settles bool
	// Queues means that the form is sent again and again, by people on their feet: what they typed waits in their
	// browser until the office has taken it, through a lost connection and a reloaded page, and the fields named here
	// are emptied for the next.
	Queues []string
}

// Made is the Save of a form for something new: do is given begin with what was typed written over it. begin holds
// nothing that is shared, such as a slice with rows.
func Made[T any](begin T, do func(c *Ctx, v T) (Done, error)) func(*Ctx, func(*T) error) (Done, error) {
	return Remade(func(*Ctx) (T, error) { return begin, nil }, do)
}

// Remade is Made for what is written over something that is there, or that depends on the page's address.
func Remade[T any](load func(*Ctx) (T, error),
	do func(c *Ctx, v T) (Done, error)) func(*Ctx, func(*T) error) (Done, error) {
	return func(c *Ctx, lay func(*T) error) (Done, error) {
		v, err := load(c)
		if err == nil {
			err = lay(&v)
		}
		if err != nil {
			return Done{}, err
		}
		return do(c, v)
	}
}

// Changed is the Save of a form for the record that this value of the path names: change lays what was typed over it.
func Changed[T, Now any](name string,
	change func(tx *db.Tx, key string, lay func(*T) error) (Now, error)) func(*Ctx, func(*T) error) (Done, error) {
	return func(c *Ctx, lay func(*T) error) (Done, error) {
		_, err := change(c.Tx, c.Path(name), lay)
		return Did("Saved."), err
	}
}

// ChangedPart is Changed for what two values of the path name.
func ChangedPart[T, Now any](of, name string, change func(tx *db.Tx, of, key string,
	lay func(*T) error) (Now, error)) func(*Ctx, func(*T) error) (Done, error) {
	return func(c *Ctx, lay func(*T) error) (Done, error) {
		_, err := change(c.Tx, c.Path(of), c.Path(name), lay)
		return Did("Saved."), err
	}
}

type formView struct {
	Title, Lead, Action, Submit, Back string
	Problem                           *problem
	Fields                            []fieldView
	Hidden                            []hidden
	Multi                             bool
	Tone                              Tone
	Meanwhile                         *meanwhileView
	Facts                             []factView
	Sheet                             *sheetView
	Queues, Tally                     string
}

func (f Form[T]) routes() ([]route, *item) { return formOf(f, new(T)) }

// formOf serves a form of values of some type, of which none is the zero value.
func formOf(form, none any) ([]route, *item) {
	f := &anyForm{untyped[Form[any]](form), reflect.TypeOf(none).Elem()}
	return []route{
		{method: "GET", path: f.Path, permission: f.Permission, serve: f.show},
		{method: "POST", path: f.Path, permission: f.Permission, serve: f.post},
	}, item{f.Title, f.Path, f.Permission}.in(f.Menu)
}

func (f *anyForm) load(c *Ctx) (any, error) {
	if f.Load == nil {
		return f.none(), nil
	}
	return f.Load(c)
}

func (f *anyForm) show(x *exchange) error { return f.draw(x, nil, nil, nil) }

// draw shows the form: as it is, or as it was sent with what is wrong with it.
func (f *anyForm) draw(x *exchange, p *posted, wrong error, meanwhile *conflict) error {
	var v formView
	var crumbs []Link
	err := x.read(f.Where, func(c *Ctx) error {
		value, err := f.load(c)
		if err != nil {
			return err
		}
		fields := f.Fields(c, &value)
		v = formView{Queues: strings.Join(f.Queues, " "), Title: x.t.say(f.Title), Action: x.r.URL.RequestURI(),
			Lead: x.t.say(f.Lead), Submit: x.t.say(cmp.Or(f.Submit, "Save")), Hidden: x.seal(f.Where, p),
			Multi: hasFiles(fields)}
		if f.Heading != nil {
			v.Title = f.Heading(c, value)
		}
		crumbs = c.crumbs(f.Crumbs)
		v.Back = f.back(c, x.site.Home)
		now := valuesOf(x.t, fields, "", map[string]string{})
		if meanwhile != nil {
			v.Meanwhile = f.merge(x, c, p, fields, meanwhile)
		}
		if !f.Settles {
			opened, err := f.opened(c, p, value, now, meanwhile)
			if err != nil {
				return err
			}
			v.Hidden = append(v.Hidden, opened...)
		}
		p, refused := p.scanned(x.t, fields)
		if refused != nil {
			wrong = refused
		}
		sheet := newSheet(x.t, p, wrong)
		if p != nil && p.raw(moreName) != "" {
			sheet.spare = 8
		}
		if slices.ContainsFunc(fields, func(f Field) bool { return f.scan != nil }) {
			v.Tally = tallyName
		}
		v.Fields = sheet.fields(fields, "")
		if wrong != nil {
			v.Problem = x.problemOf(wrong)
			v.Problem.More = sheet.others()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if v.Meanwhile != nil && v.Meanwhile.Differ {
		v.Submit = x.t.say("Save over theirs")
	}
	x.render("form", statusOfForm(wrong, meanwhile), frame{Title: v.Title, Crumbs: crumbs, Body: v})
	return nil
}

func statusOfForm(wrong error, meanwhile *conflict) int {
	switch {
	case meanwhile != nil:
		return http.StatusConflict
	case wrong != nil:
		return statusOfError(wrong)
	}
	return http.StatusOK
}

func (f *anyForm) post(x *exchange) error {
	p, err := readForm(x.w, x.r)
	if err != nil {
		return err
	}
	if p.raw(moreName) != "" || p.raw(scanName) != "" || p.raw(tallyName) != "" {
		return f.draw(x, p, nil, nil)
	}
	done, err := f.save(x, p)
	for n := 0; n < mostTries && fault.Is(err, fault.ErrStale); n++ {
		done, err = f.save(x, p) // it was changed between the comparison and the lock: now the comparison sees it
	}
	if m, ok := err.(*conflict); ok {
		return f.kept(x, p, f.draw(x, p, nil, m))
	}
	if err != nil {
		if x.isQueued() {
			return x.tell(statusOfError(err), told{Refused: x.refusals(err)})
		}
		if k := fault.As(err).Kind; k == fault.Denied || k == fault.Unauthenticated {
			return err
		}
		return f.kept(x, p, f.draw(x, p, err, nil))
	}
	if x.isQueued() {
		return x.tell(http.StatusOK, told{Said: x.said(done)})
	}
	x.leave(done, f.back(x.ctx(nil), x.site.Home))
	return nil
}

// back is where a form leads back to; home where nothing says so.
func (f *anyForm) back(c *Ctx, home string) string {
	if f.Back != nil {
		return f.Back(c)
	}
	crumbs := c.crumbs(f.Crumbs)
	if len(crumbs) == 0 {
		return home
	}
	return crumbs[len(crumbs)-1].Href
}

func (f *anyForm) save(x *exchange, p *posted) (Done, error) {
	return x.act(f.Where, p, func(c *Ctx) (Done, error) {
		if err := f.unchanged(c, p); err != nil {
			return Done{}, err
		}
		var wrong fault.List
		done, err := f.Save(c, func(v *any) error {
			p.read(x.t, f.Fields(c, v), "", &wrong)
			return wrong.Err()
		})
		if !wrong.Empty() {
			err = f.everything(c, p, err)
		}
		return done, err
	})
}

// everything is what could not be read and, beside it, what the verb says of the other fields: it is tried as far as it
// reads, and nothing of it is kept.
func (f *anyForm) everything(c *Ctx, p *posted, misread error) error {
	if f.Where != InCompany {
		return misread
	}
	c.trying = true
	err := c.Tx.Try(func() error {
		_, err := f.Save(c, func(v *any) error {
			p.read(c.speak, f.Fields(c, v), "", &fault.List{})
			return nil
		})
		return err
	})
	if err == nil {
		return misread
	}
	return fault.As(misread).And(fault.As(err).Fields)
}

// rootOf is the identity of a record, zero for values without one.
func rootOf(v any) record.Root {
	r := reflect.Indirect(reflect.ValueOf(v))
	if r.Kind() == reflect.Struct {
		if f := r.FieldByName("Root"); f.IsValid() {
			if root, ok := f.Interface().(record.Root); ok {
				return root
			}
		}
	}
	return record.Root{}
}

func hasFiles(fields []Field) bool {
	return slices.ContainsFunc(fields,
		func(f Field) bool { return f.kind == "file" || f.kind == "group" && hasFiles(f.fields) })
}

// asked is the path of an action below its record's.
func asked(path, name string) string { return strings.TrimSuffix(path, "/") + "/" + name }
