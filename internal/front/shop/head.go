package shop

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"kontor/internal/foundation/lazy"
)

// What search engines and those who share a link are told of a page: its head, structured data in the words of
// schema.org, and the map of all addresses.

// data is something said in the words of schema.org.
type data map[string]any

func dataOf(kind string, pairs ...any) data {
	d := data{"@context": "https://schema.org", "@type": kind}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != nil && pairs[i+1] != "" {
			d[pairs[i].(string)] = pairs[i+1]
		}
	}
	return d
}

// head fills in what every public page says of itself. A page in a language that was asked for by its address is a page
// of its own.
func (o *view) head(v *visit, seo SEO, picture string) {
	o.Description = seo.Description
	if seo.CanonicalPath == "" {
		return
	}
	o.Kind = cmp.Or(o.Kind, "website")
	plain := v.public(seo.CanonicalPath)
	o.Canonical = plain
	if languages := o.Session.Store.Languages; len(languages) > 1 {
		o.Alternates = append(o.Alternates, alternate{"x-default", plain})
		for _, code := range languages {
			o.Alternates = append(o.Alternates, alternate{code, plain + "?lang=" + url.QueryEscape(code)})
		}
		if asked := v.r.URL.Query().Get("lang"); slices.Contains(languages, asked) {
			o.Canonical = plain + "?lang=" + url.QueryEscape(asked)
		}
	}
	if picture != "" {
		o.Picture = v.absolute(image(picture, 1280))
	}
}

// alternate is the same page in another language.
type alternate struct{ Code, Href string }

// absolute is an address with its host.
func (v *visit) absolute(path string) string {
	if strings.HasPrefix(path, "/") {
		return v.public(path)
	}
	return path
}

// inLanguage keeps the language that an address names (?lang=nb), where the store has it (PATCH /ecom/session).
func (v *visit) inLanguage() error {
	code := v.r.URL.Query().Get("lang")
	if code == "" {
		return nil
	}
	if err := v.ask(); err != nil || v.session.LanguageCode == code || !slices.Contains(v.session.Store.Languages,
		code) {
		return err
	}
	v.session = nil
	return v.api.Do(v.ctx, http.MethodPatch, "/session", map[string]string{"languageCode": code}, nil)
}

var tags = lazy.Regexp(`<[^>]*>`)

// summary is the beginning of an HTML text in plain words.
func summary(html string) string {
	text := strings.Join(strings.Fields(strings.NewReplacer("&amp;", "&", "&#39;", "'", "&#34;", `"`).
		Replace(tags().ReplaceAllString(html, " "))), " ")
	if r := []rune(text); len(r) > 160 {
		text = strings.TrimSpace(string(r[:157])) + "…"
	}
	return text
}

// listed says what a list is of, by the first names in it.
func listed[T any](title string, all []T, name func(T) string) string {
	var names []string
	for _, one := range all[:min(len(all), 6)] {
		names = append(names, name(one))
	}
	return summary(title + ": " + strings.Join(names, ", "))
}

// siteData says who the shop is (schema.org OnlineStore).
func siteData(v *visit, s *Session) data {
	p := s.Store.Profile
	return dataOf("OnlineStore", "name", s.Store.Name, "legalName", p.LegalName, "url", v.public("/"), "email", p.Email,
		"telephone", p.Phone, "logo", v.absolute(picture(p.LogoURL)))
}

// crumbData says where a page stands. Each crumb leads to its slug below a path; the last, which has none, is the page
// itself.
func crumbData(v *visit, crumbs []Crumb, below, self string) data {
	list := []data{{"@type": "ListItem", "position": 1, "name": v.say("Home"), "item": v.public("/")}}
	for _, c := range crumbs {
		at := self
		if c.Slug != "" {
			at = below + c.Slug
		}
		list = append(list, data{"@type": "ListItem", "position": len(list) + 1, "name": c.Name, "item": v.public(at)})
	}
	return dataOf("BreadcrumbList", "itemListElement", list)
}

// about is what a product is, in a sentence or two.
func (p *productPage) about() string {
	return cmp.Or(p.SEO.Description, p.ShortDescription, summary(p.Description), p.Name)
}

// productData says what a product is, what it costs and what buyers think of it.
func productData(v *visit, p *productPage) data {
	price := p.Buy.Price.UnitPriceIncludingTax // what a consumer pays, whatever this visitor is shown
	out := dataOf("Product", "name", p.Name, "sku", p.ItemNumber, "gtin", p.GTIN, "description",
		p.about(), "url", v.public(p.SEO.CanonicalPath))
	if p.BrandName != "" {
		out["brand"] = data{"@type": "Brand", "name": p.BrandName}
	}
	if p.Picture != "" {
		out["image"] = []string{v.absolute(image(p.Picture, 1280))}
	}
	if price != "" {
		state := "InStock"
		if s := p.Buy.Stock; s != nil {
			state = map[string]string{"InStock": "InStock", "LowStock": "LimitedAvailability",
				"OutOfStock": "OutOfStock", "OnOrder": "BackOrder"}[s.Status]
		}
		out["offers"] = data{"@type": "Offer", "price": price, "priceCurrency": p.Buy.Price.CurrencyCode,
			"url":           v.public(p.SEO.CanonicalPath),
			"availability":  "https://schema.org/" + cmp.Or(state, "InStock"),
			"itemCondition": "https://schema.org/NewCondition"}
	}
	if p.RatingCount > 0 {
		out["aggregateRating"] = data{"@type": "AggregateRating", "ratingValue": p.RatingAverage,
			"reviewCount": p.RatingCount, "bestRating": "5"}
	}
	return out
}

