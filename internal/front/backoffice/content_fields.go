package backoffice

import (
	"kontor/internal/business/content"
	"kontor/internal/foundation/limit"
	"kontor/internal/front/page"
)

// Bounds of what a section holds, as both APIs have them.
const (
	longHTML    = limit.HTML
	longAddress = limit.Path
)

// ownFields are the fields that a section's type has beside those of all. Their names are those of refusals.
func ownFields(c *page.Ctx, s *aSection) []page.Field {
	f := writer{c}
	switch s.Type {
	case content.Hero:
		return f.hero(s)
	case content.Banner:
		return []page.Field{f.picture("bannerImageUrl", "Picture", opt(&s.BannerImage)),
			f.link("bannerLinkUrl", "Leads to", opt(&s.BannerLink)),
			page.Moment("bannerStartDate", "Seen from", opt(&s.BannerStart)),
			page.Moment("bannerEndDate", "Seen until", opt(&s.BannerEnd))}
	case content.Text:
		return []page.Field{f.html("htmlContent", opt(&s.HTMLContent)), f.narrow(s), f.columns(s)}
	case content.HTML:
		return []page.Field{f.html("htmlContent", opt(&s.HTMLContent)), f.narrow(s)}
	case content.ImageText:
		return append(f.beside(s), f.narrow(s))
	case content.TwoColumns:
		return append(f.beside(s), f.narrow(s), f.columns(s))
	case content.Video:
		return []page.Field{f.film("videoUrl", opt(&s.VideoURL))}
	case content.Gallery:
		return []page.Field{f.gallery(s), f.across(s)}
	case content.FeatureCards:
		return append([]page.Field{f.featureCards(s)}, f.cards(s)...)
	case content.Testimonials:
		return append([]page.Field{f.testimonials(s)}, f.cards(s)...)
	case content.FAQ:
		return []page.Field{f.questions(s)}
	case content.Form:
		return f.form(s)
	case content.Contact:
		return f.contact(s)
	case content.Logos:
		return []page.Field{f.logos(s)}
	case content.Timeline:
		return []page.Field{f.timeline(s)}
	case content.Buttons:
		return []page.Field{f.buttons(s)}
	case content.Custom:
		return []page.Field{page.Code("custom.name", "Name, as the storefront knows it", opt(&opt(&s.Custom).Name)),
			page.Lines("custom.properties", "What it is given", &s.properties, func(v *setting) []page.Field {
				return []page.Field{page.Code("name", "Name", &v.Name), page.Text("value", "Value", &v.Value).Max(4000)}
			}).Max(50), f.html("htmlContent", opt(&s.HTMLContent))}
	case content.SectionCollection:
		return []page.Field{page.Text("sectionCollectionId", "Collection, as the storefront knows it",
			opt(&s.CollectionID)).Hint("A UUID.")}
	}
	return f.goods(s)
}

// goods are the fields of sections that show what the store sells, and of what is written about it.
func (f writer) goods(s *aSection) []page.Field {
	switch s.Type {
	case content.Products:
		return append([]page.Field{f.codes("productNumbers", "Items, in their order", "Item", opt(&s.Numbers),
			findItems).Max(200),
			page.Code("categoryCode", "Or those of a category", opt(&s.Category)).Lookup(findCategories),
			page.Code("itemGroupCode", "Or of an item group", opt(&s.ItemGroupCode)),
			f.codes("supplierNumbers", "Or of suppliers", "Supplier", opt(&s.SupplierNumbers), findSuppliers).Max(50),
			page.Select("productSort", "Order", opt(&s.Sort), page.Options(content.ProductSort("").Values())),
			page.MaybeNumber("maxProducts", "At most", &s.MaxProducts).Between(1, 200).
				Hint("Left empty: 12 of a category."), page.MaybeNumber("productColumns", "Side by side", &s.Columns).
				Between(1, 12)}, f.variant(s))
	case content.ProductSpotlight:
		p := opt(&s.ProductSpotlight)
		return []page.Field{page.Code("productSpotlight.productNumber", "Item", &p.ProductNumber).Required().
			Lookup(findItems), page.Prose("productSpotlight.text", "Text", opt(&p.Text)),
			f.picture("productSpotlight.imageUrl", "Picture", opt(&p.ImageURL)).Hint("Left empty: the item's own."),
			page.Text("productSpotlight.linkText", "Text of the link", opt(&p.LinkText))}
	case content.Categories:
		return append([]page.Field{f.codes("categoryCodes", "Categories, in their order", "Category",
			opt(&s.CategoryList), findCategories).Max(100),
			page.Code("parentCategoryCode", "Or those below", opt(&s.Parent)).Lookup(findCategories)}, f.cards(s)...)
	case content.Brands:
		return append([]page.Field{page.MaybeNumber("maxBrands", "At most", &s.MaxBrands).Between(1, 200).
			Hint("Left empty: all."), f.codes("supplierNumbers", "Of suppliers", "Supplier", opt(&s.SupplierNumbers),
			findSuppliers).Max(50)},
			f.cards(s)...)
	case content.Posts:
		return append([]page.Field{page.Select("articleType", "Which", opt(&s.ArticleType),
			page.Options(content.ArticleType("").Values())),
			page.Text("articleLinkText", "Text of the link", opt(&s.ArticleLink))}, f.cards(s)...)
	}
	return nil
}

