package shop

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

type productPage struct {
	Product
	Chosen   *Variant   // what the selection means; nil while it means none
	Options  []option   // what is selected of each option
	Related  []Card     //
	Picture  string     // shown first
	Quantity string     //
	Buy      buyingView // of the product itself, or of the variant chosen
	Reviews  reviewsOf
	form     // that could not put it in the cart
}

func (p productPage) status() int { return max(p.form.status(), p.Reviews.status()) }

// Stars are the ratings that a review may give.
func (p productPage) Stars() []string { return []string{"5", "4", "3", "2", "1"} }

// option is an option of a product with the values there are.
type option struct {
	Name   string
	Values []optionValue
}

type optionValue struct {
	Value      string
	Href       string
	IsChosen   bool
	IsPossible bool // together with what else is chosen
}

// buyingView is what is bought: the product itself or a variant.
type buyingView struct {
	Card
	NeedsChoice bool
}

// product is the page of a product. A variant is chosen by links (?Colour=Red&Size=M), so that every choice has an
// address.
//
//	GET /ecom/catalog/products/{slug}           everything the page shows, with variants, prices and stock
//	GET /ecom/catalog/products/{slug}/related   what goes with it
func product(v *visit) error {
	return showProduct(v, v.r.PathValue("slug"), productPage{Quantity: "1"})
}

// tellWhenBack notes who wants to hear when a product is in stock again (POST /ecom/catalog/stock/{itemId}/notify).
func tellWhenBack(v *visit) error {
	slug := v.r.PathValue("slug")
	err := v.post("/catalog/stock/"+url.PathEscape(v.r.FormValue("item"))+"/notify",
		map[string]string{"email": v.typed("email")})
	if p := problemOf(err); isRefusal(p) {
		return showProduct(v, slug, productPage{Quantity: "1", form: form{p}})
	}
	return v.done(err, "We write to you once it is in stock again.", "/products/"+url.PathEscape(slug))
}

// IsGone reports whether there is none of it and none to come, as far as the store tells: it could be put in the cart,
// and the order would be refused in the end.
func (b buyingView) IsGone() bool { return b.Stock != nil && b.Stock.Status == "OutOfStock" }

// showProduct shows a product, with the form that was refused where one was.
func showProduct(v *visit, slug string, page productPage) error {
	var related List[struct {
		Product Card `json:"product"`
	}]
	at := "/catalog/products/" + url.PathEscape(slug)
	err := v.ask(v.get(at, nil, &page.Product),
		orNothing(v.get(at+"/related", url.Values{"pageSize": {"4"}}, &related)))
	if err != nil {
		return err
	}
	for _, r := range related.Items {
		page.Related = append(page.Related, r.Product)
	}
	if len(page.Related) == 0 && len(page.Breadcrumbs) > 0 {
		if err := v.neighbours(&page); err != nil {
			return err
		}
	}
	if err := v.readReviews(&page); err != nil {
		return err
	}
	selection := v.r.URL.Query()
	if page.Problem != nil { // the variant that was to be put in the cart stays chosen
		page.selected(selection, v.r.PostFormValue("item"))
	}
	page.choose(selection)
	return v.show("product", page.SEO.Title, page, func(o *view) {
		o.Kind = "product"
		o.head(v, SEO{Description: page.about(), CanonicalPath: page.SEO.CanonicalPath}, page.Picture)
		trail := append(slices.Clone(page.Breadcrumbs), Crumb{Name: page.Name})
		o.Data = append(o.Data, productData(v, &page), crumbData(v, trail, "/categories/", page.SEO.CanonicalPath))
	})
}

// neighbours fills up with products of the same category where the merchant has named none that go with this one.
func (v *visit) neighbours(page *productPage) error {
	var near List[Card]
	last := page.Breadcrumbs[len(page.Breadcrumbs)-1]
	if err := v.api.Get(v.ctx, "/catalog/products", url.Values{"category": {last.Slug}, "pageSize": {"9"},
		"inStock": {"true"}}, &near); err != nil {
		return err
	}
	first := strings.Fields(page.Name)
	for _, c := range near.Items {
		alike := len(first) > 0 && strings.HasPrefix(c.Name, first[0]+" ")
		if c.ID != page.ID && !alike && len(page.Related) < 4 {
			page.Related = append(page.Related, c)
		}
	}
	return nil
}

// selected adds the choices that make a variant to a selection.
func (p *productPage) selected(form url.Values, variant string) {
	for _, one := range p.Variants {
		if one.ID == variant {
			for _, o := range one.Options {
				form.Set(o.Name, o.Value)
			}
		}
	}
}

// choose finds the variant that the address means, and what can still be chosen.
func (p *productPage) choose(form url.Values) {
	p.Buy = buyingView{Card: p.Card}
	if len(p.Images) > 0 {
		p.Picture = p.Images[0].URL
	}
	if len(p.Variants) == 0 {
		return
	}
	chosen := map[string]string{}
	for _, o := range p.VariantOptions {
		if value := form.Get(o.Name); slices.Contains(o.Values, value) {
			chosen[o.Name] = value
		} else if len(o.Values) == 1 {
			chosen[o.Name] = o.Values[0]
		}
	}
	for _, o := range p.VariantOptions {
		slices.SortStableFunc(o.Values, bySize)
		one := option{Name: o.Name}
		for _, value := range o.Values {
			wish := maps.Clone(chosen)
			wish[o.Name] = value
			q := url.Values{}
			for name, value := range wish {
				q.Set(name, value)
			}
			one.Values = append(one.Values, optionValue{value, "/products/" + p.Slug + "?" + q.Encode() + "#buy",
				chosen[o.Name] == value, p.fitting(wish) != nil})
		}
		p.Options = append(p.Options, one)
	}
	if like := p.fitting(chosen); like != nil && like.ImageURL != "" {
		p.Picture = like.ImageURL
	}
	p.Buy = buyingView{Card{Price: p.Price}, true}
	if p.Chosen = p.fitting(chosen); len(chosen) < len(p.VariantOptions) {
		p.Chosen = nil
	}
	if p.Chosen != nil {
		p.Buy = buyingView{Card: p.Chosen.Card}
	}
}

// fitting is the first variant that has all of the values.
func (p *productPage) fitting(wish map[string]string) *Variant {
	for i := range p.Variants {
		fits := 0
		for _, o := range p.Variants[i].Options {
			if wish[o.Name] == o.Value {
				fits++
			}
		}
		if fits == len(wish) {
			return &p.Variants[i]
		}
	}
	return nil
}

// bySize puts sizes in the order of who wears them; everything else stays as it comes.
func bySize(a, b string) int {
	sizes := []string{"XXS", "XS", "S", "M", "L", "XL", "XXL"}
	i, j := slices.Index(sizes, a), slices.Index(sizes, b)
	if i < 0 || j < 0 {
		return 0
	}
	return i - j
}
