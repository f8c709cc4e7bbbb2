package shop

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// pageSize is how many products a page of a list shows.
const pageSize = 24

// listing is a list of products with what narrows it.
type listing struct {
	Title, Text string
	Crumbs      []Crumb
	Children    []Category // below a category
	Found       List[Card]
	Facets      []facet
	Chosen      []choice // taken off with one click
	Sort        string
	Sorts       []sorting
	Action      string // where the form of the facets goes
	Query       string // words searched for
	Corrected   string
	Instead     string // address of the same search, uncorrected
	Previous    string
	Next        string
	Last        string
	Clear       string
	Popular     []string
	Help        []HelpArticle // in which the words stand
	Reading     []PageHead    // pages and posts that are about them
	InStock     bool
}

// facet is a facet with what is chosen in it.
type facet struct {
	Facet
	Field    string // of the form
	From, To string // of a range
	Open     bool
}

type choice struct{ Label, Without string }

type sorting struct{ Value, Label string }

// category is the page of a category.
//
//	GET /ecom/catalog/categories/{slug}   name, text, way down, and what is below
//	GET /ecom/catalog/products            the products, narrowed by what the form says
//	GET /ecom/catalog/filters             the facets with their counts
func category(v *visit) error {
	var c Category
	slug := v.r.PathValue("slug")
	list := listing{Action: "/categories/" + slug}
	err := v.list(&list, "category", slug, v.get("/catalog/categories/"+url.PathEscape(slug), nil, &c))
	if err != nil {
		return err
	}
	list.Title, list.Text, list.Crumbs = c.Name, c.Description, c.Breadcrumbs
	for _, child := range c.Children {
		if child.ProductCount > 0 {
			list.Children = append(list.Children, child)
		}
	}
	return v.showList(&list, c.SEO)
}

// brand is the page of a brand (GET /ecom/catalog/brands/{slug}, else as category).
func brand(v *visit) error {
	var b Category
	slug := v.r.PathValue("slug")
	list := listing{Action: "/brands/" + slug}
	if err := v.list(&list, "brand", slug, v.get("/catalog/brands/"+url.PathEscape(slug), nil, &b)); err != nil {
		return err
	}
	list.Title, list.Text, list.Crumbs = b.Name, b.Description, []Crumb{{Name: b.Name}}
	return v.showList(&list, b.SEO)
}

func (v *visit) showList(list *listing, seo SEO) error {
	if f := list.Found; len(f.Items) == 0 && f.TotalPages > 0 && f.Page > f.TotalPages {
		v.redirect(list.Last) // the list has become shorter
		return nil
	}
	return v.show("listing", list.Title, list, func(o *view) {
		picture := ""
		for i := range min(4, len(list.Found.Items)) { // what is seen first is fetched first
			list.Found.Items[i].IsFirst, picture = true, list.Found.Items[0].ImageURL
		}
		about := listed(list.Title, list.Found.Items, func(c Card) string { return c.Name })
		o.head(v, SEO{Description: cmp.Or(seo.Description, summary(list.Text), about),
			CanonicalPath: seo.CanonicalPath}, picture)
		if len(list.Crumbs) > 0 {
			o.Data = append(o.Data, crumbData(v, list.Crumbs, "/categories/", seo.CanonicalPath))
		}
		o.Query = list.Query
		query := v.r.URL.Query()
		query.Del("lang")
		o.Private = list.Query != "" || len(query) > 0 // selections are endless: search engines get the plain lists
	})
}

// search is the page of what was searched for. One call answers products, facets, and the words with their typing
// errors mended.
//
//	GET /ecom/catalog/search
//	GET /ecom/catalog/search/popular   where nothing was found, what others look for
//	GET /ecom/help/search, /content/blog   what there is to read about it
func search(v *visit) error {
	q := readable(v.r.FormValue("q"))
	if q == "" {
		v.redirect("/")
		return nil
	}
	list := listing{Action: "/search", Query: q}
	ask, at := v.wishes("", "")
	ask.Set("q", q)
	var found Found
	var articles List[HelpArticle]
	var posts List[PageHead]
	err := v.ask(v.get("/catalog/search", ask, &found),
		orNothing(v.get("/help/search", url.Values{"q": {q}, "pageSize": {"4"}}, &articles)),
		orNothing(v.get("/content/blog", url.Values{"pageSize": {"100"}}, &posts)))
	if err != nil {
		return err
	}
	list.Help = articles.Items
	for _, p := range append(slices.Clone(v.pages), posts.Items...) {
		if p.about(strings.Fields(strings.ToLower(q))) && len(list.Reading) < 4 {
			list.Reading = append(list.Reading, p)
		}
	}
	if found.RedirectTo != "" && v.r.FormValue("all") == "" {
		v.redirect(found.RedirectTo)
		return nil
	}
	list.Found, list.Corrected = found.List, found.CorrectedQuery
	if found.TotalCount == 0 {
		var popular List[struct {
			Query string `json:"query"`
		}]
		if err := orNothing(v.get("/catalog/search/popular", url.Values{"pageSize": {"6"}}, &popular))(); err != nil {
			return err
		}
		for _, p := range popular.Items {
			list.Popular = append(list.Popular, p.Query)
		}
	}
	list.Title = v.say("Results for “%s”", q)
	list.furnish(v, found.Facets, at)
	return v.showList(&list, SEO{})
}

