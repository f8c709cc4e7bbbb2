package shop

import "strings"

// What the commerce API answers, as far as the pages show it. The whole is described at /ecom/swagger.json.

// List is a page of anything.
type List[T any] struct {
	Items           []T  `json:"items"`
	TotalCount      int  `json:"totalCount"`
	Page            int  `json:"page"`
	TotalPages      int  `json:"totalPages"`
	HasPreviousPage bool `json:"hasPreviousPage"`
	HasNextPage     bool `json:"hasNextPage"`
}

// Session is a visitor's stay with the whole configuration of the store.
type Session struct {
	SessionToken string `json:"sessionToken"`
	IsSignedIn   bool   `json:"isSignedIn"`
	Customer     *struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	} `json:"customer"`
	LanguageCode        string `json:"languageCode"`
	CountryCode         string `json:"countryCode"`
	IsPriceIncludingTax bool   `json:"isPriceIncludingTax"`
	CartSummary         struct {
		LineCount int    `json:"lineCount"`
		ItemCount string `json:"itemCount"`
	} `json:"cartSummary"`
	Store Store `json:"store"`
	// Portal says in the account what the person may do for the company (GET /ecom/portal/context).
	Portal struct {
		Modules struct {
			OrderApproval bool `json:"orderApproval"`
		} `json:"modules"`
	} `json:"-"`
}

// Store is a store's configuration.
type Store struct {
	Name         string   `json:"name"`
	BaseURL      string   `json:"baseUrl"`
	CurrencyCode string   `json:"currencyCode"`
	Languages    []string `json:"languages"`
	Countries    []string `json:"countries"`
	Features     struct {
		GuestCheckout bool `json:"guestCheckout"`
		Registration  bool `json:"registration"`
		Returns       bool `json:"returns"`
		Reviews       bool `json:"reviews"`
		Assistant     bool `json:"assistant"`
		Quotes        bool `json:"quotes"`
		Tickets       bool `json:"tickets"`
		Configurator  bool `json:"configurator"`
	} `json:"features"`
	Profile struct {
		LegalName          string `json:"legalName"`
		OrganizationNumber string `json:"organizationNumber"`
		Email              string `json:"email"`
		Phone              string `json:"phone"`
		Address            string `json:"address"`
		LogoURL            string `json:"logoUrl"`
		FaviconURL         string `json:"faviconUrl"`
	} `json:"profile"`
	Navigation []MenuItem `json:"navigation"`
	Promises   []string   `json:"promises"`
	ReturnDays int        `json:"returnDays"`
	TermsURL   string     `json:"termsUrl"`
	PrivacyURL string     `json:"privacyUrl"`
}

// Terms is where the terms of sale are read: here, where the store keeps them as a text.
func (s Store) Terms() string { return s.here(s.TermsURL) }

// Privacy is where is read what the store does with what it learns about people.
func (s Store) Privacy() string { return s.here(s.PrivacyURL) }

func (s Store) here(address string) string {
	if path, ok := strings.CutPrefix(address, s.BaseURL); ok && strings.HasPrefix(path, "/") {
		return path
	}
	return address
}

// MenuItem is an entry of the navigation.
type MenuItem struct {
	Label    string     `json:"label"`
	Type     string     `json:"type"`
	Slug     string     `json:"slug"`
	URL      string     `json:"url"`
	Children []MenuItem `json:"children"`
}

// Path is where the entry leads.
func (m MenuItem) Path() string {
	switch m.Type {
	case "Category":
		return "/categories/" + m.Slug
	case "Brand":
		return "/brands/" + m.Slug
	case "Page":
		return "/pages/" + m.Slug
	}
	return m.URL
}

// Card is a product as lists show it.
type Card struct {
	ID            string `json:"id"`
	ItemNumber    string `json:"itemNumber"`
	Slug          string `json:"slug"`
	Name          string `json:"name"`
	BrandName     string `json:"brandName"`
	ImageURL      string `json:"imageUrl"`
	ImageAlt      string `json:"imageAlt"`
	Price         Price  `json:"price"`
	Stock         *Stock `json:"stock"`
	IsPurchasable bool   `json:"isPurchasable"`
	RatingAverage string `json:"ratingAverage"`
	RatingCount   int    `json:"ratingCount"`
	VariantCount  int    `json:"variantCount"`
	IsFirst       bool   `json:"-"` // seen at once, so its picture is fetched at once
	Highlights    struct {
		Name string `json:"name"` // HTML in which what was found is marked
	} `json:"highlights"`
}

// Price is what an item costs. Amounts are decimal numbers in text.
type Price struct {
	UnitCode              string `json:"unitCode"`
	UnitPrice             string `json:"unitPrice"`
	UnitPriceIncludingTax string `json:"unitPriceIncludingTax"`
	ComparePrice          string `json:"comparePrice"`
	CurrencyCode          string `json:"currencyCode"`
	IsPriceIncludingTax   bool   `json:"isPriceIncludingTax"`
	Breaks                []struct {
		MinQuantity           string `json:"minQuantity"`
		UnitPrice             string `json:"unitPrice"`
		UnitPriceIncludingTax string `json:"unitPriceIncludingTax"`
	} `json:"breaks"`
}

