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
	kind[T]
	resource        record.Resource
	title, one, new string // the list's, a record's and the form's
	lead            string
	area            string // whose permissions these are; "" = settings
	save            func(*db.Tx, ...T) error
	begin           func(c *page.Ctx) T
	fields          func(c *page.Ctx, t *T) []page.Field // besides the head's
	shown           func(t T) []page.Column              // besides the head's
	parts           func(c *page.Ctx, t T) ([]page.Part, error)
	actions         []page.Action[T]
}

func (k codes[T]) at(segments ...string) string {
	return page.Path(append([]string{"settings", k.path}, segments...)...)
}

func (k codes[T]) find(tx *db.Tx, code string) (t T, err error) {
	book, err := reference.Of(tx)
	if err != nil {
		return t, err
	}
	t, ok := k.known(book, code)
	if !ok {
		err = errNoCode.Because("there is no code %q here any more", code)
	}
	return t, err
}

// pages are the pages of the sort.
func (k codes[T]) pages() []page.Page {
	return []page.Page{page.Records[T]{Path: k.at(), Title: k.title, Area: cmp.Or(k.area, "settings"), By: "code",
		Key: func(t T) string { return *k.head(&t).code }, Find: k.find, Resource: k.resource,
		List: page.List[T]{Own: page.Own("code"), Lead: k.lead, Search: "Code, name", Columns: k.columns,
			Filters: []page.Filter{page.Flag("active", "Status", "Active", "Inactive")},
			Find: func(c *page.Ctx, q page.Query) (record.Found[T], error) {
				return k.list(c.Tx, reference.Filter{Search: q.Search, IsActive: q.Bool("active")}, q.Page)
			}},
		Record: page.Record[T]{Show: k.show, Actions: k.actions},
		New:    page.Form[T]{Title: k.new}, Edit: page.Form[T]{Title: k.one}, Fields: k.form, Begin: k.fresh,
		Create: k.create, Made: "%s is made.", Change: k.change}}
}

func (k codes[T]) create(tx *db.Tx, t T) (T, error) {
	book, err := reference.Of(tx)
	if err != nil {
		return t, err
	}
	code := *k.head(&t).code
	if _, ok := k.known(book, code); ok {
		return t, page.Refusal("code", "there is one with the code %s already", code)
	}
	return t, k.save(tx, t)
}

func (k codes[T]) change(tx *db.Tx, code string, lay func(*T) error) (T, error) {
	t, err := k.find(tx, code)
	if err == nil {
		err = lay(&t)
	}
	if err == nil {
		err = k.save(tx, t)
	}
	return t, err
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
func (k codes[T]) fresh(c *page.Ctx) (t T, err error) {
	if k.begin != nil {
		t = k.begin(c)
	}
	*k.head(&t).active = true
	return t, nil
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
			facts.Facts = append(facts.Facts, page.Fact{Label: col.Label, Value: c.Called(col.Value)})
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
