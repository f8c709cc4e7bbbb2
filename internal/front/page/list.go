package page

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/day"
	"kontor/internal/foundation/record"
)

// List is a page of records: what it shows of each, what it can be narrowed by, and where it leads. Search, sorting,
// paging and export come with the kind.
type List[T any] struct {
	Path, Title, Permission string
	Where                   Where
	// Menu puts the list into the navigation.
	Menu bool
	// Lead is a sentence below the title.
	Lead string
	// Search says what is searched; "" is no search.
	Search  string
	Filters []Filter
	// Latest offers the newest changes first, besides the list's own order and those of its columns (By). A list of a
	// room that keeps change stamps has it by itself (record.Page.Latest).
	Latest bool
	// Own is the column by which the list is sorted by itself: the name of By, with a minus where it begins with the
	// last.
	Own func(q Query) string
	// Columns are what it shows of a row; their names are asked for with the zero value as well.
	Columns func(row T) []Column
	Find    func(c *Ctx, q Query) (record.Found[T], error)
	// Href is the page of a row.
	Href func(row T) string
	// Key is the value under which a row is chosen, for Bulk.
	Key  func(row T) string
	Bulk []Go
	New  []Go
	// Whole is where all rows are fetched with all they have, in columns that an import takes; "" = nowhere.
	Whole string
	// Empty is said where there is nothing, "" = the usual.
	Empty string
	// Crumbs lead up, for lists that are part of something.
	Crumbs func(c *Ctx) []Link
}

// Column is what a list shows of a row, with its name.
type Column struct {
	Label string
	Value Value
	// Minor columns are left out on narrow screens.
	Minor bool
	by    string
}

// By lets people sort the list by the column. The name is the one of the room's list (record.Query.Sorts).
func (c Column) By(name string) Column { c.by = name; return c }

// Col is a column.
func Col(label string, v Value) Column { return Column{Label: label, Value: v} }

// Minor is a column that narrow screens leave out.
func Minor(label string, v Value) Column { return Column{Label: label, Value: v, Minor: true} }

// Own is the order of a list by one column, for List.Own.
func Own(by string) func(Query) string { return func(Query) string { return by } }

// Filter narrows a list by a value of the address.
type Filter struct {
	Name, Label string
	kind        string
	options     []Option
	offered     func(c *Ctx) []Option // in place of options
	lookup      string
}

// Choice is a filter by one of several values.
func Choice(name, label string, options []Option) Filter {
	if path := searched(options); path != "" {
		return Match(name, label).Lookup(path)
	}
	return Filter{Name: name, Label: label, kind: "select", options: options}
}

// ChoiceOf is Choice of what there is when the list is shown.
func ChoiceOf(name, label string, offered func(c *Ctx) []Option) Filter {
	return Filter{Name: name, Label: label, offered: offered}
}

// Flag is a filter by yes or no.
func Flag(name, label, yes, no string) Filter {
	return Choice(name, label, []Option{{Value: "yes", Label: yes}, {Value: "no", Label: no}})
}

// Match is a filter by a text.
func Match(name, label string) Filter { return Filter{Name: name, Label: label, kind: "text"} }

// Lookup offers what a Lookup page finds.
func (f Filter) Lookup(path string) Filter { f.lookup = path; return f }

// From is a filter by a date.
func From(name, label string) Filter { return Filter{Name: name, Label: label, kind: "date"} }

// Query is what a list is asked for.
type Query struct {
	Search string
	Sort   string
	Page   record.Page
	values url.Values
}

// Get is a filter's value.
func (q Query) Get(name string) string { return q.values.Get(name) }

// Is reports whether a Flag is set to yes.
func (q Query) Is(name string) bool { return q.values.Get(name) == "yes" }

// Bool is a Flag's value; nil where it is not set.
func (q Query) Bool(name string) *bool {
	switch q.values.Get(name) {
	case "yes":
		return new(true)
	case "no":
		return new(false)
	}
	return nil
}

// Date is a From's value.
func (q Query) Date(name string) day.Date {
	d, err := day.Parse(q.values.Get(name))
	if err != nil {
		return ""
	}
	return d
}

// latestName is what the address calls List.Latest.
const latestName = "latest"

// pageSize is how many rows a page has, unless the person chose otherwise.
const pageSize = 50

func (l List[T]) routes() ([]route, *item) { return listOf(l, new(T)) }

// listOf serves a list of rows of some type, of which none is the zero value.
func listOf(list, none any) ([]route, *item) {
	l := &anyList{List: untyped[List[any]](list)}
	l.heads = l.Columns(none)
	return []route{{method: "GET", path: l.Path, permission: l.Permission, title: l.Title, serve: l.serve}},
		item{l.Title, l.Path, l.Permission}.in(l.Menu)
}

type listView struct {
	Title, Lead, Search, SearchHint string
	Filters                         []filterView
	Active                          []activeView
	Clear                           string
	Sorts                           []optionView
	Heads                           []headView
	Rows                            []rowView
	Bulk, New                       []goView
	Total, TotalText                string
	From, To                        int
	Page, Pages                     int
	Previous, Next                  string
	Exports                         []Link
	Whole                           string
	Empty                           string
	Hidden                          []hidden
}