// Stock is what the store has of an item.
type Stock struct {
	Status       string `json:"status"`
	Quantity     string `json:"quantity"`
	ExpectedDate string `json:"expectedDate"`
}

// Category is a category with those below it.
type Category struct {
	Code         string     `json:"code"`
	Name         string     `json:"name"`
	Slug         string     `json:"slug"`
	ProductCount int        `json:"productCount"`
	Children     []Category `json:"children"`
	Description  string     `json:"description"`
	SEO          SEO        `json:"seo"`
	Breadcrumbs  []Crumb    `json:"breadcrumbs"`
}

// SEO is what search engines are told of a page.
type SEO struct {
	Title         string `json:"title"`
	Description   string `json:"description"`
	CanonicalPath string `json:"canonicalPath"`
}

// Crumb is a step on the way to a page, and any other named thing with an address.
type Crumb struct {
	Name string `json:"name"`
	Slug string `json:"slug"`
}

// Product is a product with everything its page shows.
type Product struct {
	Card
	ShortDescription string  `json:"shortDescription"`
	Description      string  `json:"description"` // HTML, sanitised by the API
	SEO              SEO     `json:"seo"`
	Breadcrumbs      []Crumb `json:"breadcrumbs"`
	Images           []Asset `json:"images"`
	Documents        []Asset `json:"documents"`
	Attributes       []struct {
		Name       string `json:"name"`
		Attributes []struct {
			Name   string   `json:"name"`
			Unit   string   `json:"unit"`
			Values []string `json:"values"`
		} `json:"attributes"`
	} `json:"attributes"`
	VariantOptions []struct {
		Name   string   `json:"name"`
		Values []string `json:"values"`
	} `json:"variantOptions"`
	Variants      []Variant `json:"variants"`
	DecimalPlaces int       `json:"decimalPlaces"`
	GTIN          string    `json:"gtin"`
	BrandSlug     string    `json:"brandSlug"`

	IsConfigurable bool `json:"isConfigurable"`
}

// Asset is a picture or a document.
type Asset struct {
	URL      string `json:"url"`
	FileName string `json:"fileName"`
	Title    string `json:"title"`
	AltText  string `json:"altText"`
}

// Variant is a variant of a product.
type Variant struct {
	Card
	Options []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"options"`
}

// Facet is what products of a selection can be told apart by.
type Facet struct {
	Code   string `json:"code"`
	Name   string `json:"name"`
	Type   string `json:"type"` // Terms or Range
	Values []struct {
		Value      string `json:"value"`
		Label      string `json:"label"`
		Count      int    `json:"count"`
		IsSelected bool   `json:"isSelected"`
	} `json:"values"`
	Min string `json:"min"`
	Max string `json:"max"`
}

// Found is the answer of a search.
type Found struct {
	List[Card]
	Facets         []Facet `json:"facets"`
	CorrectedQuery string  `json:"correctedQuery"`
	RedirectTo     string  `json:"redirectTo"`
}

// Cart is the visitor's cart.
type Cart struct {
	CurrencyCode string `json:"currencyCode"`
	Lines        []struct {
		LineID                string    `json:"lineId"`
		ItemID                string    `json:"itemId"`
		Slug                  string    `json:"slug"`
		Name                  string    `json:"name"`
		ItemNumber            string    `json:"itemNumber"`
		ImageURL              string    `json:"imageUrl"`
		Quantity              string    `json:"quantity"`
		Unit                  string    `json:"unit"`
		UnitPrice             string    `json:"unitPrice"`
		UnitPriceIncludingTax string    `json:"unitPriceIncludingTax"`
		LineTotal             string    `json:"lineTotal"`
		LineTotalIncludingTax string    `json:"lineTotalIncludingTax"`
		Stock                 *Stock    `json:"stock"`
		Warnings              []Message `json:"warnings"`

		Values []ChosenValue `json:"values"` // of what is made to order
	} `json:"lines"`
	Codes    []Code    `json:"codes"`
	Messages []Message `json:"messages"`
	Totals
}

// Message is something the visitor should know.
type Message struct {
	Code string `json:"code"`
	Text string `json:"text"`
}

// Code is a discount code or a gift card that is used.
type Code struct {
	Code        string `json:"code"`
	Type        string `json:"type"`
	Amount      string `json:"amount"`
	Description string `json:"description"`
}

// Totals are the sums below a cart, a checkout or an order.
type Totals struct {
	Subtotal          string `json:"subtotal"`
	DiscountTotal     string `json:"discountTotal"`
	Freight           string `json:"freight"`
	Fee               string `json:"fee"`
	TaxTotal          string `json:"taxTotal"`
	TotalIncludingTax string `json:"totalIncludingTax"`
	GiftCardTotal     string `json:"giftCardTotal"`
	AmountToPay       string `json:"amountToPay"`

	SubtotalIncludingTax      string `json:"subtotalIncludingTax"`
	DiscountTotalIncludingTax string `json:"discountTotalIncludingTax"`
	FreightIncludingTax       string `json:"freightIncludingTax"`
	FeeIncludingTax           string `json:"feeIncludingTax"`
}
