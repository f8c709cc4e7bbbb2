package ecom

import (
	"cmp"
	"slices"

	"kontor/internal/business/analytics"
	"kontor/internal/business/assortment"
	"kontor/internal/business/catalog"
	"kontor/internal/business/media"
	"kontor/internal/business/storefront"
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
	"kontor/internal/foundation/each"
	"kontor/internal/foundation/record"
	"kontor/internal/front/rest"
)

// Window is where the operations find what a store shows.
type Window struct {
	// Picture is the public address of a company's file.
	Picture func(company string, f media.File) string
	// Base is the address under which others reach the house: what is read elsewhere names pictures in full.
	Base func() string
	// Edition is the search of the viewer's store: the last good index of it, and none before the first was made.
	Edition func(tx *db.Tx, v assortment.Viewer) (assortment.Edition, error)
	// Notes remember what visitors looked at and searched for.
	Notes *assortment.Notes
	// Traffic counts what visitors do, and what they search for in vain.
	Traffic *analytics.Traffic
}

// Products are the products of a store.
func Products(w Window) rest.Group {
	return rest.Group{Tag: "Products", Scope: rest.ScopeSession, Doc: "The products of the store.",
		Ops: append([]rest.Op{
			rest.List("listProducts", "/catalog/products",
				"The products of the store, narrowed and sorted as the visitor likes.", indexed(w, w.listProducts)).
				Raises(assortment.ErrUnknownFilter).CachedByView().Indexed(),
			rest.OnServed(rest.Get("getProduct", "/catalog/products/{slugOrId}",
				"A product with everything its page shows.", w.getProduct).
				Raises(assortment.ErrNotFound).CachedByView(), func(p Product) string { return p.ID }, w.viewed),
			rest.List("listProductVariants", "/catalog/products/{slugOrId}/variants", "The variants of a product.",
				w.listVariants).
				Raises(assortment.ErrNotFound),
			rest.List("listRelatedProducts", "/catalog/products/{slugOrId}/related",
				"What a product is related to, by type of relation.", w.listRelated).
				Raises(assortment.ErrNotFound),
			rest.List("listProductDocuments", "/catalog/products/{slugOrId}/documents",
				"The documents and pictures of a product.", w.listDocuments).
				Raises(assortment.ErrNotFound),
			rest.List("listCrossReferences", "/catalog/cross-references",
				"The products that a competitor, a manufacturer or the customer calls by a number.",
				indexed(w, w.listCrossReferences)).
				Indexed(),
			rest.Do("lookupProducts", "/catalog/products/lookup", "Products by item number or GTIN, for quick orders.",
				w.lookupProducts).
				NoIdempotencyKey().Extension().Indexed().Example(`{"numbers": ["A-100", "7312345678901"]}`),
			rest.List("listRecentlyViewed", "/catalog/recently-viewed",
				"The products that this session has looked at, the latest first.", w.listRecentlyViewed).
				Extension(),
			rest.Stream("getProductFeed", "/catalog/feed",
				"Everything the store sells, for a provider of shopping ads: to nobody in particular, at prices with tax.", w.fed).
				Sends(feedXML, feedCSV).Tagging(),
		}, configurator()...)}
}

// Card is a product as lists show it.
type Card struct {
	ID            string     `json:"id" format:"uuid" doc:"Of the item: itemId elsewhere."`
	ItemNumber    string     `json:"itemNumber"`
	Slug          string     `json:"slug"`
	Name          string     `json:"name"`
	BrandName     rest.Text  `json:"brandName"`
	CategoryCode  rest.Text  `json:"categoryCode"`
	ImageURL      rest.Text  `json:"imageUrl"`
	ImageAlt      rest.Text  `json:"imageAlt"`
	Price         Price      `json:"price"`
	Stock         *Stock     `json:"stock" doc:"Null: the store shows no stock."`
	RatingAverage *dec.Fixed `json:"ratingAverage"`
	RatingCount   int        `json:"ratingCount"`
	IsFeatured    bool       `json:"isFeatured"`
	IsPurchasable bool       `json:"isPurchasable"`
	VariantCount  int        `json:"variantCount" doc:"Above 0 a variant is bought, not the product itself."`
}

