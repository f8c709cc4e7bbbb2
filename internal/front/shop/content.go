package shop

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"
)

// contentPage is a page of the store's own: the home page, a standing page, a post or news.
type contentPage struct {
	Page
	Back     string // the list that a post stands in
	Recent   []Card // for the collection of what was looked at
	Sent     string // id of a form that was refused
	Form     map[string]string
	HasTitle bool // a hero says it
	FormPage string
	Ask      string // what a form's first long field begins with: what was asked the assistant
	form
}

// recentlyViewed is the id of the one collection of sections that this shop knows: what the visitor looked at.
const recentlyViewed = "5c0f1b1e-2d77-4c55-9a35-6a1d7a1c0de5"

// Value is what was typed into a field of the form that was refused, or what it begins with.
func (p contentPage) Value(section Section, field string) string {
	if section.ID == p.Sent {
		return p.Form[field]
	}
	for _, f := range section.Form.Fields {
		if f.Type == "TextArea" && p.Sent == "" {
			if f.Name == field {
				return p.Ask
			}
			break
		}
	}
	return ""
}

// Wrong is what is wrong with it.
func (p contentPage) Wrong(section Section, field string) string {
	if section.ID != p.Sent {
		return ""
	}
	return p.form.Wrong("values." + field)
}

func standing(v *visit) error { return v.showContent(contentPage{}, "pages", v.r.PathValue("slug")) }
func post(v *visit) error {
	return v.showContent(contentPage{Back: "/blog"}, "blog", v.r.PathValue("slug"))
}
func news(v *visit) error {
	return v.showContent(contentPage{Back: "/news"}, "news", v.r.PathValue("slug"))
}

// showContent shows a page of the store's own (GET /ecom/content/home, /content/pages/{slug}, /content/blog/{slug},
// /content/news/{slug}).
// Its sections come with the products, categories and posts that they name.
func (v *visit) showContent(p contentPage, kind, slug string) error {
	at := "/content/" + kind
	if slug != "" {
		at += "/" + url.PathEscape(slug)
	}
	talk, said := v.handedOver()
	if err := v.ask(append(talk, v.get(at, nil, &p.Page))...); err != nil {
		return err
	}
	_, p.Ask = said()
	if kind == "home" && len(p.Config.Sections) == 0 {
		return plainHome(v)
	}
	return v.showSections(p)
}

// showSections shows a page that was read.
func (v *visit) showSections(p contentPage) error {
	p.FormPage = strings.TrimPrefix(p.Path(), "/")
	for _, s := range p.Config.Sections {
		p.HasTitle = p.HasTitle || s.Type == "Hero"
		if s.CollectionID == recentlyViewed {
			var seen List[Card]
			if err := orNothing(v.get("/catalog/recently-viewed", url.Values{"pageSize": {"4"}}, &seen))(); err != nil {
				return err
			}
			p.Recent = seen.Items
		}
	}
	// pictures and films may lie elsewhere
	v.csp = strings.Replace(strict, "img-src 'self' data:", "img-src 'self' data: https:; media-src https:", 1)
	title := p.Title
	if p.PageType == "Home" {
		title = ""
	}
	return v.show("content", title, p, func(o *view) {
		if p.Back != "" {
			o.Kind = "article"
		}
		o.head(v, SEO{Description: p.about(), CanonicalPath: p.SEO.CanonicalPath}, p.FeaturedImageURL)
		o.Data = p.data(v, o)
	})
}

// about is what a page is about, as it says itself, else as its first section that says anything does.
func (p *contentPage) about() string {
	about := cmp.Or(p.SEO.Description, p.Excerpt)
	for _, s := range p.Config.Sections {
		about = cmp.Or(about, s.Lead, s.Subtitle, summary(s.HTML))
	}
	return summary(about)
}

// sendForm submits a form of a page (POST /ecom/content/forms/{sectionId}): it becomes a ticket. A field that no person
// sees catches robots.
func sendForm(v *visit) error {
	id := v.r.PathValue("section")
	values := map[string]string{}
	_ = v.r.ParseForm() // what cannot be read was not filled in
	for name := range v.r.PostForm {
		if field, ok := strings.CutPrefix(name, "v."); ok {
			values[field] = v.r.PostFormValue(name)
		}
	}
	kind, slug, _ := strings.Cut(v.r.PostFormValue("page"), "/")
	kind = cmp.Or(kind, "home")
	err := v.post("/content/forms/"+url.PathEscape(id), map[string]any{"values": values})
	if p := problemOf(err); isRefusal(p, http.StatusTooManyRequests) && isContent(kind) {
		return v.showContent(contentPage{Sent: id, Form: values, form: form{p}}, kind, slug)
	}
	return v.done(err, "Thank you. A person reads it and answers by mail.", v.back("/"))
}

