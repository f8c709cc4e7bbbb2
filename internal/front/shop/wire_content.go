package shop

import (
	"cmp"
	"strings"
)

// PageHead is a page, post or news without what stands in it.
type PageHead struct {
	Slug             string   `json:"slug"`
	PageType         string   `json:"pageType"`
	Title            string   `json:"title"`
	PublishedAt      string   `json:"publishedAt"`
	PublishDate      string   `json:"publishDate"`
	ShowInNavigation bool     `json:"showInNavigation"`
	Tags             []string `json:"tags"`
	AuthorName       string   `json:"authorName"`
	Excerpt          string   `json:"excerpt"`
	FeaturedImageURL string   `json:"featuredImageUrl"`
	ModifiedDate     string   `json:"modifiedDate"`
	SEO              SEO      `json:"seo"`
}

// Tag is a word that posts bear, with how many do.
type Tag struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

// Path is where the page is read.
func (p PageHead) Path() string {
	switch p.PageType {
	case "Home":
		return "/"
	case "BlogPost":
		return "/blog/" + p.Slug
	case "NewsPost":
		return "/news/" + p.Slug
	}
	return "/pages/" + p.Slug
}

// Day is the day that the page bears.
func (p PageHead) Day() string {
	return cmp.Or(p.PublishDate, p.PublishedAt)
}

// about reports whether every word stands in the page's head.
func (p PageHead) about(words []string) bool {
	text := strings.ToLower(p.Title + " " + p.Excerpt + " " + strings.Join(p.Tags, " "))
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return len(words) > 0
}

// Page is a page with its sections.
type Page struct {
	PageHead
	Config struct {
		Sections []Section `json:"sections"`
	} `json:"config"`
}

// Section is a part of a page: its type says which of the fields it has.
type Section struct {
	ID           string `json:"id"`
	Type         string `json:"type"`
	Title        string `json:"title"`
	Subtitle     string `json:"subtitle"`
	Eyebrow      string `json:"eyebrow"`
	Lead         string `json:"lead"`
	Alignment    string `json:"alignment"`
	Anchor       string `json:"anchor"`
	CSSClass     string `json:"cssClass"`
	Spacing      string `json:"spacing"`
	Tone         string `json:"tone"`
	NarrowText   bool   `json:"narrowText"`
	TwoColumns   bool   `json:"twoColumns"`
	CardColumns  int    `json:"cardColumns"`
	HTML         string `json:"htmlContent"` // sanitised by the API, as every htmlContent and answer
	VideoURL     string `json:"videoUrl"`
	HeroImage    string `json:"heroImageUrl"`
	HeroVideo    string `json:"heroVideoUrl"`
	HeroPoster   string `json:"heroVideoPosterUrl"`
	HeroCTAText  string `json:"heroCtaText"`
	HeroCTAURL   string `json:"heroCtaUrl"`
	HeroColor    string `json:"heroTextColor"`
	BannerImage  string `json:"bannerImageUrl"`
	BannerLink   string `json:"bannerLinkUrl"`
	ArticleLink  string `json:"articleLinkText"`
	Columns      int    `json:"productColumns"`
	CollectionID string `json:"sectionCollectionId"`

	FeatureCards  []Feature     `json:"featureCards"`
	GalleryImages []Picture     `json:"galleryImages"`
	Testimonials  []Testimonial `json:"testimonials"`
	Buttons       []Button      `json:"buttons"`
	Contact       *ContactPart  `json:"contact"`
	Custom        *struct {
		Name       string            `json:"name"`
		Properties map[string]string `json:"properties"`
	} `json:"custom"`
	FAQ *struct {
		Items []Question `json:"items"`
	} `json:"faq"`
	Form *struct {
		Fields []FormField `json:"fields"`
	} `json:"form"`
	Logos *struct {
		Items []Picture `json:"items"`
	} `json:"logos"`
	MediaText *MediaText `json:"mediaText"`
	Spotlight *struct {
		Text     string `json:"text"`
		ImageURL string `json:"imageUrl"`
		LinkText string `json:"linkText"`
	} `json:"productSpotlight"`
	Timeline *struct {
		Items []struct {
			Date  string `json:"date"`
			Title string `json:"title"`
			Text  string `json:"text"`
		} `json:"items"`
	} `json:"timeline"`

	Products   []Card     `json:"products"` // what the section's keys lead to
	Categories []Category `json:"categories"`
	Brands     []Category `json:"brands"`
	Articles   []PageHead `json:"articles"`
}

// IsPale reports whether what a hero says is light, on its picture made darker: so it is wherever nobody chose a
// colour, since pictures have every colour.
func (s Section) IsPale() bool {
	if s.HeroColor == "" {
		return s.HeroImage != "" || s.HeroVideo != ""
	}
	return isPale(s.HeroColor)
}

// Feature is a card with an advantage.
type Feature struct {
	IconName string `json:"iconName"`
	Title    string `json:"title"`
	Text     string `json:"text"`
	LinkText string `json:"linkText"`
	LinkURL  string `json:"linkUrl"`
}

// Picture is a picture of a gallery, or a logo.
type Picture struct {
	ImageURL string `json:"imageUrl"`
	AltText  string `json:"altText"`
	Caption  string `json:"caption"`
	LinkURL  string `json:"linkUrl"`
}

