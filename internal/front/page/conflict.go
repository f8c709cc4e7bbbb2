package page

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/fault"
	"kontor/internal/foundation/record"
)

// Origin is the record that a form's value belongs to.
type Origin struct {
	Resource record.Resource
	record.Root
	// By is who changed it last, of what has no history.
	By string
}

// mostTries is how often a form is compared and saved anew because others save between the two.
const mostTries = 3

// conflict is what somebody else changed while a form was open.
type conflict struct {
	was, now map[string]string
	changed  []string // names of fields
	of       Origin
}

func (c *conflict) Error() string { return "page: changed by somebody else" }

// meanwhileView is what others did to a record while a form was open.
type meanwhileView struct {
	By      string      // who was the last
	Who     []entryView // who did what and when, the latest first
	Changes []changeView
	Seen    string // where the record is seen as it is now
	Differ  bool   // they and this person changed the same
}

// changeView is a field that somebody else changed while this form was open.
type changeView struct{ Name, Label, Was, Now, Yours string }

// of is the record of a form's value.
func (f *anyForm) of(c *Ctx, v any) (Origin, error) {
	if f.Of != nil && c.Tx != nil {
		return f.Of(c, v)
	}
	return Origin{Resource: f.Resource, Root: rootOf(v)}, nil
}

// opened is what a form was opened on, as it travels with it: what it showed, and the record's id with the moment of
// its last change.
func (f *anyForm) opened(c *Ctx, p *posted, v any, now map[string]string, m *conflict) ([]hidden, error) {
	if p != nil && m == nil && p.raw(wasName) != "" {
		return []hidden{{wasName, p.raw(wasName)}, {ofName, p.raw(ofName)}}, nil // what the person has seen
	}
	was, err := json.Marshal(now)
	if err != nil {
		return nil, err
	}
	of, err := f.of(c, v)
	return []hidden{{wasName, string(was)}, {ofName, of.ID + " " + strconv.FormatInt(int64(of.ChangedAt), 10)}}, err
}

// since is the moment of the last change that the person has seen.
func (p *posted) since() db.Time {
	_, at, _ := strings.Cut(p.raw(ofName), " ")
	n, _ := strconv.ParseInt(at, 10, 64)
	return db.Time(n)
}

// mostMeddlers is how many of the changes made meanwhile are told of by who made them.
const mostMeddlers = 5

// merge takes over what somebody else changed where this person had not touched it, keeps what this person typed, and
// says both, and who it was and when.
func (f *anyForm) merge(x *exchange, c *Ctx, p *posted, fields []Field, m *conflict) *meanwhileView {
	v := &meanwhileView{}
	for _, name := range m.changed {
		change := changeView{Name: name, Label: label(x.t, fields, "", name), Was: m.was[name], Now: m.now[name]}
		if change.Label == "" {
			change.Label = x.t.pathWords(name)
		}
		if typed := p.typed(fields, name); typed != m.was[name] && typed != m.now[name] {
			change.Yours, v.Differ = typed, true
		} else {
			p.take(fields, name, m.now[name])
		}
		v.Changes = append(v.Changes, change)
	}
	if c.Tx != nil {
		if who, err := m.of.meddlers(c, p.since()); err == nil && len(who) > 0 {
			v.By, v.Who = x.t.who(who[0].Actor), x.entries(who)
		}
	}
	seen := f.back(c, x.site.Home)
	if f.Seen != nil {
		seen = f.Seen(c)
	}
	v.Seen = x.ajar(seen)
	return v
}

// meddlers are who changed a record since a moment and when, the latest first.
func (o Origin) meddlers(c *Ctx, since db.Time) ([]record.Entry, error) {
	switch {
	case o.By != "" && o.ChangedAt > since:
		return []record.Entry{{At: o.ChangedAt, Action: "changed", Actor: db.Actor{Name: o.By}}}, nil
	case o.Resource.Name == "" || o.ID == "":
		return nil, nil
	}
	entries, err := record.History(c.Tx, o.Resource, o.ID, 0, mostMeddlers)
	return slices.DeleteFunc(entries, func(e record.Entry) bool { return e.At <= since }), err
}

