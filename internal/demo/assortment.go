package demo

import (
	"slices"
	"sync"

	"kontor/internal/business/catalog"
)

// tables are what the shop sells, and what it says of that. The names are made up; no brand of this world is meant.
type tables struct {
	Categories []category
	Brands     []brand
	Attributes []attribute
	Lines      []line // all there is but clothes
	Families   []family
	Texts      map[string]text // by the code of the line or family
	Featured   []string        // numbers of the items that the shop puts first
}

var wares = sync.OnceValue(func() tables { return written[tables]("goods.json", nil) })

type category struct{ Code, Name, Parent string }

type brand struct{ Code, Name string }

type attribute struct {
	Code, Name, Unit string
	DataType         catalog.DataType
	IsMultiValue     bool
}

// grade is one of the forms a product is sold in: its label in the name, the value of the attribute that tells it
// apart, and how much dearer and heavier it is than the plain one, in percent.
type grade struct {
	Label, Value string
	Percent      int
}

// line of products: each model in each grade is an item.
type line struct {
	Code, Noun, Category, Brand string
	Models                      []string
	Grades                      []grade
	Attribute                   string // that the grades' values are of
	Seasons                     []string
	Price, Gram                 int    // of the plain one, in kroner and gram
	Unit, Tax, Tracking         string // "" = piece, standard rate, none
	Kind                        string // "" = Stock
	Breaks                      bool   // cheaper by the ten
}

// family is a product with variants: every colour in every size.
type family struct {
	Code, Name, Category, Brand string
	Colours, Sizes              []string
	Seasons                     []string
	Price, Gram                 int
	IsWaterproof                bool
	Unit                        string
}

// text is what the shop says of a product line: a line in lists, more on its page.
type text struct{ Short, Long string }

// textOf is what the shop says of a line; nothing of what speaks for itself.
func textOf(code string) text { return wares().Texts[code] }

// isFeatured reports whether the shop puts an item first.
func isFeatured(number string) bool { return slices.Contains(wares().Featured, number) }
