package page

import (
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"strings"
)

//go:embed templates
var templateFiles embed.FS

// frame is a page ready for the template: what stands around it, and its body.
type frame struct {
	Lang, Title, Name        string
	SignedIn                 bool
	Company, Environment     string
	Companies                []Option
	CompanyID                string
	Person, Email, Role      string
	Account, SignOut, Switch string
	Home                     string
	Notifications            string // the path of their page, "" where there is none
	Unread                   int
	Zone                     string // IANA name of the zone that times are in
	Menu                     []menuView
	Crumbs                   []Link
	Flash                    string
	Seal                     []hidden
	Languages                []Option
	Here                     string
	Host                     string // in the product's place, on pages of their own
	Body                     any
}

type menuView struct {
	Title, Icon  string
	Open, Folded bool
	Only         bool // an area of one page, which bears its name
	Items        []menuItem
}

type menuItem struct {
	Title, Path string
	Here        bool
}

type messageView struct {
	Problem *problem
	Back    string
	Who     []entryView // who did what the message tells of
	Typed   []typedView
}

// templates are the sets by language and kind.
func (s *Site) templates() (map[string]*template.Template, error) {
	out := map[string]*template.Template{}
	for lang, t := range s.tongues {
		base, err := template.New("base").Funcs(template.FuncMap{
			"say": t.say, "asset": s.assetHref, "icon": s.icon, "join": strings.Join,
			"dict": func(a ...any) map[string]any {
				m := map[string]any{}
				for i := 0; i+1 < len(a); i += 2 {
					m[a[i].(string)] = a[i+1]
				}
				return m
			},
		}).ParseFS(templateFiles, "templates/layout.html", "templates/parts.html")
		if err != nil {
			return nil, err
		}
		for _, kind := range []string{"list", "record", "form", "board", "message", "card"} { // of bodies, each a file
			set, err := base.Clone()
			if err != nil {
				return nil, err
			}
			if out[lang+"/"+kind], err = set.ParseFS(templateFiles, "templates/"+kind+".html"); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// fill says what stands around a page.
func (x *exchange) fill(f *frame) {
	s, v := x.site, x.visitor
	f.Lang, f.Name, f.Home, f.Flash, f.Here = x.lang, s.Name, s.Home, x.flashed(), x.r.URL.RequestURI()
	if _, isChosen := x.r.Context().Value(chosenLanguage{}).(string); !isChosen && v.Language == "" { // else nothing is left to choose
		f.Languages = []Option{{Value: "en", Label: "English"}, {Value: "sv", Label: "Svenska"}}
	}
	if f.Seal == nil {
		f.Seal = x.seal(InCompany, nil)
	}
	if !x.signedIn {
		return
	}
	f.Zone = x.t.zone.String()
	f.SignedIn, f.CompanyID, f.Company, f.Companies = true, v.Company, v.CompanyName, v.Companies
	if v.Environment != "Production" {
		f.Environment = v.Environment
	}
	f.Person, f.Email, f.Role = v.Actor.Name, v.Email, v.Role
	f.Account, f.SignOut, f.Switch = s.Account, s.SignOut, s.Switch
	f.Notifications, f.Unread = s.Discussions.Notifications, x.unread()
	at := x.r.URL.Path
	for _, a := range s.menu {
		m := menuView{Title: x.t.say(a.Title), Icon: a.Icon, Folded: a.Folded}
		for _, i := range a.Items {
			if !x.may(i.Permission) {
				continue
			}
			here := at == i.Path || i.Path != "/" && strings.HasPrefix(at, i.Path+"/")
			m.Open = m.Open || here
			m.Items = append(m.Items, menuItem{x.t.say(i.Title), i.Path, here})
		}
		m.Only = len(m.Items) == 1 && m.Items[0].Title == m.Title
		if len(m.Items) > 0 {
			f.Menu = append(f.Menu, m)
		}
	}
}

// Card is a page of its own, without the office around it: sign-in, consent, a secret that is shown once.
type Card struct {
	Status  int    // 0 is 200
	Host    string // whose page it is, for readers who know nothing of the product; "" is the product's
	Title   string
	Lead    string // a sentence, with Args
	Args    []any
	Problem error // a refusal: its fields stand at the fields of the same name
	Facts   []Fact
	Text    string // what somebody wrote, below the facts
	Grid    *Grid  // below that
	Secret  string // shown to be copied
	Picture string // an address, such as data:image/png;base64,…
	Action  string // where the form posts to; "" is no form
	Hidden  [][2]string
	Fields  []Field
	Buttons []Button
	Links   []Link
	// LeadsAway says that the form is answered by sending the browser to somebody else's site.
	LeadsAway bool
	posted    *posted
}

// Button sends a form. The first of a form is the one that Enter presses.
type Button struct {
	Label, Name, Value string
	Tone               Tone
}

// Fact is a value with its name.
type Fact struct {
	Label string
	Value Value
}

type cardView struct {
	Title, Lead, Text, Secret, Action string
	Picture                           template.URL // the program's own: the template writes no data: for a stranger
	Problem                           *problem
	Facts                             []factView
	Grid                              *partView
	Hidden                            []hidden
	Fields                            []fieldView
	Buttons                           []Button
	Links                             []Link
}

type factView struct {
	Label string
	Cell  cell
}

// Card answers with a page of its own. What the form sent before is shown again, passwords excepted.
func (s *Site) Card(w http.ResponseWriter, r *http.Request, c Card) {
	x := &exchange{site: s, w: w, r: r, lang: s.Language(r)}
	x.t = s.tongues[x.lang]
	if c.Problem != nil && r.PostForm != nil {
		c.posted = &posted{values: r.PostForm}
	}
	x.card(c)
}

func (x *exchange) card(c Card) {
	secure(x.w.Header(), c.LeadsAway)
	sheet := newSheet(x.t, c.posted, c.Problem)
	v := cardView{Title: x.t.say(c.Title), Lead: x.t.say(c.Lead, c.Args...), Text: c.Text, Secret: c.Secret,
		Picture: template.URL(c.Picture), Action: c.Action, Fields: sheet.fields(c.Fields, "")}
	if c.Problem != nil {
		if len(c.Fields) == 0 {
			v.Problem = x.problemAlone(c.Problem)
		} else {
			v.Problem = x.problemOf(c.Problem)
			v.Problem.More = sheet.others()
		}
		c.Status = cmp.Or(c.Status, statusOfError(c.Problem))
	}
	for _, h := range c.Hidden {
		v.Hidden = append(v.Hidden, hidden{h[0], h[1]})
	}
	v.Facts = x.facts(c.Facts)
	if c.Grid != nil {
		g := c.Grid.part(x)
		v.Grid = &g
	}
	for _, b := range c.Buttons {
		b.Label = x.t.say(b.Label)
		v.Buttons = append(v.Buttons, b)
	}
	for _, l := range c.Links {
		v.Links = append(v.Links, Link{x.t.say(l.Label), l.Href})
	}
	was := x.signedIn
	x.signedIn = false
	x.render("card", cmp.Or(c.Status, http.StatusOK), frame{Host: c.Host, Title: v.Title, Body: v})
	x.signedIn = was
}