// suggest answers what the search box proposes while somebody types (GET /ecom/catalog/suggest): the answer passed on
// as far as the script shows it.
func suggest(v *visit) error {
	var s struct {
		Products   []Card   `json:"products"`
		Categories []Crumb  `json:"categories"`
		Brands     []Crumb  `json:"brands"`
		Queries    []string `json:"queries"`
	}
	q := readable(v.r.FormValue("q"))
	if q == "" {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err := v.ask(v.get("/catalog/suggest", url.Values{"q": {q}, "limit": {"5"}}, &s)); err != nil {
		if p := problemOf(err); p != nil && !refused(err, http.StatusUnauthorized) {
			v.w.WriteHeader(http.StatusNoContent) // proposals can be done without
			return nil
		}
		return err
	}
	type row struct {
		Text    string `json:"text"`
		Href    string `json:"href"`
		Image   string `json:"image,omitempty"`
		Hint    string `json:"hint,omitempty"`
		Heading string `json:"heading,omitempty"`
	}
	n := numbers{v.shop.words.Language(v.session.LanguageCode)}
	rows := []row{}
	for _, words := range s.Queries {
		rows = append(rows, row{Text: words, Href: "/search?q=" + url.QueryEscape(words), Hint: v.say("Search")})
	}
	for _, c := range s.Categories {
		rows = append(rows, row{Text: c.Name, Href: "/categories/" + c.Slug, Hint: v.say("Category")})
	}
	for _, b := range s.Brands {
		rows = append(rows, row{Text: b.Name, Href: "/brands/" + b.Slug, Hint: v.say("Brand")})
	}
	for _, p := range s.Products {
		rows = append(rows, row{Text: p.Name, Href: "/products/" + p.Slug, Image: image(p.ImageURL, 160),
			Hint: n.price(p.Price)})
	}
	v.w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(v.w).Encode(rows)
}

// list asks for the products and facets of a page, beside the call that describes it.
func (v *visit) list(list *listing, by, slug string, describe func() error) error {
	ask, at := v.wishes(by, slug)
	narrow := maps.Clone(ask)
	for _, name := range []string{"page", "pageSize", "sort"} {
		narrow.Del(name)
	}
	var filters struct {
		Facets []Facet `json:"facets"`
	}
	err := v.ask(describe, v.get("/catalog/products", ask, &list.Found), v.get("/catalog/filters", narrow, &filters))
	if err == nil {
		list.furnish(v, slices.DeleteFunc(filters.Facets, func(f Facet) bool { return f.Code == by }), at)
	}
	return err
}

// wishes turns the query of the page into one for the API, and answers the page's own without what is empty. The form
// sends a value several times, c=blue&c=red; the API takes them with commas, c=blue,red. A range has two fields, which
// become
// 10..20.
func (v *visit) wishes(by, slug string) (ask, at url.Values) {
	_ = v.r.ParseForm() // a query that cannot be read narrows nothing
	ask, at = url.Values{"pageSize": {strconv.Itoa(pageSize)}}, url.Values{}
	if by != "" {
		ask.Set(by, slug)
	}
	for name, values := range v.r.Form {
		values = slices.DeleteFunc(slices.Clone(values), func(s string) bool { return s == "" || s != readable(s) })
		if len(values) == 0 {
			continue
		}
		if v.wish(ask, name, values, by) {
			at[name] = values
		}
	}
	return ask, at
}

// wish adds a field of the page to what is asked of the API, and reports whether it means anything.
func (v *visit) wish(ask url.Values, name string, values []string, by string) bool {
	switch {
	case name == "q" || name == "all" || name == by:
		return true
	case name == "category" || name == "brand":
		ask.Set(name, strings.Join(values, ","))
	case name == "priceFrom" || name == "priceTo":
		if !isNumber(values[0]) {
			return false
		}
		ask.Set(name, decimal(values[0]))
	case name == "inStock":
		ask.Set(name, "true")
	case name == "page":
		if n, err := strconv.Atoi(values[0]); err != nil || n < 1 || n > maxPage {
			return false
		}
		ask.Set(name, values[0])
	case name == "sort":
		if !slices.Contains([]string{"relevance", "featured", "name", "price", "-price", "newest", "rating"},
			values[0]) {
			return false
		}
		ask.Set(name, values[0])
	case strings.HasPrefix(name, "f."):
		return v.wishOf(ask, name, values)
	default:
		return false
	}
	return true
}

// wishOf adds what is wished of an attribute: values, or an end of a range.
func (v *visit) wishOf(ask url.Values, name string, values []string) bool {
	code := strings.TrimSuffix(strings.TrimSuffix(name, ".from"), ".to")
	if code == name {
		ask.Set(name, strings.Join(values, ","))
		return true
	}
	from, to := v.r.Form.Get(code+".from"), v.r.Form.Get(code+".to")
	if from != "" && !isNumber(from) || to != "" && !isNumber(to) {
		return false
	}
	ask.Set(code, number(from)+".."+number(to))
	return true
}

// maxPage is the last page that is asked for.
const maxPage = 100_000

// isNumber reports whether somebody wrote a number, 99.5 or 99,5.
func isNumber(s string) bool {
	whole, part, _ := strings.Cut(number(s), ".")
	return whole != "" && len(whole) <= 12 && len(part) <= 6 && strings.Trim(whole+part, "0123456789") == ""
}

// number is decimal, where nothing stays nothing.
func number(s string) string {
	if s == "" {
		return ""
	}
	return decimal(s)
}

// readable is what somebody searches or chose: a text of at most 200 letters without anything that cannot be read.
func readable(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
	if all := []rune(s); len(all) > 200 {
		s = string(all[:200])
	}
	return strings.TrimSpace(s)
}

// fill reads what is chosen of a facet, and reports whether the facet is shown: one that tells nothing apart is not.
func (f *facet) fill(at url.Values) bool {
	switch f.Code {
	case "category", "brand":
		f.Field = f.Code
	case "price":
		f.Field = "price"
		f.From, f.To = at.Get("priceFrom"), at.Get("priceTo")
	case "rating":
		return false
	default:
		f.From, f.To = at.Get(f.Field+".from"), at.Get(f.Field+".to")
	}
	isChosen := f.From != "" || f.To != "" || at.Get(f.Field) != ""
	f.Open = f.Open || isChosen
	tellsNothing := f.Type == "Range" && f.Min == f.Max || f.Type == "Terms" && len(f.Values) < 2
	return isChosen || !tellsNothing
}

// furnish fills in the facets, what is chosen, and the addresses of other pages of the list.
func (l *listing) furnish(v *visit, facets []Facet, at url.Values) {
	to := func(change func(url.Values)) string {
		q := url.Values{}
		for name, values := range at {
			q[name] = slices.Clone(values)
		}
		q.Del("page")
		change(q)
		if len(q) == 0 {
			return l.Action
		}
		return l.Action + "?" + q.Encode()
	}
	for i, f := range facets {
		if one := (facet{Facet: f, Field: "f." + f.Code, Open: i < 3}); one.fill(at) {
			l.choices(one, to)
			l.Facets = append(l.Facets, one)
		}
	}
	if l.InStock = at.Has("inStock"); l.InStock {
		l.Chosen = append(l.Chosen, choice{v.say("In stock"), to(func(q url.Values) { q.Del("inStock") })})
	}
	page := func(n int) string { return to(func(q url.Values) { q.Set("page", strconv.Itoa(n)) }) }
	if l.Found.HasPreviousPage {
		l.Previous = page(l.Found.Page - 1)
	}
	if l.Found.HasNextPage {
		l.Next = page(l.Found.Page + 1)
	}
	l.Last, l.Clear = page(l.Found.TotalPages), l.Action
	if l.Query != "" {
		l.Clear += "?q=" + url.QueryEscape(l.Query)
		if l.Corrected != "" {
			l.Instead = l.Action + "?q=" + url.QueryEscape(`"`+l.Query+`"`)
		}
	}
	l.sorts(at)
}

// sorts offers the orders of the list.
func (l *listing) sorts(at url.Values) {
	l.Sort = at.Get("sort")
	first := sorting{"featured", "Featured"}
	if l.Query != "" {
		first = sorting{"relevance", "Best match"}
	}
	l.Sorts = []sorting{first, {"price", "Price, low to high"}, {"-price", "Price, high to low"}, {"newest", "Newest"},
		{"rating", "Best rated"}, {"name", "Name"}}
}

// choices are what is chosen in a facet, each with the address that takes it off.
func (l *listing) choices(f facet, to func(func(url.Values)) string) {
	for _, value := range f.Values {
		if value.IsSelected {
			l.Chosen = append(l.Chosen, choice{value.Label, to(func(q url.Values) {
				q[f.Field] = slices.DeleteFunc(q[f.Field], func(s string) bool { return s == value.Value })
				if len(q[f.Field]) == 0 {
					q.Del(f.Field)
				}
			})})
		}
	}
	if f.From != "" || f.To != "" {
		names := [2]string{f.Field + ".from", f.Field + ".to"}
		if f.Field == "price" {
			names = [2]string{"priceFrom", "priceTo"}
		}
		l.Chosen = append(l.Chosen, choice{f.Name + " " + f.From + "–" + f.To,
			to(func(q url.Values) { q.Del(names[0]); q.Del(names[1]) })})
	}
}