type filterView struct {
	Name, Label, Kind, Value, Lookup string
	Options                          []optionView
}

type activeView struct{ Text, Without string }

type headView struct {
	Label        string
	Num, Minor   bool
	Class, Align string
	// Of a column to sort by: where its link leads, the word of aria-sort, and what the link is remembered by.
	Href, Order, By string
}

type rowView struct {
	Key, Name string
	Cells     []cell
}

type goView struct {
	Label, Path string
	Primary     bool
}

// gos are the buttons to the pages that the person may open.
func (x *exchange) gos(all []Go) (out []goView) {
	for _, g := range all {
		if !g.missing && !x.shut(g.Path, false) {
			out = append(out, goView{x.t.say(g.Label), g.Path, g.Primary})
		}
	}
	return out
}

// farthest is a page beyond all pages: what it skips is still a number.
const farthest = 1 << 40

// query reads what the address asks for. A value that a list does not know is no refusal: a link may be old.
func (l *anyList) query(r *http.Request) Query {
	values := r.URL.Query()
	q := Query{Search: strings.TrimSpace(values.Get("q")), values: values}
	number, _ := strconv.Atoi(values.Get("page"))
	size, _ := strconv.Atoi(values.Get("rows"))
	if size < 10 || size > 200 {
		size = pageSize
	}
	q.Page = record.Page{Number: min(max(number, 1), farthest), Size: size}
	if q.Page.Latest = l.Latest && values.Get("sort") == latestName; q.Page.Latest {
		q.Sort = latestName
	}
	l.sorted(&q)
	return q
}

// sorted takes over the order by a column that the address asks for: its name, with a minus where the last comes first.
func (l *anyList) sorted(q *Query) {
	by, down := strings.CutPrefix(q.values.Get("sort"), "-")
	for _, c := range l.heads {
		if c.by != "" && c.by == by {
			q.Sort, q.Page.Sort, q.Page.Down = q.values.Get("sort"), by, down
		}
	}
}

func (l *anyList) serve(x *exchange) error {
	q := l.query(x.r)
	if format := q.Get("export"); format == "csv" || format == "xlsx" {
		return l.export(x, q, format)
	}
	v := listView{Title: x.t.say(l.Title), Search: q.Search, New: x.gos(l.New), Bulk: x.gos(l.Bulk)}
	var crumbs []Link
	err := x.readCommitted(l.Where, func(c *Ctx) error {
		if err := l.horizon(c, &q); err != nil {
			return err
		}
		found, err := l.Find(c, q)
		if err != nil {
			return err
		}
		v.Filters, v.Active = nil, nil
		l.filters(x, c, &v, q)
		if l.Crumbs != nil {
			crumbs = l.Crumbs(c)
		}
		l.rows(x, c, &v, q, found)
		l.paging(x, &v, q, found.Total)
		return nil
	})
	if err != nil {
		return err
	}
	l.words(x, &v, q)
	x.render("list", http.StatusOK, frame{Title: v.Title, Crumbs: crumbs, Body: v})
	return nil
}

// horizon lets the list remember its total and where its pages begin.
func (l *anyList) horizon(c *Ctx, q *Query) (err error) {
	if l.Where == InCompany {
		q.Page.Horizon, err = c.Tx.Committed()
	}
	return err
}

func (l *anyList) words(x *exchange, v *listView, q Query) {
	v.Lead, v.SearchHint = x.t.say(l.Lead), x.t.say(l.Search)
	l.orders(x, v, q)
	v.Empty = x.t.say(cmp.Or(l.Empty, "Nothing here yet."))
	if q.Search != "" || len(v.Active) > 0 {
		v.Empty, v.Clear = x.t.say("Nothing matches."), x.r.URL.Path
	}
	if l.Whole != "" && (x.t.shut == nil || !x.t.shut(l.Whole, false)) {
		v.Whole = l.Whole
	}
	for _, f := range []string{"csv", "xlsx"} {
		v.Exports = append(v.Exports, Link{strings.ToUpper(f), with(x.r.URL, "export", f, "page", "")})
	}
}

// orders are all that the list can be sorted by: a narrow screen does not show every column.
func (l *anyList) orders(x *exchange, v *listView, q Query) {
	if l.Latest {
		v.Sorts = append(v.Sorts, optionView{latestName, x.t.say("Latest change"), q.Page.Latest})
	}
	for _, c := range l.heads {
		if c.by != "" {
			label := x.t.say(c.Label)
			v.Sorts = append(v.Sorts, optionView{c.by, label + " \u2191", c.by == q.Sort},
				optionView{"-" + c.by, label + " \u2193", "-"+c.by == q.Sort})
		}
	}
	if len(v.Sorts) > 0 {
		v.Sorts = append([]optionView{{"", x.t.say("Usual order"), q.Sort == ""}}, v.Sorts...)
	}
}