// indexed gives an operation the viewer and the search of his store.
func indexed[In, Out any](w Window,
	do func(*db.Tx, assortment.Viewer, assortment.Edition, In) (Out, error)) func(*db.Tx, In) (Out, error) {
	return func(tx *db.Tx, in In) (out Out, err error) {
		v := storefront.Of(tx).Viewer()
		edition, err := w.Edition(tx, v)
		if err != nil {
			return out, err
		}
		return do(tx, v, edition, in)
	}
}

// cards shows cards in the visitor's store.
func (w Window) cards(tx *db.Tx) func(assortment.Card) Card {
	return func(c assortment.Card) Card { return w.cardOf(tx, c) }
}

// cardOf shows a card in the visitor's store.
func (w Window) cardOf(tx *db.Tx, c assortment.Card) Card {
	shown := Card{ID: c.Item.ID, ItemNumber: c.Item.Number, Slug: c.Slug, Name: c.Name,
		BrandName: rest.Text(c.BrandName), CategoryCode: rest.Text(c.CategoryCode),
		ImageURL: w.picture(tx, c.Picture), ImageAlt: rest.Text(c.PictureAlt), Price: priceOf(c.Price),
		Stock: stockOf(c.Stock, storefront.Of(tx).Channel.Store.Shows()), RatingCount: c.Rating.Count,
		IsFeatured: c.IsFeatured, IsPurchasable: c.IsPurchasable, VariantCount: c.Variants}
	if c.Rating.Average != nil {
		shown.RatingAverage = &dec.Fixed{Value: *c.Rating.Average, Digits: 1}
	}
	return shown
}

func (w Window) picture(tx *db.Tx, f media.File) rest.Text {
	if f.Hash == "" {
		return ""
	}
	return rest.Text(w.Picture(tx.Company, f))
}

// browsing are the parameters of whoever narrows down products.
type browsing struct {
	Category  string   `query:"category" doc:"Slug or code; with its subtree."`
	Brand     string   `query:"brand" max:"2000" doc:"Slugs or codes, separated by commas."`
	Choices   []string `query:"f.*" max:"2000" doc:"f.{attributeCode}=v1,v2 - one of the values, also where they come in several; numbers also as a range, which holds beside them: 10..20, 10.. or ..20."`
	PriceFrom *dec.Dec `query:"priceFrom" doc:"Of prices as the visitor sees them: with tax or without, and his own where he is signed in; so does sorting by price."`
	PriceTo   *dec.Dec `query:"priceTo"`
	InStock   bool     `query:"inStock" doc:"True: only what can be had now."`
}

func (b browsing) wish() assortment.Wish {
	w := assortment.Wish{Category: b.Category, Brand: b.Brand, PriceFrom: b.PriceFrom, PriceTo: b.PriceTo,
		InStock: b.InStock}
	for _, c := range b.Choices {
		w.Choices = append(w.Choices, choiceOf(c))
	}
	return w
}

type listProductsIn struct {
	rest.Paging
	browsing
	Q    string          `query:"q" max:"500" doc:"Words to search for, at most 32."`
	Sort assortment.Sort `query:"sort" doc:"Left out: relevance; without words what is featured first."`
}

func (w Window) listProducts(tx *db.Tx, v assortment.Viewer, edition assortment.Edition,
	in listProductsIn) (rest.Paged[Card], error) {
	wish := in.wish()
	wish.Text, wish.Sort, wish.Offset, wish.Limit = in.Q, in.Sort, (in.Page-1)*in.PageSize, in.PageSize
	found, err := assortment.Browse(tx, edition, v, wish)
	if err != nil {
		return rest.Paged[Card]{}, err
	}
	cards, err := assortment.Cards(tx, v, found.IDs)
	return rest.PageOf(record.Found[assortment.Card]{Items: cards, Total: found.Shown(cards)}, in.Paging,
		w.cards(tx)), err
}