// typed is what was sent of a field, as the form was told it stands.
func (p *posted) typed(fields []Field, name string) string {
	if manyOf(fields, "", name) {
		return strings.Join(p.values[name], "\n")
	}
	return p.raw(name)
}

// take lets a field be as somebody else left it.
func (p *posted) take(fields []Field, name, text string) {
	switch {
	case !manyOf(fields, "", name):
		p.values[name] = []string{text}
	case text == "":
		delete(p.values, name)
	default:
		p.values[name] = strings.Split(text, "\n")
	}
}

// manyOf reports whether a field sends a value for each of its choices.
func manyOf(fields []Field, prefix, path string) bool {
	return slices.ContainsFunc(fields, func(f Field) bool {
		return f.kind == "group" && manyOf(f.fields, prefix, path) || f.kind == "checks" && prefix+f.Name == path
	})
}

// unchanged compares the record as it is with what the form was made of. The funnel compares once more, when it has
// locked it.
func (f *anyForm) unchanged(c *Ctx, p *posted) error {
	sent := p.raw(wasName)
	if f.Settles || f.Load == nil || sent == "" || c.Tx == nil {
		return nil
	}
	m := &conflict{was: map[string]string{}, now: map[string]string{}}
	if json.Unmarshal([]byte(sent), &m.was) != nil {
		return nil
	}
	v, err := f.Load(c)
	if err != nil {
		return err
	}
	fields := f.Fields(c, &v)
	valuesOf(c.speak, fields, "", m.now)
	for name, now := range m.now {
		if was, ok := m.was[name]; now != was || !ok {
			m.changed = append(m.changed, name)
		}
	}
	for name := range m.was {
		if _, ok := m.now[name]; !ok {
			m.changed = append(m.changed, name)
		}
	}
	if m.of, err = f.of(c, v); err != nil {
		return err
	}
	if slices.Sort(m.changed); len(m.changed) > 0 {
		return m
	}
	for _, name := range p.values[theirsName] { // the person has seen what they wrote, and takes it
		if was, ok := m.was[name]; ok {
			p.take(fields, name, was)
		}
	}
	if m.of.ID != "" && f.Where == InCompany {
		c.Tx.IfMatch = m.of.ETag()
	}
	return nil
}

// typedView is what somebody had typed into a form that cannot be saved any more.
type typedView struct{ Label, Text string }

// kept answers a form whose record is gone meanwhile: what was typed is shown, so that it is not lost with it.
func (f *anyForm) kept(x *exchange, p *posted, err error) error {
	if err == nil || fault.As(err).Kind != fault.NotFound || p.raw(wasName) == "" {
		return err
	}
	was := map[string]string{}
	if json.Unmarshal([]byte(p.raw(wasName)), &was) != nil {
		return err
	}
	v := messageView{Problem: x.problemAlone(err), Back: x.site.Home}
	v.Problem.Title = x.t.say("This was deleted while you were writing")
	for name := range p.values {
		if text := p.raw(name); !strings.HasPrefix(name, "_") && text != "" && text != was[name] {
			v.Typed = append(v.Typed, typedView{x.t.pathWords(name), text})
		}
	}
	slices.SortFunc(v.Typed, func(a, b typedView) int { return strings.Compare(a.Label, b.Label) })
	if f.Where == InCompany {
		x.read(f.Where, func(c *Ctx) error { // who it was is not known of everything
			id, _, _ := strings.Cut(p.raw(ofName), " ")
			of := Origin{Resource: f.Resource, Root: record.Root{ID: id}}
			if f.Of != nil {
				if above, err := f.Of(c, f.none()); err == nil {
					of = above
				}
			}
			who, err := of.meddlers(c, p.since())
			v.Who = x.entries(who)
			return err
		})
	}
	x.render("message", http.StatusConflict, frame{Title: v.Problem.Title, Body: v})
	return nil
}