// head is a column's head. Pressed, it sorts the list by the column, and pressed again the other way round.
func (l *anyList) head(x *exchange, c Column, q Query) headView {
	h := headView{Label: x.t.say(c.Label), Minor: c.Minor}
	if c.by == "" {
		return h
	}
	now, next := q.Sort, c.by
	if now == "" && l.Own != nil {
		now = l.Own(q)
	}
	switch now {
	case c.by:
		h.Order, next = "ascending", "-"+c.by
	case "-" + c.by:
		h.Order = "descending"
	}
	h.By, h.Href = c.by, with(x.r.URL, "sort", next, "page", "")
	return h
}

func (l *anyList) filters(x *exchange, c *Ctx, v *listView, q Query) {
	for _, f := range l.Filters {
		if f.offered != nil {
			f = Choice(f.Name, f.Label, f.offered(c))
		}
		value := q.Get(f.Name)
		w := filterView{Name: f.Name, Label: x.t.say(f.Label), Kind: f.kind, Value: value, Lookup: f.lookup}
		shown := value
		for _, o := range f.options {
			chosen := o.Value == value
			w.Options = append(w.Options, optionView{o.Value, x.t.say(o.Label), chosen})
			if chosen {
				shown = x.t.say(o.Label)
			}
		}
		v.Filters = append(v.Filters, w)
		if value != "" {
			v.Active = append(v.Active, activeView{w.Label + ": " + shown, with(x.r.URL, f.Name, "", "page", "")})
		}
	}
}

func (l *anyList) rows(x *exchange, on *Ctx, v *listView, q Query, found record.Found[any]) {
	v.Heads, v.Rows = make([]headView, len(l.heads)), make([]rowView, len(found.Items))
	for i, c := range l.heads {
		v.Heads[i] = l.head(x, c, q)
	}
	for i, item := range found.Items {
		row := rowView{Cells: make([]cell, len(l.heads))}
		if l.Key != nil {
			row.Key = l.Key(item)
		}
		for j, c := range l.Columns(item) {
			value := c.Value
			if j == 0 && l.Href != nil {
				value = value.Linked(l.Href(item))
			}
			row.Cells[j] = x.t.cell(value.shown(on))
			if j == 0 && row.Cells[j].Text == "" && row.Cells[j].Href != "" {
				row.Cells[j].Text = x.t.say("Without a name") // it leads to the record all the same
			}
			if strings.HasPrefix(row.Cells[j].Class, "num") {
				v.Heads[j].Num = true
			}
		}
		row.Name = row.Cells[0].Text
		v.Rows[i] = row
	}
}

func (l *anyList) paging(x *exchange, v *listView, q Query, total int) {
	v.Page, v.Pages = q.Page.Number, max(1, (total+q.Page.Size-1)/q.Page.Size)
	v.From, v.To = (v.Page-1)*q.Page.Size+1, min(v.Page*q.Page.Size, total)
	v.Total = x.t.group(strconv.Itoa(total))
	if len(v.Rows) > 0 {
		v.TotalText = fmt.Sprintf("%s\u2013%s %s %s", x.t.group(strconv.Itoa(v.From)), x.t.group(strconv.Itoa(v.To)),
			x.t.say("of"), v.Total)
	}
	if v.Page > 1 {
		v.Previous = with(x.r.URL, "page", strconv.Itoa(min(v.Page-1, v.Pages)))
	}
	if v.Page < v.Pages {
		v.Next = with(x.r.URL, "page", strconv.Itoa(v.Page+1))
	}
}

// with is an address with other values after the question mark; "" takes one away.
func with(u *url.URL, pairs ...string) string {
	values := u.Query()
	for i := 0; i+1 < len(pairs); i += 2 {
		if values.Del(pairs[i]); pairs[i+1] != "" {
			values.Set(pairs[i], pairs[i+1])
		}
	}
	if len(values) == 0 {
		return u.EscapedPath()
	}
	return u.EscapedPath() + "?" + values.Encode()
}

// Cut is the page of a list that is in memory as a whole.
func Cut[T any](all []T, q Query) record.Found[T] {
	from := min((q.Page.Number-1)*q.Page.Size, len(all))
	return record.Found[T]{Items: all[from:min(from+q.Page.Size, len(all))], Total: len(all)}
}

// Ordered puts a list that is in memory as a whole into the order that is asked for; by compares by the name of a
// column.
func Ordered[T any](all []T, q Query, by map[string]func(a, b T) int) []T {
	if compare := by[q.Page.Sort]; compare != nil {
		slices.SortStableFunc(all, func(a, b T) int {
			if q.Page.Down {
				a, b = b, a
			}
			return compare(a, b)
		})
	}
	return all
}

// Narrow keeps the rows of which some text holds every word that is searched for.
func Narrow[T any](all []T, q Query, texts func(T) []string) []T {
	words := record.Words(q.Search)
	if len(words) == 0 {
		return all
	}
	var out []T
	for _, row := range all {
		text := record.SearchText(texts(row)...)
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			out = append(out, row)
		}
	}
	return out
}