// writer makes fields of sections of a page.
type writer struct{ c *page.Ctx }

func (f writer) picture(name, label string, to *string) page.Field {
	return page.Text(name, label, to).Max(longAddress).Wide().Lookup(findPictures + query(f.c.Path("channel"))).
		Picture()
}

func (f writer) link(name, label string, to *string) page.Field {
	return page.Text(name, label, to).Max(longAddress).
		Hint("A path of the shop such as /sale, a whole address, #name, mailto: or tel:.")
}

func (f writer) film(name string, to *string) page.Field {
	return page.Text(name, "Film", to).Max(longAddress).Wide().
		Hint("At YouTube or Vimeo, or an https address that ends in .mp4, .webm or .ogv.")
}

func (f writer) html(name string, to *string) page.Field {
	return page.Prose(name, "Text as HTML", to).Max(longHTML).
		Hint("Headings, paragraphs, lists, links and pictures. Whatever could run is taken out.")
}

func (f writer) narrow(s *aSection) page.Field {
	return page.Check("narrowText", "Lines are kept short", opt(&s.NarrowText))
}

func (f writer) columns(s *aSection) page.Field {
	return page.Check("twoColumns", "The text stands in two columns", opt(&s.TwoColumns))
}

func (f writer) across(s *aSection) page.Field {
	return page.MaybeNumber("cardColumns", "Side by side", &s.CardColumns).Between(1, 12)
}

func (f writer) variant(s *aSection) page.Field {
	return page.Code("cardVariant", "Look of the cards", opt(&s.CardVariant)).Hint("A name that the storefront knows.")
}

func (f writer) cards(s *aSection) []page.Field { return []page.Field{f.across(s), f.variant(s)} }

// codes are rows of one code each, which is looked up.
func (f writer) codes(name, label, one string, to *[]string, lookup string) page.Field {
	return page.Lines(name, label, to, func(code *string) []page.Field {
		return []page.Field{page.Code("code", one, code).Lookup(lookup)}
	})
}

func (f writer) hero(s *aSection) []page.Field {
	return []page.Field{f.picture("heroImageUrl", "Picture", opt(&s.HeroImage)),
		f.film("heroVideoUrl", opt(&s.HeroVideo)), f.picture("heroVideoPosterUrl", "Picture until the film runs",
			opt(&s.HeroPoster)),
		page.Text("heroCtaText", "Text of the button", opt(&s.HeroCTAText)),
		f.link("heroCtaUrl", "It leads to", opt(&s.HeroCTAURL)), page.Code("heroTextColor", "Colour of the text",
			opt(&s.HeroColor)).Hint("Such as white or #ffffff."), f.buttons(s)}
}

func (f writer) buttons(s *aSection) page.Field {
	return page.Lines("buttons", "Buttons", opt(&s.Section.Buttons), func(b *content.Button) []page.Field {
		return []page.Field{page.Text("text", "Text", &b.Text).Required(), page.Text("url", "Leads to", &b.URL).
			Max(longAddress).Required(), page.Code("variant", "Look", opt(&b.Variant))}
	}).Max(20)
}

// beside are a picture or film with a text.
func (f writer) beside(s *aSection) []page.Field {
	m := opt(&s.MediaText)
	return []page.Field{f.html("htmlContent", opt(&s.HTMLContent)),
		page.Group("Beside the text", f.picture("mediaText.imageUrl", "Picture", opt(&m.ImageURL)),
			f.alt("mediaText.altText", opt(&m.AltText)), f.film("mediaText.videoUrl", opt(&m.VideoURL)),
			page.Prose("mediaText.htmlContent", "Text below it as HTML", opt(&m.HTMLContent)).Max(longHTML),
			page.Select("mediaText.position", "It stands", opt(&m.Position),
				page.Options(content.Alignment("").Values())),
			page.Text("mediaText.linkText", "Text of the link", opt(&m.LinkText)),
			f.link("mediaText.linkUrl", "It leads to", opt(&m.LinkURL))),
		f.buttons(s)}
}

func (f writer) alt(name string, to *string) page.Field {
	return page.Text(name, "What the picture shows", to).Hint("Left empty, what the library says of it.")
}

func (f writer) gallery(s *aSection) page.Field {
	return page.Lines("galleryImages", "Pictures", opt(&s.GalleryImages), func(g *content.GalleryImage) []page.Field {
		return []page.Field{f.picture("imageUrl", "Picture", &g.ImageURL).Required(), f.alt("altText", opt(&g.AltText)),
			page.Text("caption", "Text below it", opt(&g.Caption)), page.Text("linkUrl", "Leads to", opt(&g.LinkURL)).
				Max(longAddress)}
	}).Max(200).Stacked()
}