func isContent(kind string) bool {
	return kind == "home" || kind == "pages" || kind == "blog" || kind == "news"
}

type postsPage struct {
	paged[PageHead]
	Title, Base, Tag string
	Tags             []Tag
}

// blog and newsList list posts and news, all or those with a tag (GET /ecom/content/blog, /content/news,
// /content/tags).
func blog(v *visit) error     { return v.posts("blog", "Blog") }
func newsList(v *visit) error { return v.posts("news", "News") }

func (v *visit) posts(kind, title string) error {
	p := postsPage{Title: title, Base: "/" + kind, Tag: readable(v.r.FormValue("tag"))}
	ask := url.Values{"page": {pageNumber(v)}, "pageSize": {"12"}}
	more := url.Values{}
	if p.Tag != "" {
		ask.Set("tag", p.Tag)
		more.Set("tag", p.Tag)
	}
	var tags List[Tag]
	if err := v.ask(v.get("/content/"+kind, ask, &p.List), v.get("/content/tags", url.Values{"pageSize": {"40"}},
		&tags)); err != nil {
		return err
	}
	p.turn(more)
	if kind == "blog" {
		p.Tags = tags.Items
	}
	return v.show("posts", v.say(title), p, func(o *view) {
		about := listed(v.say(title), p.Items, func(p PageHead) string { return p.Title })
		o.head(v, SEO{Description: about, CanonicalPath: p.Base}, "")
		o.Private = p.Tag != "" || p.Page > 1
	})
}

type helpPage struct {
	Topics  []helpTopic
	Query   string
	Article *HelpArticle
	Near    []HelpArticle
}

type helpTopic struct {
	Name     string
	Articles []HelpArticle
}

// help is the list of the help articles by topic, or those in which words stand (GET /ecom/help/articles,
// /help/search).
func help(v *visit) error {
	p := helpPage{Query: readable(v.r.FormValue("q"))}
	path, ask := "/help/articles", url.Values{"pageSize": {"200"}}
	if p.Query != "" {
		path = "/help/search"
		ask.Set("q", p.Query)
	}
	var found List[HelpArticle]
	if err := v.ask(v.get(path, ask, &found)); err != nil {
		return err
	}
	for _, a := range found.Items {
		if n := len(p.Topics); n == 0 || p.Topics[n-1].Name != a.Topic {
			p.Topics = append(p.Topics, helpTopic{Name: a.Topic})
		}
		last := &p.Topics[len(p.Topics)-1]
		last.Articles = append(last.Articles, a)
	}
	return v.show("help", v.say("Help"), p, func(o *view) {
		about := listed(v.say("Help"), p.Topics, func(t helpTopic) string { return t.Name })
		o.head(v, SEO{Description: about, CanonicalPath: "/help"}, "")
		if o.Private = p.Query != ""; !o.Private {
			o.Data = append(o.Data, faqData(questionsOf(found.Items)))
		}
	})
}

// helpArticle is one of them (GET /ecom/help/articles/{slug}).
func helpArticle(v *visit) error {
	var p helpPage
	slug := v.r.PathValue("slug")
	if err := v.ask(v.get("/help/articles/"+url.PathEscape(slug), nil, &p.Article)); err != nil {
		return err
	}
	var near List[HelpArticle]
	if p.Article.Topic != "" {
		if err := v.api.Get(v.ctx, "/help/articles", url.Values{"topic": {p.Article.Topic}, "pageSize": {"6"}},
			&near); err != nil {
			return err
		}
	}
	for _, a := range near.Items {
		if a.Slug != slug {
			p.Near = append(p.Near, a)
		}
	}
	return v.show("helparticle", p.Article.Title, p, func(o *view) {
		o.head(v, SEO{Description: summary(p.Article.HTML), CanonicalPath: "/help/" + slug}, "")
		o.Data = append(o.Data, faqData(questionsOf([]HelpArticle{*p.Article})))
	})
}

func questionsOf(all []HelpArticle) (out []Question) {
	for _, a := range all {
		out = append(out, Question{a.Title, a.HTML})
	}
	return out
}

// rateHelp says whether an article helped (POST /ecom/help/articles/{slug}/feedback).
func rateHelp(v *visit) error {
	slug := v.part("slug")
	return v.vote("/help/articles/"+slug+"/feedback", "/help/"+slug)
}

// vote passes on whether something helped.
func (v *visit) vote(path, back string) error {
	err := v.post(path, map[string]bool{"isHelpful": v.r.FormValue("helpful") == "yes"})
	return v.done(err, "Thank you for saying so.", v.back(back))
}
