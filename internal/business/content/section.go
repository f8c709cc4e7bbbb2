package content

import (
	"kontor/internal/foundation/db"
	"kontor/internal/foundation/dec"
)

// SectionType is what a section shows.
type SectionType string

// The types of sections.
const (
	Hero              SectionType = "Hero"
	Banner            SectionType = "Banner"
	Text              SectionType = "Text"
	HTML              SectionType = "Html"
	ImageText         SectionType = "ImageText"
	TwoColumns        SectionType = "TwoColumns"
	Video             SectionType = "Video"
	Gallery           SectionType = "Gallery"
	FeatureCards      SectionType = "FeatureCards"
	Products          SectionType = "Products"
	ProductSpotlight  SectionType = "ProductSpotlight"
	Categories        SectionType = "Categories"
	Brands            SectionType = "Brands"
	Posts             SectionType = "Articles"
	Testimonials      SectionType = "Testimonials"
	FAQ               SectionType = "Faq"
	Form              SectionType = "Form"
	Contact           SectionType = "Contact"
	Logos             SectionType = "Logos"
	Timeline          SectionType = "Timeline"
	Newsletter        SectionType = "Newsletter"
	Buttons           SectionType = "Buttons"
	Custom            SectionType = "Custom"
	SectionCollection SectionType = "SectionCollection"
)

// Values are all types.
func (SectionType) Values() []SectionType {
	return []SectionType{Hero, Banner, Text, HTML, ImageText, TwoColumns, Video, Gallery, FeatureCards, Products,
		ProductSpotlight, Categories, Brands, Posts, Testimonials, FAQ, Form, Contact, Logos, Timeline, Newsletter,
		Buttons, Custom, SectionCollection}
}

// Alignment is where a section's texts stand.
type Alignment string

// The alignments.
const (
	Left   Alignment = "Left"
	Center Alignment = "Center"
	Right  Alignment = "Right"
)

// Values are all alignments.
func (Alignment) Values() []Alignment { return []Alignment{Left, Center, Right} }

// Spacing is the room around a section.
type Spacing string

// The spacings.
const (
	SpacingNone   Spacing = "None"
	SpacingSmall  Spacing = "Small"
	SpacingNormal Spacing = "Normal"
	SpacingLarge  Spacing = "Large"
)

// Values are all spacings.
func (Spacing) Values() []Spacing {
	return []Spacing{SpacingNone, SpacingSmall, SpacingNormal, SpacingLarge}
}

// Tone is the colour of a section's ground.
type Tone string

// The tones.
const (
	ToneDefault Tone = "Default"
	ToneMuted   Tone = "Muted"
	ToneAccent  Tone = "Accent"
	ToneDark    Tone = "Dark"
)

// Values are all tones.
func (Tone) Values() []Tone { return []Tone{ToneDefault, ToneMuted, ToneAccent, ToneDark} }

// ProductSort is the order in which a section shows products.
type ProductSort string

// The orders. Manual is that of productNumbers.
const (
	SortManual    ProductSort = "Manual"
	SortFeatured  ProductSort = "Featured"
	SortName      ProductSort = "Name"
	SortPrice     ProductSort = "Price"
	SortPriceDown ProductSort = "PriceDescending"
	SortNewest    ProductSort = "Newest"
	SortRating    ProductSort = "Rating"
)

// Values are all orders.
func (ProductSort) Values() []ProductSort {
	return []ProductSort{SortManual, SortFeatured, SortName, SortPrice, SortPriceDown, SortNewest, SortRating}
}

// ArticleType is which posts a section shows.
type ArticleType string

// The choices of posts.
const (
	AllPosts  ArticleType = "All"
	BlogPosts ArticleType = "BlogPost"
	NewsPosts ArticleType = "NewsPost"
)

// Values are all choices.
func (ArticleType) Values() []ArticleType { return []ArticleType{AllPosts, BlogPosts, NewsPosts} }