func (f writer) featureCards(s *aSection) page.Field {
	return page.Lines("featureCards", "Cards", opt(&s.Section.FeatureCards), func(k *content.FeatureCard) []page.Field {
		return []page.Field{page.Text("title", "Title", opt(&k.Title)),
			page.Code("iconName", "Icon, as the storefront knows it", opt(&k.IconName)),
			page.Prose("text", "Text", opt(&k.Text)), page.Text("linkText", "Text of the link", opt(&k.LinkText)),
			page.Text("linkUrl", "It leads to", opt(&k.LinkURL)).Max(longAddress)}
	}).Max(50).Stacked()
}

func (f writer) testimonials(s *aSection) page.Field {
	return page.Lines("testimonials", "What customers say", opt(&s.Section.Testimonials),
		func(t *content.Testimonial) []page.Field {
			return []page.Field{page.Prose("quote", "Words", &t.Quote).Required(),
				page.Text("authorName", "Who says it", opt(&t.AuthorName)),
				page.Text("authorTitle", "What the author does", opt(&t.AuthorTitle)),
				page.Text("companyName", "Company", opt(&t.CompanyName)),
				f.picture("imageUrl", "Picture", opt(&t.ImageURL)), page.Maybe("rating", "Stars, of 5", &t.Rating)}
		}).Max(50).Stacked()
}

func (f writer) questions(s *aSection) page.Field {
	return page.Lines("faq.items", "Questions", &opt(&s.Section.FAQ).Items, func(q *content.Question) []page.Field {
		return []page.Field{page.Text("question", "Question", &q.Question).Max(4000).Wide().Required(),
			page.Prose("answer", "Answer as HTML", &q.Answer).Max(longHTML).Required()}
	}).Max(100).Stacked()
}

func (f writer) form(s *aSection) []page.Field {
	p := opt(&s.Section.Form)
	kinds := []string{"Text", "TextArea", "Email", "Phone", "Number", "Date", "Checkbox"}
	return []page.Field{page.Select("form.queueCode", "Queue of its tickets", opt(&p.QueueCode), ticketQueues.offered(f.c)).
		Hint("Left empty, the usual one."), page.Lines("form.fields", "What is asked", &p.Fields,
		func(q *content.FormField) []page.Field {
			return []page.Field{page.Text("label", "What stands beside it", opt(&q.Label)),
				page.Code("name", "Name in the ticket", &q.Name).Required(),
				page.Select("type", "Kind", opt(&q.Type), page.Options(kinds)),
				page.Check("isRequired", "Must be filled in", &q.IsRequired)}
		}).Max(50).Required()}
}

func (f writer) contact(s *aSection) []page.Field {
	p := opt(&s.Section.Contact)
	return []page.Field{page.Text("contact.name", "Name", opt(&p.Name)),
		page.Email("contact.email", "E-mail", opt(&p.Email)), page.Code("contact.phone", "Phone", opt(&p.Phone)),
		page.Prose("contact.address", "Address", opt(&p.Address)), page.Prose("contact.openingHours", "Opening hours",
			opt(&p.OpeningHours)), f.link("contact.mapUrl", "Where a map is", opt(&p.MapURL))}
}

func (f writer) logos(s *aSection) page.Field {
	return page.Lines("logos.items", "Logos", &opt(&s.Section.Logos).Items, func(l *content.Logo) []page.Field {
		return []page.Field{f.picture("imageUrl", "Picture", &l.ImageURL).Required(), f.alt("altText", opt(&l.AltText)),
			page.Text("linkUrl", "Leads to", opt(&l.LinkURL)).Max(longAddress)}
	}).Max(100).Stacked()
}

func (f writer) timeline(s *aSection) page.Field {
	return page.Lines("timeline.items", "What happened", &opt(&s.Section.Timeline).Items,
		func(e *content.Event) []page.Field {
			return []page.Field{page.Code("date", "When", opt(&e.Date)), page.Text("title", "Title", &e.Title).
				Required(), page.Prose("text", "Text", opt(&e.Text))}
		}).Max(100).Stacked()
}

// sectionWords say what a type of section is for.
func sectionWords(t content.SectionType) string {
	return map[content.SectionType]string{
		content.Hero:   "A large picture or film at the top, with a title and a button",
		content.Banner: "A picture that leads somewhere, for a time", content.Text: "A text",
		content.HTML: "A text with a layout of its own", content.ImageText: "A picture beside a text",
		content.TwoColumns: "Two columns, one of them with a picture or film", content.Video: "A film",
		content.Gallery: "Pictures", content.FeatureCards: "Cards with advantages",
		content.Products:         "Products: chosen ones, or those of a category, group or supplier",
		content.ProductSpotlight: "One product, with a text", content.Categories: "Categories",
		content.Brands: "Brands", content.Posts: "The newest posts and news",
		content.Testimonials: "What customers say", content.FAQ: "Questions with their answers",
		content.Form: "A form: what visitors fill in becomes a ticket", content.Contact: "How you are reached",
		content.Logos: "Logos in a row", content.Timeline: "What happened when",
		content.Newsletter:        "Where visitors subscribe to the newsletter",
		content.Buttons:           "Buttons that lead somewhere",
		content.Custom:            "Something that your storefront makes of its own",
		content.SectionCollection: "Sections that your storefront keeps together"}[t]
}
