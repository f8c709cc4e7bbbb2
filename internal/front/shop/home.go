package shop

import (
	"net/url"
)

type homePage struct {
	Featured   List[Card]
	News       List[Card]
	Recent     List[Card]
	Categories []tile
	Ways       []Category // to which the picture at the top leads
}

// maxTiles is how many categories the front page shows; the menu has all.
const maxTiles = 12

// tile leads into a category, with a picture of what is behind it.
type tile struct {
	Category
	Picture Card
}

// home is the front page as the store has written it, else plainHome.
func home(v *visit) error { return v.showContent(contentPage{}, "home", "") }

// plainHome is the front page of a store that has written none: the categories, what is featured, what is new and what
// this visitor looked at before.
//
//	GET /ecom/catalog/categories        the tree with the number of products
//	GET /ecom/catalog/products          sort=featured and sort=newest
//	GET /ecom/catalog/recently-viewed   of this session
func plainHome(v *visit) error {
	var page homePage
	var tree List[Category]
	err := v.ask(
		v.get("/catalog/categories", nil, &tree),
		v.get("/catalog/products", url.Values{"sort": {"featured"}, "pageSize": {"8"}, "inStock": {"true"}},
			&page.Featured),
		v.get("/catalog/products", url.Values{"sort": {"newest"}, "pageSize": {"4"}, "inStock": {"true"}}, &page.News),
		orNothing(v.get("/catalog/recently-viewed", url.Values{"pageSize": {"4"}}, &page.Recent)),
	)
	if err != nil {
		return err
	}
	// A category has no picture of its own here, so its tile shows what is featured behind it: one small call each,
	// side by side.
	for _, c := range tree.Items {
		if c.ProductCount > 0 && len(page.Categories) < maxTiles {
			page.Categories = append(page.Categories, tile{Category: c})
		}
	}
	calls := make([]func() error, len(page.Categories))
	behind := make([]List[Card], len(page.Categories))
	for i, c := range page.Categories {
		calls[i] = v.get("/catalog/products", url.Values{"category": {c.Slug}, "sort": {"featured"}, "pageSize": {"1"}},
			&behind[i])
	}
	if err := each(calls...); err != nil {
		return err
	}
	for i := range behind {
		if len(behind[i].Items) > 0 {
			page.Categories[i].Picture = behind[i].Items[0]
		}
		if len(page.Ways) < 2 {
			page.Ways = append(page.Ways, page.Categories[i].Category)
		}
	}
	return v.show("home", "", page, func(o *view) {
		about := listed(o.Session.Store.Name, page.Categories, func(d tile) string { return d.Name })
		o.head(v, SEO{Description: about, CanonicalPath: "/"}, "")
		o.Data = append(o.Data, siteData(v, o.Session))
	})
}