// Section is a part of a page: what all of them have, and what its type has. A field of another type is null.
type Section struct {
	Shown
	ItemGroupCode   *string   `json:"itemGroupCode,omitempty" doc:"Of Products: those of an item group."`
	SupplierNumbers *[]string `json:"supplierNumbers,omitempty" maxItems:"50" doc:"Of Products and Brands: those that these suppliers deliver."`
}

// Shown is what visitors may see of a section.
type Shown struct {
	ID           *string      `json:"id" format:"uuid" doc:"Kept when sent; made where it is left out."`
	Type         SectionType  `json:"type" req:"true" doc:"What the section shows; its own fields follow from it."`
	SortOrder    *int         `json:"sortOrder,omitempty" doc:"Left out: its place in the list."`
	IsVisible    *bool        `json:"isVisible,omitempty" doc:"Left out: true."`
	Title        *string      `json:"title,omitempty" text:"name"`
	Subtitle     *string      `json:"subtitle,omitempty" text:"name" doc:"Line below the title."`
	Eyebrow      *string      `json:"eyebrow,omitempty" text:"name" doc:"Small line above the title."`
	Lead         *string      `json:"lead,omitempty" text:"note" doc:"Introduction, plain text."`
	Alignment    *Alignment   `json:"alignment,omitempty" doc:"Where its texts stand."`
	Anchor       *string      `json:"anchor,omitempty" doc:"Name that links within the page lead to."`
	CSSClass     *string      `json:"cssClass,omitempty" text:"name" doc:"Class names for the storefront's style sheet."`
	Spacing      *Spacing     `json:"spacing,omitempty" doc:"Room around it."`
	Tone         *Tone        `json:"tone,omitempty" doc:"Colour of its ground."`
	NarrowText   *bool        `json:"narrowText,omitempty" doc:"Whether lines are kept short."`
	TwoColumns   *bool        `json:"twoColumns,omitempty" doc:"Whether the text stands in two columns."`
	CardColumns  *int         `json:"cardColumns,omitempty" min:"1" max:"12" doc:"Cards side by side."`
	CardVariant  *string      `json:"cardVariant,omitempty" doc:"Look of the cards, a name that the storefront knows."`
	HTMLContent  *string      `json:"htmlContent,omitempty" text:"html" doc:"HTML; whatever could run is taken out."`
	VideoURL     *string      `json:"videoUrl,omitempty" text:"path" doc:"A film at YouTube or Vimeo, or an https address of an mp4, webm or ogv."`
	HeroImage    *string      `json:"heroImageUrl,omitempty" text:"path" doc:"Picture of a Hero."`
	HeroVideo    *string      `json:"heroVideoUrl,omitempty" text:"path" doc:"Film of a Hero, as videoUrl."`
	HeroPoster   *string      `json:"heroVideoPosterUrl,omitempty" text:"path" doc:"Picture until the film runs."`
	HeroCTAText  *string      `json:"heroCtaText,omitempty" text:"name" doc:"Text of the Hero's button."`
	HeroCTAURL   *string      `json:"heroCtaUrl,omitempty" text:"path" doc:"Where it leads."`
	HeroColor    *string      `json:"heroTextColor,omitempty" doc:"Colour name, or #rrggbb." example:"#ffffff"`
	BannerImage  *string      `json:"bannerImageUrl,omitempty" text:"path" doc:"Picture of a Banner."`
	BannerLink   *string      `json:"bannerLinkUrl,omitempty" text:"path" doc:"Where the Banner leads."`
	BannerStart  *db.Time     `json:"bannerStartDate,omitempty" doc:"Visitors see the Banner from then on."`
	BannerEnd    *db.Time     `json:"bannerEndDate,omitempty" doc:"Visitors see it until then."`
	ArticleType  *ArticleType `json:"articleType,omitempty" doc:"Which posts."`
	ArticleLink  *string      `json:"articleLinkText,omitempty" text:"name" doc:"Text of the link below a post."`
	Category     *string      `json:"categoryCode,omitempty" doc:"Of Products: those of a category and all below it."`
	CategoryList *[]string    `json:"categoryCodes,omitempty" maxItems:"100" doc:"Of Categories: these."`
	Parent       *string      `json:"parentCategoryCode,omitempty" doc:"Of Categories: those below this one."`
	Numbers      *[]string    `json:"productNumbers,omitempty" maxItems:"200" doc:"Item numbers, in their order."`
	Columns      *int         `json:"productColumns,omitempty" min:"1" max:"12" doc:"Products side by side."`
	Sort         *ProductSort `json:"productSort,omitempty" doc:"Order of the products."`
	MaxProducts  *int         `json:"maxProducts,omitempty" min:"1" max:"200" doc:"Most products; left out: 12 of a category."`
	MaxBrands    *int         `json:"maxBrands,omitempty" min:"1" max:"200" doc:"Most brands; left out: all."`

	FeatureCards     *[]FeatureCard  `json:"featureCards,omitempty" maxItems:"50" doc:"Cards of FeatureCards."`
	GalleryImages    *[]GalleryImage `json:"galleryImages,omitempty" maxItems:"200" doc:"Pictures of a Gallery."`
	Testimonials     *[]Testimonial  `json:"testimonials,omitempty" maxItems:"50" doc:"What customers say."`
	Buttons          *[]Button       `json:"buttons,omitempty" maxItems:"20" doc:"Of Hero, Buttons, ImageText and TwoColumns."`
	Contact          *ContactPart    `json:"contact,omitempty" doc:"How the company is reached."`
	Custom           *CustomPart     `json:"custom,omitempty" doc:"What the storefront makes of its own."`
	FAQ              *FAQPart        `json:"faq,omitempty" doc:"Questions with their answers."`
	Form             *FormPart       `json:"form,omitempty" doc:"What the visitor fills in."`
	Logos            *LogosPart      `json:"logos,omitempty" doc:"Logos in a row."`
	MediaText        *MediaPart      `json:"mediaText,omitempty" doc:"A picture or film beside the text."`
	ProductSpotlight *SpotlightPart  `json:"productSpotlight,omitempty" doc:"The one product."`
	Timeline         *TimelinePart   `json:"timeline,omitempty" doc:"What happened when."`
	CollectionID     *string         `json:"sectionCollectionId,omitempty" format:"uuid" doc:"Id of a collection that the storefront knows."`
}

