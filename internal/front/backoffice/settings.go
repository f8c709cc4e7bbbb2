package backoffice

import (
	"cmp"

	"kontor/internal/business/reference"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/record"
	"kontor/internal/front/page"
)

// codes are the pages of one sort of code: the list of them, each with its history, and the forms to make and to change
// one.
// A code is never deleted, since documents name it; one that is not to be used any more is made inactive.
type codes[T any] struct {
	resource        record.Resource
	path            string // the segment below /settings
	title, one, new string // the list's, a record's and the form's
	lead            string
	area            string // whose permissions these are; "" = settings
	list            func(*db.Tx, reference.Filter, record.Page) (record.Found[T], error)
	find            func(*reference.Book, string) (T, bool)
	save            func(*db.Tx, ...T) error
	begin           func(c *page.Ctx) T
	head            func(*T) head
	fields          func(c *page.Ctx, t *T) []page.Field // besides the head's
	shown           func(t T) []page.Column              // besides the head's
	parts           func(c *page.Ctx, t T) ([]page.Part, error)
	actions         []page.Action[T]
	buttons         func(t T) []page.Go
}

// head is what every code has.
type head struct {
	id         string
	code, name *string
	active     *bool
}

func (k codes[T]) at(segments ...string) string {
	return page.Path(append([]string{"settings", k.path}, segments...)...)
}

func (k codes[T]) load(c *page.Ctx) (t T, err error) {
	book, err := reference.Of(c.Tx)
	if err != nil {
		return t, err
	}
	t, ok := k.find(book, c.Path("code"))
	if !ok {
		err = errNoCode.Because("there is no code %q here any more", c.Path("code"))
	}
	return t, err
}

// may is the permission that a page of the sort needs.
func (k codes[T]) may(verb string) string { return cmp.Or(k.area, "settings") + ":" + verb }

// pages are the pages of the sort.
func (k codes[T]) pages() []page.Page {
	up := crumb(k.title, k.at())
	making := "/new" + k.at()
	return []page.Page{
		page.List[T]{Path: k.at(), Own: page.Own("code"), Title: k.title, Permission: k.may("read"), Menu: true,
			Lead: k.lead, Search: "Code, name", Columns: k.columns,
			Filters: page.Filters(page.Flag("active", "Status", "Active", "Inactive")),
			Find: func(c *page.Ctx, q page.Query) (record.Found[T], error) {
				return k.list(c.Tx, reference.Filter{Search: q.Search, IsActive: q.Bool("active")}, q.Page)
			},
			Href: func(t T) string { return k.at(*k.head(&t).code) },
			New:  []page.Go{{Label: k.new, Path: making, Permission: k.may("write"), Primary: true}}},
		page.Record[T]{Path: k.at() + "/{code}", Permission: k.may("read"), Resource: k.resource, Crumbs: up,
			Load: k.load, Show: k.show, Actions: k.actions, Edit: func(_ *page.Ctx, t T) []page.Go {
				var out []page.Go
				if k.buttons != nil {
					out = k.buttons(t)
				}
				return append(out, page.Go{Label: "Edit", Path: k.at(*k.head(&t).code, "edit"),
					Permission: k.may("write"), Primary: true})
			}},
		page.Form[T]{Path: making, Title: k.new, Permission: k.may("write"), Crumbs: up, Fields: k.form,
			Load: func(c *page.Ctx) (T, error) { return k.fresh(c), nil },
			Save: func(c *page.Ctx, lay func(*T) error) (page.Done, error) {
				t := k.fresh(c)
				if err := lay(&t); err != nil {
					return page.Done{}, err
				}
				book, err := reference.Of(c.Tx)
				if err != nil {
					return page.Done{}, err
				}
				code := *k.head(&t).code
				if _, ok := k.find(book, code); ok {
					return page.Done{}, page.Refusal("code", "there is one with the code %s already", code)
				}
				return page.Went(k.at(code), "%s is made.", code), k.save(c.Tx, t)
			}},
		page.Form[T]{Path: k.at() + "/{code}/edit", Title: k.one, Permission: k.may("write"), Crumbs: up,
			Resource: k.resource, Fields: k.form, Load: k.load,
			Back: func(c *page.Ctx) string { return k.at(c.Path("code")) },
			Save: page.Remade(k.load, func(c *page.Ctx, t T) (page.Done, error) {
				return page.Did("Saved."), k.save(c.Tx, t)
			})},
	}
}

func (k codes[T]) columns(t T) []page.Column {
	h := k.head(&t)
	columns := []page.Column{page.Col("Code", page.T(*h.code)).By("code"), page.Col("Name", page.T(*h.name))}
	if k.shown != nil {
		columns = append(columns, k.shown(t)...)
	}
	return append(columns, page.Col("Status", page.Active(*h.active)))
}

// fresh is what a new code begins with.
func (k codes[T]) fresh(c *page.Ctx) (t T) {
	if k.begin != nil {
		t = k.begin(c)
	}
	*k.head(&t).active = true
	return t
}

func (k codes[T]) form(c *page.Ctx, t *T) []page.Field {
	h := k.head(t)
	fields := []page.Field{page.Code("code", "Code", h.code).Required().FixedIf(h.id != ""),
		page.Text("name", "Name", h.name).Required(), page.Check("isActive", "Active", h.active)}
	if k.fields != nil {
		fields = append(fields, k.fields(c, t)...)
	}
	return fields
}

func (k codes[T]) show(c *page.Ctx, t T) (page.Sheet, error) {
	h := k.head(&t)
	s := page.Sheet{Title: *h.name, Subtitle: *h.code, Badges: []page.Value{page.Active(*h.active)}}
	facts := page.Facts{Title: k.one, Facts: []page.Fact{{Label: "Code", Value: page.T(*h.code)},
		{Label: "Name", Value: page.T(*h.name)}}}
	if k.shown != nil {
		for _, col := range k.shown(t) {
			facts.Facts = append(facts.Facts, page.Fact{Label: col.Label, Value: col.Value})
		}
	}
	s.Parts = []page.Part{facts}
	if k.parts == nil {
		return s, nil
	}
	more, err := k.parts(c, t)
	s.Parts = append(more, facts)
	return s, err
}