// Testimonial is what a customer says of the store.
type Testimonial struct {
	Quote       string `json:"quote"`
	AuthorName  string `json:"authorName"`
	AuthorTitle string `json:"authorTitle"`
	CompanyName string `json:"companyName"`
	ImageURL    string `json:"imageUrl"`
	Rating      string `json:"rating"`
}

// Button leads somewhere.
type Button struct {
	Text    string `json:"text"`
	URL     string `json:"url"`
	Variant string `json:"variant"`
}

// ContactPart is how the store is reached.
type ContactPart struct {
	Name         string `json:"name"`
	Email        string `json:"email"`
	Phone        string `json:"phone"`
	Address      string `json:"address"`
	OpeningHours string `json:"openingHours"`
	MapURL       string `json:"mapUrl"`
}

// Question is a question with its answer.
type Question struct {
	Question string `json:"question"`
	Answer   string `json:"answer"`
}

// FormField is something that a form asks.
type FormField struct {
	Name       string `json:"name"`
	Label      string `json:"label"`
	Type       string `json:"type"`
	IsRequired bool   `json:"isRequired"`
}

// MediaText is a picture, a film or a second text beside a text.
type MediaText struct {
	ImageURL string `json:"imageUrl"`
	AltText  string `json:"altText"`
	VideoURL string `json:"videoUrl"`
	HTML     string `json:"htmlContent"`
	Position string `json:"position"`
	LinkText string `json:"linkText"`
	LinkURL  string `json:"linkUrl"`
}

// HelpArticle is an answer to what is often asked.
type HelpArticle struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Topic string `json:"topic"`
	HTML  string `json:"htmlContent"`
}

// Review is what a buyer thinks of a product.
type Review struct {
	ID                 string `json:"id"`
	Rating             int    `json:"rating"`
	Title              string `json:"title"`
	Body               string `json:"body"`
	AuthorName         string `json:"authorName"`
	IsVerifiedPurchase bool   `json:"isVerifiedPurchase"`
	HelpfulCount       int    `json:"helpfulCount"`
	NotHelpfulCount    int    `json:"notHelpfulCount"`
	Answer             string `json:"answer"`
	CreatedDate        string `json:"createdDate"`
}

// Ratings is what all reviews of a product say together.
type Ratings struct {
	RatingAverage string `json:"ratingAverage"`
	RatingCount   int    `json:"ratingCount"`
	Distribution  []struct {
		Rating int `json:"rating"`
		Count  int `json:"count"`
	} `json:"distribution"`
}

// Answered is a question to the assistant with its answer.
type Answered struct {
	MessageID string `json:"messageId"`
	Message   string `json:"message"`
	Answer    string `json:"answer"`
	IsKnown   bool   `json:"isKnown"`

	Products []Card   `json:"-"` // told while it is answered, and not kept
	Sources  []Source `json:"-"`
}

// Source is a page that an answer is taken from.
type Source struct {
	Title string `json:"title"`
	Path  string `json:"path"`
}

// Choosable is what can be chosen of a made-to-order product.
type Choosable struct {
	ItemID   string           `json:"itemId"`
	Features []ProductFeature `json:"features"`
}

// ProductFeature is something that can be chosen of it.
type ProductFeature struct {
	Code       string          `json:"code"`
	Name       string          `json:"name"`
	Type       string          `json:"type"` // Option, Number, Text or Boolean
	IsRequired bool            `json:"isRequired"`
	IsMeasured bool            `json:"isMeasured"`
	Unit       string          `json:"unit"`
	Min        string          `json:"min"`
	Max        string          `json:"max"`
	Step       string          `json:"step"`
	MaxLength  int             `json:"maxLength"`
	Options    []ProductOption `json:"options"`
}

// ProductOption is a value that a feature offers.
type ProductOption struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	IsDefault bool   `json:"isDefault"`
}

// Calculation is what is to be said of choices.
type Calculation struct {
	IsValid bool `json:"isValid"`
	Errors  []struct {
		FeatureCode string `json:"featureCode"`
		Message     string `json:"message"`
	} `json:"errors"`
	CurrencyCode           string `json:"currencyCode"`
	IsPriceIncludingTax    bool   `json:"isPriceIncludingTax"`
	UnitPrice              string `json:"unitPrice"`
	UnitPriceIncludingTax  string `json:"unitPriceIncludingTax"`
	TotalPriceIncludingTax string `json:"totalPriceIncludingTax"`
	PriceLines             []struct {
		FeatureName  string `json:"featureName"` // "" of the product itself
		OptionName   string `json:"optionName"`
		PricePercent string `json:"pricePercent"`
		Amount       string `json:"amount"`
	} `json:"priceLines"`
	Choices []struct {
		FeatureCode string `json:"featureCode"`
		Options     []struct {
			OptionCode string   `json:"optionCode"`
			Messages   []string `json:"messages"`
		} `json:"options"`
	} `json:"choices"`
}

// ChosenValue is what is chosen of a configured line.
type ChosenValue struct {
	FeatureName string `json:"featureName"`
	FeatureType string `json:"featureType"`
	OptionName  string `json:"optionName"`
	Text        string `json:"text"`
	Number      string `json:"number"`
	Unit        string `json:"unit"` // of the number
	Boolean     *bool  `json:"boolean"`
}

// IsYes tells whether the answer is yes: to a template any answer is true, as a no has its address too.
func (v ChosenValue) IsYes() bool { return v.Boolean != nil && *v.Boolean }