// FeatureCard is a card with an advantage.
type FeatureCard struct {
	IconName *string `json:"iconName,omitempty" doc:"Name of an icon that the storefront knows."`
	Title    *string `json:"title,omitempty" text:"name"`
	Text     *string `json:"text,omitempty" text:"note" doc:"Plain text."`
	LinkText *string `json:"linkText,omitempty" text:"name" doc:"Text of the link."`
	LinkURL  *string `json:"linkUrl,omitempty" text:"path" doc:"Where it leads."`
}

// GalleryImage is a picture of a gallery.
type GalleryImage struct {
	ImageURL string  `json:"imageUrl" req:"true" text:"path"`
	AltText  *string `json:"altText,omitempty" text:"name"`
	Caption  *string `json:"caption,omitempty" text:"name"`
	LinkURL  *string `json:"linkUrl,omitempty" text:"path" doc:"Where the picture leads."`
}

// Testimonial is what a customer says.
type Testimonial struct {
	Quote       string   `json:"quote" req:"true" text:"note" doc:"Plain text."`
	AuthorName  *string  `json:"authorName,omitempty" text:"name" doc:"Who says it."`
	AuthorTitle *string  `json:"authorTitle,omitempty" text:"name" doc:"What the author does."`
	CompanyName *string  `json:"companyName,omitempty" text:"name" doc:"The author's company."`
	ImageURL    *string  `json:"imageUrl,omitempty" text:"path"`
	Rating      *dec.Dec `json:"rating,omitempty" min:"0" max:"5" doc:"Stars, of 5."`
}

// Button leads somewhere.
type Button struct {
	Text    string  `json:"text" req:"true" text:"name" doc:"What stands on it."`
	URL     string  `json:"url" req:"true" text:"path" doc:"Where it leads."`
	Variant *string `json:"variant,omitempty" doc:"Look, a name that the storefront knows."`
}

