package page

import (
	"reflect"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
)

// Records are the pages of one sort of record: the list of them, a record's own page, and the forms to make one and to
// change one. Where they lie, what permissions they need and how a record is found is said once, and followed by what
// only one of the pages says. A list without columns, a record's page that shows nothing and a form without a title are
// no pages.
type Records[T any] struct {
	Path, Title string // of the list; a record's page lies below it, and the form of a new one below /new
	Area        string // whose permissions these are: of brands brands:read and brands:write
	By          string // what addresses call the key of a record
	Key         func(t T) string
	Find        func(tx *db.Tx, key string) (T, error)
	Resource    record.Resource
	List        List[T]
	Record      Record[T]
	New, Edit   Form[T]
	// Fields are those of both forms.
	Fields func(c *Ctx, t *T) []Field
	// Begin is what a new one begins with; nil is the zero value.
	Begin func(c *Ctx) (T, error)
	// Create makes one, and Made tells so by its key.
	Create func(tx *db.Tx, t T) (T, error)
	Made   string
	Change func(tx *db.Tx, key string, lay func(*T) error) (T, error)
	// Delete takes one away, after Warning was read, and Deleted tells so by its key.
	Delete           func(tx *db.Tx, key string) error
	Warning, Deleted string
}

type anyRecords struct {
	Records[any]
	value reflect.Type
}

func (r Records[T]) routes() ([]route, *item) {
	return (&anyRecords{untyped[Records[any]](r), reflect.TypeFor[T]()}).routes()
}

func (r *anyRecords) routes() (all []route, place *item) {
	if r.List.Columns != nil {
		all, place = listOf(r.list(), reflect.New(r.value).Interface())
	}
	if r.Record.Show != nil {
		routes, _ := recordOf(r.record())
		all = append(all, routes...)
	}
	for _, f := range []Form[any]{r.newForm(), r.editForm()} {
		if f.Title != "" {
			routes, _ := (&anyForm{f, r.value}).routes()
			all = append(all, routes...)
		}
	}
	return all, place
}

func (r *anyRecords) read() string  { return r.Area + ":read" }
func (r *anyRecords) write() string { return r.Area + ":write" }

// at is the page of a record, or one below it.
func (r *anyRecords) at(key string, below ...string) string {
	return r.Path + Path(slices.Insert(below, 0, key)...)
}

// below is where the address of a record's page is caught.
func (r *anyRecords) below() string { return r.Path + "/{" + r.By + "}" }

func (r *anyRecords) load(c *Ctx) (any, error) { return r.Find(c.Tx, c.Path(r.By)) }

func (r *anyRecords) begin(c *Ctx) (any, error) {
	if r.Begin == nil {
		return reflect.New(r.value).Interface(), nil
	}
	return r.Begin(c)
}

func (r *anyRecords) list() List[any] {
	l := r.List
	l.Path, l.Title, l.Permission, l.Menu = r.Path, r.Title, r.read(), true
	l.Href = func(t any) string { return r.at(r.Key(t)) }
	if r.New.Title != "" {
		l.New = append(l.New, Go{Label: r.New.Title, Path: "/new" + r.Path, Primary: true})
	}
	return l
}

func (r *anyRecords) record() Record[any] {
	p := r.Record
	p.Path, p.Permission, p.Resource, p.Load = r.below(), r.read(), r.Resource, r.load
	if p.Edit == nil && r.Edit.Title != "" {
		p.Edit = func(_ *Ctx, t any) []Go {
			return []Go{{Label: "Edit", Path: r.at(r.Key(t), "edit"), Primary: true}}
		}
	}
	if r.Delete != nil {
		p.Actions = append(p.Actions, Action[any]{Name: "delete", Label: "Delete", Tone: Bad,
			Confirm: r.Warning, Do: func(c *Ctx, t any) (Done, error) {
				return Went(r.Path, r.Deleted, named(r.Deleted, r.Key(t))...), r.Delete(c.Tx, r.Key(t))
			}})
	}
	return p
}

// named is the key of a record for a sentence that says it.
func named(sentence, key string) []any {
	if strings.Contains(sentence, "%s") {
		return []any{key}
	}
	return nil
}

func (r *anyRecords) newForm() Form[any] {
	f := r.New
	f.Path, f.Permission, f.Load = "/new"+r.Path, r.write(), r.begin
	if f.Fields == nil {
		f.Fields = r.Fields
	}
	if f.Save == nil {
		f.Save = Remade(r.begin, func(c *Ctx, t any) (Done, error) {
			t, err := r.Create(c.Tx, t)
			if err != nil {
				return Done{}, err
			}
			return Went(r.at(r.Key(t)), r.Made, named(r.Made, r.Key(t))...), nil
		})
	}
	return f
}

func (r *anyRecords) editForm() Form[any] {
	f := r.Edit
	f.Path, f.Permission, f.Resource, f.Load = r.below()+"/edit", r.write(), r.Resource, r.load
	if f.Back == nil {
		f.Back = func(c *Ctx) string { return r.at(c.Path(r.By)) }
	}
	if f.Fields == nil {
		f.Fields = r.Fields
	}
	if f.Save == nil {
		f.Save = Changed(r.By, r.Change)
	}
	return f
}