// Product is a product with everything its page shows.
type Product struct {
	Card
	ShortDescription rest.Text        `json:"shortDescription"`
	Description      rest.Text        `json:"description" doc:"Sanitised HTML."`
	SEO              SEO              `json:"seo"`
	Breadcrumbs      []Crumb          `json:"breadcrumbs" doc:"From the top category down."`
	Images           []Asset          `json:"images"`
	Documents        []Asset          `json:"documents"`
	Attributes       []AttributeGroup `json:"attributes"`
	VariantOptions   []VariantOption  `json:"variantOptions" doc:"What the variants differ in."`
	Variants         []Variant        `json:"variants"`
	VariantOf        rest.Text        `json:"variantOf" doc:"Item number of the product that this is a variant of."`
	IsConfigurable   bool             `json:"isConfigurable"`
	Units            []SalesUnit      `json:"units" doc:"The unit it is sold by first."`
	DecimalPlaces    int              `json:"decimalPlaces" doc:"Of quantities."`
	GTIN             rest.Text        `json:"gtin"`
	ManufacturerItem rest.Text        `json:"manufacturerItemNumber"`
	BrandSlug        rest.Text        `json:"brandSlug"`
	RelatedCounts    []RelatedCount   `json:"relatedCounts"`
}

// SEO is what search engines are told of a page.
type SEO struct {
	Title         string    `json:"title"`
	Description   rest.Text `json:"description"`
	CanonicalPath string    `json:"canonicalPath"`
}

// Crumb is a category on the way to a page.
type Crumb struct {
	Code string `json:"code"`
	Name string `json:"name"`
	Slug string `json:"slug"`
}

// Asset is a picture or a document.
type Asset struct {
	ID          string     `json:"id" format:"uuid"`
	Kind        media.Kind `json:"kind"`
	URL         string     `json:"url"`
	FileName    string     `json:"fileName"`
	ContentType string     `json:"contentType"`
	FileSize    int        `json:"fileSize" doc:"Bytes."`
	Width       *int       `json:"width"`
	Height      *int       `json:"height"`
	Title       rest.Text  `json:"title"`
	AltText     rest.Text  `json:"altText"`
	IsPrimary   bool       `json:"isPrimary"`
}

// AttributeGroup are attributes under one heading.
type AttributeGroup struct {
	Name       rest.Text   `json:"name"`
	Attributes []Attribute `json:"attributes"`
}

// Attribute is what a product has of an attribute.
type Attribute struct {
	Code     string           `json:"code"`
	Name     string           `json:"name"`
	DataType catalog.DataType `json:"dataType"`
	Unit     rest.Text        `json:"unit"`
	Values   []string         `json:"values"`
}

// VariantOption is something that variants differ in, with all values there are.
type VariantOption struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Variant is a variant of a product.
type Variant struct {
	ID            string         `json:"id" format:"uuid"`
	ItemNumber    string         `json:"itemNumber"`
	Slug          string         `json:"slug"`
	Name          string         `json:"name"`
	Options       []OptionChoice `json:"options"`
	Price         Price          `json:"price"`
	Stock         *Stock         `json:"stock"`
	ImageURL      rest.Text      `json:"imageUrl"`
	IsPurchasable bool           `json:"isPurchasable"`
}

// OptionChoice is what a variant has of an option.
type OptionChoice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SalesUnit is a unit that a product is sold by.
type SalesUnit struct {
	UnitCode  string    `json:"unitCode"`
	Factor    dec.Dec   `json:"factor" doc:"Base units in it."`
	GTIN      rest.Text `json:"gtin"`
	IsDefault bool      `json:"isDefault" doc:"Prices are for one of it."`
}

// RelatedCount is how many products a relation leads to.
type RelatedCount struct {
	RelationType catalog.RelationType `json:"relationType" of:"Type"`
	Count        int                  `json:"count"`
}

func (w Window) getProduct(tx *db.Tx, in rest.Key) (Product, error) {
	page, err := assortment.PageOf(tx, storefront.Of(tx).Viewer(), in.Key)
	if err != nil {
		return Product{}, err
	}
	return w.productOf(tx, page), nil
}