// ContactPart is how the company is reached.
type ContactPart struct {
	Name         *string `json:"name,omitempty" text:"name"`
	Email        *string `json:"email,omitempty" text:"email"`
	Phone        *string `json:"phone,omitempty"`
	Address      *string `json:"address,omitempty" text:"note" doc:"Postal address, with its lines."`
	OpeningHours *string `json:"openingHours,omitempty" text:"note" doc:"When somebody is there."`
	MapURL       *string `json:"mapUrl,omitempty" text:"path" doc:"Where a map is."`
}

// CustomPart is what a storefront makes of its own.
type CustomPart struct {
	Name       *string           `json:"name,omitempty" doc:"Which of them."`
	Properties map[string]string `json:"properties,omitempty" max:"4000" maxItems:"50" doc:"What it is given, plain texts."`
}

// FAQPart are questions with their answers.
type FAQPart struct {
	Items []Question `json:"items" maxItems:"100" doc:"The questions."`
}

// Question is a question with its answer.
type Question struct {
	Question string `json:"question" req:"true" text:"note" doc:"Plain text."`
	Answer   string `json:"answer" req:"true" text:"html" doc:"HTML; whatever could run is taken out."`
}

// FormPart is a form that visitors fill in.
type FormPart struct {
	QueueCode *string     `json:"queueCode,omitempty" doc:"Queue of the tickets it makes; left out: the company's usual one."`
	Fields    []FormField `json:"fields" maxItems:"50" doc:"What is asked."`
}

// FormField is something that a form asks.
type FormField struct {
	Name       string  `json:"name" req:"true" doc:"Key of the value; letters, digits, dots, hyphens and underscores."`
	Label      *string `json:"label,omitempty" text:"name" doc:"What stands beside it; left out: the name."`
	Type       *string `json:"type,omitempty" doc:"Text, TextArea, Email, Phone, Number, Date, Checkbox or another that the storefront knows; of Email, Number and Date the value is checked."`
	IsRequired bool    `json:"isRequired" doc:"Whether it must be filled in."`
}

// LogosPart are logos in a row.
type LogosPart struct {
	Items []Logo `json:"items" maxItems:"100" doc:"The logos."`
}

// Logo is somebody's logo.
type Logo struct {
	ImageURL string  `json:"imageUrl" req:"true" text:"path"`
	AltText  *string `json:"altText,omitempty" text:"name"`
	LinkURL  *string `json:"linkUrl,omitempty" text:"path" doc:"Where it leads."`
}

// MediaPart is a picture or film beside a text.
type MediaPart struct {
	ImageURL    *string    `json:"imageUrl,omitempty" text:"path"`
	AltText     *string    `json:"altText,omitempty" text:"name"`
	VideoURL    *string    `json:"videoUrl,omitempty" text:"path" doc:"As that of a section."`
	HTMLContent *string    `json:"htmlContent,omitempty" text:"html" doc:"HTML; whatever could run is taken out."`
	Position    *Alignment `json:"position,omitempty" doc:"Side of the picture."`
	LinkText    *string    `json:"linkText,omitempty" text:"name" doc:"Text of the link."`
	LinkURL     *string    `json:"linkUrl,omitempty" text:"path" doc:"Where it leads."`
}

// SpotlightPart is the one product that a section speaks of.
type SpotlightPart struct {
	ProductNumber string  `json:"productNumber" req:"true" doc:"Item number."`
	Text          *string `json:"text,omitempty" text:"note" doc:"Plain text."`
	ImageURL      *string `json:"imageUrl,omitempty" text:"path"`
	LinkText      *string `json:"linkText,omitempty" text:"name" doc:"Text of the link."`
}

// TimelinePart is what happened when.
type TimelinePart struct {
	Items []Event `json:"items" maxItems:"100" doc:"In their order."`
}

// Event is something that happened.
type Event struct {
	Date  *string `json:"date,omitempty" doc:"When, as people say it." example:"Spring 1987"`
	Title string  `json:"title" req:"true" text:"name"`
	Text  *string `json:"text,omitempty" text:"note" doc:"Plain text."`
}