// data says what a page of the store's own is: who wrote a post and when, and the questions that it answers.
func (p contentPage) data(v *visit, o *view) (out []data) {
	switch p.PageType {
	case "Home":
		out = append(out, siteData(v, o.Session))
	case "BlogPost", "NewsPost":
		kind := map[string]string{"BlogPost": "BlogPosting", "NewsPost": "NewsArticle"}[p.PageType]
		who := data{"@type": "Organization", "name": o.Session.Store.Name}
		author := who
		if p.AuthorName != "" {
			author = data{"@type": "Person", "name": p.AuthorName}
		}
		out = append(out, dataOf(kind, "headline", p.Title, "description", p.Excerpt, "datePublished", p.Day(),
			"dateModified", p.ModifiedDate, "author", author, "publisher", who, "image", o.Picture, "mainEntityOfPage",
			o.Canonical))
	}
	if p.PageType != "Home" {
		crumbs := []Crumb{}
		if p.Back != "" {
			crumbs = append(crumbs, Crumb{Name: v.say(postLists()[p.Back]), Slug: p.Back})
		}
		out = append(out, crumbData(v, append(crumbs, Crumb{Name: p.Title}), "", p.Path()))
	}
	var asked []Question
	for _, s := range p.Config.Sections {
		if s.FAQ != nil {
			asked = append(asked, s.FAQ.Items...)
		}
	}
	if len(asked) > 0 {
		out = append(out, faqData(asked))
	}
	return out
}

func postLists() map[string]string { return map[string]string{"/blog": "Blog", "/news": "News"} }

func faqData(all []Question) data {
	list := []data{}
	for _, q := range all {
		list = append(list, data{"@type": "Question", "name": q.Question,
			"acceptedAnswer": data{"@type": "Answer", "text": q.Answer}})
	}
	return dataOf("FAQPage", "mainEntity", list)
}

// robots keeps search engines from what is a visitor's own, and leads them to the map.
func (s *Shop) robots(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, "User-agent: *\n")
	for _, path := range []string{"/cart", "/checkout", "/account", "/orders", "/search", "/sign-in", "/assistant",
		"/newsletter"} {
		fmt.Fprint(w, "Disallow: "+path+"\n")
	}
	fmt.Fprint(w, "Sitemap: "+s.publicOf(r, "/sitemap.xml")+"\n")
}

// perMap is how many addresses one map holds; sitemaps.org allows 50,000.
const perMap = 10_000

type mapEntry struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

type siteMap struct {
	XMLName xml.Name
	NS      string     `xml:"xmlns,attr"`
	Maps    []mapEntry `xml:"sitemap"`
	URLs    []mapEntry `xml:"url"`
}

// sitemap is the index of the maps, and sitemapPart one of them (GET /ecom/store/sitemap).
func sitemap(v *visit) error {
	all, err := v.addresses()
	out := siteMap{XMLName: xml.Name{Local: "sitemapindex"}}
	for n := 1; (n-1)*perMap < max(1, len(all)); n++ {
		out.Maps = append(out.Maps, mapEntry{Loc: v.public("/sitemaps/" + strconv.Itoa(n) + ".xml")})
	}
	return v.writeMap(out, err)
}

func sitemapPart(v *visit) error {
	name, _ := strings.CutSuffix(v.r.PathValue("file"), ".xml")
	n, err := strconv.Atoi(name)
	if err != nil || n < 1 {
		return &Problem{Status: http.StatusNotFound}
	}
	all, err := v.addresses()
	if err == nil && (n-1)*perMap >= max(1, len(all)) {
		return &Problem{Status: http.StatusNotFound}
	}
	return v.writeMap(siteMap{XMLName: xml.Name{Local: "urlset"},
		URLs: all[min(len(all), (n-1)*perMap):min(len(all), n*perMap)]}, err)
}

// addresses are all public ones of the store, with the day of their last change.
func (v *visit) addresses() ([]mapEntry, error) {
	var found struct {
		URLs []struct {
			URL          string `json:"url"`
			ModifiedDate string `json:"modifiedDate"`
		} `json:"urls"`
	}
	if err := v.ask(v.get("/store/sitemap", nil, &found)); err != nil {
		return nil, err
	}
	out := make([]mapEntry, len(found.URLs))
	for i, u := range found.URLs {
		out[i] = mapEntry{v.absolute(v.session.Store.here(u.URL)), u.ModifiedDate}
	}
	return out, nil
}

func (v *visit) writeMap(m siteMap, err error) error {
	if err != nil {
		return err
	}
	m.NS = "http://www.sitemaps.org/schemas/sitemap/0.9"
	b, err := xml.Marshal(m)
	if err != nil {
		return err
	}
	v.w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	_, _ = v.w.Write(append([]byte(xml.Header), b...)) // the reader may have gone
	return nil
}
