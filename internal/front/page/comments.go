package page

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"kontor/internal/foundation/db"
	"kontor/internal/foundation/discussion"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/fault"
)

// Discussions are how people of the office speak of records: every record with a history has its comments, and somebody
// who is responsible for it.
type Discussions struct {
	// People are those of the company who have a permission, each with a language.
	People func(c *Ctx, permission string) ([]discussion.Person, error)
	// Keep takes a file, before the transaction that records it.
	Keep func(ctx context.Context, company string, u Upload) (discussion.File, error)
	// URL is where a file is fetched from.
	URL func(company string, f discussion.File) string
	// Notifications is the path of the page of what people are told.
	Notifications string
}

// commentsView is where a record's page takes comments.
type commentsView struct {
	Action, Charge string // where the forms go to; Charge is "" for who may not say who is responsible
	Charged        string // who is
	Fields         []fieldView
	Names          string // of those who may be named, a line for each
	Responsible    fieldView
}

// commentForm is a comment as its form asks for it.
type commentForm struct {
	body string
	file Upload
}

func (s *commentForm) fields() []Field {
	return []Field{Prose("comment", "Comment", &s.body).Required().
		Hint("Only your colleagues read it. Write @ and a name to tell somebody of it."),
		File("file", "File", &s.file).Hint("A picture or a PDF of at most 10 MB.")}
}

// isDiscussed reports whether the record's page has comments.
func (r *anyRecord) isDiscussed() bool {
	return r.Resource.Name != "" && r.Where == InCompany
}

// about is what is spoken of on the record's page.
func (r *anyRecord) about(c *Ctx, t any) discussion.About {
	return discussion.About{Resource: r.Resource.Name, ID: rootOf(t).ID, Path: fill(r.Path, c.captured),
		Permission: r.Permission,
		Title: func(language string) string {
			theirs, other := *c, c.site.tongues[language]
			if other == nil {
				other = c.site.tongues["en"]
			}
			theirs.speak = other.in(c.Visitor.Zone)
			s, err := r.Show(&theirs, t)
			if err != nil {
				return theirs.Say(Words(r.Resource.Name))
			}
			return s.Title
		}}
}

func (r *anyRecord) discussed() []route {
	post := func(path, permission string, serve func(x *exchange) error) route {
		return route{method: "POST", path: path, permission: permission, serve: serve}
	}
	return []route{post(asked(r.Path, "comments"), r.Permission, r.say),
		toRecord(asked(r.Path, "comments"), r.Permission),
		post(asked(r.Path, "responsible"), r.writing(), r.charge),
		post(asked(r.Path, "comments")+"/{comment}/withdraw", r.Permission, r.withdraw)}
}

// writing is the permission to change the record: who may only read it does not say who is to work on it.
func (r *anyRecord) writing() string {
	if of, reads := strings.CutSuffix(r.Permission, ":read"); reads {
		return of + ":write"
	}
	return r.Permission
}

// people are those who may see the record.
func (r *anyRecord) people(c *Ctx) ([]discussion.Person, error) {
	return c.site.Discussions.People(c, r.Permission)
}

// say takes a comment. Its file is kept before the transaction that records it.
func (r *anyRecord) say(x *exchange) error {
	return r.speak(x, func(p *posted) (remark, error) {
		var s commentForm
		var wrong fault.List
		p.read(x.t, s.fields(), "", &wrong)
		var files []discussion.File
		err := wrong.Err()
		if err == nil && s.file.Name != "" {
			files = make([]discussion.File, 1)
			files[0], err = x.site.Discussions.Keep(x.r.Context(), x.visitor.Company, s.file)
		}
		return func(c *Ctx, about discussion.About) (Done, error) {
			people, err := r.people(c)
			if err != nil {
				return Done{}, err
			}
			named, err := discussion.Say(c.Tx, about, s.body, files, people)
			names := each.Of(named, func(n discussion.Person) string { return n.Name })
			if len(names) == 0 {
				return Did("The comment is kept."), err
			}
			return Did("The comment is kept, and told to %s.", strings.Join(names, ", ")), err
		}, err
	})
}

func (r *anyRecord) charge(x *exchange) error {
	return r.speak(x, func(p *posted) (remark, error) {
		return func(c *Ctx, about discussion.About) (Done, error) {
			people, err := r.people(c)
			if err != nil {
				return Done{}, err
			}
			return Did("Saved."), discussion.Charge(c.Tx, about, p.raw("responsible"), people)
		}, nil
	})
}

func (r *anyRecord) withdraw(x *exchange) error {
	return r.speak(x, func(*posted) (remark, error) {
		return func(c *Ctx, about discussion.About) (Done, error) {
			return Did("The comment is withdrawn."), discussion.Withdraw(c.Tx, about, c.Path("comment"))
		}, nil
	})
}

