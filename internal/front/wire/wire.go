// Package wire is what both APIs say in the same fields, which stand here once.
package wire

import (
	"kontor/internal/business/content"
	"kontor/internal/foundation/dec"
	"kontor/internal/front/rest"
)

// Street is a place in a country.
type Street struct {
	Street1    rest.Text `json:"street1" text:"name"`
	Street2    rest.Text `json:"street2" text:"name"`
	PostalCode rest.Text `json:"postalCode"`
	City       rest.Text `json:"city" text:"name"`
}

// Place is a street and its country, where they are known.
type Place struct {
	Street
	CountryCode rest.Text `json:"countryCode" doc:"ISO 3166-1 alpha-2." example:"SE"`
}

// Postal is an address as documents keep it: the specification's DeliveryAddress.
type Postal struct {
	Name          rest.Text `json:"name" text:"name"`
	ContactPerson rest.Text `json:"contactPerson" text:"name"`
	Place
	Email rest.Text `json:"email" text:"email"`
	Phone rest.Text `json:"phone"`
}

// Address is one of an address book, whose country is known.
type Address struct {
	Name          rest.Text `json:"name" text:"name"`
	ContactPerson rest.Text `json:"contactPerson" text:"name"`
	Street
	CountryCode string    `json:"countryCode" req:"true" doc:"ISO 3166-1 alpha-2." example:"SE"`
	Email       rest.Text `json:"email" text:"email"`
	Phone       rest.Text `json:"phone"`
}

// Person is somebody of a customer or a supplier.
type Person struct {
	Name         string    `json:"name" req:"true" text:"name"`
	Email        rest.Text `json:"email" text:"email"`
	Phone        rest.Text `json:"phone"`
	Mobile       rest.Text `json:"mobile"`
	Role         rest.Text `json:"role" text:"name"`
	LanguageCode rest.Text `json:"languageCode" doc:"ISO 639-1." example:"sv"`
}

// PageHead is a page of a store without what stands on it.
type PageHead struct {
	Slug             rest.Text        `json:"slug" doc:"Null of the home page."`
	ChannelCode      string           `json:"channelCode"`
	PageType         content.PageType `json:"pageType" of:"Type" doc:"What sort of page it is."`
	Title            string           `json:"title"`
	IsPublished      bool             `json:"isPublished"`
	PublishedAt      rest.Time        `json:"publishedAt" doc:"When it was published; null while it is not."`
	PublishDate      rest.Time        `json:"publishDate" doc:"The day that it bears, and from which on visitors see it once it is published; null: at once."`
	ParentSlug       rest.Text        `json:"parentSlug" doc:"Slug of the page above it."`
	ShowInNavigation bool             `json:"showInNavigation" doc:"Whether the menu leads to it."`
	SortOrder        int              `json:"sortOrder"`
	Tags             []string         `json:"tags" doc:"Words that it is found by."`
	AuthorName       rest.Text        `json:"authorName" doc:"Who wrote it."`
	Excerpt          rest.Text        `json:"excerpt" doc:"What lists show of it."`
	FeaturedImageURL rest.Text        `json:"featuredImageUrl" doc:"Picture of an article."`
	MetaDescription  rest.Text        `json:"metaDescription" doc:"What search engines are told."`
}

// Invoiced is what a line of an invoice asks money for.
type Invoiced struct {
	ItemNumber  rest.Text `json:"itemNumber" of:"Item" doc:"Null for charges and free text."`
	Description rest.Text `json:"description"`
	Quantity    dec.Dec   `json:"quantity"`
	Unit        rest.Text `json:"unit"`
	UnitPrice   dec.Fixed `json:"unitPrice"`
	LineTotal   dec.Fixed `json:"lineTotal" doc:"Without tax."`
	TaxPercent  dec.Dec   `json:"taxPercent"`
	TaxAmount   dec.Fixed `json:"taxAmount"`
}

// Impact is which choice makes a part of a price, less the amount.
type Impact struct {
	FeatureCode  rest.Text `json:"featureCode" of:"Feature" doc:"Null: the base price."`
	FeatureName  rest.Text `json:"featureName"`
	OptionCode   rest.Text `json:"optionCode" of:"Option"`
	OptionName   rest.Text `json:"optionName"`
	PricePercent *dec.Dec  `json:"pricePercent" of:"Percent" doc:"Of the base price, where the choice adds a percentage."`
}

// Alternative says whether a value of a feature can be chosen, or chosen instead.
type Alternative struct {
	OptionCode string   `json:"optionCode" of:"Code" doc:"Of a Boolean: true and false."`
	IsLeft     bool     `json:"isLeft"`
	Messages   []string `json:"messages" doc:"Of the rules that it would break."`
}

// Choice is a choice as it is sent.
type Choice struct {
	FeatureCode string    `json:"featureCode" of:"Feature" req:"true"`
	OptionCode  rest.Text `json:"optionCode" of:"Option" doc:"Of a feature of the type Option."`
	Text        rest.Text `json:"text" text:"note"`
	Number      *dec.Dec  `json:"number" doc:"Of a feature of the type Number, and of one that is measured."`
	Boolean     *bool     `json:"boolean"`
}

// ConfigurationError is a choice that is not right, or a rule that is broken.
type ConfigurationError struct {
	FeatureCode  rest.Text `json:"featureCode" of:"Feature" doc:"The first of featureCodes."`
	FeatureCodes []string  `json:"featureCodes" of:"Features" doc:"The features whose choices break the rule."`
	Message      string    `json:"message"`
}

// ConfigurationComponent is an item that goes into the product.
type ConfigurationComponent struct {
	ItemNumber string  `json:"itemNumber"`
	Quantity   dec.Dec `json:"quantity" doc:"For the whole quantity, in the component's base unit."`
}

// Refused is what refusals of both APIs may say beside what every problem says.
type Refused struct {
	Missing   []string   `json:"missing" doc:"The steps that a checkout lacks, or what a document lacks; where something is missing."`
	Shortages []Shortage `json:"shortages" doc:"Which goods there are too few of; where goods are short."`
}

// Shortage is an item of which there is not as much as was wanted.
type Shortage struct {
	ItemNumber string   `json:"itemNumber"`
	Wanted     dec.Dec  `json:"wanted" doc:"In the item's base unit."`
	There      *dec.Dec `json:"there" doc:"What can be had of it, in the item's base unit. Null where a store does not show quantities."`
}