// viewed notes that a visitor was shown a product.
func (w Window) viewed(h rest.Served) {
	w.Notes.Viewed(h.Company, h.Visit.(*storefront.Visit).Session.ID, h.About, h.At)
}

func (w Window) productOf(tx *db.Tx, p *assortment.Page) Product {
	paths := storefront.Of(tx).Channel.Paths
	out := Product{Card: w.cardOf(tx, p.Card), ShortDescription: rest.Text(p.ShortDescription),
		Description: rest.Text(p.Description), SEO: SEO{Title: p.Name, Description: rest.Text(p.MetaDescription),
			CanonicalPath: paths.ProductPath(p.Slug)},
		Breadcrumbs: crumbsOf(p.Breadcrumbs), Images: w.assetsOf(tx, p.Images), Documents: w.assetsOf(tx, p.Documents),
		Attributes: attributeGroups(p.Attributes), VariantOptions: variantOptions(p.Options),
		Variants:       each.Of(p.Choices, func(c assortment.Card) Variant { return w.variantOf(tx, c) }),
		VariantOf:      rest.Text(p.VariantOf),
		IsConfigurable: p.Item.IsConfigurable, Units: unitsOf(p.Article), DecimalPlaces: p.Item.DecimalPlaces,
		GTIN: rest.Text(p.Item.GTIN), ManufacturerItem: rest.Text(p.Item.ManufacturerNumber),
		BrandSlug: rest.Text(p.BrandSlug), RelatedCounts: relatedCounts(p.Related)}
	out.SEO.Title = cmp.Or(p.MetaTitle, out.SEO.Title)
	return out
}

var (
	crumbsOf        = rest.Shown[[]Crumb, []assortment.Crumb]()
	attributeGroups = rest.Shown[[]AttributeGroup, []assortment.AttributeGroup]()
	variantOptions  = rest.Shown[[]VariantOption, []assortment.VariantOption]()
	relatedCounts   = rest.Shown[[]RelatedCount, []assortment.RelatedCount]()
	optionChoices   = rest.Shown[[]OptionChoice, []catalog.Option]()
)

func (w Window) assetsOf(tx *db.Tx, all []media.ItemAsset) []Asset {
	return each.Of(all, func(a media.ItemAsset) Asset { return w.assetOf(tx, a) })
}

func (w Window) assetOf(tx *db.Tx, a media.ItemAsset) Asset {
	return Asset{ID: a.ID, Kind: a.Kind, URL: string(w.picture(tx, a.File)), FileName: a.FileName,
		ContentType: a.ContentType, FileSize: a.FileSize, Width: rest.OrNull(a.Width), Height: rest.OrNull(a.Height),
		Title: rest.Text(a.Title), AltText: rest.Text(a.AltText), IsPrimary: a.IsPrimary}
}

func (w Window) variantOf(tx *db.Tx, c assortment.Card) Variant {
	return Variant{ID: c.Item.ID, ItemNumber: c.Item.Number, Slug: c.Slug, Name: c.Name,
		Options: optionChoices(c.Item.VariantOptions), Price: priceOf(c.Price),
		Stock: stockOf(c.Stock, storefront.Of(tx).Channel.Store.Shows()), ImageURL: w.picture(tx, c.Picture),
		IsPurchasable: c.IsPurchasable}
}

// unitsOf are the units of an article, the one it is sold by first.
func unitsOf(a *assortment.Article) []SalesUnit {
	out := []SalesUnit{}
	if a.Item.BaseUnit != "" {
		out = append(out, SalesUnit{UnitCode: a.Item.BaseUnit, Factor: dec.One, GTIN: rest.Text(a.Item.GTIN)})
	}
	for _, u := range a.Item.Units {
		out = append(out, SalesUnit{UnitCode: u.Code, Factor: u.Factor, GTIN: rest.Text(u.GTIN)})
	}
	if i := slices.IndexFunc(out, func(u SalesUnit) bool {
		return record.Fold(u.UnitCode) == record.Fold(a.Unit())
	}); i >= 0 {
		out[i].IsDefault = true
		chosen := out[i]
		out = slices.Insert(slices.Delete(out, i, i+1), 0, chosen)
	}
	return out
}