// remark does something about what is spoken of.
type remark func(c *Ctx, about discussion.About) (Done, error)

// speak does something about the record that is no change of it. prepare reads what was sent, before the transaction.
func (r *anyRecord) speak(x *exchange, prepare func(p *posted) (remark, error)) error {
	p, err := readForm(x.w, x.r)
	if err != nil {
		return err
	}
	do, err := prepare(p)
	var done Done
	if err == nil {
		done, err = x.act(r.Where, p, func(c *Ctx) (Done, error) {
			t, err := r.Load(c)
			if err != nil {
				return Done{}, err
			}
			return do(c, r.about(c, t))
		})
	}
	if err != nil {
		if k := fault.As(err).Kind; k == fault.Denied || k == fault.Unauthenticated {
			return err
		}
		return r.draw(x, p, err)
	}
	x.leave(done, fill(r.Path, x.captured)+"#history")
	return nil
}

// comments fills in what takes comments, as it was sent with what is wrong with it. It reports whether the person was
// told of the record and has not read that yet.
func (r *anyRecord) comments(x *exchange, c *Ctx, about discussion.About, p *posted, wrong error, v *sheetView) (bool,
	error) {
	people, err := r.people(c)
	if err != nil {
		return false, err
	}
	responsible, err := discussion.Responsible(c.Tx, about)
	if err != nil {
		return false, err
	}
	choices := []Option{{Label: x.t.say("Nobody")}}
	var names []string
	for _, one := range people {
		name := cmp.Or(one.Name, one.Email)
		choices = append(choices, Option{Value: one.ID, Label: name})
		if one.ID != x.visitor.Actor.ID {
			names = append(names, name)
		}
	}
	if responsible.ID != "" && !slices.ContainsFunc(choices, func(o Option) bool { return o.Value == responsible.ID }) {
		choices = append(choices, Option{Value: responsible.ID, Label: responsible.Name})
	}
	sheet := newSheet(x.t, p, wrong)
	at := fill(r.Path, x.captured)
	v.Comments = &commentsView{Action: asked(at, "comments"), Charged: cmp.Or(responsible.Name, x.t.say("Nobody")),
		Fields: sheet.fields(new(commentForm).fields(), ""), Names: strings.Join(names, "\n"),
		Responsible: newSheet(x.t, nil, nil).fields([]Field{
			Select("responsible", "Responsible", &responsible.ID, choices)}, "")[0]}
	if x.may(r.writing()) {
		v.Comments.Charge = asked(at, "responsible")
	}
	return discussion.IsUnread(c.Tx, about)
}

// seen notes that the person has seen the record. A house that only shows what it has goes on doing so.
func (x *exchange) seen(about discussion.About) {
	err := x.site.Store.Write(lasting(x.r.Context()), x.request(),
		func(tx *db.Tx) error { return discussion.ReadAbout(tx, about) })
	if err != nil {
		x.site.Log.Error("that a notification was read could not be noted", "request", x.id, "error", err)
	}
}

// unread counts what the person was told and has not read.
func (x *exchange) unread() (n int) {
	if x.visitor.Company == "" || x.hasFailed {
		return 0
	}
	err := x.site.Store.Read(x.r.Context(), x.request(), func(tx *db.Tx) (err error) {
		n, err = discussion.Unread(tx)
		return err
	})
	if err != nil {
		x.site.Log.Error("unread notifications could not be counted", "request", x.id, "error", err)
	}
	return n
}

// remarks are comments as entries of a history.
func (x *exchange) remarks(about discussion.About, all []discussion.Comment) (out []entryView) {
	for _, c := range all {
		v := entryView{at: c.SaidAt, At: x.t.moment(c.SaidAt.Time()), Who: c.AuthorName, What: x.t.say("Comment"),
			Said: c.Body}
		switch {
		case c.WithdrawnAt > 0:
			v.What = x.t.say("Comment, withdrawn")
		case c.AuthorID == x.visitor.Actor.ID:
			v.Withdraw = about.Path + Path("comments", c.ID, "withdraw")
		}
		for _, f := range c.Files {
			v.Files = append(v.Files, Link{f.FileName, x.site.Discussions.URL(x.visitor.Company, f)})
		}
		out = append(out, v)
	}
	return out
}

// timeline is what happened to a record and what was said of it before a moment, the newest first, at most so many; 0
// is up to now.
func (x *exchange) timeline(c *Ctx, about discussion.About, entries []entryView, before db.Time,
	limit int) ([]entryView, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	comments, err := discussion.Comments(c.Tx, about, before, limit)
	entries = append(entries, x.remarks(about, comments)...)
	slices.SortStableFunc(entries, func(a, b entryView) int { return cmp.Compare(b.at, a.at) })
	return entries[:min(len(entries), limit)], err
}
